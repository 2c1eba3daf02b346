//! Replays a plan against every defence, with the referee's board and nothing of the prover's.

use lianzi_core::{Cell, Outcome, Position, Stone};

use super::plan::Plan;
use super::shape::Shape;

/// Whether the plan of the side to move wins whatever the other side answers; nothing if it was asked to end before.
pub fn holds(
    position: &Position,
    shape: &Shape,
    plan: &Plan,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<bool> {
    let mut check = Check::new(position, shape, is_over);
    let holds = check.holds(position.to_move(), plan);
    (!check.late).then_some(holds)
}

struct Check<'a> {
    position: Position,
    shape: &'a Shape,
    windows: Vec<Vec<Cell>>,
    is_over: &'a mut dyn FnMut() -> bool,
    late: bool,
}

impl<'a> Check<'a> {
    fn new(position: &Position, shape: &'a Shape, is_over: &'a mut dyn FnMut() -> bool) -> Check<'a> {
        let windows = position.rules().windows();
        Check { position: position.clone(), shape, windows, is_over, late: false }
    }

    fn holds(&mut self, attacker: Stone, plan: &Plan) -> bool {
        self.late |= (self.is_over)();
        if self.late {
            return false;
        }
        let cells: Vec<Cell> = plan.turn.iter().map(|&stone| self.shape.cell(stone)).collect();
        let played = cells.iter().take_while(|&&cell| self.position.play(cell).is_ok()).count();
        let won = self.position.outcome() == Some(Outcome::Win(attacker));
        let holds = played == cells.len() && (won || self.answers(attacker, plan));
        self.take_back(played);
        holds
    }

    fn take_back(&mut self, stones: usize) {
        for _ in 0..stones {
            self.position.undo();
        }
    }

    /// Whether the plan goes on after every answer. The side that answers must not have six itself.
    fn answers(&mut self, attacker: Stone, plan: &Plan) -> bool {
        let defender = attacker.other();
        if self.position.to_move() != defender || !self.threats(defender).is_empty() {
            return false;
        }
        let threats = self.threats(attacker);
        let Some(first) = threats.first() else { return false };
        let empty: Vec<Cell> = self.position.empty_cells().collect();
        for &hit in first {
            for &other in empty.iter().filter(|&&other| other != hit) {
                let hits = |gaps: &Vec<Cell>| gaps.contains(&hit) || gaps.contains(&other);
                if threats.iter().all(hits) && !self.goes_on(attacker, plan, [hit, other]) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the plan wins after this answer.
    fn goes_on(&mut self, attacker: Stone, plan: &Plan, answer: [Cell; 2]) -> bool {
        let Some(next) = plan.next(&answer.map(|cell| self.shape.place(cell))) else { return false };
        let played = answer.iter().take_while(|&&cell| self.position.play(cell).is_ok()).count();
        let holds = self.position.outcome().is_none() && self.holds(attacker, next);
        self.take_back(played);
        holds
    }

    /// The gaps of every window in which a side has at least four stones and the other none.
    fn threats(&self, side: Stone) -> Vec<Vec<Cell>> {
        let gaps = |window: &Vec<Cell>| {
            let own = window.iter().filter(|&&cell| self.position.stone(cell) == Some(side)).count();
            let gaps: Vec<Cell> =
                window.iter().copied().filter(|&cell| self.position.stone(cell).is_none()).collect();
            (own >= 4 && own + gaps.len() == 6).then_some(gaps)
        };
        self.windows.iter().filter_map(gaps).collect()
    }
}

/// Whether the side to move wins by double threats in at most so many turns: every such turn and every answer is
/// tried. Slow, and written without the prover's parts, to judge them.
pub fn exhaustive(position: &Position, turns: u32) -> bool {
    let shape = Shape::new(position.rules());
    Check::new(position, &shape, &mut || false).exhausts(turns)
}

impl Check<'_> {
    fn exhausts(&mut self, turns: u32) -> bool {
        let me = self.position.to_move();
        if !self.threats(me).is_empty() {
            return true;
        }
        if turns <= 1 {
            return false;
        }
        let near = self.near(me);
        for (n, &first) in near.iter().enumerate() {
            for &second in &near[n + 1..] {
                let turn = [first, second];
                let played = turn.iter().take_while(|&&cell| self.position.play(cell).is_ok()).count();
                let wins = played == 2 && self.survives(me, turns);
                self.take_back(played);
                if wins {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the threats that stand need two stones at least, and the attack goes on after every answer.
    fn survives(&mut self, attacker: Stone, turns: u32) -> bool {
        let threats = self.threats(attacker);
        let common = |cell: &Cell| threats.iter().all(|gaps| gaps.contains(cell));
        if threats.is_empty() || threats[0].iter().any(common) || !self.threats(attacker.other()).is_empty() {
            return false;
        }
        let mut cells: Vec<Cell> = threats.iter().flatten().copied().collect();
        cells.sort_unstable();
        cells.dedup();
        for (n, &one) in cells.iter().enumerate() {
            for &two in &cells[n + 1..] {
                if threats.iter().all(|gaps| gaps.contains(&one) || gaps.contains(&two)) {
                    let played =
                        [one, two].iter().take_while(|&&cell| self.position.play(cell).is_ok()).count();
                    let wins = self.position.outcome().is_none() && self.exhausts(turns - 1);
                    self.take_back(played);
                    if !wins {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The empty cells of windows in which a side has two stones or more and the other none, and those that hit.
    fn near(&self, side: Stone) -> Vec<Cell> {
        let other = side.other();
        let mut cells = Vec::new();
        for window in &self.windows {
            let count =
                |stone| window.iter().filter(|&&cell| self.position.stone(cell) == Some(stone)).count();
            if count(side) >= 2 && count(other) == 0 || count(other) >= 4 && count(side) == 0 {
                cells.extend(window.iter().copied().filter(|&cell| self.position.stone(cell).is_none()));
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}
