//! Random openings that give neither side an advantage that simple players can use.
//!
//! A few stones are scattered near the centre; the greedy engine then plays the position against itself several
//! times, and the opening is taken when neither side does much better. It knows nothing of what a strong player
//! could make of the opening: that both sides of a pair of games get it is what makes a match fair.

use lianzi_core::{Cell, Outcome, Placement, Position, Random, Rules, Stone, mix};
use lianzi_engine::{Engine, Greedy, Limits, Stop};

use super::cells_of;

/// How many openings are drawn at most, those included that are not worth a game.
const DRAWS: usize = 64;

/// How many of them are played out at most. The last resort is the most even one.
const CANDIDATES: usize = 24;

/// How many games an opening is played out for. The test `measure` set this and the numbers around it.
const GAMES: i32 = 12;

/// By how many games one side may win: of 12 games, scores of 37.5 to 62.5 %.
const ALLOWED: i32 = 3;

/// How many stones a game may have after the opening; then it is a draw.
const LONGEST: usize = 60;

/// How far a new stone may lie from the others, and the first from the centre.
const NEAR: u8 = 2;

/// A random opening in which simple players of both sides do about equally well: the same for the same seed on
/// every machine, and empty where the board is too small or the first turn could decide the game.
///
/// # Panics
/// If the rules make no game (`Rules::check`).
pub fn balanced(rules: &Rules, seed: u64) -> Vec<Cell> {
    let mut random = Random::new(seed);
    let mut trial = Trial::new(mix(!seed));
    let (lengths, windows) = (lengths(rules), rules.windows());
    let draws = (0..DRAWS).filter_map(|_| draw(rules, &lengths, &windows, &mut random));
    let mut best: Option<(i32, Position)> = None;
    for position in draws.take(CANDIDATES) {
        let lead = trial.lead(&position);
        if best.as_ref().is_none_or(|(least, _)| lead < *least) {
            best = Some((lead, position));
        }
        if lead <= ALLOWED {
            break;
        }
    }
    best.map(|(_, position)| cells_of(&position)).unwrap_or_default()
}

/// How many stones an opening may have: full turns, and few enough to leave most of the board to the players.
fn lengths(rules: &Rules) -> Vec<usize> {
    // With fewer than four, Connect Four has too few different ones for a match.
    let (least, most) = (4, 8.min(rules.capacity() / 7));
    let turn_ends = |n: &usize| rules.turn_at(n - 1).1 == 1;
    let long: Vec<usize> = (least..=most).filter(turn_ends).collect();
    if long.is_empty() { (1..=most).rfind(turn_ends).into_iter().collect() } else { long }
}

/// Scatters stones; nothing when there is no room or one side could win at once.
fn draw(rules: &Rules, lengths: &[usize], windows: &[Vec<Cell>], random: &mut Random) -> Option<Position> {
    let mut position = Position::new(*rules);
    for _ in 0..*random.choose(lengths)? {
        let cell = *random.choose(&cells_near(&position))?;
        position.play(cell).ok()?;
    }
    (position.outcome().is_none() && is_quiet(&position, windows)).then_some(position)
}

/// Where the next stone of an opening may lie: close to the others, or anywhere when there is no room.
fn cells_near(position: &Position) -> Vec<Cell> {
    let rules = position.rules();
    let centre = Cell::new(rules.width / 2, rules.height / 2);
    let near = |cell: &Cell| match position.plies() {
        _ if rules.placement == Placement::Drop => true,
        [] => distance(*cell, centre) <= NEAR,
        plies => plies.iter().any(|ply| distance(*cell, ply.cell) <= NEAR),
    };
    let open = || position.empty_cells();
    // Only the few cells that are near are asked for fouls.
    let close: Vec<Cell> = open().filter(near).filter(|&cell| position.check(cell).is_ok()).collect();
    if close.is_empty() { position.legal().collect() } else { close }
}

/// How many steps of a king one cell is from the other.
fn distance(a: Cell, b: Cell) -> u8 {
    a.column.abs_diff(b.column).max(a.row.abs_diff(b.row))
}

