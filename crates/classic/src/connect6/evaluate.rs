//! The report's Evaluator: what a line, a board and one more stone are worth.

use lianzi_core::{Cell, Stone, mix};

use super::board::{Board, Line, Place};
use super::pattern::{Class, Pattern, View, table};
use super::scores::{Dead, Scores};

/// What a line is worth to the side whose stones are counted: when it is us, and when it is the enemy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// Our own line.
    pub own: i64,
    /// The enemy's, as we see it.
    pub enemy: i64,
}

/// How lines are scored.
#[derive(Clone, Debug)]
pub struct Evaluator {
    table: Vec<Pattern>,
    scores: Scores,
    dead: Dead,
    shortcut: bool,
    /// Lines come back again and again during a search: a score is kept until another line needs its slot.
    known: Vec<(u64, Worth)>,
}

/// Slots for known lines, a power of two: 1.5 MB, and every line of a search fits.
const SLOTS: usize = 1 << 16;

impl Evaluator {
    /// An evaluator with these scores; `shortcut` skips classes with more stones than a line has.
    pub fn new(scores: Scores, dead: Dead, shortcut: bool) -> Evaluator {
        // A slot that was never used holds the line without stones and its right worth, nothing.
        let known = vec![(0, Worth::default()); SLOTS];
        Evaluator { table: table(), scores, dead, shortcut, known }
    }

    /// The report's evaluateBoard: our score less the enemy's, over all lines.
    ///
    /// Which side is "we" decides whose dead patterns count.
    pub fn board(&mut self, board: &Board, us: Stone) -> i64 {
        board.lines().iter().map(|&line| self.line(line, us)).sum()
    }

    /// The report's evaluate1Move: what a stone of ours on this empty cell changes. Only the four lines through
    /// the cell are scored, before and after.
    pub fn gain(&mut self, board: &Board, cell: Cell, us: Stone) -> i64 {
        let change = |place: Place| {
            let line = board.lines()[place.line];
            self.line(line.with(place.bit, us), us) - self.line(line, us)
        };
        board.places(cell).map(change).iter().sum()
    }

    /// One line, both sides.
    fn line(&mut self, line: Line, us: Stone) -> i64 {
        let ours = self.worth(line.stones(us), line.empty()).own;
        ours - self.worth(line.stones(us.other()), line.empty()).enemy
    }

    /// One line, one side, from memory if it is there.
    fn worth(&mut self, own: u32, empty: u32) -> Worth {
        if self.shortcut && own.count_ones() < 2 {
            // No class has fewer than two stones.
            return Worth::default();
        }
        let key = u64::from(own) << 32 | u64::from(empty);
        let slot = mix(key) as usize % SLOTS;
        let (known, worth) = self.known[slot];
        if known == key {
            return worth;
        }
        let worth = self.row(View::new(own, empty));
        self.known[slot] = (key, worth);
        worth
    }

    /// The report's evaluate1Row: the sum over all classes of count times score.
    fn row(&self, view: View) -> Worth {
        let stones = view.stones();
        let mut worth = Worth::default();
        for Pattern { class, cells } in self.table.iter().filter(|p| self.wanted(p.class, stones)) {
            let count = i64::from(view.count(cells));
            worth.own += count * self.scores.own(*class, self.dead);
            worth.enemy += count * self.scores.enemy(*class, self.dead);
        }
        worth
    }

