//! The tasks of lessons, and whether they are done.

use lianzi_core::{Cell, Position, Text, text};
use lianzi_engine::Family;
use lianzi_engine::threats::{ThreatKind, must_hit, threats};

use crate::attempt::{Attempt, BadTurn, Played, Verdict, after};
use crate::insight::{Insight, LONGEST};
use crate::lesson::Step;
use crate::puzzle::{Turn, same};
use crate::rival;
use crate::theme::{Goal, Theme};

/// How many positions the engine looks at to do a task.
const GLANCE: u64 = 4_000;

/// What is to be done in a step of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Play one of these turns.
    Play(Vec<Turn>),
    /// Win by force in at most so many turns.
    Win(u8),
    /// Leave the other side without a forced win.
    Hold,
    /// Make one of these.
    Make(Make),
    /// Mark exactly these cells.
    Find(Seek),
    /// Say this number.
    Number(u8),
}

/// What a turn is to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Make {
    /// A line.
    Five,
    /// What a turn completes.
    Four,
    /// An open three.
    Three,
}

/// Which cells are to be marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// Where the side to move wins at once.
    Wins,
    /// Which answer everything that threatens.
    Stops,
    /// Which renju forbids.
    Forbidden,
}

impl Task {
    /// Its name in messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Task::Play(_) => "play",
            Task::Win(_) => "win",
            Task::Hold => "hold",
            Task::Make(_) => "make",
            Task::Find(_) => "find",
            Task::Number(_) => "number",
        }
    }

    /// What is to be done, in words.
    pub fn words(&self, position: &Position) -> Text {
        let side = position.rules().side(position.to_move());
        match self {
            Task::Play(_) => text!("{side} to play: find the turn", "{side}下：找到这一手"; side),
            Task::Win(1) => text!("{side} to play and win at once", "{side}先，一手取胜"; side),
            Task::Win(turns) => text!("{side} to play, win in {turns}", "{side}先，{turns} 手内胜"; side),
            Task::Hold => text!("{side} to play, do not lose", "{side}先，守住"; side),
            Task::Make(Make::Five) => text!("{side} to play: complete a line", "{side}下：连成一线"; side),
            Task::Make(Make::Four) => text!("{side} to play: make a four", "{side}下：做一个四"; side),
            Task::Make(Make::Three) => text!("{side} to play: make an open three", "{side}下：做一个活三"; side),
            Task::Find(Seek::Wins) => {
                text!("Mark every cell where {side} wins at once", "标出{side}一手取胜的每一点"; side)
            }
            Task::Find(Seek::Stops) => text!("Mark every cell that {side} must take", "标出{side}必须应的每一点"; side),
            Task::Find(Seek::Forbidden) => {
                text!("Mark every cell that is forbidden to {side}", "标出{side}的每一个禁手点"; side)
            }
            Task::Number(_) => Text::fixed("Give the number", "请填数字"),
        }
    }

    /// How many turns it takes, where it takes turns.
    pub const fn turns(&self) -> Option<u8> {
        match self {
            Task::Win(turns) => Some(*turns),
            Task::Play(_) | Task::Hold | Task::Make(_) => Some(1),
            Task::Find(_) | Task::Number(_) => None,
        }
    }
}

impl Step {
    /// What became of what a learner did: stones after these ones, cells that were marked, or a number as a text.
    pub fn check(&self, moves: &[Cell], said: &[String]) -> Result<Played, BadTurn> {
        let Some(task) = &self.task else { return Err(BadTurn::Over) };
        let mut played = match task {
            Task::Number(number) => self.said(said.len() == 1 && said[0].trim().parse() == Ok(*number), Turn::new()),
            Task::Find(seek) => {
                let marked = cells(said)?;
                self.said(same(&sought(*seek, &self.position), &marked), marked)
            }
            _ => self.turn(task, moves, &cells(said)?)?,
        };
        let own = match played.verdict {
            Verdict::Solved => &self.done,
            Verdict::Wrong => &self.wrong,
            _ => &None,
        };
        if let Some(words) = own {
            played.words = words.clone();
        }
        Ok(played)
    }

    fn turn(&self, task: &Task, moves: &[Cell], turn: &[Cell]) -> Result<Played, BadTurn> {
        let start = &self.position;
        let attempt = |goal, turns, theme| Attempt {
            goal,
            start,
            turns,
            accepted: &[],
            insight: Insight::new(start.rules(), theme),
        };
        match task {
            Task::Win(turns) => attempt(Goal::Win, *turns, win_theme(start, *turns)).play(moves, turn),
            Task::Hold => attempt(Goal::Hold, 1, Theme::Defence).play(moves, turn),
            Task::Play(right) => {
                let done = right.iter().any(|right| same(right, turn));
                self.played(moves, turn, |_| done)
            }
            Task::Make(make) => self.played(moves, turn, |after| makes(*make, start, after)),
            Task::Find(_) | Task::Number(_) => Err(BadTurn::Over),
        }
    }

    /// A single turn that is judged by what it leads to.
    fn played(&self, moves: &[Cell], turn: &[Cell], is_done: impl Fn(&Position) -> bool) -> Result<Played, BadTurn> {
        let before = after(&self.position, moves)?;
        let mut position = before.clone();
        for &cell in turn {
            position.play(cell).map_err(|why| BadTurn::Illegal(cell, why))?;
        }
        if position.outcome().is_none() && position.to_move() == before.to_move() {
            return Err(BadTurn::Stones(before.stones_left()));
        }
        let done = is_done(&position);
        let mut played = self.said(done, turn.to_vec());
        if done {
            played.position = position;
        }
        Ok(played)
    }

