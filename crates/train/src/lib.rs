//! Puzzles that are proven, mistakes that come back, lessons, and a learner's progress (docs/train.md).
//!
//! A [`Puzzle`] is a line of text; [`library`] has those of the program, [`mine`] finds new ones in games and [`verify`]
//! checks each with the referee. [`attempt`] plays one against the strongest defence, [`hint`] and [`tree`] say what is
//! right. [`insight`] is the one face of all provers and solvers. [`lesson`] reads lessons, [`task`] checks what is done in
//! them. [`progress`] keeps what a learner has done, with a rating ([`rating`]) and days on which things come back
//! ([`schedule`]).
//!
//! The key decision: nothing is kept between questions. Who asks brings the puzzle, the stones since its position and the
//! progress, and is given back what changed. A server, a worker inside a page and a terminal need no more than that,
//! and nobody can be in the middle of anything when a page is closed. There is no input or output here, no clock and no
//! threads: the day is given.

pub mod attempt;
mod day;
pub mod hint;
pub mod insight;
pub mod lesson;
pub mod library;
pub mod mine;
pub mod progress;
pub mod puzzle;
pub mod rating;
mod rival;
pub mod schedule;
mod school;
pub mod task;
mod theme;
pub mod tree;
pub mod verify;

pub use day::Day;
pub use lesson::{BadLesson, Lesson};
pub use library::{Library, Wanted};
pub use progress::{BadProgress, Ended, Progress, Summary};
pub use puzzle::{BadPuzzle, Level, Puzzle, Turn};
pub use school::School;
pub use theme::{Goal, Theme};
