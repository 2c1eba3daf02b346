//! Where the lab plays: engines of ours, asked in this thread, with the CPU time of each side.

use std::time::Duration;

use anyhow::anyhow;
use lianzi_contest::Openings;
use lianzi_contest::statistics::{Model, Results, Score, Tally, Z95};
use lianzi_core::{Cell, Outcome, Position, Rules, Speak, Stone, Text, mix};
use lianzi_engine::{Engine, Stop};
use lianzi_players::PlayerSpec;

use super::Lab;
use lianzi_cage::cpu::thread_time;
use lianzi_console::Console;

/// A player of the lab: an engine with limits of its own.
pub struct Player {
    spec: PlayerSpec,
    engine: Box<dyn Engine>,
}

impl Player {
    /// The player of this name, with its options and limits: `uct@nodes=500`.
    pub fn new(text: &str, rules: &Rules, console: &Console) -> anyhow::Result<Player> {
        let language = console.language;
        let spec: PlayerSpec = text.parse().map_err(|bad: lianzi_players::BadPlayer| anyhow!(bad.words(language)))?;
        let engine = spec.engine(rules).map_err(|none| anyhow!("{text}: {}", none.words(language)))?;
        let engine = engine.ok_or_else(|| anyhow!(Text::fixed("a person is no engine", "人类棋手不是引擎")))?;
        Ok(Player { spec, engine })
    }

    /// A new game begins.
    pub fn begin(&mut self, seed: u64) {
        self.engine.begin(seed);
    }

    /// One turn, with the CPU time it took.
    fn take_turn(&mut self, position: &Position) -> (lianzi_engine::Best, Duration) {
        let start = thread_time();
        let best = self.engine.search(position, &self.spec.limits, &Stop::default(), &mut |_| {});
        (best, thread_time() - start)
    }
}

/// What a player said of a turn it took.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    /// Whose turn it was.
    pub stone: Stone,
    /// What the player thought of it.
    pub score: Option<i32>,
    /// A proven end in so many plies.
    pub win_in: Option<i32>,
    /// What it looked at.
    pub nodes: u64,
    /// How long it thought.
    pub cpu: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rules it was played by.
    pub rules: Rules,
    /// How it ended.
    pub outcome: Outcome,
    /// All stones, those of the opening first.
    pub cells: Vec<Cell>,
    /// Every turn after the opening.
    pub thoughts: Vec<Thought>,
}

impl Game {
    /// How it ended for this side.
    pub fn score(&self, stone: Stone) -> Score {
        Score::of(self.outcome, stone)
    }

    /// CPU time and number of the turns of one side.
    pub fn spent(&self, stone: Stone) -> Spent {
        let mut spent = Spent::default();
        for thought in self.thoughts.iter().filter(|thought| thought.stone == stone) {
            spent.add(Spent { cpu: thought.cpu, nodes: thought.nodes, turns: 1 });
        }
        spent
    }
}

/// What turns cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// CPU time.
    pub cpu: Duration,
    /// Nodes or playouts.
    pub nodes: u64,
    /// How many turns.
    pub turns: u64,
}

impl Spent {
    /// Adds more turns.
    pub fn add(&mut self, more: Spent) {
        self.cpu += more.cpu;
        self.nodes += more.nodes;
        self.turns += more.turns;
    }

    /// Milliseconds of CPU time a turn.
    pub fn per_turn_ms(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e3 / self.turns.max(1) as f64
    }
}

/// Plays one game, Black first; the engines are ours, so one that answers wrongly is an error, not a loss.
pub fn play(rules: &Rules, opening: &[Cell], players: [&mut Player; 2], seed: u64) -> anyhow::Result<Game> {
    let mut position = Position::new(*rules);
    for &cell in opening {
        position.play(cell)?;
    }
    let [black, white] = players;
    black.begin(mix(seed));
    white.begin(mix(seed ^ 1));
    let mut thoughts = Vec::new();
    loop {
        if let Some(outcome) = position.outcome() {
            let cells = position.plies().iter().map(|ply| ply.cell).collect();
            return Ok(Game { rules: *rules, outcome, cells, thoughts });
        }
        let stone = position.to_move();
        let player = if stone == Stone::Black { &mut *black } else { &mut *white };
        let (best, cpu) = player.take_turn(&position);
        let line = best.info.lines.first();
        let (score, win_in) = (line.map(|line| line.score), line.and_then(|line| line.win_in));
        thoughts.push(Thought { stone, score, win_in, nodes: best.info.nodes, cpu });
        for &cell in &best.turn {
            position.play(cell).map_err(|why| anyhow!("{}: {cell}: {why}", player.spec))?;
        }
    }
}

/// A match of colour-swapped pairs, seen by its first player.
#[derive(Clone, Debug, Default)]
pub struct Duel {
    /// What was scored.
    pub results: Results,
    /// The games; those with an even number have the first player as Black.
    pub games: Vec<Game>,
    /// What both players spent.
    pub spent: [Spent; 2],
}

impl Duel {
    /// The score, ± Elo and tally, as tables show them.
    pub fn elo(&self) -> String {
        self.results.elo(Model::Pentanomial).to_string()
    }

