//! What was played: the game record, and the text formats it can be read from and written to.
//!
//! Reading has two steps, so that no format can smuggle in an impossible game. A format's reader turns bytes
//! into a draft: moves as written, each with its line. The draft is then replayed through the
//! referee, which yields a [`Loaded`] game: a record whose moves are all legal, and the first thing that was wrong.
//!
//! | format | file |
//! |---|---|
//! | `json` | ours: loses nothing, one game a line or one pretty-printed |
//! | `sgf` | the Smart Game Format: loses nothing that matters, with the help of a private property |
//! | `psq` | Piskvork: five in a row, one stone a turn, with times and names |
//! | `chess-save` | `ChessSave.txt`: 15×15, one stone a turn, told by player |
//! | `csv` | `black.csv` and `white.csv`: Connect6, with the game clock |
//! | `columns` | games with a drop, up to 9 columns: digits, one game a line |
//! | `moves` | any game without a set-up: cells, below a heading with the game |
//! | `matrix-s0`, `matrix-s2` | a position as a board of numbers, in either coding |
//! | `renlib` | RenLib's libraries: read only |
//!
//! Files come from strangers. Readers are loops, not recursions; they keep no more stones than a game can have, and
//! every list that a file could make long has a limit, above which the file is refused.

mod chess_save;
mod columns;
pub mod csv;
mod detect;
mod draft;
mod error;
mod format;
mod json;
pub mod matrix;
mod moves;
mod psq;
mod renlib;
mod sgf;
mod text;
mod tree;
mod variations;

pub use draft::{Loaded, Problem};
pub use error::{LoadError, Reason, Unwritable};
pub use format::{Document, Format, MAX_BYTES, MAX_GAMES};

use serde::{Deserialize, Serialize};

use crate::{Act, BadSetup, Cell, Game, Negotiation, OpeningRule, Position, Rules, Setup, Stone, Verdict};

/// One game as it was played. Its moves are legal: loading replays them, and the arena records what it judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The rules. Our JSON form writes them as the game's name, with the opening rule.
    #[serde(rename = "game", skip_serializing, deserialize_with = "json::board")]
    pub rules: Rules,
    /// How the players found their sides, where a rule says how.
    #[serde(skip)]
    pub negotiated: Option<Negotiated>,
    /// Stones that lay on the board before the first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<Setup>,
    /// The players, Black's first.
    #[serde(default)]
    pub sides: [Side; 2],
    /// What was played, stone by stone.
    #[serde(default, deserialize_with = "json::moves")]
    pub moves: Vec<Move>,
    /// How many of the moves were a given opening, played by neither player.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening: usize,
    /// Stones handed over in the same turn after one that had already won: ignored, and no foul.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surplus: Vec<Cell>,
    /// How it ended.
    #[serde(default)]
    pub verdict: Verdict,
    /// A remark on the whole game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Everything else the source said of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// Lines that were looked at but not played, in the order in which a walk through the tree meets them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// How the sides of a game were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiated {
    /// The rule.
    pub rule: OpeningRule,
    /// What the players did, up to the end of the opening or as far as it has come. A source that tells only stones has
    /// none of it.
    pub acts: Vec<Act>,
}

/// Who played a side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// The player's name.
    #[serde(default)]
    pub name: String,
    /// What the source called this side, where that differs from black and white.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub called: String,
    /// The end of what the player printed besides its moves: `!` before lines of its error output, and after a fault
    /// `>` before what it was told and `<` before what it said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// What the player tried and may not do, where it was locked in: `read /etc/passwd`, `network`, `process`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

/// One stone of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Where it was put.
    pub cell: Cell,
    /// How long the player took, in milliseconds; in a turn of several stones it stands with the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// How much CPU time the player used for it, in microseconds, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// What the player thought of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<Eval>,
    /// A remark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Everything else the source said of this move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
}

impl From<Cell> for Move {
    fn from(cell: Cell) -> Move {
        Move { cell, time_ms: None, cpu_us: None, eval: None, comment: String::new(), tags: Vec::new() }
    }
}

/// An opinion of a position, from the side that moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Eval {
    /// The score, in the engine's own unit; more is better.
    pub score: i32,
    /// A proven end in this many plies: positive when winning, negative when losing; 0 for a proven draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_in: Option<i32>,
    /// How deep it looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How many nodes it searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A named property that we keep without understanding it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// The name, such as SGF's `EV`.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// A line that leaves another one. A flat list instead of a tree, so that no nesting is too deep to drop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variation {
    /// Which line it leaves: 0 is the game, n is the variation with index n − 1, an earlier one.
    pub from: usize,
    /// After how many plies of the whole line, counted from the start of the game; a variation is left only after a
    /// stone of its own.
    pub ply: usize,
    /// The stones from there on; at least one.
    #[serde(deserialize_with = "json::moves")]
    pub moves: Vec<Move>,
}

