use lianzi_core::{Outcome, Random, Rules, Stone};

use super::*;

/// Rules of a random size with up to `most` random blocked cells.
fn random_rules(random: &mut Random, most: usize) -> Rules {
    let mut side = || 1 + random.below(SIDE) as u8;
    let (width, height) = (side().max(4), side());
    let mut rules = Rules::connect4(width, height);
    for _ in 0..random.below(most + 1) {
        let cell = Cell::new(random.below(width.into()) as u8, random.below(height.into()) as u8);
        rules.blocked.insert(cell);
    }
    rules
}

/// Everything the board knows, compared with the referee.
fn compare(board: &FourBoard, position: &Position) {
    let landings: Vec<Option<Cell>> = (0..position.rules().width).map(|c| position.landing(c)).collect();
    let second = |cell: Cell| {
        let mut above = (cell.row + 1..position.rules().height).map(|row| Cell::new(cell.column, row));
        above.find(|&cell| !position.rules().blocked.contains(cell))
    };
    let set = |is: &dyn Fn(Cell) -> bool| columns(|column| landings.get(column).copied().flatten().is_some_and(is));
    assert_eq!(board.open(), set(&|_| true));
    assert!(each(board.open()).all(|column| Some(board.landing(column)) == landings[column]));
    for side in 0..2 {
        let wins = |cell: Cell| position.wins_at(cell, Stone::BOTH[side]);
        assert_eq!(board.wins(side), set(&wins), "{position:?}");
        assert_eq!(board.opens(side), set(&|cell| second(cell).is_some_and(wins)), "{position:?}");
        for column in 0..position.rules().width {
            let cells = position.empty_cells().filter(|cell| cell.column == column && wins(*cell));
            let winning = cells.fold(0u16, |set, cell| set | 1 << cell.row);
            assert_eq!(board.winning(side, column.into()), winning, "{position:?}");
        }
    }
    assert_eq!((board.left() as usize, board.turn()), (position.free(), position.to_move().index()));
}

/// The outlook by looking two plies ahead with the referee.
fn outlook(position: &Position) -> Outlook {
    let me = position.to_move();
    let legal: Vec<Cell> = position.legal().collect();
    if legal.is_empty() {
        return Outlook::Full;
    }
    if legal.iter().any(|&cell| position.wins_at(cell, me)) {
        return Outlook::Won;
    }
    let safe = legal.iter().filter(|&&cell| {
        let mut after = position.clone();
        after.play(cell).unwrap();
        let replies: Vec<Cell> = after.legal().collect();
        !replies.iter().any(|&reply| after.wins_at(reply, me.other()))
    });
    match safe.fold(0, |set, cell| set | 1 << cell.column) {
        0 => Outlook::Lost,
        safe => Outlook::Open(safe),
    }
}

#[test]
fn the_board_agrees_with_the_referee_at_every_ply() {
    let mut random = Random::new(1);
    for game in 0..400 {
        let rules = match game {
            0..5 => Rules::connect4(16, 16),
            5..100 => random_rules(&mut random, 0),
            100..300 => random_rules(&mut random, 3),
            _ => random_rules(&mut random, 40),
        };
        let mut position = Position::new(rules);
        let mut board = FourBoard::new(&position);
        let mut played = Vec::new();
        while position.outcome().is_none() {
            compare(&board, &position);
            assert_eq!(board.outlook(), outlook(&position), "{position:?}");
            let legal: Vec<Cell> = position.legal().collect();
            // Half of the games avoid wins, so that boards fill up.
            let quiet = legal.iter().copied().filter(|&cell| !position.wins_at(cell, position.to_move()));
            let quiet: Vec<Cell> = quiet.collect();
            let cells = if game % 2 == 0 && !quiet.is_empty() { &quiet } else { &legal };
            let cell = *random.choose(cells).unwrap();
            let before = board.clone();
            let wins = board.wins(board.turn()) >> cell.column & 1 == 1;
            position.play(cell).unwrap();
            let undo = board.play(cell.column.into());
            played.push((before, undo));
            assert_eq!(wins, matches!(position.outcome(), Some(Outcome::Win(_))));
            let fresh = FourBoard::new(&position);
            assert_eq!((fresh.hash(), fresh.open()), (board.hash(), board.open()));
        }
        assert!(position.outcome() != Some(Outcome::Draw) || board.outlook() == Outlook::Full);
        for (before, undo) in played.iter().rev() {
            board.undo(undo);
            assert_eq!(&board, before);
        }
    }
}

#[test]
fn a_poisoned_cell_is_left_alone() {
    // White has three in the second row: whoever plays d1 gives d2 to the other.
    let mut position = Position::new(Rules::connect4(7, 6));
    for name in "a a b b c c g".split(' ') {
        let cell = position.read_cell(name).unwrap();
        position.play(cell).unwrap();
    }
    let board = FourBoard::new(&position);
    assert_eq!((board.wins(0), board.opens(1)), (1 << 3, 1 << 3));
    // White must block on d1, and may: the cell above is White's own.
    assert_eq!(board.outlook(), Outlook::Open(1 << 3));
}
