//! The root of a search: whole turns, best first, each with its score.

use arrayvec::ArrayVec;
use lianzi_core::Cell;

use super::board::SixBoard;
use super::defence::Defence;
use super::search::{BELIEVED, ENDING, PROVEN, WIDEST, WIN, Worker, ranked};
use super::shape::Place;
use super::weights::SCALE;
use crate::chance;
use crate::family::Family;
use crate::table::SharedTable;
use crate::{Info, Line};

/// How many first and second stones are looked at.
const FIRSTS: usize = 24;
const SECONDS: usize = 12;

/// How many turns are added whose stones are good only together, from which step on, and behind how many others:
/// before that there is no time for them.
const TOGETHER: usize = 16;
const LATER: u32 = 4;
const BEHIND: usize = 20;

/// How many turns are searched in each step; the last number holds for all later ones.
const WIDTHS: [usize; 4] = [usize::MAX, 100, 60, 40];

/// With fewer stones than this on the board the next ones lie near them, this near.
const FEW: usize = 6;
const NEAR: u8 = 2;

/// How many stones a line is followed.
const LONGEST: usize = 24;

/// The score of a side that is sure to win, as it is reported.
pub(super) const SURE: i32 = 10_000;

/// The highest score that is reported of an open game: that of a win which is believed and not proven.
pub(super) const OPEN: i32 = 8_900;

/// A turn: one stone or two.
type Stones = ArrayVec<Place, 2>;

#[derive(Clone, Debug)]
struct Turn {
    stones: Stones,
    score: i32,
    /// Whether the other side is known to win after it.
    lost: bool,
}

impl Turn {
    fn new(stones: Stones, score: i32) -> Turn {
        Turn { stones, score, lost: false }
    }
}

/// What to do after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Search deeper.
    Deeper,
    /// Search as deep again: something has changed.
    Again,
    /// Stop.
    Enough,
}

/// The turns of a position.
#[derive(Clone, Debug)]
pub(super) struct Root {
    turns: Vec<Turn>,
    /// Whether these are all turns that do not lose at once.
    complete: bool,
    /// Whether as many turns as can be had were added.
    widened: bool,
    /// The depth of the last finished step, in turns.
    depth: u32,
}

impl Root {
    /// The turns to choose from, each looked at once.
    pub(super) fn new(board: &SixBoard) -> Root {
        let mut board = board.clone();
        let mut turns = match six(&board) {
            Some(stones) => {
                let score = WIN - stones.len() as i32;
                vec![Turn::new(stones, score)]
            }
            None => turns(&mut board, [FIRSTS, SECONDS]),
        };
        turns.sort_by_key(|turn| -turn.score);
        let complete = Defence::against(&board, board.turn ^ 1).needed >= board.left;
        Root { turns, complete, widened: false, depth: 0 }
    }

    /// Searches deeper and deeper, until the pause after a step says that it is enough, or nothing is left to learn.
    pub(super) fn deepen(
        &mut self,
        worker: &mut Worker<'_>,
        from: u32,
        lines: usize,
        pause: &mut dyn FnMut(&mut Root, f64) -> Next,
    ) {
        let lines = lines.max(1).min(self.turns.len());
        let (mut depth, mut changes) = (from, 0.0);
        loop {
            let before = self.turns[0].stones.clone();
            if depth == LATER && depth > self.depth {
                let more = together(&mut worker.board, &self.turns);
                let at = self.turns.len().min(BEHIND);
                self.turns.splice(at..at, more);
            }
            if self.is_settled(lines) || depth > worker.deepest() || !self.step(worker, depth, lines) {
                break;
            }
            // All that was tried loses: perhaps something that looked worse does not.
            let lost = self.turns[0].lost || self.turns[0].score < -PROVEN;
            if lost && self.widen(&worker.board) && !self.step(worker, depth, lines) {
                break;
            }
            self.depth = depth;
            changes = changes / 2.0 + if before == self.turns[0].stones { 0.0 } else { 1.0 };
            match pause(self, 0.8 + 0.6 * changes) {
                Next::Deeper => depth += 1,
                Next::Again => {}
                Next::Enough => break,
            }
        }
    }

    /// Whether every turn seems to lose, though nobody has proven it.
    pub(super) fn seems_lost(&self) -> bool {
        (-PROVEN..-ENDING).contains(&self.turns[0].score)
    }

    /// The stones of the `n`th best turn, if nobody knows yet who wins after it and there is another.
    pub(super) fn open(&self, n: usize) -> Option<&[Place]> {
        let turn = self.turns.get(n).filter(|turn| !turn.lost && turn.score.abs() < ENDING);
        turn.filter(|_| self.turns.len() > 1).map(|turn| &turn.stones[..])
    }

    /// Notes that the other side wins after the `n`th best turn, in so many plies: the turn goes behind all others.
    pub(super) fn refute(&mut self, n: usize, plies: i32) {
        self.turns[n].lost = true;
        self.turns[n].score = plies - BELIEVED;
        self.turns[n..].rotate_left(1);
    }

