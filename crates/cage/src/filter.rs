//! The system calls a cage may make; every other one, those of later kernels too, does not exist for it.
//!
//! What is left out matters more than what is in: no new process, no signal to anybody else, no socket, no mount, no
//! ring that makes calls behind the filter's back (`io_uring`), nothing that outlives the process (System V memory,
//! message queues), nothing that changes a file's owner, mode or times, which Landlock does not watch, no lock on a
//! file that others may wait for (`flock`), no space that a file's length does not show (`fallocate` with a mode), and
//! nothing about other processes by their numbers: sessions, groups, priorities, and clocks of the time they use.

use std::collections::BTreeMap;

use libc as c;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use super::wire::Work;

/// Calls that are harmless whatever their arguments.
const ALLOWED: &[c::c_long] = &[
    // Memory.
    c::SYS_brk,
    c::SYS_mmap,
    c::SYS_munmap,
    c::SYS_mremap,
    c::SYS_mprotect,
    c::SYS_madvise,
    c::SYS_mlock,
    c::SYS_munlock,
    c::SYS_msync,
    c::SYS_mincore,
    c::SYS_membarrier,
    c::SYS_get_mempolicy,
    // Files: Landlock says which.
    c::SYS_openat,
    c::SYS_close,
    c::SYS_close_range,
    c::SYS_read,
    c::SYS_readv,
    c::SYS_pread64,
    c::SYS_preadv,
    c::SYS_write,
    c::SYS_writev,
    c::SYS_pwrite64,
    c::SYS_pwritev,
    c::SYS_lseek,
    c::SYS_fstat,
    c::SYS_newfstatat,
    c::SYS_statx,
    c::SYS_statfs,
    c::SYS_fstatfs,
    c::SYS_faccessat,
    c::SYS_faccessat2,
    c::SYS_readlinkat,
    c::SYS_getdents64,
    c::SYS_getcwd,
    c::SYS_chdir,
    c::SYS_fchdir,
    // Landlock makes no folder, but a program that asks for one that is there must hear so.
    c::SYS_mkdirat,
    c::SYS_unlinkat,
    c::SYS_renameat2,
    c::SYS_ftruncate,
    c::SYS_fsync,
    c::SYS_fdatasync,
    c::SYS_fadvise64,
    c::SYS_copy_file_range,
    c::SYS_sendfile,
    c::SYS_dup,
    c::SYS_dup3,
    c::SYS_pipe2,
    c::SYS_eventfd2,
    c::SYS_epoll_create1,
    c::SYS_epoll_ctl,
    c::SYS_epoll_pwait,
    c::SYS_ppoll,
    c::SYS_pselect6,
    c::SYS_timerfd_create,
    c::SYS_timerfd_settime,
    c::SYS_timerfd_gettime,
    c::SYS_signalfd4,
    c::SYS_umask,
    // Threads and time.
    c::SYS_futex,
    c::SYS_futex_waitv,
    c::SYS_set_robust_list,
    c::SYS_get_robust_list,
    c::SYS_rseq,
    c::SYS_set_tid_address,
    c::SYS_sched_yield,
    c::SYS_sched_getaffinity,
    c::SYS_sched_getparam,
    c::SYS_sched_getscheduler,
    c::SYS_sched_get_priority_max,
    c::SYS_sched_get_priority_min,
    c::SYS_getcpu,
    c::SYS_nanosleep,
    c::SYS_gettimeofday,
    c::SYS_times,
    c::SYS_setitimer,
    c::SYS_getitimer,
    c::SYS_timer_settime,
    c::SYS_timer_gettime,
    c::SYS_timer_getoverrun,
    c::SYS_timer_delete,
    c::SYS_exit,
    c::SYS_exit_group,
    c::SYS_restart_syscall,
    // Its own signals.
    c::SYS_rt_sigaction,
    c::SYS_rt_sigprocmask,
    c::SYS_rt_sigreturn,
    c::SYS_rt_sigpending,
    c::SYS_rt_sigsuspend,
    c::SYS_rt_sigtimedwait,
    c::SYS_sigaltstack,
    // Who and where it is.
    c::SYS_getpid,
    c::SYS_getppid,
    c::SYS_gettid,
    c::SYS_getuid,
    c::SYS_geteuid,
    c::SYS_getgid,
    c::SYS_getegid,
    c::SYS_getresuid,
    c::SYS_getresgid,
    c::SYS_getgroups,
    c::SYS_getrusage,
    c::SYS_getrlimit,
    c::SYS_uname,
    c::SYS_sysinfo,
    c::SYS_getrandom,
];

