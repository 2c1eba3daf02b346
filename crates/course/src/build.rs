//! Sources become a strategy, in a cage. Students write for the compiler they have: another year's, another system's.
//! What a teacher would put right in a minute without touching the thinking is put right here, and a remark says so:
//! sources that do not belong to the strategy, an older standard, headers that compilers used to bring along, those
//! of Windows, names of files in other letters, and functions that are not `extern "C"`.

use std::fs;
use std::path::{Path, PathBuf};

use lianzi_cage::{Cages, Compiler, Job, NotBuilt};

use super::remark::Remark;
use super::submission::{NAMED, Submission, is_unit};
use super::tree::Part;
use super::{Compile, Course};

/// Stand-ins for headers of Windows, by the names they are included under.
const WINDOWS: [(&str, &str); 5] = [
    ("conio.h", include_str!("headers/conio.h")),
    ("atlstr.h", include_str!("headers/atlstr.h")),
    ("windows.h", include_str!("headers/windows.h")),
    ("Windows.h", include_str!("headers/windows.h")),
    ("mmsystem.h", include_str!("headers/windows.h")),
];
/// The course's two functions, for sources that forgot how they are called.
const INTERFACE: &str = include_str!("headers/interface.h");
/// Where both lie beside the sources.
const PLACE: &str = "lianzi-headers";

/// Whether a header is one of Windows that we stand in for.
pub fn is_of_windows(header: &str) -> bool {
    WINDOWS.iter().any(|(name, _)| name.eq_ignore_ascii_case(header))
}

/// What the compiler said, and what a teacher should know.
type Made = (String, Vec<Remark>);

/// A compiler with what it is told and given.
struct Workshop<'a> {
    submission: &'a Submission,
    rules: &'a Compile,
    cages: &'a Cages,
}

impl Submission {
    /// Compiles the sources in a cage into this file.
    pub fn build(&self, course: &Course, rules: &Compile, cages: &Cages, to: &Path) -> Result<Made, NotBuilt> {
        let workshop = Workshop { submission: self, rules, cages };
        if !self.files.iter().any(is_unit) {
            return workshop.build_rust(course, to).map(|said| (said, Vec::new()));
        }
        workshop.build_units(!course.starts_programs(), to)
    }
}

