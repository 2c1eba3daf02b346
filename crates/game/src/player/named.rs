//! One of our engines by its name and options, `strong@level=5,seed=7`, where no other players can be named: in a page.

use std::str::FromStr;
use std::sync::Arc;

use lianzi_classic::{BUILT_IN, catalog};
use lianzi_core::{Rules, shorten};
use lianzi_engine::catalog::LEVELED;
use lianzi_engine::{Engine, HIGHEST, Limits, NoEngine, Options};
use serde::Deserialize;

use super::{EnginePlayer, MakeEngine};
use crate::duration;
use crate::live::Machine;

/// The level that nothing holds back.
const FULL: &str = "10";

/// What a device gives an engine, where it can use that and its name does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Device {
    /// How many MiB its table takes.
    pub table: Option<usize>,
    /// How many threads search.
    pub threads: Option<usize>,
}

/// An engine as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedEngine {
    /// What it is called: the option `name`, or the text itself.
    pub name: String,
    engine: String,
    options: Options,
    limits: Limits,
    seed: Option<u64>,
    device: Device,
}

impl FromStr for NamedEngine {
    type Err = NoEngine;

    fn from_str(text: &str) -> Result<NamedEngine, NoEngine> {
        let (base, options) = text.rsplit_once('@').unwrap_or((text, ""));
        if !BUILT_IN.contains(&base) {
            return Err(NoEngine::Unknown { name: shorten(base), known: BUILT_IN });
        }
        let (name, engine) = (text.into(), base.into());
        let mut named = NamedEngine {
            name,
            engine,
            options: Options::default(),
            limits: Limits::default(),
            seed: None,
            device: Device::default(),
        };
        options.split(',').filter(|option| !option.is_empty()).try_for_each(|option| named.set(option))?;
        Ok(named)
    }
}

impl NamedEngine {
    fn set(&mut self, option: &str) -> Result<(), NoEngine> {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        let bad = || NoEngine::Value { key: key.into(), value: shorten(value) };
        match key {
            "time" => self.limits.move_time = Some(duration::parse(value).map_err(|_| bad())?),
            "nodes" => self.limits.nodes = Some(value.parse().map_err(|_| bad())?),
            "depth" => self.limits.depth = Some(value.parse().map_err(|_| bad())?),
            "seed" => self.seed = Some(value.parse().map_err(|_| bad())?),
            "name" => self.name = value.into(),
            _ => drop(self.options.given.insert(key.into(), value.into())),
        }
        Ok(())
    }

    /// The same on such a device. What limits its nodes was measured with one thread, and would only play worse with
    /// more.
    pub fn on(self, device: Device) -> NamedEngine {
        let limited = self.limits.nodes.is_some() || self.options.given.get("level").is_some_and(|level| level != FULL);
        NamedEngine { device: Device { threads: device.threads.filter(|_| !limited), ..device }, ..self }
    }

    /// Finds out before a game begins whether it plays it.
    pub fn check(&self, rules: &Rules) -> Result<(), NoEngine> {
        // Who plays every game at any level need not be made to find out: that takes a page long.
        let mut levels = self.options.given.iter().map(|(key, value)| (key.as_str(), value.parse()));
        if self.engine == LEVELED && levels.all(|(key, value)| key == "level" && value.is_ok_and(is_level)) {
            return Ok(());
        }
        // It is not going to search: its table may be small.
        let device = Device { table: Some(1), threads: None };
        engine_with(&self.engine, rules, &self.options, device).map(drop)
    }

    /// The engine at a live table; it thinks where it is asked.
    pub fn machine(&self) -> Machine {
        let named = self.clone();
        let mut machine = Machine::new(Arc::new(move || Some(Box::new(named.player())))).within(&self.limits);
        machine.anew = true;
        machine
    }

    fn player(&self) -> EnginePlayer {
        let (engine, options, device) = (self.engine.clone(), self.options.clone(), self.device);
        let options = Options { seed: self.seed.unwrap_or_default(), ..options };
        let make: MakeEngine =
            Box::new(move |rules| engine_with(&engine, rules, &options, device).map_err(|none| none.to_string()));
        EnginePlayer::new(make, self.limits.clone(), self.seed).here()
    }
}

fn is_level(level: u32) -> bool {
    (1..=HIGHEST).contains(&level)
}

/// The engine of this name, with as much of what the device gives as it takes and the options do not say.
pub fn engine_with(name: &str, rules: &Rules, options: &Options, device: Device) -> Result<Box<dyn Engine>, NoEngine> {
    let given = [("hash", device.table), ("threads", device.threads)];
    let with = |most: usize| {
        let mut more = options.clone();
        for (key, value) in given.into_iter().take(most) {
            if let Some(value) = value {
                more.given.entry(key.into()).or_insert_with(|| value.to_string());
            }
        }
        catalog::engine(name, rules, &more)
    };
    // One that knows no tables or threads refuses the option.
    with(2).or_else(|_| with(1)).or_else(|_| with(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::{LONGEST_TURN, USUAL_TURN};

    #[test]
    fn engines_are_read_as_players_are() {
        let read = |text: &str| text.parse::<NamedEngine>();
        let named = read("strong@level=3,nodes=500,seed=7,name=me").unwrap();
        assert_eq!((named.name.as_str(), named.limits.nodes, named.seed), ("me", Some(500), Some(7)));
        assert_eq!(named.machine().patience, LONGEST_TURN);
        assert_eq!(read("uct").unwrap().machine().patience, USUAL_TURN);
        assert!(read("human").is_err() && read("gtp:x").is_err() && read("uct@nodes=many").is_err());
        assert!(read("strong@speed=9").unwrap().check(&Rules::gomoku(15)).is_err());
        let device = Device { table: Some(8), threads: Some(2) };
        for name in ["strong", "greedy", "strong@hash=2"] {
            assert!(
                engine_with(name.split('@').next().unwrap(), &Rules::gomoku(15), &Options::default(), device).is_ok()
            );
        }
        assert!(read("solver").unwrap().check(&Rules::connect6(19)).is_err());
        let threads = |text: &str| read(text).unwrap().on(device).device.threads;
        assert_eq!(["strong", "strong@level=10", "strong@time=1s"].map(threads), [Some(2); 3]);
        assert_eq!(["strong@level=5", "strong@nodes=9"].map(threads), [None; 2]);
    }
}
