//! All early positions of Connect Four, solved.

use std::path::Path;
use std::sync::mpsc;
use std::thread;

use anyhow::Context;
use lianzi_engine::workshop::connect4::ConnectFour;
use lianzi_engine::workshop::connect4::book::{BOARD, Book, Columns, position};
use lianzi_engine::{Limits, Stop};

use lianzi_console::position::read_book;

use super::Progress;
use crate::bar;

/// The file is written each time so many positions were solved.
const AT_ONCE: usize = 200;

/// How a book is made.
pub struct Terms {
    /// The most stones of a position in it.
    pub stones: usize,
    /// How many solvers work beside each other.
    pub threads: usize,
    /// How large their tables may grow together, in MiB.
    pub hash: usize,
}

/// Solves what the file lacks. What the built-in book knows is taken over.
pub fn complete(out: &Path, terms: &Terms, stop: &Stop) -> anyhow::Result<Progress> {
    let mut book = Book::at_hand();
    if out.exists() {
        // Whatever else it is must not be written over.
        book = read_book(out)?;
    }
    let mut book = book.with_room(terms.stones);
    let whole = fill(&mut book, terms, out, stop)?;
    write(out, &book)?;
    Ok(Progress { positions: book.len(), whole })
}

/// Solves the positions with the most stones; all others follow from them. False if it was stopped.
fn fill(book: &mut Book, terms: &Terms, out: &Path, stop: &Stop) -> anyhow::Result<bool> {
    let with_least = |columns: Columns| (book.at_least(&columns), columns);
    let missing: Vec<_> = book.missing(terms.stones).into_iter().map(with_least).collect();
    let bar = bar(missing.len() as u64)?;
    let (tell, solved) = mpsc::channel();
    // Neighbours share most of what a table knows: each thread has a stretch of the walk, and a table of its own.
    let stretch = missing.len().div_ceil(terms.threads).max(1);
    thread::scope(|scope| -> anyhow::Result<()> {
        for stretch in missing.chunks(stretch) {
            let mut solver = ConnectFour::without_book(&BOARD, (terms.hash / terms.threads).max(1) << 20)?;
            let tell = tell.clone();
            scope.spawn(move || {
                for (least, columns) in stretch {
                    let known = solver.score_from(&position(columns), *least, &Limits::default(), stop);
                    let Some(score) = known.exact() else { break };
                    if tell.send((columns, score)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(tell);
        for (n, (columns, score)) in solved.into_iter().enumerate() {
            book.add(columns, score);
            bar.inc(1);
            if n % AT_ONCE == AT_ONCE - 1 {
                write(out, book)?;
            }
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(book.missing(terms.stones).is_empty() && follow(book, terms.stones)?)
}

/// Adds what follows from the positions with the most stones.
fn follow(book: &mut Book, stones: usize) -> anyhow::Result<bool> {
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
