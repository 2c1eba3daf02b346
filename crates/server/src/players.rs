//! Who can sit at a board: people, our engines, and the programs that the server's owner named.
//!
//! A page never names a program by its command line. Its text is `human`, one of our engines with options, or a
//! name that was given with `--player NAME=SPEC` when the server was started.

use std::fmt;
use std::sync::Arc;
use std::sync::OnceLock;

use lianzi_cage::Cages;
use lianzi_classic::BUILT_IN;
use lianzi_core::{Rules, Speak, shorten};
use lianzi_game::live::{LONGEST_TURN, Machine};
use lianzi_game::player::Player;
use lianzi_players::{Kind, PlayerSpec};
use lianzi_talk::{Refusal, players};
use serde_json::Value;

use crate::bounds;

/// A player that the server's owner named.
#[derive(Clone)]
pub struct NamedPlayer {
    name: String,
    make: Arc<dyn Fn() -> Option<Box<dyn Player>> + Send + Sync>,
    /// What it was named by, which knows the games it plays, and its cages.
    spec: Option<Arc<(PlayerSpec, Cages)>>,
}

impl NamedPlayer {
    /// A player under a name of its own.
    pub fn new(name: &str, make: impl Fn() -> Box<dyn Player> + Send + Sync + 'static) -> NamedPlayer {
        NamedPlayer { name: name.into(), make: Arc::new(move || Some(make())), spec: None }
    }
}

impl From<(String, PlayerSpec, Cages)> for NamedPlayer {
    fn from((name, spec, cages): (String, PlayerSpec, Cages)) -> NamedPlayer {
        let spec = Arc::new((spec, cages));
        let made = Arc::clone(&spec);
        NamedPlayer { name, spec: Some(spec), make: Arc::new(move || made.0.player_with(&made.1)) }
    }
}

impl fmt::Debug for NamedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedPlayer").field(&self.name).finish()
    }
}

/// Somebody a page asked for.
#[derive(Clone, Debug)]
pub enum Who {
    /// A person.
    Human,
    /// One of our engines.
    Engine(Box<PlayerSpec>),
    /// A program the owner named.
    Named(NamedPlayer),
}

impl Who {
    /// What it is called when the page gives no name.
    pub fn name(&self) -> &str {
        match self {
            Who::Human => "human",
            Who::Engine(spec) => &spec.name,
            Who::Named(named) => &named.name,
        }
    }

    /// Whether it is a person.
    pub fn is_human(&self) -> bool {
        matches!(self, Who::Human)
    }

    /// How it is made and asked in a live game; nothing for a person.
    pub fn machine(&self) -> Option<Machine> {
        match self {
            Who::Human => None,
            Who::Engine(spec) => spec.machine(None),
            Who::Named(NamedPlayer { spec: Some(named), .. }) => {
                let mut machine = named.0.machine(Some(&named.1))?;
                machine.patience = LONGEST_TURN;
                Some(machine)
            }
            Who::Named(named) => Some(Machine::new(Arc::clone(&named.make))),
        }
    }

    /// Makes the player for a contest; `None` for a person.
    pub fn player(&self) -> Option<Box<dyn Player>> {
        match self {
            Who::Human => None,
            Who::Engine(spec) => spec.player(),
            Who::Named(named) => (named.make)(),
        }
    }

    /// Finds out before a game begins whether a player plays it.
    pub fn check(&self, rules: &Rules) -> Result<(), Refusal> {
        let spec = match self {
            Who::Engine(spec) => spec.as_ref(),
            Who::Named(NamedPlayer { spec: Some(named), .. }) => &named.0,
            _ => return Ok(()),
        };
        spec.check(rules).map_err(|none| Refusal::said(|language| none.words(language)))
    }
}

/// All players there are.
#[derive(Clone, Debug, Default)]
pub struct Players {
    named: Vec<NamedPlayer>,
    listed: OnceLock<Vec<Value>>,
}

impl Players {
    /// Our engines, and these.
    pub fn new(named: Vec<NamedPlayer>) -> Players {
        Players { named, listed: OnceLock::new() }
    }

