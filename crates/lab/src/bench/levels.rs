//! `bench levels`: how far apart the levels of a game are.
//!
//! Neighbours play each other, and the lower half plays the one-ply player, who is the zero of the scale. Engines count
//! nodes, so neither the machine nor what else it does changes a figure; the highest level, which has time instead, is
//! given as many nodes as are asked for.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use lianzi_contest::journal::{Journal, JournalError};
use lianzi_contest::plan::Plan;
use lianzi_contest::ratings::{Crosstable, Rating, RatingOptions, rate};
use lianzi_contest::run::{Conduct, run as play};
use lianzi_contest::statistics::{Score, Tally};
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant, Openings};
use lianzi_core::{Outcome, Rules, Speak, Stone};
use lianzi_engine::{HIGHEST, LEVELS, Stop};
use lianzi_game::clock::Control;
use lianzi_game::player::Player;
use lianzi_players::PlayerSpec;
use serde_json::json;

use crate::bar;
use lianzi_console::{Console, line, stop_on_ctrl_c};

/// The games that are measured when none is named.
pub const GAMES: [Rules; 3] = [Rules::gomoku(15), Rules::connect6(19), Rules::connect4(7, 6)];

/// The zero of the scale, and up to which level it is played against.
const ZERO: &str = "greedy";
const AGAINST_ZERO: u32 = 6;

/// How the levels are measured.
pub struct Setting {
    /// How many games a match has.
    pub games: usize,
    /// How many a match has in which one of the two highest levels plays, whose games take long.
    pub top: usize,
    /// How many nodes the highest level has for a turn.
    pub nodes: u64,
    /// What games begin with. From random openings the better player loses many games that nobody could hold.
    pub openings: Openings,
    /// How many games at once.
    pub concurrency: usize,
    /// Where games are kept, so that a measurement can be gone on with.
    pub out: Option<PathBuf>,
}

impl Setting {
    /// How many games these two levels play.
    fn games_of(&self, a: usize, b: usize) -> usize {
        if a.max(b) + 1 >= HIGHEST as usize { self.top } else { self.games }
    }

    /// The journal of a match: its own folder, or one that nobody keeps.
    fn journal(&self, contest: &Contest, name: &str) -> Result<Journal, JournalError> {
        match &self.out {
            Some(folder) => Journal::open(&folder.join(name), contest, true),
            None => Journal::passing(),
        }
    }
}

/// Measures the levels of a game and prints the table.
pub fn run(rules: Rules, setting: &Setting, as_json: bool, console: &Console) -> anyhow::Result<()> {
    let players = players(setting.nodes);
    let mut table = Crosstable::new(players.iter().map(|entrant| entrant.name.clone()));
    let stop = stop_on_ctrl_c()?;
    let matches = matches();
    let bar = bar(matches.len() as u64)?;
    for (n, &(a, b)) in matches.iter().enumerate() {
        let pair = [players[a].clone(), players[b].clone()];
        let bout =
            Bout { players: pair, games: setting.games_of(a, b), seed: n as u64, name: format!("{rules}-{a}-{b}") };
        let Some(tally) = play_match(rules, bout, setting, &stop, console)? else { return Ok(()) };
        table.add(a, b, tally);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let options = RatingOptions { anchor: Some((ZERO.into(), 0.0)), ..RatingOptions::default() };
    let ratings = rate(&table, &options)?;
    if !as_json {
        line(console.pick(
            "level        Elo       ±   step  against the level below   against greedy",
            "级          Elo       ±   级差  对低一级               对 greedy",
        ))?;
    }
    (1..=HIGHEST as usize).try_for_each(|level| {
        let row = Row { rules, level, table: &table, ratings: &ratings };
        line(if as_json { row.json() } else { row.words(console) })
    })
}

/// The one-ply player and all levels, each at the place of its number.
fn players(nodes: u64) -> Vec<Entrant> {
    let level = |level: u32| {
        let spec = if level < HIGHEST { format!("strong@level={level}") } else { format!("strong@nodes={nodes}") };
        Entrant { name: format!("level {level}"), spec }
    };
    std::iter::once(Entrant { name: ZERO.into(), spec: ZERO.into() }).chain((1..=HIGHEST).map(level)).collect()
}

/// Who meets whom: neighbours, and the lower ones the zero of the scale.
fn matches() -> Vec<(usize, usize)> {
    let neighbours = (2..=HIGHEST as usize).map(|level| (level, level - 1));
    neighbours.chain((1..=AGAINST_ZERO as usize).map(|level| (level, 0))).collect()
}

/// A match between two of them.
struct Bout {
    players: [Entrant; 2],
    games: usize,
    seed: u64,
    /// What its folder is called.
    name: String,
}

/// What the first of two players did; `None` if it was stopped.
fn play_match(
    rules: Rules,
    Bout { players, games, seed, name }: Bout,
    setting: &Setting,
    stop: &Stop,
    console: &Console,
) -> anyhow::Result<Option<Tally>> {
    let specs: Vec<PlayerSpec> = players.iter().map(|entrant| entrant.spec.parse()).collect::<Result<_, _>>()?;
    // Nodes limit a turn; the clock is there only to end a game that hangs.
    let control = Control { per_move: Some(Duration::from_secs(600)), ..Control::default() };
    let openings = setting.openings.clone();
    let contest = Contest { control, seed, openings, ..Contest::of_two(rules.into(), players, games.div_ceil(2)) };
    let plan = Plan::new(&contest).map_err(|bad| anyhow!(bad.words(console.language)))?;
    let make = |entrant: usize| -> Box<dyn Player> {
        specs[entrant].player_with(&console.cages).expect("an engine is no person")
    };
    let conduct = Conduct { concurrency: setting.concurrency, stop_on_crash: true, ..Conduct::until(stop, &make) };
    let finished = setting
        .journal(&contest, &name)
        .and_then(|journal| play(&contest, plan, journal, &conduct, &|_| {}))
        .map_err(|error| anyhow!(error.words(console.language)))?;
    if finished.broken_off {
        return Ok(None);
    }
    let mut tally = Tally::default();
    for (fixture, game) in Upshot::in_brief(&contest, &finished.plan, &finished.played).games {
        let stone = if fixture.seat(Stone::Black) == 0 { Stone::Black } else { Stone::White };
        tally.count(Score::of(game.outcome.unwrap_or(Outcome::Draw), stone));
    }
    Ok(Some(tally))
}

/// A level in the table.
struct Row<'a> {
    rules: Rules,
    level: usize,
    table: &'a Crosstable,
    ratings: &'a [Rating],
}

