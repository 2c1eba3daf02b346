//! A person solves a puzzle, turn by turn, against the strongest defence.
//!
//! Nothing is kept between turns: whoever asks brings the stones since the puzzle's position. Every turn is proven
//! anew, so any defence is answered, and a turn that wins by another way than the one we had in mind is right too.

use lianzi_core::{Cell, IllegalMove, Outcome, Position, Speak, Stone, Text, spoken_errors, text};

use crate::insight::{Insight, LONGEST};
use crate::puzzle::{Puzzle, Turn, named};
use crate::rival;
use crate::theme::Goal;

/// How good a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is what was looked for; the other side has answered.
    Right,
    /// It wins too, but takes longer; the other side has answered.
    Longer,
    /// It was the last one.
    Solved,
    /// It does not do.
    Wrong,
}

impl Verdict {
    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Longer => "longer",
            Verdict::Solved => "solved",
            Verdict::Wrong => "wrong",
        }
    }
}

/// What became of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// How good it was.
    pub verdict: Verdict,
    /// The same in a sentence.
    pub words: Text,
    /// The turn.
    pub turn: Turn,
    /// What the other side answers.
    pub answer: Turn,
    /// How many turns of the solver's are done, and how many there will be.
    pub done: u8,
    /// How many there will be.
    pub turns: u8,
    /// How the other side goes on after a wrong turn.
    pub refutation: Vec<Cell>,
    /// The position to go on from: after the answer, or before a wrong turn.
    pub position: Position,
}

/// Why a turn cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadTurn {
    /// A stone may not lie there.
    Illegal(Cell, IllegalMove),
    /// It has too few stones, or too many.
    Stones(u8),
    /// The stones before it are none of this puzzle's.
    Moves,
    /// The puzzle is over.
    Over,
}

impl Speak for BadTurn {
    fn text(&self) -> Text {
        match self {
            BadTurn::Illegal(cell, why) => {
                let why = why.text();
                text!("{cell}: {why}", "{cell}：{why}"; why)
            }
            BadTurn::Stones(n) => text!("this turn has {n} stones", "这一手须下 {n} 子"),
            BadTurn::Moves => Text::fixed("these stones do not belong to this puzzle", "这些棋子不属于此题"),
            BadTurn::Over => Text::fixed("this puzzle is over", "此题已结束"),
        }
    }
}

spoken_errors!(BadTurn);

/// An attempt at something that is to be done in a position.
pub struct Attempt<'a> {
    /// What is to be done.
    pub goal: Goal,
    /// The position it begins with.
    pub start: &'a Position,
    /// In how many turns.
    pub turns: u8,
    /// First turns that are known to be right.
    pub accepted: &'a [Turn],
    /// Who knows.
    pub insight: Insight,
}

/// What happens to a turn of a puzzle after these stones.
pub fn play(puzzle: &Puzzle, moves: &[Cell], turn: &[Cell]) -> Result<Played, BadTurn> {
    let start = puzzle.position();
    let insight = Insight::new(&puzzle.rules, puzzle.theme);
    let attempt =
        Attempt { goal: puzzle.goal(), start: &start, turns: puzzle.turns, accepted: &puzzle.accepted, insight };
    attempt.play(moves, turn)
}

impl Attempt<'_> {
    /// What happens to a turn after these stones.
    pub fn play(mut self, moves: &[Cell], turn: &[Cell]) -> Result<Played, BadTurn> {
        let before = after(self.start, moves)?;
        let position = with_turn(&before, turn)?;
        let done = done(self.start, moves) + 1;
        let judged = Judged { done, turn: turn.to_vec(), before, position };
        Ok(match self.goal {
            Goal::Win => self.win(judged),
            Goal::Hold => self.hold(judged),
            Goal::Best => self.best(judged),
        })
    }

    fn win(&mut self, judged: Judged) -> Played {
        if judged.has_won() {
            return judged.solved(Text::fixed("Solved.", "解出来了。"));
        }
        if judged.position.outcome().is_some() {
            return judged.wrong(Vec::new());
        }
        let left = self.left(&judged);
        if let Some(turns) = self.insight.turns_after(&judged.position, left.saturating_sub(1)) {
            return self.answered(judged, Verdict::Right, turns);
        }
        match self.insight.longer_after(&judged.position) {
            Some(turns) => self.answered(judged, Verdict::Longer, turns),
            None => {
                let line = rival::line(&judged.position);
                judged.wrong(line)
            }
        }
    }

    /// How many turns the best way took from before this turn on.
    fn left(&mut self, judged: &Judged) -> u8 {
        let planned = self.turns.saturating_sub(judged.done - 1);
        if judged.done == 1 {
            return planned;
        }
        self.insight.turns(&judged.before, LONGEST).unwrap_or(planned)
    }

    fn answered(&mut self, judged: Judged, verdict: Verdict, turns: u8) -> Played {
        let answers = self.insight.defences(&judged.position, turns.max(LONGEST));
        let answer = answers.into_iter().next().map(|(turn, _)| turn).unwrap_or_default();
        judged.answered(verdict, turns, answer)
    }

    fn hold(&mut self, judged: Judged) -> Played {
        if judged.has_won() || judged.position.outcome() == Some(Outcome::Draw) {
            return judged.solved(Text::fixed("This holds.", "守住了。"));
        }
        match self.insight.holds(&judged.position) {
            true => judged.solved(Text::fixed("This holds; everything else loses.", "守住了；其余着法都输。")),
            false => {
                let line = rival::line(&judged.position);
                judged.wrong(line)
            }
        }
    }

    fn best(&mut self, judged: Judged) -> Played {
        let right = self.accepted.iter().any(|turn| crate::puzzle::same(turn, &judged.turn));
        if right || judged.has_won() || rival::is_as_good(&judged.before, &judged.position, self.accepted) {
            return judged.solved(Text::fixed("That is what was missed.", "这正是当时错过的一手。"));
        }
        let line = rival::line(&judged.position);
        judged.wrong(line)
    }
}

