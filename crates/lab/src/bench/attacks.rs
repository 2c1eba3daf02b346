//! `bench attacks`: positions with a long win by force, or with few cells that hold, and how many of them players see.
//!
//! A line of the file is `moves ; words`: the side to move wins by force, or, where the words are `holds CELLS`, must
//! choose one of these cells. What follows another semicolon is for people.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use lianzi_core::{Cell, Position, Rules, Speak, Text, Verdict, text};
use lianzi_engine::{Limits, Stop};
use lianzi_game::clock::Control;
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_players::PlayerSpec;
use serde_json::json;

use lianzi_console::position::position_after;
use lianzi_console::{Console, line};

/// Who is measured when nobody is named.
const USUAL: [&str; 3] = ["strong@nodes=30000", "strong@nodes=100000", "strong@nodes=1000000"];

/// How long a player from outside may think about one position.
const PATIENCE: Duration = Duration::from_secs(600);

/// A position, and what is to be seen in it.
struct Task {
    position: Position,
    /// The cells that hold; none where there is a win.
    holds: Vec<Cell>,
}

impl Task {
    fn read(text: &str, console: &Console) -> anyhow::Result<Task> {
        let mut parts = text.split(';').map(str::trim);
        let position = position_after(Rules::gomoku(15), parts.next().unwrap_or_default(), console)?;
        let words = parts.next().and_then(|words| words.strip_prefix("holds ")).unwrap_or_default();
        let cells: Result<_, _> = words.split_whitespace().map(str::parse).collect();
        let holds = cells.map_err(|bad: lianzi_core::NotACell| anyhow!("{}", bad.words(console.language)))?;
        Ok(Task { position, holds })
    }

    /// Whether an answer shows that the player saw it.
    fn is_seen(&self, reply: &Reply) -> bool {
        match self.holds.as_slice() {
            [] => reply.eval.as_ref().and_then(|eval| eval.win_in).is_some_and(|plies| plies > 0),
            holds => reply.turn.first().is_some_and(|first| holds.iter().any(|&cell| *first == cell.into())),
        }
    }
}

/// Asks every player about every position of a file.
pub fn run(
    path: Option<&Path>,
    players: &[PlayerSpec],
    verbose: bool,
    as_json: bool,
    console: &Console,
) -> anyhow::Result<()> {
    let Some(path) = path else {
        bail!(Text::fixed(
            "name a file of positions: lianzi bench attacks --positions FILE",
            "请指明局面文件：lianzi bench attacks --positions FILE",
        ));
    };
    let file = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = (1..).zip(file.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let tasks: Vec<Task> = lines
        .map(|(n, line)| Task::read(line, console).with_context(|| format!("{}:{n}", path.display())))
        .collect::<Result<_, _>>()?;
    let usual: Vec<PlayerSpec> = USUAL.iter().filter_map(|spec| spec.parse().ok()).collect();
    for spec in if players.is_empty() { &usual } else { players } {
        let nobody = || anyhow!("{spec}: {}", console.say(text!("a person cannot be measured", "无法测量玩家")));
        let mut seen = 0;
        for (n, task) in (1..).zip(&tasks) {
            // Some programs remember what they have seen before a new game: Rapfi does.
            let mut player = spec.player().ok_or_else(nobody)?;
            let reply = ask(player.as_mut(), &task.position).map_err(|fault| anyhow!("{spec}: {n}: {fault:?}"))?;
            let right = task.is_seen(&reply);
            seen += usize::from(right);
            if verbose {
                let answer = reply.turn.first().map(ToString::to_string).unwrap_or_default();
                let nodes = reply.eval.as_ref().and_then(|eval| eval.nodes).unwrap_or_default();
                line(format!("{n} {} {answer} {nodes}", if right { "+" } else { "-" }))?;
            }
        }
        line(match as_json {
            true => json!({"bench": "attacks", "player": spec.to_string(), "positions": tasks.len(), "seen": seen})
                .to_string(),
            false => console.say(text!("{spec}: {seen} of {}", "{spec}：{} 个中看到 {seen} 个", tasks.len())),
        })?;
    }
    Ok(())
}

/// Each position is a game of its own.
fn ask(player: &mut dyn Player, position: &Position) -> Result<Reply, lianzi_core::Fault> {
    let control = Control::default();
    let (rules, stone) = (position.rules(), position.to_move());
    player.sit(&Seat { rules, stone, control: &control, seed: 1 })?;
    let deadline = Some(std::time::Instant::now() + PATIENCE);
    let limits = Limits { lines: 1, ..Limits::default() };
    let ask = Ask { position, limits, due: deadline, deadline, interrupt: &Stop::default() };
    let reply = player.take_turn(&ask, &mut |_| {});
    player.leave(&Verdict::UNFINISHED);
    reply
}
