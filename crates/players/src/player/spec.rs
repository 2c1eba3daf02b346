//! How users name a player: `greedy`, `strong@nodes=20000`, `piskvork:./engine@name=X`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use lianzi_classic::{BUILT_IN, catalog};
use lianzi_core::{Rules, Speak, Text, shorten, spoken_errors, text};
use lianzi_engine::{Engine, Limits, NoEngine, Options};

use super::program::{self, BadCommand, Program, Unset};
use super::{BadStrategy, Strategy};
use lianzi_cage::Cages;
use lianzi_game::duration;
use lianzi_game::live::Machine;
use lianzi_game::player::{EnginePlayer, MakeEngine, Player};

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
    /// How much CPU time an engine of ours may use for a turn.
    pub cpu: Option<Duration>,
    text: String,
}

/// What sort of player it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A person.
    Human,
    /// One of our engines, with its own options.
    BuiltIn(String, Options),
    /// A program from outside.
    Program(Box<Program>),
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
    /// A program or a strategy from outside has no such option, or not with this value.
    Outside(NoEngine),
    /// CPU time cannot be limited here.
    Cpu,
    /// A command line cannot be used.
    Command(BadCommand),
}

impl Speak for BadPlayer {
    fn text(&self) -> Text {
        let followed = |none: &NoEngine, english, chinese| {
            Text::both(|language| none.words(language) + language.pick(english, chinese))
        };
        match self {
            BadPlayer::Engine(none @ NoEngine::Unknown { .. }) => followed(
                none,
                "; strategies are named so:FILE, py:FILE or kaggle:FILE, programs piskvork:CMD, connect6:CMD, gtp:CMD or csv:CMD",
                "；策略写作 so:FILE、py:FILE 或 kaggle:FILE，外部程序写作 piskvork:CMD、connect6:CMD、gtp:CMD 或 csv:CMD",
            ),
            BadPlayer::Engine(none) => Text::both(|language| none.words(language)),
            BadPlayer::Outside(none) => followed(
                none,
                "; docs/protocols.md tells the options of programs and strategies from outside",
                "；外部程序与策略的选项见 docs/protocols.md",
            ),
            BadPlayer::Cpu => Text::fixed(
                "this system does not tell CPU times, so the option cpu cannot be kept; leave it out",
                "本系统无法测量 CPU 时间，不能使用选项 cpu；请去掉它",
            ),
            BadPlayer::Command(bad) => bad.text(),
            BadPlayer::Option(text) => text!(
                "'{text}' is no player option; options are written key=value, as in greedy@seed=7,name=x",
                "“{text}”不是棋手选项；选项写作 key=value，例如 greedy@seed=7,name=x"
            ),
        }
    }
}

spoken_errors!(BadPlayer);

impl FromStr for PlayerSpec {
    type Err = BadPlayer;

    fn from_str(text: &str) -> Result<PlayerSpec, BadPlayer> {
        let (text_only, options) = program::split_options(text);
        if let Some(strategy) = Strategy::read(text_only) {
            let spec = PlayerSpec::new(strategy.name(), Kind::Strategy(Box::new(strategy)), text);
            return program::options(options).into_iter().try_fold(spec, PlayerSpec::with);
        }
        let Some((protocol, rest)) = Program::split(text) else { return built_in(text) };
        let (command, options) = program::split_options(rest);
        let program = Program::new(protocol, command).map_err(BadPlayer::Command)?;
        let name = program.name();
        let spec = PlayerSpec::new(name, Kind::Program(Box::new(program)), text);
        program::options(options).into_iter().try_fold(spec, PlayerSpec::with)
    }
}

/// A person or one of our engines.
fn built_in(text: &str) -> Result<PlayerSpec, BadPlayer> {
    let (base, options) = text.rsplit_once('@').unwrap_or((text, ""));
    let kind = match base {
        "human" => Kind::Human,
        name if BUILT_IN.contains(&name) => Kind::BuiltIn(name.into(), Options::default()),
        name => return Err(BadPlayer::Engine(NoEngine::Unknown { name: shorten(name), known: BUILT_IN })),
    };
    let options = options.split(',').filter(|option| !option.is_empty());
    options.into_iter().try_fold(PlayerSpec::new(text.into(), kind, text), PlayerSpec::with)
}

impl PlayerSpec {
    fn new(name: String, kind: Kind, text: &str) -> PlayerSpec {
        PlayerSpec { name, kind, limits: Limits::default(), seed: None, cpu: None, text: text.into() }
    }

    fn with(mut self, option: &str) -> Result<PlayerSpec, BadPlayer> {
        self.set(option).map(|()| self)
    }

