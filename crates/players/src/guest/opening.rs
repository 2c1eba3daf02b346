//! Openings from both sides of the table: Gomocup's `SWAP2BOARD`, and the steps of swap2 and Soosyrv-8 that Yixin-Board
//! asks for.
//!
//! A question becomes a negotiation as far as it has come, and our engine does what is next in it, as in every game of
//! ours. Where a question is only whether to swap, the answer is what the engine would do first.

use std::io;
use std::time::Instant;

use lianzi_core::{Act, Cell, Negotiation, OpeningRule, Speak, Stone, shorten};
use lianzi_engine::Limits;
use lianzi_game::negotiate;

use super::desk::Request;
use super::piskvork::{Piskvork, heard};
use crate::protocol::cells::{Alphabet, to_corner};
use crate::protocol::piskvork::YixinStep;

/// A question about an opening at the table.
pub(super) struct Opening<'t, 'a> {
    pub table: &'t mut Piskvork<'a>,
    pub since: Instant,
}

impl Opening<'_, '_> {
    /// Gomocup's question: opens on an empty board, chooses after three or five stones.
    pub fn swap2_board(mut self, lines: &[String]) -> io::Result<()> {
        let stones = match self.cells(lines) {
            Ok(stones) => stones,
            Err(why) => return self.table.error(&why),
        };
        let begun = match self.begun(OpeningRule::Swap2, &swap2_acts(&stones)) {
            Ok(begun) => begun,
            Err(why) => return self.table.error(&why),
        };
        self.table.placed.clear();
        for ply in begun.position().plies() {
            self.table.placed.place(ply.stone, ply.cell).expect("a negotiation's stones lie on free cells");
        }
        self.table.own = self.table.placed.to_move();
        let Some(acts) = self.choose(&begun)? else { return self.table.error("there is no room for an opening") };
        let cells: Vec<Cell> = cells_of(&acts);
        if acts[0] == Act::Swap {
            self.table.own = Stone::Black;
            return self.table.desk.say("SWAP");
        }
        self.table.play(&cells)
    }

    /// A step that Yixin-Board asks for.
    pub fn yixin(mut self, step: YixinStep, lines: &[String]) -> io::Result<()> {
        let told = if step.has_list() { self.cells(lines) } else { Ok(self.placed()) };
        let answer =
            told.and_then(|cells| self.acts_so_far(step, &cells)).and_then(|(rule, acts)| self.begun(rule, &acts));
        match answer {
            Ok(begun) => self.say_step(step, &begun),
            Err(why) => self.table.error(&why),
        }
    }

    /// The stones that lie already.
    fn placed(&self) -> Vec<Cell> {
        self.table.placed.plies().iter().map(|ply| ply.cell).collect()
    }

    fn cells(&self, lines: &[String]) -> Result<Vec<Cell>, String> {
        let read = |line: &String| Alphabet::Piskvork.read(line, &self.table.placed.rules);
        lines.iter().map(|line| read(line).map_err(|bad| bad.to_string())).collect()
    }

    /// What was done before a step, where it is asked with these stones: the first four, and then fifth moves.
    fn acts_so_far(&self, step: YixinStep, cells: &[Cell]) -> Result<(OpeningRule, Vec<Act>), String> {
        let wrong = |stones: usize| format!("this step is asked with {stones} stones, not with {}", cells.len());
        let places: Vec<Act> = cells.iter().copied().map(Act::Place).collect();
        let stones = |wanted: usize| if places.len() == wanted { Ok(places.clone()) } else { Err(wrong(wanted)) };
        let soosyrv = |acts| Ok((OpeningRule::Soosyrv8, acts));
        match step {
            YixinStep::Swap2(1) => Ok((OpeningRule::Swap2, Vec::new())),
            YixinStep::Swap2(2) => Ok((OpeningRule::Swap2, stones(3)?)),
            YixinStep::Swap2(_) => stones(5).map(|_| (OpeningRule::Swap2, swap2_acts(cells))),
            YixinStep::Soosorv(1, _) => soosyrv(Vec::new()),
            YixinStep::Soosorv(2, _) => soosyrv(stones(3)?),
            // Whoever is asked for the stone itself has not the choice any more.
            YixinStep::Soosorv(3, _) => soosyrv([stones(3)?, vec![Act::Swap]].concat()),
            YixinStep::Soosorv(4, count) => soosyrv([stones(4)?, vec![Act::Count(count)]].concat()),
            YixinStep::Soosorv(5, count) => soosyrv([stones(4)?, vec![Act::Count(count), Act::Swap]].concat()),
            YixinStep::Soosorv(..) => match places.split_at_checked(4) {
                Some((first, fifths)) if !fifths.is_empty() => {
                    soosyrv([first, &[Act::Count(fifths.len() as u8)], fifths].concat())
                }
                _ => Err(wrong(5)),
            },
        }
    }