    /// Adds as many turns as can be had, unless that was done before; whether it did.
    fn widen(&mut self, board: &SixBoard) -> bool {
        let new = !self.complete && !self.widened;
        if new {
            self.widened = true;
            let known = self.turns.clone();
            let met =
                |turn: &Turn| known.iter().any(|other| other.stones.iter().all(|stone| turn.stones.contains(stone)));
            let more = turns(&mut board.clone(), [WIDEST, WIDEST]);
            self.turns.extend(more.into_iter().filter(|turn| !met(turn)));
        }
        new
    }

    /// Whether there is nothing to choose, or it is clear how it ends.
    fn is_settled(&self, lines: usize) -> bool {
        let best = self.turns[0].score;
        lines == 1 && (self.turns.len() == 1 || best > PROVEN || best < -PROVEN && self.depth > 0)
            || self.turns.iter().all(|turn| turn.score.abs() > PROVEN) && self.depth > 0
    }

    /// Searches every turn to a depth; whether that came to an end. If not, what it found first still counts.
    fn step(&mut self, worker: &mut Worker<'_>, depth: u32, lines: usize) -> bool {
        let mut done: Vec<i32> = Vec::new();
        let usual = WIDTHS[WIDTHS.len().min(depth as usize) - 1];
        let width = if self.widened { usize::MAX } else { usual.max(lines) };
        for n in 0..self.turns.len().min(width) {
            let alpha = if n < lines { -WIN } else { done[lines - 1] };
            let turn = &self.turns[n];
            let score = match turn.lost {
                true => turn.score,
                false => worker.turn(&turn.stones, alpha, depth as i32, n, n < lines),
            };
            if worker.stopped {
                break;
            }
            self.turns[n].score = score;
            let at = done.partition_point(|&other| other >= score);
            if n < lines || at < lines {
                done.insert(at, score);
                self.turns[at..=n].rotate_right(1);
            } else {
                done.push(score);
            }
        }
        if depth == 1 && !worker.stopped {
            self.turns.sort_by_key(|turn| -turn.score);
        }
        !worker.stopped
    }

    /// What is known.
    pub(super) fn info(&self, board: &SixBoard, table: &SharedTable, nodes: u64, lines: usize) -> Info {
        let lines = self.turns.iter().take(lines.max(1)).map(|turn| self.line(turn, board, table)).collect();
        Info { depth: self.depth, nodes, lines }
    }

    /// The line that begins with a turn. A loss is proven if this turn loses by force; that the best turn does says
    /// nothing of the position where not all were tried.
    fn line(&self, turn: &Turn, board: &SixBoard, table: &SharedTable) -> Line {
        let win_in = match turn.score {
            score if score > PROVEN => Some(WIN - score),
            score if score < -PROVEN && self.complete => Some(-WIN - score),
            _ => None,
        };
        let score = match win_in {
            Some(plies) => SURE * plies.signum(),
            None => reported(turn.score),
        };
        Line { score, win_in, cells: follow(turn, board, table) }
    }
}

/// What is reported of a score in an open game: the evaluation, or how soon a win is believed to come.
fn reported(score: i32) -> i32 {
    let plies = BELIEVED - score.abs();
    match score.abs() {
        ENDING.. => score.signum() * (OPEN - plies.clamp(0, OPEN - chance::FARTHEST)),
        _ => chance::drawn_in(score * Family::Connect6.points() / SCALE as i32),
    }
}

/// The turn that makes six, if there is one.
fn six(board: &SixBoard) -> Option<Stones> {
    let lack = |window: &&u16| 6 - board.count(**window, board.turn);
    let window = board.threats(board.turn).iter().min_by_key(lack)?;
    (lack(&window) <= board.left).then(|| board.gaps(*window).collect())
}

/// Every turn that hits the other side's threats, or, if nothing or no turn does, the most promising.
fn turns(board: &mut SixBoard, widths: [usize; 2]) -> Vec<Turn> {
    let other = board.turn ^ 1;
    let hits = Defence::against(board, other);
    let lost = hits.needed > board.left;
    let mut turns: Vec<Turn> = Vec::new();
    let firsts: Vec<Place> = match (hits.needed, board.left) {
        (1, 1) => hits.singles.to_vec(),
        (1 | 2, 2) => hits.cells().to_vec(),
        _ => choice(board, widths[0]),
    };
    for first in firsts {
        board.play(first);
        if board.turn == other || board.free == 0 {
            turns.push(Turn::new([first].into_iter().collect(), score(board)));
        } else {
            let hits = Defence::against(board, other);
            let seconds = match hits.needed {
                1 if !lost => hits.singles.to_vec(),
                2.. if !lost => Vec::new(),
                _ => choice(board, widths[1]),
            };
            for second in seconds {
                let stones: Stones = [first, second].into_iter().collect();
                let met = turns.iter().any(|turn| turn.stones[..] == [second, first]);
                if !met {
                    board.play(second);
                    turns.push(Turn::new(stones, score(board)));
                    board.undo(second);
                }
            }
        }
        board.undo(first);
    }
    turns
}

