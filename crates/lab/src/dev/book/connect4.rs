//! All early positions of Connect Four, solved.

use std::path::Path;

use anyhow::{Context, ensure};
use lianzi_core::{Position, Text};
use lianzi_engine::workshop::connect4::ConnectFour;
use lianzi_engine::workshop::connect4::book::{BOARD, Draft};
use lianzi_engine::{Limits, Stop};

use super::Progress;
use crate::bar;

/// Solves what the file lacks, with a table of so many MiB.
pub fn complete(out: &Path, stones: u8, hash: u32, stop: &Stop) -> anyhow::Result<Progress> {
    let mut draft = Draft::default();
    if out.exists() {
        let bytes = std::fs::read(out)?;
        draft = Draft::read(&bytes);
        // Whatever else it is must not be written over.
        ensure!(draft.bytes() == bytes, Text::fixed("this is not a book of Connect Four", "这不是四子棋的开局库"));
    }
    let whole = fill(&mut draft, stones.into(), hash, stop)?;
    lianzi_cage::disk::write_whole(out, &draft.bytes())?;
    Ok(Progress { positions: draft.len(), whole })
}

/// Solves the positions with the most stones; all others follow from them. False if it was stopped.
fn fill(draft: &mut Draft, stones: usize, hash: u32, stop: &Stop) -> anyhow::Result<bool> {
    let mut solver = ConnectFour::without_book(&BOARD, (hash as usize) << 20)?;
    let missing = draft.missing(stones);
    let bar = bar(missing.len() as u64)?;
    for position in missing {
        let known = solver.score(&position, &Limits::default(), stop);
        let Some(score) = known.exact() else { return Ok(false) };
        draft.add(&position, score);
        bar.inc(1);
    }
    bar.finish_and_clear();
    for stones in (0..stones).rev() {
        for position in draft.missing(stones) {
            let score = derived(draft, &position)?;
            draft.add(&position, score);
        }
    }
    Ok(true)
}

fn derived(draft: &Draft, position: &Position) -> anyhow::Result<i32> {
    draft.by_answers(position).context("every answer has been solved")
}
