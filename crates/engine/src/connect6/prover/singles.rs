//! Attacks that leave the defender stones to put anywhere.
//!
//! A single threat leaves one: the defender is given all stones that can hit and none elsewhere. If the attacker wins
//! then, only a free stone inside the *zone* of that win, every cell it depends on, can change anything, and each of
//! those is tried. A quiet turn leaves two: each of the zone is tried for the first, and for the second each of the zone
//! of the win that there is then.

use super::super::attack::{Widths, double_turns, quiet_turns, single_turns};
use super::super::board::SixBoard;
use super::super::defence::Defence;
use super::super::plan::{Plan, Then};
use super::super::shape::Place;
use super::super::zone::zone;
use super::{Means, Prover};

/// How many turns are tried at first, and if that came to nothing.
const NARROW: Widths = [12, 8];
const WIDE: Widths = [24, 16];

/// How many stones the quick attack may put, and how many positions the thorough one may look at that comes after it.
const QUICK: u32 = 1500;
const THOROUGH: u64 = 400;

/// How many turns of double threats come before a single one, and how many of them are tried.
const BEFORE: u32 = 2;
const TEMPI: usize = 8;

impl Prover<'_> {
    /// How the side to move wins when double threats alone do not.
    pub(super) fn by_singles(&mut self, board: &mut SixBoard, means: Means) -> Option<Plan> {
        for singles in 1..=means.singles {
            let mut plan = self.singles(board, singles, NARROW);
            plan = plan.or_else(|| self.after_doubles(board, singles, BEFORE));
            plan = plan.or_else(|| self.singles(board, singles, WIDE));
            if plan.is_some() || self.stopped {
                return plan;
            }
            self.looked.singles = singles;
            if singles == 1 && means.quiet {
                let plan = self.quiet(board);
                if plan.is_some() || self.stopped {
                    return plan;
                }
                self.looked.quiet = true;
            }
        }
        None
    }

    /// How the side to move wins when the first of so many single threats is made now.
    fn singles(&mut self, board: &mut SixBoard, singles: u32, widths: Widths) -> Option<Plan> {
        let key = board.key();
        let effort = singles * 64 + widths[0] as u32;
        if self.vain.get(&key).is_some_and(|&vain| vain >= effort) {
            return None;
        }
        let plan = single_turns(board, widths).into_iter().find_map(|turn| {
            if self.is_late() {
                return None;
            }
            self.nodes += 1;
            self.with_turn(board, turn, |prover, board| {
                let hits = Defence::against(board, board.turn ^ 1);
                let single = board.threats(board.turn).is_empty() && hits.needed == 1;
                single.then(|| prover.free(board, &hits, singles)).flatten()
            })
        });
        if plan.is_none() && !self.stopped {
            self.vain.insert(key, effort);
        }
        plan
    }

    /// How it wins by a few double threats first, all answers to which are given at once, and then a single one.
    fn after_doubles(&mut self, board: &mut SixBoard, singles: u32, turns: u32) -> Option<Plan> {
        double_turns(board).into_iter().take(TEMPI).find_map(|turn| {
            if self.is_late() {
                return None;
            }
            self.nodes += 1;
            self.with_turn(board, turn, |prover, board| {
                let hits = Defence::against(board, board.turn ^ 1);
                let double = board.threats(board.turn).is_empty() && hits.needed == 2;
                let go_on = |prover: &mut Self, board: &mut SixBoard| {
                    let plan = prover.singles(board, singles, NARROW);
                    plan.or_else(|| (turns > 1).then(|| prover.after_doubles(board, singles, turns - 1)).flatten())
                };
                let plan = double.then(|| prover.with_answers(board, &hits, go_on)).flatten();
                plan.map(|plan| Then::Same(Box::new(plan)))
            })
        })
    }

    /// How it wins by a turn that threatens nothing yet, and double threats then.
    fn quiet(&mut self, board: &mut SixBoard) -> Option<Plan> {
        quiet_turns(board).into_iter().find_map(|turn| {
            if self.is_late() {
                return None;
            }
            self.nodes += 1;
            self.with_turn(board, turn, |prover, board| prover.unanswered(board))
        })
    }

    /// How the side that is not to move wins whatever the other one does with its turn.
    pub(crate) fn whatever_is_done(&mut self, board: &mut SixBoard, singles: u32) -> Option<Then> {
        if board.left != 2 {
            return None;
        }
        match Defence::against(board, board.turn ^ 1).needed {
            0 => self.unanswered(board),
            _ => self.answered(board, singles),
        }
    }

    /// How the attack goes on after any two stones of the side to move.
    fn unanswered(&mut self, board: &mut SixBoard) -> Option<Then> {
        if !board.threats(board.turn).is_empty() || !board.threats(board.turn ^ 1).is_empty() {
            return None;
        }
        board.pass();
        let then = self.two_free(board);
        board.pass();
        then
    }

    /// The same, seen by the attacker as if it were to move.
    fn two_free(&mut self, board: &mut SixBoard) -> Option<Then> {
        let plan = self.quickly(board, 0)?;
        let mut but = Vec::new();
        // Two stones make a threat where two stand already.
        for stone in zone(board, &plan, 2) {
            if self.is_late() {
                return None;
            }
            let defender = board.turn ^ 1;
            board.put(stone, defender);
            let then = self.one_free(board, 0);
            board.take(stone, defender);
            but.push((stone, then?));
        }
        Some(Then::Quiet(Box::new(plan), but))
    }

    /// How the attack goes on after every answer to a single threat, the first of so many.
    pub(super) fn free(&mut self, board: &mut SixBoard, hits: &Defence, singles: u32) -> Option<Then> {
        self.with_answers(board, hits, |prover, board| prover.one_free(board, singles - 1))
    }

    /// How the attack goes on without a free stone of the defender, and with one on each cell that matters.
    fn one_free(&mut self, board: &mut SixBoard, singles: u32) -> Option<Then> {
        let plan = self.quickly(board, singles)?;
        let mut but = Vec::new();
        for stone in zone(board, &plan, 3) {
            if self.is_late() {
                return None;
            }
            let defender = board.turn ^ 1;
            board.put(stone, defender);
            let plan = self.thoroughly(board, singles);
            board.take(stone, defender);
            but.push((stone, plan?));
        }
        Some(Then::Free(Box::new(plan), but))
    }

    /// A win that is found soon, if there is one.
    pub(super) fn quickly(&mut self, board: &mut SixBoard, singles: u32) -> Option<Plan> {
        let plan = self.line(board, QUICK);
        plan.or_else(|| (singles > 0).then(|| self.singles(board, singles, NARROW)).flatten())
    }

    /// A win that is found with some patience: nearly everything else wins already.
    fn thoroughly(&mut self, board: &mut SixBoard, singles: u32) -> Option<Plan> {
        let plan = self.line(board, QUICK).or_else(|| self.within(THOROUGH, |prover| prover.by_doubles(board)));
        plan.or_else(|| (singles > 0).then(|| self.singles(board, singles, NARROW)).flatten())
    }

    /// The plan of a turn after which something follows.
    fn with_turn(
        &mut self,
        board: &mut SixBoard,
        turn: [Place; 2],
        then: impl FnOnce(&mut Self, &mut SixBoard) -> Option<Then>,
    ) -> Option<Plan> {
        turn.iter().for_each(|&stone| board.play(stone));
        let then = then(self, board);
        turn.iter().rev().for_each(|&stone| board.undo(stone));
        then.map(|then| Plan { turn: turn.into_iter().collect(), then })
    }

    /// Does something as the attacker with all stones given to the defender that can hit.
    fn with_answers<T>(
        &mut self,
        board: &mut SixBoard,
        hits: &Defence,
        act: impl FnOnce(&mut Self, &mut SixBoard) -> T,
    ) -> T {
        let defender = board.turn;
        let cells = hits.cells();
        cells.iter().for_each(|&place| board.put(place, defender));
        board.pass();
        let found = act(self, board);
        board.pass();
        cells.iter().rev().for_each(|&place| board.take(place, defender));
        found
    }
}
