//! The whole state of a game, as everybody connected is told it.

use std::time::Instant;

use lianzi_contest::report::Words;
use lianzi_core::record::{Eval, Variation};
use lianzi_core::{Cell, Forbidden, Language, Overline, Placement, Rules, Setup, Stone, Verdict};
use lianzi_store::Keys;
use serde::Serialize;
use serde_json::Value;

use super::swap2::OpeningState;
use super::{Room, Side};
use crate::bounds::VARIATIONS;
use crate::chance::chances;
use crate::secret::Credentials;

/// A state, ready to be sent to anybody.
#[derive(Debug)]
pub struct Snapshot {
    /// The message without what differs from one connection to the next, and without its end.
    body: String,
    keys: Keys,
}

impl Snapshot {
    /// The message for one connection.
    pub fn message(&self, credentials: &Credentials) -> String {
        let you =
            credentials.stones(&self.keys).iter().map(|stone| format!("\"{stone}\"")).collect::<Vec<_>>();
        format!("{},\"you\":[{}],\"owner\":{}}}", self.body, you.join(","), credentials.own(&self.keys))
    }
}

#[derive(Serialize)]
struct State<'a> {
    r#type: &'static str,
    id: &'a str,
    #[serde(flatten)]
    board: BoardShape,
    moves: Vec<Cell>,
    times: Vec<Option<u64>>,
    evals: Vec<Option<Eval>>,
    /// What who placed each stone thought of the chance to win.
    chances: Vec<Option<f64>>,
    variations: Vec<LineState>,
    undone: usize,
    setup: &'a Option<Setup>,
    to_move: Stone,
    stones_left: u8,
    forbidden: Vec<Cell>,
    winning_line: Option<Vec<Cell>>,
    verdict: &'a Verdict,
    words: Words,
    sides: [SideState<'a>; 2],
    clocks: [ClockState; 2],
    running: bool,
    series: Option<Value>,
    swap2: Option<OpeningState>,
    before: &'a Option<String>,
    /// Whether nobody moves in it: a game of the library.
    kept: bool,
}

/// A line that was tried out.
#[derive(Serialize)]
struct LineState {
    from: usize,
    ply: usize,
    moves: Vec<Cell>,
}

/// What a page must know of a game to draw its board.
#[derive(Serialize)]
pub struct BoardShape {
    game: String,
    width: u8,
    height: u8,
    blocked: Vec<Cell>,
    drop: bool,
    line: u8,
    exact: bool,
    per_turn: u8,
    first_turn: u8,
    renju: bool,
}

#[derive(Serialize)]
struct SideState<'a> {
    name: &'a str,
    player: &'a str,
    human: bool,
    thinking: bool,
}

#[derive(Serialize)]
struct ClockState {
    used_ms: u64,
    turn_ms: u64,
    left_ms: Option<u64>,
}

impl LineState {
    fn of(variation: &Variation) -> LineState {
        let moves = variation.moves.iter().map(|played| played.cell).collect();
        LineState { from: variation.from, ply: variation.ply, moves }
    }
}

impl BoardShape {
    /// The board of a game.
    pub fn of(rules: &Rules) -> BoardShape {
        BoardShape {
            game: rules.to_string(),
            width: rules.width,
            height: rules.height,
            blocked: rules.blocked.iter().collect(),
            drop: rules.placement == Placement::Drop,
            line: rules.line,
            exact: rules.overline == Overline::Ignored,
            per_turn: rules.per_turn,
            first_turn: rules.first_turn,
            renju: rules.forbidden == Forbidden::Renju,
        }
    }
}

impl Room {
    /// The state as of now.
    pub(super) fn snapshot(&self) -> Snapshot {
        let (record, position) = (self.game.record(), self.game.position());
        let now = Instant::now();
        let state = State {
            r#type: "state",
            id: &self.id,
            board: BoardShape::of(&record.rules),
            moves: record.moves.iter().map(|played| played.cell).collect(),
            times: record.moves.iter().map(|played| played.time_ms).collect(),
            evals: record.moves.iter().map(|played| played.eval).collect(),
            chances: chances(record, [0, 1].map(|side| self.thinker(side))),
            variations: record.variations.iter().take(VARIATIONS).map(LineState::of).collect(),
            undone: self.game.undone(),
            setup: &record.setup,
            to_move: position.to_move(),
            stones_left: position.stones_left(),
            forbidden: self.forbidden(),
            winning_line: position.winning_line(),
            verdict: &record.verdict,
            words: self.words(),
            sides: Stone::BOTH.map(|stone| self.side_state(stone)),
            clocks: Stone::BOTH.map(|stone| self.clock_state(stone, now)),
            running: self.game.clocks_run(),
            series: self.series.map(|series| series.shown(&record.verdict)),
            swap2: self.opening_state(),
            before: &self.before,
            kept: self.frozen,
        };
        let mut body = serde_json::to_string(&state).expect("a state has only texts and numbers");
        body.pop();
        Snapshot { body, keys: self.keys.clone() }
    }

    /// Who thought about the stones of a side: a player of ours, or in a game of the library the one that is named.
    fn thinker(&self, side: usize) -> &str {
        let Side { player, who, name, .. } = &self.sides[side];
        if who.is_human() { name } else { player }
    }

    /// Renju's cells for Black, when a person is to move there.
    fn forbidden(&self) -> Vec<Cell> {
        let position = self.game.position();
        let black = position.to_move() == Stone::Black && self.sides[0].who.is_human();
        if !black || self.game.is_over() || position.rules().forbidden == Forbidden::Nothing {
            return Vec::new();
        }
        position.empty_cells().filter(|&cell| position.foul(cell).is_some()).collect()
    }

    fn words(&self) -> Words {
        if self.game.is_over() {
            return Words::both(|language| self.game.verdict().words(&self.game.record().rules, language));
        }
        if let Some(words) = self.opening_words() {
            return words;
        }
        let mover = self.game.position().to_move();
        Words::new(
            format!("{} to move", mover.words(Language::English)),
            format!("轮到{}", mover.words(Language::Chinese)),
        )
    }

    fn side_state(&self, stone: Stone) -> SideState<'_> {
        let side = &self.sides[stone.index()];
        SideState {
            name: &side.name,
            player: &side.player,
            human: side.who.is_human(),
            thinking: self.thinks(stone),
        }
    }

    fn clock_state(&self, stone: Stone, now: Instant) -> ClockState {
        let mut face = self.game.face(stone, now);
        let aside =
            !self.game.clocks_run() && self.game.position().to_move() == stone && !self.game.is_over();
        if aside {
            // The clocks stand still; what the turn had used when they stopped is still used.
            face.turn += self.turn_used;
            face.used += self.turn_used;
            face.left = face.left.map(|left| left.saturating_sub(self.turn_used));
        }
        ClockState {
            used_ms: face.used.as_millis() as u64,
            turn_ms: face.turn.as_millis() as u64,
            left_ms: face.left.map(|left| left.as_millis() as u64),
        }
    }
}
