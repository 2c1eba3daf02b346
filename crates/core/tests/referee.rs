//! The referee against the oracle: whole games of every kind, compared at every ply.

mod oracle;

use std::collections::{HashMap, HashSet};

use lianzi_core::{
    Cell, CellSet, DIRECTIONS, Forbidden, Game, IllegalMove, MAX_SIDE, Outcome, Overline, Placement, Position, Random,
    Rules, Stone,
};
use oracle::Oracle;
use proptest::prelude::*;

const PRESETS: [&str; 16] = [
    "gomoku",
    "gomoku:20",
    "standard",
    "renju",
    "renju:9",
    "connect6",
    "connect6:15",
    "connect4",
    "connect4:random",
    "connect4:9x10/d4",
    "connect4:4x4/a1,b2,c4",
    "connect:3,3,3,1,1",
    "connect:4,4,3,2,1",
    "connect:5,5,4,1,1,drop",
    "connect:6,5,3,2,3,exact",
    "connect:9,9,5,1,1,renju",
];

/// Both referees at the same point of the same game.
struct Pair {
    position: Position,
    oracle: Oracle,
}

impl Pair {
    fn new(rules: Rules) -> Pair {
        Pair { position: Position::new(rules), oracle: Oracle::new(rules) }
    }

    /// Tries the cell on both; they must give the same answer and then agree on where the game stands.
    fn play(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        let answer = self.position.play(cell);
        assert_eq!(answer, self.oracle.play(cell), "{cell} on\n{}", self.oracle.picture());
        self.compare();
        answer
    }

    fn compare(&self) {
        let Pair { position, oracle } = self;
        let picture = oracle.picture();
        assert_eq!(position.outcome(), oracle.outcome(), "outcome of\n{picture}");
        assert_eq!(position.to_move(), oracle.to_move(), "to move on\n{picture}");
        assert_eq!(position.stones_left(), oracle.stones_left(), "stones left on\n{picture}");
        assert_eq!(position.mid_turn(), oracle.mid_turn(), "mid turn on\n{picture}");
        assert_eq!(position.winning_line().is_some(), matches!(position.outcome(), Some(Outcome::Win(_))));
        if let Some(line) = position.winning_line() {
            self.compare_line(line);
        }
    }

    /// The winning line is in one direction, and is one of the rows the oracle reads off the board.
    fn compare_line(&self, mut line: Vec<Cell>) {
        let winner = self.position.outcome().and_then(Outcome::winner).expect("a line has a winner");
        let straight = |d: &(i8, i8)| line.windows(2).all(|two| two[0].step(*d, 1) == Some(two[1]));
        assert!(DIRECTIONS.iter().any(straight), "{line:?}");
        assert!(self.position.last().is_none_or(|ply| line.contains(&ply.cell)), "{line:?}");
        line.sort();
        let rows = self.oracle.winning_rows().into_iter();
        let found = rows.filter(|(side, _)| *side == winner).any(|(_, mut row)| {
            row.sort();
            row == line
        });
        assert!(found, "{line:?} on\n{}", self.oracle.picture());
    }

    /// Every cell of the board and a margin around it: refused for the same reason by all who can be asked.
    fn compare_cells(&mut self) {
        let before = self.position.clone();
        let legal: HashSet<Cell> = before.legal().collect();
        assert_eq!(legal.len(), before.legal().count(), "a cell is listed twice");
        for cell in with_margin(before.rules()) {
            let answer = self.oracle.check(cell);
            assert_eq!(before.check(cell), answer, "{cell} on\n{}", self.oracle.picture());
            assert_eq!(legal.contains(&cell), answer.is_ok(), "{cell} on\n{}", self.oracle.picture());
            assert_eq!(self.position.play(cell), answer);
            if answer.is_ok() {
                assert_eq!(self.position.hash(), self.position.recomputed_hash());
                assert_eq!(self.position.undo(), Some(cell));
            }
            assert_eq!(self.position.hash(), before.hash());
        }
        assert_eq!(self.position, before);
    }
}

