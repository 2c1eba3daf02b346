//! A student's folder `<student number>_<system>`: what must be in it, what is, and how it becomes a strategy.
//!
//! The folder comes from a stranger. Nothing in it is followed if it is a link, nothing is read that is too large, and
//! its sources are only ever touched by a compiler in a cage.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lianzi_core::{Speak, Text, shorten, text};

use super::{Compile, Course};
use lianzi_cage::{Cages, Compiler, Job, NotBuilt};

/// No source is larger, and no submission has more of them.
const LARGEST: u64 = 4 << 20;
const MOST: usize = 100;

/// Extensions of files that are code, allowed or not.
const CODE: [&str; 22] = [
    "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "s", "asm", "py", "java", "rs", "go", "cs",
    "js", "ts", "hs", "m", "mm", "sh",
];

/// A submission as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Where it lies.
    pub folder: PathBuf,
    /// The student's number: what stands before the last underscore, or the whole name.
    pub student: String,
    /// The system, as it is written there.
    pub system: String,
    /// What is missing or should not be there.
    pub remarks: Vec<Remark>,
    /// Sources and headers that are compiled.
    files: Vec<PathBuf>,
    /// A strategy that needs no compiling.
    pub ready: Option<PathBuf>,
}

/// Something a teacher should know about a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The folder's name is not `<student number>_<system>`.
    Name,
    /// There is no system of this name.
    System(String),
    /// This source is missing.
    Source(String),
    /// A code file that should not be there; it is not compiled.
    Extra(String),
    /// A file that is a link or too large; it is not read.
    Refused(String),
    /// The library or module of this name is missing.
    Strategy(String),
    /// There are fewer result files than there should be.
    Results {
        /// How many there should be.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
    /// There is no report.
    Report,
    /// This header does not belong to the standard library.
    Header(String),
    /// The sources were not compiled, so the library that came with them plays.
    AsSubmitted,
    /// There is nothing that could play.
    Nothing,
    /// The sources do not compile; the first thing the compiler said.
    NotBuilt(String),
    /// Not all games were played.
    Incomplete,
}

impl Speak for Remark {
    fn text(&self) -> Text {
        match self {
            Remark::Name => Text::fixed(
                "the folder is not named <student number>_<system>",
                "文件夹未按“<学号>_<系统>”命名",
            ),
            Remark::System(system) => text!("unknown system '{system}'", "未知系统“{system}”"),
            Remark::Source(file) | Remark::Strategy(file) => text!("{file} is missing", "缺少 {file}"),
            Remark::Extra(file) => text!("{file} should not be there", "多余的代码文件 {file}"),
            Remark::Refused(file) => {
                text!("{file} is a link or too large and was not read", "{file} 是链接或过大，未读取")
            }
            Remark::Results { wanted, there } => {
                text!("{there} of {wanted} result files", "结果文件 {there}/{wanted}")
            }
            Remark::Report => Text::fixed("the report is missing", "缺少实验报告"),
            Remark::Header(header) => {
                text!("<{header}> is not of the standard library", "<{header}> 不属于标准库")
            }
            Remark::AsSubmitted => Text::fixed(
                "no sources: the library plays as it was submitted",
                "无源代码：以提交的策略文件对弈",
            ),
            Remark::Nothing => Text::fixed("there is nothing that could play", "没有可对弈的策略"),
            Remark::NotBuilt(why) => text!("does not compile: {why}", "无法编译：{why}"),
            Remark::Incomplete => Text::fixed("not all games were played", "对局未下完"),
        }
    }
}