    /// The answer to something that is right or wrong at once.
    fn said(&self, right: bool, turn: Turn) -> Played {
        let (verdict, words) = match right {
            true => (Verdict::Solved, Text::fixed("Right.", "正确。")),
            false => (Verdict::Wrong, Text::fixed("Not yet; look again.", "还不对，再看看。")),
        };
        let done = u8::from(right);
        let (answer, refutation) = (Turn::new(), Vec::new());
        Played { verdict, words, turn, answer, done, turns: 1, refutation, position: self.position.clone() }
    }

    /// What the engine does to solve the task: the stones of one turn, the cells or the number.
    pub fn solution(&self, moves: &[Cell]) -> Option<Vec<String>> {
        let names = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<_>>();
        let task = self.task.as_ref()?;
        let position = after(&self.position, moves).ok()?;
        Some(match task {
            Task::Number(number) => vec![number.to_string()],
            Task::Find(seek) => names(&sought(*seek, &position)),
            Task::Play(turns) => names(turns.first()?),
            Task::Win(turns) => names(&winning(&position, win_theme(&self.position, *turns))?),
            Task::Hold | Task::Make(_) => names(&self.single(moves, &position)?),
        })
    }

    /// The first turn that does it, of those that one stone makes; in Connect6 with any second stone.
    fn single(&self, moves: &[Cell], position: &Position) -> Option<Turn> {
        let does = |turn: &Turn| {
            let said: Vec<String> = turn.iter().map(Cell::to_string).collect();
            self.check(moves, &said).is_ok_and(|played| played.verdict == Verdict::Solved)
        };
        // What the engine would play mostly does it.
        if let Some(turn) = rival::candidates(position, GLANCE, 4).into_iter().find(does) {
            return Some(turn);
        }
        let legal: Vec<Cell> = position.legal().collect();
        let mut turns: Box<dyn Iterator<Item = Turn>> = match position.stones_left() {
            1 => Box::new(legal.into_iter().map(|cell| vec![cell])),
            _ => {
                let hits = must_hit(position);
                let first = if hits.is_empty() { legal.clone() } else { hits };
                Box::new(first.into_iter().flat_map(move |one| {
                    let others = legal.clone().into_iter().filter(move |&two| two != one);
                    others.map(move |two| vec![one, two])
                }))
            }
        };
        turns.find(does)
    }
}

/// By which means a win is looked for: by fours alone if those suffice.
fn win_theme(position: &Position, turns: u8) -> Theme {
    let by_fours = || Insight::new(position.rules(), Theme::Fours).turns(position, turns).is_some();
    if Family::of(position.rules()) != Family::Gomoku || by_fours() { Theme::Fours } else { Theme::Threes }
}

fn winning(position: &Position, theme: Theme) -> Option<Turn> {
    let at_once = position.legal().find(|&cell| position.wins_at(cell, position.to_move()));
    if let Some(cell) = at_once {
        return Some(vec![cell]);
    }
    if let Some(turn) = whole_line(position) {
        return Some(turn);
    }
    Insight::new(position.rules(), theme).best_turns(position).into_iter().next().map(|(turn, _)| turn)
}

/// A turn of two stones that completes a line.
fn whole_line(position: &Position) -> Option<Turn> {
    let near = threats(position, position.to_move()).into_iter();
    let mut lines = near.filter(|threat| threat.kind == ThreatKind::Four).map(|threat| threat.at);
    let playable = |cells: &Turn| cells.iter().all(|&cell| position.check(cell).is_ok());
    lines.find(|cells| cells.len() == usize::from(position.stones_left()) && playable(cells))
}

fn makes(make: Make, before: &Position, after: &Position) -> bool {
    let kind = match make {
        Make::Five => return after.outcome().is_some_and(|outcome| outcome.winner() == Some(before.to_move())),
        Make::Four => ThreatKind::Four,
        Make::Three => ThreatKind::Three,
    };
    let known = threats(before, before.to_move());
    threats(after, before.to_move()).iter().any(|threat| threat.kind == kind && !known.contains(threat))
}

/// The cells that are to be marked.
fn sought(seek: Seek, position: &Position) -> Vec<Cell> {
    match seek {
        Seek::Wins => position.legal().filter(|&cell| position.wins_at(cell, position.to_move())).collect(),
        Seek::Stops => must_hit(position),
        Seek::Forbidden => position.empty_cells().filter(|&cell| position.foul(cell).is_some()).collect(),
    }
}

fn cells(said: &[String]) -> Result<Vec<Cell>, BadTurn> {
    said.iter().map(|name| name.parse().map_err(|_| BadTurn::Moves)).collect()
}

/// Lets the engine do the task of a step, to the end; how it fails is told in words.
pub fn solve(step: &Step) -> Result<(), Text> {
    let mut moves = Vec::new();
    for _ in 0..=LONGEST {
        let said = step.solution(&moves).ok_or(Text::fixed("the engine finds no solution", "引擎找不到解"))?;
        let played = step.check(&moves, &said).map_err(|bad| lianzi_core::Speak::text(&bad))?;
        match played.verdict {
            Verdict::Solved => return Ok(()),
            Verdict::Wrong => {
                let said = said.join(" ");
                return Err(text!("{said} is what the engine does, and it is wrong", "引擎的答案 {said} 不对"));
            }
            Verdict::Longer => return Err(Text::fixed("it takes longer than the task says", "比任务所说的要长")),
            Verdict::Right => {}
        }
        moves = played.position.plies()[step.position.plies().len()..].iter().map(|ply| ply.cell).collect();
    }
    Err(Text::fixed("it never ends", "没有结束"))
}
