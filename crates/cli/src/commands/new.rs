//! `new`: a folder to begin with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};

use lianzi_console::{Console, LanguageChoice, line};
use lianzi_core::{Text, text};

/// Make a folder to begin with
#[derive(Args)]
pub struct New {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Strategy(NewStrategy),
}

/// Make a folder with a strategy that builds, plays and can be handed in
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi new strategy --lang cpp\n  lianzi new strategy 2020001000 --lang python\n  lianzi new strategy bot --lang python --game connect4\n\nStrategies for Connect Four are libraries with getPoint and clearPoint (c, cpp, rust) or ConnectX agents (python);\nthose for Gomoku are Python modules with ai()."
)]
pub struct NewStrategy {
    /// The folder; a name of digits is taken for a student number
    #[arg(default_value = "strategy")]
    folder: PathBuf,
    /// The language to write it in
    #[arg(id = "code", long = "lang", value_enum, value_name = "c|cpp|rust|python")]
    code: Code,
    /// The game [default: gomoku for python, connect4 for the others]
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<For>,
    /// The language of words meant for people; everywhere else it is --lang
    // It has the name of the global option, whose place it takes: --lang is spoken for here.
    #[arg(id = "lang", long = "words", value_enum, value_name = "LANGUAGE")]
    _words: Option<LanguageChoice>,
}

/// Languages to write a strategy in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Code {
    /// C
    C,
    /// C++
    Cpp,
    /// Rust
    Rust,
    /// Python
    Python,
}

/// Games that strategies are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// Connect Four
    Connect4,
    /// Gomoku
    Gomoku,
}

/// What a folder begins with.
struct Template {
    /// Names and contents; both may hold placeholders.
    files: &'static [(&'static str, &'static str)],
    /// What placeholders stand for, besides `{{number}}`.
    words: &'static [(&'static str, &'static str)],
    /// What to type after `cd`.
    next: &'static [&'static str],
}

/// A file of a template, by its name in the new folder and its place in ours.
macro_rules! file {
    ($name:literal, $($place:literal),+) => {
        ($name, concat!($(include_str!(concat!("../../../../templates/", $place))),+))
    };
}

const BUILT: &[&str] = &["make", "make play", "make serve", "make grade", "make pack"];
const PLAIN: &[&str] = &["make play", "make serve", "make grade", "make pack"];

const C: Template = Template {
    files: &[
        file!("Strategy.c", "c/Strategy.c"),
        file!("Strategy.h", "c/Strategy.h"),
        file!("Point.h", "c/Point.h"),
        file!("Judge.c", "c/Judge.c"),
        file!("Judge.h", "c/Judge.h"),
        file!("Makefile", "c/Makefile", "library/tail.mk"),
        file!("README.md", "library/README.md"),
        file!("README.zh.md", "library/README.zh.md"),
    ],
    words: &[("language", "C"), ("main", "Strategy.c")],
    next: BUILT,
};

const CPP: Template = Template {
    files: &[
        file!("Strategy.cpp", "cpp/Strategy.cpp"),
        file!("Strategy.h", "cpp/Strategy.h"),
        file!("Point.h", "cpp/Point.h"),
        file!("Judge.cpp", "cpp/Judge.cpp"),
        file!("Judge.h", "cpp/Judge.h"),
        file!("Makefile", "cpp/Makefile", "library/tail.mk"),
        file!("README.md", "library/README.md"),
        file!("README.zh.md", "library/README.zh.md"),
    ],
    words: &[("language", "C++"), ("main", "Strategy.cpp")],
    next: BUILT,
};

const RUST: Template = Template {
    files: &[
        file!("src/lib.rs", "rust/src/lib.rs"),
        file!("src/judge.rs", "rust/src/judge.rs"),
        file!("Cargo.toml", "rust/Cargo.toml"),
        file!("Makefile", "rust/Makefile", "library/tail.mk"),
        file!("README.md", "library/README.md"),
        file!("README.zh.md", "library/README.zh.md"),
    ],
    words: &[("language", "Rust"), ("main", "src/lib.rs")],
    next: BUILT,
};

const GOMOKU: Template = Template {
    files: &[
        file!("{{number}}.py", "gomoku/ai.py"),
        file!("replay.py", "gomoku/replay.py"),
        file!("Makefile", "gomoku/Makefile"),
        file!("README.md", "gomoku/README.md"),
        file!("README.zh.md", "gomoku/README.zh.md"),
    ],
    words: &[],
    next: PLAIN,
};

const KAGGLE: Template = Template {
    files: &[
        file!("agent.py", "kaggle/agent.py"),
        file!("course.toml", "kaggle/course.toml"),
        file!("Makefile", "kaggle/Makefile"),
        file!("README.md", "kaggle/README.md"),
        file!("README.zh.md", "kaggle/README.zh.md"),
    ],
    words: &[],
    next: PLAIN,
};

impl New {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let What::Strategy(strategy) = self.what;
        strategy.run(console)
    }
}

impl NewStrategy {
    fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let template = self.template()?;
        refuse_taken(&self.folder)?;
        let number = number(&self.folder);
        for (name, content) in template.files {
            write(&self.folder.join(template.fill(name, &number)), &template.fill(content, &number))?;
        }
        let folder = self.folder.display();
        line(console.say(text!("made {folder}; next:", "已生成 {folder}；接下来：")))?;
        line(format!("  cd {}", as_a_word(&folder.to_string())))?;
        template.next.iter().try_for_each(|command| line(format!("  {command}")))?;
        Ok(ExitCode::SUCCESS)
    }

    fn template(&self) -> anyhow::Result<&'static Template> {
        Ok(match (self.code, self.game) {
            (Code::C, None | Some(For::Connect4)) => &C,
            (Code::Cpp, None | Some(For::Connect4)) => &CPP,
            (Code::Rust, None | Some(For::Connect4)) => &RUST,
            (Code::Python, None | Some(For::Gomoku)) => &GOMOKU,
            (Code::Python, Some(For::Connect4)) => &KAGGLE,
            (_, Some(For::Gomoku)) => bail!(Text::fixed(
                "Gomoku strategies are written in Python: add --lang python",
                "五子棋策略用 Python 编写：请加 --lang python"
            )),
        })
    }
}

impl Template {
    /// A text with its placeholders filled in.
    fn fill(&self, text: &str, number: &str) -> String {
        let library = if cfg!(target_os = "macos") { "libStrategy.dylib" } else { "Strategy.so" };
        let all = self.words.iter().copied().chain([("number", number), ("library", library)]);
        all.fold(text.to_string(), |text, (key, word)| text.replace(&format!("{{{{{key}}}}}"), word))
    }
}

/// A path as a shell takes it for one word.
fn as_a_word(path: &str) -> String {
    let plain = path.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    if plain { path.into() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// Nothing is written where something lies already.
fn refuse_taken(folder: &Path) -> anyhow::Result<()> {
    let empty = |folder: &Path| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if folder.symlink_metadata().is_ok() && !empty(folder) {
        let folder = folder.display();
        bail!(text!("{folder} is there already; name another folder", "{folder} 已存在；请换一个文件夹名"));
    }
    Ok(())
}

/// The student number that a folder is named by, or one that shows where it goes.
fn number(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { name.into_owned() } else { "2020001000".into() }
}

fn write(path: &Path, content: &str) -> anyhow::Result<()> {
    let within = || path.display().to_string();
    fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).with_context(within)?;
    fs::write(path, content).with_context(within)
}
