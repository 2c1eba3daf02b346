//! `explore`: what was played from a position, how it ended, and what an engine thinks of it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use lianzi_core::{Cell, Game, Position, Speak, Text, text};
use lianzi_engine::chance::Scores;
use lianzi_engine::{Limits, Line, Stop};
use lianzi_game::explore::{Continuation, Explorer, Results};
use lianzi_players::PlayerSpec;
use serde_json::{Value, json};

use lianzi_console::files::Reading;
use lianzi_console::position::position_after;
use lianzi_console::{Console, line};

/// Show what was played from a position in files, contests and libraries, how it ended, and what an engine thinks of it
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi explore renju --moves h8h9i9\n  lianzi explore renju games.sgf cup/games.jsonl --moves \"h8 h9 i9\"\n  lianzi explore gomoku --data /srv/lianzi --nodes 0\n\nGames are found whichever way their boards lie. Renju's 26 openings are told by their names."
)]
pub struct Explore {
    /// The game, such as gomoku, connect6:15 or connect4:9x10/d4
    game: Game,
    /// Files with games, in any format; those of a contest are in its folder's games.jsonl
    files: Vec<PathBuf>,
    /// Stones already played: cells, with blanks or run together (h8i9); where stones drop also columns (4453)
    #[arg(long, value_name = "CELLS", default_value = "")]
    moves: String,
    /// Also look at the games and contests that a server keeps in this folder
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Who thinks
    #[arg(long, value_name = "PLAYER", default_value = "strong")]
    player: PlayerSpec,
    /// How many nodes the engine may look at; 0 asks no engine
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    /// How many moves to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    best: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A move with what is known of it.
struct Row {
    cell: Cell,
    results: Option<Results>,
    line: Option<Line>,
}

impl Explore {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let Some(rules) = self.game.rules() else { bail!(lianzi_core::BadGame::Random.words(console.language)) };
        let position = position_after(rules, &self.moves, console)?;
        let mut explorer = Explorer::new(&position);
        let mut games = 0;
        for path in &self.files {
            let reading = Reading { from: None, game: Some(Game::from(rules)) };
            for loaded in reading.load(path, console)? {
                games += 1;
                explorer.add(&loaded.record);
            }
        }
        if let Some(data) = &self.data {
            games += lianzi_server::explore_folder(data, &mut explorer)?;
        }
        let lines = self.think(&position, console)?;
        let rows = rows(&explorer.continuations(), &lines, &position, self.best);
        let scores = lianzi_classic::catalog::scores("strong", &rules);
        line(match self.json {
            true => as_json(&explorer, games, &rows, scores).to_string(),
            false => words(&explorer, games, &rows, scores, console),
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn think(&self, position: &Position, console: &Console) -> anyhow::Result<Vec<Line>> {
        if self.nodes == 0 || position.outcome().is_some() {
            return Ok(Vec::new());
        }
        let fits = self.player.check(position.rules());
        fits.map_err(|none| anyhow!("{}: {}", self.player, none.words(console.language)))?;
        let Some(mut engine) = self.player.engine(position.rules())? else {
            bail!(Text::fixed("only one of our engines can be asked here", "此处只能询问内置引擎"));
        };
        engine.begin(self.player.seed.unwrap_or(1));
        let limits = Limits { nodes: Some(self.nodes), lines: self.best, ..Limits::default() };
        Ok(engine.search(position, &limits, &Stop::default(), &mut |_| {}).info.lines)
    }
}

/// Moves that were played, most often first, and then those that the engine likes.
fn rows(played: &[Continuation], lines: &[Line], position: &Position, most: usize) -> Vec<Row> {
    let alike = |one: Cell, other: Cell| {
        let shape = |cell: Cell| {
            let before = position.plies().iter().map(|ply| ply.cell);
            lianzi_core::symmetry::canonical(&before.chain([cell]).collect::<Vec<_>>(), position.rules())
        };
        one == other || shape(one) == shape(other)
    };
    let first = |line: &&Line| line.cells.first().copied();
    let line_of = |cell: Cell| lines.iter().find(|line| first(line).is_some_and(|other| alike(cell, other))).cloned();
    let mut rows: Vec<Row> =
        played.iter().map(|one| Row { cell: one.cell, results: Some(one.results), line: line_of(one.cell) }).collect();
    for line in lines {
        let Some(cell) = first(&line) else { continue };
        if !rows.iter().any(|row| alike(row.cell, cell)) {
            rows.push(Row { cell, results: None, line: Some(line.clone()) });
        }
    }
    rows.truncate(most);
    rows
}

fn as_json(explorer: &Explorer, games: usize, rows: &[Row], scores: Scores) -> Value {
    let moves: Vec<Value> = rows
        .iter()
        .map(|row| {
            let mut value = json!(row.results.unwrap_or_default());
            value["cell"] = json!(row.cell);
            if let Some(line) = &row.line {
                value["score"] = json!(line.score);
                value["win_in"] = json!(line.win_in);
                value["chance"] = json!(scores.of_line(line));
            }
            value
        })
        .collect();
    let named = explorer.named().map(|named| json!({"code": named.code, "name": named.text()}));
    json!({"named": named, "looked": games, "total": explorer.total(), "moves": moves})
}

fn words(explorer: &Explorer, games: usize, rows: &[Row], scores: Scores, console: &Console) -> String {
    let mut text: Vec<String> = explorer.named().map(|named| console.say(named.text())).into_iter().collect();
    let Results { games: found, black, draws, white } = explorer.total();
    text.push(console.say(text!(
        "{found} of {games} games came here: Black won {black}, drew {draws}, lost {white}",
        "{games} 局中有 {found} 局经过此局面：黑胜 {black}，和 {draws}，白胜 {white}"
    )));
    text.push(console.pick("move  games  Black's score  engine", "着法  局数  黑方得分  引擎").into());
    for Row { cell, results, line } in rows {
        let games = results.map_or(0, |results| results.games);
        let score = results.and_then(|results| results.black_score());
        let score = score.map_or_else(|| "–".into(), |score| format!("{:.1} %", 100.0 * score));
        let value = line.as_ref().map_or_else(|| "–".into(), |line| value(line, scores));
        text.push(format!("{:<5} {games:>6}  {score:>13}  {value:>6}", cell.to_string()));
    }
    text.join("\n")
}

/// What a move is worth to the side that plays it: a proven end, a chance, or the engine's own score.
fn value(line: &Line, scores: Scores) -> String {
    match (line.win_in, scores.of_line(line)) {
        (Some(plies), _) => format!("#{plies}"),
        (None, Some(chance)) => format!("{:.0}%", chance * 100.0),
        (None, None) => format!("{:+}", line.score),
    }
}
