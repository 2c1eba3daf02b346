//! What a user may set of an engine, and why there may be none.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use lianzi_core::{Speak, Text, shorten, spoken_errors, text};

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

    /// Takes out how many MiB of memory are given.
    pub fn take_hash(&mut self) -> Result<Option<usize>, NoEngine> {
        self.take_in("hash", 1..=65_536)
    }

    /// Takes out how many threads search: one, unless more are given.
    pub fn take_threads(&mut self) -> Result<usize, NoEngine> {
        Ok(self.take_in("threads", 1..=256)?.unwrap_or(1))
    }

    /// Takes out the file of weights to use instead of the built-in ones, and reads it.
    pub fn take_weights<T>(&mut self, read: impl Fn(&[u8]) -> Option<T>) -> Result<Option<T>, NoEngine> {
        self.take_file("weights", read)
    }

    /// Takes out a file that an option names, and reads it.
    pub fn take_file<T>(&mut self, key: &str, read: impl Fn(&[u8]) -> Option<T>) -> Result<Option<T>, NoEngine> {
        let Some(path) = self.take::<String>(key)? else { return Ok(None) };
        let found = std::fs::read(&path).ok().and_then(|bytes| read(&bytes));
        found.map(Some).ok_or(NoEngine::Value { key: key.into(), value: path })
    }

    /// Takes out `net`: a file of a network to use instead of the usual one, or `off`.
    pub fn take_network<T>(
        &mut self,
        usual: Option<T>,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<Option<T>, NoEngine> {
        match self.given.get("net").map(String::as_str) {
            None => Ok(usual),
            Some("off") => self.take::<String>("net").map(|_| None),
            Some(_) => self.take_file("net", read),
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
#[non_exhaustive]
pub enum NoEngine {
    /// Nobody has this name.
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: &'static [&'static str],
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

impl Speak for NoEngine {
    fn text(&self) -> Text {
        match self {
            NoEngine::Unknown { name, known } => Text::new(
                format!("there is no player '{name}'; the players are human, {}", known.join(", ")),
                format!("没有名为“{name}”的棋手；可选 human、{}", known.join("、")),
            ),
            NoEngine::Game { name, game } => text!(
                "{name} does not play {game}; strong plays every game",
                "{name} 不会下 {game}；strong 会下所有的棋"
            ),
            NoEngine::Option { name, key } => text!(
                "{name} has no option '{key}'; all have time, nodes, depth, seed and name, docs/commands.md lists the others",
                "{name} 没有选项“{key}”；每个棋手都有 time、nodes、depth、seed、name，其余见 docs/commands.zh-CN.md"
            ),
            NoEngine::Value { key, value } => {
                let usual = usual(key);
                text!(
                    "'{value}' is no value for the option {key}{usual}",
                    "“{value}”不能作为选项 {key} 的值{usual}";
                    usual
                )
            }
        }
    }
}

spoken_errors!(NoEngine);

/// What the options that people set most may be.
fn usual(key: &str) -> Text {
    match key {
        "level" => Text::fixed("; levels are 1 to 10", "；级别为 1 到 10"),
        "time" => Text::fixed("; write for example 500ms or 2s", "；例如 500ms 或 2s"),
        "nodes" | "depth" | "seed" => Text::fixed("; it is a whole number", "；须为整数"),
        "weights" => Text::fixed("; it is a file that lianzi dev fit wrote", "；须为 lianzi dev fit 写出的文件"),
        "net" => Text::fixed(
            "; it is a file that lianzi dev train wrote, or off",
            "；须为 lianzi dev train 写出的文件，或 off",
        ),
        "tune" => Text::fixed("; write it as lianzi dev tune prints it", "；写法同 lianzi dev tune 所打印的"),
        _ => Text::default(),
    }
}
