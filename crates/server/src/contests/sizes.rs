//! What contests take on the disk: all of them together have so much room.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use super::lock;

/// The bytes of every contest, by its name.
pub struct Sizes {
    most: u64,
    taken: Mutex<HashMap<String, u64>>,
}

impl Sizes {
    /// Those of the contests in this folder, which may take so much together.
    pub fn of(folder: &Path, most: u64) -> Sizes {
        // Without contests there is no folder yet.
        let folders = fs::read_dir(folder).into_iter().flatten().flatten();
        let taken =
            folders.filter_map(|contest| Some((contest.file_name().into_string().ok()?, size(&contest.path()))));
        Sizes { most, taken: Mutex::new(taken.collect()) }
    }

    /// Looks again at a contest that has grown; whether there is room for more.
    pub fn look_at(&self, contest: &Path) -> bool {
        if let Some(name) = contest.file_name() {
            lock(&self.taken).insert(name.to_string_lossy().into_owned(), size(contest));
        }
        !self.full()
    }

    /// A contest is gone.
    pub fn forget(&self, contest: &str) {
        lock(&self.taken).remove(contest);
    }

    /// Whether there is no room for more.
    pub fn full(&self) -> bool {
        lock(&self.taken).values().sum::<u64>() >= self.most
    }
}

/// The bytes of a contest's files.
fn size(contest: &Path) -> u64 {
    let files = fs::read_dir(contest).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}
