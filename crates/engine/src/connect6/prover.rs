//! Proves wins by threats: double threats first, then single ones, then one quiet turn.
//!
//! Double threats are proven exactly by proof-number search: at most four answers hit a double threat. What leaves the
//! defender stones to put anywhere stands in [`singles`].

mod singles;

use super::attack::{Attack, double_turns, half_turns};
use super::board::SixBoard;
use super::defence::Defence;
use super::plan::{Plan, Then};
use super::shape::Place;
use crate::numbers::{Choice, Map, Numbers};
use crate::solve::Looked;

/// How many turns an attack by double threats may take.
const TURNS: u32 = 24;

/// What an attack may use beside double threats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Means {
    /// How many single threats.
    pub singles: u32,
    /// Whether a turn that threatens nothing yet is tried.
    pub quiet: bool,
}

/// A search for a forced win by threats.
pub(crate) struct Prover<'a> {
    table: Map<Numbers>,
    attack: Attack,
    /// Positions from which so many single threats came to nothing.
    vain: Map<u32>,
    /// Positions looked at.
    pub nodes: u64,
    /// How many positions may be looked at.
    limit: u64,
    /// Whether somebody waits for the answer.
    is_over: &'a dyn Fn() -> bool,
    /// Whether the search ended before it had tried everything.
    pub stopped: bool,
    /// What came to nothing.
    pub looked: Looked,
}

