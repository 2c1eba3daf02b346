//! The games, written small: ten thousand of them have to fit into one page.
//!
//! Boards and verdicts repeat from game to game, so games name them by number; moves are one string of cells.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use lianzi_core::{Cell, Ending, GameRecord, Placement, Rules, Setup, Text, Verdict};
use serde::Serialize;

use crate::{Fixture, GameId};

/// How many bytes of thoughts fit into a page; `games.jsonl` has them all.
const MOST_THOUGHTS: usize = 8 << 20;

/// What the page must know of the rules to draw a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DrawnRules {
    /// The game's name.
    pub game: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// How many stones Black's first turn has.
    pub first_turn: u8,
    /// How many stones every later turn has.
    pub per_turn: u8,
    /// Whether stones drop.
    pub drop: bool,
    /// The blocked cells.
    pub blocked: Vec<Cell>,
}

impl From<&Rules> for DrawnRules {
    fn from(rules: &Rules) -> DrawnRules {
        DrawnRules {
            game: rules.to_string(),
            width: rules.width,
            height: rules.height,
            first_turn: rules.first_turn,
            per_turn: rules.per_turn,
            drop: rules.placement == Placement::Drop,
            blocked: rules.blocked.iter().collect(),
        }
    }
}

/// One game of the list.
#[derive(Clone, Debug, Serialize)]
pub struct GameRow<'a> {
    /// Its name.
    pub id: GameId,
    /// The round, from 0.
    pub round: usize,
    /// Who played Black and who White.
    pub seats: [usize; 2],
    /// The opening's number.
    pub opening: usize,
    /// The board, as an index into the report's boards.
    pub board: usize,
    /// The verdict in words, as an index into the report's.
    pub words: usize,
    /// The verdict.
    pub verdict: &'a Verdict,
    /// Stones that lay there before the first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<&'a Setup>,
    /// The moves, as cells written one after another.
    pub moves: String,
    /// How many of the moves were the opening.
    pub given: usize,
    /// The milliseconds of each move, if any was timed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Option<u64>>,
    /// What the mover thought of each move, if anything is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Option<i32>>,
    /// What the players said of each move, by the number of stones on the board after it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub thoughts: BTreeMap<usize, &'a str>,
    /// The winning line, as cells written one after another.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub line: String,
    /// A remark on the game.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub comment: &'a str,
    /// What the player at fault printed, if that is known; without a fault the end of what both did.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub said: Cow<'a, str>,
}

/// Somebody's fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// Whose fault.
    pub player: usize,
    /// In which game, as an index into the report's games.
    pub game: usize,
    /// The kind of fault.
    pub ending: &'static str,
    /// The cell of an illegal move, when it lies on the board.
    pub at: Option<Cell>,
}

/// The games with everything they share.
pub(super) struct Listed<'a> {
    pub rows: Vec<GameRow<'a>>,
    pub boards: Vec<DrawnRules>,
    pub words: Vec<Text>,
    pub faults: Vec<FaultRow>,
}

/// Lists the games.
pub(super) fn list(games: &[(Fixture, GameRecord)]) -> Listed<'_> {
    let (mut boards, mut words) = (Numbered::new(), Numbered::new());
    let mut left = MOST_THOUGHTS;
    let rows = games
        .iter()
        .map(|(fixture, record)| {
            let (board, words) = (boards.number(record.rules), words.number(spoken(record)));
            GameRow { thoughts: thoughts(record, &mut left), ..row(fixture, record, board, words) }
        })
        .collect();
    let faults = games.iter().enumerate().filter_map(|(n, (fixture, record))| fault(n, fixture, record));
    Listed {
        rows,
        boards: boards.items.iter().map(DrawnRules::from).collect(),
        words: words.items,
        faults: faults.collect(),
    }
}

fn spoken(record: &GameRecord) -> Text {
    Text::both(|language| record.verdict.words(&record.rules, language))
}

fn row<'a>(fixture: &Fixture, record: &'a GameRecord, board: usize, words: usize) -> GameRow<'a> {
    GameRow {
        id: fixture.id,
        round: fixture.round,
        seats: fixture.seats,
        opening: fixture.opening,
        board,
        words,
        verdict: &record.verdict,
        setup: record.setup.as_ref(),
        moves: cell_string(record.moves.iter().map(|played| played.cell)),
        given: record.opening,
        times: known(record.moves.iter().map(|played| played.time_ms)),
        scores: known(record.moves.iter().map(|played| played.eval.map(|eval| eval.score))),
        thoughts: BTreeMap::new(),
        line: winning_line(record),
        comment: &record.comment,
        said: said(record),
    }
}

/// What was printed during a game. Of games without a fault there are many, so each has room for less.
fn said(record: &GameRecord) -> Cow<'_, str> {
    const KEPT: usize = 2000;
    if let Some(blame) = record.verdict.blame {
        return record.side(blame).said.as_str().into();
    }
    let mut printed = String::new();
    for side in record.sides.iter().filter(|side| !side.said.is_empty()) {
        let cut = side.said.len().saturating_sub(KEPT);
        let cut = (cut..).find(|&at| side.said.is_char_boundary(at)).unwrap_or_default();
        printed += &format!("{}:\n{}\n", side.name, &side.said[cut..]);
    }
    printed.into()
}

/// What the players said of their moves, as long as the page has room for a whole game of it.
fn thoughts<'a>(record: &'a GameRecord, left: &mut usize) -> BTreeMap<usize, &'a str> {
    let comments = record.moves.iter().map(|played| played.comment.as_str()).enumerate();
    let said: BTreeMap<usize, &str> =
        comments.filter(|(_, comment)| !comment.is_empty()).map(|(n, comment)| (n + 1, comment)).collect();
    let size = said.values().map(|comment| comment.len()).sum();
    match left.checked_sub(size) {
        Some(rest) => {
            *left = rest;
            said
        }
        None => BTreeMap::new(),
    }
}

fn fault(game: usize, fixture: &Fixture, record: &GameRecord) -> Option<FaultRow> {
    let player = fixture.seat(record.verdict.blame?);
    let at = match &record.verdict.ending {
        Ending::Illegal { at, .. } => at.parse().ok().filter(|&cell| record.rules.contains(cell)),
        _ => None,
    };
    Some(FaultRow { player, game, ending: record.verdict.ending.name(), at })
}

fn winning_line(record: &GameRecord) -> String {
    match record.verdict.ending {
        Ending::Line => cell_string(record.position().winning_line().into_iter().flatten()),
        _ => String::new(),
    }
}

/// The values, or nothing at all when none is known.
fn known<T>(values: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let values: Vec<Option<T>> = values.collect();
    if values.iter().any(Option::is_some) { values } else { Vec::new() }
}

/// Cells one after another, `h8i10`: letters begin the next one, so no blank is needed.
pub(super) fn cell_string(cells: impl Iterator<Item = Cell>) -> String {
    cells.map(|cell| cell.to_string()).collect()
}

/// Different things, numbered in the order in which they first came.
struct Numbered<T> {
    items: Vec<T>,
    numbers: HashMap<T, usize>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Numbered<T> {
        Numbered { items: Vec::new(), numbers: HashMap::new() }
    }

    fn number(&mut self, item: T) -> usize {
        let next = self.items.len();
        *self.numbers.entry(item).or_insert_with_key(|item| {
            self.items.push(item.clone());
            next
        })
    }
}
