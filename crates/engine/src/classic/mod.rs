//! The classics: players that others described in their documents, rebuilt to give the same answers.
//!
//! Each has a folder of its own and shares nothing with its siblings: a player that is to stay as it was printed
//! must not change because another one does. Where a document leaves something open, the player's own page says
//! what was decided and why.

mod python;

pub use python::Python;
