//! Feeds every protocol our engines speak as guests: whatever a manager says, they answer or leave, and never fall over.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use lianzi_players::guest::{serve, Guest, GuestProtocol};
use lianzi_players::protocol::cells::RowA;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, input)) = bytes.split_first() else { return };
    let protocols = [GuestProtocol::Piskvork, GuestProtocol::Connect6, GuestProtocol::Gtp, GuestProtocol::Botzone];
    let protocol = protocols[usize::from(choice) % protocols.len()];
    let guest = Guest {
        player: "random".parse().expect("a player of ours"),
        game: None,
        row_a: RowA::Bottom,
        seed: 1,
    };
    let _ = serve(protocol, &guest, Cursor::new(input.to_vec()), &mut Vec::new());
});
