//! What a plan depends on: a stone of the defender anywhere else changes nothing.

use super::board::SixBoard;
use super::defence::Defence;
use super::plan::{Plan, Then};
use super::shape::Place;

/// Every empty cell on which a stone of the defender could spoil the plan: the plan's own stones, the gaps of every
/// threat it relies on, the answers to them, and the gaps of windows in which one more stone of the defender would be
/// a threat of its own.
pub fn zone(board: &mut SixBoard, plan: &Plan) -> Vec<Place> {
    let mut zone = Vec::new();
    walk(board, plan, &mut zone);
    zone.sort_unstable();
    zone.dedup();
    zone.retain(|&place| board.is_empty(place));
    zone
}

fn walk(board: &mut SixBoard, plan: &Plan, zone: &mut Vec<Place>) {
    let me = board.turn;
    zone.extend(counters(board, me ^ 1));
    zone.extend(&plan.turn);
    plan.turn.iter().for_each(|&stone| board.put(stone, me));
    for &window in board.threats(me) {
        zone.extend(board.gaps(window));
    }
    match &plan.then {
        Then::Won => {}
        Then::Same(next) => {
            let cells = Defence::against(board, me).cells();
            with(board, &cells, |board| walk(board, next, zone));
        }
        Then::By(plans) => {
            for (answer, next) in plans {
                with(board, answer, |board| walk(board, next, zone));
            }
        }
        Then::Free(next, but) => {
            let cells = Defence::against(board, me).cells();
            with(board, &cells, |board| {
                walk(board, next, zone);
                for (stone, next) in but {
                    zone.push(*stone);
                    with(board, &[*stone], |board| walk(board, next, zone));
                }
            });
        }
    }
    plan.turn.iter().rev().for_each(|&stone| board.take(stone, me));
}

/// Does something with stones of the defender added.
fn with(board: &mut SixBoard, stones: &[Place], act: impl FnOnce(&mut SixBoard)) {
    let defender = board.turn ^ 1;
    stones.iter().for_each(|&stone| board.put(stone, defender));
    act(board);
    stones.iter().rev().for_each(|&stone| board.take(stone, defender));
}

/// The gaps of the windows in which the defender has three stones or more and the attacker none.
fn counters(board: &SixBoard, defender: usize) -> Vec<Place> {
    let near = |&window: &u16| board.holds_alone(window, defender, 3);
    let windows = (0..board.shape.windows.len() as u16).filter(near);
    windows.flat_map(|window| board.gaps(window).collect::<Vec<_>>()).collect()
}
