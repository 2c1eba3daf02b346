//! What a plan depends on: a stone of the defender anywhere else changes nothing.

use super::board::SixBoard;
use super::defence::Defence;
use super::plan::{Plan, Then};
use super::shape::Place;

/// Every empty cell on which a stone of the defender could spoil the plan: the plan's own stones, the gaps of every
/// threat it relies on, the answers to them, and the gaps of windows in which one more stone of the defender would be
/// a threat of its own, which is where it has `least` already. What the plan needs first comes first.
pub(super) fn zone(board: &mut SixBoard, plan: &Plan, least: u8) -> Vec<Place> {
    let mut walk = Walk { zone: Vec::new(), least };
    walk.plan(board, plan);
    let mut seen = vec![false; board.shape.cells];
    let mut zone = walk.zone;
    zone.retain(|&place| board.is_empty(place) && !std::mem::replace(&mut seen[usize::from(place)], true));
    zone
}

struct Walk {
    zone: Vec<Place>,
    least: u8,
}

impl Walk {
    fn plan(&mut self, board: &mut SixBoard, plan: &Plan) {
        let me = board.turn;
        self.zone.extend(&plan.turn);
        plan.turn.iter().for_each(|&stone| board.put(stone, me));
        for &window in board.threats(me) {
            self.zone.extend(board.gaps(window));
        }
        self.then(board, &plan.then);
        plan.turn.iter().rev().for_each(|&stone| board.take(stone, me));
        self.zone.extend(counters(board, me ^ 1, self.least));
    }

    fn then(&mut self, board: &mut SixBoard, then: &Then) {
        let me = board.turn;
        match then {
            Then::Won => {}
            Then::Same(next) => {
                let cells = Defence::against(board, me).cells();
                with(board, &cells, |board| self.plan(board, next));
            }
            Then::By(plans) => {
                for (answer, next) in plans {
                    with(board, answer, |board| self.plan(board, next));
                }
            }
            Then::Free(next, but) => {
                let cells = Defence::against(board, me).cells();
                with(board, &cells, |board| {
                    self.plan(board, next);
                    for (stone, next) in but {
                        self.zone.push(*stone);
                        with(board, &[*stone], |board| self.plan(board, next));
                    }
                });
            }
            Then::Quiet(next, but) => {
                self.plan(board, next);
                for (stone, then) in but {
                    self.zone.push(*stone);
                    with(board, &[*stone], |board| self.then(board, then));
                }
            }
        }
    }
}

/// Does something with stones of the defender added.
fn with(board: &mut SixBoard, stones: &[Place], act: impl FnOnce(&mut SixBoard)) {
    let defender = board.turn ^ 1;
    stones.iter().for_each(|&stone| board.put(stone, defender));
    act(board);
    stones.iter().rev().for_each(|&stone| board.take(stone, defender));
}

/// The gaps of the windows in which the defender has so many stones or more and the attacker none.
fn counters(board: &SixBoard, defender: usize, least: u8) -> Vec<Place> {
    let near = |&window: &u16| board.holds_alone(window, defender, least);
    let windows = (0..board.shape.windows.len() as u16).filter(near);
    windows.flat_map(|window| board.gaps(window).collect::<Vec<_>>()).collect()
}
