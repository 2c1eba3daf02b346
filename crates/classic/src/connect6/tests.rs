//! The player as a whole, and what the other test modules share.

use super::*;
use crate::catalog;
use lianzi_core::{Cell, Outcome, Random};
use lianzi_engine::Greedy;

/// Cells by name.
pub fn cells(text: &str) -> Vec<Cell> {
    text.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

/// A game after these stones.
pub fn position(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

/// Positions at the beginning of a turn, from games that begin at random beside the centre and then are played
/// by two greedy players.
pub fn midgames(game: &str, count: u64) -> Vec<Position> {
    let midgame = |seed: u64| {
        let mut random = Random::new(seed);
        let mut position = Position::new(game.parse().unwrap());
        position.play(Board::new(&position).centre().unwrap()).unwrap();
        for _ in 0..2 * (1 + seed % 3) {
            let cell = *random.choose(&Board::new(&position).adjacent_cells()).unwrap();
            position.play(cell).unwrap();
        }
        let mut greedy = Greedy::new(seed);
        for _ in 0..seed % 7 {
            let turn = ask(&mut greedy, &position, &Limits::default()).turn;
            let before = position.clone();
            turn.iter().for_each(|&cell| position.play(cell).unwrap());
            if position.outcome().is_some() {
                return before;
            }
        }
        position
    };
    (0..count).map(midgame).collect()
}

fn ask(engine: &mut dyn Engine, position: &Position, limits: &Limits) -> Best {
    engine.search(position, limits, &Stop::default(), &mut |_| {})
}

fn player() -> ClassicConnect6 {
    ClassicConnect6::new(Settings::default())
}

fn answer(game: &str, moves: &str) -> Best {
    ask(&mut player(), &position(game, moves), &Limits::default())
}

fn options(text: &str) -> Options {
    let pair = |option: &str| option.split_once('=').map(|(key, value)| (key.into(), value.into())).unwrap();
    Options { seed: 0, given: text.split_whitespace().map(pair).collect() }
}

/// Whether the side to move can win within its turn.
fn winning_turn(position: &Position) -> bool {
    !threats(position, position.to_move()).is_empty()
}

fn played(position: &Position, turn: &[Cell]) -> Position {
    let mut after = position.clone();
    turn.iter().for_each(|&cell| after.play(cell).unwrap());
    after
}

// S0-70
#[test]
fn the_threshold_is_five_million() {
    assert_eq!(ClassicConnect6::KO, 5_000_000);
}

// S0-65
#[test]
fn depth_is_four_and_width_three() {
    let Settings { depth, width, .. } = Settings::default();
    assert_eq!((depth, width), (4, 3));
}

// S0-69, S0-20: attacking ko, from a four, a five and a four with a hole, without looking further.
#[test]
fn a_win_is_taken_at_once() {
    let four = answer("connect6:15", "h8 a1 c4 i8 j8 n2 d13 k8 b14 o1 o7");
    assert_eq!((four.info.lines[0].win_in, four.info.nodes), (Some(2), 0));
    // S0-33: seven gains more than six, so the turn is m8 and n8 although m8 alone wins.
    let five = answer("connect6:15", "h8 a1 c4 i8 j8 n2 d13 k8 l8 g8 o7");
    assert_eq!((five.turn, five.info.lines[0].win_in), (cells("n8 m8"), Some(2)));
    let holed = answer("connect6:15", "h8 a1 c4 i8 k8 n2 d13 l8 b14 o1 o7");
    assert_eq!((holed.info.lines[0].win_in, holed.info.nodes), (Some(2), 0));
    // Mid-turn, with one stone left.
    let late = answer("connect6:15", "h8 a1 c4 i8 j8 n2 d13 k8 b14 o1 o7 l8");
    assert_eq!(late.info.lines[0].win_in, Some(1));
    assert!(late.turn == cells("g8") || late.turn == cells("m8"));
}

// S0-69, S0-20: defending ko.
#[test]
fn a_threat_is_blocked_at_once() {
    for moves in [
        // a row of four in the open, at the edge, with a hole, with two holes
        "h8 a1 c4 i8 j8 n2 d13 k8 b14",
        "a8 o1 m4 b8 c8 n2 l13 d8 i14",
        "h8 a1 c4 i8 k8 n2 d13 l8 b14",
        "h8 a1 c4 j8 k8 n2 d13 m8 b14",
        // fives with one end, and with a hole
        "h8 g8 c4 i8 j8 n2 d13 k8 l8",
        "h8 a1 c4 i8 k8 n2 d13 l8 m8",
    ] {
        let before = position("connect6:15", moves);
        assert!(parry(&before).is_some());
        let best = ask(&mut player(), &before, &Limits::default());
        assert!(!winning_turn(&played(&before, &best.turn)), "{moves}: {:?}", best.turn);
        assert_eq!(best.info.nodes, 0, "{moves}");
    }
}

// S0-20: the report's promise is not always kept by its algorithm. The generator chooses the first stone by what it
// gains alone, so three first stones that gain more hide a win or a defence that needs both stones together. This
// test holds the weakness as it is; it is the report's and stays.
#[test]
fn what_the_generator_overlooks() {
    // Black's open row of four wins with two stones. But the first of them gains ten thousand, while each of the
    // four cells that kill a four of White's gains ten million: no first stone is for the win.
    let win = position("connect6:15", "h8 a1 b1 i8 j8 d1 e1 k8 n12 a4 b4 n14 l13 d4 e4");
    assert!(winning_turn(&win));
    let turn = ask(&mut player(), &win, &Limits::default()).turn;
    assert_eq!(played(&win, &turn).outcome(), None, "{turn:?}");
    // White must close both ends of row 8, and the first of the two stones gains five thousand, less than the
    // 65,000 of making a four out of the stones in column a.
    let loss = position("connect6:15", "h8 a1 a3 i8 j8 a5 a7 k8 b14");
    assert!(parry(&loss).is_some());
    let turn = ask(&mut player(), &loss, &Limits::default()).turn;
    assert!(winning_turn(&played(&loss, &turn)), "{turn:?}");
}

// S0-20: how often that happens in positions as they come up, from games with many slips.
#[test]
fn most_wins_are_taken_and_most_losses_averted() {
    let (mut wins, mut losses) = ((0, 0), (0, 0));
    let mut engine = player();
    for position in sharp_positions("connect6:15", 30) {
        let turn = ask(&mut engine, &position, &Limits::default()).turn;
        let after = played(&position, &turn);
        if winning_turn(&position) {
            wins.0 += u32::from(after.outcome() == Some(Outcome::Win(position.to_move())));
            wins.1 += 1;
        } else if parry(&position).is_some() {
            losses.0 += u32::from(!winning_turn(&after));
            losses.1 += 1;
        }
    }
    println!("wins taken {} of {}, losses averted {} of {}", wins.0, wins.1, losses.0, losses.1);
    assert!(wins.0 * 100 >= wins.1 * 60 && wins.1 > 30);
    assert!(losses.0 * 100 >= losses.1 * 85 && losses.1 > 50);
}

/// Every turn of games between players that put one stone in three anywhere near.
fn sharp_positions(game: &str, games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let (mut random, mut greedy) = (Random::new(seed), Greedy::new(seed));
        let mut position = Position::new(game.parse().unwrap());
        position.play(Board::new(&position).centre().unwrap()).unwrap();
        while position.outcome().is_none() && position.plies().len() < 61 {
            if !position.mid_turn() {
                positions.push(position.clone());
            }
            let near = Board::new(&position).adjacent_cells();
            let slip = random.below(3) == 0;
            let cell = if slip {
                *random.choose(&near).unwrap()
            } else {
                ask(&mut greedy, &position, &Limits::default()).turn[0]
            };
            position.play(cell).unwrap();
        }
    }
    positions
}

/// The windows that one side could fill with two stones.
fn threats(position: &Position, by: Stone) -> Vec<Vec<Cell>> {
    let open = |window: &Vec<Cell>| {
        let held = |stone| window.iter().filter(|&&cell| position.stone(cell) == Some(stone)).count();
        held(by.other()) == 0 && held(by) >= 4
    };
    position.rules().windows().into_iter().filter(open).collect()
}

/// A turn after which the other side, which could win if it were its turn, cannot.
fn parry(position: &Position) -> Option<[Cell; 2]> {
    let threats = threats(position, position.to_move().other());
    let touched = |cell: &Cell| threats.iter().any(|threat| threat.contains(cell));
    let free: Vec<Cell> = position.legal().filter(touched).collect();
    let mut pairs = free.iter().flat_map(|&first| free.iter().map(move |&second| [first, second]));
    pairs.find(|pair| threats.iter().all(|threat| pair.iter().any(|cell| threat.contains(cell))))
}

// S0-100, S0-13: every innovation has a switch, and the greedy player is there without a search.
#[test]
fn options_are_taken_and_checked() {
    let read = |text: &str| Settings::from_options(&mut options(text));
    assert_eq!(read(""), Ok(Settings::default()));
    let off = read("depth=0 width=5 ko=off prune=off shortcut=off dead=plain").unwrap();
    let expected = Settings {
        depth: 0,
        width: 5,
        ko: false,
        prune: false,
        shortcut: false,
        dead: Dead::Plain,
        scores: Scores::default(),
    };
    assert_eq!(off, expected);
    for bad in ["depth=13", "width=0", "width=x", "ko=maybe", "dead=alive", "scores=1+2"] {
        assert!(matches!(read(bad), Err(NoEngine::Value { .. })), "{bad}");
    }
    let greedy = ClassicConnect6::new(Settings { depth: 0, ..Settings::default() });
    let best = ask(&mut { greedy }, &position("connect6:15", "h8"), &Limits::default());
    assert_eq!((best.info.nodes, best.turn.len()), (0, 2));
}

// S0-100: ko and dead change play, pruning and the shortcut only the work.
#[test]
fn switches_switch() {
    let with = |text: &str, position: &Position| {
        let settings = Settings::from_options(&mut options(text)).unwrap();
        ask(&mut ClassicConnect6::new(settings), position, &Limits::default())
    };
    let threat = position("connect6:15", "h8 a1 c4 i8 j8 n2 d13 k8 b14");
    assert_eq!(with("", &threat).info.nodes, 0);
    assert!(with("ko=off", &threat).info.nodes > 0);
    assert!(with("dead=plain", &threat).info.nodes > 0);
    for position in midgames("connect6:15", 20) {
        let usual = with("", &position);
        assert_eq!(with("shortcut=off", &position), usual);
        let plain = with("prune=off", &position);
        assert_eq!((&plain.turn, &plain.info.lines), (&usual.turn, &usual.info.lines));
        assert!(plain.info.nodes >= usual.info.nodes);
    }
}

#[test]
fn it_plays_connect6_of_any_size_and_nothing_else() {
    let asked = |game: &str| catalog::engine("classic-connect6", &game.parse().unwrap(), &Options::default()).err();
    for game in ["connect6:15", "connect6:19", "connect6:6", "connect6:31", "connect6:15/h8,a1", "connect:9,7,6,2,1"] {
        assert_eq!(asked(game), None, "{game}");
    }
    for game in
        ["gomoku", "renju", "connect4", "connect:19,19,6,2,2", "connect:19,19,6,1,1", "connect:19,19,6,2,1,exact"]
    {
        assert!(matches!(asked(game), Some(NoEngine::Game { .. })), "{game}");
    }
    let unknown = catalog::engine("classic-connect6", &Rules::connect6(15), &options("colour=red"));
    assert!(matches!(unknown, Err(NoEngine::Option { .. })));
}

// S0-92, S0-59: whole games on boards of many kinds, to the last free cell.
#[test]
fn every_turn_is_legal_to_the_end_of_the_game() {
    for game in
        ["connect6:15", "connect6:19", "connect:6,5,6,2,1", "connect:7,6,6,2,1/c3,d4", "connect6:8/b2,b7,g2,g7,d4"]
    {
        for opponent in [true, false] {
            let mut position = Position::new(game.parse().unwrap());
            let (mut classic, mut random) = (player(), lianzi_engine::Uniform::new(3));
            while position.outcome().is_none() {
                let against = opponent && position.to_move() == Stone::Black;
                let engine: &mut dyn Engine = if against { &mut random } else { &mut classic };
                let best = ask(engine, &position, &Limits { depth: Some(2), ..Limits::default() });
                let left = position.stones_left();
                best.turn.iter().for_each(|&cell| position.play(cell).unwrap());
                assert!(best.turn.len() == usize::from(left) || position.outcome().is_some());
            }
        }
    }
}

#[test]
fn limits_are_obeyed() {
    let quiet = position("connect6:15", "h8 g9 i10");
    let asked = |limits: &Limits| ask(&mut player(), &quiet, limits);
    let free = asked(&Limits::default());
    assert_eq!(free.info.depth, 4);
    assert!(free.info.nodes > 9 && free.info.lines[0].cells.len() == 8);
    for nodes in [0, 1, 5, 20] {
        let best = asked(&Limits { nodes: Some(nodes), ..Limits::default() });
        assert_eq!((best.info.nodes, best.turn.len()), (nodes, 2));
    }
    for depth in 0..6 {
        let best = asked(&Limits { depth: Some(depth), ..Limits::default() });
        assert_eq!(best.info.depth, depth.max(1));
    }
    let clock = lianzi_engine::Clock { left: Duration::ZERO, increment: Duration::ZERO };
    for limits in [
        Limits { move_time: Some(Duration::ZERO), ..Limits::default() },
        Limits { clock: Some(clock), ..Limits::default() },
    ] {
        assert_eq!((asked(&limits).info.nodes, asked(&limits).turn.len()), (0, 2));
    }
    let stop = Stop::default();
    stop.set();
    let settings = Settings { depth: 12, width: 12, ..Settings::default() };
    let stopped = ClassicConnect6::new(settings).search(&quiet, &Limits::default(), &stop, &mut |_| {});
    assert_eq!((stopped.info.nodes, stopped.turn.len()), (0, 2));
}

#[test]
fn reports_end_with_the_answer_and_are_the_same_every_time() {
    for position in midgames("connect6:19", 10) {
        let mut reports = Vec::new();
        let limits = Limits { lines: 3, ..Limits::default() };
        let mut engine = player();
        let first = engine.search(&position, &limits, &Stop::default(), &mut |info| reports.push(info.clone()));
        assert_eq!(reports.last(), Some(&first.info));
        assert!(first.info.lines.is_sorted_by(|a, b| a.score >= b.score));
        let single = ask(&mut engine, &position, &Limits::default());
        assert_eq!((&single.turn, &single.info.lines[0]), (&first.turn, &first.info.lines[0]));
        for line in &first.info.lines {
            let mut after = position.clone();
            line.cells.iter().for_each(|&cell| after.play(cell).unwrap());
        }
    }
}

// S0-83: the report has Black win against itself after 8 rounds. Ours ends after 8 rounds too, but White wins: the
// course of the game hangs on vectors and orders that the report does not print.
#[test]
fn against_itself_the_game_is_over_after_eight_rounds() {
    let mut position = position("connect6:15", "");
    let (mut engine, mut turns) = (player(), 0);
    while position.outcome().is_none() {
        let turn = ask(&mut engine, &position, &Limits::default()).turn;
        position = played(&position, &turn);
        turns += 1;
    }
    assert_eq!((position.outcome(), turns), (Some(Outcome::Win(Stone::White)), 16));
}
