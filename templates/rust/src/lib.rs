//! A strategy to begin with: win if you can, block if you must, do not help the other side, and let random games decide
//! among the rest. It is a start, not the goal. What usually comes next:
//!   1. search deeper: alpha-beta with an evaluation of open threes, or a tree over the random games (UCT);
//!   2. keep what you learned: the library stays loaded for the whole game;
//!   3. think about threats: a cell that wins for you and lies above an empty cell decides many endgames.
//!
//! You have 3 s a move. Stay well below, at 2 s or so: the machine that marks you may be slower than yours.
//!
//! 这是一个起点：能赢就赢，该堵就堵，不给对方垫脚，其余用随机对局决定。下一步可以尝试 alpha-beta 剪枝、UCT、
//! 威胁分析。每步限时 3 秒，请远离上限（约 2 秒）。最终版本请去掉打印语句。

mod judge;

use std::time::{Duration, Instant};

use judge::has_four;

const OTHER: i32 = 1;
const OWN: i32 = 2;

/// Random games for each column, and when to stop in any case.
const GAMES: usize = 2000;
const TIME: Duration = Duration::from_millis(1000);

/// A cell of the board: x is the row counted from the top, y the column, both from 0.
/// 棋盘上的一点：x 是从上往下数的行，y 是列，都从 0 开始。
#[repr(C)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// Your move. The judge hands the point to `clearPoint` when it has read it. Do not change the declaration.
///
/// * `m`, `n`: rows and columns (9 to 12 each in the course) 棋盘的行数和列数
/// * `top[y]`: the highest stone of column y; m when it is empty, 0 when it is full. A stone in column y lands on row
///   `top[y] - 1`. The blocked cell is accounted for already. 各列的顶端，落子点是 top[y] - 1
/// * `board`: row by row from the top, `board[x * n + y]`: 0 empty (the blocked cell too), 1 the other side, 2 you
/// * `last_x`, `last_y`: where the other side has just played; -1 when you make the first move 对方上一步
/// * `no_x`, `no_y`: the blocked cell, on which nobody may play 障碍格，不可落子
///
/// # Safety
/// `top` must have `n` numbers and `board` `m * n`.
#[no_mangle]
#[allow(non_snake_case, clippy::too_many_arguments)]
pub unsafe extern "C" fn getPoint(
    m: i32,
    n: i32,
    top: *const i32,
    board: *const i32,
    _last_x: i32,
    _last_y: i32,
    no_x: i32,
    no_y: i32,
) -> *mut Point {
    // SAFETY: the judge hands over arrays of these lengths.
    let (top, board) = unsafe {
        let cells = m as usize * n as usize;
        (
            std::slice::from_raw_parts(top, n as usize),
            std::slice::from_raw_parts(board, cells),
        )
    };
    let game = Game {
        m,
        n,
        no: (no_x, no_y),
        top: top.to_vec(),
        board: board.to_vec(),
    };
    let y = choose(&game);
    Box::into_raw(Box::new(Point {
        x: top[y] - 1,
        y: y as i32,
    }))
}

/// Frees what `getPoint` gave.
///
/// # Safety
/// `point` must come from `getPoint` and be handed back once.
#[no_mangle]
#[allow(non_snake_case)]
pub unsafe extern "C" fn clearPoint(point: *mut Point) {
    // SAFETY: it was boxed in `getPoint`.
    drop(unsafe { Box::from_raw(point) });
}

#[derive(Clone)]
struct Game {
    m: i32,
    n: i32,
    no: (i32, i32),
    top: Vec<i32>,
    board: Vec<i32>,
}

impl Game {
    fn is_open(&self, y: usize) -> bool {
        self.top[y] > 0
    }

    fn open_columns(&self) -> Vec<usize> {
        (0..self.top.len()).filter(|&y| self.is_open(y)).collect()
    }

    /// Drops a stone into an open column and says whether it wins.
    fn drop(&mut self, y: usize, who: i32) -> bool {
        let x = self.top[y] - 1;
        self.board[(x * self.n) as usize + y] = who;
        // The next stone lands above the blocked cell.
        self.top[y] = if self.no == (x - 1, y as i32) {
            x - 1
        } else {
            x
        };
        has_four(&self.board, self.m, self.n, (x, y as i32))
    }

    /// A column in which this side wins at once.
    fn winning_column(&self, who: i32) -> Option<usize> {
        self.open_columns()
            .into_iter()
            .find(|&y| self.clone().drop(y, who))
    }

    /// Whether our stone in this column lets the other side win at once, mostly on the cell above it.
    fn helps_other(&self, y: usize) -> bool {
        let mut after = self.clone();
        after.drop(y, OWN);
        after.winning_column(OTHER).is_some()
    }
}

fn choose(game: &Game) -> usize {
    if let Some(y) = game
        .winning_column(OWN)
        .or_else(|| game.winning_column(OTHER))
    {
        return y;
    }
    let open = game.open_columns();
    let safe: Vec<usize> = open
        .iter()
        .copied()
        .filter(|&y| !game.helps_other(y))
        .collect();
    if safe.is_empty() {
        open[0]
    } else {
        best_by_games(game, &safe)
    }
}

/// The column with the best random games; every column gets one in turn, so that all are fairly known when time is up.
fn best_by_games(game: &Game, columns: &[usize]) -> usize {
    let end = Instant::now() + TIME;
    let mut random = Random(2463534242);
    let mut sums = vec![0; columns.len()];
    for _ in 0..GAMES {
        for (sum, &y) in sums.iter_mut().zip(columns) {
            let mut after = game.clone();
            after.drop(y, OWN);
            *sum += random_game(after, OTHER, &mut random);
        }
        if Instant::now() >= end {
            break;
        }
    }
    let best = (0..columns.len())
        .max_by_key(|&k| sums[k])
        .expect("there is a column");
    columns[best]
}

/// Plays random stones to the end; `who` begins. 1 when we win, -1 when we lose, 0 for a draw.
fn random_game(mut game: Game, mut who: i32, random: &mut Random) -> i32 {
    let mut open = game.open_columns();
    while !open.is_empty() {
        let k = random.below(open.len());
        let y = open[k];
        if game.drop(y, who) {
            return if who == OWN { 1 } else { -1 };
        }
        if !game.is_open(y) {
            open.swap_remove(k);
        }
        who = OWN + OTHER - who;
    }
    0
}

/// Small and fast random numbers (xorshift). The same start gives the same game, which helps when you look for a bug.
struct Random(u32);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        ((u64::from(self.0) * bound as u64) >> 32) as usize
    }
}
