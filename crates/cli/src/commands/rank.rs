//! `rank`: everybody meets everybody, and levels follow from the result.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lianzi_contest::Contest;
use lianzi_contest::report::Standing;
use lianzi_contest::upshot::Upshot;
use lianzi_course::ladder::in_folder;
use lianzi_players::PlayerSpec;
use serde_json::{Value, json};

use super::contest::{check_players, warn_if_busy};
use super::course::{CourseArgs, remembered, write_file};
use lianzi_console::stop_on_ctrl_c;
use lianzi_console::{Console, line};

/// Rank a folder of strategies by a round robin and give each a level, the strongest the highest
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi rank samples --out runs/rank --concurrency 2\n  lianzi rank ais --course gomoku --time 10s --out runs/rank --resume"
)]
pub struct Rank {
    /// The folder with the strategies
    folder: PathBuf,
    /// How many games each two strategies play, an even number
    #[arg(long, value_name = "N", default_value_t = 2)]
    games: usize,
    #[command(flatten)]
    common: CourseArgs,
}

impl Rank {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let (contest, players) = self.contest(console)?;
        check_players(&contest, &players, console)?;
        warn_if_busy(console);
        let conditions = self.common.conditions(self.common.out.as_deref(), &stop_on_ctrl_c()?);
        let mut finished = conditions.play(&contest, &players, console)?;
        let games = finished.games().map_err(|error| anyhow!(error.words(console.language)))?;
        let upshot = Upshot::new(&contest, &finished.plan, &games);
        let levels = levels(&upshot.standings);
        if let Some(out) = &self.common.out {
            keep(out, &upshot, &levels, console)?;
        }
        self.print(&upshot, &levels, console)?;
        Ok(if finished.broken_off { ExitCode::from(130) } else { ExitCode::SUCCESS })
    }

    fn contest(&self, console: &Console) -> anyhow::Result<(Contest, Vec<PlayerSpec>)> {
        if !self.games.is_multiple_of(2) || self.games == 0 {
            bail!(console.pick("--games must be an even number", "--games 须为偶数"));
        }
        let course = self.common.read(console)?;
        let rules = course.game.draw(course.seed);
        let samples = in_folder(&self.folder, &rules).with_context(|| self.folder.display().to_string())?;
        if samples.len() < 2 {
            let words = console.pick(
                "fewer than two strategies (.so, .py) in this folder",
                "文件夹中的策略（.so、.py）少于两个",
            );
            bail!("{}: {words}", self.folder.display());
        }
        let read = |spec: &str| {
            spec.parse::<PlayerSpec>().map_err(|bad| anyhow!("{spec}: {}", bad.words(console.language)))
        };
        let players = samples.iter().map(|sample| read(&sample.spec)).collect::<anyhow::Result<Vec<_>>>()?;
        let texts = players.iter().map(remembered).collect::<anyhow::Result<Vec<_>>>()?;
        let named = samples.into_iter().map(|sample| sample.name).zip(texts);
        Ok((course.meeting(named, self.games / 2), players))
    }

    fn print(&self, upshot: &Upshot<'_>, levels: &[usize], console: &Console) -> anyhow::Result<()> {
        if self.common.json {
            return line(ranking(upshot, levels).to_string());
        }
        line(console.pick(
            "level  points    +   =   - faults  strategy",
            "  级别    积分   胜  和  负   犯规  策略",
        ))?;
        for (row, level) in upshot.standings.iter().zip(levels) {
            let tally = &row.tally;
            line(format!(
                "{level:>5} {:>7} {:>4} {:>3} {:>3} {:>6}  {}",
                row.points,
                tally.wins,
                tally.draws,
                tally.losses,
                row.faults,
                name(upshot, row)
            ))?;
        }
        Ok(())
    }
}

/// As many levels as there are strategies, the strongest the highest; those whom nothing separates share the lower one.
fn levels(standings: &[Standing]) -> Vec<usize> {
    let count = standings.len();
    let level = |row: &Standing| {
        let last = standings.iter().rposition(|other| other.rank == row.rank).unwrap_or(0);
        count - last
    };
    standings.iter().map(level).collect()
}

fn name<'a>(upshot: &'a Upshot<'_>, row: &Standing) -> &'a str {
    &upshot.contest.players[row.player].name
}

fn keep(out: &Path, upshot: &Upshot<'_>, levels: &[usize], console: &Console) -> anyhow::Result<()> {
    write_file(&out.join("ranking.json"), &format!("{:#}\n", ranking(upshot, levels)))?;
    write_file(&out.join("ranking.csv"), &csv(upshot, levels))?;
    write_file(&out.join("report.html"), &upshot.html(console.language))
}

fn ranking(upshot: &Upshot<'_>, levels: &[usize]) -> Value {
    let row = |(row, level): (&Standing, &usize)| {
        json!({
            "level": level, "name": name(upshot, row), "points": row.points, "wins": row.tally.wins,
            "draws": row.tally.draws, "losses": row.tally.losses, "faults": row.faults,
            "elo": row.elo.value, "elo_error": row.elo.error(),
        })
    };
    let rows: Vec<Value> = upshot.standings.iter().zip(levels).map(row).collect();
    json!({ "event": "ranking", "finished": upshot.finished, "games": upshot.games.len(), "ranking": rows })
}

fn csv(upshot: &Upshot<'_>, levels: &[usize]) -> String {
    let mut text = "level,strategy,points,wins,draws,losses,faults\r\n".to_string();
    for (row, level) in upshot.standings.iter().zip(levels) {
        let name = lianzi_course::sheet::field(name(upshot, row));
        let tally = &row.tally;
        text += &format!(
            "{level},{name},{},{},{},{},{}\r\n",
            row.points, tally.wins, tally.draws, tally.losses, row.faults
        );
    }
    text
}
