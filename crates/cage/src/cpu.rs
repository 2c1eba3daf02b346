//! CPU time, as the system counts it: unlike a wall clock it is the same on a busy machine. Linux only; elsewhere nothing
//! is known of it.
//!
//! Of a program from outside counts what it and its living descendants used, and what those used that it has waited
//! for; the system tells the descendants' in hundredths of a second. Of an engine of ours counts its thread.

use std::time::Duration;

/// Whether CPU time can be measured here.
pub const MEASURED: bool = cfg!(target_os = "linux");

#[cfg(target_os = "linux")]
pub use linux::{ProcessMeter, ThreadMeter, busy, cpu_time, thread_time};
#[cfg(not(target_os = "linux"))]
pub use nowhere::{ProcessMeter, ThreadMeter, busy, cpu_time, thread_time};

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
        let core = |line: &&str| line.strip_prefix("cpu").is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
        Some(Load { wanted, cores: stat.lines().filter(core).count() })
    }

    /// Whether programs have to wait for each other.
    fn is_too_high(&self) -> bool {
        self.cores > 0 && self.wanted > self.cores as f64
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "clocks of other processes and threads have no safe interface")]
mod linux {
    use std::cell::Cell;
    use std::fs;
    use std::time::Instant;

    use super::{Duration, Load};

    /// Descendants beyond this many are not looked for: a program that has them is no player.
    const MOST: usize = 256;

    /// Hundredths of a second are what the system counts descendants in: they are not looked at more often.
    const TICK: Duration = Duration::from_millis(10);

    /// Reads what a process and its descendants have used.
    #[derive(Debug)]
    pub struct ProcessMeter {
        id: u32,
        clock: Option<libc::clockid_t>,
        /// What the descendants had used when they were looked at last. That takes longer than a quick program's turn,
        /// and the meter is read twice a turn.
        descendants: Cell<(Instant, Duration)>,
    }

    impl ProcessMeter {
        /// A meter for the process of this number.
        pub fn new(id: u32) -> ProcessMeter {
            let mut clock = 0;
            // SAFETY: it writes one number where it is told.
            let known = unsafe { libc::clock_getcpuclockid(id as libc::pid_t, &mut clock) } == 0;
            let descendants = Cell::new((Instant::now(), Duration::ZERO));
            ProcessMeter { id, clock: known.then_some(clock), descendants }
        }

        /// What was used so far.
        pub fn read(&self) -> Option<Duration> {
            let own = time_of(self.clock?)?;
            let (seen, mut sum) = self.descendants.get();
            let now = Instant::now();
            if now - seen > TICK {
                sum = of_descendants(self.id);
                self.descendants.set((now, sum));
            }
            Some(own + sum)
        }
    }

    /// What a clock of the system shows, if what it belongs to still lives.
    fn time_of(clock: libc::clockid_t) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: it writes one time where it is told.
        let known = unsafe { libc::clock_gettime(clock, &mut time) } == 0;
        known.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    fn of_descendants(id: u32) -> Duration {
        let Some(process) = fs::read(format!("/proc/{id}/stat")).ok().and_then(|stat| Used::read(&stat)) else {
            return Duration::ZERO;
        };
        let mut left = MOST;
        let ticks = process.waited_for + of_children(id, process.threads, &mut left);
        Duration::from_nanos(ticks * (1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)))
    }

    /// What the system tells of a process.
    #[derive(Debug, PartialEq)]
    struct Used {
        /// Hundredths of a second that it used itself.
        own: u64,
        /// The same of the children it has waited for.
        waited_for: u64,
        threads: u64,
    }

    impl Used {
        fn read(stat: &[u8]) -> Option<Used> {
            // A name may hold blanks and brackets; what follows the last bracket is numbers.
            let name = stat.iter().rposition(|&b| b == b')')?;
            let rest = std::str::from_utf8(stat.get(name + 1..)?).ok()?;
            let mut fields = rest.split_ascii_whitespace().skip(11).map(|field| field.parse::<u64>().unwrap_or(0));
            let mut two = || Some(fields.next()? + fields.next()?);
            let (own, waited_for) = (two()?, two()?);
            Some(Used { own, waited_for, threads: fields.nth(2)? })
        }
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
            if let Some(Used { own, waited_for, threads }) = Used::read(&stat) {
                sum += own + waited_for + of_children(child, threads, left);
            }
        }
        sum
    }

    /// Reads what another thread of this process has used.
    #[derive(Debug)]
    pub struct ThreadMeter(Option<libc::clockid_t>);

    impl ThreadMeter {
        /// A meter for the thread that calls this.
        pub fn here() -> ThreadMeter {
            let mut clock = 0;
            // SAFETY: it writes one number where it is told.
            let known = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) } == 0;
            ThreadMeter(known.then_some(clock))
        }

        /// What was used so far, while the thread lives.
        pub fn read(&self) -> Option<Duration> {
            time_of(self.0?)
        }
    }

    /// What all threads of this process have used so far.
    pub fn cpu_time() -> Duration {
        time_of(libc::CLOCK_PROCESS_CPUTIME_ID).unwrap_or_default()
    }

    /// What this thread has used so far.
    pub fn thread_time() -> Duration {
        time_of(libc::CLOCK_THREAD_CPUTIME_ID).unwrap_or_default()
    }

    /// How busy the machine is, if it has more to do than it can.
    pub fn busy() -> Option<Load> {
        let [average, stat] = ["/proc/loadavg", "/proc/stat"].map(|path| fs::read_to_string(path).unwrap_or_default());
        Load::read(&average, &stat).filter(Load::is_too_high)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_systems_words_are_read() {
            let stat = b"7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 120 30 5 6 20 0 3 0 99 1000";
            assert_eq!(Used::read(stat), Some(Used { own: 150, waited_for: 11, threads: 3 }));
            assert_eq!(Used::read(b"7 (a"), None);
        }

        #[test]
        fn work_is_measured_and_sleep_is_not() {
            let work = |meter: &dyn Fn() -> Option<Duration>| {
                let (start, mut sum) = (meter().unwrap(), 0u64);
                while meter().unwrap() < start + Duration::from_millis(30) {
                    sum = (0..10_000).fold(sum, |sum, n| std::hint::black_box(sum ^ n));
                }
            };
            work(&|| Some(thread_time()));
            let us = ProcessMeter::new(std::process::id());
            work(&|| us.read());
            let here = ThreadMeter::here();
            work(&|| here.read());
            let before = thread_time();
            std::thread::sleep(Duration::from_millis(50));
            assert!(thread_time() - before < Duration::from_millis(40));
        }

        #[test]
        fn the_work_of_children_is_measured() {
            let busy = "while :; do :; done";
            let mut shell =
                std::process::Command::new("sh").args(["-c", &format!("sh -c '{busy}'; :")]).spawn().unwrap();
            let meter = ProcessMeter::new(shell.id());
            let start = Instant::now();
            while meter.read().unwrap() < 5 * TICK {
                assert!(start.elapsed() < Duration::from_secs(60), "{meter:?}");
                std::thread::sleep(TICK);
            }
            let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", shell.id())).unwrap();
            let child: i32 = children.trim().parse().unwrap();
            // SAFETY: the child is ours, and not waited for while its parent lives.
            unsafe { libc::kill(child, libc::SIGKILL) };
            shell.wait().unwrap();
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

    /// Other systems have no such clock in reach: the time since the first call stands in for it.
    pub fn cpu_time() -> Duration {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed()
    }

    /// Other systems have no such clock in reach either.
    pub fn thread_time() -> Duration {
        cpu_time()
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