    /// The share of the points with its 95 % error, by pairs.
    pub fn score(&self) -> (f64, f64) {
        with_error(self.results.pairs.iter().enumerate().map(|(n, &count)| (n as f64 / 4.0, count)))
    }

    /// Whether both games of every pair were the same but for who played which colour.
    pub fn is_equal_play(&self) -> bool {
        self.games.chunks(2).all(|pair| pair[0].cells == pair[1].cells)
    }
}

/// The share of points of one side in games that depend on nothing, with its 95 % error.
pub fn share(tally: &Tally) -> (f64, f64) {
    with_error([(1.0, tally.wins), (0.5, tally.draws), (0.0, tally.losses)].into_iter())
}

/// The mean of scores that came so often, with its 95 % error.
///
/// Scores that are all the same have no variance; their error is the bound of Clopper and Pearson, as in the
/// arena's statistics.
fn with_error(scores: impl Iterator<Item = (f64, u64)> + Clone) -> (f64, f64) {
    let count: u64 = scores.clone().map(|(_, count)| count).sum();
    let size = count.max(1) as f64;
    let mean = scores.clone().map(|(score, count)| score * count as f64).sum::<f64>() / size;
    let variance = scores.map(|(score, count)| count as f64 * (score - mean).powi(2)).sum::<f64>() / size;
    let other = 1.0 - 0.025f64.powf(1.0 / size);
    let unlike = mean.max(1.0 - mean);
    (mean, if variance == 0.0 { other * unlike } else { Z95 * (variance / size).sqrt() })
}

/// A match to be played.
pub struct Pairing<'a> {
    /// The game.
    pub rules: Rules,
    /// The players, as users name them.
    pub players: [&'a str; 2],
    /// How many pairs of games.
    pub pairs: usize,
    /// What each pair begins with.
    pub openings: Openings,
}

/// Plays a match: both games of a pair begin with the same opening.
pub fn duel(lab: &Lab<'_>, pairing: &Pairing<'_>) -> anyhow::Result<Duel> {
    let numbers: Vec<usize> = (0..pairing.pairs).collect();
    let pairs = lab.each(&numbers, |&n| pair(lab, pairing, n))?;
    let mut duel = Duel::default();
    for [as_black, as_white] in pairs {
        duel.results.count_pair([as_black.score(Stone::Black), as_white.score(Stone::White)]);
        for (game, stone) in [(&as_black, Stone::Black), (&as_white, Stone::White)] {
            duel.spent[0].add(game.spent(stone));
            duel.spent[1].add(game.spent(stone.other()));
        }
        duel.games.extend([as_black, as_white]);
    }
    Ok(duel)
}

fn pair(lab: &Lab<'_>, pairing: &Pairing<'_>, n: usize) -> anyhow::Result<[Game; 2]> {
    let rules = &pairing.rules;
    let opening = pairing.openings.opening(rules, lab.seed, n);
    let player = |text| Player::new(text, rules, lab.console);
    let [mut a, mut b] = [player(pairing.players[0])?, player(pairing.players[1])?];
    let seed = |game: usize| mix(lab.seed ^ mix((2 * n + game) as u64 + 1));
    let first = play(rules, &opening, [&mut a, &mut b], seed(0))?;
    let second = play(rules, &opening, [&mut b, &mut a], seed(1))?;
    Ok([first, second])
}

/// Games of the same two players in which the first one is always Black.
pub fn series(
    lab: &Lab<'_>,
    rules: &Rules,
    players: [&str; 2],
    games: usize,
    openings: &Openings,
) -> anyhow::Result<Vec<Game>> {
    let numbers: Vec<usize> = (0..games).collect();
    lab.each(&numbers, |&n| {
        let opening = openings.opening(rules, lab.seed, n);
        let player = |text| Player::new(text, rules, lab.console);
        let [mut black, mut white] = [player(players[0])?, player(players[1])?];
        play(rules, &opening, [&mut black, &mut white], mix(lab.seed ^ mix(n as u64 + 1)))
    })
}

/// What one side scored in these games.
pub fn tally(games: &[Game], stone: Stone) -> Tally {
    let mut tally = Tally::default();
    games.iter().for_each(|game| tally.count(game.score(stone)));
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_the_binomial_error() {
        let (mean, error) = share(&Tally::new(60, 0, 40));
        assert!((mean - 0.6).abs() < 1e-12);
        assert!((error - Z95 * (0.24_f64 / 100.0).sqrt()).abs() < 1e-12);
        let (mean, error) = share(&Tally::new(10, 0, 0));
        assert_eq!(mean, 1.0);
        assert!((error - 0.308_497).abs() < 1e-6, "1 − 0.025^(1/10)");
    }

    #[test]
    fn a_game_is_the_same_again() {
        let console = Console::new(Some(lianzi_console::LanguageChoice::En), false);
        let rules = Rules::connect4(7, 6);
        let once = || {
            let player = || Player::new("uct@nodes=50", &rules, &console).unwrap();
            play(&rules, &[], [&mut player(), &mut player()], 7).unwrap()
        };
        let (game, again) = (once(), once());
        assert_eq!(game.cells, again.cells);
        assert_eq!(game.spent(Stone::Black).nodes, again.spent(Stone::Black).nodes);
    }
}
