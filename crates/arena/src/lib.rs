//! Who plays whom, and who won.
