//! Scores, columns' scores and lines of positions, on one kind of board.

use lianzi_core::{Cell, Position, Rules};

use super::book::Book;
use super::search::{Node, Search};
use super::shape::Shape;
use super::table::Known;
use super::watch::Watch;
use super::word::Word;

/// Short wins and losses are looked for first, this much of a score further at a time.
const STEP: i32 = 2;
/// From here on it is cheaper to ask who wins at all.
const NEAR: i32 = 6;
/// A line is followed while it costs no more nodes than this.
const LINE_NODES: u64 = 4_000_000;

/// Who is told what is known so far, and after how many nodes.
pub(super) type Report<'a> = dyn FnMut(&[(Cell, Known)], u64) + 'a;

/// What a solver can do on a board, whatever the word it is packed into.
pub(super) trait Exact: Send + Sync {
    /// What is known of the score of the side to move when the score is certain or the watch ended the work; that it is
    /// at least a number may be known before.
    fn score(&mut self, position: &Position, least: Option<i32>) -> Known;

    /// The same for each stone that can be played, from the middle outwards, with its own score.
    fn scores(&mut self, position: &Position, report: &mut Report<'_>) -> Vec<(Cell, Known)>;

    /// A stone that keeps this score, unless the watch ended the work before.
    fn step(&mut self, position: &Position, score: i32) -> Option<Cell>;

    /// How best play goes on where the score is this, as far as it is found quickly.
    fn line(&mut self, position: &Position, score: i32) -> Vec<Cell>;

    /// Forgets what earlier positions taught.
    fn forget(&mut self);

    /// What ends the work.
    fn watch(&mut self) -> &mut Watch;
}

/// A search on one board, and a book if there is one for it.
pub(super) struct Solving<W, const STRIDE: u32> {
    search: Search<W, STRIDE>,
    book: Option<Book>,
}

impl<W: Word, const STRIDE: u32> Solving<W, STRIDE> {
    /// A solver with a table of at most so many bytes.
    pub(super) fn new(rules: &Rules, bytes: usize, book: Option<Book>) -> Self {
        Solving { search: Search::new(Shape::new(rules), bytes), book }
    }

    fn node(&self, position: &Position) -> Node<W> {
        let (own, full) = self.search.shape.read(position);
        Node { own, full, free: position.free() as i32 }
    }

    fn play(&self, node: Node<W>, step: W) -> Node<W> {
        let other = node.full ^ node.own ^ self.search.shape.blocked;
        Node { own: other, full: node.full | step, free: node.free - 1 }
    }

    fn wins(&self, node: Node<W>) -> W {
        self.search.shape.winning(node.own, node.full) & self.search.shape.landing(node.full)
    }

    /// What is plain to see.
    fn first_look(&self, node: Node<W>) -> Known {
        let certain = |score| Known { lower: score, upper: score };
        if node.free == 0 {
            return certain(0);
        }
        if !self.wins(node).is_zero() {
            return certain((node.free + 1) / 2);
        }
        let known = self.book.as_ref().and_then(|book| book.score(node.own.low(), node.full.low()));
        known.map_or(Known { lower: -(node.free / 2), upper: (node.free - 1) / 2 }, certain)
    }

    /// One more question about a score that is not certain yet.
    fn narrow(&mut self, node: Node<W>, known: &mut Known, wins_first: bool) {
        self.ask(node, known, question(*known, wins_first));
    }

    fn ask(&mut self, node: Node<W>, known: &mut Known, alpha: i32) {
        let bound = self.search.above(node, alpha);
        if self.search.watch.ended() {
            return;
        }
        if bound > alpha {
            known.lower = bound;
        } else {
            known.upper = bound;
        }
    }