/// Whether neither side could complete a line if it had the next turn.
fn is_quiet(position: &Position, windows: &[Vec<Cell>]) -> bool {
    let rules = position.rules();
    let held = |window: &[Cell], stone| window.iter().filter(|&&cell| position.stone(cell) == Some(stone)).count();
    let near_win = |window: &Vec<Cell>| {
        let [black, white] = Stone::BOTH.map(|stone| held(window, stone));
        black.min(white) == 0 && black.max(white) + usize::from(rules.per_turn) >= window.len()
    };
    !windows.iter().any(near_win)
}

/// The greedy engine playing openings out against itself.
struct Trial {
    greedy: Greedy,
    seeds: Random,
    stop: Stop,
}

impl Trial {
    fn new(seed: u64) -> Trial {
        Trial { greedy: Greedy::new(seed), seeds: Random::new(seed), stop: Stop::default() }
    }

    /// How many games more than the other the better side wins. What cannot change the answer is not played; the
    /// later an opening is seen to be uneven the smaller the number, so it still tells which one is more even.
    fn lead(&mut self, position: &Position) -> i32 {
        let mut lead = 0i32;
        for left in (0..GAMES).rev() {
            lead += self.play_out(position);
            let (uneven, even) = (lead.abs() - left > ALLOWED, lead.abs() + left <= ALLOWED);
            if uneven || even {
                break;
            }
        }
        lead.abs()
    }

