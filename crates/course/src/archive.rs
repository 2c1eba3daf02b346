//! Archives as students hand them in, unpacked without trust: no path leaves the folder, links and devices are left out, and
//! both how much comes out and how many files are bounded, whatever the archive says of itself.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;
use lianzi_core::shown;

/// No archive has more files.
const MOST: usize = 2000;
/// The endings of archives that can be unpacked.
const ENDINGS: [&str; 3] = [".zip", ".tar.gz", ".tgz"];
/// Those of archives that cannot.
const FOREIGN: [&str; 9] = [".tar.bz2", ".tar.xz", ".tar", ".rar", ".7z", ".gz", ".bz2", ".xz", ".zst"];

/// The name of an archive without its ending; `None` if it is no archive.
pub fn stem(name: &str) -> Option<&str> {
    cut(name, &ENDINGS)
}

/// The same of an archive that cannot be unpacked.
pub fn foreign_stem(name: &str) -> Option<&str> {
    cut(name, &FOREIGN).filter(|_| stem(name).is_none())
}

fn cut<'a>(name: &'a str, endings: &[&str]) -> Option<&'a str> {
    let ending = endings.iter().find(|ending| name.to_lowercase().ends_with(**ending))?;
    name.get(..name.len() - ending.len())
}

/// Unpacks an archive into a folder, at most so many bytes; the names of what was left out.
pub fn unpack(archive: &Path, to: &Path, largest: u64) -> io::Result<Vec<String>> {
    let file = File::open(archive)?;
    let mut target = Target { folder: to, left: largest, files: 0, left_out: Vec::new() };
    let zipped = archive.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("zip"));
    if zipped {
        target.zip(file)?
    } else {
        target.tar(file, largest)?
    }
    Ok(target.left_out)
}

/// Where an archive goes, and how much of it still may.
struct Target<'a> {
    folder: &'a Path,
    left: u64,
    files: usize,
    left_out: Vec<String>,
}

impl Target<'_> {
    fn zip(&mut self, file: File) -> io::Result<()> {
        let mut archive = zip::ZipArchive::new(file)?;
        for n in 0..archive.len() {
            let mut entry = archive.by_index(n)?;
            let name = PathBuf::from(String::from_utf8_lossy(entry.name_raw()).replace('\\', "/"));
            let plain = !entry.is_symlink();
            if !entry.is_dir() {
                self.take(&name, plain, &mut entry)?;
            }
        }
        Ok(())
    }

    fn tar(&mut self, file: File, largest: u64) -> io::Result<()> {
        // What is left out must be read past all the same.
        let bounded = GzDecoder::new(file).take(largest.saturating_mul(2));
        for entry in tar::Archive::new(bounded).entries()? {
            let mut entry = entry?;
            let (name, kind) = (entry.path()?.into_owned(), entry.header().entry_type());
            if !kind.is_dir() && !kind.is_pax_global_extensions() {
                self.take(&name, kind.is_file(), &mut entry)?;
            }
        }
        Ok(())
    }

    /// Writes one file, if it is one and stays inside.
    fn take(&mut self, name: &Path, plain: bool, content: &mut dyn Read) -> io::Result<()> {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !plain || !name.components().all(inside) || name.file_name().is_none() {
            self.left_out.push(shown(&name.to_string_lossy()));
            return Ok(());
        }
        self.files += 1;
        if self.files > MOST {
            return Err(too_large());
        }
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(self.folder))?;
        let written = io::copy(&mut content.take(self.left + 1), &mut File::create(&path)?)?;
        self.left = self.left.checked_sub(written).ok_or_else(too_large)?;
        Ok(())
    }
}

fn too_large() -> io::Error {
    io::ErrorKind::FileTooLarge.into()
}