    /// Who a page means.
    pub fn find(&self, text: &str) -> Result<Who, Refusal> {
        if let Some(named) = self.named.iter().find(|named| named.name == text) {
            return Ok(Who::Named(named.clone()));
        }
        let (base, _) = text.rsplit_once('@').unwrap_or((text, ""));
        // Checked here and not left to the reader of specs, which also knows players that are command lines, and
        // options that name files.
        if !(base == "human" || BUILT_IN.contains(&base)) || text.len() > bounds::SPEC {
            return Err(self.unknown(text));
        }
        players::options_allowed(text)?;
        let spec: PlayerSpec = text.parse().map_err(|bad: lianzi_players::BadPlayer| bad.text())?;
        Ok(if spec.kind == Kind::Human { Who::Human } else { Who::Engine(Box::new(spec)) })
    }

    fn unknown(&self, text: &str) -> Refusal {
        let text = shorten(text);
        let names: Vec<&str> = self.names().collect();
        Refusal::bad(
            format!("there is no player '{text}'; the players are {}", names.join(", ")),
            format!("没有名为“{text}”的棋手；可选 {}", names.join("、")),
        )
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let named = self.named.iter().map(|named| named.name.as_str());
        ["human"].into_iter().chain(BUILT_IN.iter().copied()).chain(named)
    }

    /// What a page lists: everybody, with the games each plays and how many levels it has. Found out once, since
    /// engines are built for it.
    pub fn listed(&self) -> &[Value] {
        self.listed.get_or_init(|| self.names().map(|name| self.entry(name)).collect())
    }

    fn entry(&self, name: &str) -> Value {
        players::entry(name, |rules| self.find(name).is_ok_and(|who| who.check(rules).is_ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_game::live::USUAL_TURN;
    use lianzi_talk::players::GAMES;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn a_page_names_people_engines_and_named_programs_only() {
        let spec: PlayerSpec = "greedy@seed=3".parse().unwrap();
        let mine = NamedPlayer::new("my engine", move || spec.player().unwrap());
        let players = Players::new(vec![mine]);
        assert!(players.find("human").unwrap().is_human());
        assert!(matches!(players.find("greedy@nodes=5").unwrap(), Who::Engine(_)));
        assert!(matches!(players.find("my engine").unwrap(), Who::Named(_)));
        let patience = |text: &str| players.find(text).unwrap().machine().unwrap().patience;
        assert_eq!((patience("uct"), patience("strong@level=10")), (USUAL_TURN, USUAL_TURN));
        assert_eq!((patience("uct@time=9s"), patience("my engine")), (LONGEST_TURN, LONGEST_TURN));
        for refused in [
            "",
            "piskvork:/bin/sh",
            "sh -c id",
            "my engine@x=1",
            "Greedy",
            "greedy@weights=/etc/passwd",
            "strong@weights=weights.bin",
            "strong@threads=256",
            "greedy@seed",
            "greedy@name=a\nb",
            "uct@hash=65536",
            "uct@nodes=5,hash=9",
            "classic-gomoku@entries=1000000000",
            "../greedy",
        ] {
            assert!(players.find(refused).is_err(), "{refused}");
        }
        assert!(players.find(&format!("greedy@name={}", "x".repeat(41))).is_err());
        assert!(players.find(&format!("greedy@name={}", "x".repeat(9999))).is_err());
        let spec: PlayerSpec = "piskvork:./brain".parse().unwrap();
        let cages = Cages::new(Path::new(""), Path::new(""), true);
        let brain = Who::Named(("brain".to_string(), spec, cages).into());
        assert!(brain.check(&Rules::gomoku(15)).is_ok() && brain.check(&Rules::connect6(19)).is_err());
    }

    #[test]
    fn a_page_is_told_who_plays_what() {
        let spec: PlayerSpec = "piskvork:./brain".parse().unwrap();
        let cages = Cages::new(Path::new(""), Path::new(""), true);
        let players = Players::new(vec![("brain".to_string(), spec, cages).into()]);
        let entry = |name: &str| {
            let listed = players.listed().iter().find(|entry| entry["player"] == name).unwrap();
            (listed["games"].clone(), listed["levels"].clone())
        };
        for general in ["human", "uct", "greedy", "random", "classic-uct"] {
            assert_eq!(entry(general), (json!(GAMES), json!(0)), "{general}");
        }
        assert_eq!(entry("strong"), (json!(GAMES), json!(10)));
        assert_eq!(entry("solver").0, json!(["connect4"]));
        assert_eq!(entry("classic-connect6").0, json!(["connect6"]));
        assert_eq!(entry("brain"), (json!(["gomoku", "standard", "renju"]), json!(0)));
        assert_eq!(players.listed().len(), BUILT_IN.len() + 2);
    }
}
