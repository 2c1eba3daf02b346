//! Goes through a whole game and says of every turn how good it was, and why.
//!
//! A turn is measured against the one that the engine would have played: both are played, and both positions are
//! looked at alike, with the same side to move. Engines are hopeful for the side to move, so a position before a
//! turn and one after it cannot be compared. What is proven counts for more than what is thought: a side that could
//! play what then won had a win.
//!
//! A [`Review`] is pure: it has no threads, no clock and no engine. Its owner asks which position to look at
//! ([`Review::next_look`]), looks at it in whatever way it can, and hands over what was found ([`Review::take`]). It goes
//! from the end to the beginning, so that what the game itself has shown is known where it matters, and then looks
//! longer at those turns that seem to lose something.

mod grade;
mod report;
mod words;
mod worth;

use lianzi_core::{Cell, GameRecord, IllegalMove, Position, Stone};
use lianzi_engine::chance::Scores;
use lianzi_engine::{Best, Line};

pub use grade::Grade;
pub use report::{Reviewed, SideReport, TurnReport};
pub use worth::Worth;

use grade::{INACCURACY, points};
use worth::same_stones;

/// How many times as long as usual a turn is looked at that seems to lose something.
const LONGER: u32 = 4;

/// A position to look at.
#[derive(Clone, Debug)]
pub struct Look {
    /// The position, which is not over.
    pub position: Position,
    /// How many times as long as usual it should be looked at.
    pub share: u32,
}

/// What is still to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Look at the position before turn `n` for the first time.
    Scan(usize),
    /// Look at what the engine's turn instead of turn `n` leads to, so many times as long as usual.
    Best(usize, u32),
    /// See whether turn `n` needs a longer look.
    Check(usize),
    /// Look longer at the position after turn `n`.
    After(usize),
    /// See whether the engine's turn instead of turn `n` still holds.
    Recheck(usize),
    /// Look longer at the position before turn `n`.
    Rethink(usize),
}

/// A position of the game, and the turn that was played in it; none in the last one.
#[derive(Clone, Debug)]
struct Moment {
    position: Position,
    played: Vec<Cell>,
    /// The best turn, and what would follow.
    best: Vec<Cell>,
    line: Line,
    /// What the position is worth.
    worth: Option<Worth>,
    /// What it would be worth after the best turn, where that is another one than was played.
    could: Option<Worth>,
}

impl Moment {
    fn new(position: Position, played: Vec<Cell>) -> Moment {
        let worth = position.outcome().map(Worth::ended);
        Moment { position, played, best: Vec::new(), line: Line::default(), worth, could: None }
    }

    fn mover(&self) -> Stone {
        self.position.to_move()
    }

    fn is_best(&self) -> bool {
        same_stones(&self.best, &self.played)
    }

    fn proven(&self) -> bool {
        self.worth.is_some_and(|worth| worth.proof.is_some())
    }
}

/// A game that is gone through.
#[derive(Clone, Debug)]
pub struct Review {
    scores: Scores,
    moments: Vec<Moment>,
    /// What is to be done, the next last.
    agenda: Vec<Task>,
    asked: Option<Task>,
}

impl Review {
    /// A review of a whole game, by an engine whose scores mean this.
    pub fn new(record: &GameRecord, scores: Scores) -> Review {
        let mut position = record.position_at(0);
        let mut rest = record.moves.iter().map(|played| played.cell).peekable();
        let mut moments = Vec::new();
        while rest.peek().is_some() {
            let before = position.clone();
            let left = usize::from(position.stones_left());
            let mut played = Vec::new();
            while played.len() < left && position.outcome().is_none() {
                let Some(cell) = rest.next().filter(|&cell| position.play(cell).is_ok()) else { break };
                played.push(cell);
            }
            if played.is_empty() {
                break;
            }
            moments.push(Moment::new(before, played));
        }
        moments.push(Moment::new(position, Vec::new()));
        Review::of(moments, scores)
    }

    /// A review of one turn that somebody tries in this position.
    pub fn of_try(position: &Position, turn: &[Cell], scores: Scores) -> Result<Review, IllegalMove> {
        let mut after = position.clone();
        turn.iter().try_for_each(|&cell| after.play(cell))?;
        let moments = vec![Moment::new(position.clone(), turn.to_vec()), Moment::new(after, Vec::new())];
        Ok(Review::of(moments, scores))
    }

    fn of(moments: Vec<Moment>, scores: Scores) -> Review {
        let turns = moments.len() - 1;
        let scans = (0..=turns).map(Task::Scan);
        let agenda = (0..turns).map(Task::Check).chain(scans).collect();
        Review { scores, moments, agenda, asked: None }
    }

    /// How many turns there are.
    pub fn turns(&self) -> usize {
        self.moments.len() - 1
    }

    /// The next position to look at; none when the review is done. Asked again before an answer it goes on to another.
    pub fn next_look(&mut self) -> Option<Look> {
        loop {
            let task = self.agenda.pop()?;
            if let Some(look) = self.look(task) {
                self.asked = Some(task);
                return Some(look);
            }
        }
    }

    /// The position that a task needs; nothing if it has none or is done without one.
    fn look(&mut self, task: Task) -> Option<Look> {
        let usual = |position: &Position| Some(Look { position: position.clone(), share: 1 });
        let longer = |position: &Position| Some(Look { position: position.clone(), share: LONGER });
        match task {
            Task::Scan(n) if self.moments[n].worth.is_some() => None,
            Task::Scan(n) => usual(&self.moments[n].position),
            Task::Best(n, share) => self.after_best(n).map(|position| Look { position, share }),
            Task::Check(n) => {
                self.plan(n);
                None
            }
            Task::After(n) if self.moments[n + 1].proven() => None,
            Task::After(n) => longer(&self.moments[n + 1].position),
            Task::Recheck(n) => {
                let moment = &self.moments[n];
                let lost = moment.could.is_some_and(|could| could.is_lost(moment.mover())) && !moment.proven();
                self.agenda.extend(lost.then_some(Task::Rethink(n)));
                None
            }
            Task::Rethink(n) => longer(&self.moments[n].position),
        }
    }

