//! What the project's own commands and fuzz targets use beside the library: parts of engines, books, training. It may
//! change with every version.

/// Fast boards.
pub mod board {
    pub use crate::board::Fouls;
}

/// Connect Four.
pub mod connect4 {
    pub use crate::connect4::prover::examine;
    pub use crate::connect4::solver::book;
    pub use crate::connect4::solver::{Choice, ConnectFour, win_in};
}

/// Connect6.
pub mod connect6 {
    pub use crate::connect6::player::{Player, Settings};
    pub use crate::connect6::solver::Threats;
    pub use crate::connect6::weights::Weights;
    pub use crate::connect6::{book, fit, network};
}

/// Five in a row.
pub mod gomoku {
    pub use crate::gomoku::board::GomokuBoard;
    pub use crate::gomoku::fit;
    pub use crate::gomoku::knowledge::Knowledge;
    pub use crate::gomoku::margins::Margins;
    pub use crate::gomoku::network;
    pub use crate::gomoku::prover::{Means, prove, prove_for};
    pub use crate::gomoku::shortest::Shortest;
    pub use crate::gomoku::spot::cell;
    pub use crate::gomoku::trace::{Event, Note, Step, follow};
    pub use crate::gomoku::verify::{loses, wins, wins_by_fours};
    pub use crate::gomoku::weights::Weights;
}

/// Networks.
pub mod network {
    #[cfg(target_family = "wasm")]
    pub use crate::network::hand_in;
    pub use crate::network::train::{Epoch, PLAN};
    pub use crate::network::{FORMS, Form, Network};
}

/// Games of engines against themselves, and what is learnt from them.
pub mod training {
    pub use crate::training::{Lesson, Note, file, logistic, selfplay};
}
