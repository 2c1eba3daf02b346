//! How users name a player: `greedy`, `strong@nodes=20000`, `piskvork:./engine@name=X`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use lianzi_core::{Language, Rules, shorten};
use lianzi_engine::{BUILT_IN, Engine, Limits, NoEngine, catalog};

use super::{EnginePlayer, MakeEngine, Player};
use crate::duration;

/// A player as the user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// What it is called in tables: the option `name`, or the text itself.
    pub name: String,
    /// What sort of player it is.
    pub kind: Kind,
    /// Limits of its own, which replace those of the game.
    pub limits: Limits,
    /// Where its random numbers start; without it the game decides.
    pub seed: Option<u64>,
    text: String,
}

/// What sort of player it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A person.
    Human,
    /// One of our engines.
    BuiltIn(String),
}

/// A player's name that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPlayer {
    /// There is no such player.
    Unknown(NoEngine),
    /// An option is not `key=value`, or nobody knows the key.
    Option(String),
    /// An option's value cannot be read.
    Value(String, String),
}

impl BadPlayer {
    /// What is wrong and what to do, for people.
    pub fn words(&self, language: Language) -> String {
        match (self, language) {
            (BadPlayer::Unknown(none), _) => none.words(language),
            (BadPlayer::Option(text), Language::English) => {
                format!(
                    "there is no player option '{text}'; options are time, nodes, depth, seed and name, as in greedy@seed=7"
                )
            }
            (BadPlayer::Option(text), Language::Chinese) => {
                format!("没有棋手选项“{text}”；可用 time、nodes、depth、seed、name，例如 greedy@seed=7")
            }
            (BadPlayer::Value(key, value), Language::English) => {
                format!("'{value}' is no value for the player option {key}")
            }
            (BadPlayer::Value(key, value), Language::Chinese) => {
                format!("“{value}”不能作为棋手选项 {key} 的值")
            }
        }
    }
}

impl fmt::Display for BadPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for BadPlayer {}

impl FromStr for PlayerSpec {
    type Err = BadPlayer;

    fn from_str(text: &str) -> Result<PlayerSpec, BadPlayer> {
        let (base, options) = text.rsplit_once('@').unwrap_or((text, ""));
        let kind = match base {
            "human" => Kind::Human,
            name if BUILT_IN.contains(&name) => Kind::BuiltIn(name.into()),
            name => return Err(BadPlayer::Unknown(NoEngine { name: shorten(name) })),
        };
        let mut spec =
            PlayerSpec { name: text.into(), kind, limits: Limits::default(), seed: None, text: text.into() };
        for option in options.split(',').filter(|option| !option.is_empty()) {
            spec.set(option)?;
        }
        Ok(spec)
    }
}

impl PlayerSpec {
    fn set(&mut self, option: &str) -> Result<(), BadPlayer> {
        let (key, value) = option.split_once('=').ok_or_else(|| BadPlayer::Option(shorten(option)))?;
        let bad = || BadPlayer::Value(key.into(), shorten(value));
        match key {
            "time" => self.limits.move_time = Some(time(value).ok_or_else(bad)?),
            "nodes" => self.limits.nodes = Some(number(value).ok_or_else(bad)?),
            "depth" => self.limits.depth = Some(number(value).ok_or_else(bad)?),
            "seed" => self.seed = Some(number(value).ok_or_else(bad)?),
            "name" => self.name = value.into(),
            _ => return Err(BadPlayer::Option(shorten(key))),
        }
        Ok(())
    }

    /// Makes the engine, if the player is one of ours.
    pub fn engine(&self, rules: &Rules) -> Result<Option<Box<dyn Engine>>, NoEngine> {
        match &self.kind {
            Kind::Human => Ok(None),
            Kind::BuiltIn(name) => {
                let options = catalog::Options { seed: self.seed.unwrap_or_default() };
                catalog::engine(name, rules, &options).map(Some)
            }
        }
    }
}

impl PlayerSpec {
    /// Makes the player; `None` for a person, who needs a board to sit at.
    pub fn player(&self) -> Option<Box<dyn Player>> {
        if self.kind == Kind::Human {
            return None;
        }
        let spec = self.clone();
        let make: MakeEngine = Box::new(move |rules| match spec.engine(rules) {
            Ok(Some(engine)) => Ok(engine),
            Ok(None) => Err("a person is no engine".into()),
            Err(none) => Err(none.to_string()),
        });
        Some(Box::new(EnginePlayer::new(make, self.limits.clone(), self.seed)))
    }
}

fn time(value: &str) -> Option<Duration> {
    duration::parse(value).ok().filter(|time| !time.is_zero())
}

fn number<T: FromStr>(value: &str) -> Option<T> {
    value.parse().ok()
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_follow_the_last_at_sign() {
        let spec: PlayerSpec = "greedy@nodes=20000,time=1.5s,seed=7,name=me".parse().unwrap();
        assert_eq!(spec.kind, Kind::BuiltIn("greedy".into()));
        assert_eq!((spec.name.as_str(), spec.seed), ("me", Some(7)));
        assert_eq!(spec.limits.nodes, Some(20_000));
        assert_eq!(spec.limits.move_time, Some(Duration::from_millis(1500)));
        assert_eq!(spec.to_string(), "greedy@nodes=20000,time=1.5s,seed=7,name=me");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert!(matches!("nobody".parse::<PlayerSpec>(), Err(BadPlayer::Unknown(_))));
        assert_eq!("greedy@fast".parse::<PlayerSpec>(), Err(BadPlayer::Option("fast".into())));
        assert_eq!("greedy@speed=9".parse::<PlayerSpec>(), Err(BadPlayer::Option("speed".into())));
        assert_eq!(
            "greedy@nodes=many".parse::<PlayerSpec>(),
            Err(BadPlayer::Value("nodes".into(), "many".into()))
        );
        assert_eq!("greedy@time=0s".parse::<PlayerSpec>(), Err(BadPlayer::Value("time".into(), "0s".into())));
    }
}
