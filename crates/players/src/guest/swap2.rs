//! The swap2 opening from both sides of the table.
//!
//! Whoever opens lays three stones that nobody should prefer either side of: several are drawn, each is searched, and
//! the most even one is laid. Whoever is asked to choose searches the position for White, who moves next, and takes
//! the side that the score prefers. Laying two more stones instead is allowed, and never better than choosing well.

use std::io;
use std::time::{Duration, Instant};

use lianzi_core::{Cell, Position, Random, Stone};
use lianzi_engine::Limits;

use super::desk::Request;
use super::piskvork::{Piskvork, heard};
use lianzi_game::swap2::{FIRST_STONES, draw, lead};

/// How many openings are tried.
const TRIED: u64 = 12;

/// How long all of them may take together when nobody limits it.
const UNASKED: Duration = Duration::from_secs(5);

/// How deep each is searched, where time allows.
const DEPTH: u32 = 6;

/// A swap2 question at the table.
pub(super) struct Swap2<'t, 'a> {
    pub table: &'t mut Piskvork<'a>,
    pub since: Instant,
}

impl Swap2<'_, '_> {
    /// Opens on an empty board, chooses on any other.
    pub fn answer(self) -> io::Result<()> {
        self.table.own = self.table.placed.to_move();
        if self.table.placed.plies().is_empty() { self.open() } else { self.choose() }
    }

    fn choose(self) -> io::Result<()> {
        match self.table.consider(self.since, 1)? {
            Some((cell, value)) if value >= 0 => self.table.play(&[cell]),
            Some(_) => {
                self.table.own = Stone::Black;
                self.table.desk.say("SWAP")
            }
            None => self.table.error("there is no free cell"),
        }
    }

    /// Lays the most even of several openings.
    fn open(mut self) -> io::Result<()> {
        let whole = self.table.time_for(self.since).unwrap_or(UNASKED);
        let end = self.since + whole;
        let mut random = Random::new(self.table.desk.mind.game_seed());
        let mut best: Option<(u32, Vec<Cell>)> = None;
        for n in 0..TRIED {
            let left = end.saturating_duration_since(Instant::now());
            let hurried = left < Duration::from_millis(5) || self.table.desk.is_leaving();
            if best.is_some() && hurried {
                break;
            }
            let Some(position) = draw(&self.table.placed.rules, &mut random) else { continue };
            let lead = self.lead(&position, left / (TRIED - n) as u32)?;
            if best.as_ref().is_none_or(|(least, _)| lead < *least) {
                best = Some((lead, position.plies().iter().map(|ply| ply.cell).collect()));
            }
        }
        let opening = best.map_or_else(|| self.table.placed.free().take(FIRST_STONES).collect(), |(_, cells)| cells);
        match opening.len() {
            FIRST_STONES => self.table.play(&opening),
            _ => self.table.error("there is no room for three stones"),
        }
    }

    /// How far from even the position is for White, who moves next.
    fn lead(&mut self, position: &Position, time: Duration) -> io::Result<u32> {
        let desk = &mut self.table.desk;
        let own = desk.mind.limits();
        let limits = Limits {
            depth: Some(own.depth.unwrap_or(DEPTH)),
            nodes: own.nodes,
            move_time: Some(time.max(Duration::from_millis(1))),
            ..Limits::default()
        };
        let due = Some(Instant::now() + time);
        let request = Request { due, ..Request::new(position, limits, heard) };
        let thought = desk.think(&request, &|_| None)?;
        Ok(lead(&thought.best.info))
    }
}
