//! CPU time, as the system counts it: unlike a wall clock it is the same on a busy machine. Linux only; elsewhere nothing
//! is known of it.
//!
//! Of a program from outside counts what it and its living descendants used, and what those used that it has waited
//! for; the system tells it in hundredths of a second. Of an engine of ours counts its thread, exactly.

use std::time::Duration;

/// Whether CPU time can be measured here.
pub const MEASURED: bool = cfg!(target_os = "linux");

#[cfg(target_os = "linux")]
pub use linux::{ProcessMeter, ThreadMeter, busy, thread_time};
#[cfg(not(target_os = "linux"))]
pub use nowhere::{ProcessMeter, ThreadMeter, busy, thread_time};

/// How busy a machine is: programs that want to run, and cores to run on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The mean of the last minute.
    pub wanted: f64,
    /// How many can run at once.
    pub cores: usize,
}

impl Load {
    /// Reads the system's own words: `0.52 0.58 0.59 2/345 678`, and a line `cpuN` for each core.
    fn read(average: &str, stat: &str) -> Option<Load> {
        let wanted = average.split_whitespace().next()?.parse().ok()?;
        let core = |line: &&str| {
            line.strip_prefix("cpu").is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        };
        Some(Load { wanted, cores: stat.lines().filter(core).count() })
    }

    /// Whether programs have to wait for each other.
    pub fn is_too_high(&self) -> bool {
        self.cores > 0 && self.wanted > self.cores as f64
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::os::unix::fs::FileExt;

    use super::{Duration, Load};

    /// Descendants beyond this many are not looked for: a program that has them is no player.
    const MOST: usize = 256;

    /// Reads what a process and its descendants have used.
    #[derive(Debug)]
    pub struct ProcessMeter {
        id: u32,
        /// Open for the process's life: it is read twice a turn.
        stat: Option<File>,
    }

    impl ProcessMeter {
        /// A meter for the process of this number.
        pub fn new(id: u32) -> ProcessMeter {
            ProcessMeter { id, stat: File::open(format!("/proc/{id}/stat")).ok() }
        }

        /// What was used so far.
        pub fn read(&self) -> Option<Duration> {
            let mut buffer = [0; 1024];
            let length = self.stat.as_ref()?.read_at(&mut buffer, 0).ok()?;
            let (ticks, threads) = used(&buffer[..length])?;
            let mut left = MOST;
            Some(in_time(ticks + of_children(self.id, threads, &mut left)))
        }
    }

    /// Hundredths of a second of a process with those it has waited for, and how many threads it has.
    fn used(stat: &[u8]) -> Option<(u64, u64)> {
        // A name may hold blanks and brackets; what follows the last bracket is numbers.
        let name = stat.iter().rposition(|&b| b == b')')?;
        let rest = std::str::from_utf8(stat.get(name + 1..)?).ok()?;
        let mut fields =
            rest.split_ascii_whitespace().skip(11).map(|field| field.parse::<u64>().unwrap_or(0));
        let ticks = fields.by_ref().take(4).sum();
        Some((ticks, fields.nth(2)?))
    }

    fn of_children(id: u32, threads: u64, left: &mut usize) -> u64 {
        let of_thread = |thread: u32| {
            let text = fs::read_to_string(format!("/proc/{id}/task/{thread}/children")).unwrap_or_default();
            text.split_ascii_whitespace().filter_map(|child| child.parse().ok()).collect::<Vec<u32>>()
        };
        let children = if threads == 1 {
            of_thread(id)
        } else {
            let tasks = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
            let numbers = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
            numbers.flat_map(of_thread).collect()
        };
        let mut sum = 0;
        for child in children {
            let Some(fewer) = left.checked_sub(1) else { return sum };
            *left = fewer;
            let stat = fs::read(format!("/proc/{child}/stat")).unwrap_or_default();
            if let Some((ticks, threads)) = used(&stat) {
                sum += ticks + of_children(child, threads, left);
            }
        }
        sum
    }

    fn in_time(ticks: u64) -> Duration {
        Duration::from_nanos(ticks * (1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)))
    }

    /// Reads what another thread of this process has used.
    #[derive(Debug)]
    pub struct ThreadMeter(Option<File>);

    impl ThreadMeter {
        /// A meter for the thread that calls this.
        pub fn here() -> ThreadMeter {
            let id = rustix::thread::gettid().as_raw_nonzero();
            ThreadMeter(File::open(format!("/proc/self/task/{id}/schedstat")).ok())
        }

        /// What was used so far; while the thread runs this is a few milliseconds old.
        pub fn read(&self) -> Option<Duration> {
            let mut buffer = [0; 128];
            let length = self.0.as_ref()?.read_at(&mut buffer, 0).ok()?;
            let text = std::str::from_utf8(&buffer[..length]).ok()?;
            text.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
        }
    }

    /// What this thread has used so far.
    pub fn thread_time() -> Option<Duration> {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// How busy the machine is, if it has more to do than it can.
    pub fn busy() -> Option<Load> {
        let [average, stat] =
            ["/proc/loadavg", "/proc/stat"].map(|path| fs::read_to_string(path).unwrap_or_default());
        Load::read(&average, &stat).filter(Load::is_too_high)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_systems_words_are_read() {
            let stat = b"7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 120 30 5 6 20 0 3 0 99 1000";
            assert_eq!(used(stat), Some((161, 3)));
            assert_eq!(used(b"7 (a"), None);
        }

        #[test]
        fn work_is_measured_and_sleep_is_not() {
            let work = |meter: &dyn Fn() -> Option<Duration>| {
                let (start, mut sum) = (meter().unwrap(), 0u64);
                while meter().unwrap() < start + Duration::from_millis(30) {
                    sum = (0..10_000).fold(sum, |sum, n| std::hint::black_box(sum ^ n));
                }
            };
            work(&thread_time);
            let us = ProcessMeter::new(std::process::id());
            work(&|| us.read());
            let before = thread_time().unwrap();
            std::thread::sleep(Duration::from_millis(50));
            assert!(thread_time().unwrap() - before < Duration::from_millis(40));
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod nowhere {
    use super::{Duration, Load};

    /// Other systems do not tell.
    #[derive(Debug)]
    pub struct ProcessMeter;

    impl ProcessMeter {
        /// Measures nothing.
        pub fn new(_: u32) -> ProcessMeter {
            ProcessMeter
        }

        /// Knows nothing.
        pub fn read(&self) -> Option<Duration> {
            None
        }
    }

    /// Other systems do not tell.
    #[derive(Debug)]
    pub struct ThreadMeter;

    impl ThreadMeter {
        /// Measures nothing.
        pub fn here() -> ThreadMeter {
            ThreadMeter
        }

        /// Knows nothing.
        pub fn read(&self) -> Option<Duration> {
            None
        }
    }

    /// Other systems do not tell.
    pub fn thread_time() -> Option<Duration> {
        None
    }

    /// Other systems do not tell.
    pub fn busy() -> Option<Load> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_busy_when_more_want_to_run_than_can() {
        let stat = "cpu  1 2 3\ncpu0 1 2 3\ncpu1 1 2 3\nintr 5\n";
        let load = |average: &str| Load::read(average, stat);
        assert_eq!(load("3.81 2.73 1.50 4/104 17868\n"), Some(Load { wanted: 3.81, cores: 2 }));
        assert!(load("2.01 0 0").is_some_and(|load| load.is_too_high()));
        assert!(!load("2.00 9 9").is_some_and(|load| load.is_too_high()));
        assert_eq!(load(""), None);
        assert_eq!(Load::read("9 9 9", "").map(|load| load.is_too_high()), Some(false));
    }
}
