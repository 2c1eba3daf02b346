//! Training as messages: puzzles, hints, lessons, progress. docs/train.md is the contract.

use lianzi_core::{Cell, Position, Rules, Speak, Stone, Text};
use lianzi_train::attempt::{self, BadTurn, Played};
use lianzi_train::hint::{self, Hint};
use lianzi_train::lesson::{Lesson, Step};
use lianzi_train::progress::{Slip, mistakes};
use lianzi_train::puzzle::Puzzle;
use lianzi_train::tree::{Branch, tree};
use lianzi_train::{Day, Ended, Level, Library, Progress, School, Theme, Wanted};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::records::read_kept;
use crate::{Asked, Refusal, board_json, bounds};

/// How many puzzles that are to be repeated are told at once.
const DUE: usize = 50;
/// How many stones an attempt may have.
const STONES: usize = 400;

/// What is asked about training.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "docs/train.md says what each field is")]
pub enum Request {
    /// All sets, and how the learner stands.
    TrainSets { progress: Kept, when: When },
    /// A puzzle that suits the learner.
    TrainNext {
        progress: Kept,
        #[serde(default)]
        game: Option<String>,
        #[serde(default)]
        theme: Option<String>,
        #[serde(default)]
        level: Option<String>,
        #[serde(default)]
        after: Option<String>,
    },
    /// The puzzle of a day.
    TrainDaily { when: When },
    /// A puzzle by its id.
    TrainPuzzle { id: String },
    /// A turn of a puzzle.
    TrainPlay { puzzle: String, moves: Vec<String>, turn: Vec<String> },
    /// A step of a hint.
    TrainHint { puzzle: String, moves: Vec<String>, step: u8 },
    /// The whole solution.
    TrainTree { puzzle: String },
    /// How an attempt ended.
    TrainFinish { progress: Kept, when: When, puzzle: String, result: Ended },
    /// What is to be repeated.
    TrainDue { progress: Kept, when: When },
    /// The mistakes of a game that was reviewed.
    TrainMistakes { progress: Kept, when: When, record: String, review: Reviewed, stone: Option<Stone> },
    /// The lessons there are.
    TrainLessons { progress: Kept },
    /// A lesson.
    TrainLesson { id: String },
    /// What was done in a step of a lesson.
    TrainTask { lesson: String, step: usize, moves: Vec<String>, turn: Vec<String> },
    /// A step of a lesson is done.
    TrainLearnt { progress: Kept, when: When, lesson: String, step: usize },
    /// Progress that was exported.
    TrainImport { progress: Kept, when: When, text: String },
}

/// The learner's progress as the page keeps it: a JSON object, or null.
pub type Kept = Option<Value>;

/// The page's time; only the day matters so far.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct When {
    /// The local day.
    pub day: Day,
}

/// What is needed of a review.
#[derive(Deserialize)]
pub struct Reviewed {
    plies: Vec<Slip>,
}

/// Who answers: the puzzles and the lessons there are.
pub struct Trainer {
    library: Library,
    school: School,
}

impl Trainer {
    /// One with these lessons beside the built-in puzzles.
    pub fn new(school: School) -> Trainer {
        Trainer { library: Library::built_in(), school }
    }

    /// Reads a request and answers it.
    pub fn answer_text(&self, text: &str) -> Result<Value, Refusal> {
        let request = Asked::read(text).and_then(|asked| asked.sort()).map_err(|error| {
            let why = lianzi_core::shorten(&error.to_string());
            Refusal::bad(format!("the request cannot be understood: {why}"), format!("无法理解请求：{why}"))
        })?;
        self.answer(request)
    }

