//! A forced win as a plan: a turn, and how to go on after every answer.

use arrayvec::ArrayVec;

use super::attack::Attack;
use super::board::SixBoard;
use super::defence::Defence;
use super::shape::Place;

/// A turn of the attacker and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The stones, one where a single one makes six.
    pub turn: ArrayVec<Place, 2>,
    /// How it goes on.
    pub then: Then,
}

/// How an attack goes on after a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// Six, or threats that no answer hits: one of them is completed next.
    Won,
    /// The same way, whichever answer hits the threats.
    Same(Box<Plan>),
    /// By the answer.
    By(Vec<([Place; 2], Plan)>),
    /// A single threat leaves the defender a free stone: the same way, unless it lies on one of these.
    Free(Box<Plan>, Vec<(Place, Plan)>),
    /// A quiet turn leaves it two: the same way, unless one lies on one of these; how it goes on then.
    Quiet(Box<Plan>, Vec<(Place, Then)>),
}

impl Then {
    /// How to go on after an answer; nothing if what stands is to be completed.
    fn next(&self, answer: &[Place]) -> Option<&Plan> {
        match self {
            Then::Won => None,
            Then::Same(plan) => Some(plan),
            Then::By(plans) => {
                let same = |pair: &[Place; 2]| answer.iter().all(|stone| pair.contains(stone));
                plans.iter().find(|(pair, _)| same(pair)).map(|(_, plan)| plan)
            }
            Then::Free(plan, but) => {
                let special = but.iter().find(|(stone, _)| answer.contains(stone));
                Some(special.map_or(&**plan, |(_, plan)| plan))
            }
            Then::Quiet(plan, but) => match but.iter().find(|(stone, _)| answer.contains(stone)) {
                Some((_, then)) => then.next(answer),
                None => Some(plan),
            },
        }
    }
}

impl Plan {
    /// The plan of an attack's line, which holds against every answer.
    pub(crate) fn of_line(attack: &Attack, board: &SixBoard) -> Option<Plan> {
        let mut plan: Option<Plan> = None;
        for turn in &attack.line {
            let mut stones: ArrayVec<Place, 2> = turn.iter().copied().collect();
            if stones[0] == stones[1] {
                stones.pop();
            }
            let then = plan.map_or(Then::Won, |plan| Then::Same(Box::new(plan)));
            plan = Some(Plan { turn: stones, then });
        }
        debug_assert!(plan.iter().all(|plan| plan.turn.iter().all(|&stone| board.is_empty(stone))));
        plan
    }

    /// One way it can go, to the last stone: the defender takes the first answer it has.
    pub(crate) fn line(&self, board: &SixBoard) -> Vec<Place> {
        let mut board = board.clone();
        let mut line = Vec::new();
        let (me, mut plan) = (board.turn, self);
        loop {
            for &stone in &plan.turn {
                line.push(stone);
                board.play(stone);
            }
            if board.threats(me).iter().any(|&window| board.count(window, me) == 6) {
                return line;
            }
            let answer = answer(&board, me);
            for &stone in &answer {
                line.push(stone);
                board.play(stone);
            }
            // A plan made against all answers at once may have more threats against one of them than it counts on.
            plan = match plan.next(&answer) {
                Some(next) if board.threats(me).is_empty() => next,
                _ => return complete(&board, line),
            };
        }
    }

    /// How to go on after an answer; nothing if what stands is to be completed.
    pub(crate) fn next(&self, answer: &[Place]) -> Option<&Plan> {
        self.then.next(answer)
    }
}

/// The first answer to the threats of a side: two stones that hit as much as can be hit.
fn answer(board: &SixBoard, attacker: usize) -> ArrayVec<Place, 2> {
    let hits = Defence::against(board, attacker);
    let mut answer: ArrayVec<Place, 2> = match hits.needed {
        2 => hits.pairs[0].into_iter().collect(),
        1 => hits.singles[..1].iter().copied().collect(),
        _ => board.threats(attacker).iter().flat_map(|&window| board.gaps(window)).take(1).collect(),
    };
    let best = super::search::ranked(board, 3, |_| true);
    let free: ArrayVec<Place, 3> = best.into_iter().filter(|place| !answer.contains(place)).collect();
    answer.extend(free.into_iter().take(answer.remaining_capacity()));
    answer
}

/// The line with the stones that complete a window of the side to move.
fn complete(board: &SixBoard, mut line: Vec<Place>) -> Vec<Place> {
    let me = board.turn;
    let nearest = board.threats(me).iter().max_by_key(|&&window| board.count(window, me));
    line.extend(nearest.into_iter().flat_map(|&window| board.gaps(window)));
    line
}
