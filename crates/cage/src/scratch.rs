//! Folders for a game or a job, which go when it ends. All of a process lie in one home, and a file in the home is locked
//! as long as the process lives: the kernel lets go of it however the process ends. So a process that was killed leaves a
//! home that nobody holds, and the next process that needs one sweeps it away.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::TempDir;

/// What the names of homes begin with.
const HOME: &str = "lianzi-scratch-";
/// The file in a home that its owner holds.
const OWNER: &str = "owner";

/// Where scratch folders are made. Copies share one home.
#[derive(Clone, Debug)]
pub struct Scratch {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    parent: PathBuf,
    home: Mutex<Option<Home>>,
}

/// The folder of this process. It goes before its lock does.
#[derive(Debug)]
struct Home {
    folder: TempDir,
    _owner: File,
}

impl Scratch {
    /// Scratch folders within this folder. Nothing is made before it is needed.
    pub fn new(parent: &Path) -> Scratch {
        Scratch { inner: Arc::new(Inner { parent: parent.into(), home: Mutex::new(None) }) }
    }

    /// A new folder; it goes when this does.
    pub fn folder(&self) -> io::Result<TempDir> {
        let mut home = self.inner.home.lock().unwrap_or_else(PoisonError::into_inner);
        let home = match &mut *home {
            Some(home) => home,
            none => {
                sweep(&self.inner.parent);
                // By its real name, as the kernel tells what processes hold there.
                none.insert(Home::new(&self.inner.parent.canonicalize()?)?)
            }
        };
        tempfile::Builder::new().prefix("game-").tempdir_in(home.folder.path())
    }
}

impl Home {
    fn new(parent: &Path) -> io::Result<Home> {
        /// Somebody who sweeps may take a new home for one that was left before it is locked.
        const ATTEMPTS: usize = 16;
        let mut failed = io::Error::from(io::ErrorKind::WouldBlock);
        for _ in 0..ATTEMPTS {
            let folder = tempfile::Builder::new().prefix(HOME).tempdir_in(parent)?;
            match hold(folder.path()) {
                Ok(Some(owner)) => return Ok(Home { folder, _owner: owner }),
                Ok(None) => {}
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }
}

/// Locks a home's file, unless somebody else has it or has swept the home meanwhile.
fn hold(home: &Path) -> io::Result<Option<File>> {
    let path = home.join(OWNER);
    let owner = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
    Ok((owner.try_lock().is_ok() && path.exists()).then_some(owner))
}

/// Removes the homes that nobody holds. What cannot be removed now is left to the next process.
fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with(HOME)
            && is_ours(&path)
            && let Ok(Some(_owner)) = hold(&path)
        {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Whether it is a folder, no link to one, and belongs to this user: nobody else could have put anything in its place.
#[cfg(unix)]
fn is_ours(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == user)
}

#[cfg(not(unix))]
fn is_ours(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn homes(parent: &Path) -> usize {
        fs::read_dir(parent).unwrap().count()
    }

    #[test]
    fn what_nobody_holds_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let living = Scratch::new(parent.path());
        let game = living.folder().unwrap();
        fs::write(game.path().join("file"), "x").unwrap();
        let left = parent.path().join(format!("{HOME}left"));
        fs::create_dir_all(left.join("game-1")).unwrap();
        fs::write(left.join(OWNER), "").unwrap();
        let other = parent.path().join("other");
        fs::create_dir(&other).unwrap();
        let next = Scratch::new(parent.path());
        let folder = next.folder().unwrap();
        assert!(!left.exists() && other.exists() && game.path().join("file").exists());
        drop((folder, next));
        assert_eq!(homes(parent.path()), 2, "the living one's and the stranger's");
        drop((game, living));
        assert_eq!(homes(parent.path()), 1);
    }

    #[test]
    fn many_begin_at_once() {
        let parent = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let scratch = Scratch::new(parent.path());
                        let folder = scratch.folder().unwrap();
                        fs::write(folder.path().join("file"), "x").unwrap();
                    }
                });
            }
        });
        assert_eq!(homes(parent.path()), 0);
    }
}
