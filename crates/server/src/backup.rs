//! A copy of a server's folder, made while the server runs. The copy is such a folder itself: a server that is started
//! with it goes on from there.

use std::fs;
use std::path::Path;

use crate::{CLASS, CONTESTS, LIBRARY, ServeError};

/// What was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// How many bytes the library has.
    pub library: u64,
    /// How many contests there are.
    pub contests: usize,
}

/// Copies the library and the contests of one folder to another, which must not be there yet and is whole or not there
/// at the end. The secret of whoever runs the server stays where it is.
pub fn back_up(data: &Path, to: &Path) -> Result<Copied, ServeError> {
    let library = data.join(LIBRARY);
    fs::metadata(&library).map_err(|error| ServeError::io(&library, error))?;
    if to.exists() {
        return Err(ServeError::io(to, std::io::ErrorKind::AlreadyExists.into()));
    }
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = to.with_file_name(name);
    let _ = fs::remove_dir_all(&part);
    let copied = copy_all(data, &part);
    let done = copied.and_then(|copied| {
        fs::rename(&part, to).map_err(|error| ServeError::io(to, error))?;
        Ok(copied)
    });
    if done.is_err() {
        let _ = fs::remove_dir_all(&part);
    }
    done
}

fn copy_all(data: &Path, part: &Path) -> Result<Copied, ServeError> {
    let at = |path: &Path| {
        let path = path.to_path_buf();
        move |error| ServeError::io(&path, error)
    };
    fs::create_dir_all(part).map_err(at(part))?;
    let (from, to) = (data.join(LIBRARY), part.join(LIBRARY));
    lianzi_store::copy(&from, &to).map_err(|error| ServeError::library(&from, &error))?;
    let library = fs::metadata(&to).map_err(at(&to))?.len();
    let folder = data.join(CONTESTS);
    let mut contests = 0;
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let from = entry.map_err(at(&folder))?.path();
        copy_folder(&from, &part.join(CONTESTS).join(from.file_name().unwrap_or_default())).map_err(at(&from))?;
        contests += 1;
    }
    let class = data.join(CLASS);
    if class.is_dir() {
        copy_folder(&class, &part.join(CLASS)).map_err(at(&class))?;
    }
    Ok(Copied { library, contests })
}

/// The files of a contest or a class. One that is written to just now may lack its last line, which is then played again.
fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
