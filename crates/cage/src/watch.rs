//! What somebody in a cage tries and may not do, as the arena sees it.
//!
//! Before the kernel makes certain system calls of a cage it asks the arena (seccomp's user notification), where a
//! thread answers for each cage. Forbidden calls are written down and refused. Calls that open files go on, because
//! Landlock decides about files; written down is who wants one that lies elsewhere. So nothing rests on this but what
//! is told: a call whose answer never comes does not exist, as all that are forbidden.
//!
//! A thread inside the cage could be silenced by foreign code, and one that is not locked in could be misused.
//! Kernels and containers that do not let the arena listen have cages all the same, of which nothing is told.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lianzi_core::{Text, text};

/// So many different attempts are remembered.
#[cfg(target_os = "linux")]
const KEPT: usize = 20;

/// What was tried, each once: `read /etc/passwd`, `write FILE`, `network`, `process`, `signal`, `system NAME`.
#[derive(Clone, Debug, Default)]
pub struct Attempts(Arc<Mutex<BTreeSet<String>>>);

impl Attempts {
    /// What was tried so far.
    pub fn list(&self) -> Vec<String> {
        self.kept().iter().cloned().collect()
    }

    fn kept(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(target_os = "linux")]
    fn add(&self, attempt: String) {
        let mut kept = self.kept();
        if kept.len() < KEPT {
            kept.insert(attempt);
        }
    }
}

/// An attempt in words.
pub fn attempt_words(attempt: &str) -> Text {
    match attempt.split_once(' ').unwrap_or((attempt, "")) {
        ("read", file) => text!("read {file}", "读取 {file}"),
        ("write", file) => text!("write {file}", "写入 {file}"),
        ("network", _) => Text::fixed("use the network", "使用网络"),
        ("process", _) => Text::fixed("start a process", "启动进程"),
        ("signal", _) => Text::fixed("send a signal to others", "向其他进程发送信号"),
        (_, call) => text!("call {call}", "调用 {call}"),
    }
}

/// Listens to a cage, which has told the number of its listener; it may read these places and what lies in them.
#[cfg(target_os = "linux")]
pub fn watch(process: u32, listener: i32, places: Vec<PathBuf>) -> std::io::Result<Attempts> {
    let listener = system::take(process, listener)?;
    let attempts = Attempts::default();
    let warden = system::Warden { listener, places, attempts: attempts.clone(), refused: 0, asked: 0 };
    std::thread::Builder::new().name("watch".into()).spawn(move || warden.serve())?;
    Ok(attempts)
}

/// Other systems do not ask.
#[cfg(not(target_os = "linux"))]
pub fn watch(_: u32, _: i32, _: Vec<PathBuf>) -> std::io::Result<Attempts> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the kernel's questions have no safe interface")]
mod system {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::FileExt;
    use std::path::{Component, Path, PathBuf};

    use lianzi_core::shown;
    use libc::{c_ulong, seccomp_notif, seccomp_notif_resp};
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

    use super::Attempts;
    use crate::filter::{Told, told_of};

    /// Whoever has tried this often is not listened to any more: from then on none of these calls exists for him, nor
    /// those that open files. It keeps him from making the arena work.
    const MOST_REFUSED: u32 = 1_000;
    const MOST_ASKED: u32 = 100_000;

    const RECEIVE: c_ulong = 0xc050_2100;
    const SEND: c_ulong = 0xc018_2101;
    /// The call goes on as if nobody had been asked.
    const CONTINUE: u32 = 1;

    /// Gets hold of a cage's listener.
    pub fn take(process: u32, listener: i32) -> io::Result<OwnedFd> {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let pid = i32::try_from(process).ok().and_then(Pid::from_raw).ok_or_else(gone)?;
        let process = pidfd_open(pid, PidfdFlags::empty())?;
        Ok(pidfd_getfd(&process, listener, PidfdGetfdFlags::empty())?)
    }

    /// Who answers for one cage.
    pub struct Warden {
        pub listener: OwnedFd,
        pub places: Vec<PathBuf>,
        pub attempts: Attempts,
        pub refused: u32,
        pub asked: u32,
    }

    impl Warden {
        /// Answers until the cage is gone or has asked too much.
        pub fn serve(mut self) {
            while self.refused < MOST_REFUSED && self.asked < MOST_ASKED && self.wait() {
                self.asked += 1;
                let Some(question) = self.receive() else { continue };
                let answer = self.answer(&question);
                self.send(answer);
            }
        }

