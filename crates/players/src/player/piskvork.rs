//! The manager's side of the Gomocup protocol. Rows are flipped by [`Alphabet::Piskvork`] and nowhere else.
//!
//! A brain may chatter before its answer, use any case and any end of line, and answer commands it should not. What
//! counts is the first `x,y` after the question.

use std::fmt::Write;
use std::time::{Duration, Instant};

use lianzi_core::{Act, Cell, Fault, Forbidden, Negotiation, Overline, Rules, StartFault, Stone};
use lianzi_engine::Info;

use super::opening;
use super::outside::{Dialect, GameTerms, Heard, stones, wait_for_turn};
use super::talk::Talk;
use super::thought::{RowOne, Thought};
use crate::protocol::cells::{Alphabet, BadCell};
use lianzi_cage::process::Wait;
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Reply};

/// What the protocol writes for time without a limit.
const UNLIMITED: u128 = i32::MAX as u128;

/// What is known of a brain.
#[derive(Default)]
pub struct Piskvork {
    /// The stones it was told of or has placed itself.
    known: Vec<(Stone, Cell)>,
    last: Option<Cell>,
    rows: RowOne,
    /// The time for a turn that it was told.
    turn: Option<Duration>,
}

impl Dialect for Piskvork {
    fn line_ending(&self) -> &'static str {
        "\r\n"
    }

    fn greet(&mut self, talk: &mut Talk, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<(), Fault> {
        self.forget_game();
        let Rules { width, height, .. } = *terms.rules;
        let start = match width == height {
            true => format!("START {width}\n"),
            false => format!("RECTSTART {width},{height}\n"),
        };
        talk.say(&start, wait)?;
        match consent(talk, wait)? {
            Consent::Given => {}
            Consent::Refused(line) => return Err(Fault::NotStarted(StartFault::Unloadable, line)),
            Consent::Unknown(line) => return Err(Fault::NotStarted(StartFault::MissingFunction, line)),
        }
        self.turn = turn_time(terms);
        let send: String = terms.program.send.iter().map(|line| format!("{line}\n")).collect();
        talk.say(&(info(terms) + &send), wait)
    }

    fn clear(&mut self, talk: &mut Talk, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<bool, Fault> {
        self.forget_game();
        if !restart(talk, wait)? {
            return Ok(false);
        }
        self.turn = turn_time(terms);
        talk.say(&info(terms), wait)?;
        Ok(true)
    }

    fn ask(&mut self, talk: &mut Talk, ask: &Ask<'_>, watch: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let asked = Instant::now();
        let (rules, wait) = (ask.position.rules(), Wait { until: ask.deadline, interrupt: Some(ask.interrupt.flag()) });
        talk.forget();
        let board = stones(ask.position);
        if !self.follows(&board) && !self.known.is_empty() {
            restart(talk, wait)?;
            self.known.clear();
        }
        talk.pause();
        let question = self.time(ask, asked.elapsed()) + &self.question(&board, rules);
        talk.say(&question, wait)?;
        self.known = board;
        let (last, rows) = (self.last, self.rows);
        let mut thought = Thought::default();
        let (turn, thoughts) = wait_for_turn(talk, ask, |line| hear(line, rules, last), &mut |newer| {
            thought.add(newer);
            watch(&thought.info(rules, rows));
        })?;
        if let [Answer::Cell(cell)] = *turn {
            self.known.push((ask.position.to_move(), cell));
            self.last = Some(cell);
            self.rows = thought.rows(cell, rules).unwrap_or(rows);
        }
        Ok(Reply { turn, eval: thought.eval(), thoughts, ..Reply::default() })
    }

    fn farewell(&self) -> &'static str {
        "END"
    }

    fn negotiate(&mut self, talk: &mut Talk, ask: &Ask<'_>, so_far: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        talk.forget();
        let wait = Wait { until: ask.deadline, interrupt: Some(ask.interrupt.flag()) };
        let time = self.time(ask, Duration::ZERO);
        self.forget_game();
        opening::ask(talk, so_far, &time, wait)
    }
}

impl Piskvork {
    fn forget_game(&mut self) {
        self.known.clear();
        self.last = None;
    }

    /// Whether the board is the known one and one stone of the opponent's more.
    fn follows(&self, board: &[(Stone, Cell)]) -> bool {
        board.len() == self.known.len() + 1 && board.starts_with(&self.known)
    }

    /// What is left of the game, and the time for this turn if it is another than before.
    fn time(&mut self, ask: &Ask<'_>, spent: Duration) -> String {
        let left = ask.limits.clock.map(|clock| milliseconds(clock.left.saturating_sub(spent)));
        let left = format!("INFO time_left {}\n", left.unwrap_or(UNLIMITED));
        match ask.limits.move_time {
            Some(time) if self.turn != Some(time) => {
                self.turn = Some(time);
                format!("INFO timeout_turn {}\n{left}", milliseconds(time))
            }
            _ => left,
        }
    }

    fn question(&self, board: &[(Stone, Cell)], rules: &Rules) -> String {
        let name = |cell: Cell| Alphabet::Piskvork.write(cell, rules);
        match board {
            [] => "BEGIN\n".into(),
            [.., (_, cell)] if self.follows(board) => format!("TURN {}\n", name(*cell)),
            // The last stone on the board is the opponent's.
            [.., (opponent, _)] => {
                let line =
                    |(stone, cell): &(Stone, Cell)| format!("{},{}\n", name(*cell), 1 + u8::from(stone == opponent));
                format!("BOARD\n{}DONE\n", board.iter().map(line).collect::<String>())
            }
        }
    }
}

/// What a brain says to a command.
enum Consent {
    Given,
    Refused(String),
    Unknown(String),
}