impl Submission {
    /// Looks at a folder.
    pub fn inspect(folder: &Path, course: &Course) -> io::Result<Submission> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (student, system) = name.rsplit_once('_').unwrap_or((&name, ""));
        let mut found = Submission {
            folder: folder.into(),
            student: student.into(),
            system: system.into(),
            remarks: Vec::new(),
            files: Vec::new(),
            ready: None,
        };
        found.check_name(course);
        let sources = source_folder(folder);
        found.take_sources(&sources, course)?;
        found.take_strategy(course);
        found.check_results(course);
        found.check_report(course)?;
        Ok(found)
    }

    fn check_name(&mut self, course: &Course) {
        let systems: Vec<&String> = course.submission.library.keys().collect();
        if self.student.is_empty() || self.system.is_empty() {
            self.remarks.push(Remark::Name);
        } else if !systems.is_empty() && !systems.iter().any(|known| known.eq_ignore_ascii_case(&self.system))
        {
            self.remarks.push(Remark::System(shorten(&self.system)));
        }
    }

    /// The sources that are wanted and those of their kind; what else is code is remarked.
    fn take_sources(&mut self, folder: &Path, course: &Course) -> io::Result<()> {
        let wanted = &course.submission.sources;
        let kinds: Vec<&str> = wanted.iter().filter_map(|name| extension(Path::new(name))).collect();
        let mut paths: Vec<PathBuf> = entries(folder)?;
        paths.sort();
        for path in paths.into_iter().filter(|path| extension(path).is_some_and(|kind| CODE.contains(&kind)))
        {
            let kind = extension(&path).unwrap_or_default();
            let remark = match kind {
                _ if !is_plain(&path) || self.files.len() >= MOST => Remark::Refused(file_name(&path)),
                "py" if course.compile.is_none() => continue,
                kind if !kinds.contains(&kind) => Remark::Extra(file_name(&path)),
                _ => {
                    self.files.push(path);
                    continue;
                }
            };
            self.remarks.push(remark);
        }
        let has = |name: &&String| self.files.iter().any(|file| file_name(file) == **name);
        let missing: Vec<Remark> =
            wanted.iter().filter(|name| !has(name)).cloned().map(Remark::Source).collect();
        self.remarks.extend(missing);
        self.remarks.extend(foreign_headers(&self.files));
        Ok(())
    }

    /// The library of the student's system, or the Python module.
    fn take_strategy(&mut self, course: &Course) {
        let library = &course.submission.library;
        let own = library.iter().find(|(system, _)| system.eq_ignore_ascii_case(&self.system));
        let extension = match (&course.compile, own) {
            (None, _) => "py",
            (Some(_), Some((_, extension))) => extension.as_str(),
            (Some(_), None) => "so",
        };
        let name = format!("{}.{extension}", self.student);
        let file = self.folder.join(&name);
        match is_plain_of(&file, u64::MAX) {
            true if ["so", "py"].contains(&extension) => self.ready = Some(file),
            true => {}
            false => self.remarks.push(Remark::Strategy(name)),
        }
    }

    fn check_results(&mut self, course: &Course) {
        let wanted = course.submission.results;
        let there = entries(&self.folder.join("results")).map_or(0, |files| files.len());
        if there < wanted {
            self.remarks.push(Remark::Results { wanted, there });
        }
    }

    fn check_report(&mut self, course: &Course) -> io::Result<()> {
        let kinds = &course.submission.report;
        let is_report =
            |path: &PathBuf| extension(path).is_some_and(|own| kinds.iter().any(|kind| kind == own));
        if !kinds.is_empty() && !entries(&self.folder)?.iter().any(is_report) {
            self.remarks.push(Remark::Report);
        }
        Ok(())
    }

    /// Whether there are sources to compile.
    pub fn has_sources(&self) -> bool {
        self.files.iter().any(|file| !is_header(file))
    }

    /// Compiles the sources in a cage into this file; what the compiler said.
    pub fn build(&self, rules: &Compile, cages: &Cages, to: &Path) -> Result<String, NotBuilt> {
        let compiler = Compiler::find(&rules.compiler)?;
        let sources: Vec<String> =
            self.files.iter().filter(|file| !is_header(file)).map(|file| file_name(file)).collect();
        let time: Duration = rules.time;
        let memory = rules.memory << 20;
        let job = Job { files: &self.files, sources: &sources, flags: &rules.flags, time, memory };
        compiler.compile(cages, &job, to)
    }

    /// The files that decide how the strategy plays.
    pub fn deciding_files(&self) -> Vec<PathBuf> {
        if self.files.is_empty() { self.ready.iter().cloned().collect() } else { self.files.clone() }
    }
}

/// The first line in which a compiler names an error, or the first at all; short enough for a cell of a table.
pub fn first_error(said: &str) -> String {
    const LONGEST: usize = 160;
    let error = said.lines().find(|line| line.contains("error") || line.contains("undefined"));
    let line = error.or_else(|| said.lines().find(|line| !line.trim().is_empty())).unwrap_or("?");
    line.trim().chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

/// Students copy the files themselves or the folder they came from.
fn source_folder(folder: &Path) -> PathBuf {
    let inner = folder.join("Strategy");
    let plain = fs::symlink_metadata(&inner).is_ok_and(|metadata| metadata.is_dir());
    if plain && !folder.join("Strategy.cpp").exists() { inner } else { folder.into() }
}

/// What lies in a folder, apart from hidden files.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let shown = |path: &PathBuf| !file_name(path).starts_with('.');
    paths.filter(|path| path.as_ref().map_or(true, shown)).collect()
}