    fn begun(&self, rule: OpeningRule, acts: &[Act]) -> Result<Negotiation, String> {
        let rules = self.table.placed.rules;
        rule.check(&rules).map_err(|bad| bad.to_string())?;
        Negotiation::after(rule, rules, acts).map_err(|(allowed, why)| {
            let act = acts[allowed.acts().len()];
            let name = match act {
                Act::Place(cell) => Alphabet::Piskvork.write(cell, &rules),
                act => act.to_string(),
            };
            format!("{}: {}", shorten(&name), why.text())
        })
    }

    /// What our engine does next.
    fn choose(&mut self, begun: &Negotiation) -> io::Result<Option<Vec<Act>>> {
        let turn = Limits { move_time: self.table.time_for(self.since), ..self.table.desk.mind.limits().clone() };
        let seed = self.table.desk.mind.game_seed();
        let whole_due = turn.move_time.map(|time| self.since + time);
        let mut broken = None;
        let acts = negotiate::choose(begun, seed, &mut |position, lines, part| {
            let limits = Limits { lines, ..negotiate::in_time(negotiate::part_of(&turn, part), whole_due) };
            let due = limits.move_time.map(|time| Instant::now() + time);
            let request = Request { due, ..Request::new(position, limits, heard) };
            let thought = self.table.desk.think(&request, &|_| None);
            thought.map(|thought| thought.best).map_err(|error| broken = Some(error)).ok()
        });
        broken.map_or(Ok(acts), Err)
    }

    /// Does a step and says it as Yixin-Board hears it.
    fn say_step(&mut self, step: YixinStep, begun: &Negotiation) -> io::Result<()> {
        let Some(acts) = self.choose(begun)? else { return self.table.error("there is no room for an opening") };
        for line in step_words(step, &acts, &self.table.placed.rules) {
            self.table.desk.say(&line)?;
        }
        Ok(())
    }
}

/// The stones of a swap2 opening as acts: after three, two more were laid instead of a choice.
fn swap2_acts(stones: &[Cell]) -> Vec<Act> {
    let mut acts: Vec<Act> = stones.iter().copied().map(Act::Place).collect();
    if acts.len() > 3 {
        acts.insert(3, Act::More);
    }
    acts
}

fn cells_of(acts: &[Act]) -> Vec<Cell> {
    acts.iter().filter_map(|act| if let Act::Place(cell) = act { Some(*cell) } else { None }).collect()
}

/// The lines that answer a step; points are two numbers with a blank between them.
fn step_words(step: YixinStep, acts: &[Act], rules: &lianzi_core::Rules) -> Vec<String> {
    let point = |cell: &Cell| {
        let (x, y) = to_corner(*cell, rules);
        format!("{x} {y}")
    };
    let cells: Vec<String> = cells_of(acts).iter().map(point).collect();
    let swaps = acts.first() == Some(&Act::Swap);
    let count = acts.iter().find_map(|act| if let Act::Count(count) = act { Some(*count) } else { None });
    let three = |rule: &str| cells.iter().zip(1..).map(|(cell, n)| format!("MESSAGE {rule} MOVE{n} {cell}")).collect();
    match step {
        YixinStep::Swap2(1) => three("SWAP2"),
        // Two more stones instead of a choice.
        YixinStep::Swap2(2) if acts.first() == Some(&Act::More) => {
            cells.iter().zip(4..).map(|(cell, n)| format!("MESSAGE SWAP2 MOVE{n} {cell}")).collect()
        }
        YixinStep::Swap2(n) => vec![format!("MESSAGE SWAP2 SWAP{} {}", n - 1, if swaps { "YES" } else { "NO" })],
        YixinStep::Soosorv(1, _) => three("SOOSORV"),
        YixinStep::Soosorv(n @ (2 | 4), _) => {
            vec![format!("MESSAGE SOOSORV SWAP{} {}", n / 2, if swaps { "Y" } else { "N" })]
        }
        YixinStep::Soosorv(3, _) => {
            let number = count.unwrap_or(1);
            cells.iter().take(1).map(|cell| format!("MESSAGE SOOSORV MOVE4 {cell} {number}")).collect()
        }
        YixinStep::Soosorv(5, _) => {
            let fifths = cells.iter().map(|cell| format!("MESSAGE SOOSORV MOVE5 {cell}"));
            let refresh = std::iter::once("MESSAGE SOOSORV MOVE5 REFRESH".to_string());
            refresh.chain(fifths).chain(["MESSAGE SOOSORV MOVE5 DONE".to_string()]).collect()
        }
        YixinStep::Soosorv(..) => cells.iter().take(1).map(|cell| format!("MESSAGE SOOSORV MOVE5 C {cell}")).collect(),
    }
}
