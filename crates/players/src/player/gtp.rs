//! The controller's side of the Go Text Protocol, one stone a question. Letters without I, rows from the bottom.
//!
//! Every command has a number, so that an answer to an earlier one is never taken for that to the last.

use std::time::Duration;

use lianzi_core::{Cell, Fault, Placement, Position, Rules, StartFault, Stone, shorten};
use lianzi_engine::Info;

use super::outside::{Dialect, GameTerms, stones};
use super::talk::Talk;
use crate::protocol::cells::{Alphabet, BadCell, read_gtp_column};
use lianzi_cage::process::Wait;
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Reply};

/// What is known of an engine.
#[derive(Default)]
pub struct Gtp {
    number: u64,
    /// The stones it was told of or has placed itself.
    known: Vec<(Stone, Cell)>,
    /// It refused to be told what is left on the clock.
    timeless: bool,
}

/// An engine's answer: what it said, or why it refused.
type Response = Result<String, String>;

impl Gtp {
    fn command(&mut self, talk: &mut Talk, command: &str, wait: Wait<'_>) -> Result<Response, Fault> {
        self.number += 1;
        let number = self.number;
        talk.say(&format!("{number} {command}\n"), wait)?;
        loop {
            let line = talk.line(wait, |line| response(line, number).is_some())?;
            if let Some(response) = response(&line, number) {
                return Ok(response);
            }
        }
    }

    /// A command that the engine must know.
    fn must(&mut self, talk: &mut Talk, command: &str, wait: Wait<'_>) -> Result<(), Fault> {
        let refused = |why| Fault::NotStarted(StartFault::MissingFunction, format!("{command}: {why}"));
        self.command(talk, command, wait)?.map(|_| ()).map_err(refused)
    }

    /// Tells the engine of every stone it does not know.
    fn catch_up(
        &mut self,
        talk: &mut Talk,
        board: &[(Stone, Cell)],
        rules: &Rules,
        wait: Wait<'_>,
    ) -> Result<(), Fault> {
        if !board.starts_with(&self.known) {
            self.must(talk, "clear_board", wait)?;
            self.known.clear();
        }
        for &(stone, cell) in &board[self.known.len()..] {
            let play = format!("play {} {}", colour(stone), Alphabet::Gtp.write(cell, rules));
            // The stone is legal: an engine that refuses it cannot play on.
            let played = self.command(talk, &play, wait)?;
            played.map_err(|why| Fault::Garbled(shorten(&format!("{play}: {why}"))))?;
            self.known.push((stone, cell));
        }
        Ok(())
    }

    fn tell_time(&mut self, talk: &mut Talk, ask: &Ask<'_>, wait: Wait<'_>) -> Result<(), Fault> {
        let Some(clock) = ask.limits.clock.filter(|_| !self.timeless) else { return Ok(()) };
        let command = format!("time_left {} {} 0", colour(ask.position.to_move()), clock.left.as_secs());
        self.timeless = self.command(talk, &command, wait)?.is_err();
        Ok(())
    }
}

