//! An engine that becomes another when it is asked about another game.

use lianzi_core::{Position, Rules, shorten};

use crate::{Best, Engine, Limits, NoEngine, Options, Report, Stop};

/// Makes the engine of a name for a game, taking out of the options those it knows.
pub type Build = fn(&str, &Rules, &mut Options) -> Result<Box<dyn Engine>, NoEngine>;

/// An engine with what is needed to make it anew. It plays by the rules of the position it is asked about, whatever it
/// was first made for; where it does not play them, it answers no stones.
pub struct Adaptive {
    name: String,
    options: Options,
    build: Build,
    rules: Rules,
    engine: Option<Box<dyn Engine>>,
}

impl Adaptive {
    /// The engine of a name for a game; an option it does not know is a mistake.
    pub fn new(name: &str, rules: &Rules, options: &Options, build: Build) -> Result<Adaptive, NoEngine> {
        let mut left = options.clone();
        let engine = build(name, rules, &mut left)?;
        match left.given.into_keys().next() {
            Some(key) => Err(NoEngine::Option { name: name.into(), key: shorten(&key) }),
            None => {
                Ok(Adaptive { name: name.into(), options: options.clone(), build, rules: *rules, engine: Some(engine) })
            }
        }
    }

    /// Becomes the engine for a game. Options that mean nothing there are left out.
    fn adapt(&mut self, rules: &Rules) {
        // The old engine's memory goes before the new one takes its own.
        self.engine = None;
        self.rules = *rules;
        let mut options = self.options.clone();
        self.engine = loop {
            match (self.build)(&self.name, rules, &mut options.clone()) {
                Err(NoEngine::Value { key, .. }) if options.given.remove(&key).is_some() => {}
                built => break built.ok(),
            }
        };
    }
}

impl Engine for Adaptive {
    fn begin(&mut self, seed: u64) {
        self.options.seed = seed;
        if let Some(engine) = &mut self.engine {
            engine.begin(seed);
        }
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        if self.rules != *position.rules() {
            self.adapt(position.rules());
        }
        let Some(engine) = &mut self.engine else { return Best::default() };
        engine.search(position, limits, stop, report)
    }
}