fn with_margin(rules: &Rules) -> impl Iterator<Item = Cell> + use<> {
    let (width, height) = (rules.width, rules.height);
    let near = (0..=height).flat_map(move |row| (0..=width).map(move |column| Cell::new(column, row)));
    near.chain([Cell::new(u8::MAX, 0), Cell::new(0, u8::MAX), Cell::new(MAX_SIDE, MAX_SIDE)])
}

/// Plays the game that `choices` pick from the legal cells, comparing everything, and takes it all back.
fn whole_game(rules: Rules, choices: &[u16]) {
    let mut pair = Pair::new(rules);
    pair.compare();
    let mut history = Vec::new();
    for choice in choices {
        pair.compare_cells();
        let legal: Vec<Cell> = pair.position.legal().collect();
        assert_eq!(legal.is_empty(), pair.position.outcome().is_some());
        if legal.is_empty() {
            break;
        }
        history.push(pair.position.clone());
        pair.play(legal[usize::from(*choice) % legal.len()]).expect("a legal cell can be played");
        assert_eq!(pair.position.hash(), pair.position.recomputed_hash());
    }
    for before in history.iter().rev() {
        assert!(pair.position.undo().is_some());
        assert_eq!(&pair.position, before);
    }
    assert_eq!(pair.position.undo(), None);
}

/// Sides are small more often than not, so that games end within a test.
fn any_side() -> impl Strategy<Value = u8> {
    prop_oneof![4 => 1..=7u8, 2 => 5..=15u8, 1 => 1..=MAX_SIDE]
}

fn any_stones() -> impl Strategy<Value = u8> {
    prop_oneof![6 => 1..=3u8, 1 => 1..=MAX_SIDE]
}

fn any_blocked(width: u8, height: u8) -> impl Strategy<Value = CellSet> {
    let cell = (0..width, 0..height).prop_map(|(column, row)| Cell::new(column, row));
    let few = prop::collection::vec(cell.clone(), 0..4);
    let many = prop::collection::vec(cell, 0..60);
    prop_oneof![3 => few, 1 => many].prop_map(CellSet::from_iter)
}

fn any_family_member() -> impl Strategy<Value = Rules> {
    (any_side(), any_side())
        .prop_flat_map(|(width, height)| {
            let line = prop_oneof![3 => 1..=width.max(height).min(6), 1 => 1..=width.max(height)];
            (Just((width, height)), line, any_stones(), any_stones(), any::<(bool, bool)>(), any_blocked(width, height))
        })
        .prop_map(|((width, height), line, per_turn, first_turn, (drop, exact), blocked)| Rules {
            placement: if drop { Placement::Drop } else { Placement::Anywhere },
            overline: if exact { Overline::Ignored } else { Overline::Wins },
            blocked,
            ..Rules::connect(width, height, line, per_turn, first_turn)
        })
}

fn any_renju() -> impl Strategy<Value = Rules> {
    let sides = (5..=15u8, any_side(), any::<bool>());
    sides.prop_flat_map(|(long, other, upright)| {
        let (width, height) = if upright { (other, long) } else { (long, other) };
        let board = Rules { forbidden: Forbidden::Renju, ..Rules::connect(width, height, 5, 1, 1) };
        any_blocked(width, height).prop_map(move |blocked| Rules { blocked, ..board })
    })
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop_oneof![5 => any_family_member(), 1 => any_renju()]
}

proptest! {
    #[test]
    fn any_game_of_the_family_is_judged_as_the_oracle_judges_it(
        rules in any_rules(), choices in prop::collection::vec(any::<u16>(), 0..80)
    ) {
        whole_game(rules, &choices);
    }

    #[test]
    fn any_rules_print_a_name_that_reads_back(rules in any_rules()) {
        prop_assert_eq!(rules.check(), Ok(()));
        prop_assert_eq!(rules.to_string().parse(), Ok(rules));
    }
}

#[test]
fn every_preset_is_judged_as_the_oracle_judges_it_cell_by_cell() {
    for (n, name) in PRESETS.iter().enumerate() {
        let game: Game = name.parse().unwrap();
        for seed in 0..4 {
            let mut random = Random::new(n as u64 * 100 + seed);
            let choices: Vec<u16> = (0..120).map(|_| random.next() as u16).collect();
            whole_game(game.draw(seed), &choices);
        }
    }
}

