//! How users name a player: `greedy`, `strong@nodes=20000`, `piskvork:./engine@name=X`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use lianzi_core::{Language, Rules, shorten};
use lianzi_engine::{BUILT_IN, Engine, Limits, NoEngine, Options, catalog};

use super::{EnginePlayer, MakeEngine, Player, Strategy};
use crate::cage::Cages;
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
    /// One of our engines, with its own options.
    BuiltIn(String, Options),
    /// A strategy that runs in a cage.
    Strategy(Box<Strategy>),
}

/// A player's name that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPlayer {
    /// There is no such player, or it has no such option.
    Engine(NoEngine),
    /// An option is not written `key=value`.
    Option(String),
}

impl BadPlayer {
    /// What is wrong and what to do, for people.
    pub fn words(&self, language: Language) -> String {
        match (self, language) {
            (BadPlayer::Engine(none), _) => none.words(language),
            (BadPlayer::Option(text), Language::English) => {
                format!(
                    "'{text}' is no player option; options are written key=value, as in greedy@seed=7,name=x"
                )
            }
            (BadPlayer::Option(text), Language::Chinese) => {
                format!("“{text}”不是棋手选项；选项写作 key=value，例如 greedy@seed=7,name=x")
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
        let strategy = Strategy::read(base);
        let name = strategy.as_ref().map_or_else(|| text.into(), Strategy::name);
        let kind = match base {
            "human" => Kind::Human,
            name if BUILT_IN.contains(&name) => Kind::BuiltIn(name.into(), Options::default()),
            name => match strategy {
                Some(strategy) => Kind::Strategy(Box::new(strategy)),
                None => return Err(BadPlayer::Engine(NoEngine::Unknown { name: shorten(name) })),
            },
        };
        let mut spec = PlayerSpec { name, kind, limits: Limits::default(), seed: None, text: text.into() };
        for option in options.split(',').filter(|option| !option.is_empty()) {
            spec.set(option)?;
        }
        Ok(spec)
    }
}

impl PlayerSpec {
    fn set(&mut self, option: &str) -> Result<(), BadPlayer> {
        let (key, value) = option.split_once('=').ok_or_else(|| BadPlayer::Option(shorten(option)))?;
        let bad = || BadPlayer::Engine(NoEngine::Value { key: key.into(), value: shorten(value) });
        match (key, &mut self.kind) {
            ("time", _) => self.limits.move_time = Some(time(value).ok_or_else(bad)?),
            ("nodes", _) => self.limits.nodes = Some(value.parse().map_err(|_| bad())?),
            ("depth", _) => self.limits.depth = Some(value.parse().map_err(|_| bad())?),
            ("seed", _) => self.seed = Some(value.parse().map_err(|_| bad())?),
            ("name", _) => self.name = value.into(),
            (_, Kind::BuiltIn(_, options)) => {
                options.given.insert(key.into(), value.into());
            }
            (_, Kind::Strategy(strategy)) => match strategy.set(key, value) {
                Some(true) => {}
                Some(false) => return Err(bad()),
                None => {
                    let (name, key) = (strategy.name(), shorten(key));
                    return Err(BadPlayer::Engine(NoEngine::Option { name, key }));
                }
            },
            (_, Kind::Human) => return Err(BadPlayer::Option(shorten(option))),
        }
        Ok(())
    }

    /// Makes the engine, if the player is one of ours.
    pub fn engine(&self, rules: &Rules) -> Result<Option<Box<dyn Engine>>, NoEngine> {
        match &self.kind {
            Kind::Human | Kind::Strategy(_) => Ok(None),
            Kind::BuiltIn(name, options) => {
                let options = Options { seed: self.seed.unwrap_or_default(), ..options.clone() };
                catalog::engine(name, rules, &options).map(Some)
            }
        }
    }

    /// Finds out before a game begins whether the player can be asked for it.
    pub fn check(&self, rules: &Rules) -> Result<(), NoEngine> {
        match &self.kind {
            Kind::Strategy(strategy) => strategy.check_game(rules),
            _ => self.engine(rules).map(|_| ()),
        }
    }

    /// Makes the player; `None` for a person, who needs a board to sit at. Without cages no foreign code runs.
    pub fn player(&self, cages: Option<&Cages>) -> Option<Box<dyn Player>> {
        match &self.kind {
            Kind::Human => return None,
            Kind::Strategy(strategy) => return Some(Box::new(strategy.player(cages))),
            Kind::BuiltIn(..) => {}
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
        assert_eq!(spec.kind, Kind::BuiltIn("greedy".into(), Options::default()));
        assert_eq!((spec.name.as_str(), spec.seed), ("me", Some(7)));
        assert_eq!(spec.limits.nodes, Some(20_000));
        assert_eq!(spec.limits.move_time, Some(Duration::from_millis(1500)));
        assert_eq!(spec.to_string(), "greedy@nodes=20000,time=1.5s,seed=7,name=me");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let engine = |none| Err(BadPlayer::Engine(none));
        let value = |key: &str, value: &str| NoEngine::Value { key: key.into(), value: value.into() };
        assert_eq!("nobody".parse::<PlayerSpec>(), engine(NoEngine::Unknown { name: "nobody".into() }));
        assert_eq!("greedy@fast".parse::<PlayerSpec>(), Err(BadPlayer::Option("fast".into())));
        assert_eq!("greedy@nodes=many".parse::<PlayerSpec>(), engine(value("nodes", "many")));
        assert_eq!("greedy@time=0s".parse::<PlayerSpec>(), engine(value("time", "0s")));
        // Which options an engine has is known only to the engine.
        let odd: PlayerSpec = "greedy@speed=9".parse().unwrap();
        let none = NoEngine::Option { name: "greedy".into(), key: "speed".into() };
        assert_eq!(odd.engine(&Rules::gomoku(15)).err(), Some(none));
    }
}
