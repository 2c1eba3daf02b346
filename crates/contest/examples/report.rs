//! Writes sample reports of random games into a folder, for looking at the page while changing it.
//!
//! `cargo run -p lianzi-contest --example report -- <folder> [games]`

use std::path::Path;

use lianzi_contest::report::{Report, Standing, html};
use lianzi_contest::statistics::{Model, Results, Score, Sprt, Tally};
use lianzi_contest::{Contest, Entrant, Fixture, GameId};
use lianzi_core::record::{Eval, GameRecord, Move};
use lianzi_core::{
    Adjudication, Cell, Ending, Game, IllegalMove, Language, Limit, Outcome, Position, Random, Stone, Verdict,
};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>";

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".into());
    let games: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(60);
    let folder = Path::new(&folder);
    let names = ["greedy", "Rapid 7", HOSTILE, "中文选手", "an engine with an uncommonly long name, version 12.4"];
    write(folder, "match.html", "gomoku", &names[..2], games, true)?;
    write(folder, "connect6.html", "connect6/d4,p16", &names[1..4], games, true)?;
    write(folder, "course.html", "connect4:random", &names, games, true)?;
    write(folder, "large.html", "connect:31,31,5,1,1", &names[1..3], games.min(20), true)?;
    write(folder, "begun.html", "renju", &names[..2], 0, false)
}

fn write(folder: &Path, file: &str, game: &str, names: &[&str], count: usize, finished: bool) -> std::io::Result<()> {
    let contest = contest(game, names);
    let games = games(&contest, count);
    let standings = standings(&contest, &games);
    let title = format!("{file}: {}", names.join(", "));
    let report = Report::new(&title, &contest, &standings, &games).in_language(Language::English);
    let report = if finished { report } else { report.running(Some(200)) };
    let page = html(&report);
    println!("{file}: {} bytes", page.len());
    std::fs::write(folder.join(file), page)
}

fn contest(game: &str, names: &[&str]) -> Contest {
    let entrant = |name: &&str| Entrant { name: (*name).into(), spec: format!("process:./{name}@nodes=20000") };
    let game: Game = game.parse().expect("the samples name real games");
    let mut contest = Contest::of_two(game, ["", ""].map(|name| entrant(&name)), 100);
    contest.players = names.iter().map(entrant).collect();
    contest.seed = u64::MAX - 1;
    contest.sprt = (names.len() == 2).then(|| Sprt::new(0.0, 40.0));
    contest
}

fn games(contest: &Contest, count: usize) -> Vec<(Fixture, GameRecord)> {
    let players = contest.players.len();
    let meetings: Vec<[usize; 2]> = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect();
    let fixture = |n: usize| {
        let (pair, swapped) = (n / 2, n % 2);
        let (encounter, round) = (pair % meetings.len(), pair / meetings.len());
        let [a, b] = meetings[encounter];
        let seats = if swapped == 0 { [a, b] } else { [b, a] };
        Fixture { id: GameId { encounter, game: 2 * round + swapped }, round, seats, opening: round }
    };
    (0..count).map(|n| (fixture(n), play(contest, &fixture(n), &mut Random::new(n as u64 + 9)))).collect()
}

/// A game of random stones near each other; the stronger player (an earlier entrant) sees winning cells more often.
fn play(contest: &Contest, fixture: &Fixture, random: &mut Random) -> GameRecord {
    let mut position = Position::new(contest.game.draw(fixture.opening as u64));
    let mut opening = Random::new(fixture.opening as u64);
    for _ in 0..3 {
        let cell = near(&position, &mut opening);
        position.play(cell).expect("a near cell is legal");
    }
    let stop = if random.below(8) == 0 { 5 + random.below(15) } else { usize::MAX };
    while position.outcome().is_none() && position.plies().len() < stop {
        let (stone, attentive) = (position.to_move(), 8 - fixture.seat(position.to_move()));
        let winning = position.legal().find(|&cell| position.wins_at(cell, stone));
        let cell = winning.filter(|_| random.below(8) < attentive).unwrap_or_else(|| near(&position, random));
        position.play(cell).expect("a near cell is legal");
    }
    record(&position, contest, fixture, random)
}

fn near(position: &Position, random: &mut Random) -> Cell {
    let rules = position.rules();
    let middle = Cell::new(rules.width / 2, rules.height / 2);
    let anchor = position.last().map_or(middle, |_| position.plies()[random.below(position.plies().len())].cell);
    let close: Vec<Cell> =
        position.legal().filter(|c| c.column.abs_diff(anchor.column) <= 2 && c.row.abs_diff(anchor.row) <= 2).collect();
    let all: Vec<Cell> = position.legal().collect();
    *random.choose(&close).or(random.choose(&all)).expect("an open game has a legal cell")
}

fn record(position: &Position, contest: &Contest, fixture: &Fixture, random: &mut Random) -> GameRecord {
    let mut record = GameRecord::from_position(position);
    record.opening = 3;
    for (side, &seat) in record.sides.iter_mut().zip(&fixture.seats) {
        side.name.clone_from(&contest.players[seat].name);
    }
    for played in &mut record.moves[3..] {
        *played = Move {
            time_ms: Some(1 << random.below(11)),
            eval: Some(Eval { score: random.below(400) as i32 - 200, ..Eval::default() }),
            ..Move::from(played.cell)
        };
    }
    if position.outcome().is_none() {
        record.verdict = interrupted(position, random);
        record.comment = format!("stopped by {HOSTILE}");
    }
    record
}

fn interrupted(position: &Position, random: &mut Random) -> Verdict {
    let mover = position.to_move();
    let at = position.plies()[0].cell.to_string();
    let ending = match random.below(6) {
        0 => Ending::Illegal { at, why: IllegalMove::Occupied },
        1 => Ending::Crashed { how: format!("signal 11 {HOSTILE} {{{{data}}}} /*data*/ /*script*/") },
        2 => Ending::Timeout { limit: Limit::Move },
        3 => Ending::Garbled { said: "<b>hello</b> <!-- \u{202e}olleh\u{2028}".into() },
        4 => return Verdict::resigned(mover),
        _ => {
            let ending = Ending::Adjudicated { why: Adjudication::MaxPlies };
            return Verdict { outcome: Some(Outcome::Draw), ending, blame: None };
        }
    };
    Verdict::fault(mover, ending)
}

fn standings(contest: &Contest, games: &[(Fixture, GameRecord)]) -> Vec<Standing> {
    let mut rows: Vec<Standing> = (0..contest.players.len()).map(|player| standing(player, games)).collect();
    rows.sort_by(|a, b| b.points.total_cmp(&a.points));
    rows.iter_mut().enumerate().for_each(|(n, row)| row.rank = n + 1);
    rows
}

fn standing(player: usize, games: &[(Fixture, GameRecord)]) -> Standing {
    let (mut tally, mut faults) = (Tally::default(), 0);
    for (fixture, record) in games.iter().filter(|(fixture, _)| fixture.seats.contains(&player)) {
        let stone = if fixture.seats[0] == player { Stone::Black } else { Stone::White };
        record.verdict.outcome.iter().for_each(|&outcome| tally.count(Score::of(outcome, stone)));
        faults += u64::from(record.verdict.blame == Some(stone));
    }
    let elo = Results { games: tally, pairs: [0; 5] }.elo(Model::Trinomial);
    Standing { rank: 0, player, points: tally.half_points() as f64 / 2.0, tally, elo, faults }
}
