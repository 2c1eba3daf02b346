//! How much of everything there may be on a server; `lianzi_talk::bounds` has what holds for every page. The table of
//! limits in docs/web.md says the same to people.

use std::time::Duration;

use lianzi_core::record::MAX_BYTES;

pub use lianzi_talk::bounds::*;

/// How many of its games a browser asks for at once.
pub const KNOWN_GAMES: usize = 1000;
/// The largest upload, in bytes. Strangers send it, many at once, and it is held in memory: so it may be much smaller
/// than the largest file ([`MAX_BYTES`]), which a user of the command line may name.
pub const UPLOAD: usize = 8 << 20;
const _: () = assert!(UPLOAD <= MAX_BYTES);
/// The largest message of a socket, in bytes.
pub const MESSAGE: usize = 64 << 10;
/// The longest contest, in games.
pub const CONTEST_GAMES: usize = 10_000;
/// The most players of a contest.
pub const CONTEST_PLAYERS: usize = 16;
/// How many contests are listed.
pub const CONTESTS_LISTED: usize = 200;
/// The largest request that is no upload, in bytes: a record, and what is said of it.
pub const REQUEST: usize = RECORD + MESSAGE;
/// How many records are read into games at once, how many questions of training are answered, and how many times
/// contests are read. Of uploads many games take little more than their file, of which only the first are kept; at
/// worst, when one game is all properties, an upload takes about eighty times its size.
pub const AT_ONCE: usize = 2;
/// How long a message of a socket may take to be sent.
pub const SENDING: Duration = Duration::from_secs(60);
/// How many days a learner who has done nothing is kept when the class is full.
pub const IDLE_DAYS: i32 = 1;
/// How long a game that was set up and never begun is kept, and how long one in which nothing happens counts as going on,
/// when there are too many.
pub const IDLE_MS: i64 = 3_600_000;
/// What a visitor may keep is counted for so long.
pub const DAY_MS: i64 = 24 * 3_600_000;

/// How much there may be of something that visitors take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// In all.
    pub all: usize,
    /// For each visitor.
    pub each: usize,
}

/// What a server bounds by itself; tests have other bounds than real servers.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// How many games may go on at once.
    pub live_games: usize,
    /// Games that somebody has open.
    pub rooms: Most,
    /// Hints, analyses and reviews that run or wait.
    pub searches: Most,
    /// Uploads that are sent or read.
    pub uploads: Most,
    /// Records to be read, questions of training, and readings of contests that run or wait; so many of each kind.
    pub readings: Most,
    /// The bytes of large answers that are not sent yet.
    pub answers: Most,
    /// Connections; at most half of the files that the process may have open.
    pub connections: Most,
    /// The bytes of the library at which nothing new is kept, and those that a visitor may keep a day.
    pub library: Most,
    /// How many games a visitor may keep a day.
    pub games_a_day: usize,
    /// Contests that are played or wait to be.
    pub contests: Most,
    /// Contests that are kept, and those that a visitor may start a day.
    pub contests_kept: Most,
    /// The bytes of all contests at which none is begun or goes on.
    pub contest_bytes: u64,
    /// The learners of a class, and those who joined from one visitor.
    pub learners: Most,
    /// How long a game goes on without anybody connected: enough to load the page again.
    pub grace: Duration,
    /// How long an empty room stays open.
    pub empty: Duration,
    /// How long the head of a request may take, and how long a connection waits for the next one.
    pub head: Duration,
    /// How long the rest of a request may take.
    pub body: Duration,
    /// How long a connection over which no game is watched may last.
    pub connection: Duration,
    /// How often a silent socket is asked whether somebody is there.
    pub pulse: Duration,
    /// How long it may be silent all the same, and is closed then.
    pub silence: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            live_games: 10_000,
            rooms: Most { all: 2_000, each: 200 },
            searches: Most { all: 256, each: 32 },
            uploads: Most { all: 8, each: 2 },
            readings: Most { all: 256, each: 32 },
            answers: Most { all: 256 << 20, each: 64 << 20 },
            connections: Most { all: 4_096, each: 512 },
            library: Most { all: 8 << 30, each: 64 << 20 },
            games_a_day: 1_000,
            contests: Most { all: 50, each: 4 },
            contests_kept: Most { all: 10_000, each: 20 },
            contest_bytes: 8 << 30,
            learners: Most { all: 1_000, each: 200 },
            grace: Duration::from_secs(3),
            empty: Duration::from_secs(60),
            head: Duration::from_secs(15),
            body: Duration::from_secs(30),
            connection: Duration::from_secs(300),
            pulse: Duration::from_secs(20),
            silence: Duration::from_secs(60),
        }
    }
}

impl Bounds {
    /// The same, with as many connections as a process with so many open files can have beside everything else; no
    /// visitor takes more than half of them.
    pub fn within_files(mut self, files: u64) -> Bounds {
        let all = self.connections.all.min(usize::try_from(files / 2).unwrap_or(usize::MAX));
        self.connections = Most { all, each: self.connections.each.min(all.div_ceil(2)) };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_fit_into_the_files_of_the_process() {
        let few = Bounds::default().within_files(256).connections;
        assert_eq!(few, Most { all: 128, each: 64 });
        assert_eq!(Bounds::default().within_files(u64::MAX).connections, Bounds::default().connections);
    }
}
