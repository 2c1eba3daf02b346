//! Engines by name, with the options a user may give them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use lianzi_core::{CellSet, Language, Placement, Rules, shorten};

use crate::adaptive::Adaptive;
use crate::classic::{ClassicConnect6, ClassicGomoku, ClassicPython};
use crate::connect4::board::Board;
use crate::connect4::levels;
use crate::connect4::player::{self, Player};
use crate::connect4::solver::Solving;
use crate::connect6;
use crate::level::{HIGHEST, Handicap, Leveled};
use crate::{Engine, Greedy, Settings, Uct, Uniform, gomoku};

/// The names of the engines there are, the strongest first.
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

/// The engine of this name for this game. Asked about another game later it becomes the engine of that one.
pub fn engine(name: &str, rules: &Rules, options: &Options) -> Result<Box<dyn Engine>, NoEngine> {
    Ok(Box::new(Adaptive::new(name, rules, options, build)?))
}

/// Each engine takes the options it knows; one that is left over is a mistake.
fn build(name: &str, rules: &Rules, options: &mut Options) -> Result<Box<dyn Engine>, NoEngine> {
    match name {
        "classic-connect6" => Ok(Box::new(ClassicConnect6::from_options(name, rules, options)?)),
        "classic-uct" => Ok(Box::new(Uct::new(Settings::classic(options)?, options.seed))),
        "classic-gomoku" => Ok(Box::new(ClassicGomoku::from_options(rules, options)?)),
        "classic-python" => Ok(Box::new(ClassicPython::new(rules, options)?)),
        "greedy" => Ok(Box::new(Greedy::new(options.seed))),
        "solver" => Ok(Box::new(Solving::from_options(name, rules, options)?)),
        "random" => Ok(Box::new(Uniform::new(options.seed))),
        "strong" => {
            let level = options.take_in("level", 1..=HIGHEST)?.unwrap_or(HIGHEST);
            let handicap = handicap(rules, level);
            if level < HIGHEST && Board::plays(rules) {
                // Nobody below the highest level knows the game by heart.
                options.given.entry("solver".into()).or_insert_with(|| "off".into());
            }
            Ok(Box::new(Leveled::new(strongest(rules, options)?, handicap, options.seed)))
        }
        "uct" => Ok(Box::new(Uct::new(Settings::modern(options)?, options.seed))),
        _ => Err(NoEngine::Unknown { name: shorten(name) }),
    }
}

/// The best engine there is so far for each game, as matches have it: docs/experiments.md, "Who is strong".
fn strongest(rules: &Rules, options: &mut Options) -> Result<Box<dyn Engine>, NoEngine> {
    let open = Rules { blocked: CellSet::EMPTY, ..*rules };
    if Board::plays(rules) {
        Ok(Box::new(Player::new(player::Settings::from_options(options)?, options.seed)))
    } else if connect6::shape::Shape::fits(rules) {
        Ok(Box::new(connect6::player::Player::from_options(rules, options)?))
    } else if rules.placement == Placement::Drop {
        build("uct", rules, options)
    } else if gomoku::board::Board::plays(rules) {
        Ok(Box::new(gomoku::player::Player::from_options(rules, options)?))
    } else if open == Rules::gomoku(rules.width) {
        build("classic-gomoku", rules, options)
    } else {
        build("greedy", rules, options)
    }
}

/// What holds the best engine of a game back at a level.
fn handicap(rules: &Rules, level: u32) -> Handicap {
    if Board::plays(rules) {
        levels::handicap(level)
    } else if gomoku::board::Board::plays(rules) {
        gomoku::levels::handicap(level)
    } else if connect6::shape::Shape::fits(rules) {
        connect6::levels::handicap(level)
    } else {
        Handicap::by_nodes(level)
    }
}

/// What a user set of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Where random numbers start.
    pub seed: u64,
    /// Everything else, as written: `c=0.7`, `modules=0+1+2`.
    pub given: BTreeMap<String, String>,
}

impl Options {
    /// Takes an option out and reads its value; `None` if it was not given.
    pub fn take<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, NoEngine> {
        let Some(text) = self.given.remove(key) else { return Ok(None) };
        let bad = || NoEngine::Value { key: key.into(), value: shorten(&text) };
        text.parse().map(Some).map_err(|_| bad())
    }

    /// Takes an option out whose value must lie in a range.
    pub fn take_in<T>(&mut self, key: &str, range: RangeInclusive<T>) -> Result<Option<T>, NoEngine>
    where
        T: FromStr + PartialOrd + fmt::Display,
    {
        match self.take(key)? {
            Some(value) if !range.contains(&value) => {
                Err(NoEngine::Value { key: key.into(), value: shorten(&value.to_string()) })
            }
            value => Ok(value),
        }
    }

    /// Takes an option out that is `on` or `off`.
    pub fn take_switch(&mut self, key: &str) -> Result<Option<bool>, NoEngine> {
        match self.take::<String>(key)?.as_deref() {
            None => Ok(None),
            Some("on") => Ok(Some(true)),
            Some("off") => Ok(Some(false)),
            Some(other) => Err(NoEngine::Value { key: key.into(), value: shorten(other) }),
        }
    }
}

/// Why no engine can be had under this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEngine {
    /// Nobody has this name.
    Unknown {
        /// The name.
        name: String,
    },
    /// It does not play this game.
    Game {
        /// The engine.
        name: String,
        /// The game.
        game: String,
    },
    /// It has no such option.
    Option {
        /// The engine.
        name: String,
        /// The option.
        key: String,
    },
    /// The option's value cannot be read or is out of range.
    Value {
        /// The option.
        key: String,
        /// What was given.
        value: String,
    },
}

impl NoEngine {
    /// What is wrong and what to do, for people.
    pub fn words(&self, language: Language) -> String {
        match (self, language) {
            (NoEngine::Unknown { name }, Language::English) => {
                format!("there is no player '{name}'; the players are human, {}", BUILT_IN.join(", "))
            }
            (NoEngine::Unknown { name }, Language::Chinese) => {
                format!("没有名为“{name}”的棋手；可选 human、{}", BUILT_IN.join("、"))
            }
            (NoEngine::Game { name, game }, Language::English) => {
                format!("{name} does not play {game}; strong plays every game")
            }
            (NoEngine::Game { name, game }, Language::Chinese) => {
                format!("{name} 不会下 {game}；strong 会下所有的棋")
            }
            (NoEngine::Option { name, key }, Language::English) => {
                format!(
                    "{name} has no option '{key}'; all have time, nodes, depth, seed and name, the README lists the others"
                )
            }
            (NoEngine::Option { name, key }, Language::Chinese) => {
                format!("{name} 没有选项“{key}”；每个棋手都有 time、nodes、depth、seed、name，其余见 README")
            }
            (NoEngine::Value { key, value }, Language::English) => {
                format!("'{value}' is no value for the option {key}{}", usual(key, language))
            }
            (NoEngine::Value { key, value }, Language::Chinese) => {
                format!("“{value}”不能作为选项 {key} 的值{}", usual(key, language))
            }
        }
    }
}

/// What the options that people set most may be.
fn usual(key: &str, language: Language) -> &'static str {
    match key {
        "level" => language.pick("; levels are 1 to 10", "；级别为 1 到 10"),
        "time" => language.pick("; write for example 500ms or 2s", "；例如 500ms 或 2s"),
        "nodes" | "depth" | "seed" => language.pick("; it is a whole number", "；须为整数"),
        _ => "",
    }
}

impl fmt::Display for NoEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for NoEngine {}
