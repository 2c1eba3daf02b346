//! What somebody handed in, as a list of plain files: a folder however nested, or an archive. It comes from a stranger, so
//! nothing is followed if it is a link, and nothing is taken that is too large, too deep or no file at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lianzi_cage::shortage::is_shortage;
use lianzi_core::shown;
use tempfile::TempDir;

use super::archive;

/// No submission is nested deeper, and none has more files.
const DEEPEST: usize = 10;
const MOST: usize = 2000;
/// How many archives within a folder are unpacked.
const ARCHIVES: usize = 4;

/// A file that was handed in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// How deep it lies: what lies higher comes first.
    depth: usize,
    /// Its place in what was handed in.
    pub name: PathBuf,
    /// Where it lies now.
    pub path: PathBuf,
}

impl Part {
    /// Its extension in small letters.
    pub fn kind(&self) -> String {
        self.name.extension().unwrap_or_default().to_string_lossy().to_lowercase()
    }

    /// What it is called, without folders.
    pub fn file_name(&self) -> String {
        self.name.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Its place as people may see it.
    pub fn shown(&self) -> String {
        shown(&self.name.to_string_lossy())
    }
}

/// All that was handed in.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The plain files, those that lie higher first.
    pub parts: Vec<Part>,
    /// What is no plain file, too large, or cannot be read.
    pub refused: Vec<String>,
    /// What a system adds by itself.
    pub ignored: Vec<String>,
    /// The archives that were unpacked.
    pub unpacked: Vec<String>,
    /// Archives that cannot be unpacked, where there is nothing else.
    pub unopened: Vec<String>,
    /// The folders in which everything else lies, from the outside in.
    pub wrappers: Vec<String>,
    /// Where archives were unpacked; they go with the last who needs them.
    scratch: Vec<Rc<TempDir>>,
}

/// Where archives are unpacked, and how large a file may be.
pub struct Bounds<'a> {
    /// Makes a folder that goes when it is dropped.
    pub scratch: &'a dyn Fn() -> io::Result<TempDir>,
    /// Bytes of a file, and of all that comes out of an archive.
    pub largest: u64,
}

impl Tree {
    /// Reads a folder or an archive. An archive within a folder is unpacked if `lacks` says that the folder alone will not do.
    pub fn read(path: &Path, bounds: &Bounds<'_>, lacks: &dyn Fn(&Tree) -> bool) -> io::Result<Tree> {
        let mut tree = Tree::default();
        if fs::symlink_metadata(path)?.is_dir() {
            tree.walk(path, Path::new(""), 0, bounds)?;
            let is_archive = |part: &&Part| archive::stem(&part.file_name()).is_some();
            let archives: Vec<Part> = tree.parts.iter().filter(is_archive).take(ARCHIVES).cloned().collect();
            if !archives.is_empty() && lacks(&tree) {
                archives.iter().try_for_each(|part| tree.unpack_within(part, bounds))?;
            }
        } else {
            tree.unpack(path, Path::new(""), bounds)?;
        }
        let foreign = tree.parts.iter().filter(|part| archive::foreign_stem(&part.file_name()).is_some());
        tree.unopened = foreign.filter(|_| lacks(&tree)).map(Part::shown).collect();
        tree.parts.sort();
        tree.find_wrappers();
        Ok(tree)
    }

    fn unpack_within(&mut self, part: &Part, bounds: &Bounds<'_>) -> io::Result<()> {
        let place = part.name.parent().unwrap_or(Path::new("")).to_path_buf();
        let done = self.unpack(&part.path, &place, bounds);
        self.or_refused(done, part.shown())
    }

    /// What cannot be read or unpacked is refused, and the rest stays; but what this machine lacks, nobody is refused for.
    fn or_refused(&mut self, done: io::Result<()>, name: String) -> io::Result<()> {
        match done {
            Err(error) if !is_shortage(&error) => self.refused.push(name),
            done => return done,
        }
        Ok(())
    }

    fn unpack(&mut self, file: &Path, place: &Path, bounds: &Bounds<'_>) -> io::Result<()> {
        let metadata = fs::symlink_metadata(file)?;
        if !metadata.is_file() || metadata.len() > bounds.largest {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let scratch = (bounds.scratch)()?;
        self.refused.extend(archive::unpack(file, scratch.path(), bounds.largest)?);
        self.walk(scratch.path(), place, 0, bounds)?;
        self.unpacked.push(shown(&file.file_name().unwrap_or_default().to_string_lossy()));
        self.scratch.push(Rc::new(scratch));
        Ok(())
    }

    fn walk(&mut self, folder: &Path, place: &Path, depth: usize, bounds: &Bounds<'_>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (name, path) = (place.join(entry.file_name()), entry.path());
            let metadata = fs::symlink_metadata(&path)?;
            let title = || shown(&name.to_string_lossy());
            if is_of_the_system(&entry.file_name().to_string_lossy()) {
                self.ignored.push(title());
            } else if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            } else if metadata.is_dir() && depth < DEEPEST {
                let done = self.walk(&path, &name, depth + 1, bounds);
                self.or_refused(done, title())?;
            } else if metadata.is_file() && metadata.len() <= bounds.largest && self.parts.len() < MOST {
                self.parts.push(Part { depth: name.components().count(), name, path });
            } else {
                self.refused.push(title());
            }
        }
        Ok(())
    }

    /// Zip programs put a folder into a folder of the same name, and some students one more around it.
    fn find_wrappers(&mut self) {
        let Some(first) = self.parts.first().and_then(|part| part.name.parent()) else { return };
        for part in first.components() {
            let within = self.wrappers.iter().collect::<PathBuf>().join(part);
            if !self.parts.iter().all(|part| part.name.starts_with(&within)) {
                break;
            }
            self.wrappers.push(part.as_os_str().to_string_lossy().into_owned());
        }
    }
}

/// Whether a system makes such files by itself, and nobody hands them in on purpose.
pub fn is_of_the_system(name: &str) -> bool {
    const MADE: [&str; 4] = ["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"];
    name.starts_with("._") || MADE.contains(&name)
}
