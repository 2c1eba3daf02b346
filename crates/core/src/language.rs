//! The two languages the product speaks.

use std::fmt;
use std::io;

/// A language for words meant for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Chooses between the two versions of one text.
    pub const fn pick<T: Copy>(self, english: T, chinese: T) -> T {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// "five" or "五": the number of stones in a line, as people say it.
    pub fn number(self, n: u8) -> String {
        const ENGLISH: [&str; 11] =
            ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        const CHINESE: [&str; 11] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
        match self.pick(&ENGLISH, &CHINESE).get(usize::from(n)) {
            Some(word) => (*word).to_string(),
            None => n.to_string(),
        }
    }

    /// What the system refused and what to do, instead of the system's own English.
    pub fn system(self, error: &io::Error) -> String {
        match self.known(error.kind()) {
            Some(words) => words.into(),
            None => error.to_string(),
        }
    }

    fn known(self, kind: io::ErrorKind) -> Option<&'static str> {
        use io::ErrorKind::*;
        let (english, chinese) = match kind {
            NotFound => {
                ("there is no such file or folder; check the name", "没有这个文件或文件夹；请检查名称")
            }
            PermissionDenied => {
                ("permission denied; name a place that is yours", "没有权限；请换一个有权限的位置")
            }
            AlreadyExists => ("this name is taken already; use another", "此名称已被占用；请换一个"),
            NotADirectory => {
                ("a part of this path is no folder; check the name", "路径中有一部分不是文件夹；请检查名称")
            }
            IsADirectory => ("this is a folder; name a file", "这是文件夹；请指定文件"),
            StorageFull => ("the disk is full; make room and try again", "磁盘已满；请腾出空间后再试"),
            ReadOnlyFilesystem => ("this disk is read-only; name another place", "此磁盘只读；请换一个位置"),
            InvalidData => (
                "this is no text in UTF-8; check that it is the right file",
                "不是 UTF-8 文本；请检查文件是否正确",
            ),
            AddrInUse => (
                "another program listens there; end it, or choose another port with --addr, such as 127.0.0.1:8711",
                "该地址已被另一个程序占用；请结束它，或用 --addr 换一个端口，例如 127.0.0.1:8711",
            ),
            AddrNotAvailable => (
                "this machine has no such address; use 127.0.0.1, or 0.0.0.0 for all of them",
                "本机没有这个地址；请用 127.0.0.1，或用 0.0.0.0 表示全部地址",
            ),
            _ => return None,
        };
        Some(self.pick(english, chinese))
    }
}

/// A complaint in both languages, for what is read before the language is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// In English.
    pub english: String,
    /// In Chinese.
    pub chinese: String,
}

impl Complaint {
    /// The same sentence twice.
    pub fn new(english: impl Into<String>, chinese: impl Into<String>) -> Complaint {
        Complaint { english: english.into(), chinese: chinese.into() }
    }

    /// The sentence in this language.
    pub fn words(&self, language: Language) -> &str {
        language.pick(&self.english, &self.chinese)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

impl std::error::Error for Complaint {}
