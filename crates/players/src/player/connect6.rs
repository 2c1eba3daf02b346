//! The manager's side of `move JJKK`: Cloudict's protocol and that of the CCGC contests, told apart by the question
//! each of them answers. Letters with I; row A is at the bottom unless the user says otherwise.
//!
//! | | Cloudict | CCGC |
//! |---|---|---|
//! | asked for its name by | `name` | `name?` |
//! | Black's first stone | `JJ`, doubled in set-ups | `JJ@@` |
//! | can be given an opening | yes | no |

use std::time::Duration;

use lianzi_core::{Cell, Fault, Position, Rules, StartFault, Stone};
use lianzi_engine::Info;

use super::outside::{Dialect, GameTerms, Heard, stones, wait_for_turn};
use super::talk::Talk;
use super::thought::{RowOne, Thought};
use crate::protocol::cells::{Alphabet, BadCell, RowA};
use lianzi_cage::process::Wait;
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Reply};

/// How soon most programs have started and answer to their name.
const PROMPTLY: Duration = Duration::from_millis(500);
/// How soon a program that talks already answers to its name, even on a busy machine.
const SURELY: Duration = Duration::from_secs(1);

/// Which of the two it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    /// Cloudict's.
    Cloudict,
    /// That of the CCGC contests.
    Ccgc,
}

impl Speech {
    /// The dialect of this name.
    pub fn named(name: &str) -> Option<Speech> {
        match name {
            "cloudict" => Some(Speech::Cloudict),
            "ccgc" => Some(Speech::Ccgc),
            _ => None,
        }
    }

    fn name_question(self) -> &'static str {
        match self {
            Speech::Cloudict => "name\n",
            Speech::Ccgc => "name?\n",
        }
    }
}

/// What is known of an engine.
pub struct Connect6 {
    given: Option<Speech>,
    speech: Speech,
    letters: Alphabet,
    /// The stones it was told of or has placed itself.
    known: Option<Vec<(Stone, Cell)>>,
    last: Vec<Answer>,
}

impl Connect6 {
    /// An engine that speaks so, if the user knows, with its row A there.
    pub fn new(given: Option<Speech>, row_a: RowA) -> Connect6 {
        let speech = given.unwrap_or(Speech::Cloudict);
        Connect6 { given, speech, letters: Alphabet::Letters(row_a), known: None, last: Vec::new() }
    }

    /// One answers to `name`, the other to `name?`. A program that starts slowly answers late, so the first question
    /// is asked again once it talks.
    fn recognise(talk: &mut Talk, wait: Wait<'_>) -> Result<Speech, Fault> {
        let mut answers = |speech: Speech, wait: Wait<'_>| {
            talk.say(speech.name_question(), wait)?;
            answered(talk, wait)
        };
        if answers(Speech::Cloudict, Wait::for_time(PROMPTLY))? {
            return Ok(Speech::Cloudict);
        }
        if !answers(Speech::Ccgc, wait)? {
            return Err(Fault::Late);
        }
        let both = answers(Speech::Cloudict, Wait::for_time(SURELY))?;
        Ok(if both { Speech::Cloudict } else { Speech::Ccgc })
    }

    fn forget_game(&mut self) {
        self.known = None;
        self.last.clear();
    }

    /// The stones of a turn as one word.
    fn word(&self, cells: &[(Stone, Cell)], rules: &Rules) -> String {
        let word: String = cells.iter().map(|(_, cell)| self.letters.write(*cell, rules)).collect();
        match (cells, self.speech) {
            ([_], Speech::Ccgc) => word + "@@",
            _ => word,
        }
    }

    /// What to say so that the engine knows the board and moves.
    fn question(&self, position: &Position, board: &[(Stone, Cell)]) -> Result<String, Fault> {
        let cannot = |what: &str| Err(Fault::NotStarted(StartFault::MissingFunction, what.into()));
        if position.mid_turn() || board.len() != position.plies().len() {
            return cannot("it cannot be told of half a turn or of set stones");
        }
        let turns: Vec<&[(Stone, Cell)]> = board.chunk_by(|a, b| a.0 == b.0).collect();
        let rules = position.rules();
        let [earlier @ .., latest] = turns.as_slice() else { return Ok("new black\n".into()) };
        let latest = format!("move {}\n", self.word(latest, rules));
        let known = self.known.as_ref().is_some_and(|known| *known == earlier.concat());
        match self.speech {
            _ if known => Ok(latest),
            _ if earlier.is_empty() => Ok(format!("new white\n{latest}")),
            Speech::Ccgc => cannot("it cannot be given an opening; play with --openings none"),
            Speech::Cloudict => {
                let place = |turn: &&[(Stone, Cell)]| {
                    let word = self.word(turn, rules);
                    let word = if turn.len() == 1 { word.repeat(2) } else { word };
                    format!("{} {word}\n", turn[0].0)
                };
                Ok(format!("new white\n{}{latest}", earlier.iter().map(place).collect::<String>()))
            }
        }
    }
}

/// Whether it says its name in time.
fn answered(talk: &mut Talk, wait: Wait<'_>) -> Result<bool, Fault> {
    let name = |line: &str| line.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("name "));
    loop {
        match talk.line(wait, name) {
            Ok(line) if name(&line) => return Ok(true),
            Ok(_) => {}
            Err(Fault::Late) => return Ok(false),
            Err(fault) => return Err(fault),
        }
    }
}

