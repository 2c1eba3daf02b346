//! `greedy`: one stone at a time by counting stones in windows. It takes a win, blocks a loss, otherwise extends
//! its own lines and hinders the other's. Every game, no search: the sparring partner of all tests.

use lianzi_core::{Cell, DIRECTIONS, Outcome, Placement, Position, Random, Rules, Stone};

use crate::random::fill_turn;
use crate::{Best, Engine, Info, Limits, Line, Report, Stop};

/// The one-ply player.
#[derive(Clone, Debug)]
pub struct Greedy {
    random: Random,
    /// The windows of the board it last played on.
    board: Option<(Rules, Vec<Vec<Cell>>)>,
}

/// What one window holds, seen from one side.
struct Window<'a> {
    cells: &'a [Cell],
    own: u8,
    other: u8,
}

impl Greedy {
    /// A player that breaks ties by this seed.
    pub fn new(seed: u64) -> Greedy {
        Greedy { random: Random::new(seed), board: None }
    }

    /// The best stone and what it is worth.
    fn choose(&mut self, position: &Position) -> (Cell, i64) {
        let ranked = self.rank(position);
        let best = ranked.first().expect("a game that is not over has a legal cell").1;
        let ties: Vec<Cell> =
            ranked.into_iter().take_while(|(_, value)| *value == best).map(|(cell, _)| cell).collect();
        (*self.random.choose(&ties).expect("the best value belongs to a cell"), best)
    }

    /// All legal stones with what they are worth, best first; a winning one alone, for nothing compares with it.
    fn rank(&mut self, position: &Position) -> Vec<(Cell, i64)> {
        let rules = *position.rules();
        let board = self.board.take().filter(|(known, _)| *known == rules);
        let (_, windows) = self.board.insert(board.unwrap_or_else(|| (rules, rules.windows())));
        let counted = count(position, windows);
        if let Some(cell) = winning_cell(position, &counted) {
            return vec![(cell, i64::MAX)];
        }
        let values = values(position, &counted);
        let value = |cell: Cell| (cell, values[cell.index()] - poison(position, cell));
        let mut ranked: Vec<(Cell, i64)> = position.legal().map(value).collect();
        ranked.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
        ranked
    }

    /// The turn that begins with this stone, and what it is worth.
    fn line(&mut self, position: &Position, (first, value): (Cell, i64)) -> Line {
        let mut begun = false;
        let cells = fill_turn(position, |position| match std::mem::replace(&mut begun, true) {
            false => first,
            true => self.choose(position).0,
        });
        let mut after = position.clone();
        let won = cells.iter().all(|&cell| after.play(cell).is_ok())
            && after.outcome() == Some(Outcome::Win(position.to_move()));
        let score = value.clamp(-30_000, 30_000) as i32;
        Line { score, win_in: won.then_some(cells.len() as i32), cells }
    }
}

impl Engine for Greedy {
    fn begin(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    fn search(&mut self, position: &Position, limits: &Limits, _: &Stop, report: Report<'_>) -> Best {
        let first = self.choose(position);
        let mut lines = vec![self.line(position, first)];
        let turn = lines[0].cells.clone();
        if limits.lines > 1 {
            let others = self.rank(position).into_iter().filter(|(cell, _)| *cell != first.0);
            lines.extend(others.take(limits.lines - 1).map(|other| self.line(position, other)).collect::<Vec<_>>());
        }
        let info = Info { depth: 1, nodes: turn.len() as u64, lines };
        report(&info);
        Best { turn, info }
    }
}

/// The windows that one side alone has stones in, seen from the side to move.
fn count<'a>(position: &Position, windows: &'a [Vec<Cell>]) -> Vec<Window<'a>> {
    let me = position.to_move();
    let held = |cells: &[Cell], stone| cells.iter().filter(|&&c| position.stone(c) == Some(stone)).count() as u8;
    let all = windows.iter().map(|cells| Window { cells, own: held(cells, me), other: held(cells, me.other()) });
    let open = all.filter(|window| window.own == 0 || window.other == 0);
    open.filter(|window| !(overlong(position, window, me) || overlong(position, window, me.other()))).collect()
}

/// Whether a stone of this side right beside the window would make too long a row of it.
fn overlong(position: &Position, window: &Window<'_>, stone: Stone) -> bool {
    let rules = position.rules();
    if rules.wins(stone, rules.line + 1) || window.cells.len() < 2 {
        return false;
    }
    let direction = DIRECTIONS.into_iter().find(|&d| window.cells[0].step(d, 1) == Some(window.cells[1]));
    let beside = |n: i8| direction.and_then(|d| window.cells[0].step(d, n));
    [-1, rules.line as i8].into_iter().filter_map(beside).any(|cell| position.stone(cell) == Some(stone))
}

