//! Whether a puzzle is right: what it claims is proven anew, and proofs are replayed against every defence by the
//! referee alone.

use std::collections::HashSet;
use std::sync::Arc;

use lianzi_core::{Cell, Forbidden, Outcome, Position, Rules, Speak, Stone, Text, spoken_errors, text};
use lianzi_engine::solve::{Solved, Solver};
use lianzi_engine::workshop::connect6::Threats;
use lianzi_engine::workshop::gomoku::{GomokuBoard, Knowledge, Means, loses, prove, prove_for, wins, wins_by_fours};
use lianzi_engine::{Family, Limits, Stop};

use crate::insight::Insight;
use crate::puzzle::{Puzzle, Turn, named};
use crate::theme::{Goal, Theme};

/// How many positions a proof may take, and a search for fours by the referee.
const PROOF: u64 = 400_000;
const FOURS: usize = 200_000;
/// How many positions of Connect Four are replayed; the solver's word is taken for what lies beyond.
const REPLAYED: usize = 100;

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The game has no such puzzles.
    Theme,
    /// A turn that is said to be right could not be shown to be.
    Unproven(Turn),
    /// Another turn is as good.
    Another(Turn),
    /// It takes another number of turns.
    Turns(Option<u8>),
    /// It is right, but of another theme.
    OtherTheme,
}

impl Speak for Flaw {
    fn text(&self) -> Text {
        match self {
            Flaw::Theme => Text::fixed("this game has no puzzles of this theme", "此棋没有这类题目"),
            Flaw::Unproven(turn) => {
                let turn = named(turn);
                text!("{turn} could not be shown to be right", "{turn} 未能证明为正解")
            }
            Flaw::Another(turn) => {
                let turn = named(turn);
                text!("{turn} is as good", "{turn} 同样好")
            }
            Flaw::Turns(None) => Text::fixed("it is not won so soon", "不能这么快取胜"),
            Flaw::Turns(Some(turns)) => text!("it takes {turns} turns", "需要 {turns} 手"),
            Flaw::OtherTheme => Text::fixed("it is not what its theme says", "与其主题不符"),
        }
    }
}

spoken_errors!(Flaw);

/// Checks puzzles. What a game's provers need is made once.
#[derive(Default)]
pub struct Verifier {
    knowledge: Vec<(Rules, Arc<Knowledge>)>,
    /// Who is asked about games without shapes.
    insights: Vec<(Rules, Insight)>,
    /// Who is asked how renju would be without fouls.
    free: Vec<(Rules, Insight)>,
}

impl Verifier {
    /// Checks everything that a puzzle claims. Mistakes claim nothing that can be proven.
    pub fn check(&mut self, puzzle: &Puzzle) -> Result<(), Flaw> {
        if !puzzle.theme.suits(&puzzle.rules) {
            return Err(Flaw::Theme);
        }
        let knowledge = self.knowledge(&puzzle.rules);
        let insight = match &knowledge {
            Some(knowledge) => Insight::knowing(knowledge, puzzle.theme),
            None => self.insight(puzzle),
        };
        let mut check = Check { puzzle, position: puzzle.position(), knowledge, insight };
        let found = match puzzle.goal() {
            Goal::Win => check.win(),
            Goal::Hold => check.hold(),
            Goal::Best => Ok(()),
        };
        if check.knowledge.is_none() {
            self.insights.push((puzzle.rules, check.insight));
        }
        let right = puzzle.theme.takes(puzzle.turns) && (puzzle.theme != Theme::Fouls || self.needs_fouls(puzzle));
        found.and(if right { Ok(()) } else { Err(Flaw::OtherTheme) })
    }

    /// Whether White wins because Black may not play everywhere.
    fn needs_fouls(&mut self, puzzle: &Puzzle) -> bool {
        let place = self.free.iter().position(|(rules, _)| *rules == puzzle.rules).unwrap_or_else(|| {
            self.free.push((puzzle.rules, Insight::new(&without_fouls(&puzzle.rules), Theme::Fours)));
            self.free.len() - 1
        });
        uses_fouls(&puzzle.position(), &puzzle.accepted, puzzle.turns, &mut self.free[place].1)
    }

    /// One that was asked about this game before, or a new one.
    fn insight(&mut self, puzzle: &Puzzle) -> Insight {
        match self.insights.iter().position(|(rules, _)| *rules == puzzle.rules) {
            Some(place) => self.insights.swap_remove(place).1,
            None => Insight::new(&puzzle.rules, puzzle.theme),
        }
    }

    /// What is known of shapes, where the game has them.
    fn knowledge(&mut self, rules: &Rules) -> Option<Arc<Knowledge>> {
        if Family::of(rules) != Family::Gomoku {
            return None;
        }
        if let Some((_, known)) = self.knowledge.iter().find(|(other, _)| other == rules) {
            return Some(Arc::clone(known));
        }
        let knowledge = Arc::new(Knowledge::new(rules));
        self.knowledge.push((*rules, Arc::clone(&knowledge)));
        Some(knowledge)
    }
}

/// One puzzle and who is asked about it.
struct Check<'a> {
    puzzle: &'a Puzzle,
    position: Position,
    knowledge: Option<Arc<Knowledge>>,
    insight: Insight,
}

