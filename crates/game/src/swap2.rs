//! Swap2, the opening in which the players find fair sides themselves: one lays three stones (Black, White, Black);
//! the other plays on as White, takes Black instead, or lays two more stones and leaves the choice to the first.
//!
//! At every choice a stone means "I play on with the side to move" and a swap means "you do"; so whoever lays the
//! sixth stone is White. Until the sides are settled the opener is called Black, and blamed as Black.

use lianzi_core::{Cell, GameRecord, Placement, Position, Random, Rules, Speak, Text, mix};
use lianzi_engine::{Best, Info};

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

impl Sides {
    /// What a record writes.
    pub fn tag(self) -> &'static str {
        match self {
            Sides::Kept => KEPT,
            Sides::Swapped => SWAPPED,
        }
    }

    /// What a record has written.
    pub fn of_tag(tag: &str) -> Option<Sides> {
        [Sides::Kept, Sides::Swapped].into_iter().find(|sides| sides.tag() == tag)
    }

    /// The opposite.
    pub fn other(self) -> Sides {
        match self {
            Sides::Kept => Sides::Swapped,
            Sides::Swapped => Sides::Kept,
        }
    }
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

/// Why a game cannot begin with swap2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSwap2 {
    /// It is another sort of game.
    Game,
    /// There are stones already.
    Begun,
}

impl Speak for NoSwap2 {
    fn text(&self) -> Text {
        match self {
            NoSwap2::Game => Text::fixed(
                "swap2 is for games with one stone a turn, placed anywhere: gomoku, standard, renju",
                "swap2 只用于每手一子、可任意落子的棋：gomoku、standard、renju",
            ),
            NoSwap2::Begun => Text::fixed("swap2 begins on an empty board", "Swap2 须从空棋盘开始"),
        }
    }
}

/// Whether the sides of this game can be found by swap2.
pub fn check(record: &GameRecord) -> Result<(), NoSwap2> {
    let empty = record.moves.is_empty() && record.setup.is_none() && record.tag(TAG).is_none();
    match (has_swap2(&record.rules), empty) {
        (false, _) => Err(NoSwap2::Game),
        (true, false) => Err(NoSwap2::Begun),
        (true, true) => Ok(()),
    }
}

/// How an engine takes part: `search` thinks about a position and gives its best turn.
pub fn choose(position: &Position, seed: u64, search: &mut dyn FnMut(&Position) -> Option<Best>) -> Option<Swap2> {
    if position.plies().is_empty() {
        return Some(Swap2::Stones(evenest(position, seed, search)?.into_iter().map(Answer::from).collect()));
    }
    let best = search(position)?;
    let score = best.info.lines.first().map_or(0, |line| line.score);
    Some(if score < 0 { Swap2::Swap } else { Swap2::Stones(best.turn.into_iter().map(Answer::from).collect()) })
}

/// Of some random openings the one that the search finds closest to even.
fn evenest(empty: &Position, seed: u64, search: &mut dyn FnMut(&Position) -> Option<Best>) -> Option<Vec<Cell>> {
    let mut random = Random::new(mix(seed));
    let mut best: Option<(u32, Vec<Cell>)> = None;
    for position in (0..TRIPLES).filter_map(|_| draw(empty.rules(), &mut random)) {
        let lead = lead(&search(&position)?.info);
        if best.as_ref().is_none_or(|(least, _)| lead < *least) {
            best = Some((lead, position.plies().iter().map(|ply| ply.cell).collect()));
        }
    }
    best.map(|(_, cells)| cells)
}

/// How far from even a search finds a position.
pub fn lead(info: &Info) -> u32 {
    info.lines.first().map_or(0, |line| match line.win_in {
        Some(plies) if plies != 0 => u32::MAX,
        _ => line.score.unsigned_abs(),
    })
}

/// Three stones in a small square anywhere: near an edge the first stone is worth less, so even ones are found.
/// Nothing when the draw puts two on one cell.
pub fn draw(rules: &Rules, random: &mut Random) -> Option<Position> {
    const SIDE: u8 = 5;
    let corner = |length: u8, random: &mut Random| random.below(usize::from(length.saturating_sub(SIDE)) + 1) as u8;
    let (left, low) = (corner(rules.width, random), corner(rules.height, random));
    let mut position = Position::new(*rules);
    for _ in 0..FIRST_STONES {
        let [column, row] = [left, low].map(|first| first + random.below(SIDE.into()) as u8);
        position.play(Cell::new(column, row)).ok()?;
    }
    Some(position)
}
