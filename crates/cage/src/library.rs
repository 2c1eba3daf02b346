//! A strategy library in its cage: loaded once for a game, called once for each of its turns.

#![allow(unsafe_code, reason = "foreign code is called here, and nowhere else")]

use std::ffi::c_int;
use std::path::Path;

use libloading::Library;

use super::child::Line;
use super::wire::{CageNews, Call};

/// The course's point: x is the row from the top, y the column, both from 0.
#[repr(C)]
struct Point {
    x: c_int,
    y: c_int,
}

type GetPoint =
    unsafe extern "C-unwind" fn(c_int, c_int, *const c_int, *const c_int, c_int, c_int, c_int, c_int) -> *mut Point;
type ClearPoint = unsafe extern "C-unwind" fn(*mut Point);

/// Loads the library and answers calls until the arena has no more.
pub fn serve(file: &Path, line: &mut Line) {
    let strategy = match Strategy::load(file) {
        Ok(strategy) => strategy,
        Err(news) => return line.tell(&news),
    };
    line.tell(&CageNews::Ready);
    while let Some(order) = line.order() {
        let Ok(call) = serde_json::from_str::<Call>(&order) else { return };
        strategy.answer(&call, &mut |news| line.tell(news));
        line.tell(&CageNews::Done);
    }
}

/// Loads the library into this very process, without a cage, and makes these calls, for a debugger to watch. What is told
/// comes with the number of its call.
pub fn call_here(file: &Path, calls: &[Call], tell: &mut dyn FnMut(usize, &CageNews)) {
    match Strategy::load(file) {
        Ok(strategy) => {
            for (n, call) in calls.iter().enumerate() {
                strategy.answer(call, &mut |news| tell(n, news));
            }
        }
        Err(news) => tell(0, &news),
    }
}

/// A loaded library.
struct Strategy {
    get: GetPoint,
    clear: ClearPoint,
    /// Stays loaded as long as its functions may be called.
    _library: Library,
}

impl Strategy {
    fn load(file: &Path) -> Result<Strategy, CageNews> {
        print_by_lines();
        load_runtime();
        let library = load(file).map_err(CageNews::Unloadable)?;
        let missing = |name: &str| CageNews::Missing(name.into());
        // SAFETY: the course's header declares these two functions so. A library that means something else by the
        // names can only harm this process, which is what the cage is for.
        let (get, clear) = unsafe {
            let get = library.get::<GetPoint>(b"getPoint\0").map_err(|_| missing("getPoint"))?;
            let clear = library.get::<ClearPoint>(b"clearPoint\0").map_err(|_| missing("clearPoint"))?;
            (*get, *clear)
        };
        Ok(Strategy { get, clear, _library: library })
    }

    /// One call. What is told before `clearPoint` lets the arena know where a crash happened.
    fn answer(&self, call: &Call, tell: &mut dyn FnMut(&CageNews)) {
        let (top, board) = (call.top.as_ptr(), call.board.as_ptr());
        // SAFETY: `top` has N and `board` M × N numbers, as the arena made them; both outlive the call.
        let point =
            apart(|| unsafe { (self.get)(call.M, call.N, top, board, call.lastX, call.lastY, call.noX, call.noY) });
        if point.is_null() {
            tell(&CageNews::Odd("a null pointer".into()));
        } else {
            // SAFETY: the library says that a point lies there. If none does, this process crashes and is judged.
            let Point { x, y } = unsafe { point.read_unaligned() };
            tell(&CageNews::Point(x.into(), y.into()));
            // SAFETY: the point came from this library's `getPoint` and is handed back once.
            apart(|| unsafe { (self.clear)(point) });
        }
        flush();
    }
}

/// Runs foreign code so that an exception that it does not catch ends the process where it was thrown, as in any
/// program in C++: its words are told, and a debugger shows the strategy. A handler of ours further up would be found
/// instead, and could say nothing of it.
#[cfg(all(unix, target_arch = "x86_64"))]
fn apart<T, F: FnOnce() -> T>(work: F) -> T {
    use std::ffi::c_void;
    /// Who looks for a handler gives up here: nothing says how this frame is left.
    #[unsafe(naked)]
    extern "sysv64-unwind" fn frame(_run: extern "sysv64-unwind" fn(*mut c_void), _data: *mut c_void) {
        std::arch::naked_asm!("push rbp", "mov rbp, rsp", "mov rax, rdi", "mov rdi, rsi", "call rax", "pop rbp", "ret")
    }
    extern "sysv64-unwind" fn run<T, F: FnOnce() -> T>(data: *mut c_void) {
        // SAFETY: `data` is the pair below, which outlives the call and is used by nobody else meanwhile.
        let (work, done) = unsafe { &mut *data.cast::<(Option<F>, Option<T>)>() };
        *done = work.take().map(|work| work());
    }
    let mut pair: (Option<F>, Option<T>) = (Some(work), None);
    frame(run::<T, F>, (&raw mut pair).cast());
    pair.1.expect("it ran")
}

#[cfg(not(all(unix, target_arch = "x86_64")))]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Makes the C++ runtime available to all, for good: the course's sample libraries use it without saying so.
#[cfg(unix)]
fn load_runtime() {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
    let name = if cfg!(target_os = "macos") { "libc++.1.dylib" } else { "libstdc++.so.6" };
    // SAFETY: the system's own library, whose constructors every C++ program runs.
    let runtime = unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) };
    std::mem::forget(runtime);
}

#[cfg(not(unix))]
fn load_runtime() {}

/// Loads the library as the original judge does: a function that is never called may be missing.
#[cfg(unix)]
fn load(file: &Path) -> Result<Library, String> {
    use libloading::os::unix::{Library as UnixLibrary, RTLD_LAZY, RTLD_LOCAL};
    // SAFETY: its constructors run now; the cage is locked.
    let library = apart(|| unsafe { UnixLibrary::open(Some(file), RTLD_LAZY | RTLD_LOCAL) });
    library.map(Library::from).map_err(|error| error_words(&error))
}

#[cfg(not(unix))]
fn load(file: &Path) -> Result<Library, String> {
    // SAFETY: its constructors run now, in a process that can be killed.
    unsafe { Library::new(file) }.map_err(|error| error_words(&error))
}

/// The innermost reason, which is the loader's own.
fn error_words(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// Lets a crash lose no whole line of what was printed before.
#[cfg(target_os = "linux")]
fn print_by_lines() {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    // SAFETY: C's own stream, before anything was printed to it.
    unsafe { libc::setvbuf(stdout, std::ptr::null_mut(), libc::_IOLBF, 0) };
}

#[cfg(not(target_os = "linux"))]
fn print_by_lines() {}

/// Brings out what was printed without an end of line.
#[cfg(unix)]
fn flush() {
    // SAFETY: no stream in particular means all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

#[cfg(not(unix))]
fn flush() {}
