//! An earlier grading of a class, to show what has changed since the last hand-in.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use lianzi_core::{Speak, Text, text};
use serde_json::Value;

use super::files::refused;
use super::sheet::{self, number};

/// A folder that an earlier `grade --out` wrote.
pub struct Previous {
    folder: PathBuf,
    totals: HashMap<String, f64>,
}

/// What has changed for one student.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// What was known of the mark then.
    pub before: f64,
    /// How much more it is now.
    pub gained: f64,
    /// Whether the same files were handed in again.
    pub same_files: bool,
}

impl Previous {
    /// Reads the sheet of an earlier grading.
    pub fn read(folder: &Path) -> Result<Previous, Text> {
        let path = folder.join("marks.csv");
        let text = fs::read_to_string(&path).map_err(refused(&path))?;
        let totals = sheet::totals(&text).ok_or_else(|| {
            text!("{}: this is no mark sheet that grade wrote", "{}: 不是 grade 写出的成绩表", path.display())
        })?;
        Ok(Previous { folder: folder.into(), totals })
    }

    /// What has changed for a student who has this mark now, and whose contest is remembered by this text; nothing for one who
    /// was not there.
    pub fn change(&self, student: &str, total: f64, folder: &str, remembered: Option<&str>) -> Option<Change> {
        let before = *self.totals.get(student)?;
        let files = [folder, ""].iter().find_map(|folder| remembered_in(&self.folder.join(folder)));
        let same_files = files.is_some() && files.as_deref() == remembered;
        Some(Change { before, gained: total - before, same_files })
    }

    /// Those who handed in then and are not among these.
    pub fn gone(&self, students: &[&str]) -> Vec<&str> {
        let absent = self.totals.keys().map(String::as_str).filter(|student| !students.contains(student));
        let mut gone: Vec<&str> = absent.collect();
        gone.sort_unstable();
        gone
    }
}

/// How a contest's folder remembers the one who was graded.
fn remembered_in(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("contest.json")).ok()?;
    let contest: Value = serde_json::from_str(&text).ok()?;
    Some(contest["players"][0]["spec"].as_str()?.to_string())
}

impl Speak for Change {
    fn text(&self) -> Text {
        let (before, sign) = (number(self.before), if self.gained < 0.0 { "" } else { "+" });
        let gained = format!("{sign}{}", number(self.gained));
        if self.same_files {
            text!("{gained} since {before}, same files", "较上次 {before} 分 {gained}，文件未变")
        } else {
            text!("{gained} since {before}", "较上次 {before} 分 {gained}")
        }
    }
}