/// The same under the names that only older machines have.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[c::c_long] = &[
    c::SYS_open,
    c::SYS_creat,
    c::SYS_stat,
    c::SYS_lstat,
    c::SYS_access,
    c::SYS_readlink,
    c::SYS_getdents,
    c::SYS_mkdir,
    c::SYS_unlink,
    c::SYS_rename,
    c::SYS_renameat,
    c::SYS_dup2,
    c::SYS_pipe,
    c::SYS_eventfd,
    c::SYS_epoll_create,
    c::SYS_epoll_wait,
    c::SYS_poll,
    c::SYS_select,
    c::SYS_time,
    c::SYS_alarm,
    c::SYS_pause,
    c::SYS_getpgrp,
    c::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[c::c_long] = &[];

/// What a process may ask of itself by `prctl`: names, and nothing that loosens the cage.
const PRCTL: [c::c_int; 4] = [c::PR_SET_NAME, c::PR_GET_NAME, c::PR_GET_DUMPABLE, PR_SET_VMA];
/// Names a piece of memory, as allocators do.
const PR_SET_VMA: c::c_int = 0x5356_4d41;

/// The flags of `clone` that make namespaces.
const NAMESPACES: u64 = (c::CLONE_NEWNS
    | c::CLONE_NEWCGROUP
    | c::CLONE_NEWUTS
    | c::CLONE_NEWIPC
    | c::CLONE_NEWUSER
    | c::CLONE_NEWPID
    | c::CLONE_NEWNET) as u64;

/// What it may do with an open file by `fcntl`; without the calls that make the kernel send signals to a process.
const FCNTL: [c::c_int; 10] = [
    c::F_DUPFD,
    c::F_DUPFD_CLOEXEC,
    c::F_GETFD,
    c::F_SETFD,
    c::F_GETFL,
    c::F_SETFL,
    c::F_GETLK,
    c::F_SETLK,
    c::F_SETLKW,
    c::F_GETPIPE_SZ,
];

/// What it may ask of a device: whether it is a terminal, and how much can be read.
const IOCTL: [u64; 5] = [c::TCGETS, c::TIOCGWINSZ, c::FIONREAD, c::FIOCLEX, c::FIONBIO];

/// What only a compiler needs, which is a family of processes: to start them and to wait for them.
const FAMILY: &[c::c_long] = &[
    c::SYS_execve,
    c::SYS_wait4,
    c::SYS_waitid,
    #[cfg(target_arch = "x86_64")]
    c::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    c::SYS_vfork,
];

/// What the arena is told of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It opens or removes a file: which arguments are the folder it starts from, the path, and the flags; without
    /// flags it changes something.
    Opens {
        /// The folder, if not the current one.
        folder: Option<usize>,
        /// The path.
        path: usize,
        /// The flags.
        flags: Option<usize>,
    },
    /// It starts a process or a program.
    Process,
    /// It uses the network.
    Network,
    /// It sends a signal to somebody else.
    Signal,
    /// It wants something else of the system.
    System(&'static str),
}