impl Dialect for Gtp {
    fn line_ending(&self) -> &'static str {
        "\n"
    }

    fn greet(&mut self, talk: &mut Talk, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<(), Fault> {
        *self = Gtp::default();
        let Rules { width, height, .. } = *terms.rules;
        let size = match width == height {
            true => format!("boardsize {width}"),
            false => format!("rectangular_boardsize {width} {height}"),
        };
        self.must(talk, &size, wait)?;
        for line in &terms.program.send {
            // What the user sends is between the user and the engine.
            let _ = self.command(talk, line, wait)?;
        }
        self.clear(talk, terms, wait).map(|_| ())
    }

    fn clear(&mut self, talk: &mut Talk, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<bool, Fault> {
        self.known.clear();
        self.must(talk, "clear_board", wait)?;
        if let Some(settings) = time_settings(terms) {
            // An engine need not know about time: the arena does.
            let _ = self.command(talk, &settings, wait)?;
        }
        Ok(true)
    }

    fn ask(&mut self, talk: &mut Talk, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let wait = Wait { until: ask.deadline, interrupt: Some(ask.interrupt.flag()) };
        let mut position = ask.position.clone();
        let (mover, mut turn) = (position.to_move(), Vec::new());
        self.catch_up(talk, &stones(&position), position.rules(), wait)?;
        self.tell_time(talk, ask, wait)?;
        for _ in 0..position.stones_left() {
            let genmove = format!("genmove {}", colour(mover));
            let said = self.command(talk, &genmove, wait)?.map_err(|why| Fault::Garbled(shorten(&why)))?;
            if said.eq_ignore_ascii_case("resign") {
                return Ok(Reply { resigns: true, ..Reply::default() });
            }
            let answer = read_answer(&said, &position).ok_or_else(|| Fault::Garbled(shorten(&said)))?;
            turn.push(answer.clone());
            // The judge sees a stone that cannot be placed; nothing more is asked after it, nor after one that wins.
            match answer {
                Answer::Cell(cell) if position.play(cell).is_ok() => self.known.push((mover, cell)),
                _ => break,
            }
            if position.outcome().is_some() {
                break;
            }
        }
        Ok(Reply { turn, ..Reply::default() })
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }
}

fn colour(stone: Stone) -> char {
    match stone {
        Stone::Black => 'b',
        Stone::White => 'w',
    }
}

/// What a line answers to the command of this number; engines that leave the number out are believed.
fn response(line: &str, number: u64) -> Option<Response> {
    let good = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (id, text) = rest.split_at(digits);
    let apart = text.is_empty() || text.starts_with(char::is_whitespace);
    if !apart || !(id.is_empty() || id.parse() == Ok(number)) {
        return None;
    }
    let text = text.trim().to_string();
    Some(if good { Ok(text) } else { Err(text) })
}

/// A vertex; a column is enough where stones drop.
fn read_answer(text: &str, position: &Position) -> Option<Answer> {
    let rules = position.rules();
    if rules.placement == Placement::Drop && text.bytes().all(|b| b.is_ascii_alphabetic()) {
        let column = read_gtp_column(text).and_then(|column| u8::try_from(column).ok())?;
        let landing = Some(column).filter(|column| *column < rules.width).and_then(|c| position.landing(c));
        return Some(landing.map_or_else(|| Answer::Beyond(shorten(text)), Answer::from));
    }
    match Alphabet::Gtp.read(text, rules) {
        Ok(cell) => Some(cell.into()),
        Err(BadCell::OffBoard(name)) => Some(Answer::Beyond(name.0)),
        Err(BadCell::Unreadable(_)) => None,
    }
}

/// Main time, then so much for each further move.
fn time_settings(terms: &GameTerms<'_>) -> Option<String> {
    let seconds = |time: Duration| time.as_secs_f64();
    let per_move = terms.limits.move_time.into_iter().chain(terms.control.per_move).min();
    match (terms.control.per_game, per_move) {
        (Some((time, increment)), _) if increment.is_zero() => Some(format!("time_settings {} 0 0", seconds(time))),
        (Some((time, increment)), _) => Some(format!("time_settings {} {} 1", seconds(time), seconds(increment))),
        (None, Some(time)) => Some(format!("time_settings 0 {} 1", seconds(time))),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_carry_their_number() {
        assert_eq!(response("=7 H8", 7), Some(Ok("H8".into())));
        assert_eq!(response("= H8", 7), Some(Ok("H8".into())));
        assert_eq!(response("=", 7), Some(Ok(String::new())));
        assert_eq!(response("?7 illegal move", 7), Some(Err("illegal move".into())));
        for other in ["=6 H8", "H8", "=====", "=H8", "=77"] {
            assert_eq!(response(other, 7), None, "{other}");
        }
    }

    #[test]
    fn vertices_and_columns() {
        let gomoku = Position::new(Rules::gomoku(15));
        let cell = |name: &str| Some(Answer::from(name.parse::<Cell>().unwrap()));
        assert_eq!(read_answer("J3", &gomoku), cell("i3"));
        assert_eq!(read_answer("Q1", &gomoku), Some(Answer::Beyond("Q1".into())));
        assert_eq!(read_answer("pass", &gomoku), None);
        let mut drop = Position::new(Rules::connect4(7, 6));
        drop.play("d1".parse().unwrap()).unwrap();
        assert_eq!((read_answer("d", &drop), read_answer("D2", &drop)), (cell("d2"), cell("d2")));
        assert_eq!(read_answer("Z", &drop), Some(Answer::Beyond("Z".into())));
    }
}
