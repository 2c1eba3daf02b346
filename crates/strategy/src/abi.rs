//! The two functions that judges call. Nothing unwinds out of them: a panic becomes a legal answer.
#![allow(unsafe_code, reason = "C functions and the pointers they are handed")]

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::{Call, Memory};

/// The course allows three seconds a move and warns against coming near them.
const USUAL_TIME: Duration = Duration::from_millis(2200);

/// The environment variable that sets another time, in milliseconds.
const TIME_VARIABLE: &str = "LIANZI_STRATEGY_MS";

/// The game this process is in.
static MEMORY: Mutex<Memory> = Mutex::new(Memory::EMPTY);

/// A point as the course's header has it: x counts rows from the top, y columns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The row, from the top.
    pub x: c_int,
    /// The column.
    pub y: c_int,
}

/// Chooses a move. The point belongs to the caller, who hands it back to [`clearPoint`].
///
/// # Safety
/// `top` must have `n` numbers and `board` `m` × `n`, unless they are null.
#[allow(non_snake_case, reason = "the course's name")]
#[allow(clippy::too_many_arguments, reason = "the course's arguments")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getPoint(
    m: c_int,
    n: c_int,
    top: *const c_int,
    board: *const c_int,
    last_x: c_int,
    last_y: c_int,
    no_x: c_int,
    no_y: c_int,
) -> *mut Point {
    let (rows, columns) = (length(m), length(n));
    // SAFETY: the caller promises that the arrays have these lengths.
    let (top, board) = unsafe { (numbers(top, columns), numbers(board, rows * columns)) };
    let call = Call { rows: m, columns: n, top, board, last: (last_x, last_y), blocked: (no_x, no_y) };
    let (x, y) = answer(&call);
    Box::into_raw(Box::new(Point { x, y }))
}

/// Frees a point that [`getPoint`] gave.
///
/// # Safety
/// `point` must come from [`getPoint`] and be handed back once, or be null.
#[allow(non_snake_case, reason = "the course's name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clearPoint(point: *mut Point) {
    if !point.is_null() {
        // SAFETY: it was boxed in `getPoint`, and nobody else frees it.
        drop(unsafe { Box::from_raw(point) });
    }
}

/// A side of the board as a length.
fn length(side: c_int) -> usize {
    usize::try_from(side).unwrap_or(0)
}

/// The numbers that lie there.
///
/// # Safety
/// `first` must be null or point to `count` numbers that stay for the call.
unsafe fn numbers<'a>(first: *const c_int, count: usize) -> &'a [c_int] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(first, count) }
}

/// The engine's answer, or any legal one.
fn answer(call: &Call<'_>) -> (i32, i32) {
    or_any(call, || MEMORY.lock().unwrap_or_else(PoisonError::into_inner).answer(call, time()))
}

/// What comes of thinking; whatever goes wrong there, a column that is open.
fn or_any(call: &Call<'_>, think: impl FnOnce() -> Option<(i32, i32)>) -> (i32, i32) {
    let thought = catch_unwind(AssertUnwindSafe(think)).ok().flatten();
    thought.or_else(|| call.any()).unwrap_or((-1, -1))
}

/// How long to think.
fn time() -> Duration {
    let set = std::env::var(TIME_VARIABLE).ok().and_then(|text| text.trim().parse().ok());
    set.map_or(USUAL_TIME, Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One call as a judge makes it.
    fn ask(m: i32, n: i32, top: &[i32], board: &[i32], last: (i32, i32), no: (i32, i32)) -> (i32, i32) {
        assert_eq!((top.len(), board.len()), (n as usize, (m * n) as usize));
        // SAFETY: the lengths were just compared.
        let point = unsafe { getPoint(m, n, top.as_ptr(), board.as_ptr(), last.0, last.1, no.0, no.1) };
        // SAFETY: it is ours until it is cleared, once.
        unsafe {
            let Point { x, y } = *point;
            clearPoint(point);
            (x, y)
        }
    }

    /// Rows from the top, `.` empty, `x` the other side, `o` we, `#` blocked.
    fn ask_about(rows: &[&str], last: (i32, i32)) -> (i32, i32) {
        let (m, n) = (rows.len(), rows[0].len());
        let at = |x: usize, y: usize| rows[x].as_bytes()[y];
        let find = |wanted: u8| (0..m * n).find(|&i| at(i / n, i % n) == wanted);
        let board: Vec<i32> = (0..m * n)
            .map(|i| match at(i / n, i % n) {
                b'x' => 1,
                b'o' => 2,
                _ => 0,
            })
            .collect();
        let no = find(b'#').map_or((-1, -1), |i| ((i / n) as i32, (i % n) as i32));
        let top: Vec<i32> = (0..n)
            .map(|y| (0..m).find(|&x| at(x, y) == b'o' || at(x, y) == b'x').unwrap_or(m))
            // Lowered past the blocked cell, as judges do.
            .zip(0..)
            .map(|(top, y)| if no == (top as i32 - 1, y) { top as i32 - 1 } else { top as i32 })
            .collect();
        ask(m as i32, n as i32, &top, &board, last, no)
    }

    #[test]
    fn it_takes_a_four_and_blocks_one() {
        let wins = [".......", ".......", ".......", ".......", "xxx....", "ooo.x.."];
        assert_eq!(ask_about(&wins, (4, 2)), (5, 3));
        let blocks = [".......", ".......", ".......", "....o..", "...ox..", "xxx.o.."];
        assert_eq!(ask_about(&blocks, (5, 2)).1, 3);
    }

    #[test]
    fn it_drops_past_the_blocked_cell() {
        let wins = [".......", ".......", ".......", "ooo....", "xxx#...", "xoxox.."];
        assert_eq!(ask_about(&wins, (4, 2)), (3, 3));
    }

    #[test]
    fn nonsense_is_answered_legally_where_anything_is_legal() {
        assert_eq!(ask(2, 3, &[2, 0, 1], &[0, 1, 0, 0, 0, 2], (0, 1), (-1, -1)), (1, 0), "no such game");
        assert_eq!(ask(1, 1, &[0], &[1], (0, 0), (-1, -1)), (-1, -1), "nothing is legal");
        // SAFETY: null is allowed for both arrays and for the point.
        unsafe {
            let point = getPoint(6, 7, std::ptr::null(), std::ptr::null(), -1, -1, -1, -1);
            assert!((0..6).contains(&(*point).x) || *point == Point { x: -1, y: -1 });
            clearPoint(point);
            clearPoint(std::ptr::null_mut());
        }
    }

    #[test]
    fn a_panic_does_not_get_out() {
        let call = Call { rows: 2, columns: 3, top: &[2, 1, 2], board: &[0; 6], last: (1, 1), blocked: (-1, -1) };
        assert_eq!(or_any(&call, || panic!("on purpose")), (0, 1));
    }
}
