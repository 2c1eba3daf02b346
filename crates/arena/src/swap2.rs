//! Swap2, the opening in which the players find fair sides themselves: one lays three stones (Black, White, Black);
//! the other plays on as White, takes Black instead, or lays two more stones and leaves the choice to the first.
//!
//! At every choice a stone means "I play on with the side to move" and a swap means "you do"; so whoever lays the
//! sixth stone is White. Until the sides are settled the opener is called Black, and blamed as Black.

use lianzi_core::{Cell, Placement, Position, Random, Rules, mix};
use lianzi_engine::Best;

use crate::judge::Answer;

/// What a player says while the sides are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swap2 {
    /// On the empty board three stones; after that one stone to play on, or two to leave the choice to the other.
    Stones(Vec<Answer>),
    /// The other one shall have the side to move.
    Swap,
}

/// What happened to the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Who laid the first stones plays Black.
    Kept,
    /// Who laid the first stones plays White.
    Swapped,
}

/// How many openings an engine compares before it lays one.
pub const TRIPLES: usize = 8;

/// The property of a record that tells how the sides were found.
pub const TAG: &str = "swap2";
/// The opener plays Black.
pub const KEPT: &str = "kept";
/// The opener plays White.
pub const SWAPPED: &str = "swapped";

/// How many stones the opener lays.
pub const FIRST_STONES: usize = 3;

/// Whether a game can begin with swap2: stones lie anywhere, one a turn, and six of them cannot win.
pub const fn has_swap2(rules: &Rules) -> bool {
    matches!(rules.placement, Placement::Anywhere)
        && rules.first_turn == 1
        && rules.per_turn == 1
        && rules.line >= 4
        && rules.width >= 6
        && rules.height >= 6
}

/// How an engine takes part: `search` thinks about a position and gives its best turn.
pub fn choose(
    position: &Position,
    seed: u64,
    search: &mut dyn FnMut(&Position) -> Option<Best>,
) -> Option<Swap2> {
    if position.plies().is_empty() {
        return Some(Swap2::Stones(evenest(position, seed, search)?.into_iter().map(Answer::from).collect()));
    }
    let best = search(position)?;
    let score = best.info.lines.first().map_or(0, |line| line.score);
    Some(if score < 0 {
        Swap2::Swap
    } else {
        Swap2::Stones(best.turn.into_iter().map(Answer::from).collect())
    })
}

/// Of some random triples the one that the search finds closest to even.
fn evenest(
    empty: &Position,
    seed: u64,
    search: &mut dyn FnMut(&Position) -> Option<Best>,
) -> Option<Vec<Cell>> {
    let mut random = Random::new(mix(seed));
    let mut best: Option<(u32, Vec<Cell>)> = None;
    for _ in 0..TRIPLES {
        let Some(position) = triple(empty, &mut random) else { continue };
        let answer = search(&position)?;
        let lead = answer.info.lines.first().map_or(0, |line| line.score.unsigned_abs());
        if best.as_ref().is_none_or(|(least, _)| lead < *least) {
            best = Some((lead, position.plies().iter().map(|ply| ply.cell).collect()));
        }
    }
    best.map(|(_, cells)| cells)
}

/// Three stones within a square of nine cells a side somewhere on the board: close enough to matter.
fn triple(empty: &Position, random: &mut Random) -> Option<Position> {
    const SIDE: u8 = 9;
    let rules = *empty.rules();
    let corner =
        |length: u8, random: &mut Random| random.below(usize::from(length.saturating_sub(SIDE)) + 1) as u8;
    let (left, low) = (corner(rules.width, random), corner(rules.height, random));
    let inside = |cell: &Cell| {
        (left..left.saturating_add(SIDE)).contains(&cell.column)
            && (low..low.saturating_add(SIDE)).contains(&cell.row)
    };
    let mut position = empty.clone();
    for _ in 0..FIRST_STONES {
        let cells: Vec<Cell> = position.legal().filter(inside).collect();
        position.play(*random.choose(&cells)?).ok()?;
    }
    Some(position)
}