/// A turn that was played.
struct Judged {
    done: u8,
    turn: Turn,
    before: Position,
    position: Position,
}

impl Judged {
    fn solver(&self) -> Stone {
        self.before.to_move()
    }

    fn has_won(&self) -> bool {
        self.position.outcome() == Some(Outcome::Win(self.solver()))
    }

    fn solved(self, words: Text) -> Played {
        let Judged { done, turn, position, .. } = self;
        let (answer, refutation) = (Turn::new(), Vec::new());
        Played { verdict: Verdict::Solved, words, turn, answer, done, turns: done, refutation, position }
    }

    fn wrong(self, refutation: Vec<Cell>) -> Played {
        let shown = named(&self.turn);
        let words = match refutation.first() {
            Some(first) => {
                let other = self.before.rules().side(self.solver().other());
                text!("{shown} does not do: {other} answers {first}.", "{shown} 不行：{other}应在 {first}。"; other)
            }
            None => text!("{shown} does not do.", "{shown} 不行。"),
        };
        let Judged { done, turn, before, .. } = self;
        let (answer, turns) = (Turn::new(), done);
        Played { verdict: Verdict::Wrong, words, turn, answer, done: done - 1, turns, refutation, position: before }
    }

    fn answered(self, verdict: Verdict, turns: u8, answer: Turn) -> Played {
        let (shown, reply) = (named(&self.turn), named(&answer));
        let other = self.before.rules().side(self.solver().other());
        let words = match verdict {
            Verdict::Longer => text!(
                "{shown} wins too, but takes longer. {other} answers {reply}.",
                "{shown} 也能胜，但要多几手。{other}应在 {reply}。";
                other
            ),
            _ => text!(
                "{shown} is right. {other} answers {reply}; find your next stone.",
                "{shown} 正确。{other}应在 {reply}；请找下一手。";
                other
            ),
        };
        let Judged { done, turn, mut position, .. } = self;
        // Answers are the provers' own, or legal stones.
        let _ = answer.iter().try_for_each(|&cell| position.play(cell));
        Played { verdict, words, turn, answer, done, turns: done + turns, refutation: Vec::new(), position }
    }
}

/// The position after these stones, at the solver's turn.
pub fn after(start: &Position, moves: &[Cell]) -> Result<Position, BadTurn> {
    let mut position = start.clone();
    for &cell in moves {
        position.play(cell).map_err(|why| BadTurn::Illegal(cell, why))?;
    }
    if position.outcome().is_some() {
        return Err(BadTurn::Over);
    }
    let own = position.to_move() == start.to_move() && (moves.is_empty() || !position.mid_turn());
    if own { Ok(position) } else { Err(BadTurn::Moves) }
}

/// The position after a whole turn.
fn with_turn(before: &Position, turn: &[Cell]) -> Result<Position, BadTurn> {
    let mut position = before.clone();
    let stones = before.stones_left();
    if turn.is_empty() || turn.len() > usize::from(stones) {
        return Err(BadTurn::Stones(stones));
    }
    for &cell in turn {
        position.play(cell).map_err(|why| BadTurn::Illegal(cell, why))?;
    }
    let whole = position.outcome().is_some() || position.to_move() != before.to_move();
    if whole { Ok(position) } else { Err(BadTurn::Stones(stones)) }
}

/// How many turns of the solver's these stones hold.
fn done(start: &Position, moves: &[Cell]) -> u8 {
    let (mut position, mut turns, mut last) = (start.clone(), 0, None);
    for &cell in moves {
        let mover = position.to_move();
        if last != Some(mover) && mover == start.to_move() {
            turns += 1;
        }
        last = Some(mover);
        // They were played before.
        let _ = position.play(cell);
    }
    turns
}
