//! `rank`: everybody meets everybody, and levels follow from the result.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lianzi_contest::Contest;
use lianzi_contest::upshot::Upshot;
use lianzi_core::Speak;
use lianzi_course::Course;
use lianzi_course::files::{Unusable, is_plain, remembered};
use lianzi_course::ladder::in_folder;
use lianzi_course::ranking::Ranking;
use lianzi_course::remark::Remark;
use lianzi_players::{BadPlayer, PlayerSpec};

use super::contest::{check_players, warn_if_busy};
use super::course::{CourseArgs, said, write_file};
use lianzi_console::{Console, line, stop_on_ctrl_c, warn};

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
        let ranking = Ranking::new(&upshot);
        if let Some(out) = &self.common.out {
            write_file(&out.join("ranking.json"), &format!("{:#}\n", ranking.json()))?;
            write_file(&out.join("ranking.csv"), &ranking.csv())?;
            write_file(&out.join("report.html"), &upshot.html(console.language))?;
        }
        self.print(&ranking, console)?;
        Ok(if finished.broken_off { ExitCode::from(130) } else { ExitCode::SUCCESS })
    }

    fn contest(&self, console: &Console) -> anyhow::Result<(Contest, Vec<PlayerSpec>)> {
        if !self.games.is_multiple_of(2) || self.games == 0 {
            bail!(console.pick("--games must be an even number", "--games 须为偶数"));
        }
        let course = self.common.read(console)?;
        let (named, players): (Vec<_>, Vec<_>) = self.strategies(&course, console)?.into_iter().unzip();
        if players.len() < 2 {
            let words = console.pick(
                "fewer than two strategies (.so, .py) in this folder; put those there that are to be ranked",
                "文件夹中的策略（.so、.py）少于两个；请放入要排级的策略",
            );
            bail!("{}: {words}", self.folder.display());
        }
        Ok((course.meeting(named, self.games / 2), players))
    }

    /// The players of the folder, each with its name and how the contest remembers it. Those that cannot be used are told of
    /// and do not stop the others.
    fn strategies(&self, course: &Course, console: &Console) -> anyhow::Result<Vec<((String, String), PlayerSpec)>> {
        let largest = course.submission.largest << 20;
        let found = in_folder(&self.folder, &course.game.draw(course.seed), &|path| is_plain(path, largest));
        let (samples, mut remarks) = found.with_context(|| self.folder.display().to_string())?;
        let mut strategies = Vec::new();
        for sample in samples {
            let read = sample.spec.parse().map(|spec| course.bounded(spec));
            let spec = read.map_err(|bad: BadPlayer| anyhow!("{}: {}", sample.spec, bad.words(console.language)))?;
            match remembered(&spec) {
                Ok(text) => strategies.push(((sample.name, text), spec)),
                Err(Unusable::Wrong(why)) => remarks.push(Remark::Unusable(why)),
                Err(Unusable::Shortage(why)) => return Err(said(why, console)),
            }
        }
        remarks.iter().for_each(|remark| warn(console.say(remark.text())));
        Ok(strategies)
    }

    fn print(&self, ranking: &Ranking<'_>, console: &Console) -> anyhow::Result<()> {
        if self.common.json {
            return line(ranking.json().to_string());
        }
        line(console.pick("level  points    +   =   - faults  strategy", "  级别    积分   胜  和  负   犯规  策略"))?;
        for (level, name, row) in ranking.rows() {
            let tally = &row.tally;
            line(format!(
                "{level:>5} {:>7} {:>4} {:>3} {:>3} {:>6}  {name}",
                row.points, tally.wins, tally.draws, tally.losses, row.faults,
            ))?;
        }
        Ok(())
    }
}
