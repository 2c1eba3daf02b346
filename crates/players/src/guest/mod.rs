//! Our engines as guests in other people's managers: Piskvork, Connect6 programs, GTP boards, Botzone.
//!
//! A guest reads commands and answers; [`serve`] runs one until it is told to leave or its input ends. Input is read
//! and the engine thinks on threads of their own, so that a guest hears "stop" and "end" while it thinks, and keeps
//! its time even if the engine does not. Whatever arrives, an answer is a legal turn: the referee sees it first.

mod botzone;
mod connect6;
mod desk;
mod gtp;
mod input;
mod mind;
mod opening;
mod piskvork;
mod placed;
mod times;

use std::fmt;
use std::io::{BufRead, Write};

use lianzi_core::{Placement, Rules, Speak, Text, spoken_errors, text};

use crate::player::PlayerSpec;
use crate::protocol::cells::{Alphabet, RowA};

/// The protocols a guest can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuestProtocol {
    /// Gomocup's, for Gomoku, standard Gomoku and renju.
    Piskvork,
    /// Cloudict's and CCGC's, for Connect6.
    Connect6,
    /// The Go Text Protocol, for every game.
    Gtp,
    /// Botzone's JSON, for Gomoku and Connect6.
    Botzone,
}

/// Who the guest is.
#[derive(Clone, Debug)]
pub struct Guest {
    /// The engine that thinks.
    pub player: PlayerSpec,
    /// The game; without it the protocol's usual one.
    pub game: Option<Rules>,
    /// Where the row A of two-letter cells is.
    pub row_a: RowA,
    /// Where random numbers start.
    pub seed: u64,
}

/// Why a guest cannot go on.
#[derive(Debug)]
pub enum GuestError {
    /// The protocol has no such game.
    Game(GuestProtocol, String),
    /// The question cannot be answered.
    Question(String),
    /// Nobody reads the answers.
    Output(std::io::Error),
}

impl Speak for GuestError {
    fn text(&self) -> Text {
        match self {
            GuestError::Game(protocol, game) => {
                text!("{game} cannot be played by the protocol {protocol}", "{protocol} 协议不能下 {game}")
            }
            GuestError::Question(why) => {
                text!("the request cannot be answered: {why}", "无法回答请求：{why}")
            }
            GuestError::Output(error) => {
                text!("the answer cannot be written: {error}", "无法写出回答：{error}")
            }
        }
    }
}

spoken_errors!(GuestError);

impl From<std::io::Error> for GuestError {
    fn from(error: std::io::Error) -> GuestError {
        GuestError::Output(error)
    }
}

impl fmt::Display for GuestProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GuestProtocol::Piskvork => "piskvork",
            GuestProtocol::Connect6 => "connect6",
            GuestProtocol::Gtp => "gtp",
            GuestProtocol::Botzone => "botzone",
        })
    }
}

impl GuestProtocol {
    /// Whether the game can be played by this protocol.
    pub fn plays(self, rules: &Rules) -> bool {
        let five = (rules.line, rules.per_turn, rules.first_turn) == (5, 1, 1);
        let six = (rules.line, rules.per_turn, rules.first_turn) == (6, 2, 1);
        let open = rules.placement == Placement::Anywhere;
        match self {
            GuestProtocol::Piskvork => five && open && rules.width.min(rules.height) >= 5,
            GuestProtocol::Connect6 => six && open && Alphabet::Letters(RowA::Bottom).covers(rules),
            GuestProtocol::Botzone => (five || six) && open,
            GuestProtocol::Gtp => true,
        }
    }

    /// The game it is played with when nobody says otherwise; Botzone's request shows which of its two it is.
    pub fn usual_game(self) -> Rules {
        match self {
            GuestProtocol::Piskvork | GuestProtocol::Gtp | GuestProtocol::Botzone => Rules::gomoku(15),
            GuestProtocol::Connect6 => Rules::connect6(19),
        }
    }
}

/// Speaks a protocol until told to leave or the input ends.
pub fn serve<R>(protocol: GuestProtocol, guest: &Guest, input: R, out: &mut dyn Write) -> Result<(), GuestError>
where
    R: BufRead + Send + 'static,
{
    let rules = guest.game.unwrap_or_else(|| protocol.usual_game());
    if !protocol.plays(&rules) {
        return Err(GuestError::Game(protocol, rules.to_string()));
    }
    let mut desk = desk::Desk::new(guest, out);
    if protocol == GuestProtocol::Botzone {
        return botzone::answer(guest.game, input, &mut desk);
    }
    desk.listen(input)?;
    match protocol {
        GuestProtocol::Connect6 => connect6::Connect6::new(rules, guest.row_a, desk).run()?,
        GuestProtocol::Gtp => gtp::Gtp::new(rules, desk).run()?,
        _ => piskvork::Piskvork::new(rules, desk).run()?,
    }
    Ok(())
}

/// What a guest calls itself.
const NAME: &str = "Lianzi";
