//! Who is graded: ready strategies and submissions, found where the user said.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lianzi_cage::NotBuilt;
use lianzi_core::{Speak, Text, known_reason, shown, text};
use lianzi_players::{Kind, PlayerSpec};

use super::Course;
use super::archive;
use super::class::{Class, check, read_player};
use super::files::{Unusable, file_names, fingerprint, hindered, is_plain, refused, remembered, write_into};
use super::ladder::{is_meant, spec_of_file};
use super::remark::Remark;
use super::submission::{Submission, UNITS, first_error};
use super::tree::{Bounds, is_of_the_system};

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
    /// Nothing that could be looked at, for this reason.
    Nothing(Remark),
    /// This machine lacked something to look at it.
    Unseen(Text),
}

/// A candidate as it will play.
#[derive(Default)]
pub struct Built {
    /// The player, and how the contest's folder remembers it; nothing if there is nobody to play.
    pub strategy: Option<(PlayerSpec, String)>,
    /// What a teacher should know.
    pub remarks: Vec<Remark>,
    /// What the compiler said.
    pub compiler: String,
    /// What this machine lacked to make a player of it.
    pub lacks: Option<Text>,
}

impl Built {
    /// Takes what there is to play, or notes why there is nobody.
    fn take(&mut self, strategy: Result<(PlayerSpec, String), Unusable>) {
        match strategy {
            Ok(strategy) => self.strategy = Some(strategy),
            Err(Unusable::Wrong(why)) => self.remarks.push(Remark::Unusable(why)),
            Err(Unusable::Shortage(why)) => self.lacks = Some(why),
        }
    }
}

/// All candidates that these names mean, and what lies among them and is none.
pub fn candidates(names: &[String], class: &Class<'_>) -> Result<(Vec<Candidate>, Vec<String>), Text> {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for name in names {
        let path = Path::new(name);
        match path.is_dir() {
            true if is_submission(path, &class.course) => found.push(Candidate::submitted(path, class)?),
            true => found.extend(in_folder(path, class, &mut others)?),
            false if is_archive(path) => found.push(Candidate::submitted(path, class)?),
            false if path.is_file() && lone(path, &class.course).is_some() => {
                found.extend(Candidate::found(path, class)?)
            }
            false => found.push(Candidate::ready(name, class)?),
        }
    }
    Ok((found, others))
}

