//! Games that have ended while the database could not be reached: they wait on the worker's disk until it has them.

use std::fs;
use std::io;
use std::path::PathBuf;

use lianzi_cage::disk::write_whole;
use serde::{Deserialize, Serialize};

use crate::QueueError;
use crate::link::Link;

/// Which game ended, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub job: i64,
    pub encounter: i32,
    /// The first game of the item it belongs to.
    pub first: i32,
    pub game: i32,
    pub outcome: Option<i16>,
}

impl Ended {
    /// Stores a game; what became of its job, nothing if it is gone.
    pub fn send(&self, link: &Link, me: i64, body: &[u8]) -> Result<Option<String>, QueueError> {
        let Ended { job, encounter, first, game, outcome } = self;
        let ask = "SELECT lianzi.finish($1, $2, $3, $4, $5, $6, $7)";
        Ok(link.row(ask, &[&me, job, encounter, first, game, outcome, &body])?.get(0))
    }
}

/// The folder where such games wait.
#[derive(Debug)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// Opens the folder, and makes it if it is not there.
    pub fn open(folder: PathBuf) -> io::Result<Spool> {
        fs::create_dir_all(&folder)?;
        Ok(Spool { folder })
    }

    /// Keeps a game.
    pub fn keep(&self, ended: &Ended, body: &[u8]) -> io::Result<()> {
        let Ended { job, encounter, game, .. } = ended;
        let mut bytes = serde_json::to_vec(ended)?;
        bytes.push(b'\n');
        bytes.extend(body);
        write_whole(&self.folder.join(format!("{job}-{encounter}-{game}.game")), &bytes)
    }

    /// Sends what waits; says how many games were sent. A game that cannot be is put aside; if the database takes none now,
    /// whatever the reason, all stay.
    pub fn send(&self, link: &Link, me: i64) -> Result<usize, QueueError> {
        let mut sent = 0;
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "game")) {
            let Some((ended, body)) = fs::read(&path).ok().and_then(read) else { continue };
            match ended.send(link, me, &body) {
                Err(QueueError::Unfit(_)) => drop(fs::rename(&path, path.with_extension("refused"))),
                Err(error) => return Err(error),
                Ok(_) => {
                    sent += 1;
                    let _ = fs::remove_file(&path);
                }
            }
        }
        Ok(sent)
    }
}

fn read(bytes: Vec<u8>) -> Option<(Ended, Vec<u8>)> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((serde_json::from_slice(&bytes[..end]).ok()?, bytes[end + 1..].to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::open(folder.path().join("spool")).unwrap();
        let ended = Ended { job: 7, encounter: 1, first: 2, game: 3, outcome: Some(2) };
        spool.keep(&ended, b"a\nb").unwrap();
        let bytes = fs::read(folder.path().join("spool/7-1-3.game")).unwrap();
        assert_eq!(read(bytes), Some((ended, b"a\nb".to_vec())));
    }
}
