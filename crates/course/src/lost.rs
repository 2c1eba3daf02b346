//! Where a game was lost: the last turn at which a modest search did not yet see the loss as certain.

use lianzi_core::{Cell, GameRecord, Outcome, Speak, Stone, Text, text};
use lianzi_engine::{Limits, Options, Stop, catalog};

/// How many playouts the search has for each position.
const NODES: u64 = 2000;
/// How many of the loser's last turns are looked at.
const TURNS: usize = 12;

/// The turn by which a game was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// How many stones lay on the board before it.
    pub ply: usize,
    /// What was played.
    pub turn: Vec<Cell>,
    /// Why it is this one.
    pub why: Why,
}

/// Why a turn is the one by which a game was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The player failed at it.
    Fault,
    /// After it the loss is proven, before it was not.
    Proven,
    /// It was the player's last one, and nothing better is known.
    Last,
}

/// Where this side lost the game; `None` if it did not.
pub fn moment(record: &GameRecord, loser: Stone) -> Option<Moment> {
    if record.verdict.outcome != Some(Outcome::Win(loser.other())) {
        return None;
    }
    if record.verdict.blame == Some(loser) {
        return Some(Moment { ply: record.moves.len(), turn: Vec::new(), why: Why::Fault });
    }
    let turns = turns_of(record, loser);
    let last = *turns.last()?;
    let proven = |&&ply: &&usize| is_lost(record, ply);
    let lost: Vec<&usize> = turns.iter().rev().take(TURNS).take_while(proven).collect();
    let before = turns.len().checked_sub(lost.len() + 1).map(|n| turns[n]);
    let (ply, why) = match before {
        Some(ply) if lost.len() < TURNS => (ply, Why::Proven),
        _ => (last, Why::Last),
    };
    let turn = record.moves[ply..].iter().map(|played| played.cell);
    let stones = usize::from(record.position_at(ply).stones_left());
    Some(Moment { ply, turn: turn.take(stones).collect(), why })
}

/// Where this side's own turns begin.
fn turns_of(record: &GameRecord, side: Stone) -> Vec<usize> {
    let begins = |&ply: &usize| {
        let position = record.position_at(ply);
        position.to_move() == side && !position.mid_turn()
    };
    (record.opening..record.moves.len()).filter(begins).collect()
}

/// Whether a search proves that the side to move has lost.
fn is_lost(record: &GameRecord, ply: usize) -> bool {
    let Ok(mut engine) = catalog::engine("uct", &record.rules, &Options::default()) else { return false };
    let limits = Limits { nodes: Some(NODES), lines: 1, ..Limits::default() };
    let best = engine.search(&record.position_at(ply), &limits, &Stop::default(), &mut |_| {});
    best.info.lines.first().and_then(|line| line.win_in).is_some_and(|plies| plies < 0)
}

impl Speak for Moment {
    fn text(&self) -> Text {
        let turn: Vec<String> = self.turn.iter().map(Cell::to_string).collect();
        let (number, turn) = (self.ply + 1, turn.join(" "));
        match self.why {
            Why::Fault => text!("failed at move {number}", "第 {number} 手出错"),
            Why::Proven => text!(
                "lost by move {number} ({turn}): a win of the other side is forced after it",
                "败于第 {number} 手（{turn}）：此后对方可强制取胜"
            ),
            Why::Last => text!(
                "move {number} ({turn}) was the last one; where it was lost is not known",
                "第 {number} 手（{turn}）为最后一手；败着未知"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::{Ending, Language, Position, Rules, Verdict};

    fn record(moves: &str) -> GameRecord {
        let mut position = Position::new(Rules::connect4(7, 6));
        for cell in moves.split_whitespace() {
            position.play(cell.parse().unwrap()).unwrap();
        }
        let mut record = GameRecord::from_position(&position);
        if let Some(outcome) = position.outcome() {
            record.verdict = Verdict { outcome: Some(outcome), ending: Ending::Line, blame: None };
        }
        record
    }

    #[test]
    fn a_threat_that_was_not_answered() {
        // Black has three in column a; White looks away.
        let record = record("a1 g1 a2 g2 a3 c1 a4");
        let moment = moment(&record, Stone::White).unwrap();
        assert_eq!((moment.ply, moment.why), (5, Why::Proven));
        assert_eq!(moment.turn, ["c1".parse().unwrap()]);
        assert_eq!(super::moment(&record, Stone::Black), None, "the winner lost nowhere");
    }

    #[test]
    fn a_double_threat_was_lost_a_turn_earlier() {
        // c1 d1 with b1, e1 and f1 free: White has to answer at move 4 and does not; e1 makes an open three.
        let record = record("c1 c2 d1 d2 e1 a1 f1");
        let moment = moment(&record, Stone::White).unwrap();
        assert_eq!((moment.ply, moment.why), (3, Why::Proven), "at move 6 it was too late already");
    }

    #[test]
    fn a_fault_is_where_it_happened() {
        let mut record = record("a1 g1 a2");
        record.verdict = Verdict::fault(Stone::White, Ending::Crashed { how: String::new() });
        let moment = moment(&record, Stone::White).unwrap();
        assert_eq!((moment.ply, moment.why), (3, Why::Fault));
        assert!(moment.words(Language::English).contains("move 4"));
    }
}
