//! What the caged process asks of the operating system. Linux locks it in; other systems only promise that it can be
//! killed; a system that is no Unix runs no foreign code at all.

#[cfg(unix)]
pub use unix::{
    become_compiler, become_program, become_python, die_with_parent, is_child_of, lock, number, own_session,
    plain_signals, private_pipes, seclude,
};

#[cfg(not(unix))]
pub use elsewhere::{
    become_compiler, become_program, become_python, die_with_parent, is_child_of, lock, number, own_session,
    plain_signals, private_pipes, seclude,
};

#[cfg(unix)]
#[allow(unsafe_code, reason = "files by number and signal handlers have no safe interface")]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsRawFd, FromRawFd};
    use std::os::unix::process::{CommandExt, parent_id};
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use crate::{wire::CageNews, wire::Sentence};

    /// Where the arena's pipes lie, beyond the streams that programs read and print.
    const ORDERS: i32 = 3;
    const NEWS: i32 = 4;

    /// Takes the arena's pipes away from the standard streams: what foreign code prints goes to the error stream,
    /// and what it reads is nothing. Files that somebody else left open are closed.
    pub fn private_pipes() -> io::Result<(File, File)> {
        for (from, to) in [(0, ORDERS), (1, NEWS), (2, 1)] {
            // SAFETY: plain numbers; the process has one thread, and nobody in it owns a file numbered `to`.
            if unsafe { libc::dup2(from, to) } < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        let nothing = File::open("/dev/null")?;
        // SAFETY: as above; `nothing` is open, and the standard input is owned by nobody.
        if unsafe { libc::dup2(nothing.as_raw_fd(), 0) } < 0 {
            return Err(io::Error::last_os_error());
        }
        drop(nothing);
        #[cfg(target_os = "linux")]
        // SAFETY: nothing in this process owns a file above the two pipes. An old kernel that lacks the call leaves
        // open what the arena itself had inherited.
        unsafe {
            libc::syscall(libc::SYS_close_range, NEWS + 1, libc::c_uint::MAX, 0);
        }
        // SAFETY: both numbers were just opened and are owned by nobody else.
        Ok(unsafe { (File::from_raw_fd(ORDERS), File::from_raw_fd(NEWS)) })
    }

    /// Signals do what they do in a C program: Rust's own handlers for a crash would change its name.
    pub fn plain_signals() {
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGPIPE] {
            // SAFETY: the default handler is no code of ours.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
    }

    /// Leaves the arena's session: Linux shares the processors out among sessions, however many threads each has.
    pub fn own_session() {
        // It fails only for one that has it already.
        let _ = rustix::process::setsid();
    }

    /// Makes the kernel end this process when the arena ends, however that comes about.
    pub fn die_with_parent() -> io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        Ok(())
    }

    /// Whether the arena is still there: it may have died before the kernel was told.
    pub fn is_child_of(arena: u32) -> bool {
        parent_id() == arena
    }

    /// Counts this process's threads apart from all others, and gives it a disk of its own if nobody else needs its scratch
    /// folder: in memory, so large and no larger, and gone with the process. Says whether it has one; a system may refuse
    /// both, and then the arena watches.
    #[cfg(target_os = "linux")]
    pub fn seclude(sentence: &Sentence) -> bool {
        use crate::room::SCRATCH;
        let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        // SAFETY: plain flags; the process has one thread.
        if unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) } != 0 {
            return false;
        }
        // Everybody stays who he is, or he could make no file.
        let (users, groups) = (format!("{user} {user} 1"), format!("{group} {group} 1"));
        let maps = [("setgroups", "deny"), ("uid_map", &users), ("gid_map", &groups)];
        let mapped = maps.iter().all(|(name, map)| std::fs::write(format!("/proc/self/{name}"), map).is_ok());
        let threads = Some(sentence.bounds.threads);
        let limit = rustix::process::Rlimit { current: threads, maximum: threads };
        // Root is not bound by it, and an older kernel counts all of a user's processes: the arena counts as well.
        let _ = rustix::process::setrlimit(rustix::process::Resource::Nproc, limit);
        // Somewhat more than is allowed, so that whoever takes too much is seen.
        let options = format!("size={},nr_inodes={},mode=700", SCRATCH.0 + (1 << 20), SCRATCH.1 + 16);
        sentence.alone && mapped && mount_memory(&sentence.scratch, &options)
    }

    /// Mounts an empty disk there.
    #[cfg(target_os = "linux")]
    fn mount_memory(place: &Path, options: &str) -> bool {
        use std::os::unix::ffi::OsStrExt;
        let text = |bytes: &[u8]| std::ffi::CString::new(bytes).ok();
        let (Some(place), Some(options)) = (text(place.as_os_str().as_bytes()), text(options.as_bytes())) else {
            return false;
        };
        let (name, flags) = (c"tmpfs".as_ptr(), libc::MS_NOSUID | libc::MS_NODEV);
        // SAFETY: all texts end with a zero and outlive the call.
        unsafe { libc::mount(name, place.as_ptr(), name, flags, options.as_ptr().cast()) == 0 }
    }

    /// Other systems have no such means.
    #[cfg(not(target_os = "linux"))]
    pub fn seclude(_: &Sentence) -> bool {
        false
    }

    /// By which the arena is asked about calls.
    pub type Listener = std::os::fd::OwnedFd;

    /// Its number.
    pub fn number(listener: &Listener) -> i32 {
        listener.as_raw_fd()
    }

    /// Locks this process in, unless the arena was told not to.
    #[cfg(target_os = "linux")]
    pub fn lock(sentence: &Sentence, own_disk: bool) -> Result<Option<Listener>, CageNews> {
        use crate::lock;
        if sentence.locked {
            return lock::lock(sentence, own_disk);
        }
        lock::bounds(&sentence.bounds, own_disk)
            .map_err(|why| CageNews::Lacks { means: "rlimit".into(), why: why.to_string() })?;
        Ok(None)
    }

    /// There is no lock on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn lock(sentence: &Sentence, _: bool) -> Result<Option<Listener>, CageNews> {
        let lacks = CageNews::Lacks { means: "landlock".into(), why: "this system is not Linux".into() };
        if sentence.locked { Err(lacks) } else { Ok(None) }
    }

    /// Replaces this process by an interpreter; comes back only when that fails.
    pub fn become_python(interpreter: &Path, script: &str, arguments: &[String]) -> io::Error {
        // Isolated: no environment, no user's packages, no current folder; and it leaves no compiled files behind.
        Command::new(interpreter).args(["-I", "-B", "-c", script]).args(arguments).exec()
    }

    /// Replaces this process by a program that has the arena's pipes for its standard streams; comes back only when that
    /// fails.
    pub fn become_program(program: &Path, arguments: &[String], scratch: &Path) -> io::Error {
        for (pipe, stream) in [(ORDERS, 0), (NEWS, 1)] {
            // SAFETY: plain numbers; both pipes are open, and the streams are owned by nobody.
            let done =
                unsafe { libc::dup2(pipe, stream) >= 0 && libc::fcntl(pipe, libc::F_SETFD, libc::FD_CLOEXEC) == 0 };
            if !done {
                return io::Error::last_os_error();
            }
        }
        Command::new(program).args(arguments).env("TMPDIR", scratch).env("LC_ALL", "C.UTF-8").exec()
    }

    /// Replaces this process by a compiler; comes back only when that fails.
    pub fn become_compiler(program: &Path, arguments: &[String], starts: &[PathBuf], scratch: &Path) -> io::Error {
        let folders: Vec<&Path> = starts.iter().filter_map(|start| start.parent()).collect();
        let path = std::env::join_paths(folders).unwrap_or_default();
        let mut command = Command::new(program);
        command.args(arguments).env("PATH", path).env("TMPDIR", scratch).env("LC_ALL", "C.UTF-8");
        command.exec()
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::fs::File;
    use std::io;
    use std::path::{Path, PathBuf};

    use crate::{wire::CageNews, wire::Sentence};

    fn unsupported() -> io::Error {
        io::Error::new(io::ErrorKind::Unsupported, "strategies run on Linux and other Unix systems")
    }

    /// Not on this system.
    pub fn private_pipes() -> io::Result<(File, File)> {
        Err(unsupported())
    }

    /// Not on this system.
    pub fn own_session() {}

    /// Not on this system.
    pub fn plain_signals() {}

    /// Not on this system.
    pub fn die_with_parent() -> io::Result<()> {
        Err(unsupported())
    }

    /// Not on this system.
    pub fn is_child_of(_: u32) -> bool {
        false
    }

    /// Not on this system.
    pub fn seclude(_: &Sentence) -> bool {
        false
    }

    /// Not on this system.
    pub type Listener = std::convert::Infallible;

    /// Not on this system.
    pub fn number(listener: &Listener) -> i32 {
        match *listener {}
    }

    /// Not on this system.
    pub fn lock(_: &Sentence, _: bool) -> Result<Option<Listener>, CageNews> {
        Err(CageNews::Lacks { means: "landlock".into(), why: unsupported().to_string() })
    }

    /// Not on this system.
    pub fn become_python(_: &Path, _: &str, _: &[String]) -> io::Error {
        unsupported()
    }

    /// Not on this system.
    pub fn become_program(_: &Path, _: &[String], _: &Path) -> io::Error {
        unsupported()
    }

    /// Not on this system.
    pub fn become_compiler(_: &Path, _: &[String], _: &[PathBuf], _: &Path) -> io::Error {
        unsupported()
    }
}
