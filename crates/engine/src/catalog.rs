//! Engines by name, with the options a user may give them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use lianzi_core::{Language, Rules, shorten};

use crate::{Engine, Greedy, Uniform, classic};

/// The names of the engines there are.
pub const BUILT_IN: [&str; 3] = ["classic-python", "greedy", "random"];

/// The engine of this name for this game.
pub fn engine(name: &str, rules: &Rules, options: &Options) -> Result<Box<dyn Engine>, NoEngine> {
    let mut options = options.clone();
    let engine = build(name, rules, &mut options)?;
    match options.given.into_keys().next() {
        Some(key) => Err(NoEngine::Option { name: name.into(), key: shorten(&key) }),
        None => Ok(engine),
    }
}

/// Each engine takes the options it knows; one that is left over is a mistake.
fn build(name: &str, rules: &Rules, options: &mut Options) -> Result<Box<dyn Engine>, NoEngine> {
    match name {
        "classic-python" => Ok(Box::new(classic::Python::new(rules, options)?)),
        "greedy" => Ok(Box::new(Greedy::new(options.seed))),
        "random" => Ok(Box::new(Uniform::new(options.seed))),
        _ => Err(NoEngine::Unknown { name: shorten(name) }),
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
            (NoEngine::Game { name, game }, Language::English) => format!("{name} does not play {game}"),
            (NoEngine::Game { name, game }, Language::Chinese) => format!("{name} 不会下 {game}"),
            (NoEngine::Option { name, key }, Language::English) => format!("{name} has no option '{key}'"),
            (NoEngine::Option { name, key }, Language::Chinese) => format!("{name} 没有选项“{key}”"),
            (NoEngine::Value { key, value }, Language::English) => {
                format!("'{value}' is no value for the option {key}")
            }
            (NoEngine::Value { key, value }, Language::Chinese) => {
                format!("“{value}”不能作为选项 {key} 的值")
            }
        }
    }
}

impl fmt::Display for NoEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for NoEngine {}
