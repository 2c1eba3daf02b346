//! Programs and their files: into the database in pieces, by the hash of what is in them, and out of it into a worker's
//! folder, where they are checked before anybody runs them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use lianzi_core::{Text, text};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::link::Link;
use crate::{QueueError, hex};

/// How many bytes a row has.
const CHUNK: usize = 1 << 20;

/// How large a player's files may be together, and how many there may be.
const LARGEST: u64 = 512 << 20;
const MOST: usize = 5_000;

/// What a file is known by.
type Hash = [u8; 32];

/// A file that belongs to a player.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Packed {
    /// Where it lies in the player's folder.
    pub name: String,
    /// What is in it, as hexadecimal digits.
    pub hash: String,
    /// How many bytes.
    pub size: u64,
    /// Whether it may be run.
    pub executable: bool,
}

/// What a player needs of this machine's disk: files, and the paths in its text that mean them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// The files.
    pub files: Vec<Packed>,
    /// What each path of the player's text means in its folder.
    pub paths: BTreeMap<String, String>,
}

/// A bundle while it is gathered, with where its files lie here.
#[derive(Default)]
pub struct Gathering {
    bundle: Bundle,
    sources: BTreeMap<String, PathBuf>,
    bytes: u64,
}

impl Gathering {
    /// Adds a file that the text names so.
    pub fn file(&mut self, path: &Path) -> Result<(), QueueError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let place = format!("{}/{name}", self.bundle.paths.len());
        self.add(path, place.clone())?;
        self.bundle.paths.insert(text_of(path)?, place);
        Ok(())
    }

    /// Adds a folder with all that is in it.
    pub fn folder(&mut self, path: &Path) -> Result<(), QueueError> {
        let place = format!("{}", self.bundle.paths.len());
        self.walk(path, &place)?;
        self.bundle.paths.insert(text_of(path)?, place);
        Ok(())
    }

    fn walk(&mut self, folder: &Path, place: &str) -> Result<(), QueueError> {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = entries.map_err(refused(folder))?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let place = format!("{place}/{}", name.to_str().ok_or_else(|| unnamed(&path))?);
            let kind = fs::metadata(&path).map_err(refused(&path))?;
            if kind.is_dir() {
                self.walk(&path, &place)?
            } else if kind.is_file() {
                self.add(&path, place)?
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, name: String) -> Result<(), QueueError> {
        // Looked at before it is read: what is too large may be larger than anybody waits for.
        self.bytes = self.bytes.saturating_add(fs::metadata(path).map_err(refused(path))?.len());
        if self.bytes > LARGEST || self.bundle.files.len() >= MOST {
            return Err(QueueError::Unfit(text!(
                "{}: a player's files may have {} MiB and be {MOST}, no more",
                "{}: 每名棋手的文件总共不得超过 {} MiB、{MOST} 个",
                path.display(),
                LARGEST >> 20
            )));
        }
        let (hash, size) = hash_of(path).map_err(refused(path))?;
        let executable = is_executable(path);
        self.bundle.files.push(Packed { name: name.clone(), hash: hex(&hash), size, executable });
        self.sources.insert(name, path.into());
        Ok(())
    }

    /// Whether one of the files is machine code.
    pub fn is_native(&self) -> bool {
        self.sources.values().any(|path| {
            let mut head = [0; 4];
            File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && &head == b"\x7fELF"
        })
    }

    /// What was gathered.
    pub fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// Puts the files into the database that are not there yet.
    pub fn put(&self, link: &Link) -> Result<(), QueueError> {
        for packed in &self.bundle.files {
            let hash = unhex(&packed.hash).ok_or_else(|| damaged(&packed.name))?;
            let there = link.query("SELECT FROM lianzi.files WHERE hash = $1", &[&hash.as_slice()])?;
            if there.is_empty() {
                let path = &self.sources[&packed.name];
                put_file(link, path, &hash, packed.size)?;
            }
        }
        Ok(())
    }
}

/// Puts a file in, all of it or nothing.
fn put_file(link: &Link, path: &Path, hash: &Hash, size: u64) -> Result<(), QueueError> {
    let mut file = File::open(path).map_err(refused(path))?;
    let mut sum = Sha256::new();
    link.within(async |transaction| {
        let insert = "INSERT INTO lianzi.chunks (hash, number, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        let insert = transaction.prepare(insert).await?;
        for number in 0.. {
            let mut piece = Vec::new();
            (&mut file).take(CHUNK as u64).read_to_end(&mut piece).map_err(refused(path))?;
            if piece.is_empty() {
                break;
            }
            sum.update(&piece);
            transaction.execute(&insert, &[&hash.as_slice(), &number, &piece]).await?;
        }
        // What changed meanwhile is another file: its pieces go with the transaction.
        if sum.clone().finalize().as_slice() != hash {
            return Err(QueueError::Unfit(text!("{} changes while it is read", "{} 在读取时发生变化", path.display())));
        }
        let insert = "INSERT INTO lianzi.files (hash, size) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        transaction.execute(insert, &[&hash.as_slice(), &(size as i64)]).await?;
        Ok(())
    })
}

