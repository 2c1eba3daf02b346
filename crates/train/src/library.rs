//! The puzzles that are part of the program, and which of them comes next.

use std::collections::BTreeMap;

use lianzi_core::{Rules, mix};

use crate::day::Day;
use crate::progress::Progress;
use crate::puzzle::{Level, Puzzle, read};
use crate::theme::Theme;

/// The files of puzzles.
#[cfg(not(target_family = "wasm"))]
fn files() -> [&'static str; 5] {
    [
        include_str!("../data/gomoku.puzzles"),
        include_str!("../data/standard.puzzles"),
        include_str!("../data/renju.puzzles"),
        include_str!("../data/connect6.puzzles"),
        include_str!("../data/connect4.puzzles"),
    ]
}

/// A page loads its module without them: who only plays needs none. They come beside it, in one file, and are handed in
/// before the first is asked for.
#[cfg(target_family = "wasm")]
static HANDED_IN: std::sync::OnceLock<String> = std::sync::OnceLock::new();

#[cfg(target_family = "wasm")]
fn files() -> [&'static str; 1] {
    [HANDED_IN.get().map(String::as_str).unwrap_or_default()]
}

/// Takes the puzzles of a page.
#[cfg(target_family = "wasm")]
pub fn hand_in(file: String) {
    // A page that hands them in twice hands in the same.
    let _ = HANDED_IN.set(file);
}

/// Between these ratings lie the puzzles of the day.
const DAILY: std::ops::Range<u16> = 1000..1700;
/// Among how many that suit a learner one is chosen.
const NEAR: usize = 12;

/// Which puzzles are wanted; what is not said does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The game.
    pub game: Option<Rules>,
    /// What they are about.
    pub theme: Option<Theme>,
    /// How hard they are.
    pub level: Option<Level>,
}

impl Wanted {
    /// Whether a puzzle is one of those.
    pub fn takes(&self, puzzle: &Puzzle) -> bool {
        self.game.is_none_or(|game| game == puzzle.rules)
            && self.theme.is_none_or(|theme| theme == puzzle.theme)
            && self.level.is_none_or(|level| level == puzzle.level())
    }
}

/// All puzzles of the program, read once by whoever needs them.
pub struct Library {
    puzzles: Vec<Puzzle>,
    by_id: BTreeMap<String, usize>,
}

impl Library {
    /// The built-in puzzles.
    pub fn built_in() -> Library {
        let read = |text: &str| read(text).expect("the built-in puzzles were read by a test");
        Library::of(files().into_iter().flat_map(read).collect())
    }

    /// A library of these puzzles.
    pub fn of(puzzles: Vec<Puzzle>) -> Library {
        let by_id = puzzles.iter().enumerate().map(|(n, puzzle)| (puzzle.id.clone(), n)).collect();
        Library { puzzles, by_id }
    }

    /// All of them.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// The puzzle of this id.
    pub fn get(&self, id: &str) -> Option<&Puzzle> {
        self.by_id.get(id).map(|&n| &self.puzzles[n])
    }

    /// The sets: every game and theme that there is, in the order of the files.
    pub fn sets(&self) -> Vec<(Rules, Theme)> {
        let mut sets = Vec::new();
        for puzzle in &self.puzzles {
            let set = (puzzle.rules, puzzle.theme);
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        let place = |rules: &Rules| self.puzzles.iter().position(|puzzle| puzzle.rules == *rules);
        sets.sort_by_key(|(rules, theme)| (place(rules), *theme));
        sets
    }

    /// The puzzle of a day, the same for everybody.
    pub fn daily(&self, day: Day) -> Option<&Puzzle> {
        let suited: Vec<&Puzzle> = self.puzzles.iter().filter(|puzzle| DAILY.contains(&puzzle.rating)).collect();
        let pool = if suited.is_empty() { self.puzzles.iter().collect() } else { suited };
        let n = mix(day.number() as u64) as usize;
        pool.get(n % pool.len().max(1)).copied()
    }

    /// What suits the learner: of what was not met yet one near his rating, otherwise one that he has not solved. Not the
    /// one with this id, unless there is no other.
    pub fn next(&self, progress: &Progress, wanted: &Wanted, after: Option<&str>) -> Option<&Puzzle> {
        let open: Vec<&Puzzle> =
            self.puzzles.iter().filter(|puzzle| wanted.takes(puzzle) && !progress.has_solved(&puzzle.id)).collect();
        let new: Vec<&Puzzle> = open.iter().copied().filter(|puzzle| !progress.has_met(&puzzle.id)).collect();
        let mut pool = if new.is_empty() { open } else { new };
        if pool.len() > 1 {
            pool.retain(|puzzle| Some(puzzle.id.as_str()) != after);
        }
        let rating = progress.rating.rating;
        let distance = |puzzle: &&Puzzle| (f64::from(puzzle.rating) - rating).abs() as u32;
        // Equally far ones in an order that nobody can guess, the same whenever he asks again.
        pool.sort_by_key(|puzzle| (distance(puzzle), scatter(&puzzle.id)));
        pool.truncate(NEAR);
        pool.into_iter().min_by_key(|puzzle| scatter(&puzzle.id))
    }
}

fn scatter(id: &str) -> u64 {
    id.bytes().fold(7, |hash, byte| mix(hash ^ u64::from(byte)))
}