impl Told {
    /// The attempt as it is written down.
    pub fn words(self) -> String {
        match self {
            Told::Opens { .. } => "file".into(),
            Told::Process => "process".into(),
            Told::Network => "network".into(),
            Told::Signal => "signal".into(),
            Told::System(name) => format!("system {name}"),
        }
    }
}

/// Calls of which the arena is told, where it can listen. Those that libraries try by themselves are not among them.
const TOLD: &[(c::c_long, Told)] = &[
    (c::SYS_openat, Told::Opens { folder: Some(0), path: 1, flags: Some(2) }),
    (c::SYS_unlinkat, Told::Opens { folder: Some(0), path: 1, flags: None }),
    #[cfg(target_arch = "x86_64")]
    (c::SYS_open, Told::Opens { folder: None, path: 0, flags: Some(1) }),
    #[cfg(target_arch = "x86_64")]
    (c::SYS_creat, Told::Opens { folder: None, path: 0, flags: None }),
    #[cfg(target_arch = "x86_64")]
    (c::SYS_unlink, Told::Opens { folder: None, path: 0, flags: None }),
    #[cfg(target_arch = "x86_64")]
    (c::SYS_fork, Told::Process),
    #[cfg(target_arch = "x86_64")]
    (c::SYS_vfork, Told::Process),
    (c::SYS_clone, Told::Process),
    (c::SYS_execve, Told::Process),
    (c::SYS_execveat, Told::Process),
    (c::SYS_socket, Told::Network),
    (c::SYS_socketpair, Told::Network),
    (c::SYS_kill, Told::Signal),
    (c::SYS_tgkill, Told::Signal),
    (c::SYS_tkill, Told::Signal),
    (c::SYS_ptrace, Told::System("ptrace")),
    (c::SYS_process_vm_readv, Told::System("process_vm_readv")),
    (c::SYS_process_vm_writev, Told::System("process_vm_writev")),
    (c::SYS_unshare, Told::System("unshare")),
    (c::SYS_mount, Told::System("mount")),
    (c::SYS_io_uring_setup, Told::System("io_uring")),
    (c::SYS_bpf, Told::System("bpf")),
];

/// What the arena is told when this call is made.
pub fn told_of(call: i64) -> Told {
    TOLD.iter().find(|(told, _)| *told == call).map_or(Told::System("?"), |(_, told)| *told)
}

/// The filter that makes the kernel ask the arena.
pub fn questions(work: &Work) -> seccompiler::Result<BpfProgram> {
    let keeps_exec = matches!(work, Work::Python { .. } | Work::Program { .. });
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for &(call, _) in TOLD.iter().filter(|(call, _)| !(keeps_exec && *call == c::SYS_execve)) {
        let own = u64::from(std::process::id());
        let asked = match call {
            // Threads are made freely, and one's own signals are one's own affair.
            c::SYS_clone => vec![rule(0, SeccompCmpOp::MaskedEq(c::CLONE_THREAD as u64), 0)?],
            c::SYS_kill | c::SYS_tgkill => vec![rule(0, SeccompCmpOp::Ne, own)?],
            _ => Vec::new(),
        };
        rules.insert(call, asked);
    }
    // The library does not know this answer, so another one holds its place.
    let (stand_in, here) = (SeccompAction::Trace(0), std::env::consts::ARCH.try_into()?);
    let mut program: BpfProgram = SeccompFilter::new(rules, SeccompAction::Allow, stand_in, here)?.try_into()?;
    for step in program.iter_mut().filter(|step| step.code == RETURN && step.k == c::SECCOMP_RET_TRACE) {
        step.k = c::SECCOMP_RET_USER_NOTIF;
    }
    Ok(program)
}

/// The step of a filter that ends it.
const RETURN: u16 = 0x06;

