//! A class: learners keep their progress here under a name, one file each, and the teacher sees everybody's.

use std::io;
use std::path::{Path, PathBuf};

use lianzi_core::text;
use lianzi_store::hash;
use lianzi_talk::Refusal;
use lianzi_talk::train::Trainer;
use lianzi_train::{Day, Progress};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::secret::{is_id, new_id, new_token};
use crate::words::broken;

/// How many learners a class has, and how long a name may be.
const LEARNERS: usize = 1000;
const NAME: usize = 40;

/// The learners of a class.
pub struct Class {
    folder: PathBuf,
}

/// A learner, as the file has it; the secret is kept as its hash.
#[derive(Serialize, Deserialize)]
struct Learner {
    name: String,
    key: String,
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
    /// The class of this folder, which is made if it is not there.
    pub fn open(folder: PathBuf) -> io::Result<Class> {
        std::fs::create_dir_all(&folder)?;
        Ok(Class { folder })
    }

    /// A new learner of this name.
    pub fn join(&self, name: &str, day: Day) -> Result<Joined, Refusal> {
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(NAME).collect();
        if name.is_empty() {
            return Err(Refusal::bad("say your name", "请填写姓名"));
        }
        if self.ids().map_err(broken)?.len() >= LEARNERS {
            return Err(Refusal::much(text!("this class has {LEARNERS} learners already", "此班已有 {LEARNERS} 人")));
        }
        let (id, secret) = (new_id()?, new_token()?);
        self.write(&id, &Learner { name, key: key(&secret), seen: day, progress: None })?;
        Ok(Joined { id, secret })
    }

    /// Keeps a learner's progress.
    pub fn keep(&self, id: &str, secret: &str, progress: Value, day: Day) -> Result<(), Refusal> {
        let learner = self.own(id, secret)?;
        Progress::read(&progress.to_string()).map_err(|bad| lianzi_core::Speak::text(&bad))?;
        self.write(id, &Learner { progress: Some(progress), seen: day, ..learner })
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

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    lianzi_cage::disk::write_whole(path, bytes)
}

fn key(secret: &str) -> String {
    hash(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn nobody() -> Refusal {
    Refusal::missing("there is no such learner, or the secret is another one", "没有这位学员，或密钥不符")
}
