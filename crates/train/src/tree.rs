//! The whole solution of a puzzle: every defence, and what answers it.

use lianzi_core::{Outcome, Placement, Position, Stone};
use lianzi_engine::threats::must_hit;

use crate::insight::{Insight, LONGEST};
use crate::puzzle::{Puzzle, Turn};
use crate::theme::{Goal, Theme};

/// How many turns a tree has at most.
const MOST: usize = 400;
/// How many defences of a side that cannot help itself are shown.
const SHOWN: usize = 12;

/// A turn and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The stones; none stands for anything else.
    pub turn: Turn,
    /// Whose.
    pub by: Stone,
    /// Whether it is the longest defence, or a right turn.
    pub best: bool,
    /// How it ends, where it does.
    pub end: Option<End>,
    /// What follows.
    pub then: Vec<Branch>,
}

/// How a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The line stands.
    Line,
    /// What wins next cannot be stopped.
    Unstoppable,
    /// The other side may not play where it must.
    Foul,
    /// Nobody wins.
    Draw,
    /// It goes on, and is left out.
    More,
}

impl End {
    /// Its name in messages, which a line has from its length.
    pub fn name(self, line: u8) -> &'static str {
        match (self, line) {
            (End::Line, 5) => "five",
            (End::Line, 6) => "six",
            (End::Line, _) => "line",
            (End::Unstoppable, _) => "four",
            (End::Foul, _) => "foul",
            (End::Draw, _) => "draw",
            (End::More, _) => "more",
        }
    }
}

/// All first turns of a puzzle with everything that follows, and whether something was left out.
pub fn tree(puzzle: &Puzzle) -> (Vec<Branch>, bool) {
    let position = puzzle.position();
    let mut grower =
        Grower { insight: Insight::new(&puzzle.rules, puzzle.theme), theme: puzzle.theme, turns: 0, cut: false };
    let wins = puzzle.goal() == Goal::Win;
    let first = puzzle.accepted.iter();
    let branches = first.map(|turn| grower.attack(&position, turn, puzzle.turns, wins)).collect();
    (branches, grower.cut)
}

struct Grower {
    insight: Insight,
    theme: Theme,
    turns: usize,
    cut: bool,
}

impl Grower {
    /// A turn of the solver's, and every answer to it.
    fn attack(&mut self, position: &Position, turn: &Turn, turns: u8, wins: bool) -> Branch {
        self.turns += 1;
        let (mut after, by) = (position.clone(), position.to_move());
        let played = turn.iter().try_for_each(|&cell| after.play(cell)).is_ok();
        let mut branch = Branch { turn: turn.clone(), by, best: true, end: None, then: Vec::new() };
        match after.outcome() {
            _ if !played || !wins => {}
            Some(Outcome::Win(_)) => branch.end = Some(End::Line),
            Some(Outcome::Draw) => branch.end = Some(End::Draw),
            None if self.turns >= MOST => branch.end = Some(self.more()),
            None => self.answers(&after, turns.saturating_sub(1), &mut branch),
        }
        branch
    }

    fn more(&mut self) -> End {
        self.cut = true;
        End::More
    }

    fn answers(&mut self, position: &Position, turns: u8, branch: &mut Branch) {
        let by = position.to_move();
        // One turn more and no answer that lasts longer: it is decided.
        if turns <= 1 && position.rules().placement == Placement::Anywhere {
            let hits = must_hit(position);
            let foul = !hits.is_empty() && hits.iter().all(|&cell| position.check(cell).is_err());
            branch.end = Some(if foul { End::Foul } else { End::Unstoppable });
            return;
        }
        let answers = self.insight.defences(position, turns.max(1));
        for (n, (answer, left)) in answers.into_iter().take(SHOWN).enumerate() {
            if self.turns >= MOST {
                branch.end = Some(self.more());
                return;
            }
            self.turns += 1;
            let then = self.after_answer(position, &answer, left.min(LONGEST));
            branch.then.push(Branch { turn: answer, by, best: n == 0, end: None, then });
        }
        if self.theme == Theme::Threes && branch.then.len() > 1 {
            branch.then.push(Branch {
                turn: Turn::new(),
                by,
                best: false,
                end: Some(End::Unstoppable),
                then: Vec::new(),
            });
        }
    }

    /// What the solver plays after an answer.
    fn after_answer(&mut self, position: &Position, answer: &Turn, turns: u8) -> Vec<Branch> {
        let mut after = position.clone();
        if answer.iter().try_for_each(|&cell| after.play(cell)).is_err() || after.outcome().is_some() {
            return Vec::new();
        }
        let best = self.insight.first_turns(&after, turns).into_iter().min_by_key(|(_, turns)| *turns);
        let best = best.or_else(|| self.insight.best_turns(&after).into_iter().next());
        best.map(|(turn, turns)| self.attack(&after, &turn, turns, true)).into_iter().collect()
    }
}
