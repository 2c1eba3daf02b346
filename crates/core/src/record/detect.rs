//! Which format a file has: first what only one format can begin with, then the name, then what the text looks like.

use super::text::{decode, heading, lines, number};
use super::{Document, Format, chess_save, renlib};

/// How much of a file is looked at.
const LOOKED_AT: usize = 1 << 16;

impl Format {
    /// The format of a document, from its file's name and content. Boards of numbers are taken to be coded as in
    /// `matrix-s0`, because nothing in them tells the codings apart.
    pub fn detect(file_name: &str, document: &Document) -> Option<Format> {
        let Document::Single(bytes) = document else { return Some(Format::Csv) };
        let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
        if renlib::is_library(bytes) {
            return Some(Format::Renlib);
        }
        let text = decode(bytes);
        by_beginning(&text).or_else(|| Format::by_name(file_name)).or_else(|| by_lines(&text))
    }

    /// The format that a file's name stands for; none for most `.txt` files, which can be many things.
    pub fn by_name(file_name: &str) -> Option<Format> {
        let name = file_name.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
        let (stem, extension) = name.rsplit_once('.')?;
        match extension {
            "json" | "jsonl" => Some(Format::Json),
            "sgf" => Some(Format::Sgf),
            "psq" => Some(Format::Psq),
            "lib" => Some(Format::Renlib),
            "csv" => Some(Format::Csv),
            "txt" if stem.starts_with("chesssave") => Some(Format::ChessSave),
            _ => None,
        }
    }
}

fn by_beginning(text: &str) -> Option<Format> {
    let text = text.trim_start();
    if text.starts_with('{') {
        Some(Format::Json)
    } else if text.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';')) {
        Some(Format::Sgf)
    } else if text.starts_with("Piskvorky") {
        Some(Format::Psq)
    } else {
        None
    }
}

fn by_lines(text: &str) -> Option<Format> {
    let found: Vec<&str> = lines(text).map(|(_, line)| line.trim()).filter(|line| !line.is_empty()).collect();
    let said: Vec<&str> = found.iter().copied().filter(|line| !line.starts_with('#')).collect();
    let Some(first) = said.first() else {
        return found.iter().any(|line| heading(line, "game").is_some()).then_some(Format::Moves);
    };
    if first.starts_with('[') {
        return Some(Format::MatrixS0);
    }
    // The last line may be cut by the limit on what is looked at.
    let said = if said.len() > 1 && text.len() >= LOOKED_AT { &said[..said.len() - 1] } else { &said[..] };
    by_numbers(said).or_else(|| first.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(Format::Moves))
}

/// Tells apart what consists of numbers only.
fn by_numbers(lines: &[&str]) -> Option<Format> {
    let separated = |line: &&str| line.split(|c: char| c.is_whitespace() || c == ',').nth(1).is_some();
    let digits = |line: &&str| line.bytes().all(|b| b.is_ascii_digit());
    if lines.iter().all(|line| digits(line) && !line.contains('0')) {
        return Some(Format::Columns);
    }
    let small = |line: &&str| line.bytes().all(|b| b"012, \t".contains(&b));
    let codes = |line: &&str| {
        let mut parts = line.split([',', ' ', '\t']).filter(|part| !part.is_empty());
        parts.all(|part| number(part).is_some_and(|n| n <= 2))
    };
    if lines.iter().all(|line| small(line) && (!separated(line) || codes(line))) {
        return Some(Format::MatrixS0);
    }
    lines.iter().all(|line| chess_save::numbers(line).is_some()).then_some(Format::ChessSave)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Option<Format> {
        Format::detect(name, &Document::Single(text.into()))
    }

    #[test]
    fn names_tell_the_format() {
        for (name, format) in [
            ("a.json", Format::Json),
            ("a.b/game.JSONL", Format::Json),
            ("game.sgf", Format::Sgf),
            ("game.psq", Format::Psq),
            ("game.lib", Format::Renlib),
            ("dir/ChessSave.txt", Format::ChessSave),
            ("C:\\x\\ChessSave2.txt", Format::ChessSave),
        ] {
            assert_eq!(found(name, ""), Some(format), "{name}");
        }
        assert_eq!(found("game.txt", ""), None);
        assert_eq!(found("", "nothing? (really)"), Some(Format::Moves));
        let pair = Document::Pair { black: vec![], white: vec![] };
        assert_eq!(Format::detect("", &pair), Some(Format::Csv));
    }

    #[test]
    fn content_tells_the_format() {
        for (text, format) in [
            ("\u{feff} {\"format\":", Format::Json),
            ("\n( ;GM[4]", Format::Sgf),
            ("Piskvorky 15x15, 11:11, 0\n", Format::Psq),
            ("h8 i9", Format::Moves),
            ("# game: connect6\n", Format::Moves),
            ("# game: connect4\n4453", Format::Columns),
            ("# game: connect4\nd d e", Format::Moves),
            ("4453\n11", Format::Columns),
            ("[[0,1],[2,0]]", Format::MatrixS0),
            ("0 1\n2 0", Format::MatrixS0),
            ("01\n20\n", Format::MatrixS0),
            ("0,1,2\n2,0,0", Format::MatrixS0),
            ("1 8 8\n2 7 7", Format::ChessSave),
        ] {
            assert_eq!(found("game.txt", text), Some(format), "{text}");
        }
        assert_eq!(Format::detect("x", &Document::Single(b"\xffRenLib\xff".to_vec())), Some(Format::Renlib));
        assert_eq!(found("game.txt", "8 8"), None);
        assert_eq!(found("game.sgf", "Piskvorky 15x15"), Some(Format::Psq));
    }
}
