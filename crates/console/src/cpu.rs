//! CPU time, which a busy machine does not stretch.

use std::time::Duration;

/// The CPU time that all threads of this process have used so far.
#[cfg(unix)]
pub fn cpu_time() -> Duration {
    read(rustix::time::ClockId::ProcessCPUTime)
}

/// The CPU time that this thread has used so far.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    read(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(unix)]
fn read(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Other systems have no such clock in reach: the time since the first call stands in for it.
#[cfg(not(unix))]
pub fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Other systems have no such clock in reach either.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    cpu_time()
}