/// The filter for this process. One that is to become an interpreter keeps `execve`: see the page on the cage.
/// Without a disk of its own nothing may take space faster than it can be written: the arena must see it in time. Of
/// several filters the strictest decides, and one that forbids is stricter than one that asks: what the arena is
/// asked about passes here.
pub fn program(work: &Work, own_disk: bool, asked: bool) -> seccompiler::Result<BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(ALLOWED_HERE).map(|&call| (call, Vec::new())).collect();
    let own = u64::from(std::process::id());
    let thread = c::CLONE_THREAD as u64;
    rules.insert(c::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(thread), thread)?]);
    for call in [c::SYS_kill, c::SYS_tgkill] {
        rules.insert(call, vec![rule(0, SeccompCmpOp::Eq, own)?]);
    }
    for call in [c::SYS_prlimit64, c::SYS_sched_setaffinity] {
        rules.insert(call, vec![rule(0, SeccompCmpOp::Eq, 0)?]);
    }
    for call in [c::SYS_getpgid, c::SYS_getsid] {
        rules.insert(call, one_of(0, [0, own])?);
    }
    rules.insert(c::SYS_getpriority, vec![own_priority()?]);
    for call in [c::SYS_clock_gettime, c::SYS_clock_getres, c::SYS_clock_nanosleep, c::SYS_timer_create] {
        rules.insert(call, own_clocks(own)?);
    }
    if own_disk || matches!(work, Work::Compiler { .. }) {
        rules.insert(c::SYS_fallocate, vec![rule(1, SeccompCmpOp::Eq, 0)?]);
    }
    rules.insert(c::SYS_prctl, one_of(0, PRCTL.map(|what| what as u64))?);
    rules.insert(c::SYS_fcntl, one_of(1, FCNTL.map(|what| what as u64))?);
    rules.insert(c::SYS_ioctl, one_of(1, IOCTL)?);
    match work {
        Work::Nothing | Work::Library(_) => {}
        Work::Python { .. } | Work::Program { .. } => drop(rules.insert(c::SYS_execve, Vec::new())),
        Work::Compiler { .. } => {
            rules.extend(FAMILY.iter().map(|&call| (call, Vec::new())));
            // Processes, but no namespaces.
            rules.insert(c::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(NAMESPACES), 0)?]);
        }
    }
    if asked {
        rules.extend(TOLD.iter().map(|&(call, _)| (call, Vec::new())));
    }
    // "There is no such call" makes libraries fall back to older ones, as from clone3 to clone.
    let refused = SeccompAction::Errno(c::ENOSYS as u32);
    let here = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, refused, SeccompAction::Allow, here)?.try_into()?)
}

/// The process's own priority, and nobody else's.
fn own_priority() -> seccompiler::Result<SeccompRule> {
    let is = |argument, value| condition(argument, SeccompCmpOp::Eq, value);
    Ok(SeccompRule::new(vec![is(0, c::PRIO_PROCESS as u64)?, is(1, 0)?])?)
}

/// The clocks of the machine and of the process itself. The number of a process's clock is negative and holds the
/// process's own; those of threads, which have another bit, the kernel shows to their process only.
fn own_clocks(own: u64) -> seccompiler::Result<Vec<SeccompRule>> {
    const MACHINES: u64 = 1 << 31;
    const THREADS: u64 = MACHINES | 4;
    let process = |number: u64| u64::from((!number << 3) as u32) | 2;
    let mut clocks = one_of(0, [process(0), process(own)])?;
    clocks.push(rule(0, SeccompCmpOp::Lt, MACHINES)?);
    clocks.push(rule(0, SeccompCmpOp::MaskedEq(THREADS), THREADS)?);
    Ok(clocks)
}

fn one_of<const N: usize>(argument: u8, values: [u64; N]) -> seccompiler::Result<Vec<SeccompRule>> {
    values.into_iter().map(|value| rule(argument, SeccompCmpOp::Eq, value)).collect()
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> seccompiler::Result<SeccompRule> {
    Ok(SeccompRule::new(vec![condition(argument, operator, value)?])?)
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> seccompiler::Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?)
}
