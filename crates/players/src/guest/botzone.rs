//! A guest of Botzone: one process per turn, which is told the whole game and answers it.
//!
//! The stones alone tell whose turn it is, so a request of −1 in the middle of a game of Gomoku, by which the other
//! side takes our first stone over, needs nothing of its own.

use std::io::BufRead;
use std::time::{Duration, Instant};

use lianzi_core::{Language, Position, Rules, Verdict};
use serde::Deserialize;

use super::GuestError;
use super::desk::{Desk, Heard, Request};
use super::times::Times;
use crate::protocol::botzone::{Envelope, Response, Turn};

/// A request longer than this is no game.
const LONGEST: u64 = 1 << 20;

/// What Botzone allows a turn, start and end of the process included, unless the user limits the player himself.
const ALLOWED: Duration = Duration::from_millis(900);

/// Answers one request.
pub(super) fn answer(game: Option<Rules>, input: impl BufRead, desk: &mut Desk<'_>) -> Result<(), GuestError> {
    let since = Instant::now();
    let mut json = serde_json::Deserializer::from_reader(input.take(LONGEST));
    let envelope = Envelope::deserialize(&mut json).map_err(|error| question(&error.to_string()))?;
    let position = replay(game, &envelope)?;
    if let Some(outcome) = position.outcome() {
        let words = Verdict::by_stones(outcome).words(position.rules(), Language::English);
        return Err(question(&format!("the game is over: {words}")));
    }
    let own = desk.mind.limits().clone();
    let limited = own.move_time.is_some() || own.nodes.is_some() || own.depth.is_some();
    let times = Times { turn: (!limited).then_some(ALLOWED), ..Times::default() };
    let budget = times.budget(since);
    let asked = Request::new(&position, budget.limits(&own, None, None, 1), |_| Heard::Later);
    let thought = desk.think(&Request { due: budget.due, last: budget.last, ..asked }, &|_| None)?;
    let response = Response { response: Turn::of(&thought.best.turn, position.rules()) };
    let text = serde_json::to_string(&response).map_err(|error| question(&error.to_string()))?;
    Ok(desk.say(&text)?)
}

fn question(why: &str) -> GuestError {
    GuestError::Question(why.to_string())
}

/// The position the envelope leads to, in the game it shows: on Botzone both are played on 15×15.
fn replay(game: Option<Rules>, envelope: &Envelope) -> Result<Position, GuestError> {
    let shown = match envelope.requests.first() {
        None => return Err(question("there are no requests")),
        Some(Turn::One { .. }) => Rules::gomoku(15),
        Some(Turn::Two { .. }) => Rules::connect6(15),
    };
    let rules = game.unwrap_or(shown);
    if rules.per_turn != shown.per_turn {
        return Err(question(&format!("it is not about {rules}")));
    }
    if envelope.responses.len() + 1 != envelope.requests.len() {
        return Err(question("there must be one response fewer than requests"));
    }
    let mut position = Position::new(rules);
    let ours = envelope.responses.iter().map(Some).chain([None]);
    for turn in envelope.requests.iter().zip(ours).flat_map(|(theirs, ours)| [Some(theirs), ours]).flatten() {
        let cells = turn.cells(&rules);
        let cells = cells.map_err(|(x, y)| question(&format!("{x},{y} is not on the board")))?;
        // Colours follow from the number of stones, so a turn must be whole.
        if !cells.is_empty() && cells.len() != usize::from(position.stones_left().max(1)) {
            return Err(question(&format!("{} stones are not a turn", cells.len())));
        }
        for cell in cells {
            position.play(cell).map_err(|why| question(&format!("{}: {why}", name(cell, &rules))))?;
        }
    }
    Ok(position)
}

fn name(cell: lianzi_core::Cell, rules: &Rules) -> String {
    let (x, y) = crate::protocol::cells::to_corner(cell, rules);
    format!("{x},{y}")
}
