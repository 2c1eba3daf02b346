//! The fast boards against the referee: random games, compared at every ply.

use lianzi_core::{Cell, Forbidden, Placement, Position, Random, Rules, Stone};

use super::{DropBoard, OpenBoard, PlayoutBoard, Spot};

fn cells(spots: &[Spot]) -> Vec<Cell> {
    spots.iter().map(|&spot| spot.into()).collect()
}

/// Everything a board knows is what the referee knows.
fn compare<B: PlayoutBoard>(position: &Position, board: &mut B) {
    let mut spots = Vec::new();
    board.legal(&mut spots);
    assert_eq!(cells(&spots), position.legal().collect::<Vec<_>>(), "{:?}", position.plies());
    assert_eq!(board.outcome(), position.outcome());
    if position.outcome().is_none() {
        assert_eq!(board.turn().stone, position.to_move());
        assert_eq!(usize::from(board.turn().left).min(position.free()), usize::from(position.stones_left()));
        for &spot in &spots {
            let stone = board.turn().stone;
            assert_eq!(board.wins(spot, stone), position.wins_at(spot.into(), stone));
        }
        compare_near(position, board);
    }
}

/// What `near` leaves is legal, lies near a stone, and holds every winning cell.
fn compare_near<B: PlayoutBoard>(position: &Position, board: &mut B) {
    let (mut legal, mut near) = (Vec::new(), Vec::new());
    board.legal(&mut legal);
    for distance in [0, 1, 2] {
        let all = board.near(distance, &mut near);
        assert!(!near.is_empty() && near.iter().all(|spot| legal.contains(spot)));
        assert!(!all || near == legal);
        let wins = |spot: &&Spot| board.wins(**spot, position.to_move());
        let line = position.rules().line;
        assert!(line == 1 || legal.iter().filter(wins).all(|spot| near.contains(spot)));
    }
}

/// Plays one game to the end on both boards.
fn play<B: PlayoutBoard>(rules: Rules, random: &mut Random) {
    let mut position = Position::new(rules);
    let mut board = B::new(&position);
    loop {
        compare(&position, &mut board);
        let legal: Vec<Cell> = position.legal().collect();
        let Some(&cell) = random.choose(&legal) else { break };
        position.play(cell).unwrap();
        board.play(cell.into());
        if random.below(16) == 0 {
            // A board made in the middle of a game knows the same, and so does a copy.
            let mut fresh = B::new(&position);
            compare(&position, &mut fresh);
            fresh.restore(&board);
            compare(&position, &mut fresh);
        }
    }
}

fn play_any(rules: Rules, random: &mut Random) {
    match rules.placement {
        Placement::Anywhere => play::<OpenBoard>(rules, random),
        Placement::Drop => play::<DropBoard>(rules, random),
    }
}

/// A random member of the family, with blocked cells more often than not.
fn any_rules(random: &mut Random) -> Rules {
    let side = |random: &mut Random| 1 + random.below(13) as u8;
    let (width, height) = (side(random), side(random));
    let line = 1 + random.below(usize::from(width.max(height)).min(7)) as u8;
    let mut rules = Rules::connect(width, height, line, 1 + random.below(3) as u8, 1 + random.below(3) as u8);
    if random.below(2) == 0 {
        rules.placement = Placement::Drop;
    }
    if random.below(2) == 0 {
        rules.overline = lianzi_core::Overline::Ignored;
    }
    for _ in 0..random.below(6) {
        let cell = Cell::new(random.below(width.into()) as u8, random.below(height.into()) as u8);
        rules = rules.with_blocked(cell);
    }
    rules.check().unwrap();
    rules
}

#[test]
fn the_presets_agree_with_the_referee() {
    let mut random = Random::new(1);
    for game in [
        "gomoku",
        "gomoku:19",
        "gomoku/h8,a1,o15",
        "standard",
        "standard:31",
        "connect6:15",
        "connect6",
        "connect6/j10,j11",
        "connect4",
        "connect4:9x9",
        "connect4:12x9/d4,d5,a9",
        "connect4:31x31",
        "connect:31,31,31,1,1",
        "connect:5,5,4,1,1",
    ] {
        play_any(game.parse().unwrap(), &mut random);
    }
}

#[test]
fn any_member_of_the_family_agrees_with_the_referee() {
    let mut random = Random::new(2);
    for _ in 0..300 {
        play_any(any_rules(&mut random), &mut random);
    }
}

#[test]
fn renju_agrees_with_the_referee() {
    let mut random = Random::new(3);
    for game in ["renju", "renju:9", "renju:9/e5,c3", "renju:7", "renju:6", "renju:5", "renju:19"] {
        for _ in 0..2 {
            play_any(game.parse().unwrap(), &mut random);
        }
    }
}

/// Random games seldom make fours and threes in numbers; boards strewn with black stones do.
#[test]
fn fouls_agree_with_the_referee_on_crowded_boards() {
    let mut random = Random::new(4);
    let mut seen = 0;
    while seen < 3000 {
        let rules = Rules { forbidden: Forbidden::Renju, ..Rules::gomoku(9) };
        let mut stones = Vec::new();
        for cell in rules.cells() {
            let stone = if random.below(4) == 0 { Stone::White } else { Stone::Black };
            if random.below(3) == 0 {
                stones.push(lianzi_core::Ply { stone, cell });
            }
        }
        let setup = lianzi_core::Setup { stones, to_move: Stone::Black, stones_left: 1 };
        let Ok(position) = Position::with_setup(rules, &setup) else { continue };
        compare(&position, &mut OpenBoard::new(&position));
        seen += position.empty_cells().filter(|&cell| position.foul(cell).is_some()).count();
    }
}

/// A playout is a game by the rules: who wins it is decided as often as in the referee's random games.
#[test]
fn playouts_win_as_often_as_random_games() {
    for (game, games) in [("connect4", 2000), ("connect:5,5,4,2,1", 2000), ("renju:6", 400)] {
        let position = Position::new(game.parse().unwrap());
        let slow = share(games, |random| {
            let mut position = position.clone();
            while position.outcome().is_none() {
                let legal: Vec<Cell> = position.legal().collect();
                position.play(*random.choose(&legal).unwrap()).unwrap();
            }
            position.outcome().unwrap().winner()
        });
        let fast = match position.rules().placement {
            Placement::Anywhere => share(games, |random| OpenBoard::new(&position).playout(random)),
            Placement::Drop => share(games, |random| DropBoard::new(&position).playout(random)),
        };
        // Four standard errors of a difference of two shares.
        let bound = 4.0 * (0.5 / f64::from(games)).sqrt();
        for n in 0..2 {
            assert!((slow[n] - fast[n]).abs() < bound, "{game}: {slow:?} {fast:?}");
        }
    }
}

/// The shares of games that Black and White win.
fn share(games: u32, mut game: impl FnMut(&mut Random) -> Option<Stone>) -> [f64; 2] {
    let mut random = Random::new(5);
    let mut won = [0.0; 2];
    for _ in 0..games {
        if let Some(stone) = game(&mut random) {
            won[stone.index()] += 1.0 / f64::from(games);
        }
    }
    won
}
