//! `analyze`: what a player thinks of a position.

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use clap::Args;
use lianzi_core::{Cell, Placement, Position, Rules, Speak, Text, Verdict, text};
use lianzi_engine::{Best, Info, Limits, Line, Stop};
use lianzi_game::clock::{Allowance, Control};
use lianzi_game::duration;
use lianzi_game::judge::{Deed, Ruling, judge};
use lianzi_game::player::{Ask, Seat};
use lianzi_players::{Kind, PlayerSpec};
use serde_json::{Value, json};

use lianzi_console::position::Place;
use lianzi_console::{Console, line};

/// Say what a player thinks of a position: best moves with scores and lines
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi analyze gomoku --moves \"h8 i9\" --time 2s\n  lianzi analyze connect4 --moves 44 --best 3 --json\n  lianzi analyze --load game.sgf --at 12 --player uct"
)]
pub struct Analyze {
    #[command(flatten)]
    place: Place,
    /// Who thinks
    #[arg(long, value_name = "PLAYER", default_value = "strong")]
    player: PlayerSpec,
    /// How long [default: 1s, unless nodes or depth limit it]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// How many nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How deep
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// How many different moves to give [default: 1; every column where stones fall]
    #[arg(long, value_name = "N")]
    best: Option<NonZeroUsize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How much later than asked a program may answer a person who waits.
const PATIENCE: Duration = Duration::from_secs(5);

impl Analyze {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let position = self.place.position(console)?;
        if let Some(outcome) = position.outcome() {
            let verdict = lianzi_core::Verdict::by_stones(outcome);
            let words = console.pick(
                "the game is over here; with --at N an earlier position is looked at",
                "此处对局已结束；可用 --at N 分析较早的局面",
            );
            bail!("{}: {words}", verdict.words(position.rules(), console.language));
        }
        let fits = self.player.check(position.rules());
        fits.map_err(|none| anyhow!("{}: {}", self.player, none.words(console.language)))?;
        console.check_cage(&self.player)?;
        let start = Instant::now();
        let report = &mut |info: &Info| {
            if !self.json {
                progress(info);
            }
        };
        let best = match &self.player.kind {
            Kind::Program(_) | Kind::Strategy(_) => self.ask_program(&position, report, console)?,
            _ => self.ask_engine(&position, report)?,
        };
        let time = start.elapsed();
        line(match self.json {
            true => answer(&best, self.wanted(position.rules()), time).to_string(),
            false => words(&position, &best, time, console),
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn ask_engine(&self, position: &Position, report: &mut dyn FnMut(&Info)) -> anyhow::Result<Best> {
        let Some(mut engine) = self.player.engine(position.rules())? else {
            bail!(Text::fixed(
                "a person cannot be asked by a command; name an engine, such as strong",
                "人类棋手无法由命令询问；请指定引擎，例如 strong",
            ));
        };
        engine.begin(self.player.seed.unwrap_or(1));
        Ok(engine.search(position, &self.limits(position.rules()), &Stop::default(), report))
    }

    /// A program says what it likes of its thoughts; its last word on them is its opinion.
    fn ask_program(
        &self,
        position: &Position,
        report: &mut dyn FnMut(&Info),
        console: &Console,
    ) -> anyhow::Result<Best> {
        let (rules, stone) = (position.rules(), position.to_move());
        let limits = self.limits(rules);
        let control = Control { per_move: limits.move_time, ..Control::default() };
        let mut player = self.player.player_with(&console.cages).expect("a program is a player");
        let mut info = Info::default();
        let reply = player.sit(&Seat { rules, stone, control: &control, seed: 1 }).and_then(|()| {
            let due = limits.move_time.map(|time| Instant::now() + time);
            let deadline = due.map(|due| due + PATIENCE);
            let ask = Ask { position, limits: limits.clone(), due, deadline, interrupt: &Stop::default() };
            player.take_turn(&ask, &mut |news| {
                info = news.clone();
                report(news);
            })
        });
        let failed = |ending| anyhow!("{}", Verdict::fault(stone, ending).words(rules, console.language));
        let deed = match reply {
            Ok(reply) if reply.resigns => Deed::Resigned,
            Ok(reply) => Deed::Turn(reply.turn),
            Err(fault) => Deed::Failed(fault),
        };
        match judge(position, &Allowance::default(), Duration::ZERO, &deed) {
            Ruling::Place { cells, .. } => Ok(Best { turn: cells, info }),
            Ruling::End(verdict) => Err(failed(verdict.ending)),
        }
    }

    /// The player's own limits hold where the command gives none.
    fn limits(&self, rules: &Rules) -> Limits {
        let own = &self.player.limits;
        let (depth, nodes) = (self.depth.or(own.depth), self.nodes.or(own.nodes));
        let usual = (depth.is_none() && nodes.is_none()).then_some(Duration::from_secs(1));
        let move_time = self.time.or(own.move_time).or(usual);
        Limits { depth, nodes, move_time, clock: None, lines: self.wanted(rules) }
    }

    /// How many moves to tell of.
    fn wanted(&self, rules: &Rules) -> usize {
        let usual = if rules.placement == Placement::Drop { rules.width.into() } else { 1 };
        self.best.map_or(usual, NonZeroUsize::get)
    }
}

/// What the search knows so far, for a person who waits.
fn progress(info: &Info) {
    use std::io::IsTerminal;
    if let (true, Some(first)) = (std::io::stderr().is_terminal(), info.lines.first()) {
        eprintln!("{:>3} {:>10}  {}  {}", info.depth, info.nodes, value(first), names(&first.cells));
    }
}

fn names(cells: &[Cell]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A score, or a proven end as `#7`, `#-6` or `=`.
fn value(line: &Line) -> String {
    match line.win_in {
        None => format!("{:+}", line.score),
        Some(0) => "=".into(),
        Some(plies) => format!("#{plies}"),
    }
}

fn answer(best: &Best, wanted: usize, time: Duration) -> Value {
    let object = |turn: &[Cell], line: &Line| {
        let mut object = json!({
            "best": turn, "score": line.score, "depth": best.info.depth, "nodes": best.info.nodes,
            "time_ms": time.as_millis() as u64, "pv": line.cells,
        });
        if let Some(plies) = line.win_in {
            object["win_in"] = json!(plies);
        }
        object
    };
    let unknown = Line { cells: best.turn.clone(), ..Line::default() };
    let mut answer = object(&best.turn, best.info.lines.first().unwrap_or(&unknown));
    if wanted > 1 {
        let turn = |line: &Line| line.cells[..best.turn.len().min(line.cells.len())].to_vec();
        let lines = best.info.lines.iter().map(|line| object(&turn(line), line));
        answer["lines"] = lines.collect();
    }
    answer
}

fn words(position: &Position, best: &Best, time: Duration, console: &Console) -> String {
    let side = position.rules().side(position.to_move()).said(console.language);
    let turn = names(&best.turn);
    let (depth, nodes, seconds) = (best.info.depth, best.info.nodes, time.as_secs_f64());
    let mut text = console.say(text!(
        "{side}: {turn}  (depth {depth}, {nodes} nodes, {seconds:.2} s)",
        "{side}：{turn}（深度 {depth}，{nodes} 节点，{seconds:.2} 秒）"
    ));
    for line in &best.info.lines {
        text += &format!("\n{:>7}  {}", value(line), names(&line.cells));
    }
    text
}
