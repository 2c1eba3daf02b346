//! A student's folder `<student number>_<system>` or archive: what must be in it, what is, and how it becomes a strategy.
//!
//! It is taken as it is: sources lie where the student keeps them and include each other as they do there. Its sources are
//! only ever touched by a compiler in a cage.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lianzi_core::{shorten, shown};

use super::Course;
use super::build::is_of_windows;
use super::remark::Remark;
use super::tree::{Bounds, Part, Tree};

/// No source is larger, and no submission has more of them.
const LARGEST: u64 = 4 << 20;
const MOST: usize = 200;
/// So many files of one fault are named.
pub(super) const NAMED: usize = 5;

/// Folders that sources come from.
const PROJECTS: [&str; 2] = ["Strategy", "src"];

/// Extensions of what a compiler of C and C++ is given, and of what that includes.
pub(super) const UNITS: [&str; 5] = ["c", "cc", "cpp", "cxx", "c++"];
const INCLUDED: [&str; 12] = ["h", "hh", "hpp", "hxx", "h++", "inl", "inc", "ipp", "tpp", "tcc", "def", "dat"];
/// Extensions of other files that are code.
const OTHER_CODE: [&str; 13] = ["s", "asm", "py", "java", "rs", "go", "cs", "js", "ts", "hs", "m", "mm", "sh"];

/// A submission as it was found.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The student's number: what stands before the last underscore, or the whole name.
    pub student: String,
    /// The system, as it is written there.
    pub system: String,
    /// What is missing or should not be there.
    pub remarks: Vec<Remark>,
    /// Sources and what they include.
    pub files: Vec<Part>,
    /// A strategy that needs no compiling.
    pub ready: Option<PathBuf>,
    /// Where the strategy's own source lies, among the rest.
    home: PathBuf,
    tree: Tree,
}

impl Submission {
    /// Looks at a folder or an archive of this name.
    pub fn inspect(path: &Path, name: &str, course: &Course, bounds: &Bounds<'_>) -> io::Result<Submission> {
        let lacks = |tree: &Tree| !tree.parts.iter().any(|part| is_code(&part.kind()));
        let tree = Tree::read(path, bounds, &lacks)?;
        let names = std::iter::once(name).chain(tree.wrappers.iter().map(String::as_str));
        let named = names.clone().find(|name| named_system(name, course).is_some()).unwrap_or(name);
        let (student, system) = named.rsplit_once('_').unwrap_or((named, ""));
        let mut found = Submission {
            student: student.into(),
            system: system.into(),
            remarks: Vec::new(),
            files: Vec::new(),
            ready: None,
            home: PathBuf::new(),
            tree,
        };
        found.check_name(course);
        found.check_shape();
        found.take_sources(course);
        found.take_strategy(course);
        found.check_results(course);
        found.check_report(course);
        Ok(found)
    }

    fn check_name(&mut self, course: &Course) {
        let systems = &course.submission.library;
        let known = systems.keys().any(|known| known.eq_ignore_ascii_case(&self.system));
        if self.student.is_empty() || self.system.is_empty() {
            self.remarks.push(Remark::Name);
        } else if !systems.is_empty() && !known {
            self.remarks.push(Remark::System(shorten(&self.system)));
        }
    }

    /// How it was handed in, where that is not as it should be.
    fn check_shape(&mut self) {
        let Tree { unpacked, unopened, wrappers, ignored, refused, .. } = &self.tree;
        let mut remarks: Vec<Remark> = unpacked.iter().cloned().map(Remark::Unpacked).collect();
        // An archive holds one folder, as it should, and a project's own folder is none around it.
        let wrappers: Vec<&str> = wrappers.iter().map(String::as_str).filter(|name| !PROJECTS.contains(name)).collect();
        if wrappers.len() > usize::from(!unpacked.is_empty()) {
            remarks.push(Remark::Nested(shown(&wrappers.join("/"))));
        }
        remarks.extend(ignored.first().map(|first| Remark::Ignored(first.clone(), ignored.len())));
        remarks.extend(some(unopened.iter().cloned(), Remark::Foreign));
        remarks.extend(some(refused.iter().cloned(), Remark::Refused));
        self.remarks.extend(remarks);
    }