        /// Whether there is a question; not when nobody is left who could ask.
        fn wait(&self) -> bool {
            loop {
                let mut ready = [PollFd::new(&self.listener, PollFlags::IN)];
                match poll(&mut ready, None) {
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => return false,
                    Ok(_) => return ready[0].revents().contains(PollFlags::IN),
                }
            }
        }

        /// The question; none if who asked has just died.
        fn receive(&self) -> Option<seccomp_notif> {
            // SAFETY: the kernel wants zeros, which are plain numbers here.
            let mut question: seccomp_notif = unsafe { std::mem::zeroed() };
            // SAFETY: the listener is open, and the place is as large as the number of the order says.
            let received = unsafe { libc::ioctl(self.listener.as_raw_fd(), RECEIVE as _, &mut question) };
            (received == 0).then_some(question)
        }

        fn send(&self, answer: seccomp_notif_resp) {
            // SAFETY: as above. Who asked may be gone.
            let _ = unsafe { libc::ioctl(self.listener.as_raw_fd(), SEND as _, &answer) };
        }

        fn answer(&mut self, question: &seccomp_notif) -> seccomp_notif_resp {
            let id = question.id;
            let told = told_of(i64::from(question.data.nr));
            if let Told::Opens { folder, path, flags } = told {
                let arguments = &question.data.args;
                let writes = flags.is_none_or(|flags| arguments[flags] as i32 & (libc::O_ACCMODE | libc::O_CREAT) != 0);
                let folder = folder.map_or(libc::AT_FDCWD, |folder| arguments[folder] as i32);
                if let Some(file) = path_of(question.pid, folder, arguments[path]) {
                    self.note_file(&file, writes);
                }
                return seccomp_notif_resp { id, val: 0, error: 0, flags: CONTINUE };
            }
            self.refused += 1;
            self.attempts.add(told.words());
            seccomp_notif_resp { id, val: 0, error: -libc::ENOSYS, flags: 0 }
        }

        /// Remembers a file that lies elsewhere. What is not there is not refused but missing, unless it was to be
        /// made.
        fn note_file(&mut self, file: &Path, writes: bool) {
            let within = |path: &Path| self.places.iter().any(|place| path.starts_with(place));
            let whole = fs::canonicalize(file);
            let missing = whole.is_err() && !writes;
            if within(file) || missing || is_usual(file) || whole.is_ok_and(|whole| within(&whole) || is_usual(&whole))
            {
                return;
            }
            self.refused += 1;
            let verb = if writes { "write" } else { "read" };
            let name: String = file.to_string_lossy().chars().take(200).collect();
            self.attempts.add(format!("{verb} {}", shown(&name)));
        }
    }

    /// What runtimes look at by themselves, whoever wrote the program.
    fn is_usual(file: &Path) -> bool {
        const USUAL: [&str; 11] = [
            "/proc",
            "/sys",
            "/dev",
            "/etc/localtime",
            "/etc/ld.so.preload",
            "/etc/ssl",
            "/etc/nsswitch.conf",
            "/etc/os-release",
            "/usr/share/locale",
            "/usr/share/zoneinfo",
            "/usr/share/i18n",
        ];
        USUAL.iter().any(|usual| file.starts_with(usual))
    }

    /// The path that a thread names by this number, from this folder.
    fn path_of(thread: u32, folder: i32, address: u64) -> Option<PathBuf> {
        let mut bytes = [0; 512];
        let read = File::open(format!("/proc/{thread}/mem")).ok()?.read_at(&mut bytes, address).ok()?;
        let end = bytes[..read].iter().position(|&byte| byte == 0)?;
        let path = Path::new(std::ffi::OsStr::from_bytes(&bytes[..end]));
        if path.is_absolute() {
            return Some(plain(path));
        }
        let from = if folder == libc::AT_FDCWD { "cwd".into() } else { format!("fd/{folder}") };
        let from = fs::read_link(format!("/proc/{thread}/{from}")).ok()?;
        Some(plain(&from.join(path)))
    }

    /// The path without steps back.
    fn plain(path: &Path) -> PathBuf {
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => drop(plain.pop()),
                Component::CurDir => {}
                part => plain.push(part),
            }
        }
        plain
    }
}
