//! A class: learners keep their progress here under a name, one file each, and the teacher sees everybody's.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lianzi_core::text;
use lianzi_store::{Hash, hash};
use lianzi_talk::Refusal;
use lianzi_talk::train::Trainer;
use lianzi_train::{Day, Progress};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bounds::{IDLE_DAYS, Most};
use crate::secret::{is_id, new_id, new_token};
use crate::words::broken;

/// How long a name may be.
const NAME: usize = 40;

/// The learners of a class.
pub struct Class {
    folder: PathBuf,
    most: Most,
    /// Everybody, by their ids.
    learners: Mutex<HashMap<String, Seat>>,
}

/// What decides whether a learner makes room for another.
struct Seat {
    visitor: Option<String>,
    seen: Day,
    /// Whether nothing was learnt yet.
    idle: bool,
}

/// A learner, as the file has it; the secret is kept as its hash.
#[derive(Serialize, Deserialize)]
struct Learner {
    name: String,
    key: String,
    /// Who joined, as the library knows visitors.
    #[serde(default)]
    visitor: Option<String>,
    seen: Day,
    progress: Option<Value>,
}

/// Who joined.
#[derive(Serialize)]
pub struct Joined {
    id: String,
    secret: String,
}

impl Class {
    /// The class of this folder, which is made if it is not there; it has so many learners.
    pub fn open(folder: PathBuf, most: Most) -> io::Result<Class> {
        std::fs::create_dir_all(&folder)?;
        let class = Class { folder, most, learners: Mutex::default() };
        for id in class.ids()? {
            // One whose file cannot be read is for the teacher to remove.
            let seat = class.read(&id).map_or(Seat::UNKNOWN, |learner| Seat::of(&learner));
            class.lock().insert(id, seat);
        }
        Ok(class)
    }

    /// A new learner of this name.
    pub fn join(&self, name: &str, visitor: Hash, day: Day) -> Result<Joined, Refusal> {
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(NAME).collect();
        if name.is_empty() {
            return Err(Refusal::bad("say your name", "请填写姓名"));
        }
        let (id, secret) = (new_id()?, new_token()?);
        let learner = Learner { name, key: key(&secret), visitor: Some(written(&visitor)), seen: day, progress: None };
        let mut learners = self.lock();
        self.make_room(&mut learners, &learner)?;
        self.write(&id, &learner)?;
        learners.insert(id.clone(), Seat::of(&learner));
        Ok(Joined { id, secret })
    }

    /// Makes sure that one more fits in. Who joined and learnt nothing goes first.
    fn make_room(&self, learners: &mut HashMap<String, Seat>, new: &Learner) -> Result<(), Refusal> {
        if self.full(learners, new).is_none() {
            return Ok(());
        }
        learners.retain(|id, seat| {
            let stays = !seat.idle || new.seen.since(seat.seen) <= IDLE_DAYS;
            stays || self.remove(id).is_err()
        });
        self.full(learners, new).map_or(Ok(()), Err)
    }

    /// Why nobody more can join, if so.
    fn full(&self, learners: &HashMap<String, Seat>, new: &Learner) -> Option<Refusal> {
        let Most { all, each } = self.most;
        if learners.len() >= all {
            return Some(Refusal::busy(
                format!("this class has {all} learners already; the teacher can remove some"),
                format!("此班已有 {all} 人；教师可移除一些"),
            ));
        }
        let own = learners.values().filter(|seat| seat.visitor == new.visitor).count();
        (own >= each).then(|| {
            Refusal::much(text!(
                "{each} learners have joined from here already; the teacher can remove some",
                "从此处加入的学员已有 {each} 人；教师可移除一些"
            ))
        })
    }

    /// Keeps a learner's progress.
    pub fn keep(&self, id: &str, secret: &str, progress: Value, day: Day) -> Result<(), Refusal> {
        let mut learners = self.lock();
        let learner = self.own(id, secret)?;
        Progress::read(&progress.to_string()).map_err(|bad| lianzi_core::Speak::text(&bad))?;
        let learner = Learner { progress: Some(progress), seen: day, ..learner };
        self.write(id, &learner)?;
        learners.insert(id.into(), Seat::of(&learner));
        Ok(())
    }

    /// A learner's name and progress.
    pub fn get(&self, id: &str, secret: &str) -> Result<Value, Refusal> {
        let learner = self.own(id, secret)?;
        Ok(json!({"name": learner.name, "progress": learner.progress}))
    }

    /// Forgets a learner; `anybody` if whoever asks may forget everybody.
    pub fn forget(&self, id: &str, secret: &str, anybody: bool) -> Result<(), Refusal> {
        if !anybody {
            self.own(id, secret)?;
        }
        let mut learners = self.lock();
        self.remove(id)?;
        learners.remove(id);
        Ok(())
    }

    fn remove(&self, id: &str) -> Result<(), Refusal> {
        std::fs::remove_file(self.file(id)?).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => nobody(),
            _ => broken(error),
        })
    }

    /// Everybody, by name, as the teacher sees them.
    pub fn everybody(&self, trainer: &Trainer, day: Day) -> Result<Value, Refusal> {
        let mut learners = Vec::new();
        for id in self.ids().map_err(broken)? {
            // Whoever left meanwhile is not told of.
            let Ok(learner) = self.read(&id) else { continue };
            let progress = learner.progress.and_then(|progress| Progress::read(&progress.to_string()).ok());
            let progress = progress.unwrap_or_default();
            learners.push(json!({
                "id": id, "name": learner.name, "seen": learner.seen, "summary": progress.summary(day),
                "sets": trainer.report(&progress),
            }));
        }
        learners.sort_by_key(|learner| (learner["name"].to_string(), learner["id"].to_string()));
        Ok(json!({"learners": learners}))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Seat>> {
        self.learners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn own(&self, id: &str, secret: &str) -> Result<Learner, Refusal> {
        let learner = self.read(id)?;
        if learner.key == key(secret) { Ok(learner) } else { Err(nobody()) }
    }

    fn ids(&self) -> io::Result<Vec<String>> {
        let names = std::fs::read_dir(&self.folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.filter_map(|name| Some(name.strip_suffix(".json").filter(|id| is_id(id))?.to_string())).collect())
    }

    fn file(&self, id: &str) -> Result<PathBuf, Refusal> {
        if is_id(id) { Ok(self.folder.join(format!("{id}.json"))) } else { Err(nobody()) }
    }

    fn read(&self, id: &str) -> Result<Learner, Refusal> {
        let text = std::fs::read_to_string(self.file(id)?).map_err(|_| nobody())?;
        serde_json::from_str(&text).map_err(broken)
    }

    fn write(&self, id: &str, learner: &Learner) -> Result<(), Refusal> {
        let text = serde_json::to_vec(learner).map_err(broken)?;
        write(&self.file(id)?, &text).map_err(broken)
    }
}

impl Seat {
    /// Of somebody of whom nothing is known.
    const UNKNOWN: Seat = Seat { visitor: None, seen: Day::new(0), idle: false };

    fn of(learner: &Learner) -> Seat {
        let read = |progress: &Value| Progress::read(&progress.to_string()).ok();
        let idle = learner.progress.as_ref().is_none_or(|progress| read(progress) == Some(Progress::default()));
        Seat { visitor: learner.visitor.clone(), seen: learner.seen, idle }
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    lianzi_cage::disk::write_whole(path, bytes)
}

fn key(secret: &str) -> String {
    written(&hash(secret))
}

fn written(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn nobody() -> Refusal {
    Refusal::missing("there is no such learner, or the secret is another one", "没有这位学员，或密钥不符")
}