/// Brings a player's files into a folder below this one, if they are not there and whole, and says where. That may take a
/// while: `between` is called after every piece.
pub fn fetch(
    link: &Link,
    bundle: &Bundle,
    cache: &Path,
    between: &mut dyn FnMut() -> Result<(), QueueError>,
) -> Result<PathBuf, QueueError> {
    let print = Sha256::digest(serde_json::to_vec(&bundle.files).expect("files have only texts and numbers"));
    let place = cache.join(hex(&print));
    if is_whole(&place, bundle) {
        return Ok(place);
    }
    fs::create_dir_all(cache).map_err(refused(cache))?;
    let scratch = tempfile::Builder::new().prefix("new").tempdir_in(cache).map_err(refused(cache))?;
    for packed in &bundle.files {
        let path = safe_join(scratch.path(), &packed.name).ok_or_else(|| damaged(&packed.name))?;
        fetch_file(link, packed, &path, between)?;
    }
    // Two workers of one machine may do this at once; what is there and whole stays.
    if place.exists() && !is_whole(&place, bundle) {
        fs::remove_dir_all(&place).map_err(refused(&place))?;
    }
    let renamed = fs::rename(scratch.path(), &place);
    if renamed.is_err() && !is_whole(&place, bundle) {
        renamed.map_err(refused(&place))?;
    }
    Ok(place)
}

fn fetch_file(
    link: &Link,
    packed: &Packed,
    path: &Path,
    between: &mut dyn FnMut() -> Result<(), QueueError>,
) -> Result<(), QueueError> {
    let hash = unhex(&packed.hash).ok_or_else(|| damaged(&packed.name))?;
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(refused(folder))?;
    let mut file = File::create(path).map_err(refused(path))?;
    let (mut sum, mut size) = (Sha256::new(), 0);
    for number in 0_i32.. {
        let ask = "SELECT bytes FROM lianzi.chunks WHERE hash = $1 AND number = $2";
        let Some(row) = link.query(ask, &[&hash.as_slice(), &number])?.into_iter().next() else { break };
        let piece: &[u8] = row.get(0);
        size += piece.len() as u64;
        if size > packed.size {
            return Err(damaged(&packed.name));
        }
        sum.update(piece);
        file.write_all(piece).map_err(refused(path))?;
        between()?;
    }
    if sum.finalize().as_slice() != hash {
        return Err(damaged(&packed.name));
    }
    set_executable(path, packed.executable).map_err(refused(path))
}

/// Whether all files of a bundle are in a folder as they should be.
fn is_whole(folder: &Path, bundle: &Bundle) -> bool {
    let right = |packed: &Packed| {
        let hash = safe_join(folder, &packed.name).and_then(|path| hash_of(&path).ok());
        hash.is_some_and(|(hash, _)| hex(&hash) == packed.hash)
    };
    folder.is_dir() && bundle.files.iter().all(right)
}

/// A path below the folder, never elsewhere: names come from the database.
pub(crate) fn safe_join(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (plain && !name.is_empty()).then(|| folder.join(path))
}

fn hash_of(path: &Path) -> io::Result<(Hash, u64)> {
    let mut sum = Sha256::new();
    let size = io::copy(&mut File::open(path)?, &mut sum)?;
    Ok((sum.finalize().into(), size))
}

fn unhex(text: &str) -> Option<Hash> {
    let mut hash = [0; 32];
    for (n, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    (text.len() == 64).then_some(hash)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(unix)]
fn set_executable(path: &Path, executable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

#[cfg(not(unix))]
fn set_executable(_: &Path, _: bool) -> io::Result<()> {
    Ok(())
}

fn text_of(path: &Path) -> Result<String, QueueError> {
    path.to_str().map(str::to_string).ok_or_else(|| unnamed(path))
}

fn unnamed(path: &Path) -> QueueError {
    QueueError::Unfit(text!("{}: this path cannot be used", "{}: 无法使用此路径", path.display()))
}

fn damaged(name: &str) -> QueueError {
    QueueError::Refused(format!("the file {} in the database is damaged", lianzi_core::shorten(name)))
}

pub(crate) fn refused(path: &Path) -> impl Fn(io::Error) -> QueueError {
    let path = path.to_path_buf();
    move |error| QueueError::Unfit(Text::both(|language| format!("{}: {}", path.display(), language.system(&error))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_a_database_stay_below_the_folder() {
        let folder = Path::new("/cache");
        assert_eq!(safe_join(folder, "0/a.so"), Some("/cache/0/a.so".into()));
        for bad in ["", "..", "0/../../x", "/etc/passwd", "./x"] {
            assert!(safe_join(folder, bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_player_may_bring_so_much_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large");
        // All holes: it takes no room here, and is not read either.
        File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        let refused = Gathering::default().file(&large).unwrap_err();
        assert!(matches!(&refused, QueueError::Unfit(why) if why.english.contains("512 MiB")), "{refused:?}");
        fs::remove_file(&large).unwrap();
        for n in 0..=MOST {
            fs::write(folder.path().join(n.to_string()), "").unwrap();
        }
        assert!(matches!(Gathering::default().folder(folder.path()), Err(QueueError::Unfit(_))));
        fs::remove_file(folder.path().join("0")).unwrap();
        assert_eq!(Gathering::default().folder(folder.path()), Ok(()));
    }

    #[test]
    fn hashes_are_read_as_they_are_written() {
        let hash: Hash = Sha256::digest(b"x").into();
        assert_eq!(unhex(&hex(&hash)), Some(hash));
        assert_eq!((unhex("00"), unhex(&"g".repeat(64))), (None, None));
    }
}
