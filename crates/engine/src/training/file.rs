//! The file of lessons: a head, then one game after the other, all numbers little-endian.
//!
//! ```text
//!     head   "LZSP"  version u8  length of the game's name u8  name
//!     game   given stones u8  winner u8 (0 nobody, 1 Black, 2 White, 3 broken off)  stones u16  then for each stone
//!            cell u16 (row × 32 + column, bit 15: quiet)   score i16 (−32768: not asked)
//! ```

use std::io::{self, Read, Write};

use lianzi_core::{Cell, Rules, Stone};

use super::{Lesson, Note};

const MAGIC: &[u8; 4] = b"LZSP";
const VERSION: u8 = 1;
const QUIET: u16 = 1 << 15;
const UNASKED: i16 = i16::MIN;
const BROKEN_OFF: u8 = 3;

/// Writes the head of a file.
pub fn write_head(out: &mut impl Write, rules: &Rules) -> io::Result<()> {
    let name = rules.to_string();
    out.write_all(MAGIC)?;
    out.write_all(&[VERSION, name.len() as u8])?;
    out.write_all(name.as_bytes())
}

/// Writes one game.
pub fn write_lesson(out: &mut impl Write, lesson: &Lesson) -> io::Result<()> {
    let winner = if lesson.broken_off { BROKEN_OFF } else { lesson.winner.map_or(0, |stone| 1 + stone.index() as u8) };
    let mut bytes = vec![lesson.opening as u8, winner];
    bytes.extend((lesson.plies.len() as u16).to_le_bytes());
    for note in &lesson.plies {
        let cell = u16::from(note.cell.row) << 5 | u16::from(note.cell.column);
        bytes.extend((cell | if note.quiet { QUIET } else { 0 }).to_le_bytes());
        bytes.extend(note.score.unwrap_or(UNASKED).to_le_bytes());
    }
    out.write_all(&bytes)
}

/// Reads a whole file. A game cut off at the end, as by a crash, is left out; `whole` is where it would begin.
pub fn read(input: &mut impl Read) -> io::Result<Lessons> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let mut rest = bytes.as_slice();
    let rules = read_head(&mut rest).ok_or_else(|| io::Error::other("not a file of self-played games"))?;
    let mut games = Vec::new();
    let mut whole = bytes.len() - rest.len();
    while let Some(lesson) = read_lesson(&mut rest) {
        games.push(lesson);
        whole = bytes.len() - rest.len();
    }
    Ok(Lessons { rules, games, whole })
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lessons {
    /// The game.
    pub rules: Rules,
    /// The games played.
    pub games: Vec<Lesson>,
    /// How many bytes of the file they take.
    pub whole: usize,
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(count)?;
    *rest = tail;
    Some(head)
}

fn word(bytes: &[u8], n: usize) -> u16 {
    u16::from_le_bytes([bytes[n], bytes[n + 1]])
}

fn read_head(rest: &mut &[u8]) -> Option<Rules> {
    let head = take(rest, 6)?;
    let name = take(rest, head[5].into())?;
    let known = &head[..4] == MAGIC && head[4] == VERSION;
    known.then(|| std::str::from_utf8(name).ok()?.parse().ok()).flatten()
}

fn read_lesson(rest: &mut &[u8]) -> Option<Lesson> {
    let head = take(rest, 4)?;
    let plies = take(rest, 4 * usize::from(word(head, 2)))?;
    let note = |bytes: &[u8]| {
        let (cell, score) = (word(bytes, 0), word(bytes, 2) as i16);
        Note {
            cell: Cell::new((cell & 31) as u8, (cell >> 5 & 31) as u8),
            score: (score != UNASKED).then_some(score),
            quiet: cell & QUIET != 0,
        }
    };
    Some(Lesson {
        opening: head[0].into(),
        winner: [None, Some(Stone::Black), Some(Stone::White)].get(usize::from(head[1])).copied().flatten(),
        plies: plies.chunks_exact(4).map(note).collect(),
        broken_off: head[1] == BROKEN_OFF,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_a_torn_end_is_left_out() {
        let rules: Rules = "renju:17/a1".parse().unwrap();
        let note = |n: u8| Note {
            cell: Cell::new(n, 16 - n),
            score: (n > 3).then_some(-7 * i16::from(n)),
            quiet: n.is_multiple_of(2),
        };
        let lesson = |winner| Lesson { opening: 3, plies: (0..9).map(note).collect(), winner, broken_off: false };
        let broken_off = Lesson { broken_off: true, ..lesson(None) };
        let games = vec![lesson(None), lesson(Some(Stone::Black)), broken_off, lesson(Some(Stone::White))];
        let mut bytes = Vec::new();
        write_head(&mut bytes, &rules).unwrap();
        games.iter().for_each(|lesson| write_lesson(&mut bytes, lesson).unwrap());
        let whole = bytes.len();
        assert_eq!(read(&mut bytes.as_slice()).unwrap(), Lessons { rules, games: games.clone(), whole });
        let torn = read(&mut &bytes[..whole - 5]).unwrap();
        assert_eq!((torn.games.as_slice(), torn.whole), (&games[..3], whole - 40));
        assert!(read(&mut &b"LZSQ\x01\x00"[..]).is_err() && read(&mut &bytes[..3]).is_err());
    }
}
