//! Lessons, line by line.

use std::process::ExitCode;

use lianzi_core::{Cell, Speak, text};
use lianzi_train::Lesson;
use lianzi_train::attempt::Verdict;
use lianzi_train::lesson::Step;
use lianzi_train::puzzle::named;
use lianzi_train::task::Task;

use super::Notes;
use super::solve::{cells, read_line, show, tell};
use lianzi_console::{Console, line, prompt};

/// Teaches a lesson until it is done or the learner leaves.
pub fn run(lesson: &Lesson, notes: &mut Notes, console: &Console) -> anyhow::Result<ExitCode> {
    line(lesson.title.words(console.language))?;
    for (n, step) in lesson.steps.iter().enumerate() {
        let (number, of) = (n + 1, lesson.steps.len());
        line(format!("\n{number}/{of}  {}", step.words.words(console.language).replace("**", "")))?;
        show(&step.position, console)?;
        if !step.marks.is_empty() {
            let marks = named(&step.marks);
            line(console.say(text!("Marked: {marks}", "标记：{marks}")))?;
        }
        if !go_through(step, console)? {
            return Ok(ExitCode::SUCCESS);
        }
        notes.progress.learnt(&lesson.id, n);
        notes.write()?;
    }
    line(console.pick("The lesson is done.", "本课结束。"))?;
    Ok(ExitCode::SUCCESS)
}

/// Lets a learner do a step; false if they leave.
fn go_through(step: &Step, console: &Console) -> anyhow::Result<bool> {
    let Some(task) = &step.task else {
        prompt(console.pick("Enter goes on > ", "按回车继续 > "))?;
        let typed = read_line()?;
        return Ok(typed.is_some_and(|typed| typed.trim() != "quit"));
    };
    line(console.say(task.words(&step.position)))?;
    let (mut moves, mut position) = (Vec::<Cell>::new(), step.position.clone());
    loop {
        prompt("> ")?;
        let Some(typed) = read_line()? else { return Ok(false) };
        match typed.trim() {
            "quit" | "退出" => return Ok(false),
            "skip" | "跳过" => return Ok(true),
            "" => continue,
            "hint" | "提示" => {
                let own = step.hint.as_ref().map(|hint| hint.words(console.language).to_string());
                let ours = || step.solution(&moves).unwrap_or_default().join(" ");
                line(own.unwrap_or_else(ours))?;
                continue;
            }
            _ => {}
        }
        let said: Vec<String> = match task {
            Task::Number(_) => vec![typed.trim().into()],
            _ => match cells(&position, typed.trim()) {
                Ok(cells) => cells.iter().map(Cell::to_string).collect(),
                Err(why) => {
                    line(console.say(why))?;
                    continue;
                }
            },
        };
        match step.check(&moves, &said) {
            Err(bad) => line(bad.words(console.language))?,
            Ok(played) => {
                tell(&played, console)?;
                position = played.position;
                moves = position.plies()[step.position.plies().len()..].iter().map(|ply| ply.cell).collect();
                if played.verdict == Verdict::Solved {
                    return Ok(true);
                }
            }
        }
    }
}