/// Plays to the end with cells drawn at random, some of them illegal.
fn random_game(rules: Rules, random: &mut Random) -> Outcome {
    let mut pair = Pair::new(rules);
    let mut free: Vec<Cell> = rules.cells().collect();
    random.shuffle(&mut free);
    loop {
        if let Some(outcome) = pair.position.outcome() {
            return outcome;
        }
        let n = random.below(free.len());
        if pair.play(free[n]).is_ok() && random.below(8) > 0 {
            // Now and then a taken cell stays in the draw, and is refused later.
            free.swap_remove(n);
        }
    }
}

#[test]
fn ten_thousand_games_end_as_the_oracle_says() {
    let mut ends: HashMap<Outcome, u32> = HashMap::new();
    for seed in 0..10_000 {
        let game: Game = PRESETS[seed % PRESETS.len()].parse().unwrap();
        let mut random = Random::new(seed as u64);
        *ends.entry(random_game(game.draw(seed as u64), &mut random)).or_default() += 1;
    }
    let often = |outcome| ends[&outcome] > 500;
    assert!(often(Outcome::Draw) && Stone::BOTH.into_iter().all(|side| often(Outcome::Win(side))), "{ends:?}");
}

/// Walks through every position within `depth` plies, once each, and files its picture under its hash.
fn file_positions(position: &mut Position, depth: u32, seen: &mut HashMap<u64, String>) {
    let picture = picture(position);
    if let Some(other) = seen.get(&position.hash()) {
        assert_eq!(*other, picture, "two positions with one hash");
        return;
    }
    seen.insert(position.hash(), picture);
    if depth == 0 {
        return;
    }
    for cell in position.legal().collect::<Vec<_>>() {
        position.play(cell).expect("a legal cell can be played");
        file_positions(position, depth - 1, seen);
        position.undo();
    }
}

fn picture(position: &Position) -> String {
    let letter = |cell| position.stone(cell).map_or('.', oracle::letter);
    let turn = (position.to_move(), position.stones_left());
    format!("{} {turn:?}", position.rules().cells().map(letter).collect::<String>())
}

#[test]
fn every_position_has_a_hash_of_its_own() {
    // Tic-tac-toe has 5478 positions, as is well known; the others are many enough for a collision to show.
    let cases = [("connect:3,3,3,1,1", 9, 5478), ("connect4", 8, 0), ("connect:5,4,3,2,1", 6, 0), ("gomoku", 2, 0)];
    for (name, depth, known) in cases {
        let mut seen = HashMap::new();
        file_positions(&mut Position::new(name.parse().unwrap()), depth, &mut seen);
        let pictures: HashSet<&String> = seen.values().collect();
        assert_eq!(pictures.len(), seen.len(), "{name}: one position with two hashes");
        assert!(known == 0 || seen.len() == known, "{name}: {}", seen.len());
    }
}

#[test]
fn the_order_of_the_stones_does_not_change_the_hash() {
    // A line of 19 can hardly be finished by chance, so every order is a legal one.
    for name in ["connect:19,19,19,1,1", "connect:19,19,19,2,1", "connect:19,19,19,3,5"] {
        let rules: Rules = name.parse().unwrap();
        let mut random = Random::new(19);
        let mut cells: Vec<Cell> = rules.cells().collect();
        random.shuffle(&mut cells);
        let stones: Vec<(Stone, Cell)> = (0..100).map(|n| (rules.turn_at(n).0, cells[n])).collect();
        let hashes: HashSet<u64> = (0..100).map(|_| shuffled_hash(rules, &stones, &mut random)).collect();
        assert_eq!(hashes.len(), 1);
    }
}

/// The hash after the same stones in another order, each side's among themselves.
fn shuffled_hash(rules: Rules, stones: &[(Stone, Cell)], random: &mut Random) -> u64 {
    let mut sides = Stone::BOTH.map(|side| {
        let mut own: Vec<Cell> = stones.iter().filter(|(s, _)| *s == side).map(|(_, cell)| *cell).collect();
        random.shuffle(&mut own);
        own
    });
    let mut position = Position::new(rules);
    while let Some(cell) = sides[position.to_move().index()].pop() {
        position.play(cell).expect("the cell is free");
    }
    assert_eq!(position.plies().len(), stones.len());
    position.hash()
}
