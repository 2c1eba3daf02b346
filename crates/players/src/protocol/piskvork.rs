//! Gomocup's protocol as text. Cells are `x,y` from 0, from the top left; [`Alphabet::Piskvork`] flips the rows.

use std::time::Duration;

use lianzi_core::Rules;
use lianzi_engine::{Info, Line};

use super::cells::Alphabet;

/// What a manager says to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// A new game on a square board.
    Start(&'a str),
    /// A new game on a rectangle.
    RectStart(&'a str),
    /// A new game on the same board.
    Restart,
    /// The engine places the first stone.
    Begin,
    /// The opponent has placed a stone.
    Turn(&'a str),
    /// Stones follow, up to `DONE`; then the engine moves.
    Board,
    /// Stones follow, up to `DONE`; the engine waits.
    YxBoard,
    /// A stone is taken back.
    Takeback(&'a str),
    /// An opening by the swap2 rule follows, up to `DONE`.
    Swap2Board,
    /// A step of an opening, as Yixin-Board asks for it.
    Yixin(YixinStep),
    /// A setting: key and value.
    Info(&'a str, &'a str),
    /// Who are you?
    About,
    /// Leave.
    End,
    /// Answer now.
    Stop,
    /// Which cells are forbidden to Black?
    ShowForbid,
    /// Forget what was thought.
    HashClear,
    /// Think, and show so many best moves.
    NBest(&'a str),
    /// Anything else.
    Unknown(&'a str),
}

impl Command<'_> {
    /// Reads a line, in either case.
    pub fn read(line: &str) -> Command<'_> {
        let (word, rest) = split(line);
        match word.to_ascii_uppercase().as_str() {
            "START" => Command::Start(rest),
            "RECTSTART" => Command::RectStart(rest),
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => Command::Turn(rest),
            "BOARD" => Command::Board,
            "YXBOARD" => Command::YxBoard,
            "TAKEBACK" => Command::Takeback(rest),
            "SWAP2BOARD" => Command::Swap2Board,
            "INFO" => {
                let (key, value) = split(rest);
                Command::Info(key, value)
            }
            "ABOUT" => Command::About,
            "END" => Command::End,
            "STOP" | "YXSTOP" => Command::Stop,
            "YXSHOWFORBID" => Command::ShowForbid,
            "YXHASHCLEAR" => Command::HashClear,
            "YXNBEST" => Command::NBest(rest),
            other => YixinStep::read(other, rest).map_or(Command::Unknown(word), Command::Yixin),
        }
    }
}

/// A step of an opening that Yixin-Board asks an engine for, by its number; those of Soosyrv-8 may tell how many fifth moves
/// there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YixinStep {
    /// `YXSWAP2STEP1` to 3: open, choose after three stones, choose after five.
    Swap2(u8),
    /// `YXSOOSORVSTEP1` to 6: open, swap or not, place the fourth stone, swap or not, offer fifth moves, choose one.
    Soosorv(u8, u8),
}

impl YixinStep {
    fn read(word: &str, rest: &str) -> Option<YixinStep> {
        let step = |prefix: &str, last: u8| {
            word.strip_prefix(prefix)?.parse().ok().filter(|step: &u8| (1..=last).contains(step))
        };
        let soosorv = |step| YixinStep::Soosorv(step, rest.parse().unwrap_or(0));
        step("YXSWAP2STEP", 3).map(YixinStep::Swap2).or_else(|| step("YXSOOSORVSTEP", 6).map(soosorv))
    }

    /// Whether a list of stones follows, up to `DONE`; the others are asked about the board that was set up before.
    pub fn has_list(self) -> bool {
        matches!(self, YixinStep::Soosorv(2.., _))
    }
}

fn split(text: &str) -> (&str, &str) {
    let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    (word, rest.trim())
}

/// A number of milliseconds as managers write it: a negative one is none, and 2147483647 means no limit.
pub fn milliseconds(text: &str) -> Option<Option<Duration>> {
    let number: i64 = text.trim().parse().ok()?;
    let limited = number < i64::from(i32::MAX);
    Some(limited.then(|| Duration::from_millis(number.max(0).unsigned_abs())))
}

/// A best line for people and programs: `MESSAGE DEPTH 7 EV 120 N 4711 PV 7,7 8,8`; a proven end is `EV +M7`. With
/// several lines each has its number in front: `#2`.
pub fn message(info: &Info, number: Option<usize>, line: &Line, rules: &Rules) -> String {
    let place = number.map(|n| format!("#{n} ")).unwrap_or_default();
    let value = match line.win_in {
        Some(plies) if plies != 0 => {
            format!("{}M{}", if plies < 0 { '-' } else { '+' }, plies.unsigned_abs())
        }
        _ => line.score.to_string(),
    };
    let cells = line.cells.iter().map(|&cell| format!(" {}", Alphabet::Piskvork.write(cell, rules)));
    let cells: String = cells.collect();
    format!("MESSAGE {place}DEPTH {} EV {value} N {} PV{cells}", info.depth, info.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_either_case() {
        assert_eq!(Command::read("start 15"), Command::Start("15"));
        assert_eq!(Command::read(" TURN\t7, 8 "), Command::Turn("7, 8"));
        assert_eq!(Command::read("INFO timeout_turn 5000"), Command::Info("timeout_turn", "5000"));
        assert_eq!(Command::read("INFO"), Command::Info("", ""));
        assert_eq!(Command::read("yxStop"), Command::Stop);
        assert_eq!(Command::read("7,7"), Command::Unknown("7,7"));
    }

    #[test]
    fn milliseconds_have_odd_ends() {
        assert_eq!(milliseconds("1500"), Some(Some(Duration::from_millis(1500))));
        assert_eq!(milliseconds("-3"), Some(Some(Duration::ZERO)));
        assert_eq!(milliseconds("2147483647"), Some(None));
        assert_eq!(milliseconds("soon"), None);
    }

    #[test]
    fn messages_tell_depth_score_nodes_and_line() {
        let rules = Rules::gomoku(15);
        let cells = vec!["h8".parse().unwrap(), "a1".parse().unwrap()];
        let line = Line { score: 12, win_in: None, cells };
        let info = Info { depth: 3, nodes: 99, lines: vec![] };
        assert_eq!(message(&info, None, &line, &rules), "MESSAGE DEPTH 3 EV 12 N 99 PV 7,7 0,14");
        let lost = Line { win_in: Some(-6), ..line };
        assert_eq!(message(&info, Some(2), &lost, &rules), "MESSAGE #2 DEPTH 3 EV -M6 N 99 PV 7,7 0,14");
    }
}