    /// What was found in the position that was asked for last; `None` if nobody could tell.
    pub fn take(&mut self, found: Option<&Best>) {
        let Some(task) = self.asked.take() else { return };
        match task {
            Task::Scan(n) => self.scanned(n, found, 1),
            Task::Best(n, _) => self.moments[n].could = self.worth_after_best(n, found),
            Task::After(n) => self.looked_longer(n, found),
            Task::Rethink(n) => self.scanned(n, found, LONGER),
            Task::Check(_) | Task::Recheck(_) => {}
        }
    }

    fn scanned(&mut self, n: usize, found: Option<&Best>, share: u32) {
        let worth = self.worth(&self.moments[n].position, found);
        let moment = &mut self.moments[n];
        moment.worth = Some(worth);
        if let Some(found) = found {
            moment.best.clone_from(&found.turn);
            moment.line = found.info.lines.first().cloned().unwrap_or_default();
        }
        self.back_up(n);
        self.compare(n, share);
    }

    /// Has the best turn looked at, unless that was played or is proven already.
    fn compare(&mut self, n: usize, share: u32) {
        let moment = &mut self.moments[n];
        moment.could = None;
        if !moment.played.is_empty() && !moment.is_best() && !moment.proven() {
            self.agenda.push(Task::Best(n, share));
        }
    }

    /// A side that played what is proven to win had a win, whatever was thought before.
    fn back_up(&mut self, n: usize) {
        let Some(next) = self.moments.get(n + 1).and_then(|next| next.worth) else { return };
        let moment = &mut self.moments[n];
        if next.is_won(moment.mover()) && !moment.worth.is_some_and(|worth| worth.is_won(moment.mover())) {
            moment.worth = Some(next.earlier(moment.played.len()));
            moment.best.clone_from(&moment.played);
            moment.line = Line { cells: moment.played.clone(), ..Line::default() };
            moment.could = None;
        }
    }

    /// Plans longer looks at a turn that seems to lose something, or that the game has shown to lose.
    fn plan(&mut self, n: usize) {
        self.back_up(n);
        let moment = &self.moments[n];
        let Some((before, after)) = self.compared(n) else { return };
        if moment.is_best() && after.is_lost(moment.mover()) && !moment.proven() {
            self.agenda.push(Task::Rethink(n));
        } else if self.loss(n) > INACCURACY {
            let open = !moment.proven() && before.proof.is_none();
            self.agenda.extend([Task::Recheck(n), Task::Best(n, LONGER)].into_iter().filter(|_| open));
            self.agenda.push(Task::After(n));
        }
    }

    fn looked_longer(&mut self, n: usize, found: Option<&Best>) {
        let worth = self.worth(&self.moments[n + 1].position, found);
        let next = &mut self.moments[n + 1];
        next.worth = Some(worth);
        if let Some(found) = found.filter(|_| worth.is_won(next.mover())) {
            next.best.clone_from(&found.turn);
            next.line = found.info.lines.first().cloned().unwrap_or_default();
            next.could = None;
        }
        self.back_up(n + 1);
        self.back_up(n);
    }

    /// The position after the best turn, unless it is over: then its worth is known.
    fn after_best(&mut self, n: usize) -> Option<Position> {
        let moment = &mut self.moments[n];
        let mut after = moment.position.clone();
        // An engine's turn is legal, or ends with its first stone.
        let _ = moment.best.iter().try_for_each(|&cell| after.play(cell));
        let over = after.outcome().map(Worth::ended);
        moment.could = over.or(moment.could);
        over.is_none().then_some(after)
    }

    fn worth_after_best(&mut self, n: usize, found: Option<&Best>) -> Option<Worth> {
        let after = self.after_best(n)?;
        Some(self.worth(&after, found))
    }

    /// What an engine's answer says of a position; even when it does not say.
    fn worth(&self, position: &Position, found: Option<&Best>) -> Worth {
        found
            .and_then(|found| found.info.lines.first())
            .map_or(Worth::UNKNOWN, |line| Worth::of_line(line, self.scores, position.to_move()))
    }

    /// What the position would have been worth after the best turn, and what it was worth after the turn that was
    /// played; the best turn is never worse, and a side that is lost anyway may lose later by it.
    fn compared(&self, n: usize) -> Option<(Worth, Worth)> {
        let (moment, after) = (&self.moments[n], self.moments.get(n + 1)?.worth?);
        let (worth, mover) = (moment.worth?, moment.mover());
        let certain = worth.is_lost(mover) || worth.proof.is_some() && moment.is_best();
        if certain && after.proof.is_none() {
            // Every turn loses, or the proven one was played.
            return Some((worth, worth.later(moment.played.len())));
        }
        let same = after.earlier(moment.played.len());
        let before = if worth.proof.is_some() { Some(worth) } else { moment.could };
        let better = |before: &Worth| before.chance(mover) > after.chance(mover) || before.loses_later(same, mover);
        Some((before.filter(better).unwrap_or(same), after))
    }

    /// How many points a turn gave away.
    fn loss(&self, n: usize) -> f64 {
        self.compared(n).map_or(0.0, |(before, after)| points(before, after, self.moments[n].mover()))
    }
}
