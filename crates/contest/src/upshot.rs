//! What came of a contest so far: counted once, then printed, served or drawn.

use lianzi_core::{GameRecord, Language, OpeningRule, Outcome, Stone, Text, text};
use serde_json::{Value, json};

use super::circumstances::{Caveats, CpuRow, cpu_field, cpu_rows};
use super::journal::{Brief, Played};
use super::plan::Plan;
use super::report::{self, Duel, Report, Standing};
use super::standings::{Judged, counted, counted_in_brief, standings};
use super::{Contest, Fixture};

/// Everything that came of a contest. Games in brief are enough for the figures; the page needs the records.
#[derive(Clone, Debug)]
pub struct Upshot<'a, G = GameRecord> {
    /// What is played.
    pub contest: &'a Contest,
    /// The games that count.
    pub games: Vec<(Fixture, G)>,
    /// The standings, best player first.
    pub standings: Vec<Standing>,
    /// The evidence of a match of two.
    pub duel: Option<Duel>,
    /// What it all must be read with.
    pub caveats: Caveats,
    /// What each player used of the CPU, in the contest's order.
    pub cpu: Vec<CpuRow>,
    /// What came of the opening rule, if the game has one.
    pub opening: Option<OpeningTally>,
    /// How many games there will be, as far as that is known.
    pub planned: usize,
    /// Whether it is over.
    pub finished: bool,
}

impl<'a> Upshot<'a> {
    /// Counts the games.
    pub fn new(contest: &'a Contest, plan: &Plan, played: &[Played]) -> Upshot<'a> {
        Upshot::of(contest, plan, counted(plan, played))
    }

    /// The page with everything.
    pub fn html(&self, language: Language) -> String {
        let title = self.contest.title(language);
        let report = Report::new(&title, self.contest, &self.standings, &self.games).in_language(language);
        report::html(&if self.finished { report } else { report.running(Some(self.planned)) })
    }
}

impl<'a> Upshot<'a, Brief> {
    /// Counts games in brief.
    pub fn in_brief(contest: &'a Contest, plan: &Plan, played: &[Brief]) -> Upshot<'a, Brief> {
        Upshot::of(contest, plan, counted_in_brief(plan, played))
    }
}

impl<'a, G: Judged> Upshot<'a, G> {
    fn of(contest: &'a Contest, plan: &Plan, games: Vec<(Fixture, G)>) -> Upshot<'a, G> {
        let standings = standings(contest, plan, &games);
        let (planned, finished) = (plan.progress().1, plan.is_decided());
        let (duel, caveats) = (report::duel(contest, &games), Caveats::of(&games));
        let cpu = cpu_rows(contest.players.len(), &games);
        let opening = OpeningTally::of(contest.game.opening, &games);
        Upshot { contest, standings, duel, caveats, cpu, opening, games, planned, finished }
    }

    /// The figures, as one JSON object.
    pub fn summary(&self) -> Value {
        let mut summary = json!({
            "event": "summary",
            "games": self.games.len(),
            "planned": self.planned,
            "finished": self.finished,
            "faults": self.standings.iter().map(|row| row.faults).sum::<u64>(),
            "standings": self.standings.iter().map(|row| self.standing_json(row)).collect::<Vec<_>>(),
            "players": self.contest.players,
            "cross": report::cross_table(self.contest.players.len(), &self.games),
            "cpu": cpu_field(self.contest, &self.cpu),
        });
        for (key, value) in self.caveats.fields() {
            summary[key] = value;
        }
        if let Some(opening) = &self.opening {
            summary["opening"] = opening.json();
        }
        if let Some(duel) = &self.duel {
            for (key, value) in duel_json(duel) {
                summary[key] = value;
            }
        }
        summary
    }

    fn standing_json(&self, row: &Standing) -> Value {
        json!({
            "rank": row.rank, "name": self.contest.players[row.player].name, "points": row.points,
            "wins": row.tally.wins, "draws": row.tally.draws, "losses": row.tally.losses,
            "elo": row.elo.value, "elo_error": row.elo.error(), "faults": row.faults,
        })
    }
}

/// How fair an opening rule was: in how many games sides were found by it and changed, and what Black made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningTally {
    /// The rule.
    pub rule: OpeningRule,
    /// In how many games the players found their sides by it.
    pub found: usize,
    /// In how many of them the one who opened plays White.
    pub swapped: usize,
    /// Games that Black won, drew and lost.
    pub black: [usize; 3],
}

impl OpeningTally {
    /// Counts the games of a contest whose game has this rule; nothing if it has none.
    pub fn of(rule: OpeningRule, games: &[(Fixture, impl Judged)]) -> Option<OpeningTally> {
        let found: Vec<_> = games.iter().filter(|(_, game)| game.swapped().is_some()).collect();
        let count = |outcome| found.iter().filter(|(_, game)| game.outcome() == Some(outcome)).count();
        let black = [Outcome::Win(Stone::Black), Outcome::Draw, Outcome::Win(Stone::White)].map(count);
        let swapped = found.iter().filter(|(_, game)| game.swapped() == Some(true)).count();
        (rule != OpeningRule::None).then_some(OpeningTally { rule, found: found.len(), swapped, black })
    }

    /// What Black scored, from 0 to 1; nothing before the first game.
    pub fn black_score(&self) -> Option<f64> {
        let [wins, draws, losses] = self.black;
        let games = (wins + draws + losses) as f64;
        (games > 0.0).then(|| (wins as f64 + draws as f64 / 2.0) / games)
    }

    /// The tally in a sentence.
    pub fn text(&self) -> Text {
        let OpeningTally { rule, found, swapped, black: [wins, draws, losses] } = *self;
        let score = self.black_score().map_or_else(|| "–".into(), |score| format!("{:.1} %", score * 100.0));
        text!(
            "{rule}: sides found in {found} games, swapped in {swapped}; Black +{wins} ={draws} -{losses}, {score}",
            "{rule}：{found} 局由双方定出黑白，其中 {swapped} 局换边；黑方 +{wins} ={draws} -{losses}，{score}"
        )
    }

    fn json(&self) -> Value {
        let OpeningTally { rule, found, swapped, black } = *self;
        json!({"rule": rule.name(), "found": found, "swapped": swapped, "black": black, "black_score": self.black_score()})
    }
}

/// The match from the first player's side.
fn duel_json(duel: &Duel) -> Vec<(&'static str, Value)> {
    let games = duel.results.games;
    let mut pairs = vec![
        ("wins", json!(games.wins)),
        ("losses", json!(games.losses)),
        ("draws", json!(games.draws)),
        ("score", json!(duel.results.score())),
        ("elo", json!(duel.elo.value)),
        ("elo_error", json!(duel.elo.error())),
        ("normalised_elo", json!(duel.normalised.value)),
        ("normalised_elo_error", json!(duel.normalised.error())),
        ("los", json!(duel.superiority)),
        ("pairs", json!(duel.results.pairs)),
    ];
    if let Some(sprt) = &duel.sprt {
        pairs.extend([
            ("llr", json!(sprt.llr)),
            ("llr_bounds", json!([sprt.lower, sprt.upper])),
            ("sprt", json!(sprt.accepted)),
        ]);
    }
    pairs
}

impl Contest {
    /// The headline: the game and who meets.
    pub fn title(&self, language: Language) -> String {
        let names: Vec<&str> = self.players.iter().map(|entrant| entrant.name.as_str()).collect();
        match names.as_slice() {
            [a, b] => format!("{}: {a} – {b}", self.game),
            all => format!("{}: {} {}", self.game, all.len(), language.pick("players", "名棋手")),
        }
    }
}
