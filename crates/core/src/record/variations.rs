//! Lines that were looked at but not played: kept, and forgotten together with what hangs on them.

use super::{GameRecord, Move, Variation};
use crate::{Cell, IllegalMove};

impl GameRecord {
    /// All stones of a line from the start of the game: 0 is the game, n the variation with index n − 1.
    pub fn line(&self, line: usize) -> Option<Vec<Cell>> {
        let mut reversed: Vec<Cell> = Vec::new();
        let (mut line, mut end) = (line, usize::MAX);
        while let Some(index) = line.checked_sub(1) {
            let Variation { from, ply, moves } = self.variations.get(index)?;
            let own = end.saturating_sub(*ply).min(moves.len());
            reversed.extend(moves[..own].iter().rev().map(|played| played.cell));
            // A line leaves an earlier one, so this ends.
            (line, end) = ((*from).min(index), *ply);
        }
        reversed.extend(self.moves[..end.min(self.moves.len())].iter().rev().map(|played| played.cell));
        reversed.reverse();
        Some(reversed)
    }

    /// Keeps a line, given from the start of the game. One that goes on where a variation ends makes that one
    /// longer; true if anything is new.
    pub fn keep_line(&mut self, cells: &[Cell]) -> Result<bool, IllegalMove> {
        let mut position = self.position_at(0);
        cells.iter().try_for_each(|&cell| position.play(cell))?;
        let (from, ply) = self.leaves(cells);
        let fresh: Vec<Move> = cells[ply..].iter().copied().map(Move::from).collect();
        if fresh.is_empty() {
            return Ok(false);
        }
        let ends = |variation: &&mut Variation| variation.ply + variation.moves.len() == ply;
        let parent = from.checked_sub(1).and_then(|index| self.variations.get_mut(index));
        match parent.filter(ends) {
            Some(variation) => variation.moves.extend(fresh),
            None => self.variations.push(Variation { from, ply, moves: fresh }),
        }
        Ok(true)
    }

    /// The line that goes along with these stones the longest, and for how many of them.
    fn leaves(&self, cells: &[Cell]) -> (usize, usize) {
        let shared = |line: &[Cell]| line.iter().zip(cells).take_while(|(a, b)| a == b).count();
        let mut best = (0, shared(&self.line(0).unwrap_or_default()));
        for (index, variation) in self.variations.iter().enumerate() {
            let ply = shared(&self.line(index + 1).unwrap_or_default());
            if ply > best.1 && ply > variation.ply {
                best = (index + 1, ply);
            }
        }
        best
    }

    /// Forgets a variation, by the number that `line` takes, and all that leave it; true if there was one.
    pub fn forget_line(&mut self, line: usize) -> bool {
        let there = (1..=self.variations.len()).contains(&line);
        self.retain_lines(|number, _| number != line);
        there
    }

    /// Forgets the variations that leave the game after more stones than it has now.
    pub fn trim_lines(&mut self) {
        let plies = self.moves.len();
        self.retain_lines(|_, variation| variation.from > 0 || variation.ply <= plies);
    }

    /// Keeps the wanted variations, without those whose line is gone.
    fn retain_lines(&mut self, wanted: impl Fn(usize, &Variation) -> bool) {
        // The new number of every line, by its old one.
        let mut numbers: Vec<Option<usize>> = vec![Some(0)];
        for variation in std::mem::take(&mut self.variations) {
            let from = numbers.get(variation.from).copied().flatten();
            let number = from.filter(|_| wanted(numbers.len(), &variation)).map(|from| {
                self.variations.push(Variation { from, ..variation });
                self.variations.len()
            });
            numbers.push(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{loaded, written};
    use super::super::{Format, GameRecord, Move};
    use crate::{Cell, IllegalMove, Rules};

    fn cells(text: &str) -> Vec<Cell> {
        text.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    fn game(text: &str) -> GameRecord {
        let mut record = GameRecord::new(Rules::gomoku(15));
        record.moves = cells(text).into_iter().map(Move::from).collect();
        record
    }

    fn lines(record: &GameRecord) -> Vec<String> {
        let line = |number| record.line(number).unwrap();
        let names = |line: Vec<Cell>| line.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        (1..=record.variations.len()).map(|number| names(line(number))).collect()
    }

    #[test]
    fn lines_are_kept_where_they_leave() {
        let mut record = game("h8 i9 j10 a1");
        assert_eq!(record.keep_line(&cells("h8 i9 k3")), Ok(true));
        assert_eq!(record.keep_line(&cells("h8 i9 k3 k4")), Ok(true), "the same line, longer");
        assert_eq!(record.keep_line(&cells("h8 i9 k3 k5")), Ok(true), "a line that leaves it");
        assert_eq!(record.keep_line(&cells("h8 i9 j10")), Ok(false), "the game itself");
        assert_eq!(record.keep_line(&cells("h8 i9 k3")), Ok(false), "known");
        assert_eq!(record.keep_line(&cells("h8 i9 j10 a1 a2")), Ok(true), "behind the last stone");
        assert_eq!(record.keep_line(&cells("h8 h8")), Err(IllegalMove::Occupied));
        assert_eq!(lines(&record), ["h8 i9 k3 k4", "h8 i9 k3 k5", "h8 i9 j10 a1 a2"]);
        let left: Vec<(usize, usize)> = record.variations.iter().map(|v| (v.from, v.ply)).collect();
        assert_eq!(left, [(0, 2), (1, 3), (0, 4)]);
        for format in [Format::Json, Format::Sgf] {
            let mut again = lines(&loaded(format, &written(format, &record), None).record);
            again.sort();
            let mut expected = lines(&record);
            expected.sort();
            assert_eq!(again, expected, "{format}");
        }
    }

    #[test]
    fn what_hangs_on_a_line_goes_with_it() {
        let mut record = game("h8 i9 j10 a1");
        for line in ["h8 a2", "h8 i9 k3", "h8 a2 a3 a4", "h8 a2 b3", "h8 i9 j10 c1"] {
            record.keep_line(&cells(line)).unwrap();
        }
        assert!(record.forget_line(1) && !record.forget_line(9) && !record.forget_line(0));
        assert_eq!(lines(&record), ["h8 i9 k3", "h8 i9 j10 c1"]);
        record.moves.truncate(2);
        record.trim_lines();
        assert_eq!(lines(&record), ["h8 i9 k3"]);
        assert!(loaded(Format::Json, &written(Format::Json, &record), None).problem.is_none());
    }
}
