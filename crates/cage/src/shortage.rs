//! When the arena itself lacks something: room on the disk, memory, open files or processes. That is nobody's foul.

use std::io::{self, ErrorKind};
use std::path::Path;

use lianzi_core::{Fault, StartFault};

use crate::room::SCRATCH;

/// Whether the system refused for want of something that others may give back.
pub fn is_shortage(error: &io::Error) -> bool {
    let kinds = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::OutOfMemory, ErrorKind::WouldBlock];
    kinds.contains(&error.kind()) || is_too_many_files(error)
}

#[cfg(unix)]
fn is_too_many_files(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

#[cfg(not(unix))]
fn is_too_many_files(_: &io::Error) -> bool {
    false
}

/// Whether less is free where this folder lies than somebody in a cage may take.
#[cfg(unix)]
pub fn is_cramped(folder: &Path) -> bool {
    let (bytes, files) = SCRATCH;
    rustix::fs::statvfs(folder).is_ok_and(|disk| {
        // A disk that does not count its files has room for any number.
        disk.f_bavail * disk.f_frsize < bytes || (disk.f_files > 0 && disk.f_favail < files)
    })
}

#[cfg(not(unix))]
pub fn is_cramped(_: &Path) -> bool {
    false
}

/// What it means for a player that the system refused this on its behalf.
pub fn refused(what: &str, error: &io::Error) -> Fault {
    let why = if what.is_empty() { error.to_string() } else { format!("{what}: {error}") };
    if is_shortage(error) { Fault::Shortage(why) } else { Fault::NotStarted(StartFault::Unloadable, why) }
}
