//! The lessons there are: those of the program, and those that a teacher adds.

use lianzi_core::Text;

use crate::lesson::{BadLesson, Lesson};

include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// Lessons, in their order.
#[derive(Clone, Debug, Default)]
pub struct School(Vec<Lesson>);

impl School {
    /// The lessons of the program.
    pub fn built_in() -> School {
        let read =
            |(name, text): &(&str, &str)| Lesson::read(name, text).expect("the built-in lessons were read by a test");
        School(FILES.iter().map(read).collect())
    }

    /// The files that the built-in lessons are made of, by their names.
    pub fn files() -> &'static [(&'static str, &'static str)] {
        FILES
    }

    /// Adds a teacher's file; it takes the place of a lesson of the same id.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), BadLesson> {
        let lesson = Lesson::read(file, text)?;
        self.0.retain(|other| other.id != lesson.id);
        self.0.push(lesson);
        self.0.sort_by(|a, b| a.order.cmp(&b.order));
        Ok(())
    }

    /// All of them.
    pub fn lessons(&self) -> &[Lesson] {
        &self.0
    }

    /// The lesson of this id.
    pub fn get(&self, id: &str) -> Result<&Lesson, Text> {
        self.0.iter().find(|lesson| lesson.id == id).ok_or(Text::fixed("there is no such lesson", "没有这一课"))
    }
}
