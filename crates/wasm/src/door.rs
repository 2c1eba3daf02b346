//! How a page reaches the module: texts are copied into and out of its memory.
//!
//! ```text
//! module = open()                      once
//! hand_in(module)                      a file that was written like a request, before anything is asked that needs it
//! text   = room(module, length)        where a request of so many bytes is written
//! length = ask(module)                 answers it; the answer is so long
//! text   = answer(module)              and begins here, until the next request
//! ```
//!
//! Workers that share the memory help with searches. Each loads the module again and gets a place for what is its own:
//!
//! ```text
//! place = lend(length)                 asked for by the worker that has the module
//! join(); help()                       by the helper, on its place; it helps for ever
//! fail()                               by the helper, if that was broken off: nobody waits for it then
//! ```
#![allow(unsafe_code)]

use lianzi_engine::crew;
use lianzi_engine::workshop::{connect4::book, network};
use lianzi_train::library;

use crate::Module;

/// A module, the request that is being written and the last answer.
pub struct Door {
    module: Module,
    request: Vec<u8>,
    answer: String,
}

#[link(wasm_import_module = "lianzi")]
// SAFETY: whoever loads the module gives a function of this type, which reads that much of its memory and no more.
unsafe extern "C" {
    fn tell(text: *const u8, length: usize);
}

fn say(text: &str) {
    // SAFETY: the text lives while it is read.
    unsafe { tell(text.as_ptr(), text.len()) }
}

/// Makes a module. A panic tells its words before it ends it.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> *mut Door {
    std::panic::set_hook(Box::new(|panic| {
        crew::fail();
        say(&serde_json::json!({"type": "panic", "words": panic.to_string()}).to_string());
    }));
    Box::into_raw(Box::new(Door { module: Module::new(say), request: Vec::new(), answer: String::new() }))
}

/// Room for a request of so many bytes.
// SAFETY: no other function has this name. Who asks gives what `open` gave, and one worker asks at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn room(door: *mut Door, length: usize) -> *mut u8 {
    // SAFETY: as above.
    let door = unsafe { &mut *door };
    door.request = vec![0; length];
    door.request.as_mut_ptr()
}

/// Takes what was written: the network of a game or the book of Connect Four, which name themselves, or puzzles, which
/// begin with a remark.
// SAFETY: as for `room`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hand_in(door: *mut Door) {
    // SAFETY: as for `room`.
    let door = unsafe { &mut *door };
    let file = std::mem::take(&mut door.request);
    match &file[..] {
        [b'#', ..] => library::hand_in(String::from_utf8_lossy(&file).into_owned()),
        book if book.starts_with(book::MAGIC) => drop(book::hand_in(file)),
        _ => network::hand_in(file),
    }
}

/// Answers the request that was written; how long the answer is.
// SAFETY: as for `room`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(door: *mut Door) -> usize {
    // SAFETY: as for `room`.
    let door = unsafe { &mut *door };
    door.answer = door.module.answer(&String::from_utf8_lossy(&door.request));
    door.answer.len()
}

/// Where the last answer begins.
// SAFETY: as for `room`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(door: *const Door) -> *const u8 {
    // SAFETY: as for `room`.
    unsafe { &*door }.answer.as_ptr()
}

/// A place of so many bytes for a helper, for ever: its stack and its own variables.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn lend(length: usize) -> *mut u8 {
    vec![0_u128; length.div_ceil(size_of::<u128>())].leak().as_mut_ptr().cast()
}

/// A helper is there.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn join() {
    crew::join();
}

/// Helps with searches, for ever.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn help() {
    crew::help()
}

/// A helper was broken off.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn fail() {
    crew::fail();
}
