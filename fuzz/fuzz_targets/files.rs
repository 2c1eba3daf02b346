//! Feeds everything that reads the engines' files: what is read must survive being written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lianzi_engine::workshop::{connect4, connect6, gomoku, training};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(lessons) = training::file::read(&mut &*bytes) {
        for lesson in &lessons.games {
            lesson.walk(lessons.rules, |_, _| {});
        }
    }
    if let Some(weights) = gomoku::Weights::read(bytes) {
        assert_eq!(weights.bytes(), bytes);
    }
    if let Some(weights) = connect6::Weights::read(bytes) {
        assert_eq!(weights.bytes(), bytes);
    }
    if let Some(book) = connect4::book::Book::read(bytes.to_vec().into()) {
        assert_eq!(book.file(), bytes);
        assert!(book.len() <= bytes.len() * 2);
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(book) = text.parse::<connect6::book::Book>()
    {
        assert_eq!(book.to_string().parse(), Ok(book));
    }
});