impl GameRecord {
    /// A game in which nothing has been played yet.
    pub fn new(rules: Rules) -> GameRecord {
        GameRecord {
            rules,
            negotiated: None,
            setup: None,
            sides: Default::default(),
            moves: Vec::new(),
            opening: 0,
            surplus: Vec::new(),
            verdict: Verdict::UNFINISHED,
            comment: String::new(),
            tags: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// A game in which nothing has been played yet, with the rule by which its sides are found.
    pub fn of_game(rules: Rules, rule: OpeningRule) -> GameRecord {
        let mut record = GameRecord::new(rules);
        record.begin_by(rule);
        record
    }

    /// Lets the players find their sides by this rule.
    pub fn begin_by(&mut self, rule: OpeningRule) {
        let acts = Vec::new();
        self.negotiated = (rule != OpeningRule::None).then_some(Negotiated { rule, acts });
    }

    /// The rule by which the players found their sides.
    pub fn opening_rule(&self) -> OpeningRule {
        self.negotiated.as_ref().map_or(OpeningRule::None, |found| found.rule)
    }

    /// What the game is called, with its opening rule.
    pub fn game(&self) -> Game {
        Game { opening: self.opening_rule(), ..Game::from(self.rules) }
    }

    /// How far the players have come in finding their sides; nothing where no rule says how, and where only the stones
    /// are known.
    pub fn negotiation(&self) -> Option<Negotiation> {
        let Negotiated { rule, acts } = self.negotiated.as_ref()?;
        if acts.is_empty() && !self.moves.is_empty() {
            return None;
        }
        Negotiation::after(*rule, self.rules, acts).ok()
    }

    /// Whether the one who opened plays White.
    pub fn is_swapped(&self) -> bool {
        // Before records told what the players did, they told only this.
        let told = || self.tag("swap2") == Some("swapped");
        self.negotiation().map_or_else(told, |found| found.is_swapped())
    }

    /// The game so far as a referee knows it, with the verdict that the stones alone give.
    pub fn from_position(position: &Position) -> GameRecord {
        let mut record = GameRecord::new(*position.rules());
        record.moves = position.plies().iter().map(|ply| Move::from(ply.cell)).collect();
        record.verdict = Verdict::of(position);
        record
    }

    /// The position before the first move.
    pub fn start(&self) -> Result<Position, BadSetup> {
        match &self.setup {
            Some(setup) => Position::with_setup(self.rules, setup),
            None => Ok(Position::new(self.rules)),
        }
    }

    /// The position after the first `plies` moves.
    ///
    /// # Panics
    /// If the record's moves are not legal, which loading and recording exclude.
    pub fn position_at(&self, plies: usize) -> Position {
        let mut position = self.start().expect("a record's set-up was checked when it was made");
        for played in self.moves.iter().take(plies) {
            position.play(played.cell).expect("a record's moves were checked when it was made");
        }
        position
    }

    /// The position after the last move.
    pub fn position(&self) -> Position {
        self.position_at(self.moves.len())
    }

    /// The player of this side.
    pub fn side(&self, stone: Stone) -> &Side {
        &self.sides[stone.index()]
    }

    /// The value of a property of the game that we only keep.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name)?.values.first().map(String::as_str)
    }

    /// Sets a property of the game.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.tags.retain(|tag| tag.name != name);
        self.tags.push(Tag { name: name.into(), values: vec![value.into()] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only game of a text.
    pub(super) fn loaded(format: Format, text: &str, rules: Option<Rules>) -> Loaded {
        let mut games = format.read(&Document::Single(text.into()), rules).unwrap();
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    /// Why a text cannot be read.
    pub(super) fn refused(format: Format, text: &str, rules: Option<Rules>) -> LoadError {
        format.read(&Document::Single(text.into()), rules).unwrap_err()
    }

    /// A record in a format of text.
    pub(super) fn written(format: Format, record: &GameRecord) -> String {
        match format.write(std::slice::from_ref(record)).unwrap() {
            Document::Single(bytes) => String::from_utf8(bytes).unwrap(),
            Document::Pair { .. } => panic!("{format} is one file"),
        }
    }
}
