//! The players of the course papers, as their authors described them.
//!
//! Each is faithful to one document: its evaluation, its search and its limits, with every switch the document
//! measures. They are not tuned. Their worth is to be compared with: a strong engine must beat them, and the
//! tables of the documents must come out of them again. Where a document contradicts itself or its own program,
//! the reading taken is written where it matters.

mod gomoku;

pub use gomoku::{ClassicGomoku, Modules, Settings};
