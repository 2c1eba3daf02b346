//! Feeds every reader; what is read must survive a round trip through our own form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lianzi_core::record::{Document, Format};

fuzz_target!(|bytes: &[u8]| {
    let half = bytes.len() / 2;
    let pair = Document::Pair { black: bytes[..half].to_vec(), white: bytes[half..].to_vec() };
    for document in [Document::Single(bytes.to_vec()), pair] {
        let _ = Format::detect("game.txt", &document);
        for format in Format::ALL {
            let Ok(games) = format.read(&document, None) else { continue };
            for game in games {
                for other in Format::ALL {
                    let _ = other.write(std::slice::from_ref(&game.record));
                }
                let json = Format::Json.write(std::slice::from_ref(&game.record)).expect("json holds every game");
                let again = Format::Json.read(&json, None).expect("what we wrote is whole");
                assert_eq!(again[0].record.moves, game.record.moves);
            }
        }
    }
});
