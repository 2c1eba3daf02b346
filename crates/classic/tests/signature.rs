//! Play is what it was: a change that means to change it writes `data/signatures.txt` anew.

use lianzi_classic::catalog;
use lianzi_engine::signature::{ROWS, signature};

const GOLDEN: &str = include_str!("../../../data/signatures.txt");

#[test]
fn play_is_what_it_was() {
    let found: Vec<String> = ROWS
        .iter()
        .chain(catalog::ROWS)
        .map(|&row| signature(row, catalog::engine).map_or_else(|| format!("{row:?}"), |found| found.to_string()))
        .collect();
    let golden: Vec<&str> = GOLDEN.lines().collect();
    let changed: Vec<(&str, &String)> = golden.iter().copied().zip(&found).filter(|(was, is)| was != is).collect();
    assert!(changed.is_empty() && golden.len() == found.len(), "changed: {changed:#?}\nall: {found:#?}");
}