    /// The sources and what they include; what else is code is remarked.
    fn take_sources(&mut self, course: &Course) {
        let parts = || self.tree.parts.iter();
        let has = |kinds: &[&str]| parts().any(|part| kinds.contains(&part.kind().as_str()));
        let kinds: Vec<&str> = match &course.compile {
            Some(_) if has(&UNITS) => UNITS.iter().chain(&INCLUDED).copied().collect(),
            Some(_) if has(&["rs"]) => vec!["rs", "toml"],
            _ => Vec::new(),
        };
        let wanted = |part: &&Part| kinds.contains(&part.kind().as_str());
        let small = |part: &Part| fs::metadata(&part.path).is_ok_and(|data| data.len() <= LARGEST);
        let (mut files, mut large): (Vec<Part>, Vec<Part>) = parts().filter(wanted).cloned().partition(small);
        large.extend(files.drain(MOST.min(files.len())..));
        let module = |part: &&Part| part.kind() == "py" && (course.compile.is_none() || course.starts_programs());
        let extra = |part: &&Part| is_code(&part.kind()) && !wanted(part) && !module(part);
        let mut remarks = some(large.iter().map(Part::shown), Remark::Refused);
        remarks.extend(some(parts().filter(extra).map(Part::shown), Remark::Extra));
        let rust = files.iter().any(|file| file.kind() == "rs");
        let missing = course.submission.sources.iter().filter(|name| !rust && !is_there(name, &files));
        remarks.extend(missing.cloned().map(Remark::Source));
        self.home = home_of(&files, &course.submission.sources);
        self.files = files;
        let foreign = |header: &String| !STANDARD.contains(&header.as_str()) && !is_of_windows(header);
        let headers = self.headers_of(&self.own_files());
        remarks.extend(some(headers.into_iter().filter(foreign), Remark::Header));
        self.remarks.extend(remarks);
    }

    /// The library of the student's system, the Python module or the program.
    fn take_strategy(&mut self, course: &Course) {
        let library = &course.submission.library;
        let own = library.iter().find(|(system, _)| system.eq_ignore_ascii_case(&self.system));
        let extension = match (&course.compile, own) {
            (Some(_), Some((_, extension))) => extension.as_str(),
            (Some(_), None) if !course.starts_programs() => "so",
            _ => "py",
        };
        let wanted = format!("{}.{extension}", self.student);
        let named = |name: &str| self.tree.parts.iter().find(|part| part.file_name() == name);
        let mut modules = self.tree.parts.iter().filter(|part| part.kind() == "py");
        let only = modules.next().filter(|_| extension == "py" && modules.next().is_none());
        let program = named(&self.student).filter(|_| course.starts_programs());
        let found = named(&wanted).or(program);
        if let (None, Some(only)) = (found, only) {
            self.remarks.push(Remark::InPlace { wanted, found: only.shown() });
            self.ready = Some(only.path.clone());
        } else if let Some(part) = found {
            self.ready = ["so", "py", ""].contains(&part.kind().as_str()).then(|| part.path.clone());
        } else if !course.starts_programs() {
            self.remarks.push(Remark::Strategy(wanted));
        }
    }

    fn check_results(&mut self, course: &Course) {
        let wanted = course.submission.results;
        let is_result = |part: &&Part| part.name.parent().is_some_and(|folder| folder.ends_with("results"));
        let there = self.tree.parts.iter().filter(is_result).count();
        if there < wanted {
            self.remarks.push(Remark::Results { wanted, there });
        }
    }

    fn check_report(&mut self, course: &Course) {
        let kinds = &course.submission.report;
        if !kinds.is_empty() && !self.tree.parts.iter().any(|part| kinds.contains(&part.kind())) {
            self.remarks.push(Remark::Report);
        }
    }

