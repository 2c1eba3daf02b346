//! Builds a game and its variations from a walk through a tree, for the formats that have one.

use std::collections::HashSet;

use super::draft::{Draft, DraftMove, DraftVariation, MAX_PLIES};
use super::{LoadError, Reason};
use crate::Text;

/// The most stones a tree may hold: more than the largest opening libraries of people.
const MAX_STONES: usize = 1_000_000;

/// A place in the tree: after so many plies of a line. Line 0 is the game, line n the variation n − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    line: u32,
    ply: u32,
}

/// A growing tree, kept flat so that no depth is too deep.
#[derive(Debug, Default)]
pub(super) struct Tree {
    main: Vec<DraftMove>,
    variations: Vec<DraftVariation>,
    /// Lines that end although something follows in the file.
    closed: HashSet<u32>,
    stones: usize,
}

impl Tree {
    /// Adds a stone behind `at`. The first stone that follows the end of a line continues it, unless it stands
    /// `aside`; every other one begins a variation.
    pub(super) fn play(&mut self, at: Cursor, written: DraftMove, aside: bool) -> Result<Cursor, LoadError> {
        if at.ply as usize >= MAX_PLIES {
            return Ok(at);
        }
        self.stones += 1;
        if self.stones > MAX_STONES {
            let what = Text::fixed("too many stones in one tree of variations", "一棵变化树中的棋子过多");
            return Err(LoadError { line: written.line, reason: Reason::TooMuch(what, MAX_STONES) });
        }
        if aside {
            self.closed.insert(at.line);
        }
        if self.end(at.line) == at.ply as usize && !self.closed.contains(&at.line) {
            self.line(at.line).push(written);
            return Ok(Cursor { ply: at.ply + 1, ..at });
        }
        let variation = DraftVariation { from: at.line as usize, ply: at.ply as usize, moves: vec![written] };
        self.variations.push(variation);
        Ok(Cursor { line: self.variations.len() as u32, ply: at.ply + 1 })
    }

    /// Whether nothing has been played before `at` nor anywhere else.
    pub(super) fn untouched(&self, at: Cursor) -> bool {
        at == Cursor::default() && self.stones == 0
    }

    /// The stone before `at`.
    pub(super) fn last(&mut self, at: Cursor) -> Option<&mut DraftMove> {
        let start = self.start(at.line);
        let index = (at.ply as usize).checked_sub(start + 1)?;
        self.line(at.line).get_mut(index)
    }

    /// The first stone of the game, or of the first variation when nothing was played.
    pub(super) fn first(&self) -> Option<&DraftMove> {
        self.main.first().or_else(|| self.variations.first()?.moves.first())
    }

    /// The stones of the game itself.
    pub(super) fn main(&self) -> &[DraftMove] {
        &self.main
    }

    /// Every stone.
    pub(super) fn stones(&mut self) -> impl Iterator<Item = &mut DraftMove> {
        self.main.iter_mut().chain(self.variations.iter_mut().flat_map(|variation| &mut variation.moves))
    }

    /// Hands the stones over to a draft.
    pub(super) fn fill(self, draft: &mut Draft) {
        draft.moves = self.main;
        draft.variations = self.variations;
    }

    fn line(&mut self, line: u32) -> &mut Vec<DraftMove> {
        match (line as usize).checked_sub(1) {
            Some(index) => &mut self.variations[index].moves,
            None => &mut self.main,
        }
    }

    fn start(&self, line: u32) -> usize {
        (line as usize).checked_sub(1).map_or(0, |index| self.variations[index].ply)
    }

    fn end(&self, line: u32) -> usize {
        match (line as usize).checked_sub(1) {
            Some(index) => self.variations[index].ply + self.variations[index].moves.len(),
            None => self.main.len(),
        }
    }
}