impl<'a> Prover<'a> {
    /// A search of at most so many positions that asks now and then whether it must end.
    pub(crate) fn new(limit: u64, is_over: &'a dyn Fn() -> bool) -> Prover<'a> {
        Prover {
            table: Map::default(),
            attack: Attack::remembering(),
            vain: Map::default(),
            nodes: 0,
            limit,
            is_over,
            stopped: false,
            looked: Looked::default(),
        }
    }

    /// How the side to move wins.
    pub(crate) fn prove(&mut self, board: &mut SixBoard, means: Means) -> Option<Plan> {
        if board.left == 1 {
            return self.half(board, means.singles);
        }
        // A large tree of double threats must not hide what a single one wins.
        let plan = self.within(self.limit / 4 * 3, |prover| prover.all_doubles(board));
        let plan = plan.or_else(|| self.by_singles(board, means));
        let unsettled = plan.is_none() && !self.looked.doubles && !self.stopped;
        plan.or_else(|| unsettled.then(|| self.all_doubles(board)).flatten())
    }

    /// How the side to move wins by double threats, and a note if it does not.
    fn all_doubles(&mut self, board: &mut SixBoard) -> Option<Plan> {
        let plan = self.doubles(board);
        self.looked.doubles |= plan.is_none() && !self.stopped;
        plan
    }

    /// Does something with at most so many positions more.
    fn within<T>(&mut self, nodes: u64, act: impl FnOnce(&mut Self) -> T) -> T {
        let (limit, stopped) = (self.limit, self.stopped);
        self.limit = limit.min(self.nodes.saturating_add(nodes));
        let found = act(self);
        self.limit = limit;
        self.stopped = stopped || self.nodes >= limit || (self.is_over)();
        found
    }

    /// How the side to move wins with the second stone of its turn.
    fn half(&mut self, board: &mut SixBoard, singles: u32) -> Option<Plan> {
        let me = board.turn;
        if let Some(&window) = board.threats(me).iter().find(|&&window| board.count(window, me) == 5) {
            return Some(Plan { turn: board.gaps(window).collect(), then: Then::Won });
        }
        let found = half_turns(board).into_iter().find_map(|stone| {
            self.nodes += 1;
            board.play(stone);
            let then = self.answered(board, singles);
            board.undo(stone);
            then.map(|then| Plan { turn: [stone].into_iter().collect(), then })
        });
        if !self.stopped {
            self.looked = Looked { doubles: true, singles: singles.min(1), quiet: false };
        }
        found
    }

    /// How the attack goes on after every answer to the threats that stand now.
    fn answered(&mut self, board: &mut SixBoard, singles: u32) -> Option<Then> {
        let hits = Defence::against(board, board.turn ^ 1);
        match hits.needed {
            _ if !board.threats(board.turn).is_empty() => None,
            2 => self.by_answer(board, &hits, &mut |prover, board| {
                let plan = prover.doubles(board);
                plan.or_else(|| (singles > 0).then(|| prover.quickly(board, 1)).flatten())
            }),
            3 => Some(Then::Won),
            1 if singles > 0 => self.free(board, &hits, singles),
            _ => None,
        }
    }

    /// How to go on after each answer to a double threat, if there is a way after every one.
    fn by_answer(
        &mut self,
        board: &mut SixBoard,
        hits: &Defence,
        go_on: &mut dyn FnMut(&mut Self, &mut SixBoard) -> Option<Plan>,
    ) -> Option<Then> {
        let mut plans = Vec::new();
        for &answer in &hits.pairs {
            answer.iter().for_each(|&stone| board.play(stone));
            let plan = go_on(self, board);
            answer.iter().rev().for_each(|&stone| board.undo(stone));
            plans.push((answer, plan?));
        }
        Some(Then::By(plans))
    }

    /// How the side to move wins by double threats.
    fn doubles(&mut self, board: &mut SixBoard) -> Option<Plan> {
        self.line(board, 4000).or_else(|| self.by_doubles(board))
    }

    /// How it wins by double threats that depend on the answers.
    fn by_doubles(&mut self, board: &mut SixBoard) -> Option<Plan> {
        let found = self.attacker(board, Numbers::UNLIMITED, TURNS);
        (found.proof == 0).then(|| self.plan(board, TURNS)).flatten()
    }

    /// How it wins by one line of double threats that holds against every answer.
    fn line(&mut self, board: &mut SixBoard, stones: u32) -> Option<Plan> {
        let found = self.attack.win(board, TURNS, stones);
        self.nodes += u64::from(self.attack.stones / 4);
        found.and_then(|_| Plan::of_line(&self.attack, board))
    }

    /// Whether the side to move wins by double threats in at most so many turns. What it learns holds for this number only.
    pub(crate) fn wins_within(&mut self, board: &mut SixBoard, turns: u32) -> bool {
        self.attacker(board, Numbers::UNLIMITED, turns).proof == 0
    }

    /// Searches a position of the attacker until its numbers reach the limits.
    fn attacker(&mut self, board: &mut SixBoard, limits: Numbers, turns: u32) -> Numbers {
        if !board.threats(board.turn).is_empty() {
            return Numbers::PROVEN;
        }
        if turns <= 1 {
            return Numbers::REFUTED;
        }
        let turns_here = double_turns(board);
        let children: Vec<Child> = turns_here.into_iter().map(|turn| self.after(board, turn)).collect();
        let key = board.key();
        loop {
            let choice = Choice::among(children.iter().map(|child| self.numbers(child)));
            self.table.insert(key, choice.numbers);
            let Some(child) = choice.best.map(|n| &children[n]) else { return choice.numbers };
            if choice.numbers.reaches(limits) || self.is_late() {
                return choice.numbers;
            }
            let below = choice.limits(limits, 1);
            child.stones.iter().for_each(|&stone| board.play(stone));
            self.defender(board, below, turns);
            child.stones.iter().rev().for_each(|&stone| board.undo(stone));
        }
    }

    /// Searches a position of the defender, who answers a double threat.
    fn defender(&mut self, board: &mut SixBoard, limits: Numbers, turns: u32) {
        let limits = limits.flipped();
        let answers = Defence::against(board, board.turn ^ 1).pairs;
        let children: Vec<Child> = answers.into_iter().map(|answer| answered(board, answer)).collect();
        let key = board.key();
        loop {
            let choice = Choice::among(children.iter().map(|child| self.numbers(child).flipped()));
            self.table.insert(key, choice.numbers.flipped());
            let Some(child) = choice.best.map(|n| &children[n]) else { return };
            if choice.numbers.reaches(limits) || self.is_late() {
                return;
            }
            let below = choice.limits(limits, 1).flipped();
            child.stones.iter().for_each(|&stone| board.play(stone));
            let found = self.attacker(board, below, turns - 1);
            child.stones.iter().rev().for_each(|&stone| board.undo(stone));
            self.table.insert(child.key, found);
        }
    }

    /// The position after a turn of the attacker: settled if it is no double threat, or one that nothing hits.
    fn after(&mut self, board: &mut SixBoard, turn: [Place; 2]) -> Child {
        self.nodes += 1;
        turn.iter().for_each(|&stone| board.play(stone));
        let settled = match Defence::against(board, board.turn ^ 1).needed {
            _ if !board.threats(board.turn).is_empty() => Some(Numbers::REFUTED),
            0 | 1 => Some(Numbers::REFUTED),
            2 => None,
            _ => Some(Numbers::PROVEN),
        };
        let key = board.key();
        turn.iter().rev().for_each(|&stone| board.undo(stone));
        Child { stones: turn, key, settled }
    }

    /// What is known of a child.
    fn numbers(&self, child: &Child) -> Numbers {
        child.settled.or_else(|| self.table.get(&child.key).copied()).unwrap_or(Numbers::UNKNOWN)
    }

    /// The plan of a win by double threats that was proven.
    fn plan(&mut self, board: &mut SixBoard, turns: u32) -> Option<Plan> {
        if !board.threats(board.turn).is_empty() {
            return self.line(board, 1);
        }
        let turns = turns.checked_sub(1)?;
        for turn in double_turns(board) {
            let child = self.after(board, turn);
            if self.numbers(&child).proof > 0 {
                continue;
            }
            turn.iter().for_each(|&stone| board.play(stone));
            let then = self.answers(board, turns);
            turn.iter().rev().for_each(|&stone| board.undo(stone));
            if let Some(then) = then {
                return Some(Plan { turn: turn.into_iter().collect(), then });
            }
        }
        None
    }

    fn answers(&mut self, board: &mut SixBoard, turns: u32) -> Option<Then> {
        let hits = Defence::against(board, board.turn ^ 1);
        if hits.needed > 2 {
            return Some(Then::Won);
        }
        self.by_answer(board, &hits, &mut |prover, board| prover.plan(board, turns))
    }

    fn is_late(&mut self) -> bool {
        self.stopped |= self.nodes >= self.limit || self.nodes.is_multiple_of(64) && (self.is_over)();
        self.stopped
    }
}

/// A position one turn further.
struct Child {
    stones: [Place; 2],
    key: u64,
    /// Its numbers, if no search is needed to know them.
    settled: Option<Numbers>,
}

/// The position after an answer to a double threat, which wins if it does not hit everything.
fn answered(board: &mut SixBoard, answer: [Place; 2]) -> Child {
    answer.iter().for_each(|&stone| board.play(stone));
    let settled = (!board.threats(board.turn).is_empty()).then_some(Numbers::PROVEN);
    let key = board.key();
    answer.iter().rev().for_each(|&stone| board.undo(stone));
    Child { stones: answer, key, settled }
}

#[cfg(test)]
mod tests;
