//! Levels: the same engine, allowed to look at less.

use lianzi_core::Position;

use crate::{Best, Engine, Info, Limits, Stop};

/// An engine that plays at a level from 1 to 10.
pub struct Leveled {
    engine: Box<dyn Engine>,
    nodes: Option<u64>,
}

impl Leveled {
    /// The engine at this level; 10 is its full strength.
    pub fn new(engine: Box<dyn Engine>, level: u32) -> Leveled {
        Leveled { engine, nodes: nodes(level) }
    }
}

/// How many nodes a level may look at: each three times as many as the one below, the highest as many as it likes.
fn nodes(level: u32) -> Option<u64> {
    const LOWEST: u64 = 30;
    (level < 10).then(|| LOWEST * 3u64.pow(level.saturating_sub(1)))
}

impl Engine for Leveled {
    fn begin(&mut self, seed: u64) {
        self.engine.begin(seed);
    }

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Info),
    ) -> Best {
        let nodes = limits.nodes.into_iter().chain(self.nodes).min();
        self.engine.search(position, &Limits { nodes, ..limits.clone() }, stop, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Options, engine};
    use lianzi_core::Rules;

    #[test]
    fn levels_look_at_more_and_more() {
        let asked = |level: &str| {
            let rules = Rules::connect4(7, 6);
            let given = [("level".to_string(), level.to_string())].into();
            let mut engine = engine("strong", &rules, &Options { given, ..Options::default() }).unwrap();
            let limits = Limits { nodes: Some(1000), ..Limits::default() };
            engine.search(&Position::new(rules), &limits, &Stop::default(), &mut |_| {}).info.nodes
        };
        assert_eq!([asked("1"), asked("2"), asked("10")], [30, 90, 1000]);
        assert_eq!(nodes(9), Some(196_830));
    }
}