impl Dialect for Connect6 {
    fn line_ending(&self) -> &'static str {
        "\n"
    }

    fn greet(&mut self, talk: &mut Talk, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<(), Fault> {
        self.forget_game();
        self.speech = match self.given {
            None => Connect6::recognise(talk, wait)?,
            Some(speech) => {
                talk.say(speech.name_question(), wait)?;
                if !answered(talk, wait)? {
                    return Err(Fault::Late);
                }
                speech
            }
        };
        let send: String = terms.program.send.iter().map(|line| format!("{line}\n")).collect();
        talk.say(&send, wait)
    }

    /// `new` clears it; that is said with the first question, because Black answers it at once.
    fn clear(&mut self, talk: &mut Talk, _: &GameTerms<'_>, _: Wait<'_>) -> Result<bool, Fault> {
        self.forget_game();
        Ok(talk.is_alive())
    }

    fn ask(&mut self, talk: &mut Talk, ask: &Ask<'_>, watch: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let (position, rules) = (ask.position, ask.position.rules());
        talk.forget();
        let board = stones(position);
        let question = self.question(position, &board)?;
        talk.say(&question, Wait { until: ask.deadline, interrupt: Some(ask.interrupt.flag()) })?;
        let mut thought = Thought::default();
        let hear = |line: &str| hear(line, rules, self.letters, position.stones_left(), &self.last);
        let (turn, thoughts) = wait_for_turn(talk, ask, hear, &mut |newer| {
            thought.add(newer);
            watch(&thought.info(rules, RowOne::Bottom));
        })?;
        let mover = position.to_move();
        let placed = turn.iter().filter_map(|answer| match answer {
            Answer::Cell(cell) => Some((mover, *cell)),
            Answer::Beyond(_) => None,
        });
        self.known = Some(board.into_iter().chain(placed).collect());
        self.last.clone_from(&turn);
        Ok(Reply { turn, eval: thought.eval(), thoughts, ..Reply::default() })
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }
}

fn hear(line: &str, rules: &Rules, letters: Alphabet, wanted: u8, last: &[Answer]) -> Heard {
    let line = line.trim_end();
    // Help texts have such lines too, but indented.
    if !line.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("move ")) {
        let trouble = line.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("error"));
        let other = || Thought::read(line).map_or(Heard::Chatter, Heard::Thought);
        return if trouble { Heard::Trouble } else { other() };
    }
    match read_turn(&line[5..], rules, letters) {
        None => Heard::Garbled,
        Some(turn) if turn == last => Heard::Stale(turn),
        // A single stone may be given twice.
        Some(turn) if wanted == 1 && turn.len() == 2 && turn[0] == turn[1] => Heard::Turn(turn[..1].to_vec()),
        Some(turn) => Heard::Turn(turn),
    }
}

/// `JJKK`, `JJ` or `JJ@@`.
fn read_turn(word: &str, rules: &Rules, letters: Alphabet) -> Option<Vec<Answer>> {
    let read = |name: &str| match letters.read(name, rules) {
        Ok(cell) => Some(cell.into()),
        Err(BadCell::OffBoard(name)) => Some(Answer::Beyond(name.0)),
        Err(BadCell::Unreadable(_)) => None,
    };
    match word.len() {
        2 => Some(vec![read(word)?]),
        4 if word.ends_with("@@") => Some(vec![read(&word[..2])?]),
        4 => Some(vec![read(word.get(..2)?)?, read(word.get(2..)?)?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(line: &str, wanted: u8) -> Heard {
        hear(line, &Rules::connect6(19), Alphabet::Letters(RowA::Bottom), wanted, &[])
    }

    fn cells(names: &str) -> Vec<Answer> {
        names.split_whitespace().map(|name| name.parse::<Cell>().unwrap().into()).collect()
    }

    #[test]
    fn only_a_move_is_a_move() {
        assert!(matches!(heard("move JJKA", 2), Heard::Turn(turn) if turn == cells("j10 k1")));
        assert!(matches!(heard("move JJ", 1), Heard::Turn(turn) if turn == cells("j10")));
        assert!(matches!(heard("move JJ@@ ", 1), Heard::Turn(turn) if turn == cells("j10")));
        assert!(matches!(heard("move JJJJ", 1), Heard::Turn(turn) if turn == cells("j10")));
        assert!(matches!(heard("move ZZAA", 2), Heard::Turn(turn) if turn[0] == Answer::Beyond("ZZ".into())));
        for chatter in ["            move XXXX   - tell the engine", "  move JJKK", "moveJJKK", "We loss!", "é"] {
            assert!(matches!(heard(chatter, 2), Heard::Chatter), "{chatter}");
        }
        for garbled in ["move J10", "move", "move ", "move @@JJ", "move éé", "move JJKKLL"] {
            assert!(matches!(heard(garbled, 2), Heard::Garbled | Heard::Chatter), "{garbled}");
        }
        assert!(matches!(heard("Score :\t3.0", 2), Heard::Thought(_)));
    }
}