    /// Whether there are sources to compile.
    pub fn has_sources(&self) -> bool {
        self.files.iter().any(|file| is_unit(file) || file.kind() == "rs")
    }

    /// The sources around the strategy's own: not those of a program that came along, nor of another project beside it.
    pub fn own_files(&self) -> Vec<&Part> {
        let mains = self.files.iter().filter(|file| is_unit(file) && has_main(file));
        let programs: Vec<&Path> = mains.map(|unit| self.program_of(unit)).collect();
        let own = |file: &&Part| !programs.iter().any(|program| file.name.starts_with(program));
        self.files.iter().filter(|file| file.name.starts_with(&self.home)).filter(own).collect()
    }

    /// What belongs to the program that begins in this source: its folder, unless the strategy lies there too.
    fn program_of<'a>(&self, unit: &'a Part) -> &'a Path {
        let folder = unit.name.parent().filter(|folder| !self.home.starts_with(folder));
        folder.unwrap_or(&unit.name)
    }

    /// The headers between angle brackets that these include.
    pub fn headers_of(&self, files: &[&Part]) -> Vec<String> {
        let mut headers: Vec<String> = Vec::new();
        for file in files {
            let text = fs::read(&file.path).unwrap_or_default();
            headers.extend(String::from_utf8_lossy(&text).lines().filter_map(included).map(shorten));
        }
        headers.sort();
        headers.dedup();
        headers
    }

    /// The sources that are its author's own work, as far as they came along, with their names.
    pub fn work(&self) -> Vec<(PathBuf, PathBuf)> {
        match self.has_sources() {
            true => self.own_files().into_iter().map(|file| (file.name.clone(), file.path.clone())).collect(),
            false => self.deciding_files(),
        }
    }

    /// The files that decide how the strategy plays, with their names.
    pub fn deciding_files(&self) -> Vec<(PathBuf, PathBuf)> {
        let name = |path: &PathBuf| PathBuf::from(path.file_name().unwrap_or_default());
        match &self.ready {
            Some(ready) if !self.has_sources() => vec![(name(ready), ready.clone())],
            _ => self.files.iter().map(|file| (file.name.clone(), file.path.clone())).collect(),
        }
    }
}

/// The system that a name ends with, as far as the course knows it.
fn named_system<'a>(name: &'a str, course: &Course) -> Option<&'a str> {
    let (student, system) = name.rsplit_once('_')?;
    let known = |known: &str| known.eq_ignore_ascii_case(system);
    let usual = course.submission.library.is_empty() && known("linux");
    (!student.is_empty() && (usual || course.submission.library.keys().any(|name| known(name)))).then_some(system)
}

/// A remark on each of these, but only so many.
fn some(names: impl Iterator<Item = String>, remark: impl Fn(String) -> Remark) -> Vec<Remark> {
    let mut names = names.peekable();
    let mut remarks: Vec<Remark> = names.by_ref().take(NAMED).map(remark).collect();
    let more = names.count();
    remarks.extend((more > 0).then_some(Remark::More(more)));
    remarks
}

/// The folder with most of the sources that a course asks for: beside it may lie the judge's own, which have some of the
/// same names, and a program.
fn home_of(files: &[Part], sources: &[String]) -> PathBuf {
    let named = |file: &&Part| sources.iter().any(|name| stands_for(file, name));
    let folders = files.iter().filter(named).filter_map(|file| file.name.parent());
    let within =
        |folder: &Path| files.iter().filter(move |file| file.name.parent() == Some(folder)).collect::<Vec<_>>();
    let best = folders.max_by_key(|&folder| {
        let there = within(folder);
        (there.iter().filter(|file| named(file)).count(), !there.iter().any(|file| has_main(file)))
    });
    best.unwrap_or(Path::new("")).into()
}

/// Whether one of these is the source that a course asks for, in whatever language it is written.
fn is_there(name: &str, files: &[Part]) -> bool {
    files.iter().any(|file| stands_for(file, name))
}

