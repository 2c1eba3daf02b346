//! `dev puzzles`: positions to solve, found in games.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use lianzi_core::{Cell, Rules, Speak, Text, text};
use lianzi_engine::Stop;
use lianzi_engine::workshop::training::Lesson;
use lianzi_engine::workshop::training::file as selfplay;
use lianzi_train::mine::{Mine, Source};
use lianzi_train::puzzle::read;
use lianzi_train::{Puzzle, Theme};

use lianzi_console::files::Reading;
use lianzi_console::{Console, line, stop_on_ctrl_c, warn};

/// The file is written after so many games, and at the end.
const GAMES: u64 = 20;
/// How the line begins that says how far the file is.
const HEAD: &str = "# seed ";

/// Find puzzles in games of a held-back engine against itself, or in given games: each proven, replayed by the referee,
/// rated, and none of them there already; a file that exists is continued
#[derive(Args)]
pub struct PuzzlesArgs {
    /// The game
    game: Rules,
    /// How many of every theme the file is to have
    #[arg(long, value_name = "N", default_value_t = 100)]
    each: usize,
    /// How many games are played at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
    /// Where random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Look through these games instead of playing: records of any format, folders of matches, files of `dev selfplay`
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Only this theme; may be given several times
    #[arg(long = "theme", value_name = "THEME", value_parser = theme)]
    themes: Vec<Theme>,
    /// The file; its name begins the puzzles' ids
    #[arg(long, value_name = "FILE", default_value = "my.puzzles")]
    out: PathBuf,
}

fn theme(text: &str) -> Result<Theme, Text> {
    text.parse().map_err(|()| {
        let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
        let names = names.join(", ");
        text!("there is no theme {text}; there are {names}", "没有主题 {text}；有 {names}")
    })
}

/// A file of puzzles.
struct Shelf<'a> {
    path: &'a Path,
    /// What stands at its head.
    remarks: Vec<String>,
    puzzles: Vec<Puzzle>,
    mine: Mine,
}

impl Shelf<'_> {
    fn open<'a>(rules: &Rules, path: &'a Path, console: &Console) -> anyhow::Result<Shelf<'a>> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.with_context(|| path.display().to_string())?,
        };
        let puzzles = read(&text)
            .map_err(|(number, bad)| anyhow!("{}:{number}: {}", path.display(), bad.words(console.language)))?;
        let mut mine = Mine::new(rules);
        puzzles.iter().for_each(|puzzle| mine.know(puzzle));
        let remarks = text.lines().filter(|line| line.starts_with('#')).map(String::from).collect();
        Ok(Shelf { path, remarks, puzzles, mine })
    }

    /// How many games of this seed the file has seen.
    fn seen(&self, seed: u64) -> u64 {
        let begins = format!("{HEAD}{seed} games ");
        self.remarks.iter().find_map(|remark| remark.strip_prefix(&begins)?.parse().ok()).unwrap_or(0)
    }

    fn note(&mut self, seed: u64, games: u64) {
        let begins = format!("{HEAD}{seed} games ");
        self.remarks.retain(|remark| !remark.starts_with(&begins));
        self.remarks.push(format!("{begins}{games}"));
    }

    fn count(&self, theme: Theme) -> usize {
        self.puzzles.iter().filter(|puzzle| puzzle.theme == theme).count()
    }

    /// Looks through a game for what is still wanted.
    fn look(&mut self, moves: &[Cell], wanted: &[Theme]) {
        let found = self.mine.dig(moves, &|theme| wanted.contains(&theme));
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        for puzzle in found {
            let last = self.puzzles.iter().filter_map(Puzzle::number).max().unwrap_or(0);
            self.puzzles.push(Puzzle { id: format!("{name}-{}", last + 1), ..puzzle });
        }
    }

    fn write(&self) -> anyhow::Result<()> {
        let lines = self.remarks.iter().cloned().chain(self.puzzles.iter().map(Puzzle::to_string));
        let text: String = lines.map(|line| line + "\n").collect();
        lianzi_cage::disk::write_whole(self.path, text.as_bytes()).with_context(|| self.path.display().to_string())
    }
}

