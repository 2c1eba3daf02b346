//! `judge`: replays records through the referee.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use lianzi_core::record::Loaded;
use lianzi_core::record::csv::{TURN_LIMIT, time_foul};
use lianzi_core::record::matrix::{Matrix, is_turn, read_board};
use lianzi_core::{Speak, Text, text};
use serde_json::json;

use lianzi_console::files::{Reading, csv_pair};
use lianzi_console::{Console, line, warn};

/// Replay recorded games through the referee; exit code 1 when one shows a foul or a false result
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi judge game.sgf\n  lianzi judge games.jsonl --json\n  lianzi judge games.txt --game connect6   # one game a line\n  lianzi judge folder-with-black.csv-and-white.csv --strict\n  lianzi judge --previous before.txt after.txt"
)]
pub struct Judge {
    /// Files, or folders of files
    #[arg(required_unless_present = "previous")]
    files: Vec<PathBuf>,
    /// Two boards of numbers (0 empty, 1 black, 2 white), as files or as text such as `[[0,1],[2,0]]`: whether one turn
    /// of Connect6 leads from one to the other
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with = "files")]
    previous: Option<Vec<String>>,
    /// Also judge the times in CSV files: five seconds a turn, and White's first later than Black's
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    reading: Reading,
    /// Print JSON, one object a game
    #[arg(long)]
    json: bool,
}

/// What was found in all files together.
#[derive(Default)]
struct Tally {
    games: usize,
    fouls: usize,
    unreadable: usize,
}

impl Judge {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        if let Some([old, new]) = self.previous.as_deref() {
            return compare(&board(old, console)?, &board(new, console)?, self.json, console);
        }
        let mut tally = Tally::default();
        for file in self.all_files()? {
            match self.reading.load(&file, console) {
                Ok(mut games) => {
                    if self.strict && csv_pair(&file).is_some() {
                        games.iter_mut().for_each(judge_times);
                    }
                    self.judge_file(&file, &games, console, &mut tally)?;
                }
                Err(error) => {
                    warn(format!("lianzi: {}", console.words(&error)));
                    tally.unreadable += 1;
                }
            }
        }
        if !self.json && tally.games > 1 {
            let Tally { games, fouls, .. } = tally;
            line(console.say(text!(
                "{games} games, {fouls} with a foul or a false result",
                "共 {games} 局，{fouls} 局有犯规或结果不实"
            )))?;
        }
        Ok(match tally {
            Tally { unreadable: 1.., .. } => ExitCode::from(2),
            Tally { fouls: 1.., .. } => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        })
    }

    fn all_files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in &self.files {
            if path.is_dir() && csv_pair(path).is_none() {
                files.extend(records_in(path)?);
            } else {
                files.push(path.clone());
            }
        }
        if files.is_empty() {
            anyhow::bail!(Text::fixed(
                "these folders hold no game records; name files, or folders with files such as game.sgf",
                "这些文件夹中没有棋谱；请指定棋谱文件，或含有 game.sgf 之类文件的文件夹",
            ));
        }
        Ok(files)
    }

    fn judge_file(&self, file: &Path, games: &[Loaded], console: &Console, tally: &mut Tally) -> anyhow::Result<()> {
        /// How many lines are printed at once: a file may hold very many games.
        const LINES: usize = 1000;
        for (chunk, games_of_chunk) in games.chunks(LINES).enumerate() {
            let judged = games_of_chunk.iter().zip(chunk * LINES + 1..).map(|(game, number)| {
                let number = (games.len() > 1).then_some(number);
                match self.json {
                    true => json(file, number, game, console),
                    false => words(file, number, game, console),
                }
            });
            line(judged.collect::<Vec<_>>().join("\n"))?;
        }
        tally.games += games.len();
        tally.fouls += games.iter().filter(|game| game.is_foul()).count();
        Ok(())
    }
}

/// A board from a file, or from the argument itself.
fn board(argument: &str, console: &Console) -> anyhow::Result<Matrix> {
    let text = match argument.trim_start().starts_with('[') {
        true => argument.into(),
        false => std::fs::read_to_string(argument).with_context(|| argument.to_string())?,
    };
    read_board(&text).map_err(|error| anyhow!("{argument}: {}", error.words(console.language)))
}

fn compare(old: &Matrix, new: &Matrix, json: bool, console: &Console) -> anyhow::Result<ExitCode> {
    let turn = is_turn(old, new);
    let words = match turn {
        true => console.pick("one turn leads from one board to the other", "两个棋盘之间恰好相差一手"),
        false => "opponent break the rule!",
    };
    if json {
        line(json!({ "ending": if turn { "unfinished" } else { "tampered" }, "words": words }).to_string())?;
    } else if turn {
        line(words)?;
    } else {
        eprintln!("{words}");
    }
    Ok(ExitCode::from(u8::from(!turn)))
}

/// A foul by time comes before whatever stones show, for it happened in a turn that was placed.
fn judge_times(game: &mut Loaded) {
    if let Some(verdict) = time_foul(&game.record, TURN_LIMIT, true) {
        game.record.verdict = verdict;
    }
}

/// The files of a folder whose names promise a game record, in order; a game in CSV is a folder of its own.
fn records_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let games = folder.join("games.jsonl");
    // What else lies in the folder of a contest tells of it, or has the same games once more.
    if games.is_file() && folder.join("contest.json").is_file() {
        return Ok(vec![games]);
    }
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let is_record = |path: &PathBuf| match path.is_dir() {
        true => csv_pair(path).is_some(),
        false => {
            matches!(path.extension().and_then(|e| e.to_str()), Some("json" | "jsonl" | "sgf" | "psq" | "txt" | "lib"))
        }
    };
    Ok(paths.into_iter().filter(is_record).collect())
}

/// The verdict behind the place: `FILE:LINE`, of the foul or, in a file of several games, of the game.
fn words(file: &Path, number: Option<usize>, game: &Loaded, console: &Console) -> String {
    let start = number.map(|_| game.line).filter(|&line| line > 0);
    let line = game.problem.map(|problem| problem.line).or(start);
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    let number = number.map_or_else(String::new, |n| format!(" #{n}"));
    format!("{}{line}{number}: {}", file.display(), game.words(console.language))
}

fn json(file: &Path, number: Option<usize>, game: &Loaded, console: &Console) -> String {
    let record = &game.record;
    let mut object = json!({
        "file": file.display().to_string(),
        "game": record.rules,
        "outcome": record.verdict.outcome_name(),
        "ending": record.verdict.ending.name(),
        "plies": record.moves.len(),
        "words": game.words(console.language),
        "foul": game.is_foul(),
    });
    let extra = [
        ("number", number.map(|n| json!(n))),
        ("starts", number.map(|_| json!(game.line))),
        ("line", game.problem.map(|problem| json!(problem.line))),
        ("blame", record.verdict.blame.map(|stone| json!(stone))),
        ("winning_line", record.position().winning_line().map(|cells| json!(cells))),
    ];
    for (name, value) in extra {
        if let Some(value) = value {
            object[name] = value;
        }
    }
    object.to_string()
}