/// Waits for OK, ERROR or UNKNOWN.
fn consent(talk: &mut Talk, wait: Wait<'_>) -> Result<Consent, Fault> {
    loop {
        let line = talk.line(wait, |line| line.trim().eq_ignore_ascii_case("OK"))?;
        match word(&line).as_str() {
            "OK" => return Ok(Consent::Given),
            "ERROR" => return Ok(Consent::Refused(lianzi_core::shorten(&line))),
            "UNKNOWN" => return Ok(Consent::Unknown(lianzi_core::shorten(&line))),
            _ => {}
        }
    }
}

fn restart(talk: &mut Talk, wait: Wait<'_>) -> Result<bool, Fault> {
    talk.forget();
    talk.say("RESTART\n", wait)?;
    Ok(matches!(consent(talk, wait)?, Consent::Given))
}

/// The first word, in capitals, without what is glued to it.
pub(super) fn word(line: &str) -> String {
    let letters = line.trim().chars().take_while(char::is_ascii_alphabetic);
    letters.map(|c| c.to_ascii_uppercase()).collect()
}

fn hear(line: &str, rules: &Rules, last: Option<Cell>) -> Heard {
    // Bytes that are no text are nobody's answer.
    if line.contains(char::REPLACEMENT_CHARACTER) {
        return Heard::Chatter;
    }
    match Alphabet::Piskvork.read(line, rules) {
        Ok(cell) if last == Some(cell) => return Heard::Stale(vec![cell.into()]),
        Ok(cell) => return Heard::Turn(vec![cell.into()]),
        Err(BadCell::OffBoard(name)) => return Heard::Turn(vec![Answer::Beyond(name.0)]),
        Err(BadCell::Unreadable(_)) => {}
    }
    match word(line).as_str() {
        "ERROR" | "UNKNOWN" => Heard::Trouble,
        // It starts like a move and is none.
        "" if line.trim().starts_with(|c: char| c.is_ascii_digit()) => Heard::Garbled,
        _ => Thought::read(line).map_or(Heard::Chatter, Heard::Thought),
    }
}

/// What a brain is told before the first question; the user's words come before ours.
fn info(terms: &GameTerms<'_>) -> String {
    let (control, own) = (terms.control, terms.limits);
    let ms = |time| milliseconds(time).to_string();
    let game = control.per_game.map(|(time, _)| time);
    let turn = turn_time(terms);
    let counted = own.nodes.is_none() && own.depth.is_none();
    let increment = control.per_game.map(|(_, increment)| increment).filter(|time| !time.is_zero());
    let ours = [
        ("timeout_turn", turn.map(ms)),
        ("timeout_match", turn.map(|_| game.map_or("0".into(), ms))),
        ("time_increment", increment.map(ms)),
        ("max_memory", Some("0".into())),
        ("game_type", Some("1".into())),
        ("rule", Some(rule(terms.rules).to_string())),
        ("max_node", own.nodes.or(control.nodes.filter(|_| counted)).map(|n| n.to_string())),
        ("max_depth", own.depth.or(control.depth.filter(|_| counted)).map(|n| n.to_string())),
        ("folder", terms.program.dir.as_ref().map(|dir| dir.display().to_string())),
    ];
    let theirs = &terms.program.info;
    let ours = ours.iter().filter(|(key, _)| !theirs.iter().any(|(their, _)| their == key));
    let ours = ours.filter_map(|(key, value)| Some((*key, value.as_deref()?)));
    let theirs = theirs.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    ours.chain(theirs).fold(String::new(), |mut text, (key, value)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "INFO {key} {value}");
        text
    })
}

/// What a turn may take; without a limit of its own, all of the game's time.
fn turn_time(terms: &GameTerms<'_>) -> Option<Duration> {
    let game = terms.control.per_game.map(|(time, _)| time);
    terms.limits.move_time.into_iter().chain(terms.control.per_move).min().or(game)
}

fn milliseconds(time: Duration) -> u128 {
    time.as_millis().min(UNLIMITED)
}

/// 1: exactly five; 4: renju.
fn rule(rules: &Rules) -> u8 {
    match (rules.forbidden, rules.overline) {
        (Forbidden::Renju, _) => 4,
        (Forbidden::Nothing, Overline::Ignored) => 1,
        (Forbidden::Nothing, Overline::Wins) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_everything_else() {
        let rules = Rules::gomoku(15);
        let cell: Cell = "h7".parse().unwrap();
        let heard = |line: &str| hear(line, &rules, None);
        assert!(matches!(heard("7,8"), Heard::Turn(turn) if turn == [cell.into()]));
        assert!(matches!(heard(" 7 , 8 "), Heard::Turn(_)));
        assert!(matches!(hear("7,8", &rules, Some(cell)), Heard::Stale(_)));
        assert!(matches!(heard("15,0"), Heard::Turn(turn) if turn == [Answer::Beyond("15,0".into())]));
        assert!(matches!(heard("-1,-1"), Heard::Turn(turn) if turn == [Answer::Beyond("-1,-1".into())]));
        for garbled in ["7", "7;8", "7,8,9"] {
            assert!(matches!(heard(garbled), Heard::Garbled), "{garbled}");
        }
        for trouble in ["ERROR", "error - no", "UNKNOWN command"] {
            assert!(matches!(heard(trouble), Heard::Trouble), "{trouble}");
        }
        for chatter in [
            "MESSAGE 7,8",
            "DEBUG x",
            "SUGGEST 7,8",
            "OK",
            "hello",
            "-",
            "--- 7,8 ---",
            "-> 7,8",
            "7,8\u{fffd}",
            "\u{fffd}7",
        ] {
            assert!(matches!(heard(chatter), Heard::Chatter), "{chatter}");
        }
        assert!(matches!(heard("message ev 5"), Heard::Thought(_)));
    }
}