impl PuzzlesArgs {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let stop = stop_on_ctrl_c()?;
        let mut shelf = Shelf::open(&self.game, &self.out, console)?;
        let before = shelf.puzzles.len();
        match self.from.is_empty() {
            true => self.play(&mut shelf, &stop)?,
            false => self.read(&mut shelf, &stop, console)?,
        }
        shelf.write()?;
        let mut themes: BTreeMap<&str, usize> = BTreeMap::new();
        shelf.puzzles.iter().for_each(|puzzle| *themes.entry(puzzle.theme.name()).or_default() += 1);
        let told: Vec<String> = themes.iter().map(|(theme, count)| format!("{theme} {count}")).collect();
        let (file, new, all, told) =
            (self.out.display(), shelf.puzzles.len() - before, shelf.puzzles.len(), told.join(", "));
        line(console.say(text!("{file}: {new} new, {all} in all: {told}", "{file}：新增 {new}，共 {all}：{told}")))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The themes of which there are too few.
    fn wanted(&self, shelf: &Shelf<'_>) -> Vec<Theme> {
        let asked = |theme: &Theme| self.themes.is_empty() || self.themes.contains(theme);
        let of_game = Theme::ALL.into_iter().filter(|theme| *theme != Theme::Mistake && theme.suits(&self.game));
        of_game.filter(asked).filter(|&theme| shelf.count(theme) < self.each).collect()
    }

    fn play(&self, shelf: &mut Shelf<'_>, stop: &Stop) -> anyhow::Result<()> {
        let (first, mut source) = (shelf.seen(self.seed), Source::new(&self.game)?);
        for number in first..first.saturating_add(self.games) {
            let wanted = self.wanted(shelf);
            if wanted.is_empty() || stop.is_set() {
                break;
            }
            let moves = source.game(self.seed, number, stop);
            if stop.is_set() {
                break;
            }
            shelf.look(&moves, &wanted);
            shelf.note(self.seed, number + 1);
            if (number + 1).is_multiple_of(GAMES) {
                shelf.write()?;
            }
        }
        Ok(())
    }

    fn read(&self, shelf: &mut Shelf<'_>, stop: &Stop, console: &Console) -> anyhow::Result<()> {
        for path in &self.from {
            for moves in self.given(path, console)? {
                let wanted = self.wanted(shelf);
                if wanted.is_empty() || stop.is_set() {
                    return Ok(());
                }
                shelf.look(&moves, &wanted);
            }
        }
        Ok(())
    }

    /// The stones of the games of this kind that a file or a folder holds.
    fn given(&self, path: &Path, console: &Console) -> anyhow::Result<Vec<Vec<Cell>>> {
        let left_out = || {
            let (file, game) = (path.display(), self.game);
            warn(
                console.say(text!("{file}: a game that is no {game} was left out", "{file}：跳过一局非 {game} 的棋谱")),
            );
        };
        if let Ok(lessons) = File::open(path).and_then(|mut file| selfplay::read(&mut file)) {
            if lessons.rules != self.game {
                left_out();
                return Ok(Vec::new());
            }
            let stones = |lesson: Lesson| lesson.plies.iter().map(|note| note.cell).collect();
            return Ok(lessons.games.into_iter().map(stones).collect());
        }
        // A match keeps its games in a folder beside other files.
        let journal = path.join("games.jsonl");
        let path = if journal.is_file() { &journal } else { path };
        let mut games = Vec::new();
        for loaded in (Reading { from: None, game: Some(self.game.into()) }).load(path, console)? {
            let record = loaded.record;
            match record.rules == self.game && record.setup.is_none() {
                true => games.push(record.moves.iter().map(|played| played.cell).collect()),
                false => left_out(),
            }
        }
        Ok(games)
    }
}
