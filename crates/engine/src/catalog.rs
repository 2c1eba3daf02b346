//! Engines by name.

use std::fmt;

use lianzi_core::{Language, Rules, shorten};

use crate::{Engine, Greedy, Uniform};

/// The names of the engines there are.
pub const BUILT_IN: [&str; 2] = ["greedy", "random"];

/// What a user may set of an engine. What an engine has no use for, it ignores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Where random numbers start.
    pub seed: u64,
}

/// No engine can be had under this name for this game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoEngine {
    /// The name.
    pub name: String,
}

impl NoEngine {
    /// What is wrong and what to do, for people.
    pub fn words(&self, language: Language) -> String {
        let (name, known) = (&self.name, BUILT_IN.join(", "));
        match language {
            Language::English => format!("there is no player '{name}'; the players are human, {known}"),
            Language::Chinese => format!("没有名为“{name}”的棋手；可选 human、{}", BUILT_IN.join("、")),
        }
    }
}

impl fmt::Display for NoEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for NoEngine {}

/// The engine of this name for this game.
pub fn engine(name: &str, _rules: &Rules, options: &Options) -> Result<Box<dyn Engine>, NoEngine> {
    match name {
        "greedy" => Ok(Box::new(Greedy::new(options.seed))),
        "random" => Ok(Box::new(Uniform::new(options.seed))),
        _ => Err(NoEngine { name: shorten(name) }),
    }
}