    fn set(&mut self, option: &str) -> Result<(), BadPlayer> {
        let (key, value) = option.split_once('=').ok_or_else(|| BadPlayer::Option(shorten(option)))?;
        let bad = || BadPlayer::Engine(NoEngine::Value { key: key.into(), value: shorten(value) });
        match (key, &mut self.kind) {
            ("time", _) => self.limits.move_time = Some(time(value).ok_or_else(bad)?),
            ("nodes", _) => self.limits.nodes = Some(value.parse().map_err(|_| bad())?),
            ("depth", _) => self.limits.depth = Some(value.parse().map_err(|_| bad())?),
            ("seed", _) => self.seed = Some(value.parse().map_err(|_| bad())?),
            ("name", _) => self.name = value.into(),
            ("cpu", Kind::BuiltIn(..)) => {
                let unset = |unset| if unset == Unset::Unmeasured { BadPlayer::Cpu } else { bad() };
                self.cpu = Some(program::cpu(value).map_err(unset)?);
            }
            (_, Kind::BuiltIn(_, options)) => {
                options.given.insert(key.into(), value.into());
            }
            (_, Kind::Program(program)) => {
                program.set(key, value).map_err(|unset| refused(unset, key, value, &program.name()))?;
            }
            (_, Kind::Strategy(strategy)) => {
                strategy.set(key, value).map_err(|unset| refused(unset, key, value, &strategy.name()))?;
            }
            (_, Kind::Human) => return Err(BadPlayer::Option(shorten(option))),
        }
        Ok(())
    }

    /// Makes the engine, if the player is one of ours.
    pub fn engine(&self, rules: &Rules) -> Result<Option<Box<dyn Engine>>, NoEngine> {
        match &self.kind {
            Kind::Human | Kind::Program(_) | Kind::Strategy(_) => Ok(None),
            Kind::BuiltIn(name, options) => {
                let options = Options { seed: self.seed.unwrap_or_default(), ..options.clone() };
                catalog::engine(name, rules, &options).map(Some)
            }
        }
    }

    /// Whether the cage that it needs, if it needs one, can be had.
    pub fn check_cage(&self, cages: &Cages) -> Result<(), BadStrategy> {
        match &self.kind {
            Kind::Strategy(strategy) => strategy.check(cages),
            Kind::Program(program) if program.is_caged() => cages.check().map_err(BadStrategy::Cage),
            _ => Ok(()),
        }
    }

    /// Finds out before a game begins whether the player can be asked for it.
    pub fn check(&self, rules: &Rules) -> Result<(), NoEngine> {
        match &self.kind {
            Kind::Program(program) => program.check(rules),
            Kind::Strategy(strategy) => strategy.check_game(rules),
            _ => self.engine(rules).map(|_| ()),
        }
    }

    /// The same player in a cage and with so many threads, if it is foreign code and the user did not say otherwise.
    pub fn confined(mut self, threads: u64) -> PlayerSpec {
        match &mut self.kind {
            Kind::Program(program) => {
                program.cage.get_or_insert(true);
                program.threads.get_or_insert(threads);
            }
            Kind::Strategy(strategy) => drop(strategy.threads.get_or_insert(threads)),
            Kind::Human | Kind::BuiltIn(..) => {}
        }
        self
    }

    /// Makes the player where no foreign code may run: a strategy cannot start. `None` for a person, who needs a
    /// board to sit at.
    pub fn player(&self) -> Option<Box<dyn Player>> {
        self.player_among(None)
    }

    /// Makes the player, a strategy's with cages to run in.
    pub fn player_with(&self, cages: &Cages) -> Option<Box<dyn Player>> {
        self.player_among(Some(cages))
    }

    /// The player at a live table; nothing for a person.
    pub fn machine(&self, cages: Option<&Cages>) -> Option<Machine> {
        if self.kind == Kind::Human {
            return None;
        }
        let (spec, cages) = (self.clone(), cages.cloned());
        let machine = Machine::new(Arc::new(move || spec.player_here(cages.as_ref())));
        let mut machine = machine.within(&self.limits);
        machine.anew = matches!(self.kind, Kind::BuiltIn(..));
        Some(machine)
    }

    /// Makes the player for one who asks on a thread that can be given up: there our engines think on that thread.
    fn player_here(&self, cages: Option<&Cages>) -> Option<Box<dyn Player>> {
        match &self.kind {
            Kind::BuiltIn(..) => Some(Box::new(self.engine_player().here())),
            _ => self.player_among(cages),
        }
    }

    fn player_among(&self, cages: Option<&Cages>) -> Option<Box<dyn Player>> {
        match &self.kind {
            Kind::Human => None,
            Kind::BuiltIn(..) => Some(Box::new(self.engine_player())),
            Kind::Program(program) => Some(program.player(self.limits.clone(), cages)),
            Kind::Strategy(strategy) => Some(Box::new(strategy.player(cages))),
        }
    }