    /// Answers a request.
    pub fn answer(&self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::TrainSets { progress, when } => {
                let progress = read(&progress)?;
                Ok(json!({"sets": self.sets(&progress), "summary": progress.summary(when.day)}))
            }
            Request::TrainNext { progress, game, theme, level, after } => {
                let wanted = wanted(game.as_deref(), theme.as_deref(), level.as_deref())?;
                let puzzle = self.library.next(&read(&progress)?, &wanted, after.as_deref());
                Ok(json!({"puzzle": puzzle.map(puzzle_json)}))
            }
            Request::TrainDaily { when } => Ok(json!({"puzzle": self.library.daily(when.day).map(puzzle_json)})),
            Request::TrainPuzzle { id } => Ok(json!({"puzzle": puzzle_json(self.puzzle(&id)?)})),
            Request::TrainPlay { puzzle, moves, turn } => {
                let puzzle = line(&puzzle)?;
                let (moves, turn) = (cells(&moves)?, cells(&turn)?);
                let played = attempt::play(&puzzle, &moves, &turn).map_err(bad_turn)?;
                Ok(played_json(&played, puzzle.moves.len(), &puzzle.accepted))
            }
            Request::TrainHint { puzzle, moves, step } => {
                let found = hint::hint(&line(&puzzle)?, &cells(&moves)?, step).map_err(bad_turn)?;
                Ok(hint_json(&found))
            }
            Request::TrainTree { puzzle } => {
                let puzzle = line(&puzzle)?;
                let (branches, cut) = tree(&puzzle);
                let told: Vec<Value> = branches.iter().map(|branch| branch_json(branch, puzzle.rules.line)).collect();
                Ok(json!({"tree": told, "cut": cut}))
            }
            Request::TrainFinish { progress, when, puzzle, result } => self.finish(&progress, when, &puzzle, result),
            Request::TrainDue { progress, when } => self.due(&read(&progress)?, when),
            Request::TrainMistakes { progress, when, record, review, stone } => {
                let found = mistakes(&read_kept(&record)?, &review.plies, stone);
                add_mistakes(read(&progress)?, found, when)
            }
            Request::TrainLessons { progress } => {
                let progress = read(&progress)?;
                let lessons = self.school.lessons().iter().map(|lesson| entry_json(lesson, &progress));
                Ok(json!({"lessons": lessons.collect::<Vec<_>>()}))
            }
            Request::TrainLesson { id } => Ok(json!({"lesson": lesson_json(self.school.get(&id)?)})),
            Request::TrainTask { lesson, step, moves, turn } => {
                let step = self.step(&lesson, step)?;
                let played = step.check(&cells(&moves)?, &bounded(turn)?).map_err(bad_turn)?;
                Ok(played_json(&played, step.position.plies().len(), &[]))
            }
            Request::TrainLearnt { progress, when, lesson, step } => {
                self.step(&lesson, step)?;
                let mut progress = read(&progress)?;
                progress.learnt(&lesson, step);
                Ok(kept(&progress, when))
            }
            Request::TrainImport { progress, when, text } => {
                let mut progress = read(&progress)?;
                progress.merge(Progress::read(&text).map_err(|bad| bad.text())?);
                Ok(kept(&progress, when))
            }
        }
    }

    fn puzzle(&self, id: &str) -> Result<&Puzzle, Refusal> {
        self.library.get(id).ok_or_else(|| Text::fixed("there is no such puzzle", "没有这道题").into())
    }

    fn step(&self, lesson: &str, step: usize) -> Result<&Step, Refusal> {
        let steps = &self.school.get(lesson)?.steps;
        steps.get(step).ok_or_else(|| Text::fixed("the lesson has no such step", "这一课没有此步").into())
    }

    fn sets(&self, progress: &Progress) -> Vec<Value> {
        self.library.sets().into_iter().map(|(rules, theme)| self.set(rules, theme, progress)).collect()
    }

    fn set(&self, rules: Rules, theme: Theme, progress: &Progress) -> Value {
        let counted = |level: Option<Level>| {
            let wanted = Wanted { game: Some(rules), theme: Some(theme), level };
            let ids = || self.library.puzzles().iter().filter(|puzzle| wanted.takes(puzzle)).map(|one| one.id.as_str());
            (ids().count(), progress.counted(ids()).1)
        };
        let (count, solved) = counted(None);
        let [easy, medium, hard] = Level::ALL.map(|level| counted(Some(level)));
        json!({
            "game": rules.to_string(), "theme": theme.name(), "title": rules.title(), "name": theme.title_of_set(),
            "about": theme.about(), "count": count, "solved": solved,
            "levels": {"easy": easy, "medium": medium, "hard": hard},
        })
    }

    fn finish(&self, progress: &Kept, when: When, puzzle: &str, ended: Ended) -> Result<Value, Refusal> {
        let mut progress = read(progress)?;
        let given = line(puzzle)?;
        // What the program knows by this id is what counts: a page cannot rate its own puzzles.
        let own = progress.mistake(&given.id);
        let puzzle = own.as_ref().or_else(|| self.library.get(&given.id));
        let puzzle = puzzle.ok_or_else(|| Refusal::from(Text::fixed("there is no such puzzle", "没有这道题")))?;
        let daily = self.library.daily(when.day).is_some_and(|daily| daily.id == puzzle.id);
        let change = progress.finish(puzzle, ended, when.day, daily);
        let mut told = kept(&progress, when);
        told["change"] = json!(change.rating);
        told["again"] = json!(change.again);
        Ok(told)
    }

    fn due(&self, progress: &Progress, When { day }: When) -> Result<Value, Refusal> {
        let due = progress.due(day);
        let known = |id: &&str| progress.mistake(id).or_else(|| self.library.get(id).cloned());
        let puzzles: Vec<Value> = due.iter().filter_map(known).take(DUE).map(|puzzle| puzzle_json(&puzzle)).collect();
        Ok(json!({"puzzles": puzzles, "count": due.len(), "next": progress.next_due(day)}))
    }

    /// How a learner did in each set, as a teacher sees it.
    pub fn report(&self, progress: &Progress) -> Vec<Value> {
        let sets = self.library.sets().into_iter().filter_map(|(rules, theme)| {
            let of_set = self.library.puzzles().iter().filter(|one| (one.rules, one.theme) == (rules, theme));
            let (tried, solved) = progress.counted(of_set.map(|puzzle| puzzle.id.as_str()));
            let told = json!({"game": rules.to_string(), "theme": theme.name(), "tried": tried, "solved": solved});
            (tried > 0).then_some(told)
        });
        sets.collect()
    }
}

