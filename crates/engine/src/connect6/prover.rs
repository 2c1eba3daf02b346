//! Proves wins by threats: double threats first, then single ones.
//!
//! Double threats are proven exactly by proof-number search: at most four answers hit a double threat. A single threat
//! leaves the defender a stone anywhere. It is given all stones that can hit and none elsewhere; if the attacker wins
//! then, only a free stone inside the *zone* of that win, every cell it depends on, can change anything, and each of
//! those is tried.

use super::attack::{Attack, double_turns, half_turns, single_turns};
use super::board::SixBoard;
use super::defence::Defence;
use super::plan::{Plan, Then};
use super::shape::Place;
use super::zone::zone;
use crate::numbers::{Choice, Map, Numbers};

/// How many turns an attack by double threats may take.
const TURNS: u32 = 24;

/// A search for a forced win by threats.
pub struct Prover<'a> {
    table: Map<Numbers>,
    attack: Attack,
    /// Positions looked at.
    pub nodes: u64,
    /// How many positions may be looked at.
    limit: u64,
    /// Whether somebody waits for the answer.
    is_over: &'a dyn Fn() -> bool,
    /// Whether the search ended before it had tried everything.
    pub stopped: bool,
}

impl<'a> Prover<'a> {
    /// A search of at most so many positions that asks now and then whether it must end.
    pub fn new(limit: u64, is_over: &'a dyn Fn() -> bool) -> Prover<'a> {
        Prover { table: Map::default(), attack: Attack::default(), nodes: 0, limit, is_over, stopped: false }
    }

    /// How the side to move wins by threats of which at most `singles` are single.
    pub fn prove(&mut self, board: &mut SixBoard, singles: u32) -> Option<Plan> {
        if board.left == 1 {
            return self.half(board);
        }
        self.doubles(board).or_else(|| (1..=singles).find_map(|singles| self.singles(board, singles)))
    }

    /// How the side to move wins with the second stone of its turn.
    fn half(&mut self, board: &mut SixBoard) -> Option<Plan> {
        let me = board.turn;
        if let Some(&window) = board.threats(me).iter().find(|&&window| board.count(window, me) == 5) {
            return Some(Plan { turn: board.gaps(window).collect(), then: Then::Won });
        }
        half_turns(board).into_iter().find_map(|stone| {
            board.play(stone);
            let hits = Defence::against(board, me);
            let then = match hits.needed {
                _ if !board.threats(me ^ 1).is_empty() => None,
                2 => self.by_answer(board, &hits, &mut |prover, board| prover.doubles(board)),
                3 => Some(Then::Won),
                _ => None,
            };
            board.undo(stone);
            then.map(|then| Plan { turn: [stone].into_iter().collect(), then })
        })
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
        self.line(board, 4000).or_else(|| {
            let found = self.attacker(board, Numbers::UNLIMITED, TURNS);
            (found.proof == 0).then(|| self.plan(board, TURNS)).flatten()
        })
    }

    /// How it wins by one line of double threats that holds against every answer.
    fn line(&mut self, board: &mut SixBoard, stones: u32) -> Option<Plan> {
        let found = self.attack.win(board, TURNS, stones);
        self.nodes += u64::from(self.attack.stones / 4);
        found.and_then(|_| Plan::of_line(&self.attack, board))
    }

    /// How the side to move wins when the first of so many single threats is made now.
    fn singles(&mut self, board: &mut SixBoard, singles: u32) -> Option<Plan> {
        let me = board.turn;
        if !board.threats(me ^ 1).is_empty() {
            return None;
        }
        single_turns(board).into_iter().find_map(|turn| {
            if self.is_late() {
                return None;
            }
            turn.iter().for_each(|&stone| board.play(stone));
            let hits = Defence::against(board, me);
            let quiet = board.threats(me ^ 1).is_empty() && hits.needed == 1;
            let then = if quiet { self.free(board, &hits, singles) } else { None };
            turn.iter().rev().for_each(|&stone| board.undo(stone));
            then.map(|then| Plan { turn: turn.into_iter().collect(), then })
        })
    }

    /// How the attack goes on after every answer to a single threat.
    fn free(&mut self, board: &mut SixBoard, hits: &Defence, singles: u32) -> Option<Then> {
        let defender = board.turn;
        let cells = hits.cells();
        cells.iter().for_each(|&place| board.put(place, defender));
        board.pass();
        let then = self.whatever(board, singles);
        board.pass();
        cells.iter().rev().for_each(|&place| board.take(place, defender));
        then
    }

    /// How the attack goes on without a free stone of the defender, and with one on each cell that matters.
    fn whatever(&mut self, board: &mut SixBoard, singles: u32) -> Option<Then> {
        let plan = self.quickly(board, singles - 1)?;
        let mut but = Vec::new();
        for stone in zone(board, &plan) {
            if self.is_late() {
                return None;
            }
            let defender = board.turn ^ 1;
            board.put(stone, defender);
            let plan = self.quickly(board, singles - 1);
            board.take(stone, defender);
            but.push((stone, plan?));
        }
        Some(Then::Free(Box::new(plan), but))
    }

    /// A win that is found soon, if there is one.
    fn quickly(&mut self, board: &mut SixBoard, singles: u32) -> Option<Plan> {
        let plan = self.line(board, 1500);
        plan.or_else(|| (singles > 0).then(|| self.singles(board, singles)).flatten())
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
        child.settled.unwrap_or_else(|| self.known(child.key))
    }

    fn known(&self, key: u64) -> Numbers {
        self.table.get(&key).copied().unwrap_or(Numbers::UNKNOWN)
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