/// The submissions and strategies in a folder, by name; what is neither joins the others.
fn in_folder(folder: &Path, class: &Class<'_>, others: &mut Vec<String>) -> Result<Vec<Candidate>, Text> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut paths: Vec<PathBuf> = entries.map_err(refused(folder))?.iter().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let name = file_name(&path);
        if name.starts_with('.') || is_of_the_system(&name) {
            continue;
        }
        match Candidate::found(&path, class) {
            Ok(Some(candidate)) => found.push(candidate),
            Ok(None) => others.push(shown(&name)),
            Err(Unusable::Shortage(why)) => found.push(Candidate::without(&path, Work::Unseen(why))),
            // What this machine has not, it has for nobody.
            Err(Unusable::Wrong(why)) if class.cages.check().is_err() => return Err(why),
            Err(Unusable::Wrong(why)) => found.push(Candidate::without(&path, Work::Nothing(Remark::Unusable(why)))),
        }
    }
    if found.is_empty() {
        return Err(text!(
            "{}: there is nothing to grade in this folder; put strategies, submissions or their archives there",
            "{}: 文件夹中没有可评分的策略；请放入策略文件、提交的文件夹或压缩包",
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

/// What to say of a file that somebody handed in and that cannot be taken as it is.
fn lone(path: &Path, course: &Course) -> Option<Remark> {
    let name = file_name(path);
    if archive::foreign_stem(&name).is_some() {
        return Some(Remark::Foreign(shown(&name)));
    }
    let kind = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let source = course.compile.is_some() && (UNITS.contains(&kind.as_str()) || kind == "rs");
    source.then(|| Remark::Bare(shown(&name)))
}

/// Whether this is the name of an archive that can be unpacked.
fn is_archive(path: &Path) -> bool {
    archive::stem(&file_name(path)).is_some()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Candidate {
    /// Who stands behind an entry of a class's folder; nobody behind what is neither a submission nor a strategy.
    fn found(path: &Path, class: &Class<'_>) -> Result<Option<Candidate>, Unusable> {
        let metadata = fs::symlink_metadata(path).map_err(hindered(path))?;
        if metadata.is_dir() || (metadata.is_file() && is_archive(path)) {
            return Candidate::submitted(path, class).map(Some);
        }
        // What is no plain file may have stood for anything.
        if metadata.is_file() && !is_meant(path, &class.rules) {
            return Ok(lone(path, &class.course).map(|remark| Candidate::without(path, Work::Nothing(remark))));
        }
        let name = shown(&file_name(path));
        let remark = match spec_of_file(path, &class.rules) {
            _ if !is_plain(path, class.course.submission.largest << 20) => Remark::Refused(name),
            None => Remark::Unnamable(name),
            Some(spec) => return Candidate::ready(&spec, class).map(Some),
        };
        Ok(Some(Candidate::without(path, Work::Nothing(remark))))
    }

    /// Somebody of whom there is only a name.
    fn without(path: &Path, work: Work) -> Candidate {
        let whole = file_name(path);
        let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let archive = archive::stem(&whole).or_else(|| archive::foreign_stem(&whole));
        let name = archive.map_or_else(stem, String::from);
        let (student, system) = name.rsplit_once('_').unwrap_or((&name, ""));
        let (student, system) = (student.to_string(), system.to_string());
        Candidate { name, student, system, work }
    }

    fn ready(text: &str, class: &Class<'_>) -> Result<Candidate, Unusable> {
        let spec = class.course.bounded(read_player(text, &class.rules)?);
        check(&spec, &class.rules, class.cages)?;
        let name = spec.name.clone();
        let work = Work::Ready(Box::new(spec));
        Ok(Candidate { student: name.clone(), name, system: String::new(), work })
    }

    fn submitted(folder: &Path, class: &Class<'_>) -> Result<Candidate, Unusable> {
        // The name of `.` is not in it.
        let whole = folder.canonicalize().map_err(hindered(folder))?;
        let name = file_name(&whole);
        let name = archive::stem(&name).filter(|_| whole.is_file()).unwrap_or(&name).to_string();
        let scratch = || class.cages.scratch().folder();
        let bounds = Bounds { scratch: &scratch, largest: class.course.submission.largest << 20 };
        let found = Submission::inspect(&whole, &name, &class.course, &bounds).map_err(unopened(folder))?;
        let (student, system) = (found.student.clone(), found.system.clone());
        Ok(Candidate { name, student, system, work: Work::Submission(Box::new(found)) })
    }

    /// The sources it was made of, with their names, as far as they came along.
    pub fn sources(&self) -> Vec<(PathBuf, PathBuf)> {
        match &self.work {
            Work::Submission(submission) => submission.work(),
            Work::Ready(spec) => match &spec.kind {
                Kind::Strategy(strategy) => vec![(strategy.file.clone(), strategy.file.clone())],
                _ => Vec::new(),
            },
            Work::Nothing(_) | Work::Unseen(_) => Vec::new(),
        }
    }

    /// Makes a player of it, compiled into this folder if need be.
    pub fn build(&self, class: &Class<'_>, place: &Path) -> Result<Built, Text> {
        match &self.work {
            Work::Ready(spec) => {
                let mut built = Built::default();
                built.take(remembered(spec).map(|text| (spec.as_ref().clone(), text)));
                Ok(built)
            }
            Work::Submission(submission) => build(submission, class, place),
            Work::Nothing(remark) => Ok(Built { remarks: vec![remark.clone()], ..Built::default() }),
            Work::Unseen(why) => Ok(Built { lacks: Some(why.clone()), ..Built::default() }),
        }
    }
}

/// What the system refused on a submission; of an archive, what is wrong with it.
fn unopened(path: &Path) -> impl Fn(io::Error) -> Unusable {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof, Unsupported};
    move |error| {
        let broken = matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof | Unsupported);
        if !broken || !is_archive(path) {
            return hindered(path)(error);
        }
        let path = path.display();
        Unusable::Wrong(text!(
            "{path}: this archive cannot be unpacked ({error}); it is broken, locked by a password, or of another kind than its name says",
            "{path}: 无法解压（{error}）：压缩包已损坏、设有密码，或并非文件名所示的格式"
        ))
    }
}

fn build(submission: &Submission, class: &Class<'_>, place: &Path) -> Result<Built, Text> {
    let mut built = Built { remarks: submission.remarks.clone(), ..Built::default() };
    let compile = class.course.compile.as_ref().filter(|_| submission.has_sources());
    let file = match (compile, &submission.ready) {
        (Some(rules), _) => {
            let name = file_names([submission.student.as_str()].into_iter()).concat();
            let name = if class.course.starts_programs() { name } else { name + ".so" };
            let library = std::path::absolute(place).map_err(refused(place))?.join(name);
            match submission.build(&class.course, rules, class.cages, &library) {
                Ok((said, remarks)) => {
                    built.compiler = said;
                    built.remarks.extend(remarks);
                    Some(library)
                }
                Err(NotBuilt::Shortage(why)) => return Ok(Built { lacks: Some(known_reason(&why)), ..built }),
                // Who writes in another language than the course's neither stops the rest nor pays for what is not here.
                Err(none @ NotBuilt::Compiler(_)) if none != NotBuilt::Compiler(rules.compiler.clone()) => {
                    return Ok(Built { lacks: Some(none.text()), ..built });
                }
                Err(not_built) => {
                    built.compiler = students_fault(not_built, class)?;
                    built.remarks.push(Remark::NotBuilt(first_error(&built.compiler)));
                    None
                }
            }
        }
        (None, Some(ready)) => {
            if class.course.compile.is_some() && !class.course.starts_programs() {
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
        match strategy(&file, submission, class) {
            Err(Unusable::Wrong(why)) if class.cages.check().is_err() => return Err(why),
            strategy => built.take(strategy),
        }
    }
    Ok(built)
}

/// What the compiler said about sources that are wrong; an error if it is this machine that lacks something.
fn students_fault(not_built: NotBuilt, class: &Class<'_>) -> Result<String, Text> {
    match not_built {
        NotBuilt::Errors(said) => Ok(said),
        NotBuilt::Late(_) | NotBuilt::File(..) => Ok(not_built.words(class.language)),
        other => Err(Text::both(|language| other.words(language))),
    }
}

fn strategy(file: &Path, submission: &Submission, class: &Class<'_>) -> Result<(PlayerSpec, String), Unusable> {
    let unnamed = || text!("{}: this path cannot be used", "{}: 无法使用此路径", file.display());
    let text = spec_of_file(file, &class.rules).ok_or_else(unnamed)?;
    let spec = class.course.bounded(text.parse().map_err(|_| unnamed())?);
    check(&spec, &class.rules, class.cages)?;
    let print = fingerprint(&submission.deciding_files())?;
    Ok((spec, format!("{} ({print})", submission.student)))
}