fn is_plain(path: &Path) -> bool {
    is_plain_of(path, LARGEST)
}

/// Whether it is a file and no link, and at most so large.
fn is_plain_of(path: &Path, largest: u64) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= largest)
}

fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

fn is_header(path: &Path) -> bool {
    extension(path).is_some_and(|kind| kind.starts_with('h') || kind == "inl")
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Headers between angle brackets that the standard library of C++ does not have.
fn foreign_headers(files: &[PathBuf]) -> Vec<Remark> {
    let mut headers: Vec<String> = Vec::new();
    for file in files {
        let text = fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        headers.extend(
            text.lines().filter_map(included).filter(|header| !STANDARD.contains(header)).map(shorten),
        );
    }
    headers.sort();
    headers.dedup();
    headers.into_iter().map(Remark::Header).collect()
}

/// The header that a line includes from the system.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.trim_start().strip_prefix('<')?.split('>').next().map(str::trim)
}

/// The headers of C++20 and of C's library, with their old names.
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
        let found = Submission::inspect(&folder, &course()).unwrap();
        assert_eq!((found.student.as_str(), found.system.as_str()), ("2020003000", "Linux"));
        assert_eq!(found.remarks, []);
        assert_eq!(found.files.len(), 6);
        assert!(found.has_sources() && found.ready.is_some());
    }

    #[test]
    fn everything_that_is_wrong_is_said() {
        let files = [
            ("Judge.cpp", "  #  include < unistd.h >\n#include <vector>"),
            ("helper.py", ""),
            ("Strategy.h", ""),
        ];
        let (_outer, folder) = folder("someone", &files);
        let found = Submission::inspect(&folder, &course()).unwrap();
        let source = |name: &str| Remark::Source(name.into());
        assert_eq!(
            found.remarks,
            [
                Remark::Name,
                Remark::Extra("helper.py".into()),
                source("Judge.h"),
                source("Strategy.cpp"),
                source("Point.h"),
                Remark::Header("unistd.h".into()),
                Remark::Strategy("someone.so".into()),
                Remark::Results { wanted: 1, there: 0 },
                Remark::Report,
            ]
        );
        let remark = Remark::System("BeOS".into());
        let (_outer, folder) = self::folder("1_BeOS", &SOURCES);
        assert!(Submission::inspect(&folder, &course()).unwrap().remarks.contains(&remark));
    }

    #[test]
    fn the_folder_the_sources_came_from_will_do() {
        let files = SOURCES.map(|(name, content)| (format!("Strategy/{name}"), content));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, content)| (name.as_str(), *content)).collect();
        let (_outer, folder) = folder("1_Linux", &files);
        let found = Submission::inspect(&folder, &course()).unwrap();
        assert!(!found.remarks.iter().any(|remark| matches!(remark, Remark::Source(_))), "{found:?}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (_outer, folder) = folder("1_Linux", &SOURCES[1..]);
        std::os::unix::fs::symlink("/etc/passwd", folder.join("Judge.cpp")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.join("1.so")).unwrap();
        let found = Submission::inspect(&folder, &course()).unwrap();
        assert!(found.remarks.contains(&Remark::Refused("Judge.cpp".into())));
        assert!(found.remarks.contains(&Remark::Strategy("1.so".into())));
        assert!(found.ready.is_none() && found.files.len() == 4);
    }

    #[test]
    fn a_python_course_wants_a_module() {
        let course = Course::built_in("gomoku").unwrap();
        let (_outer, folder) = folder("7_Linux", &[("7.py", "")]);
        let found = Submission::inspect(&folder, &course).unwrap();
        assert_eq!(found.ready, Some(folder.join("7.py")));
        assert!(!found.has_sources());
    }

    #[test]
    fn the_first_error_is_found() {
        let said = "In file included from x\nStrategy.cpp:3:1: error: expected ';'\nmore\n";
        assert_eq!(first_error(said), "Strategy.cpp:3:1: error: expected ';'");
        assert_eq!(first_error(""), "?");
    }
}