    /// One game: 1 if the side to move wins it, −1 if it loses.
    fn play_out(&mut self, position: &Position) -> i32 {
        self.greedy.begin(self.seeds.next());
        let mut after = position.clone();
        while after.outcome().is_none() && after.plies().len() < position.plies().len() + LONGEST {
            let best = self.greedy.search(&after, &Limits::default(), &self.stop, &mut |_| {});
            for cell in best.turn {
                after.play(cell).expect("engines choose legal cells");
            }
        }
        match after.outcome() {
            Some(Outcome::Win(stone)) if stone == position.to_move() => 1,
            Some(Outcome::Win(_)) => -1,
            Some(Outcome::Draw) | None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::symmetry::canonical;
    use proptest::prelude::*;
    use std::collections::HashSet;
    use std::time::{Duration, Instant};

    fn rules(game: &str) -> Rules {
        game.parse().unwrap()
    }

    fn replay(rules: &Rules, opening: &[Cell]) -> Position {
        let mut position = Position::new(*rules);
        for &cell in opening {
            position.play(cell).unwrap();
        }
        position
    }

    /// What every opening must be on any board.
    fn assert_sound(rules: &Rules, opening: &[Cell]) {
        let position = replay(rules, opening);
        assert!(opening.is_empty() || position.outcome().is_none(), "{rules}: {opening:?}");
        assert!(!position.mid_turn(), "{rules}: {opening:?}");
    }

    /// The score of the side to move over games that had no part in choosing the opening.
    fn fresh_score(position: &Position, games: i32, seed: u64) -> f64 {
        let mut trial = Trial::new(seed);
        let lead: i32 = (0..games).map(|_| trial.play_out(position)).sum();
        0.5 + f64::from(lead) / f64::from(2 * games)
    }

    #[test]
    fn openings_are_sound_and_repeatable() {
        for game in ["gomoku", "standard", "renju", "connect6", "connect4", "connect4:9x10/d4", "gomoku/h8"] {
            let rules = rules(game);
            for seed in 0..4 {
                let opening = balanced(&rules, seed);
                assert_sound(&rules, &opening);
                assert!(lengths(&rules).contains(&opening.len()), "{game}: {opening:?}");
                assert!(is_quiet(&replay(&rules, &opening), &rules.windows()), "{game}: {opening:?}");
                assert_eq!(balanced(&rules, seed), opening);
            }
        }
    }

    #[test]
    fn openings_stay_the_same_in_every_version() {
        // A match that is taken up again needs the openings it began with: change greedy's play knowingly.
        let names = |game| balanced(&rules(game), 1).iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(
            ["gomoku", "connect6", "connect4"].map(names),
            ["j6 i7 l8 m8 j10 k4", "k11 m13 j12 i12 i14 n15 g14", "a1 c1 a2 c2 e1 b1"]
        );
    }

    #[test]
    fn lengths_are_full_turns_that_fit_the_board() {
        let of = |game: &str| lengths(&rules(game));
        assert_eq!(of("gomoku"), [4, 5, 6, 7, 8]);
        assert_eq!(of("connect6"), [5, 7]);
        assert_eq!(of("connect4"), [4, 5, 6]);
        assert_eq!(of("connect:3,3,3,1,1"), [1]);
        assert_eq!(of("connect:19,19,6,3,2"), [5, 8]);
        assert_eq!(of("connect:19,19,9,9,3"), [3]);
        assert!(of("connect:19,19,9,9,9").is_empty());
        assert!(of("connect:1,1,1,1,1").is_empty());
    }

    #[test]
    fn odd_games_have_an_opening_or_none() {
        for game in [
            "connect:1,1,1,1,1",
            "connect:1,1,1,1,1/a1",
            "connect:2,2,2,1,1/a1,a2,b1,b2",
            "connect:31,1,5,2,1",
            "connect:1,31,5,1,1,drop",
            "connect:9,9,1,1,1",
            "connect:9,9,3,3,1",
            "connect:9,9,3,1,5",
            "connect:15,15,6,31,31",
            "connect:15,15,9,4,2,exact",
            "connect:12,12,5,2,1,drop",
            "connect:8,8,8,7,1",
            "gomoku:5/c3,c2,b3",
            "renju:6",
            "connect4:4x4",
        ] {
            let rules = rules(game);
            for seed in [0, 1, u64::MAX] {
                assert_sound(&rules, &balanced(&rules, seed));
            }
        }
        assert_eq!(balanced(&rules("connect:9,9,1,1,1"), 1), []);
        assert_eq!(balanced(&rules("connect:2,2,2,1,1/a1,a2,b1,b2"), 1), []);
    }

    #[test]
    fn stones_lie_together_around_a_blocked_centre_too() {
        let gomoku = rules("gomoku/h8");
        let opening = balanced(&gomoku, 5);
        assert!(distance(opening[0], Cell::new(7, 7)) <= NEAR);
        for n in 1..opening.len() {
            assert!(opening[..n].iter().any(|&cell| distance(cell, opening[n]) <= NEAR), "{opening:?}");
        }
    }

    #[test]
    fn seeds_give_different_openings() {
        for (game, least) in [("gomoku", 24), ("connect4", 20), ("connect6", 24)] {
            let rules = rules(game);
            let drawn: HashSet<_> = (0..24).map(|seed| canonical(&balanced(&rules, seed), &rules)).collect();
            assert!(drawn.len() >= least, "{game}: {} of 24", drawn.len());
        }
    }

    #[test]
    fn most_openings_are_even_in_fresh_games() {
        let connect4 = rules("connect4");
        let even = |seed: &u64| {
            let score = fresh_score(&replay(&connect4, &balanced(&connect4, *seed)), 40, *seed);
            (0.25..=0.75).contains(&score)
        };
        assert!((0..40).filter(even).count() >= 36);
    }

    #[test]
    fn large_boards_take_no_longer_than_a_match_can_wait() {
        let start = Instant::now();
        for game in ["connect:31,31,5,1,1", "connect:31,31,20,3,2", "connect:31,31,8,1,1,drop", "renju:31"] {
            assert_sound(&rules(game), &balanced(&rules(game), 1));
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_game_has_a_sound_opening(
            (width, height) in (1u8..11, 1u8..11), line in 1u8..8, (per_turn, first_turn) in (1u8..4, 1u8..4),
            drops: bool, blocked in prop::collection::vec((0u8..11, 0u8..11), 0..20), seed: u64,
        ) {
            let placement = if drops { Placement::Drop } else { Placement::Anywhere };
            let line = line.min(width.max(height));
            let mut rules = Rules { placement, ..Rules::connect(width, height, line, per_turn, first_turn) };
            for (column, row) in blocked {
                rules = rules.with_blocked(Cell::new(column % width, row % height));
            }
            assert_sound(&rules, &balanced(&rules, seed));
        }
    }
}
