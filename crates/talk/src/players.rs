//! Which players a page is offered.

use lianzi_classic::BUILT_IN;
use lianzi_core::record::Format;
use lianzi_core::{Game, Rules};
use lianzi_engine::catalog::{GENERAL, LEVELED};
use lianzi_engine::{HIGHEST, LEVELS, LevelName};
use serde_json::{Value, json};

use crate::{Refusal, bounds};

/// The games that a page offers, at their usual sizes.
pub const GAMES: [&str; 5] = ["gomoku", "standard", "renju", "connect6", "connect4"];

/// Whether a page may name one of our engines so; nothing but the options is checked.
pub fn options_allowed(text: &str) -> Result<(), Refusal> {
    let (_, options) = text.rsplit_once('@').unwrap_or((text, ""));
    options.split(',').filter(|option| !option.is_empty()).try_for_each(bounds::option)
}

/// What a page lists of a player: the games it plays, as `plays` says of rules, and how many levels it has. Whoever plays
/// every game is not asked: engines are made to find out, and a page waits for it.
pub fn entry(name: &str, plays: impl Fn(&Rules) -> bool) -> Value {
    let plays = |game: &&str| {
        let rules = game.parse::<Game>().map(|game| game.draw(0));
        GENERAL.contains(&name) || rules.is_ok_and(|rules| plays(&rules))
    };
    let games: Vec<&str> = GAMES.into_iter().filter(plays).collect();
    json!({"player": name, "name": name, "games": games, "levels": if name == LEVELED { HIGHEST } else { 0 }})
}

/// What there is, with these players.
pub fn info(players: &[Value]) -> Value {
    let formats: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    let games: Vec<&str> = GAMES.into_iter().chain(["connect4:random"]).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"), "players": players, "engines": BUILT_IN, "levels": levels(),
        "formats": formats, "games": games,
    })
}

/// The levels of our engines as people know them, the lowest first.
fn levels() -> Vec<Value> {
    let level = |(n, level): (u32, &LevelName)| json!({"level": n, "name": level.name(), "about": level.about()});
    (1..).zip(&LEVELS).map(level).collect()
}
