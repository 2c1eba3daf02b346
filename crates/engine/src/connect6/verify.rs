//! Replays a plan against every defence, with the referee's board and nothing of the prover's.

use arrayvec::ArrayVec;
use lianzi_core::{Cell, Outcome, Position, Rules, Stone};

use super::plan::Plan;
use super::shape::Shape;

/// Whether the plan of the side to move wins whatever the other side answers; nothing if it was asked to end before.
pub(crate) fn holds(
    position: &Position,
    shape: &Shape,
    plan: &Plan,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<bool> {
    let mut check = Check::new(position, shape, is_over);
    let holds = check.holds(position.to_move(), plan);
    (!check.late).then_some(holds)
}

/// Whether the side that is not to move wins as the plan says, which has no turn of its own, whatever is answered.
pub(crate) fn loses(
    position: &Position,
    shape: &Shape,
    plan: &Plan,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<bool> {
    let mut check = Check::new(position, shape, is_over);
    let loses = check.answers(position.to_move().other(), plan);
    (!check.late).then_some(loses)
}

/// The empty cells of a threat.
type Gaps = ArrayVec<Cell, 2>;

/// Every window of the rules with both sides' stones in it, counted from the plies alone.
struct Windows {
    rules: Rules,
    cells: Vec<Vec<Cell>>,
    of_cell: Vec<Vec<usize>>,
    counts: Vec<[u8; 2]>,
    /// The windows in which each side has at least four stones and the other none.
    threats: [Vec<usize>; 2],
}

impl Windows {
    fn new(position: &Position) -> Windows {
        let rules = *position.rules();
        let cells = rules.windows();
        let counts = vec![[0; 2]; cells.len()];
        let of_cell = vec![Vec::new(); rules.cells().count()];
        let mut windows = Windows { rules, cells, of_cell, counts, threats: Default::default() };
        for (n, window) in windows.cells.iter().enumerate() {
            window.iter().for_each(|&cell| windows.of_cell[number(&rules, cell)].push(n));
        }
        for cell in rules.cells() {
            if let Some(stone) = position.stone(cell) {
                windows.add(cell, stone, 1);
            }
        }
        windows
    }

    /// Counts a stone, or with 255, which is −1 here, forgets it.
    fn add(&mut self, cell: Cell, stone: Stone, step: u8) {
        for &window in &self.of_cell[number(&self.rules, cell)] {
            let before = self.counts[window];
            let count = &mut self.counts[window][stone.index()];
            *count = count.wrapping_add(step);
            let after = self.counts[window];
            for (side, threats) in self.threats.iter_mut().enumerate() {
                match (threatens(before, side), threatens(after, side)) {
                    (false, true) => threats.push(window),
                    (true, false) => threats.retain(|&other| other != window),
                    _ => {}
                }
            }
        }
    }

    /// The windows with so many stones of a side at least and none of the other's.
    #[cfg(test)]
    fn held(&self, side: Stone, least: u8) -> impl Iterator<Item = &Vec<Cell>> {
        let (own, other) = (side.index(), side.other().index());
        let windows = self.counts.iter().zip(&self.cells);
        windows.filter(move |(count, _)| count[own] >= least && count[other] == 0).map(|(_, cells)| cells)
    }
}

fn threatens(count: [u8; 2], side: usize) -> bool {
    count[side] >= 4 && count[side ^ 1] == 0
}

fn number(rules: &Rules, cell: Cell) -> usize {
    usize::from(cell.row) * usize::from(rules.width) + usize::from(cell.column)
}

struct Check<'a> {
    position: Position,
    shape: &'a Shape,
    windows: Windows,
    is_over: &'a mut dyn FnMut() -> bool,
    late: bool,
}

impl<'a> Check<'a> {
    fn new(position: &Position, shape: &'a Shape, is_over: &'a mut dyn FnMut() -> bool) -> Check<'a> {
        let windows = Windows::new(position);
        Check { position: position.clone(), shape, windows, is_over, late: false }
    }

    /// Plays as many of these stones as are legal and says how many.
    fn play(&mut self, cells: &[Cell]) -> usize {
        for (n, &cell) in cells.iter().enumerate() {
            let stone = self.position.to_move();
            if self.position.play(cell).is_err() {
                return n;
            }
            self.windows.add(cell, stone, 1);
        }
        cells.len()
    }

    fn take_back(&mut self, stones: usize) {
        for _ in 0..stones {
            let last = self.position.plies().last().copied();
            if let Some(ply) = last {
                self.windows.add(ply.cell, ply.stone, u8::MAX);
            }
            self.position.undo();
        }
    }

    fn holds(&mut self, attacker: Stone, plan: &Plan) -> bool {
        self.late |= (self.is_over)();
        if self.late {
            return false;
        }
        let cells: ArrayVec<Cell, 2> = plan.turn.iter().map(|&stone| self.shape.cell(stone)).collect();
        let played = self.play(&cells);
        let won = self.position.outcome() == Some(Outcome::Win(attacker));
        let holds = played == cells.len() && (won || self.answers(attacker, plan));
        self.take_back(played);
        holds
    }

    /// Whether the plan goes on after every answer. The side that answers must not have six itself.
    fn answers(&mut self, attacker: Stone, plan: &Plan) -> bool {
        let defender = attacker.other();
        if self.position.to_move() != defender || !self.threats(defender).is_empty() {
            return false;
        }
        let threats = self.threats(attacker);
        let Some(first) = threats.first() else { return self.any_two(attacker, plan) };
        for &hit in first {
            // Whatever the first stone leaves, the second must hit; if nothing is left, it may lie anywhere.
            let missed = threats.iter().find(|gaps| !gaps.contains(&hit));
            let others = missed.map_or_else(|| self.position.empty_cells().collect(), |gaps| gaps.to_vec());
            for other in others.into_iter().filter(|&other| other != hit) {
                let hits = |gaps: &Gaps| gaps.contains(&hit) || gaps.contains(&other);
                if threats.iter().all(hits) && !self.goes_on(attacker, plan, [hit, other]) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the plan goes on after any two stones.
    fn any_two(&mut self, attacker: Stone, plan: &Plan) -> bool {
        let empty: Vec<Cell> = self.position.empty_cells().collect();
        let pairs = empty.iter().enumerate().flat_map(|(n, &one)| empty[n + 1..].iter().map(move |&two| [one, two]));
        pairs.into_iter().all(|answer| self.goes_on(attacker, plan, answer))
    }

    /// Whether the plan wins after this answer.
    fn goes_on(&mut self, attacker: Stone, plan: &Plan, answer: [Cell; 2]) -> bool {
        let Some(next) = plan.next(&answer.map(|cell| self.shape.place(cell))) else { return false };
        let played = self.play(&answer);
        let holds = self.position.outcome().is_none() && self.holds(attacker, next);
        self.take_back(played);
        holds
    }

    /// The gaps of every window in which a side has at least four stones and the other none.
    fn threats(&self, side: Stone) -> Vec<Gaps> {
        let threats = self.windows.threats[side.index()].iter();
        threats.map(|&window| self.gaps(&self.windows.cells[window]).collect()).collect()
    }

    fn gaps<'w>(&'w self, window: &'w [Cell]) -> impl Iterator<Item = Cell> + 'w {
        window.iter().copied().filter(|&cell| self.position.stone(cell).is_none())
    }
}

/// Whether the side to move wins by double threats in at most so many turns: every such turn and every answer is
/// tried. Slow, and written without the prover's parts, to judge them.
#[cfg(test)]
pub(crate) fn exhaustive(position: &Position, turns: u32) -> bool {
    let shape = Shape::new(position.rules());
    Check::new(position, &shape, &mut || false).exhausts(turns)
}

#[cfg(test)]
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
                let played = self.play(&turn);
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
                    let played = self.play(&[one, two]);
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
        let windows = self.windows.held(side, 2).chain(self.windows.held(side.other(), 4));
        let mut cells: Vec<Cell> = windows.flat_map(|window| self.gaps(window)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}