/// Reads progress that a page keeps.
pub fn read(progress: &Kept) -> Result<Progress, Refusal> {
    match progress {
        Some(kept) => Ok(Progress::read(&kept.to_string()).map_err(|bad| bad.text())?),
        None => Ok(Progress::default()),
    }
}

fn add_mistakes(mut progress: Progress, found: Vec<Puzzle>, when: When) -> Result<Value, Refusal> {
    let added = progress.add_mistakes(found, when.day);
    let mut told = kept(&progress, when);
    told["added"] = json!(added);
    Ok(told)
}

fn kept(progress: &Progress, when: When) -> Value {
    json!({"progress": progress, "summary": progress.summary(when.day)})
}

fn line(text: &str) -> Result<Puzzle, Refusal> {
    let puzzle: Puzzle = text.parse().map_err(|bad: lianzi_train::BadPuzzle| bad.text())?;
    bounds::game(&puzzle.rules.to_string())?;
    Ok(puzzle)
}

fn wanted(game: Option<&str>, theme: Option<&str>, level: Option<&str>) -> Result<Wanted, Refusal> {
    let game = game.map(|game| Ok::<_, Refusal>(bounds::game(game)?.parse()?)).transpose()?;
    let theme = theme
        .map(|theme| theme.parse().map_err(|()| Refusal::from(Text::fixed("there is no such theme", "没有这类题目"))));
    Ok(Wanted { game, theme: theme.transpose()?, level: level.map(str::parse).transpose()? })
}

fn bounded(names: Vec<String>) -> Result<Vec<String>, Refusal> {
    if names.len() > STONES {
        return Err(Refusal::bad("these are too many stones", "棋子过多"));
    }
    Ok(names)
}

