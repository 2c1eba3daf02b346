//! What came of a contest, in words.

use lianzi_contest::circumstances::CpuRow;
use lianzi_contest::journal::Brief;
use lianzi_contest::plan::Plan;
use lianzi_contest::report::{Duel, Standing};
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant, Format, report};
use lianzi_core::{Speak, text};

use lianzi_console::{Console, line};
use ratatui::text::Span;

/// A terminal is not wider; the report has the whole table.
const WIDEST_CROSS_TABLE: usize = 14;

/// What came of a contest, for people.
pub struct Printed<'a> {
    pub upshot: Upshot<'a, Brief>,
    console: &'a Console,
}

impl<'a> Printed<'a> {
    pub fn new(contest: &'a Contest, plan: &Plan, played: &[Brief], console: &'a Console) -> Printed<'a> {
        Printed { upshot: Upshot::in_brief(contest, plan, played), console }
    }

    pub(super) fn print(&self, json: bool) -> anyhow::Result<()> {
        if json {
            line(self.upshot.summary().to_string())
        } else {
            line(format!("{}\n{}", self.upshot.contest.title(self.console.language), self.words()))?;
            let caveats = self.upshot.caveats.words();
            caveats.iter().try_for_each(|text| line(format!("!! {}", text.words(self.console.language))))
        }
    }

    /// How it stands: games done, and the score of the two, of the one who meets all others, or of the best.
    pub(super) fn line(&self, done: usize) -> String {
        let Upshot { contest, standings, planned, .. } = &self.upshot;
        let name = |row: &Standing| &contest.players[row.player].name;
        let tally =
            |row: &Standing| format!("{} +{} ={} -{}", name(row), row.tally.wins, row.tally.draws, row.tally.losses);
        let first = standings.iter().find(|row| row.player == 0);
        let score = match contest.format {
            Format::RoundRobin if contest.players.len() == 2 => first.map(tally),
            Format::Gauntlet => first.map(tally),
            _ => Some(standings.iter().take(3).map(tally).collect::<Vec<_>>().join(", ")),
        };
        let games = self.console.pick("games", "局");
        format!("{done}/{planned} {games}  {}", score.unwrap_or_default())
    }

    /// What each player used of the CPU, if that was measured.
    fn cpu_words(&self) -> String {
        let Upshot { contest, cpu, .. } = &self.upshot;
        let words = |(row, entrant): (&CpuRow, &Entrant)| {
            let mean = format!("{:.3} s", row.per_turn?);
            let mean = self.console.say(text!("{mean} a move", "每手 {mean}"));
            Some(format!("{} {:.2} s ({mean})", entrant.name, row.seconds))
        };
        let all: Vec<String> = cpu.iter().zip(&contest.players).filter_map(words).collect();
        if all.is_empty() { String::new() } else { format!("\nCPU  {}", all.join(", ")) }
    }

    /// How fair the opening rule was.
    fn opening_words(&self) -> String {
        let tally = self.upshot.opening.map(|tally| self.console.say(tally.text()));
        tally.map_or_else(String::new, |words| format!("\n{words}"))
    }

    pub(super) fn words(&self) -> String {
        match &self.upshot.duel {
            Some(duel) => self.duel_words(duel) + &self.opening_words() + &self.cpu_words(),
            None => self.table_words() + &self.opening_words() + &self.cpu_words(),
        }
    }

    fn duel_words(&self, duel: &Duel) -> String {
        let games = duel.results.games;
        let score = duel.results.score().map_or_else(|| "–".into(), |score| format!("{:.1} %", score * 100.0));
        let pick = |english, chinese| self.console.pick(english, chinese);
        let mut text = format!(
            "{} {}: +{} ={} -{}  {score}  Elo {}  nElo {}  LOS {:.1} %\n{} 0–½–1–1½–2: {:?}  {}: {}",
            games.wins + games.draws + games.losses,
            pick("games", "局"),
            games.wins,
            games.draws,
            games.losses,
            duel.elo.words(self.console.language),
            duel.normalised.words(self.console.language),
            duel.superiority * 100.0,
            pick("pairs", "对局组"),
            duel.results.pairs,
            pick("faults", "犯规"),
            self.faults_words(),
        );
        if let Some(sprt) = &duel.sprt {
            let accepted = sprt.accepted.map_or_else(|| pick("undecided", "未定").into(), |a| format!("{a:?}"));
            text += &format!(
                "\nSPRT [{}, {}]: LLR {:.2} ({:.2}, {:.2})  {accepted}",
                sprt.test.elo0, sprt.test.elo1, sprt.llr, sprt.lower, sprt.upper
            );
        }
        text
    }

    fn faults_words(&self) -> String {
        let mut rows: Vec<&Standing> = self.upshot.standings.iter().collect();
        rows.sort_by_key(|row| row.player);
        let words: Vec<String> =
            rows.iter().map(|row| format!("{} {}", self.upshot.contest.players[row.player].name, row.faults)).collect();
        words.join(", ")
    }

    fn table_words(&self) -> String {
        let widest = self.upshot.contest.players.iter().map(|entrant| width(&entrant.name)).max().unwrap_or(0);
        let head =
            self.console.pick(" points games    +   =   - faults  Elo", "   积分  局数   胜  和  负   犯规  Elo");
        let mut text = format!("     {:<widest$} {head}", "");
        for row in &self.upshot.standings {
            let name = &self.upshot.contest.players[row.player].name;
            let tally = &row.tally;
            let games = tally.wins + tally.draws + tally.losses;
            text += &format!(
                "\n{:>3}. {} {:>7} {games:>5} {:>4} {:>3} {:>3} {:>6}  {}",
                row.rank,
                padded(name, widest),
                row.points,
                tally.wins,
                tally.draws,
                tally.losses,
                row.faults,
                row.elo.words(self.console.language)
            );
        }
        if self.upshot.standings.len() <= WIDEST_CROSS_TABLE {
            text += "\n\n";
            text += &self.cross_words(widest);
        }
        text
    }

    /// What each player scored against each other one, in the order of the standings.
    fn cross_words(&self, widest: usize) -> String {
        let cross = report::cross_table(self.upshot.contest.players.len(), &self.upshot.games);
        let order: Vec<usize> = self.upshot.standings.iter().map(|row| row.player).collect();
        let cell = |&(row, column): &(usize, usize)| match (row, column) {
            (row, column) if row == column => format!("{:>7}", "–"),
            (row, column) => {
                let tally = &cross[row][column];
                let games = tally.wins + tally.draws + tally.losses;
                format!("{:>7}", format!("{}/{games}", self.upshot.contest.scoring.points(tally.half_points())))
            }
        };
        let line = |(n, &row): (usize, &usize)| {
            let cells: String = order.iter().map(|&column| cell(&(row, column))).collect();
            format!("{:>3}. {}{cells}", n + 1, padded(&self.upshot.contest.players[row].name, widest))
        };
        let head: String = (1..=order.len()).map(|n| format!("{n:>7}")).collect();
        let lines: Vec<String> = order.iter().enumerate().map(line).collect();
        format!("     {:<widest$}{head}\n{}", "", lines.join("\n"))
    }
}

/// How many columns of a terminal a name takes: a Chinese letter takes two.
fn width(name: &str) -> usize {
    Span::raw(name).width()
}

fn padded(name: &str, widest: usize) -> String {
    format!("{name}{}", " ".repeat(widest.saturating_sub(width(name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_names_leave_columns_where_they_are() {
        let widest = ["连子引擎", "乙", "random"].map(width).into_iter().max().unwrap();
        assert_eq!(padded("乙", widest), "乙      ");
        assert_eq!(padded("random", widest), "random  ");
    }
}
