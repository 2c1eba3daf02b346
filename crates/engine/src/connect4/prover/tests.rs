use lianzi_core::{Cell, Outcome, Random, Rules};

use super::*;

fn examine(position: &Position, nodes: u64) -> [Proof; SIDE] {
    super::examine(position, &Limits { nodes: Some(nodes), ..Limits::default() }, &Stop::default()).0
}

/// Whether a column loses, however long that takes to see; one that wins at once is not refuted.
fn refute(position: &Position, column: usize) -> Option<Proof> {
    let board = FourBoard::new(position);
    let stop = Stop::default();
    let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
    let wins = board.wins(board.turn()) >> column & 1 == 1;
    let budget = Budget::new(&PACE, position, &limits, &stop);
    if wins { None } else { Prover::new(&board, 1).refute(&board, column, &budget) }
}

fn played(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

/// The true result for the side to move, with the plies to the end if both play their best.
fn solve(position: &mut Position) -> Proof {
    let legal: Vec<Cell> = position.legal().collect();
    crate::proof::best(legal.into_iter().map(|cell| after(position, cell)))
}

/// The true result of one stone.
fn after(position: &mut Position, cell: Cell) -> Proof {
    position.play(cell).unwrap();
    let proof = match position.outcome() {
        Some(Outcome::Win(_)) => Proof::Win(1),
        Some(Outcome::Draw) => Proof::Draw(1),
        None => solve(position).flipped().earlier(),
    };
    position.undo();
    proof
}

#[test]
fn every_column_is_proven_as_brute_force_has_it() {
    let mut random = Random::new(3);
    let games = ["connect4:5x4", "connect4:4x5/b2", "connect4:6x4/c1,d4", "connect4:4x4"];
    let mut compared = 0;
    for n in 0..200 {
        let rules: Rules = games[n % games.len()].parse().unwrap();
        let mut position = Position::new(rules);
        while position.outcome().is_none() && position.free() > 9 {
            let legal: Vec<Cell> = position.legal().collect();
            position.play(*random.choose(&legal).unwrap()).unwrap();
        }
        if position.outcome().is_some() {
            continue;
        }
        let proofs = examine(&position, 10_000_000);
        let won = proofs.iter().any(|proof| matches!(proof, Proof::Win(_)));
        for cell in position.legal().collect::<Vec<_>>() {
            let (known, truth) = (proofs[usize::from(cell.column)], after(&mut position, cell));
            let agree = match (known, truth) {
                // Once there is a win the other columns do not matter.
                (Proof::Open, _) => won,
                (Proof::Win(plies), Proof::Win(least)) => plies >= least,
                (Proof::Loss(plies), Proof::Loss(least)) => plies >= least,
                (Proof::Draw(_), Proof::Draw(_)) => true,
                _ => false,
            };
            assert!(agree, "{cell}: {known:?} is {truth:?} in {:?}", position.plies());
            let refuted = refute(&position, cell.column.into());
            assert_eq!(refuted.is_some(), matches!(truth, Proof::Loss(_)), "{cell} in {:?}", position.plies());
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn a_fork_is_seen_from_both_sides() {
    // Two stones side by side with room on both sides: the next one in the row makes three with both ends open.
    let fork = played("connect4", "c c d d");
    let proofs = examine(&fork, 100_000);
    assert_eq!((proofs[1], proofs[4]), (Proof::Win(3), Proof::Win(3)));
    let warned = played("connect4", "c c d");
    let proofs = examine(&warned, 100_000);
    assert_eq!([0, 3, 6].map(|column| proofs[column]), [Proof::Loss(4); 3]);
    assert!(proofs[1].is_open() && proofs[4].is_open(), "{proofs:?}");
    // A blocked cell at one end takes the fork away.
    let blocked = played("connect4/b1", "c c d d");
    assert!(!matches!(examine(&blocked, 20_000)[4], Proof::Win(3)));
}

/// Who completes the first line when only one column is left and the sides must alternate in it: 1 for the side to
/// move, −1 for the other, 0 for nobody.
fn forced_end(mut board: FourBoard) -> i32 {
    let mut sign = 1;
    while board.open() != 0 {
        if board.wins(board.turn()) != 0 {
            return sign;
        }
        board.drop(board.open().trailing_zeros() as usize);
        sign = -sign;
    }
    0
}

#[test]
fn parity_tells_whose_a_threat_is() {
    let mut random = Random::new(7);
    let mut seen = [0; 3];
    for game in ["connect4:5x6", "connect4:6x5/c2", "connect4:4x7/a1,b3"].repeat(300) {
        let mut board = FourBoard::new(&Position::new(game.parse().unwrap()));
        let last = random.below(4);
        while board.open() & !(1 << last) != 0 {
            let quiet = board.open() & !(1 << last) & !board.wins(board.turn());
            if quiet == 0 {
                break;
            }
            board.drop(super::super::board::pick(quiet, random.next() as u16));
        }
        if board.open() == 1 << last {
            let (claim, truth) = (Prover::new(&board, 1).claim(last), forced_end(board));
            // Threats that come to nothing are worth a little all the same.
            let told = if claim.abs() > 30 { claim.signum() } else { 0 };
            assert_eq!(told, truth, "{claim}");
            seen[(truth + 1) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
fn the_table_keeps_what_it_is_given() {
    let mut table = ValueTable::new(1);
    for (value, depth, bound) in [(-9_990, 200, Bound::AtMost), (0, 0, Bound::Exact), (9_999, 7, Bound::AtLeast)] {
        let entry = Entry { value, depth, bound, column: 15 };
        table.put(12_345, entry);
        assert_eq!(table.get(12_345), Some(entry));
        assert_eq!(table.get(12_345 + (1 << 40)), None);
    }
    assert_eq!(table.get(0), None);
}