impl Workshop<'_> {
    /// Students hand in more than they need, such as the judge's own project beside theirs or a program to try it
    /// with. So all sources are tried first, and if they do not go together those around the strategy's own; then
    /// with more patience.
    fn build_units(&self, library: bool, to: &Path) -> Result<Made, NotBuilt> {
        let all: Vec<&Part> = self.submission.files.iter().filter(|file| is_unit(file)).collect();
        let near: Vec<&Part> = self.submission.own_files().into_iter().filter(|file| is_unit(file)).collect();
        let near = if near.is_empty() { all.clone() } else { near };
        let usual: &[String] = &[];
        let second = (near.len() < all.len()).then_some((&near, usual));
        let patient = self.rules.lenient.iter().map(|flags| (&near, flags.as_slice()));
        let tries = std::iter::once((&all, usual)).chain(second).chain(patient);
        // What is wrong with the strategy's own sources is what its author can mend.
        let mut wrong = None;
        for (units, flags) in tries {
            match self.compile(units, flags, to) {
                Ok(said) => {
                    let mut remarks: Vec<Remark> = self.left_out(&all, units).into_iter().collect();
                    remarks.extend((!flags.is_empty()).then(|| Remark::Lenient(flags.join(" "))));
                    remarks.extend(self.stand_ins());
                    remarks.extend(self.with_linkage(library, units, flags, to));
                    return Ok((said, remarks));
                }
                Err(NotBuilt::Errors(said)) if flags.is_empty() => wrong = Some(NotBuilt::Errors(said)),
                Err(NotBuilt::Errors(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Err(wrong.unwrap_or(NotBuilt::Errors(String::new())))
    }

    fn left_out(&self, all: &[&Part], units: &[&Part]) -> Option<Remark> {
        let far = all.iter().filter(|unit| !units.contains(unit));
        let far: Vec<String> = far.map(|unit| unit.shown()).take(NAMED).collect();
        (!far.is_empty()).then_some(Remark::Unused(far))
    }

    /// What stood in for headers that are not here.
    fn stand_ins(&self) -> Vec<Remark> {
        let own = self.submission.own_files();
        let windows: Vec<String> =
            self.submission.headers_of(&own).into_iter().filter(|name| is_of_windows(name)).collect();
        let aliases = self.aliases().into_iter().map(|(file, wanted)| {
            let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Remark::Letters { wanted: lianzi_core::shown(&name(&wanted)), found: lianzi_core::shown(&name(&file.name)) }
        });
        let windows = (!windows.is_empty()).then_some(Remark::Windows(windows));
        windows.into_iter().chain(aliases.take(NAMED)).collect()
    }

    /// A library whose functions nobody finds is made again as if they had been declared as the course declares them.
    fn with_linkage(&self, library: bool, units: &[&Part], flags: &[String], to: &Path) -> Option<Remark> {
        if !library || exports(to, "getPoint") {
            return None;
        }
        let again = to.with_extension("again");
        let declared = ["-include".into(), format!("./{PLACE}/interface.h")];
        let flags: Vec<String> = flags.iter().cloned().chain(declared).collect();
        let made = self.compile(units, &flags, &again).is_ok() && exports(&again, "getPoint");
        let taken = made && fs::rename(&again, to).is_ok();
        // It may never have been there.
        let _ = fs::remove_file(&again);
        taken.then_some(Remark::Linkage)
    }

    fn compile(&self, units: &[&Part], more: &[String], to: &Path) -> Result<String, NotBuilt> {
        let compiler = Compiler::find(&self.rules.compiler)?;
        let mut flags: Vec<String> = self.rules.flags.iter().chain(more).cloned().collect();
        flags.extend(self.folders_of_headers().iter().map(|folder| format!("-iquote./{folder}")));
        flags.extend(["-idirafter".into(), format!("./{PLACE}")]);
        let sources = units.iter().flat_map(|unit| {
            let language = if unit.kind() == "c" { "c" } else { "c++" };
            ["-x".into(), language.into(), format!("./{}", unit.name.display())]
        });
        flags.extend(sources);
        self.run(&compiler, flags, to)
    }

    /// Where headers lie: what includes them from elsewhere may name them without their folders.
    fn folders_of_headers(&self) -> Vec<String> {
        let headers = self.submission.files.iter().filter(|file| !is_unit(file));
        let mut folders: Vec<String> =
            headers.filter_map(|file| Some(file.name.parent()?.display().to_string())).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Files that are included in other letters than they have, which some systems do not mind, with the places where
    /// they are looked for.
    fn aliases(&self) -> Vec<(&Part, PathBuf)> {
        let files = &self.submission.files;
        let mut wanted: Vec<String> = files.iter().flat_map(quoted).collect();
        wanted.sort();
        wanted.dedup();
        wanted.retain(|name| !files.iter().any(|file| file.file_name() == *name));
        let alike = |name: &String| {
            let file = files.iter().find(|file| file.file_name().eq_ignore_ascii_case(name))?;
            Some((file, file.name.with_file_name(name)))
        };
        wanted.iter().filter_map(alike).collect()
    }

    fn build_rust(&self, course: &Course, to: &Path) -> Result<String, NotBuilt> {
        let program = course.starts_programs();
        let (kind, root) = if program { ("bin", "main.rs") } else { ("cdylib", "lib.rs") };
        let sources = || self.submission.files.iter().filter(|file| file.kind() == "rs");
        let root = sources().find(|file| file.file_name() == root).or_else(|| sources().next());
        let root = root.map(|file| format!("./{}", file.name.display())).unwrap_or_default();
        let mut flags = self.rules.rust_flags.clone();
        flags.extend(["--crate-name=strategy".into(), format!("--crate-type={kind}")]);
        flags.extend([format!("--edition={}", self.edition()), root]);
        self.run(&Compiler::find_rust(&self.rules.rust)?, flags, to)
    }

    /// The edition of Rust that the project's own file names.
    fn edition(&self) -> String {
        let manifest = self.submission.files.iter().find(|file| file.file_name() == "Cargo.toml");
        let text = manifest.and_then(|file| fs::read_to_string(&file.path).ok()).unwrap_or_default();
        let read = toml::from_str::<toml::Table>(&text).ok();
        let edition = read.as_ref().and_then(|table| table.get("package")?.get("edition")?.as_str());
        edition.filter(|edition| edition.parse::<u16>().is_ok()).unwrap_or("2021").into()
    }

    fn run(&self, compiler: &Compiler, arguments: Vec<String>, to: &Path) -> Result<String, NotBuilt> {
        let files = self.submission.files.iter().map(|file| (file.path.clone(), file.name.clone()));
        let aliases = self.aliases().into_iter().map(|(file, place)| (file.path.clone(), place));
        let files: Vec<(PathBuf, PathBuf)> = files.chain(aliases).collect();
        let ours = WINDOWS.iter().chain(&[("interface.h", INTERFACE)]);
        let texts: Vec<(PathBuf, &str)> = ours.map(|(name, text)| (Path::new(PLACE).join(name), *text)).collect();
        let (time, memory) = (self.rules.time, self.rules.memory << 20);
        compiler.compile(self.cages, &Job { files: &files, texts: &texts, arguments: &arguments, time, memory }, to)
    }
}

/// Whether a library has a symbol of this name: it stands alone among the texts of the file.
fn exports(library: &Path, name: &str) -> bool {
    let wanted = format!("\0{name}\0");
    let bytes = fs::read(library).unwrap_or_default();
    bytes.windows(wanted.len()).any(|window| window == wanted.as_bytes())
}

/// What a source includes by a name of its own, without folders.
fn quoted(file: &Part) -> Vec<String> {
    let text = fs::read(&file.path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let name = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let path = rest.trim_start().strip_prefix('"')?.split('"').next()?;
        Some(path.rsplit(['/', '\\']).next().unwrap_or(path).to_string())
    };
    text.lines().filter_map(name).filter(|name| !name.is_empty()).collect()
}
