//! Who has won. Only lines through the last stone are looked at: an older line would have ended the game before.
//! 胜负判断。只检查经过最后一子的直线。

/// Whether the stone on (x, y) stands in a row of four or more of its kind.
pub fn has_four(board: &[i32], m: i32, n: i32, (x, y): (i32, i32)) -> bool {
    let at = |x: i32, y: i32| {
        let on_board = (0..m).contains(&x) && (0..n).contains(&y);
        on_board.then(|| board[(x * n + y) as usize])
    };
    let who = at(x, y);
    // How many stones like it follow in one direction.
    let follow = |dx: i32, dy: i32| {
        (1..)
            .take_while(|k| at(x + k * dx, y + k * dy) == who)
            .count()
    };
    let line = |(dx, dy): (i32, i32)| 1 + follow(dx, dy) + follow(-dx, -dy) >= 4;
    who.is_some() && [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(line)
}

#[cfg(test)]
mod tests {
    use super::has_four;

    #[test]
    fn a_diagonal_wins_and_three_do_not() {
        #[rustfmt::skip]
        let board = [
            0, 0, 0, 2,
            0, 0, 2, 1,
            0, 2, 1, 1,
            2, 1, 1, 2,
        ];
        assert!(has_four(&board, 4, 4, (1, 2)));
        assert!(!has_four(&board, 4, 4, (1, 3)));
    }
}
