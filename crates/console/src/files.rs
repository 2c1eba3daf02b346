//! Game records on disk: found, read with the file's name in every complaint, and written whole or not at all.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use lianzi_core::record::{Document, Format, GameRecord, Loaded, MAX_BYTES};
use lianzi_core::{BadGame, Game, Language, OpeningRule, Speak, Text, text};

use crate::{Console, warn};

/// How to read files: what the user said about them.
#[derive(clap::Args, Clone, Default)]
pub struct Reading {
    /// The format of the file [default: recognised by name and content]
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<Format>,
    /// The game, for formats that do not say it, with the opening rule to judge it by: renju+rif
    #[arg(long, value_name = "GAME", value_parser = one_board)]
    pub game: Option<Game>,
}

impl Reading {
    /// Reads every game of a file (`-` is standard input), fouls included.
    pub fn load(&self, path: &Path, console: &Console) -> anyhow::Result<Vec<Loaded>> {
        let document = read_document(path).with_context(|| path.display().to_string())?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let format = self.from.or_else(|| Format::detect(&name, &document));
        let format = format.ok_or_else(|| anyhow!("{}: {}", path.display(), unknown_format(console.language)))?;
        let rules = self.game.and_then(|game| game.rules());
        let games = format.read_watched(&document, rules, &mut progress(path, console));
        let games = games.map_err(|error| anyhow!("{}: {}", path.display(), error.words(console.language)))?;
        let rule = self.game.map_or(OpeningRule::None, |game| game.opening);
        Ok(games.into_iter().map(|game| game.begun_by(rule)).collect())
    }

    /// Reads one whole game; a file with several needs a number, from 1.
    pub fn load_one(&self, path: &Path, number: Option<usize>, console: &Console) -> anyhow::Result<GameRecord> {
        let mut games = self.load(path, console)?;
        let count = games.len();
        let index = match number {
            None if count > 1 => bail!(several_games(path, count)),
            None => 0,
            Some(number) => index(path, number, count)?,
        };
        whole(games.swap_remove(index), path, console)
    }
}

/// Reads a game on one certain board.
fn one_board(text: &str) -> Result<Game, BadGame> {
    text.parse().and_then(|game: Game| if game.rules().is_some() { Ok(game) } else { Err(BadGame::Random) })
}

/// Tells every second how many games of a file were read: a short wait needs no words.
fn progress(path: &Path, console: &Console) -> impl FnMut(usize) {
    const APART: Duration = Duration::from_secs(1);
    let mut last = Instant::now();
    move |games| {
        if last.elapsed() >= APART {
            last = Instant::now();
            let path = path.display();
            warn(console.say(text!("{path}: {games} games read so far", "{path}：已读取 {games} 局")));
        }
    }
}

/// Where the game with this number, from 1, stands among those of a file.
pub fn index(path: &Path, number: usize, count: usize) -> Result<usize, Text> {
    let path = path.display();
    match (1..=count).contains(&number) {
        true => Ok(number - 1),
        false => {
            Err(text!("{path} has no game {number}; it holds {count}", "{path} 没有第 {number} 局；共 {count} 局"))
        }
    }
}

/// The record of a loaded game, or where and how it breaks the rules.
pub fn whole(loaded: Loaded, path: &Path, console: &Console) -> anyhow::Result<GameRecord> {
    loaded.whole().map_err(|error| anyhow!("{}: {}", path.display(), error.words(console.language)))
}

fn unknown_format(language: Language) -> String {
    use lianzi_core::record::{LoadError, Reason};
    LoadError { line: 0, reason: Reason::UnknownFormat }.words(language)
}

fn several_games(path: &Path, count: usize) -> Text {
    let path = path.display();
    text!(
        "{path} holds {count} games; choose one with --number 1 to {count}, or take it out with lianzi convert {path} one.json --number 1",
        "{path} 中有 {count} 局；请用 --number 选择 1 到 {count} 中的一局，或用 lianzi convert {path} one.json --number 1 取出"
    )
}

/// Reads a file, standard input, or a folder with `black.csv` and `white.csv`; naming one of the two means both.
fn read_document(path: &Path) -> anyhow::Result<Document> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        return Ok(Document::Single(bytes));
    }
    match csv_pair(path) {
        Some((black, white)) => Ok(Document::Pair { black: read_half(&black)?, white: read_half(&white)? }),
        None => Ok(Document::Single(read_bounded(path)?)),
    }
}

/// The two files of a game in CSV, if the path names a folder that has them, or one of them.
pub fn csv_pair(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let pair = |folder: &Path| (folder.join("black.csv"), folder.join("white.csv"));
    if path.is_dir() {
        let (black, white) = pair(path);
        return (black.exists() || white.exists()).then_some((black, white));
    }
    let name = path.file_name()?.to_str()?;
    (name == "black.csv" || name == "white.csv").then(|| pair(path.parent().unwrap_or(Path::new(""))))
}

/// A side that has not moved yet may have no file.
fn read_half(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path.exists() { read_bounded(path) } else { Ok(Vec::new()) }
}

fn read_bounded(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let meta = file.metadata()?;
    if meta.is_dir() {
        bail!(Text::fixed(
            "this is a folder without black.csv and white.csv, not a game; name a file in it",
            "这是文件夹，其中没有 black.csv 和 white.csv，不是棋谱；请指定其中的文件"
        ));
    }
    if meta.len() > MAX_BYTES as u64 {
        let most = MAX_BYTES >> 20;
        bail!(text!("the file is larger than {most} MiB and cannot be a game", "文件超过 {most} MiB，不可能是棋谱"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a document: one file, or for CSV a folder with the two files. `-` is standard output.
pub fn write_document(path: &Path, document: &Document) -> anyhow::Result<()> {
    match document {
        Document::Single(bytes) if path == Path::new("-") => Ok(std::io::stdout().write_all(bytes)?),
        Document::Single(bytes) => write_whole(path, bytes),
        Document::Pair { black, white } => {
            fs::create_dir_all(path).with_context(|| path.display().to_string())?;
            write_whole(&path.join("black.csv"), black)?;
            write_whole(&path.join("white.csv"), white)
        }
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    lianzi_cage::disk::write_whole(path, bytes).with_context(|| path.display().to_string())
}

/// The format a file name asks for.
pub fn format_of_name(path: &Path) -> Option<Format> {
    Format::detect(&path.file_name()?.to_string_lossy(), &Document::Single(Vec::new()))
}
