//! A compiler in its cage: strangers' sources are copied into the scratch folder, and one file is taken out of it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use lianzi_core::{Speak, Text, text};
use tempfile::TempDir;

use super::inmate::{Caged, Ended, no_cage};
use super::room::Room;
use super::shortage::{is_cramped, is_shortage};
use super::wire::{Bounds, Work};
use super::{Cages, NoCage};

/// The programs a compiler is made of, by the names it knows them under.
const PARTS: [&str; 6] = ["cc1", "cc1plus", "collect2", "as", "ld", "lto-wrapper"];
/// How much of each file it may write.
const FILE: u64 = 64 << 20;
/// How many files each of its programs may have open.
const OPEN_FILES: u64 = 256;
/// How many of its programs and their threads may run at once.
const PROCESSES: u64 = 64;
/// What the file that comes out is called in the scratch folder.
const OUTPUT: &str = "compiled.so";

/// A compiler with the programs it is made of, looked for before anything is locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    program: PathBuf,
    /// What it is told whatever it compiles.
    usual: Vec<String>,
    starts: Vec<PathBuf>,
    readable: Vec<PathBuf>,
}

/// What is to be compiled, and what that may cost.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The files that are needed, sources and headers, each with its place in the folder where the compiler works.
    pub files: &'a [(PathBuf, PathBuf)],
    /// Files of our own that it may need, each with its place.
    pub texts: &'a [(PathBuf, &'a str)],
    /// What the compiler is told: options, and sources by their places.
    pub arguments: &'a [String],
    /// How long it may take.
    pub time: Duration,
    /// Bytes of memory for each of its programs.
    pub memory: u64,
}

/// Why nothing came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotBuilt {
    /// There is no such compiler.
    Compiler(String),
    /// It cannot be caged.
    Cage(NoCage),
    /// A file cannot be read or written.
    File(PathBuf, String),
    /// It took too long.
    Late(Duration),
    /// The compiler found errors; this is what it said.
    Errors(String),
    /// The arena itself lacks something, which is no fault of the sources.
    Shortage(String),
}

impl From<NoCage> for NotBuilt {
    fn from(none: NoCage) -> NotBuilt {
        match none {
            NoCage::Shortage(why) => NotBuilt::Shortage(why),
            none => NotBuilt::Cage(none),
        }
    }
}

impl Speak for NotBuilt {
    fn text(&self) -> Text {
        match self {
            NotBuilt::Compiler(name) => {
                text!("there is no compiler: {name} was not found", "没有编译器：未找到 {name}")
            }
            NotBuilt::Cage(none) => none.text(),
            NotBuilt::File(path, why) => {
                let path = path.display();
                text!("{path}: {why}", "{path}: {why}")
            }
            NotBuilt::Late(time) => {
                let time = time.as_secs_f64();
                text!("compiling took longer than {time} s", "编译超过 {time} 秒")
            }
            NotBuilt::Errors(_) => Text::fixed("it does not compile", "无法编译"),
            NotBuilt::Shortage(why) => NoCage::Shortage(why.clone()).text(),
        }
    }
}

impl Compiler {
    /// Asks the compiler of this name what it consists of.
    pub fn find(name: &str) -> Result<Compiler, NotBuilt> {
        let program = on_path(name).ok_or_else(|| NotBuilt::Compiler(name.into()))?;
        let named = PARTS.iter().map(|part| said(&program, &format!("-print-prog-name={part}")));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        let parts = named.iter().flatten().filter_map(|part| on_path(part));
        let starts: Vec<PathBuf> = parts.chain([program.clone()]).flat_map(with_real_file).collect();
        let search = said(&program, "-print-search-dirs")?.unwrap_or_default();
        let libraries = search.lines().find_map(|line| line.strip_prefix("libraries: ="));
        let libraries = libraries.into_iter().flat_map(std::env::split_paths);
        let fixed = ["/usr/include", "/usr/local/include", "/usr/libexec"].map(PathBuf::from);
        let readable = libraries.chain(fixed).filter_map(|folder| fs::canonicalize(folder).ok());
        // A library path that leads to the root would open everything.
        let readable = readable.filter(|folder| folder.components().count() > 1).collect();
        Ok(Compiler { program, usual: Vec::new(), starts, readable })
    }

    /// A compiler of Rust by this name, with a compiler of C that links for it.
    pub fn find_rust(name: &str) -> Result<Compiler, NotBuilt> {
        let none = || NotBuilt::Compiler(name.into());
        let found = on_path(name).ok_or_else(none)?;
        // What is found may only be a launcher that chooses between several.
        let home = PathBuf::from(said(&found, "--print=sysroot")?.ok_or_else(none)?);
        let own = Some(home.join("bin/rustc")).filter(|program| program.is_file());
        let linker = Compiler::find("cc")?;
        let program = own.unwrap_or(found);
        let usual = vec![format!("-Clinker={}", linker.program.display())];
        let starts = linker.starts.into_iter().chain(with_real_file(program.clone()));
        let starts = starts.chain(programs_of_rust(&home)).collect();
        let readable = linker.readable.into_iter().chain(fs::canonicalize(home)).collect();
        Ok(Compiler { program, usual, starts, readable })
    }