fn stands_for(file: &Part, name: &str) -> bool {
    let wanted = Path::new(name);
    let header = |kind: &str| INCLUDED.contains(&kind);
    let kind = wanted.extension().unwrap_or_default().to_string_lossy();
    file.name.file_stem() == wanted.file_stem() && header(&file.kind()) == header(&kind)
}

/// The first line in which a compiler names an error, or the first at all; short enough for a cell of a table.
pub fn first_error(said: &str) -> String {
    const LONGEST: usize = 160;
    const SIGNS: [&str; 3] = ["error", "undefined", "truncated to fit"];
    let error = said.lines().find(|line| SIGNS.iter().any(|sign| line.contains(sign)));
    let line = error.or_else(|| said.lines().find(|line| !line.trim().is_empty())).unwrap_or("?");
    shown(&line.trim().chars().take(LONGEST).collect::<String>())
}

/// Whether a program begins in this source; a library has no `main`.
fn has_main(unit: &Part) -> bool {
    let text = fs::read(&unit.path).unwrap_or_default();
    let begins = |line: &str| ["int main", "void main", "auto main"].iter().any(|head| line.starts_with(head));
    String::from_utf8_lossy(&text).lines().any(|line| begins(line.trim_start()))
}

fn is_code(kind: &str) -> bool {
    [&UNITS[..], &INCLUDED[..11], &OTHER_CODE].iter().any(|kinds| kinds.contains(&kind))
}

/// Whether a compiler is given it, and does not find it by itself.
pub(super) fn is_unit(file: &Part) -> bool {
    UNITS.contains(&file.kind().as_str())
}

/// The header that a line includes from the system.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.trim_start().strip_prefix('<')?.split('>').next().map(str::trim)
}

