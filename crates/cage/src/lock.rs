//! How a process locks itself in, on Linux. The order matters: each step still needs what the next one takes away.

use std::os::fd::{FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope, make_bitflags,
};
use rustix::io;
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs,
};

use super::wire::{Bounds, CageNews, Sentence, Work};
use super::{LOADER, filter};

/// Locks this process in; the means that is lacking, if one is. If the arena is to be asked, there is a listener for
/// it.
pub fn lock(sentence: &Sentence, own_disk: bool) -> Result<Option<OwnedFd>, CageNews> {
    bounds(&sentence.bounds, own_disk).map_err(lacks("rlimit"))?;
    drop_capabilities().map_err(lacks("capabilities"))?;
    set_no_new_privs(true).map_err(lacks("no_new_privs"))?;
    confine(sentence).map_err(|error| lacks("landlock")(landlock_words(&error)))?;
    let listener = if sentence.watched { listener(&sentence.work) } else { None };
    let program = filter::program(&sentence.work, own_disk, listener.is_some()).map_err(lacks("seccomp"))?;
    seccompiler::apply_filter(&program).map_err(lacks("seccomp"))?;
    Ok(listener)
}

/// Makes the kernel ask before certain calls; nothing where it does not, or asks somebody else already.
#[allow(unsafe_code, reason = "the filter that asks has no safe interface")]
fn listener(work: &Work) -> Option<OwnedFd> {
    let program = filter::questions(work).ok()?;
    let length = u16::try_from(program.len()).ok()?;
    let fprog = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut().cast() };
    let (set, listen) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER);
    // SAFETY: both filters are lists of the same plain steps, and the kernel copies this one.
    let made = unsafe { libc::syscall(libc::SYS_seccomp, set, listen, &raw const fprog) };
    let number = i32::try_from(made).ok().filter(|&number| number >= 0)?;
    // SAFETY: it was just opened and is owned by nobody else.
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}

fn lacks<E: std::fmt::Display>(means: &str) -> impl FnOnce(E) -> CageNews + use<'_, E> {
    move |why| CageNews::Lacks { means: means.into(), why: why.to_string() }
}

/// A kernel without Landlock, in fewer words than the list of all its rights.
fn landlock_words(error: &landlock::RulesetError) -> String {
    match error {
        landlock::RulesetError::HandleAccesses(_) => "the kernel has none, or it is switched off".into(),
        other => other.to_string(),
    }
}

/// Limits what the process can use. A limit on processes would not bind root; the filter forbids new ones.
pub fn bounds(bounds: &Bounds, own_disk: bool) -> io::Result<()> {
    let [with_disk, without] = bounds.open_files;
    let limits = [
        (Resource::Core, 0),
        (Resource::Cpu, bounds.cpu),
        (Resource::As, bounds.memory),
        (Resource::Fsize, bounds.file),
        (Resource::Nofile, if own_disk { with_disk } else { without }),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
    ];
    for (resource, limit) in limits {
        // A hard limit that is lower already stays.
        let limit = rustix::process::getrlimit(resource).maximum.map_or(limit, |hard| hard.min(limit));
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}

/// Root becomes nobody in particular: it still owns its files, but no more than an ordinary user does his.
fn drop_capabilities() -> io::Result<()> {
    let held = capabilities(None)?.effective;
    if held.contains(CapabilitySet::SETPCAP) {
        for capability in CapabilitySet::all().iter() {
            // Kernels know fewer capabilities than this list; those they do not know they cannot grant.
            let _ = remove_capability_from_bounding_set(capability);
        }
    }
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
}

/// Files: the loader's and the sentence's may be read, the scratch folder's written, an interpreter started.
fn confine(sentence: &Sentence) -> Result<(), landlock::RulesetError> {
    // The first Landlock is required and enough, because the filter forbids what it does not watch; later ones
    // watch more, and also keep signals in.
    let required = AccessFs::from_all(ABI::V1);
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(required)?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    let write = make_bitflags!(AccessFs::{ReadFile | ReadDir | WriteFile | Truncate | MakeReg | RemoveFile});
    let mut rules = allow(rules, LOADER.iter().map(Path::new), read)?;
    rules = allow(rules, sentence.readable.iter().map(PathBuf::as_path), read)?;
    rules = allow(rules, [Path::new("/dev/null")].into_iter(), make_bitflags!(AccessFs::{ReadFile | WriteFile}))?;
    // Some compilers keep what they work on in a folder of its own.
    let folders = match sentence.work {
        Work::Compiler { .. } => make_bitflags!(AccessFs::{MakeDir | RemoveDir}),
        _ => BitFlags::empty(),
    };
    rules = allow(rules, [sentence.scratch.as_path()].into_iter(), write | folders)?;
    let mut starts: Vec<PathBuf> = match &sentence.work {
        Work::Nothing | Work::Library(_) => Vec::new(),
        Work::Python { interpreter, .. } => vec![interpreter.clone()],
        Work::Program { program, .. } => vec![program.clone()],
        Work::Compiler { starts, .. } => starts.clone(),
    };
    if !starts.is_empty() {
        starts.extend(loaders());
        let start = make_bitflags!(AccessFs::{ReadFile | Execute});
        rules = allow(rules, starts.iter().map(PathBuf::as_path), start)?;
    }
    rules.restrict_self()?;
    Ok(())
}

/// Adds a right to those of the paths that exist.
fn allow<'a>(
    mut rules: RulesetCreated,
    paths: impl Iterator<Item = &'a Path>,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    for path in paths {
        let Ok(open) = PathFd::new(path) else { continue };
        // A file cannot be listed; asking for it would be an error.
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V5) };
        rules = rules.add_rule(PathBeneath::new(open, access))?;
    }
    Ok(rules)
}

/// The programs that start programs, which the kernel runs in their stead.
fn loaders() -> Vec<PathBuf> {
    let folders = LOADER.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let nested = |entry: std::fs::DirEntry| {
        let path = entry.path();
        // Debian keeps them one folder deeper, in one named after the machine.
        let machine = entry.file_name().to_string_lossy().contains("-linux-");
        let inside = machine.then(|| std::fs::read_dir(&path).ok()).flatten();
        inside.into_iter().flatten().flatten().map(|entry| entry.path()).chain([path])
    };
    let is_loader = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ["ld-linux", "ld-musl", "ld64"].iter().any(|prefix| name.starts_with(prefix))
    };
    folders.flatten().flat_map(nested).filter(is_loader).collect()
}