    /// How many threads an engine of ours searches with.
    fn threads(&self) -> u32 {
        let Kind::BuiltIn(_, options) = &self.kind else { return 1 };
        options.given.get("threads").and_then(|threads| threads.parse().ok()).unwrap_or(1)
    }

    fn engine_player(&self) -> EnginePlayer {
        let spec = self.clone();
        let make: MakeEngine = Box::new(move |rules| match spec.engine(rules) {
            Ok(Some(engine)) => Ok(engine),
            Ok(None) => Err("a person is no engine".into()),
            Err(none) => Err(none.to_string()),
        });
        EnginePlayer::new(make, self.limits.clone(), self.seed).within(self.cpu, self.threads())
    }
}

/// Why an option of somebody from outside cannot be set.
fn refused(unset: Unset, key: &str, value: &str, name: &str) -> BadPlayer {
    match unset {
        Unset::Key => BadPlayer::Outside(NoEngine::Option { name: name.into(), key: shorten(key) }),
        Unset::Value => BadPlayer::Outside(NoEngine::Value { key: key.into(), value: shorten(value) }),
        Unset::Unmeasured => BadPlayer::Cpu,
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
    use super::super::Protocol;
    use super::*;
    use lianzi_game::live::{LONGEST_TURN, USUAL_TURN};

    #[test]
    fn who_said_nothing_of_time_thinks_for_the_usual_time() {
        let patience = |text: &str| text.parse::<PlayerSpec>().unwrap().machine(None).map(|machine| machine.patience);
        assert_eq!((patience("uct"), patience("strong@level=10")), (Some(USUAL_TURN), Some(USUAL_TURN)));
        assert_eq!((patience("uct@time=9s"), patience("human")), (Some(LONGEST_TURN), None));
    }

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
    fn programs_from_outside() {
        let text = "piskvork:'./my engine' -x@name=it,pause=10ms,info.max_node=1000,send=A 7,7,time=2s";
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!((spec.name.as_str(), spec.to_string().as_str()), ("it", text));
        assert_eq!(spec.limits.move_time, Some(Duration::from_secs(2)));
        let Kind::Program(program) = &spec.kind else { panic!("{spec:?}") };
        assert_eq!((program.protocol, program.command[0].as_str()), (Protocol::Piskvork, "./my engine"));
        assert_eq!((program.pause, program.send.as_slice()), (Duration::from_millis(10), &["A 7,7".into()][..]));
        assert_eq!(program.info, [("max_node".to_string(), "1000".to_string())]);
        assert_eq!("gtp:/opt/go -q".parse::<PlayerSpec>().map(|spec| spec.name), Ok("go".into()));
        let option = NoEngine::Option { name: "e".into(), key: "speed".into() };
        assert_eq!("gtp:e@speed=9".parse::<PlayerSpec>(), Err(BadPlayer::Outside(option)));
        assert!("gtp:e@info.x=1".parse::<PlayerSpec>().is_err(), "GTP has no INFO");
        let value = NoEngine::Value { key: "pause".into(), value: "soon".into() };
        assert_eq!("gtp:e@pause=soon".parse::<PlayerSpec>(), Err(BadPlayer::Outside(value)));
        assert!(matches!("piskvork:".parse::<PlayerSpec>(), Err(BadPlayer::Command(_))));
        let game = NoEngine::Game { name: "e".into(), game: "connect6".into() };
        let check = |text: &str, rules| text.parse::<PlayerSpec>().map(|spec| spec.check(&rules));
        assert_eq!(check("piskvork:e", Rules::connect6(19)), Ok(Err(game)));
        assert_eq!(check("connect6:e", Rules::connect6(19)), Ok(Ok(())));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let engine = |none| Err(BadPlayer::Engine(none));
        let value = |key: &str, value: &str| NoEngine::Value { key: key.into(), value: value.into() };
        assert_eq!(
            "nobody".parse::<PlayerSpec>(),
            engine(NoEngine::Unknown { name: "nobody".into(), known: BUILT_IN })
        );
        assert_eq!("greedy@fast".parse::<PlayerSpec>(), Err(BadPlayer::Option("fast".into())));
        assert_eq!("greedy@nodes=many".parse::<PlayerSpec>(), engine(value("nodes", "many")));
        assert_eq!("greedy@time=0s".parse::<PlayerSpec>(), engine(value("time", "0s")));
        // Which options an engine has is known only to the engine.
        let odd: PlayerSpec = "greedy@speed=9".parse().unwrap();
        let none = NoEngine::Option { name: "greedy".into(), key: "speed".into() };
        assert_eq!(odd.engine(&Rules::gomoku(15)).err(), Some(none));
    }
}
