//! RenLib's `.lib`: an opening library, a tree of moves on 15×15. Read only.
//!
//! ```text
//! FF "RenLib" FF major minor, 10 × FF       20 bytes
//! then the nodes, depth first:
//! byte 0   move: low four bits column 1..15, high four bits row from the top 0..14; 0 is no move
//! byte 1   0x80 a sibling follows   0x40 no child   0x20 comment, old kind   0x10 mark
//!          0x08 comment             0x02 no move    0x01 two more bytes, whose lowest bits announce a board text
//! then the announced strings: byte pairs, of which the last has a zero
//! ```
//!
//! Rows are flipped here and only here. A node without a move speaks of the move before it.

use super::draft::{Draft, DraftMove};
use super::format::Take;
use super::text::join;
use super::tree::{Cursor, Tree};
use super::{LoadError, Move, Tag};
use crate::{Cell, Rules, Text};

const MAGIC: &[u8] = b"\xffRenLib\xff";
const HEADER: usize = 20;
const SIZE: u8 = 15;

const SIBLING: u8 = 0x80;
const NO_CHILD: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
const BOARD_TEXT: u8 = 0x01;

/// Whether a file begins like a library.
pub(super) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads the library as one game with variations: renju unless the caller knows better.
pub(super) fn read(bytes: &[u8], rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    if bytes.is_empty() {
        return Ok(());
    }
    if !is_library(bytes) || bytes.len() < HEADER {
        let what = Text::fixed("the heading of a RenLib library", "RenLib 库的文件头");
        return Err(LoadError::expected(0, what, &String::from_utf8_lossy(&bytes[..bytes.len().min(HEADER)])));
    }
    let mut draft = Draft::new(rules.unwrap_or(Rules::renju(SIZE)));
    let mut nodes = Nodes { rest: &bytes[HEADER..] };
    let mut tree = Tree::default();
    let mut waiting = Vec::new();
    let mut parent = Some(Cursor::default());
    while let Some(at) = parent {
        let node = nodes.next()?;
        let cursor = match node.cell {
            Some(cell) => tree.play(at, DraftMove::new(None, cell, 0), false)?,
            None => at,
        };
        match tree.last(cursor) {
            Some(written) => node.describe(&mut written.rest),
            None => join(&mut draft.record.comment, &node.comment),
        }
        if node.flags & SIBLING != 0 {
            waiting.push(at);
        }
        parent = if node.flags & NO_CHILD == 0 { Some(cursor) } else { waiting.pop() };
    }
    tree.fill(&mut draft);
    take(draft)
}

struct Node {
    cell: Option<Cell>,
    flags: u8,
    comment: String,
    text: String,
}

impl Node {
    /// Puts remarks where they belong.
    fn describe(&self, played: &mut Move) {
        join(&mut played.comment, &self.comment);
        let mut tag = |name: &str, value: &str| played.tags.push(Tag { name: name.into(), values: vec![value.into()] });
        if self.flags & MARK != 0 {
            tag("RenLibMark", "1");
        }
        if !self.text.is_empty() {
            tag("RenLibText", &self.text);
        }
    }
}

struct Nodes<'a> {
    rest: &'a [u8],
}

impl Nodes<'_> {
    fn pair(&mut self) -> Result<[u8; 2], LoadError> {
        let what = Text::fixed("another node of the library", "库的下一个节点");
        let (pair, rest) = self.rest.split_first_chunk().ok_or_else(|| LoadError::expected(0, what, ""))?;
        self.rest = rest;
        Ok(*pair)
    }

    fn next(&mut self) -> Result<Node, LoadError> {
        let [place, flags] = self.pair()?;
        let extension = if flags & EXTENSION != 0 { self.pair()? } else { [0; 2] };
        let cell = if place == 0 || flags & NO_MOVE != 0 { None } else { Some(cell(place)?) };
        let commented = flags & (COMMENT | OLD_COMMENT) != 0;
        let comment = if commented { self.string()? } else { String::new() };
        let written = (extension[0] | extension[1]) & BOARD_TEXT != 0;
        let text = if written { self.string()? } else { String::new() };
        Ok(Node { cell, flags, comment, text })
    }

    fn string(&mut self) -> Result<String, LoadError> {
        let mut bytes = Vec::new();
        loop {
            let [first, second] = self.pair()?;
            let ended = first == 0 || second == 0;
            bytes.extend([first, second].into_iter().take_while(|&byte| byte != 0));
            if ended {
                let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n").replace(['\r', '\u{8}'], "\n");
                return Ok(text.trim_end().to_string());
            }
        }
    }
}

fn cell(place: u8) -> Result<Cell, LoadError> {
    let (column, row) = (place & 15, place >> 4);
    if column == 0 || row >= SIZE {
        let what = Text::fixed("a cell of the board", "棋盘上的位置");
        return Err(LoadError::expected(0, what, &format!("{place:#04x}")));
    }
    Ok(Cell::new(column - 1, SIZE - 1 - row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Document, Format::Renlib, GameRecord, Reason};

    fn library(nodes: &[u8]) -> Vec<u8> {
        [MAGIC, &[3, 0], &[0xff; 10], nodes].concat()
    }

    fn read(nodes: &[u8]) -> Result<GameRecord, LoadError> {
        Renlib.read(&Document::Single(library(nodes)), None)?.remove(0).whole()
    }

    /// Root with a comment; h8; then i9 (no child, sibling) and i8 (mark, text) with j8 below it.
    const TREE: &[u8] = &[
        0,
        COMMENT,
        b'h',
        b'i',
        0,
        0, //
        0x78,
        0, //
        0x69,
        SIBLING | NO_CHILD | COMMENT,
        b'o',
        b'k',
        b'!',
        0, //
        0x79,
        MARK | EXTENSION,
        0,
        BOARD_TEXT,
        b'A',
        0, //
        0x7a,
        NO_CHILD,
    ];

    #[test]
    fn a_library_is_read() {
        let record = read(TREE).unwrap();
        assert_eq!(record.comment, "hi");
        assert_eq!(record.rules, Rules::renju(15));
        let names = |moves: &[Move]| moves.iter().map(|m| m.cell.to_string()).collect::<Vec<_>>();
        assert_eq!(names(&record.moves), ["h8", "i9"]);
        assert_eq!(record.moves[1].comment, "ok!");
        assert_eq!(record.variations.len(), 1);
        let variation = &record.variations[0];
        assert_eq!((variation.from, variation.ply, names(&variation.moves)), (0, 1, vec!["i8".into(), "j8".into()]));
        assert_eq!(variation.moves[0].tags.len(), 2);
    }

    #[test]
    fn cut_libraries_are_refused() {
        let whole = library(TREE);
        for end in 1..whole.len() {
            assert!(Renlib.read(&Document::Single(whole[..end].to_vec()), None).is_err(), "{end}");
        }
        assert!(read(&[0x70, NO_CHILD]).is_err());
        assert!(read(&[0xf1, NO_CHILD]).is_err());
    }

    #[test]
    fn a_variation_against_the_rules_is_named() {
        let error = read(&[0x78, 0, 0x69, SIBLING | NO_CHILD, 0x78, NO_CHILD]).unwrap_err();
        assert!(matches!(error.reason, Reason::Variation { number: 1, .. }), "{error}");
    }

    #[test]
    fn only_reading_is_offered() {
        assert!(Renlib.write(&[GameRecord::new(Rules::renju(15))]).is_err());
    }
}
