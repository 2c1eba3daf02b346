//! What a page asks and is told, whoever answers it: a server, or a worker inside the page itself. docs/web.md is the
//! contract; this crate is the part of it that needs no network, no disk and no threads.
//!
//! A [`Sitting`] is a live game with what surrounds its table: it obeys a page's [`Action`]s, tells the whole state as
//! one message, and says what must be kept so that it can be opened again. [`NewGame`] is how a page asks for one, an
//! [`Asked`] any request by its name, [`advice`] what it is told of hints and analyses, [`review`] of a whole game,
//! [`train`] of puzzles and lessons, [`records`] what becomes of files, [`explore`] what was played from a position,
//! [`bounds`] how much there may be
//! of everything. Every refusal is a [`Refusal`], in words.
//!
//! The key decision: two answerers, one code. A page without a server was first thought of as a second implementation
//! in JavaScript; it would have been right until the first change of the contract.

mod actions;
pub mod advice;
mod asked;
pub mod bounds;
pub mod explore;
mod new_game;
pub mod players;
pub mod records;
mod refusal;
pub mod review;
mod series;
mod sitting;
pub mod solving;
mod state;
pub mod train;
mod zip;

pub use actions::{Action, Archived, LineAction, frozen};
pub use asked::Asked;
pub use new_game::{Beginning, NewGame};
pub use refusal::Refusal;
pub use series::Series;
pub use sitting::{SideChoice, Sitting, Spot};
pub use state::{board_json, info_json, line_json, thinking};