    /// Compiles in a cage and puts what comes out there; gives back what the compiler said.
    pub fn compile(&self, cages: &Cages, job: &Job<'_>, to: &Path) -> Result<String, NotBuilt> {
        cages.check()?;
        let scratch = cages.scratch().folder().map_err(ours)?;
        lay_out(job, scratch.path())?;
        let work = Work::Compiler {
            program: self.program.clone(),
            arguments: self.arguments(job),
            starts: self.starts.clone(),
        };
        let cpu = job.time.as_secs().max(1);
        let open_files = [OPEN_FILES; 2];
        let bounds = Bounds { cpu, memory: job.memory, file: FILE, open_files, threads: PROCESSES };
        let work_there = scratch.path().into();
        let room = Room::new(scratch, work_there, PROCESSES);
        let caged = Caged::new(cages, room, false, self.readable.clone(), bounds, work);
        let caged = caged.map_err(no_cage)?;
        let (ended, words, scratch) = caged.work(job.time);
        let output = scratch.path().join(OUTPUT);
        match ended {
            Ended::Well if is_file(&output) => {
                fs::copy(&output, to).and_then(|_| make_startable(to)).map(|()| words).map_err(ours)
            }
            Ended::Short(why) => Err(NotBuilt::Shortage(why)),
            Ended::Late => Err(NotBuilt::Late(job.time)),
            Ended::Well => Err(failed(words, scratch)),
            // A compiler that found errors has said so; how its process ended says nothing more.
            Ended::Badly(_) if !words.trim().is_empty() => Err(failed(words, scratch)),
            Ended::Badly(how) => Err(failed(how, scratch)),
        }
    }

    fn arguments(&self, job: &Job<'_>) -> Vec<String> {
        let output = ["-o".into(), OUTPUT.into()];
        self.usual.iter().cloned().chain(output).chain(job.arguments.iter().cloned()).collect()
    }
}

/// Copies what is needed into the folder where the compiler works.
fn lay_out(job: &Job<'_>, folder: &Path) -> Result<(), NotBuilt> {
    let put = |place: &Path, bytes: &[u8]| {
        let copy = folder.join(place);
        fs::create_dir_all(copy.parent().unwrap_or(folder))?;
        // Not a copy with its rights: the caged compiler must be able to read it.
        fs::write(copy, bytes)
    };
    for (file, place) in job.files {
        fs::read(file).and_then(|bytes| put(place, &bytes)).map_err(|error| match is_shortage(&error) {
            true => ours(error),
            false => NotBuilt::File(file.clone(), error.to_string()),
        })?;
    }
    job.texts.iter().try_for_each(|(place, text)| put(place, text.as_bytes()).map_err(ours))
}

/// What the system refused on our own behalf.
fn ours(error: io::Error) -> NotBuilt {
    NotBuilt::Shortage(error.to_string())
}

/// Nothing came out, and this was said. It is the sources' fault only where there was room for all that a compiler may
/// take; what lies in its folder is not what the machine lacks.
fn failed(said: String, scratch: TempDir) -> NotBuilt {
    let home = scratch.path().parent().map(Path::to_path_buf).unwrap_or_default();
    drop(scratch);
    if is_cramped(&home) { ours(ErrorKind::StorageFull.into()) } else { NotBuilt::Errors(said) }
}

/// The linkers that a compiler of Rust brings along, for each machine it compiles for.
fn programs_of_rust(home: &Path) -> Vec<PathBuf> {
    let within = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let machines = within(home.join("lib/rustlib")).map(|machine| machine.join("bin"));
    machines
        .flat_map(|bin| within(bin.clone()).chain(within(bin.join("gcc-ld"))))
        .filter(|path| path.is_file())
        .collect()
}

/// A caged linker may not say that what it made is a program.
#[cfg(unix)]
fn make_startable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_startable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Whether a plain file lies there, and no link to one.
fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// A program's place, as a shell finds it.
pub fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A program and the file behind it, which may have another name.
fn with_real_file(path: PathBuf) -> Vec<PathBuf> {
    let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
    vec![path, real]
}

/// What a program answers, if it does; one that could not be asked for want of something may know it all the same.
fn said(program: &Path, option: &str) -> Result<Option<String>, NotBuilt> {
    let output = match Command::new(program).arg(option).stdin(Stdio::null()).output() {
        Err(error) if is_shortage(&error) => return Err(ours(error)),
        output => output.ok().filter(|output| output.status.success()),
    };
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    Ok(text.filter(|text| !text.is_empty()))
}
