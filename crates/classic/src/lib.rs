//! Players after published programs, kept as their documents describe them.
//!
//! The point of these players is faithfulness, not strength: a strong engine must beat them, and the tables of the
//! documents must come out of them again. So a weakness of the document stays in and is named in a test, and each
//! innovation a document claims can be switched off by an option. Where a document contradicts itself or leaves
//! something open, the reading taken is written beside the code. They share nothing with one another: a player that
//! is to stay as it was printed must not change because another one does.
//!
//! [`catalog`] is the list of all players of the house: those of `lianzi-engine` and these.

pub mod catalog;
pub mod connect6;
mod gomoku;
mod python;

pub use catalog::BUILT_IN;
pub use connect6::ClassicConnect6;
pub use gomoku::{ClassicGomoku, Modules, Settings};
pub use python::Python as ClassicPython;
