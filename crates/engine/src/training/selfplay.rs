//! One game of an engine against itself.

use lianzi_core::{Cell, Outcome, Position, Random, Rules, mix};

use super::{Lesson, Note};
use crate::family::Family;
use crate::{Engine, Limits, Stop};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The game.
    pub rules: Rules,
    /// How many nodes each turn is searched.
    pub nodes: u64,
    /// An opening is taken if a search thinks that neither side is ahead by more.
    pub balance: i32,
    /// Games are numbered within this seed.
    pub seed: u64,
    /// Whether stones drawn by chance are strewn among the engine's, and only what comes right after one is thought
    /// over and noted: a search mostly looks at answers to mistakes, and whole games contain few.
    pub astray: bool,
}

/// Two searches agree when their scores differ by less, in percent of what changes the odds by e.
const AGREE: i32 = 30;

/// How far ahead a side may usually be after the opening, in the same unit.
const FAIR: i32 = 60;

/// From here on a score is as good as decided, and the position teaches nothing.
const DECIDED: i32 = 5_000;

/// One turn in so many is drawn among the better ones instead of the best.
const STRAY: usize = 12;

/// One turn in so many is drawn by chance where games go astray.
const LOST: usize = 3;

/// After so many stones a game that went astray is broken off.
const LONGEST: usize = 70;

/// In its opening and between its drawn turns a search has one of so many parts of the nodes.
const HURRY: u64 = 8;

/// How far ahead a side may usually be after an opening, in the points of the game's engine.
pub fn fair(rules: &Rules) -> i32 {
    Family::of(rules).points() * FAIR / 100
}

/// Plays game number `n`. None if it was stopped.
pub fn play(course: &Course, n: u64, engine: &mut dyn Engine, stop: &Stop) -> Option<Lesson> {
    let mut random = Random::new(mix(course.seed ^ mix(n)));
    let opened = if course.astray { Course { nodes: course.nodes / HURRY, ..*course } } else { *course };
    let mut position = opening(&opened, engine, &mut random, stop)?;
    let notes = position.plies().iter().map(|ply| Note { cell: ply.cell, score: None, quiet: false });
    let mut lesson = Lesson { opening: position.plies().len(), plies: notes.collect(), ..Lesson::default() };
    engine.begin(n);
    let mut drawn = false;
    while position.outcome().is_none() {
        let before = drawn;
        drawn = course.astray && !before && random.below(LOST) == 0;
        let (turn, score, quiet) = match () {
            _ if drawn => (chance(&position, &mut random), None, false),
            _ if course.astray && !before => hurry(course, &position, engine, stop)?,
            _ => think(course, &position, engine, &mut random, stop),
        };
        if stop.is_set() {
            return None;
        }
        for (k, cell) in turn.into_iter().enumerate() {
            let score = score.filter(|_| k == 0).map(|score| score as i16);
            lesson.plies.push(Note { cell, score, quiet: quiet && k == 0 });
            position.play(cell).ok()?;
        }
        let decided = score.is_some_and(|score| score.abs() >= DECIDED);
        if course.astray && (decided || position.plies().len() >= LONGEST) {
            break;
        }
    }
    lesson.winner = position.outcome().and_then(Outcome::winner);
    lesson.broken_off = course.astray;
    Some(lesson)
}

/// A turn drawn among the cells near the last stones.
fn chance(position: &Position, random: &mut Random) -> Vec<Cell> {
    const REACH: u8 = 2;
    let mut position = position.clone();
    let (stone, mut turn) = (position.to_move(), Vec::new());
    while position.to_move() == stone && position.outcome().is_none() {
        let recent: Vec<Cell> = position.plies().iter().rev().take(4).map(|ply| ply.cell).collect();
        let near = |cell: &Cell| {
            recent.iter().any(|of| cell.column.abs_diff(of.column) <= REACH && cell.row.abs_diff(of.row) <= REACH)
        };
        let mut cells: Vec<Cell> = position.legal().filter(near).collect();
        if cells.is_empty() {
            cells.extend(position.legal());
        }
        let cell = cells[random.below(cells.len())];
        // It is legal.
        let _ = position.play(cell);
        turn.push(cell);
    }
    turn
}

/// A turn that is not thought over long, and not noted. None if there is none.
fn hurry(course: &Course, position: &Position, engine: &mut dyn Engine, stop: &Stop) -> Option<Thought> {
    let limits = Limits { nodes: Some(course.nodes / HURRY), ..Limits::default() };
    let best = engine.search(position, &limits, stop, &mut |_| {});
    (!best.turn.is_empty()).then_some((best.turn, None, false))
}

/// A turn, what the position is worth if the turn is the best one, and whether a short search said the same.
type Thought = (Vec<Cell>, Option<i32>, bool);

