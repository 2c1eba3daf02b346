//! The terminal: one table, and three ways to sit at it.
//!
//! A [`TerminalTable`](table::TerminalTable) is the arena's live table with its file; it never reads a key and never draws. On a terminal
//! `app` shows it as a full screen: `input` turns keys and the mouse into what happens, `board` and `panels` draw.
//! Without one, or for a screen reader, `lines` reads and prints line by line. `console_s1` speaks as the console of
//! the document S1 did. What is typed means the same to the first two: `orders`.

mod app;
mod board;
mod console_s1;
mod draw;
mod input;
mod layout;
mod lines;
mod marks;
mod orders;
mod panels;
mod screen;
mod table;
mod theme;
mod words;

pub use app::play as play_on_screen;
pub use console_s1::play as play_console_s1;
pub use lines::play as play_by_lines;
pub use table::{Start, clock_seed, resume};
