//! Players after published programs, kept as their documents describe them.
//!
//! The point of these players is faithfulness, not strength: their claims are to be measured, so a weakness of
//! the document stays in and is named in a test. Where a document leaves something open the reading taken is
//! written beside the code. Each innovation a document claims can be switched off by an option.

pub mod connect6;

pub use connect6::ClassicConnect6;