/// Thinks a turn over.
fn think(course: &Course, position: &Position, engine: &mut dyn Engine, random: &mut Random, stop: &Stop) -> Thought {
    let ask = |engine: &mut dyn Engine, nodes, lines| {
        let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
        engine.search(position, &limits, stop, &mut |_| {})
    };
    let score = |best: &crate::Best| best.info.lines.first().map_or(0, |line| line.score);
    let short = score(&ask(engine, course.nodes / 4, 1));
    let best = ask(engine, course.nodes, 1);
    let long = score(&best);
    let agree = Family::of(&course.rules).points() * AGREE / 100;
    let quiet = (short - long).abs() < agree && long.abs() < DECIDED;
    if quiet && random.below(STRAY) == 0 {
        // Games that never leave the best line would all look alike.
        let stray = ask(engine, course.nodes, 4);
        let good = stray.info.lines.iter().filter(|line| score(&stray) - line.score < agree).count();
        if let Some(line) = stray.info.lines.get(random.below(good.max(1))) {
            let stones = best.turn.len().min(line.cells.len());
            return (line.cells[..stones].to_vec(), None, false);
        }
    }
    (best.turn, Some(long), quiet)
}

/// A few random stones near the middle after which neither side is far ahead.
pub fn opening(course: &Course, engine: &mut dyn Engine, random: &mut Random, stop: &Stop) -> Option<Position> {
    while !stop.is_set() {
        let position = strew(&course.rules, random);
        if position.outcome().is_some() {
            continue;
        }
        engine.begin(0);
        let limits = Limits { nodes: Some(course.nodes), ..Limits::default() };
        let best = engine.search(&position, &limits, stop, &mut |_| {});
        if best.info.lines.first().is_some_and(|line| line.score.abs() <= course.balance) {
            return Some(position);
        }
    }
    None
}

/// Whole turns of random stones in a square: around the middle, or at five in a row half of the time anywhere, as
/// tournaments open too. What only saw the middle judges edges badly.
fn strew(rules: &Rules, random: &mut Random) -> Position {
    let mut position = Position::new(*rules);
    let stones = 2 + random.below(7);
    let reach = 2 + random.below(5);
    let anywhere = Family::of(rules) == Family::Gomoku && random.below(2) == 0;
    let sides = [rules.width, rules.height].map(usize::from);
    let centre = sides.map(|side| if anywhere { random.below(side) } else { side / 2 });
    for _ in 0..200 {
        if position.plies().len() >= stones && !position.mid_turn() || position.outcome().is_some() {
            break;
        }
        let [column, row] = [0, 1].map(|n| {
            let (least, most) = (centre[n].saturating_sub(reach), (centre[n] + reach).min(sides[n] - 1));
            (least + random.below(most - least + 1)) as u8
        });
        // A cell that is taken or forbidden is drawn again.
        let _ = position.play(Cell::new(column, row));
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, catalog};

    fn lessons(game: &str, astray: bool) -> Vec<Lesson> {
        let rules: Rules = game.parse().unwrap();
        let mut engine = catalog::engine("strong", &rules, &Options::default()).unwrap();
        let course = Course { rules, nodes: 200, balance: fair(&rules), seed: 3, astray };
        (0..6).map(|n| play(&course, n, engine.as_mut(), &Stop::default()).unwrap()).collect()
    }

    #[test]
    fn where_games_go_astray_only_answers_to_drawn_turns_are_noted() {
        for game in ["gomoku:11", "connect6:13"] {
            let (whole, astray) = (lessons(game, false), lessons(game, true));
            assert!(whole.iter().all(|lesson| !lesson.broken_off) && astray.iter().all(|lesson| lesson.broken_off));
            let noted = |lessons: &[Lesson]| {
                let notes = lessons.iter().flat_map(|lesson| &lesson.plies[lesson.opening..]);
                notes.clone().filter(|note| note.score.is_some()).count() as f64 / notes.count() as f64
            };
            assert!(noted(&astray) > 0.0 && noted(&astray) < 0.5 * noted(&whole), "{game}");
            assert_eq!(astray, lessons(game, true), "a game depends on its number alone");
        }
    }

    #[test]
    fn openings_at_five_in_a_row_lie_everywhere() {
        let rules: Rules = "gomoku".parse().unwrap();
        let mut random = Random::new(1);
        let mut far = |rules: &Rules| {
            let off = |cell: Cell| cell.column.abs_diff(rules.width / 2).max(cell.row.abs_diff(rules.height / 2)) > 6;
            (0..200).filter(|_| strew(rules, &mut random).plies().iter().any(|ply| off(ply.cell))).count()
        };
        assert!((30..170).contains(&far(&rules)));
        assert_eq!(far(&"connect6".parse().unwrap()), 0);
    }
}