/// The headers of C++20 and of C's library, with their old names, and those of the course's own template.
#[rustfmt::skip]
const STANDARD: &[&str] = &[
    "algorithm", "any", "array", "atomic", "barrier", "bit", "bitset", "charconv", "chrono", "codecvt", "compare", "complex",
    "concepts", "condition_variable", "coroutine", "deque", "exception", "execution", "filesystem", "format", "forward_list",
    "fstream", "functional", "future", "initializer_list", "iomanip", "ios", "iosfwd", "iostream", "istream", "iterator", "latch",
    "limits", "list", "locale", "map", "memory", "memory_resource", "mutex", "new", "numbers", "numeric", "optional", "ostream",
    "queue", "random", "ranges", "ratio", "regex", "scoped_allocator", "semaphore", "set", "shared_mutex", "source_location",
    "span", "sstream", "stack", "stdexcept", "stop_token", "streambuf", "string", "string_view", "strstream", "syncstream",
    "system_error", "thread", "tuple", "type_traits", "typeindex", "typeinfo", "unordered_map", "unordered_set", "utility",
    "valarray", "variant", "vector", "version",
    "cassert", "cctype", "cerrno", "cfenv", "cfloat", "cinttypes", "climits", "clocale", "cmath", "csetjmp", "csignal", "cstdarg",
    "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "ctime", "cuchar", "cwchar", "cwctype",
    "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "locale.h", "math.h",
    "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
    "stdnoreturn.h", "string.h", "tgmath.h", "threads.h", "time.h", "uchar.h", "wchar.h", "wctype.h",
    "dlfcn.h", "pthread.h", "sys/time.h", "unistd.h",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, in one that goes when this does.
    fn folder(name: &str, files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(name);
        for (file, content) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        (outer, folder)
    }

    const SOURCES: [(&str, &str); 5] = [
        ("Judge.cpp", "#include \"Judge.h\"\n#include <cmath>\n"),
        ("Judge.h", ""),
        ("Strategy.cpp", ""),
        ("Strategy.h", ""),
        ("Point.h", ""),
    ];

    fn inspect(folder: &Path, course: &Course) -> io::Result<Submission> {
        let bounds = Bounds { scratch: &tempfile::tempdir, largest: 1 << 20 };
        Submission::inspect(folder, &folder.file_name().unwrap().to_string_lossy(), course, &bounds)
    }

    fn course() -> Course {
        let mut course = Course::built_in("connect4").unwrap();
        course.submission.results = 1;
        course
    }

    #[test]
    fn a_whole_submission_has_no_remarks() {
        let mut files = SOURCES.to_vec();
        files.extend([("MyTree.cpp", ""), ("2020003000.so", ""), ("results/2.txt", ""), ("report.pdf", "")]);
        let (_outer, folder) = folder("2020003000_Linux", &files);
        let found = inspect(&folder, &course()).unwrap();
        assert_eq!((found.student.as_str(), found.system.as_str()), ("2020003000", "Linux"));
        assert_eq!(found.remarks, []);
        assert_eq!(found.files.len(), 6);
        assert!(found.has_sources() && found.ready.is_some());
    }

    #[test]
    fn everything_that_is_wrong_is_said() {
        let files = [
            ("Judge.cpp", "  #  include < sys/socket.h >\n#include <vector>\n#include <unistd.h>"),
            ("helper.py", ""),
            ("Strategy.h", ""),
        ];
        let (_outer, folder) = folder("someone", &files);
        let found = inspect(&folder, &course()).unwrap();
        let source = |name: &str| Remark::Source(name.into());
        assert_eq!(
            found.remarks,
            [
                Remark::Name,
                Remark::Extra("helper.py".into()),
                source("Judge.h"),
                source("Strategy.cpp"),
                source("Point.h"),
                Remark::Header("sys/socket.h".into()),
                Remark::Strategy("someone.so".into()),
                Remark::Results { wanted: 1, there: 0 },
                Remark::Report,
            ]
        );
        let remark = Remark::System("BeOS".into());
        let (_outer, folder) = self::folder("1_BeOS", &SOURCES);
        assert!(inspect(&folder, &course()).unwrap().remarks.contains(&remark));
    }

    #[test]
    fn the_folder_the_sources_came_from_will_do() {
        let files = SOURCES.map(|(name, content)| (format!("Strategy/{name}"), content));
        let files: Vec<(&str, &str)> = files.iter().map(|(name, content)| (name.as_str(), *content)).collect();
        let (_outer, folder) = folder("1_Linux", &files);
        let found = inspect(&folder, &course()).unwrap();
        assert!(!found.remarks.iter().any(|remark| matches!(remark, Remark::Source(_))), "{found:?}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (_outer, folder) = folder("1_Linux", &SOURCES[1..]);
        std::os::unix::fs::symlink("/etc/passwd", folder.join("Judge.cpp")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.join("1.so")).unwrap();
        let found = inspect(&folder, &course()).unwrap();
        assert!(found.remarks.contains(&Remark::Refused("Judge.cpp".into())));
        assert!(found.remarks.contains(&Remark::Strategy("1.so".into())));
        assert!(found.ready.is_none() && found.files.len() == 4);
    }

    #[test]
    fn a_python_course_wants_a_module() {
        let course = Course::built_in("gomoku").unwrap();
        let (_outer, folder) = folder("7_Linux", &[("7.py", "")]);
        let found = inspect(&folder, &course).unwrap();
        assert_eq!(found.ready, Some(folder.join("7.py")));
        assert!(!found.has_sources());
    }

    #[test]
    fn the_first_error_is_found() {
        let said = "In file included from x\nStrategy.cpp:3:1: error: expected ';'\nmore\n";
        assert_eq!(first_error(said), "Strategy.cpp:3:1: error: expected ';'");
        let large =
            "main.cpp:(.text+0xa4): relocation truncated to fit: R_X86_64_PC32\ncollect2: error: ld returned 1\n";
        assert_eq!(first_error(large), "main.cpp:(.text+0xa4): relocation truncated to fit: R_X86_64_PC32");
        assert_eq!(first_error(""), "?");
    }
}
