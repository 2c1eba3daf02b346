//! `dev trace`: at which step, and by which rule, Gomoku's search loses sight of a line.

use std::process::ExitCode;

use anyhow::{anyhow, ensure};
use clap::Args;
use lianzi_core::{Cell, Position, Text, text};
use lianzi_engine::workshop::gomoku::{Event, Margins, Note, Step, follow};
use lianzi_engine::{Family, Limits, Options, Stop, catalog};

use lianzi_console::position::{Place, position_after};
use lianzi_console::{Console, line};

/// Follow a winning line through Gomoku's search: by which rule each step loses sight of it
#[derive(Args)]
#[command(
    after_help = "Example:\n  lianzi dev trace gomoku --moves \"k12 i13 g11 j12 l10 i10 i11 h11 k9 g12 f13 j10 j9 g10 h10 j13 i12 k13 l13\""
)]
pub struct TraceArgs {
    #[command(flatten)]
    place: Place,
    /// The line, from the position on [default: the one `strong` finds with --teacher nodes]
    #[arg(long, value_name = "CELLS")]
    line: Option<String>,
    /// Nodes of the search that finds the line
    #[arg(long, value_name = "N", default_value_t = 3_000_000)]
    teacher: u64,
    /// Nodes of the search that is looked into
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
    /// Other numbers for that search, name:value+name:value
    #[arg(long, value_name = "NUMBERS")]
    tune: Option<String>,
}

impl TraceArgs {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let position = self.place.position(console)?;
        let only = Text::fixed("only searches of Gomoku can be traced", "只能追踪五子棋的搜索");
        ensure!(Family::of(position.rules()) == Family::Gomoku, only);
        ensure!(position.outcome().is_none(), Text::fixed("the game is over", "对局已结束"));
        let bad = || anyhow!(Text::fixed("--tune names unknown numbers", "--tune 中有未知的参数"));
        let margins = match &self.tune {
            Some(numbers) => numbers.parse().map_err(|_| bad())?,
            None => Margins::default(),
        };
        let cells = match &self.line {
            Some(cells) => self.given(&position, cells, console)?,
            None => self.taught(&position)?,
        };
        let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
        line(names.join(" "))?;
        for step in follow(&position, &cells, self.nodes, margins) {
            line(told(&step, &cells, console))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The line somebody named, if it can be played.
    fn given(&self, position: &Position, cells: &str, console: &Console) -> anyhow::Result<Vec<Cell>> {
        let played: Vec<String> = position.plies().iter().map(|ply| ply.cell.to_string()).collect();
        let end = position_after(*position.rules(), &format!("{} {cells}", played.join(" ")), console)?;
        Ok(end.plies()[played.len()..].iter().map(|ply| ply.cell).collect())
    }

    /// The line a longer search thinks best.
    fn taught(&self, position: &Position) -> anyhow::Result<Vec<Cell>> {
        let mut teacher = catalog::engine("strong", position.rules(), &Options::default())?;
        let limits = Limits { nodes: Some(self.teacher), ..Limits::default() };
        let best = teacher.search(position, &limits, &Stop::default(), &mut |_| {});
        Ok(best.info.lines.into_iter().next().map(|line| line.cells).unwrap_or_default())
    }
}

/// One step in a line of text: depth, nodes, score, and the line stone by stone.
fn told(step: &Step, cells: &[Cell], console: &Console) -> String {
    let notes: Vec<String> = step.notes.iter().map(|note| words(note, cells[note.ply], console)).collect();
    format!("{:>3} {:>9} {:>6}  {}", step.depth, step.nodes, step.score, notes.join("; "))
}

/// What became of a stone, in words.
fn words(note: &Note, cell: Cell, console: &Console) -> String {
    let plies = |depth: i32| f64::from(depth) / 100.0;
    let what = match note.event {
        Event::Tried(number, depth) => return format!("{cell} #{number} {:.1}", plies(depth)),
        Event::Leaf => Text::fixed("the depth is used up", "深度用尽"),
        Event::Known => Text::fixed("known from the table", "置换表已知"),
        Event::Hopeless => Text::fixed("the position looks hopeless", "局面看似无望"),
        Event::TooGood => Text::fixed("the position looks much too good", "局面看似过好"),
        Event::Pass => Text::fixed("good enough after a pass", "停一手仍足够好"),
        Event::Other(other) => text!("{other} was good enough before", "{other} 在前已足够好"),
        Event::TooMany => Text::fixed("enough cells were tried before", "在前已试够多的点"),
        Event::LeftOut => Text::fixed("the cell looks hopeless", "此点看似无望"),
        Event::NoAnswer => Text::fixed("the cell answers no threat", "此点不能应对威胁"),
    };
    format!("{cell} ({:.1}): {}", plies(note.depth), what.words(console.language))
}
