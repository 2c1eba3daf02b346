//! All early positions of Connect Four, solved.

use std::path::Path;

use anyhow::Context;
use lianzi_engine::workshop::connect4::ConnectFour;
use lianzi_engine::workshop::connect4::book::{BOARD, Book, position};
use lianzi_engine::{Limits, Stop};

use lianzi_console::position::read_book;

use super::Progress;
use crate::bar;

/// The file is written each time so many positions were solved.
const AT_ONCE: usize = 200;

/// Solves what the file lacks, with a table of so many MiB. What the built-in book knows is taken over.
pub fn complete(out: &Path, stones: u8, hash: u32, stop: &Stop) -> anyhow::Result<Progress> {
    let mut book = Book::at_hand();
    if out.exists() {
        // Whatever else it is must not be written over.
        book = read_book(out)?;
    }
    let stones = usize::from(stones);
    let mut book = book.with_room(stones);
    let whole = fill(&mut book, stones, out, hash, stop)?;
    write(out, &book)?;
    Ok(Progress { positions: book.len(), whole })
}

/// Solves the positions with the most stones; all others follow from them. False if it was stopped.
fn fill(book: &mut Book, stones: usize, out: &Path, hash: u32, stop: &Stop) -> anyhow::Result<bool> {
    let mut solver = ConnectFour::without_book(&BOARD, (hash as usize) << 20)?;
    let missing = book.missing(stones);
    let bar = bar(missing.len() as u64)?;
    for (n, columns) in missing.iter().enumerate() {
        let least = book.at_least(columns);
        let known = solver.score_from(&position(columns), least, &Limits::default(), stop);
        let Some(score) = known.exact() else { return Ok(false) };
        book.add(columns, score);
        bar.inc(1);
        if n % AT_ONCE == AT_ONCE - 1 {
            write(out, book)?;
        }
    }
    bar.finish_and_clear();
    for stones in (0..stones).rev() {
        for columns in book.missing(stones) {
            let score = book.by_answers(&columns).context("every answer has been solved")?;
            book.add(&columns, score);
        }
    }
    Ok(true)
}

fn write(out: &Path, book: &Book) -> anyhow::Result<()> {
    Ok(lianzi_cage::disk::write_whole(out, &book.file())?)
}
