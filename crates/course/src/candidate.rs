//! Who is graded: ready strategies and submissions, found where the user said.

use std::fs;
use std::path::{Path, PathBuf};

use lianzi_cage::NotBuilt;
use lianzi_core::{Speak, Text, text};
use lianzi_players::PlayerSpec;

use super::Course;
use super::class::{Class, check, read_player};
use super::files::{file_names, fingerprint, refused, remembered, write_into};
use super::ladder::spec_of_file;
use super::submission::{Remark, Submission, first_error};

/// Somebody who is graded.
pub struct Candidate {
    /// The name in tables and of the folder with the games.
    pub name: String,
    /// The student's number, or the strategy's name.
    pub student: String,
    /// The student's system.
    pub system: String,
    work: Work,
}

enum Work {
    Ready(Box<PlayerSpec>),
    Submission(Box<Submission>),
}

/// A candidate as it will play.
pub struct Built {
    /// The player, and how the contest's folder remembers it; nothing if there is nobody to play.
    pub strategy: Option<(PlayerSpec, String)>,
    /// What a teacher should know.
    pub remarks: Vec<Remark>,
    /// What the compiler said.
    pub compiler: String,
}

/// All candidates that these names mean.
pub fn candidates(names: &[String], class: &Class<'_>) -> Result<Vec<Candidate>, Text> {
    let mut found = Vec::new();
    for name in names {
        let path = Path::new(name);
        match path.is_dir() {
            true if is_submission(path, &class.course) => found.push(Candidate::submitted(path, class)?),
            true => found.extend(in_folder(path, class)?),
            false => found.push(Candidate::ready(name, class)?),
        }
    }
    Ok(found)
}

/// The submissions and strategies in a folder, by name.
fn in_folder(folder: &Path, class: &Class<'_>) -> Result<Vec<Candidate>, Text> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut paths: Vec<PathBuf> =
        entries.map_err(refused(folder))?.iter().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if link || hidden {
            continue;
        }
        if path.is_dir() {
            found.push(Candidate::submitted(&path, class)?);
        } else if let Some(spec) = spec_of_file(&path, &class.rules) {
            found.push(Candidate::ready(&spec, class)?);
        }
    }
    if found.is_empty() {
        return Err(text!(
            "{}: there is nothing to grade in this folder",
            "{}: 文件夹中没有可评分的策略",
            folder.display()
        ));
    }
    Ok(found)
}

/// Whether a folder is one submission and not a folder of them.
fn is_submission(folder: &Path, course: &Course) -> bool {
    const SYSTEMS: [&str; 4] = ["linux", "windows", "mac", "macos"];
    let name = folder.canonicalize().unwrap_or_else(|_| folder.into());
    let name = name.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let named = name.rsplit_once('_').is_some_and(|(_, system)| SYSTEMS.contains(&system));
    let has = |source: &String| folder.join(source).is_file();
    named || course.submission.sources.iter().any(has)
}

impl Candidate {
    fn ready(text: &str, class: &Class<'_>) -> Result<Candidate, Text> {
        let spec = read_player(text, &class.rules)?.confined(class.course.threads);
        check(&spec, &class.rules, class.cages)?;
        let name = spec.name.clone();
        let work = Work::Ready(Box::new(spec));
        Ok(Candidate { student: name.clone(), name, system: String::new(), work })
    }

    fn submitted(folder: &Path, class: &Class<'_>) -> Result<Candidate, Text> {
        // The name of `.` is not in it.
        let whole = folder.canonicalize().map_err(refused(folder))?;
        let found = Submission::inspect(&whole, &class.course).map_err(refused(folder))?;
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (student, system) = (found.student.clone(), found.system.clone());
        Ok(Candidate { name, student, system, work: Work::Submission(Box::new(found)) })
    }

    /// Makes a player of it, compiled into this folder if need be.
    pub fn build(&self, class: &Class<'_>, place: &Path) -> Result<Built, Text> {
        match &self.work {
            Work::Ready(spec) => {
                let strategy = Some((spec.as_ref().clone(), remembered(spec)?));
                Ok(Built { strategy, remarks: Vec::new(), compiler: String::new() })
            }
            Work::Submission(submission) => build(submission, class, place),
        }
    }
}

fn build(submission: &Submission, class: &Class<'_>, place: &Path) -> Result<Built, Text> {
    let mut built = Built { strategy: None, remarks: submission.remarks.clone(), compiler: String::new() };
    let compile = class.course.compile.as_ref().filter(|_| submission.has_sources());
    let file = match (compile, &submission.ready) {
        (Some(rules), _) => {
            let name = file_names([submission.student.as_str()].into_iter()).concat();
            let library = std::path::absolute(place).map_err(refused(place))?.join(format!("{name}.so"));
            match submission.build(rules, class.cages, &library) {
                Ok(said) => {
                    built.compiler = said;
                    Some(library)
                }
                Err(not_built) => {
                    built.compiler = students_fault(not_built, class)?;
                    built.remarks.push(Remark::NotBuilt(first_error(&built.compiler)));
                    None
                }
            }
        }
        (None, Some(ready)) => {
            if class.course.compile.is_some() {
                built.remarks.push(Remark::AsSubmitted);
            }
            Some(ready.clone())
        }
        (None, None) => {
            built.remarks.push(Remark::Nothing);
            None
        }
    };
    if !built.compiler.is_empty() {
        write_into(place, "compiler.txt", &built.compiler)?;
    }
    if let Some(file) = file {
        built.strategy = Some(strategy(&file, submission, class)?);
    }
    Ok(built)
}

/// What the compiler said about sources that are wrong; an error if it is this machine that lacks something.
fn students_fault(not_built: NotBuilt, class: &Class<'_>) -> Result<String, Text> {
    match not_built {
        NotBuilt::Errors(said) => Ok(said),
        NotBuilt::Late(_) => Ok(not_built.words(class.language)),
        other => Err(Text::both(|language| other.words(language))),
    }
}

fn strategy(file: &Path, submission: &Submission, class: &Class<'_>) -> Result<(PlayerSpec, String), Text> {
    let unnamed = || text!("{}: this path cannot be used", "{}: 无法使用此路径", file.display());
    let text = spec_of_file(file, &class.rules).ok_or_else(unnamed)?;
    let spec: PlayerSpec = text.parse().map_err(|_| unnamed())?;
    let spec = spec.confined(class.course.threads);
    check(&spec, &class.rules, class.cages)?;
    let print = fingerprint(&submission.deciding_files())?;
    Ok((spec, format!("{} ({print})", submission.student)))
}