fn cells(names: &[String]) -> Result<Vec<Cell>, Refusal> {
    if names.len() > STONES {
        return Err(Refusal::bad("these are too many stones", "棋子过多"));
    }
    let read = |name: &String| name.parse().map_err(|bad: lianzi_core::NotACell| Refusal::from(bad.text()));
    names.iter().map(read).collect()
}

fn bad_turn(bad: BadTurn) -> Refusal {
    bad.text().into()
}

fn puzzle_json(puzzle: &Puzzle) -> Value {
    let position = puzzle.position();
    json!({
        "id": puzzle.id, "line": puzzle.to_string(), "number": puzzle.number(), "theme": puzzle.theme.name(),
        "goal": puzzle.goal().name(), "title": puzzle.title(), "name": puzzle.theme.title_of_set(),
        "about": puzzle.theme.about(), "turns": puzzle.turns, "rating": puzzle.rating, "level": puzzle.level().name(),
        "moves": puzzle.moves, "to_move": position.to_move(), "stones_left": position.stones_left(),
        "start": board_json(&puzzle.rules), "forbidden": forbidden(&position),
    })
}

/// What a turn became; `before` stones lay on the board when the puzzle began.
fn played_json(played: &Played, before: usize, accepted: &[Vec<Cell>]) -> Value {
    let position = &played.position;
    let moves: Vec<Cell> = position.plies().iter().skip(before).map(|ply| ply.cell).collect();
    let over = played.verdict == attempt::Verdict::Solved;
    // Turns that would have been right are told when nothing can be solved any more.
    let better: Vec<&Vec<Cell>> = if over { accepted.iter().collect() } else { Vec::new() };
    json!({
        "verdict": played.verdict.name(), "words": played.words, "turn": played.turn, "answer": played.answer,
        "moves": moves, "stones_left": position.stones_left(), "done": played.done, "turns": played.turns, "over": over,
        "better": better, "refutation": played.refutation, "forbidden": forbidden(position),
        "winning_line": position.winning_line(),
    })
}

fn forbidden(position: &Position) -> Vec<Cell> {
    match position.outcome() {
        Some(_) => Vec::new(),
        None => position.empty_cells().filter(|&cell| position.foul(cell).is_some()).collect(),
    }
}

fn hint_json(Hint { step, words, cells }: &Hint) -> Value {
    json!({"step": step, "of": hint::STEPS, "words": words, "cells": cells})
}

fn branch_json(branch: &Branch, line: u8) -> Value {
    let then: Vec<Value> = branch.then.iter().map(|next| branch_json(next, line)).collect();
    json!({
        "turn": branch.turn, "by": branch.by, "best": branch.best, "end": branch.end.map(|end| end.name(line)), "then": then,
    })
}

fn entry_json(lesson: &Lesson, progress: &Progress) -> Value {
    let done = progress.lessons().get(&lesson.id);
    json!({
        "id": lesson.id, "game": lesson.rules.to_string(), "title": lesson.title, "about": lesson.about,
        "steps": lesson.steps.len(), "tasks": lesson.tasks(), "done": done.cloned().unwrap_or_default(),
    })
}

fn lesson_json(lesson: &Lesson) -> Value {
    let steps: Vec<Value> = lesson.steps.iter().map(step_json).collect();
    json!({
        "id": lesson.id, "game": lesson.rules.to_string(), "title": lesson.title, "about": lesson.about, "steps": steps,
        "tasks": lesson.tasks(),
    })
}

fn step_json(step: &Step) -> Value {
    let position = &step.position;
    let mut start = board_json(position.rules());
    start["setup"] = json!(step.setup);
    let task = step.task.as_ref().map(|task| {
        json!({
            "kind": task.name(), "words": task.words(position), "turns": task.turns(), "mark": task.name() == "find",
            "number": task.name() == "number", "hint": step.hint,
        })
    });
    json!({
        "words": step.words, "start": start, "moves": position.plies().iter().map(|ply| ply.cell).collect::<Vec<_>>(),
        "marks": step.marks, "to_move": position.to_move(), "stones_left": position.stones_left(),
        "forbidden": forbidden(position), "task": task,
    })
}