impl Row<'_> {
    /// How far it is above the level below.
    fn step(&self) -> Option<f64> {
        (self.level > 1).then(|| self.ratings[self.level].elo - self.ratings[self.level - 1].elo)
    }

    /// What it did against another, if they met.
    fn against(&self, other: usize) -> Option<Tally> {
        Some(self.table.tally(self.level, other)).filter(|tally| tally.games() > 0)
    }

    fn json(&self) -> String {
        let Rating { elo, error, .. } = &self.ratings[self.level];
        let name = LEVELS[self.level - 1].name();
        json!({
            "bench": "levels", "game": self.rules.to_string(), "level": self.level, "name": name, "elo": elo, "error": error,
            "step": self.step(), "below": self.against(self.level - 1).filter(|_| self.level > 1), "greedy": self.against(0),
        })
        .to_string()
    }

    fn words(&self, console: &Console) -> String {
        let Rating { elo, error, .. } = &self.ratings[self.level];
        let name = console.say(LEVELS[self.level - 1].name());
        let step = self.step().map_or_else(|| "–".into(), |step| format!("{step:+.0}"));
        let told = |tally: Option<Tally>| {
            tally.map_or_else(
                || "–".into(),
                |tally| {
                    let share = 50.0 * tally.half_points() as f64 / tally.games() as f64;
                    format!("{tally}, {share:.0} %")
                },
            )
        };
        let below = told(self.against(self.level - 1).filter(|_| self.level > 1));
        format!("{:>2} {name:<10} {elo:>5.0} {error:>5.0} {step:>6}  {below:<22} {}", self.level, told(self.against(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_meet_and_the_lower_half_meets_the_zero() {
        let matches = matches();
        assert_eq!((matches[0], matches[8], matches[9], matches.len()), ((2, 1), (10, 9), (1, 0), 15));
        let players = players(5000);
        assert_eq!((players.len(), players[0].spec.as_str()), (11, "greedy"));
        assert_eq!((players[9].spec.as_str(), players[10].spec.as_str()), ("strong@level=9", "strong@nodes=5000"));
    }

    #[test]
    fn a_match_becomes_a_row() {
        let (console, players) = (Console::new(None, true), players(100));
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path().to_path_buf());
        let setting = Setting { games: 2, top: 1, nodes: 100, openings: Openings::Balanced, concurrency: 1, out };
        assert_eq!((setting.games_of(8, 7), setting.games_of(9, 8), setting.games_of(10, 9)), (2, 1, 1));
        let rules = Rules::connect4(7, 6);
        let measured = || {
            let pair = [players[1].clone(), players[0].clone()];
            let bout = Bout { players: pair, games: 2, seed: 0, name: "a".into() };
            play_match(rules, bout, &setting, &Stop::default(), &console).unwrap().unwrap()
        };
        let tally = measured();
        assert_eq!(tally.games(), 2);
        let kept = std::fs::read(folder.path().join("a/games.jsonl")).unwrap();
        assert_eq!((measured(), std::fs::read(folder.path().join("a/games.jsonl")).unwrap()), (tally, kept));
        let mut table = Crosstable::new(players.iter().map(|entrant| entrant.name.clone()));
        table.add(1, 0, tally);
        let ratings = rate(&table, &RatingOptions::default()).unwrap();
        let row = Row { rules, level: 1, table: &table, ratings: &ratings };
        assert!(row.words(&console).starts_with(" 1 ") && row.words(&console).ends_with(" %"));
        assert!(row.json().contains("\"game\":\"connect4\"") && row.step().is_none());
    }
}