impl Check<'_> {
    fn win(&mut self) -> Result<(), Flaw> {
        let puzzle = self.puzzle;
        let turns = self.insight.turns(&self.position, puzzle.turns);
        if turns != Some(puzzle.turns) {
            return Err(Flaw::Turns(turns));
        }
        let found = self.insight.first_turns(&self.position, puzzle.turns);
        if let Some((turn, _)) = found.into_iter().find(|(turn, _)| !puzzle.accepts(turn)) {
            return Err(Flaw::Another(turn));
        }
        let unproven = puzzle.accepted.iter().find(|turn| !self.wins_by(turn));
        unproven.map_or(Ok(()), |turn| Err(Flaw::Unproven(turn.clone())))
    }

    fn board(&self, position: &Position) -> Option<GomokuBoard> {
        self.knowledge.as_ref().map(|knowledge| GomokuBoard::new(position, knowledge))
    }

    /// Whether a first turn wins, replayed by the referee against every defence.
    fn wins_by(&mut self, turn: &[Cell]) -> bool {
        let solver = self.position.to_move();
        let Some(after) = played(&self.position, turn) else { return false };
        if let Some(outcome) = after.outcome() {
            return outcome == Outcome::Win(solver);
        }
        match Family::of(&self.puzzle.rules) {
            Family::Gomoku => self.board(&after).is_some_and(|board| {
                let means = if self.puzzle.theme == Theme::Threes { Means::Threes } else { Means::Fours };
                let proof = prove_for(&board, solver, means, PROOF, None).proof;
                proof.is_some_and(|proof| loses(&after, &board, &proof))
            }),
            // The solver replays what it proves.
            Family::Connect6 => Threats::new(&self.puzzle.rules).is_ok_and(|mut threats| {
                let limits = Limits { nodes: Some(PROOF), ..Limits::default() };
                threats.solve(&after, &limits, &Stop::default()).result == Solved::Loss
            }),
            Family::ConnectFour => {
                let most = self.puzzle.turns.saturating_sub(1);
                let won = self.insight.turns_after(&after, most).is_some();
                won && Replay::new(solver, &mut self.insight).every_answer(after, most)
            }
            _ => false,
        }
    }

    fn hold(&mut self) -> Result<(), Flaw> {
        if self.puzzle.turns != 1 {
            return Err(Flaw::Turns(Some(1)));
        }
        for cell in self.position.legal().collect::<Vec<Cell>>() {
            let turn = vec![cell];
            let Some(after) = played(&self.position, &turn) else { continue };
            if self.puzzle.accepts(&turn) {
                if !self.holds(&after) {
                    return Err(Flaw::Unproven(turn));
                }
            } else if !self.is_lost(&after) {
                return Err(Flaw::Another(turn));
            }
        }
        Ok(())
    }

    /// Whether the side that has just moved does not lose: in five in a row the referee itself looks for fours.
    fn holds(&mut self, after: &Position) -> bool {
        match Family::of(&self.puzzle.rules) {
            Family::Gomoku => wins_by_fours(after, FOURS) == Some(false),
            _ => after.outcome().is_some() || self.insight.holds(after),
        }
    }

    /// Whether the side that has just moved loses by force.
    fn is_lost(&mut self, after: &Position) -> bool {
        match self.board(after) {
            Some(board) => {
                let proof = prove(&board, Means::Fours, PROOF, None).proof;
                proof.is_some_and(|proof| wins(after, &board, &proof))
            }
            None => after.outcome().is_none() && self.insight.turns(after, u8::MAX).is_some(),
        }
    }
}

/// The same board, with nothing forbidden.
pub(crate) fn without_fouls(rules: &Rules) -> Rules {
    Rules { forbidden: Forbidden::Nothing, ..*rules }
}

/// Whether White's turns win as soon as that only because Black may not play everywhere. `free` is asked how it would be if
/// he might.
pub(crate) fn uses_fouls(position: &Position, accepted: &[Turn], turns: u8, free: &mut Insight) -> bool {
    if position.rules().forbidden != Forbidden::Renju || position.to_move() == Stone::Black {
        return false;
    }
    let mut same = Position::new(without_fouls(position.rules()));
    let replayed = position.plies().iter().try_for_each(|ply| same.play(ply.cell));
    replayed.is_ok() && same.outcome().is_none() && {
        let won = free.first_turns(&same, turns);
        accepted.iter().all(|turn| won.iter().all(|(other, _)| other != turn))
    }
}

fn played(position: &Position, turn: &[Cell]) -> Option<Position> {
    let mut after = position.clone();
    turn.iter().try_for_each(|&cell| after.play(cell)).ok()?;
    Some(after)
}

/// Plays the solver's best stones against every answer.
struct Replay<'a> {
    solver: Stone,
    insight: &'a mut Insight,
    won: HashSet<u64>,
}

impl Replay<'_> {
    fn new(solver: Stone, insight: &mut Insight) -> Replay<'_> {
        Replay { solver, insight, won: HashSet::new() }
    }

    /// Whether the solver wins in at most so many turns after every answer.
    fn every_answer(&mut self, position: Position, turns: u8) -> bool {
        if self.won.len() >= REPLAYED || !self.won.insert(position.hash()) {
            return true;
        }
        let answers: Vec<Cell> = position.legal().collect();
        answers.into_iter().all(|answer| {
            let mut after = position.clone();
            after.play(answer).is_ok() && self.go_on(after, turns)
        })
    }

    fn go_on(&mut self, position: Position, turns: u8) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome == Outcome::Win(self.solver);
        }
        let best = self.insight.first_turns(&position, turns).into_iter().min_by_key(|(_, turns)| *turns);
        let Some(after) = best.and_then(|(turn, _)| played(&position, &turn)) else { return false };
        after.outcome() == Some(Outcome::Win(self.solver)) || turns > 1 && self.every_answer(after, turns - 1)
    }
}