/// The next stone of a win within this turn.
fn winning_cell(position: &Position, windows: &[Window<'_>]) -> Option<Cell> {
    let (line, left) = (position.rules().line, position.stones_left());
    windows.iter().filter(|window| window.other == 0 && window.own + left >= line).find_map(|window| {
        let mut missing: Vec<Cell> = window.cells.iter().copied().filter(|&c| position.stone(c).is_none()).collect();
        // Where stones drop, a lower cell must be filled first.
        missing.sort_by_key(|cell| cell.row);
        let mut after = position.clone();
        let complete = missing.iter().all(|&cell| after.play(cell).is_ok() || after.outcome().is_some());
        let won = complete && after.outcome() == Some(Outcome::Win(position.to_move()));
        won.then(|| missing.first().copied()).flatten()
    })
}

/// What a stone on each cell is worth: the windows it lengthens and the ones it spoils.
fn values(position: &Position, windows: &[Window<'_>]) -> Vec<i64> {
    let mut values = vec![0; lianzi_core::MAX_CELLS];
    for window in windows {
        let worth = worth(position, window);
        for cell in window.cells {
            values[cell.index()] += worth;
        }
    }
    values
}

/// A loss to be blocked outweighs everything else, whatever its number of windows.
const BLOCK: i64 = 1 << 40;

fn worth(position: &Position, window: &Window<'_>) -> i64 {
    // Each further stone is worth more than all windows through a cell with one stone less.
    let power = |stones: u8| 1i64 << (4 * stones.min(8));
    if window.other == 0 {
        return 2 * power(window.own);
    }
    let rules = position.rules();
    if window.other + rules.per_turn >= rules.line && reachable(position, window) {
        return BLOCK;
    }
    power(window.other)
}

/// Whether the other side could fill what is missing in its next turn.
fn reachable(position: &Position, window: &Window<'_>) -> bool {
    let mut missing = window.cells.iter().filter(|&&cell| position.stone(cell).is_none());
    let rules = position.rules();
    match rules.placement {
        Placement::Anywhere => true,
        // With several stones a turn one may support another; taking the window seriously is the safe error.
        Placement::Drop => rules.per_turn > 1 || missing.all(|&cell| position.landing(cell.column) == Some(cell)),
    }
}

/// Where stones drop: what it costs to give the other side the cell above, when that wins.
fn poison(position: &Position, cell: Cell) -> i64 {
    let other: Stone = position.to_move().other();
    let drops = position.rules().placement == Placement::Drop;
    let above = (cell.row + 1..position.rules().height)
        .map(|row| Cell::new(cell.column, row))
        .find(|&above| !position.rules().blocked.contains(above));
    match above {
        Some(above) if drops && position.wins_at(above, other) => BLOCK / 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(game: &str, moves: &str) -> Vec<String> {
        let mut position = Position::new(game.parse().unwrap());
        for name in moves.split_whitespace() {
            let cell = position.read_cell(name).unwrap();
            position.play(cell).unwrap();
        }
        let best = Greedy::new(1).search(&position, &Limits::default(), &Stop::default(), &mut |_| {});
        best.turn.iter().map(Cell::to_string).collect()
    }

    #[test]
    fn takes_a_win() {
        assert_eq!(answer("gomoku", "h8 a1 i8 a2 j8 b7 k8 a4 g1 a3"), ["g8"]);
        assert_eq!(answer("connect4", "a b a b a b"), ["a4"]);
        assert_eq!(answer("connect6", "j10 a1 a3 k10 l10 a5 a7 m10 b2 q1 q3"), ["h10", "i10"]);
        // A win by the first stone of the turn needs no second.
        assert_eq!(answer("connect6", "j10 a1 a3 k10 l10 a5 a7 m10 n10 i10 q3"), ["o10"]);
    }

    #[test]
    fn blocks_a_loss() {
        assert_eq!(answer("gomoku", "h8 a1 i8 h9 j8 a9 k8 g8"), ["l8"]);
        assert_eq!(answer("connect4", "a b a b a"), ["a4"]);
        // Four in a row threaten h–m, i–n and j–o: two stones must hit all three.
        let turn = answer("connect6", "j10 a1 a3 k10 l10 a5 a7 m10 b2");
        let hit = |window: [&str; 2]| turn.iter().any(|cell| window.contains(&cell.as_str()));
        assert!(hit(["h10", "i10"]) && hit(["i10", "n10"]) && hit(["n10", "o10"]), "{turn:?}");
    }

    #[test]
    fn exactly_five_is_not_taken_for_more() {
        // d1 makes six, which counts only in free style.
        let turn = answer("standard", "a1 a9 b1 b9 c1 c9 e1 e8 f1 g9");
        assert_ne!(turn, ["d1"]);
        assert_eq!(answer("gomoku", "a1 a9 b1 b9 c1 c9 e1 e8 f1 g9"), ["d1"]);
    }

    #[test]
    fn does_not_give_the_cell_under_a_four() {
        // White has b2 c2 d2; a1 and e1 are free, so a stone there lets White complete the row above it.
        let turn = answer("connect4", "b b c c f d d d");
        assert!(!["a1", "e1"].contains(&turn[0].as_str()), "{turn:?}");
    }
}