    /// A class that needs more stones than the line has cannot occur in it.
    fn wanted(&self, class: Class, stones: u32) -> bool {
        !self.shortcut || class.stones() <= stones
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Random;

    use super::super::tests::{cells, midgames, position};

    fn evaluator() -> Evaluator {
        Evaluator::new(Scores::default(), Dead::Split, true)
    }

    /// A line of fifteen cells written with `x` for the side to be scored, `o` for the other and `.`.
    fn row(evaluator: &Evaluator, text: &str) -> Worth {
        let bits = |wanted: char| text.chars().zip(0..).filter(|p| p.0 == wanted).map(|p| 1u32 << p.1).sum();
        evaluator.row(View::new(bits('x'), bits('.')))
    }

    // S0-50: count times score, added up.
    #[test]
    fn a_row_is_the_sum_of_its_patterns() {
        let evaluator = evaluator();
        let own = |text| row(&evaluator, text).own;
        assert_eq!(own("..............."), 0);
        assert_eq!(own("...xxxxxx......"), 60_000_000);
        assert_eq!(own("...xxxxxxx....."), 3 * 60_000_000);
        assert_eq!(own("....xxxx......."), 70_000);
        // Besides the four and the hazy three, two windows of six hold three stones of both rows.
        assert_eq!(own("....xxxx...xxx."), 70_000 + 500 + 2 * 100);
        assert_eq!(own("oxxxxxo..xx...."), 5);
    }

    // S0-47, S0-36, S0-39, S0-43, S0-46
    #[test]
    fn dead_patterns_cost_only_the_enemy() {
        let evaluator = evaluator();
        let worth = |text| row(&evaluator, text);
        assert_eq!(worth("...oxxxxxo....."), Worth { own: 0, enemy: -10_000_000 });
        assert_eq!(worth("...oxxxxo......"), Worth { own: 0, enemy: -10_000_000 });
        assert_eq!(worth("...oxxxo......."), Worth { own: 0, enemy: -1_000 });
        assert_eq!(worth("...oxxo........"), Worth { own: 0, enemy: -10 });
    }

    // S0-47, both colours; S0-12: both sides judge alike, each with itself as "we".
    #[test]
    fn a_board_is_seen_with_the_eyes_of_one_side() {
        // Black's four on row 8 is blocked at both ends.
        let position = position("connect6:15", "f8 e8 j8 g8 h8 a1 a15 i8 o1");
        let board = Board::new(&position);
        let mut evaluator = evaluator();
        let (black, white) = (evaluator.board(&board, Stone::Black), evaluator.board(&board, Stone::White));
        assert!(black.abs() < 5_000_000, "{black}");
        assert!(white > 5_000_000, "{white}");
    }

    // S0-51: no loss of precision.
    #[test]
    fn the_shortcut_changes_no_score() {
        let (with, without) = (evaluator(), Evaluator::new(Scores::default(), Dead::Split, false));
        let mut random = Random::new(1);
        for _ in 0..3_000 {
            let (own, empty) = (random.next() as u32 & 0x7fff, random.next() as u32 & 0x7fff);
            let view = View::new(own & !empty, empty);
            assert_eq!(with.row(view), without.row(view), "{view:?}");
        }
    }

    #[test]
    fn a_remembered_line_is_the_counted_one() {
        let mut evaluator = evaluator();
        let mut random = Random::new(2);
        let lines: Vec<(u32, u32)> = (0..2_000)
            .map(|_| (random.next() as u32 & 0x7_ffff, random.next() as u32 & 0x7_ffff))
            .map(|(own, empty)| (own & !empty, empty))
            .collect();
        for &(own, empty) in lines.iter().chain(&lines) {
            assert_eq!(evaluator.worth(own, empty), evaluator.row(View::new(own, empty)));
        }
    }

    // S0-54: four lines before and after give what the whole board gives, 88 lines (S0-53) before and after.
    #[test]
    fn the_gain_is_the_difference_of_two_boards() {
        let mut evaluator = evaluator();
        for position in midgames("connect6:15", 12) {
            let mut board = Board::new(&position);
            for cell in board.adjacent_cells() {
                let gain = evaluator.gain(&board, cell, Stone::White);
                let before = evaluator.board(&board, Stone::White);
                board.place(cell, Stone::White);
                let after = evaluator.board(&board, Stone::White);
                board.remove(cell, Stone::White);
                assert_eq!((2 * board.places(cell).len(), 2 * board.lines().len()), (8, 176));
                assert_eq!(gain, after - before, "{cell}");
            }
        }
    }

    // S0-30, S0-96: the score of black and of white, one less the other; mirror-like for swapped colours.
    #[test]
    fn swapping_the_colours_swaps_the_scores() {
        let here = Board::new(&position("connect6:15", "h8 a1 a2 h9 h10"));
        let mut there = Board::new(&position("connect6:15", ""));
        for (name, stone) in [("h8", Stone::White), ("h9", Stone::White), ("h10", Stone::White)] {
            there.place(cells(name)[0], stone);
        }
        for name in ["a1", "a2"] {
            there.place(cells(name)[0], Stone::Black);
        }
        let mut evaluator = evaluator();
        assert_eq!(evaluator.board(&here, Stone::Black), evaluator.board(&there, Stone::White));
        assert_eq!(evaluator.board(&here, Stone::Black), 2_000 - 5);
    }

    // S0-70: the claim that only a six, or an enemy four or five blocked for good, gains more than the threshold.
    // It is tried on every line of ten cells: without a six, such a gain means that the enemy was about to win.
    #[test]
    fn only_a_six_or_a_killed_threat_gains_five_million() {
        let evaluator = evaluator();
        let value = |ours: u32, theirs: u32| {
            let empty = 0x3ff & !(ours | theirs);
            let enemy = evaluator.row(View::new(theirs, empty)).enemy;
            evaluator.row(View::new(ours, empty)).own - enemy
        };
        let threatened = |ours: u32, theirs: u32| {
            (0..5).map(|n| 0x3f << n).any(|six: u32| ours & six == 0 && (theirs & six).count_ones() >= 4)
        };
        for code in (0..3u32.pow(10)).step_by(7) {
            let bits = |wanted| (0..10).filter(|&n| code / 3u32.pow(n) % 3 == wanted).map(|n| 1 << n).sum();
            let (ours, theirs): (u32, u32) = (bits(1), bits(2));
            let over = |stones: u32| (0..5).any(|n| stones >> n & 0x3f == 0x3f);
            if over(ours) || over(theirs) {
                continue;
            }
            let before = value(ours, theirs);
            for cell in (0..10).map(|n| 1 << n).filter(|cell| (ours | theirs) & cell == 0) {
                let gain = value(ours | cell, theirs) - before;
                let six = over(ours | cell);
                let ko = gain > 5_000_000;
                assert!(!ko || six || threatened(ours, theirs), "{ours:b} {theirs:b} {cell:b} {gain}");
                assert!(ko || !six, "{ours:b} {theirs:b} {cell:b} {gain}");
            }
        }
    }
}
