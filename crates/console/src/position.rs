//! The positions a command is asked about: after moves, from a recorded game, or from a list; and how they are solved.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use lianzi_core::{Game, Position, Rules, Speak, Text, text};
use lianzi_engine::catalog::Setting;
use lianzi_engine::workshop::connect4::book::{self, Book};

use crate::Console;
use crate::files::Reading;

/// A game, and where in it.
#[derive(Args)]
pub struct Place {
    /// The game, such as gomoku, connect6:15 or connect4:9x10/d4; not needed with --load
    pub game: Option<Rules>,
    /// Stones already played: cells, with blanks or run together (h8i9); where stones drop also columns (4453)
    #[arg(long, value_name = "CELLS", default_value = "", conflicts_with = "load")]
    pub moves: String,
    /// A recorded game, at its last position
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", requires = "load")]
    number: Option<usize>,
    /// The position after this many stones of the recorded game
    #[arg(long, value_name = "STONES", requires = "load")]
    at: Option<usize>,
}

impl Place {
    /// The position itself.
    pub fn position(&self, console: &Console) -> anyhow::Result<Position> {
        match &self.load {
            Some(path) => self.recorded(path, console),
            None => position_after(self.rules()?, &self.moves, console),
        }
    }

    /// The game that was named.
    pub fn rules(&self) -> Result<Rules, Text> {
        self.game.ok_or(Text::fixed("name a game, or a recorded one with --load", "请指明棋类，或用 --load 指定棋谱"))
    }

    fn recorded(&self, path: &Path, console: &Console) -> anyhow::Result<Position> {
        let reading = Reading { from: None, game: self.game.map(Game::from) };
        let record = reading.load_one(path, self.number, console)?;
        let stones = record.moves.len();
        match self.at {
            Some(at) if at > stones => {
                Err(text!("there is no --at {at}; the game has {stones} stones", "没有 --at {at}；此局共 {stones} 子"))
                    .with_context(|| path.display().to_string())
            }
            at => Ok(record.position_at(at.unwrap_or(stones))),
        }
    }
}

/// The position after moves given on the command line.
pub fn position_after(rules: Rules, moves: &str, console: &Console) -> anyhow::Result<Position> {
    Position::after(rules, moves).map_err(|bad| anyhow!("--moves: {}", bad.words(console.language)))
}

/// How a solver is set up.
#[derive(Args, Clone)]
pub struct With {
    /// How large the table may grow, in MiB (Connect Four)
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Do without the opening book (Connect Four)
    #[arg(long)]
    no_book: bool,
    /// Use this opening book, as `dev book` makes them, instead of the built-in one (Connect Four)
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
}

impl With {
    /// The same for the engine.
    pub fn setting(&self) -> anyhow::Result<Setting> {
        let book = match &self.book {
            _ if self.no_book => None,
            Some(path) => Some(read_book(path).with_context(|| path.display().to_string())?),
            None => Some(Book::at_hand()),
        };
        Ok(Setting { table: (self.hash as usize) << 20, book })
    }
}

/// What a file is not.
const NO_BOOK: Text =
    Text::fixed("this is not a book of Connect Four, or it is damaged", "这不是四子棋的开局库，或已损坏");

/// A book of Connect Four.
pub fn read_book(path: &Path) -> anyhow::Result<Book> {
    Ok(Book::read(Cow::Owned(std::fs::read(path)?)).ok_or(NO_BOOK)?)
}

/// Lets every solver use the book of Connect Four in a data folder, `connect4.book`, if there is one.
pub fn use_book_of(folder: &Path) -> anyhow::Result<()> {
    let path = folder.join("connect4.book");
    let named = || path.display().to_string();
    match std::fs::read(&path) {
        Ok(file) => book::hand_in(file).map(drop).ok_or(NO_BOOK).with_context(named),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(named),
    }
}

/// A position to solve.
pub struct Asked {
    /// As it was written.
    pub text: String,
    /// What it means.
    pub position: Position,
    /// The score that the file claims.
    pub claimed: Option<i32>,
}

/// The positions of a file, one a line; empty lines and what follows a `#`, or the `;` before a remark, are skipped.
pub fn read_positions(rules: Rules, path: &Path, console: &Console) -> anyhow::Result<Vec<Asked>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().map(|line| line.split(['#', ';']).next().unwrap_or_default().trim());
    let numbered = lines.enumerate().filter(|(_, line)| !line.is_empty());
    numbered
        .map(|(n, line)| {
            let place = || format!("{}:{}", path.display(), n + 1);
            read_position(rules, line, console).with_context(place)
        })
        .collect()
}

/// Moves as everywhere; after columns as digits the claimed score may follow.
fn read_position(rules: Rules, text: &str, console: &Console) -> anyhow::Result<Asked> {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let digits = rules.width <= 9 && first.len() > 1 && first.bytes().all(|b| b.is_ascii_digit());
    let claimed = rest.trim().parse().ok().filter(|_| digits);
    let text = if claimed.is_some() { first } else { text };
    Ok(Asked { text: text.to_string(), position: position_after(rules, text, console)?, claimed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_positions_may_hold_remarks() {
        let list = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(list.path(), "# moves ; what is known\n\nh8 a1 i8 ; win in 7 plies ; by hand\nh8i9 # two\n")
            .unwrap();
        let asked = read_positions(Rules::gomoku(15), list.path(), &Console::new(None, false)).unwrap();
        let texts: Vec<_> = asked.iter().map(|one| (one.text.as_str(), one.position.plies().len())).collect();
        assert_eq!(texts, [("h8 a1 i8", 3), ("h8i9", 2)]);
    }

    #[test]
    fn the_book_of_a_folder_is_used_if_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("connect4.book");
        use_book_of(folder.path()).unwrap();
        std::fs::write(&path, "j10 = i9").unwrap();
        let unfit = use_book_of(folder.path()).unwrap_err();
        assert!(format!("{unfit:#}").contains("not a book of Connect Four"), "{unfit:#}");
        assert_eq!(Book::at_hand(), Book::built_in());
        let larger = Book::built_in().with_room(9);
        std::fs::write(&path, larger.file()).unwrap();
        use_book_of(folder.path()).unwrap();
        assert_eq!((Setting::default().book, Book::at_hand().stones()), (Some(larger), 9));
    }
}
