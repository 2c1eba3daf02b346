//! The early positions of Connect6, searched for long.

use std::path::Path;

use anyhow::{Context, anyhow};
use lianzi_core::{Language, Position, Speak};
use lianzi_engine::workshop::connect6::book::{Advice, BOARD, BadLine, Book, beginnings};
use lianzi_engine::workshop::connect6::{Player, Settings};
use lianzi_engine::{Engine, Info, Limits, Stop};

use super::Progress;
use crate::bar;

/// Black's second turns are chosen by a search with one of so many parts of the nodes.
const PART: u64 = 10;

/// How much is searched.
pub struct Terms {
    /// How many nodes for each position.
    pub nodes: u64,
    /// How many of Black's second turns are answered.
    pub replies: usize,
    /// How many MiB the table takes.
    pub hash: usize,
}

/// Searches what the file lacks. It is written after every position: one takes seconds.
pub fn complete(out: &Path, terms: Terms, stop: &Stop, language: Language) -> anyhow::Result<Progress> {
    let Terms { nodes, replies, hash } = terms;
    let mut book = match out.exists() {
        true => std::fs::read_to_string(out)?.parse().map_err(|bad: BadLine| anyhow!(bad.words(language)))?,
        false => Book::default(),
    };
    let settings = Settings { hash, threads: 1, book: false };
    let mut author = Author { player: Player::new(&BOARD, settings), stop };
    let mut positions = beginnings();
    positions.extend(author.second_turns(&positions, nodes / PART, replies)?);
    let bar = bar(positions.len() as u64)?;
    for position in &positions {
        if book.find(position).is_none() {
            let Some(info) = author.search(position, nodes, 1) else { break };
            book.add(position, &advice(&info, position).context("no search ends without a turn")?);
            lianzi_cage::disk::write_whole(out, book.to_string().as_bytes())?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    // Stopped early, not even all positions are known.
    let whole = !stop.is_set() && positions.iter().all(|position| book.find(position).is_some());
    Ok(Progress { positions: book.len(), whole })
}

/// Who writes the book.
struct Author<'a> {
    player: Player,
    stop: &'a Stop,
}

impl Author<'_> {
    /// What a fresh search says; none if it was stopped.
    fn search(&mut self, position: &Position, nodes: u64, lines: usize) -> Option<Info> {
        self.player.begin(0);
        let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
        let best = self.player.search(position, &limits, self.stop, &mut |_| {});
        (!self.stop.is_set()).then_some(best.info)
    }

    /// The positions after the best turns of Black in those with three stones.
    fn second_turns(&mut self, positions: &[Position], nodes: u64, replies: usize) -> anyhow::Result<Vec<Position>> {
        let mut found = Vec::new();
        let bar = bar(positions.len() as u64)?;
        for position in bar.wrap_iter(positions.iter()).filter(|position| position.plies().len() == 3) {
            let Some(info) = self.search(position, nodes, replies) else { break };
            for line in &info.lines {
                let mut next = position.clone();
                line.cells.iter().take(2).try_for_each(|&cell| next.play(cell))?;
                found.push(next);
            }
        }
        Ok(found)
    }
}

fn advice(info: &Info, position: &Position) -> Option<Advice> {
    let line = info.lines.first()?;
    let turn = line.cells.iter().take(position.stones_left().into()).copied().collect();
    Some(Advice { turn, score: line.score, depth: info.depth })
}
