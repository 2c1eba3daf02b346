//! All players by name: the engines, and those of the documents.

use lianzi_core::{CellSet, Placement, Rules, shorten};
use lianzi_engine::chance::{HINTER, Scores};
use lianzi_engine::signature::Row;
use lianzi_engine::{Adaptive, Engine, Family, HIGHEST, Handicap, Leveled, NoEngine, Options, catalog};

use crate::{ClassicConnect6, ClassicGomoku, ClassicPython};

/// The names of the players there are, the strongest first.
pub const BUILT_IN: &[&str] = &[
    "strong",
    "solver",
    "uct",
    "greedy",
    "random",
    "classic-connect6",
    "classic-gomoku",
    "classic-uct",
    "classic-python",
];

/// The documents' players as [`lianzi_engine::signature`] sums them up.
pub const ROWS: &[Row] = &[
    Row { player: "classic-connect6", game: "connect6", nodes: 300 },
    Row { player: "classic-gomoku", game: "gomoku", nodes: 3_000 },
    Row { player: "classic-python", game: "gomoku", nodes: 300 },
];

/// The player of this name for this game. Asked about another game later it becomes the player of that one.
pub fn engine(name: &str, rules: &Rules, options: &Options) -> Result<Box<dyn Engine>, NoEngine> {
    Ok(Box::new(Adaptive::new(name, rules, options, build)?))
}

fn build(name: &str, rules: &Rules, options: &mut Options) -> Result<Box<dyn Engine>, NoEngine> {
    match name {
        "classic-connect6" => Ok(Box::new(ClassicConnect6::from_options(name, rules, options)?)),
        "classic-gomoku" => Ok(Box::new(ClassicGomoku::from_options(rules, options)?)),
        "classic-python" => Ok(Box::new(ClassicPython::new(rules, options)?)),
        "strong" if is_large_gomoku(rules) => {
            let level = options.take_in("level", 1..=HIGHEST)?.unwrap_or(HIGHEST);
            let engine = build("classic-gomoku", rules, options)?;
            Ok(Box::new(Leveled::new(engine, Handicap::by_nodes(level), options.seed)))
        }
        name if BUILT_IN.contains(&name) => catalog::build(name, rules, options),
        name => Err(NoEngine::Unknown { name: shorten(name), known: BUILT_IN }),
    }
}

/// Gomoku on boards too large for the engine's own: there `classic-gomoku` is the best there is.
fn is_large_gomoku(rules: &Rules) -> bool {
    let open = Rules { blocked: CellSet::EMPTY, ..*rules };
    let gomoku = rules.placement == Placement::Anywhere && open == Rules::gomoku(rules.width);
    gomoku && Family::of(rules) == Family::Other
}

/// What a player's scores mean; one that is none of ours tells nothing.
pub fn scores(player: &str, rules: &Rules) -> Scores {
    match player.split('@').next().unwrap_or_default() {
        "classic-gomoku" => Scores::Ahead(3000),
        "strong" if is_large_gomoku(rules) => Scores::Ahead(3000),
        name => Scores::of(name, rules),
    }
}

/// The player that analyses a game: the strongest, if its scores tell who is ahead.
pub fn adviser(rules: &Rules) -> &'static str {
    match scores(HINTER, rules) {
        Scores::Ahead(_) | Scores::DrawnIn(_) => HINTER,
        _ => "uct",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_has_one_list() {
        assert!(lianzi_engine::BUILT_IN.iter().all(|name| BUILT_IN.contains(name)));
        assert!(BUILT_IN.iter().all(|name| name.starts_with("classic") || lianzi_engine::BUILT_IN.contains(name)));
        let nobody = engine("nobody", &Rules::gomoku(15), &Options::default()).err();
        assert_eq!(nobody, Some(NoEngine::Unknown { name: "nobody".into(), known: BUILT_IN }));
    }

    #[test]
    fn those_who_play_every_game_do_and_one_has_levels() {
        for game in ["gomoku", "standard", "renju", "connect6", "connect4", "gomoku:25", "connect:9,9,4,1,1"] {
            let rules = game.parse().unwrap();
            let small = |key: &str| Options { seed: 1, given: [(key.to_string(), "1".to_string())].into() };
            for name in BUILT_IN {
                let plays = engine(name, &rules, &Options::default()).is_ok();
                assert!(plays || !catalog::GENERAL.contains(name), "{name} {game}");
                let leveled = engine(name, &rules, &small("level")).is_ok();
                assert_eq!(leveled, *name == catalog::LEVELED, "{name} {game}");
            }
        }
    }

    #[test]
    fn scores_are_known_by_name() {
        for (player, game, known) in [
            ("classic-gomoku@depth=4", "gomoku", Scores::Ahead(3000)),
            ("strong@level=3", "gomoku:25", Scores::Ahead(3000)),
            ("strong@level=3", "gomoku", Scores::Ahead(150)),
            ("classic-python", "gomoku", Scores::Rank),
            ("strong", "connect:9,9,4,1,1", Scores::Rank),
        ] {
            assert_eq!(scores(player, &game.parse().unwrap()), known, "{player} {game}");
        }
        assert_eq!(adviser(&"connect:9,9,4,1,1".parse().unwrap()), "uct");
        assert_eq!(adviser(&"gomoku:25".parse().unwrap()), "strong");
    }
}