    fn enclose(&mut self, node: Node<W>, least: Option<i32>) -> Known {
        let mut known = self.first_look(node);
        if let Some(least) = least.filter(|&least| known.lower <= least && least < known.upper) {
            // Often it is no more.
            known.lower = least;
            self.ask(node, &mut known, least);
        }
        let mut wins_first = true;
        while known.exact().is_none() && !self.search.watch.ended() {
            self.narrow(node, &mut known, wins_first);
            wins_first = !wins_first;
        }
        known
    }

    /// A stone that keeps this score.
    fn best_step(&mut self, node: Node<W>, score: i32) -> Option<W> {
        let wins = self.wins(node);
        if !wins.is_zero() {
            return Some(wins.first());
        }
        let steps: Vec<W> = self.search.steps(node.full).collect();
        steps.into_iter().find(|&step| {
            let answer = self.play(node, step);
            let seen = self.first_look(answer);
            let bound = seen.answer(-score).unwrap_or_else(|| self.search.above(answer, -score));
            bound <= -score && !self.search.watch.ended()
        })
    }
}

/// Which number to compare a score with next.
fn question(known: Known, wins_first: bool) -> i32 {
    let Known { lower, upper } = known;
    if lower < 0 && upper > NEAR {
        if wins_first { upper - STEP } else { lower + STEP - 1 }
    } else if lower < 0 && upper > 0 {
        if upper <= -lower { 0 } else { -1 }
    } else if lower >= 0 {
        lower + (upper - lower - 1) / 2
    } else {
        upper - 1 - (upper - lower - 1) / 2
    }
}

impl<W: Word, const STRIDE: u32> Exact for Solving<W, STRIDE> {
    fn score(&mut self, position: &Position, least: Option<i32>) -> Known {
        let node = self.node(position);
        self.enclose(node, least)
    }

    fn scores(&mut self, position: &Position, report: &mut Report<'_>) -> Vec<(Cell, Known)> {
        let node = self.node(position);
        let wins = self.wins(node);
        let steps: Vec<W> = self.search.steps(node.full).collect();
        let mut answers: Vec<Known> = Vec::new();
        for &step in &steps {
            let won = -((node.free + 1) / 2);
            answers.push(match (step & wins).is_zero() {
                true => self.first_look(self.play(node, step)),
                false => Known { lower: won, upper: won },
            });
        }
        let cells = steps.iter().map(|&step| self.search.shape.cell(step));
        let mut scores: Vec<(Cell, Known)> =
            cells.zip(&answers).map(|(cell, answer)| (cell, turned(*answer))).collect();
        let mut wins_first = true;
        // All columns get on together, so that what can be known soon is known of each.
        while scores.iter().any(|(_, known)| known.exact().is_none()) && !self.search.watch.ended() {
            for (n, &step) in steps.iter().enumerate() {
                if answers[n].exact().is_none() {
                    let answer = self.play(node, step);
                    self.narrow(answer, &mut answers[n], wins_first);
                    scores[n].1 = turned(answers[n]);
                }
            }
            wins_first = !wins_first;
            report(&scores, self.search.watch.nodes());
        }
        scores
    }

    fn step(&mut self, position: &Position, score: i32) -> Option<Cell> {
        let step = self.best_step(self.node(position), score)?;
        Some(self.search.shape.cell(step))
    }

    fn line(&mut self, position: &Position, score: i32) -> Vec<Cell> {
        self.search.watch.allow(LINE_NODES);
        let (mut node, mut score, mut line) = (self.node(position), score, Vec::new());
        while node.free > 0 && !self.search.watch.ended() {
            let Some(step) = self.best_step(node, score) else { break };
            line.push(self.search.shape.cell(step));
            if !(step & self.wins(node)).is_zero() {
                break;
            }
            (node, score) = (self.play(node, step), -score);
        }
        line
    }

    fn forget(&mut self) {
        self.search.tables.clear();
    }

    fn watch(&mut self) -> &mut Watch {
        &mut self.search.watch
    }
}

/// The other side's view.
fn turned(known: Known) -> Known {
    Known { lower: -known.upper, upper: -known.lower }
}