/// The best of the turns that make a threat only together: neither stone need be promising alone.
fn together(board: &mut SixBoard, known: &[Turn]) -> Vec<Turn> {
    let me = board.turn;
    if board.left < 2 || !board.threats(me ^ 1).is_empty() {
        return Vec::new();
    }
    let mut pairs: Vec<[Place; 2]> = Vec::new();
    for window in (0..board.shape.windows.len() as u16).filter(|&window| board.holds_alone(window, me, 2)) {
        let gaps: ArrayVec<Place, 4> = board.gaps(window).collect();
        for (n, &one) in gaps.iter().enumerate() {
            pairs.extend(gaps[n + 1..].iter().map(|&two| [one.min(two), one.max(two)]));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.retain(|pair| !known.iter().any(|turn| pair.iter().all(|stone| turn.stones.contains(stone))));
    let mut turns: Vec<Turn> = Vec::new();
    for pair in pairs {
        pair.iter().for_each(|&stone| board.play(stone));
        turns.push(Turn::new(pair.into_iter().collect(), score(board)));
        pair.iter().rev().for_each(|&stone| board.undo(stone));
    }
    turns.sort_by_key(|turn| -turn.score);
    turns.truncate(TOGETHER);
    turns
}

/// The most promising cells. The evaluation knows lines, not neighbourhoods: a game begins in the centre, and while
/// there are few stones the next lie near them.
fn choice(board: &SixBoard, width: usize) -> Vec<Place> {
    let stones: Vec<Cell> = board.stones().map(|place| board.shape.cell(place)).collect();
    let near = |place: Place| stones.iter().any(|&stone| distance(board.shape.cell(place), stone) <= NEAR);
    let chosen = match stones.len() {
        0 => board.empty().min_by_key(|&place| from_centre(board, place)).into_iter().collect(),
        1..FEW => ranked(board, WIDEST, near),
        _ => Vec::new(),
    };
    // Where everything near is blocked, anything will do.
    if chosen.is_empty() { ranked(board, width, |_| true) } else { chosen }
}

fn distance(one: Cell, other: Cell) -> u8 {
    one.column.abs_diff(other.column).max(one.row.abs_diff(other.row))
}

/// How far a cell is from the centre, in half cells, and its number for the order.
fn from_centre(board: &SixBoard, place: Place) -> (u32, Place) {
    let cell = board.shape.cell(place);
    let off = |n: u8, size: u8| (2 * u32::from(n) + 1).abs_diff(u32::from(size));
    let rules = &board.shape.rules;
    (off(cell.column, rules.width).pow(2) + off(cell.row, rules.height).pow(2), place)
}

/// What the side that has just moved sees without a search.
fn score(board: &SixBoard) -> i32 {
    let me = board.turn ^ 1;
    match Defence::against(board, me).needed {
        _ if !board.threats(board.turn).is_empty() => 2 - WIN,
        3 => WIN - 6,
        _ => -board.worth(),
    }
}

/// The turn and what is remembered to follow.
fn follow(turn: &Turn, board: &SixBoard, table: &SharedTable) -> Vec<Cell> {
    let mut board = board.clone();
    let mut cells = Vec::new();
    let mut next = turn.stones.iter().copied();
    while cells.len() < LONGEST {
        let known = || {
            if let Some(stones) = six(&board) {
                return stones.first().copied();
            }
            let best = table.get(board.key())?.best.checked_sub(1)?;
            board.is_empty(best).then_some(best)
        };
        let Some(stone) = next.next().or_else(known) else { break };
        if usize::from(stone) >= board.shape.cells || !board.is_empty(stone) {
            break;
        }
        let wins = super::pattern::kinds(board.stars(board.turn)[usize::from(stone)]).contains(&15);
        cells.push(board.shape.cell(stone));
        board.play(stone);
        if wins || board.free == 0 {
            break;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lianzi_core::Position;

    use super::*;
    use crate::connect6::shape::Shape;

    #[test]
    fn open_scores_keep_their_order_and_never_look_proven() {
        let open = (0..ENDING).step_by(250);
        let believed = (0..60).rev().map(|plies| BELIEVED - plies);
        let scores: Vec<i32> = open.chain(believed).map(reported).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        assert_eq!((scores.last(), scores[0]), (Some(&OPEN), 0));
        assert_eq!((reported(-4_000), reported(-BELIEVED)), (-reported(4_000), -OPEN));
    }

    #[test]
    fn two_stones_that_are_good_only_together_are_a_turn() {
        let position = Position::after("connect6".parse().unwrap(), "j10 i9 j11 h10 i11 i10 h12 k9 k12 g9 g8").unwrap();
        let mut board = SixBoard::new(Arc::new(Shape::new(position.rules())), &position);
        let known = turns(&mut board, [FIRSTS, SECONDS]);
        let more = together(&mut board, &known);
        assert!(!more.is_empty() && more.len() <= TOGETHER);
        for turn in &more {
            let same = |other: &Turn| turn.stones.iter().all(|stone| other.stones.contains(stone));
            assert!(!known.iter().any(same));
            turn.stones.iter().for_each(|&stone| board.play(stone));
            assert!(!board.threats(position.to_move().index()).is_empty());
            turn.stones.iter().rev().for_each(|&stone| board.undo(stone));
        }
    }
}
