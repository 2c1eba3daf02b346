//! What somebody in a cage uses of the disk and of the processors, as seen from outside. Where the system lets the cage have
//! a disk of its own, the kernel bounds it and one question counts all; elsewhere its folder is looked at, and what it
//! has removed but still holds. Threads are counted, and however many there are, together they weigh as one, also where the kernel does not
//! share the processors out among sessions.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::process::Process;
use crate::watch::Attempts;

/// How much may lie in the scratch folder, in bytes and in files. What was removed and is still open counts.
pub const SCRATCH: (u64, u64) = (64 << 20, 256);
/// How much of a file may be written.
pub const FILE: u64 = 16 << 20;
/// How many files may be open at once; without a disk of its own, each of them may hide what was removed.
pub const OPEN_FILES: [u64; 2] = [128, 32];
/// How many threads somebody may have who was not given another number.
pub const THREADS: u64 = 16;

/// The folder of a cage, and what is watched of whoever works there.
#[derive(Debug)]
pub struct Room {
    /// All that was made for this cage.
    folder: TempDir,
    /// Where it works and writes.
    work: PathBuf,
    own_disk: bool,
    threads: u64,
    /// For how many threads its weight was last set.
    weighed: u64,
    looked: Instant,
    /// What is heard of the one who works here.
    attempts: Attempts,
}

impl Room {
    /// A room for somebody who works in this folder, within the other or the same, with so many threads.
    pub fn new(folder: TempDir, work: PathBuf, threads: u64) -> Room {
        Room {
            folder,
            work,
            own_disk: false,
            threads,
            weighed: 1,
            looked: Instant::now(),
            attempts: Attempts::default(),
        }
    }

    /// Where it works and writes.
    pub fn path(&self) -> &Path {
        &self.work
    }

    /// Its folder is a disk of its own.
    pub(crate) fn has_own_disk(&mut self, own: bool) {
        self.own_disk = own;
    }

    /// This is heard of the one who works here.
    pub(crate) fn hears(&mut self, attempts: Attempts) {
        self.attempts = attempts;
    }

    /// What it tried and may not do.
    pub fn attempts(&self) -> Vec<String> {
        self.attempts.list()
    }

    /// The folder, with what was left there.
    pub(crate) fn into_folder(self) -> TempDir {
        self.folder
    }

    /// What it uses beyond its bounds, looked at now and then.
    pub fn misuse(&mut self, process: &Process) -> Option<String> {
        const APART: Duration = Duration::from_millis(10);
        if self.looked.elapsed() < APART {
            return None;
        }
        self.looked = Instant::now();
        let threads = process.threads().unwrap_or(1);
        if threads > self.threads {
            return Some(format!("it has more than {} threads", self.threads));
        }
        if threads > self.weighed {
            self.weighed = threads;
            process.weigh_as_one(threads);
        }
        let (bytes, files) = system::used(process.id(), &self.work, self.own_disk);
        (bytes > SCRATCH.0 || files > SCRATCH.1).then(|| "its scratch folder is full".into())
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::HashMap;
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use super::FILE;

    /// Bytes and files in a scratch folder, with what its owner removed and still holds.
    pub fn used(process: u32, work: &Path, own_disk: bool) -> (u64, u64) {
        if !own_disk {
            let (bytes, files) = in_folder(work);
            return (bytes + held(process, work), files);
        }
        // The disk is seen as its owner sees it; one that has just ended uses nothing.
        let there = format!("/proc/{process}/root{}", work.display());
        rustix::fs::statvfs(there).map_or((0, 0), |disk| {
            let bytes = disk.f_blocks.saturating_sub(disk.f_bfree) * disk.f_frsize;
            // The folder itself is the first file.
            (bytes, disk.f_files.saturating_sub(disk.f_ffree).saturating_sub(1))
        })
    }

    /// What files take, not how long they are: space can be taken without any length.
    fn in_folder(work: &Path) -> (u64, u64) {
        let files = fs::read_dir(work).into_iter().flatten().flatten();
        let sizes = files.map(|file| file.metadata().map_or(0, |file| file.blocks() * 512));
        sizes.fold((0, 0), |(bytes, files), size| (bytes + size, files + 1))
    }

    /// What files take that have no name any more but are open or mapped. Of the latter only the number is known.
    fn held(process: u32, work: &Path) -> u64 {
        let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
        let open = open.filter_map(|file| fs::metadata(file.path()).ok());
        let nameless = open.filter(|file| file.is_file() && file.nlink() == 0);
        let mut taken: HashMap<u64, u64> = nameless.map(|file| (file.ino(), file.blocks() * 512)).collect();
        let work = work.to_string_lossy();
        for line in fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default().lines() {
            if line.ends_with(" (deleted)") && line.contains(&*work) {
                let number = line.split_ascii_whitespace().nth(4).and_then(|number| number.parse().ok());
                taken.entry(number.unwrap_or_default()).or_insert(FILE);
            }
        }
        taken.values().sum()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::path::Path;

    /// Other systems lock nobody in.
    pub fn used(_: u32, work: &Path, _: bool) -> (u64, u64) {
        let files = std::fs::read_dir(work).into_iter().flatten().flatten();
        let sizes = files.map(|file| file.metadata().map_or(0, |file| file.len()));
        sizes.fold((0, 0), |(bytes, files), size| (bytes + size, files + 1))
    }
}
