//! The two languages the product speaks.

use std::borrow::Cow;
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
            NotFound => ("there is no such file or folder; check the name", "没有这个文件或文件夹；请检查名称"),
            PermissionDenied => ("permission denied; name a place that is yours", "没有权限；请换一个有权限的位置"),
            AlreadyExists => ("this name is taken already; use another", "此名称已被占用；请换一个"),
            NotADirectory => {
                ("a part of this path is no folder; check the name", "路径中有一部分不是文件夹；请检查名称")
            }
            FileTooLarge => ("this is larger than it may be", "超过允许的大小"),
            IsADirectory => ("this is a folder; name a file", "这是文件夹；请指定文件"),
            StorageFull => ("the disk is full; make room and try again", "磁盘已满；请腾出空间后再试"),
            ReadOnlyFilesystem => ("this disk is read-only; name another place", "此磁盘只读；请换一个位置"),
            InvalidData => {
                ("this is no text in UTF-8; check that it is the right file", "不是 UTF-8 文本；请检查文件是否正确")
            }
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

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Text {
    /// In English.
    #[cfg_attr(feature = "serde", serde(rename = "en"))]
    pub english: Cow<'static, str>,
    /// In Chinese.
    #[cfg_attr(feature = "serde", serde(rename = "zh"))]
    pub chinese: Cow<'static, str>,
}

impl Text {
    /// A text that is known beforehand; [`text!`](crate::text) makes one that names things.
    pub const fn fixed(english: &'static str, chinese: &'static str) -> Text {
        Text { english: Cow::Borrowed(english), chinese: Cow::Borrowed(chinese) }
    }

    /// The same sentence twice.
    pub fn new(english: impl Into<Cow<'static, str>>, chinese: impl Into<Cow<'static, str>>) -> Text {
        Text { english: english.into(), chinese: chinese.into() }
    }

    /// What `say` says in each language.
    pub fn both(say: impl Fn(Language) -> String) -> Text {
        Text::new(say(Language::English), say(Language::Chinese))
    }

    /// The text in this language.
    pub fn words(&self, language: Language) -> &str {
        language.pick(&self.english, &self.chinese)
    }

    /// The text in this language, to keep.
    pub fn said(self, language: Language) -> String {
        match language {
            Language::English => self.english.into_owned(),
            Language::Chinese => self.chinese.into_owned(),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

impl std::error::Error for Text {}

/// A text in both languages, each written like a format string: `text!("no game {n}", "没有第 {n} 局")`.
/// Texts within it are named behind it: `text!("line {line}: {why}", "第 {line} 行：{why}"; why)`.
#[macro_export]
macro_rules! text {
    ($english:literal, $chinese:literal; $($inner:ident),+) => {
        $crate::Text::new(
            {
                $(let $inner = &$inner.english;)+
                ::std::format!($english)
            },
            {
                $(let $inner = &$inner.chinese;)+
                ::std::format!($chinese)
            },
        )
    };
    ($english:literal, $chinese:literal $(, $($argument:tt)+)?) => {
        $crate::Text::new(
            ::std::format!($english $(, $($argument)+)?),
            ::std::format!($chinese $(, $($argument)+)?),
        )
    };
}

/// Something that can be told to people: every error, verdict and refusal.
pub trait Speak {
    /// What it says.
    fn text(&self) -> Text;

    /// What it says in this language.
    fn words(&self, language: Language) -> String {
        self.text().said(language)
    }
}

/// Lets a type that is read and shown as a text be kept as one: what serde's `try_from` and `into` ask for.
#[macro_export]
macro_rules! written {
    ($name:ty) => {
        impl TryFrom<::std::string::String> for $name {
            type Error = <$name as ::std::str::FromStr>::Err;

            fn try_from(text: ::std::string::String) -> ::std::result::Result<$name, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for ::std::string::String {
            fn from(thing: $name) -> ::std::string::String {
                thing.to_string()
            }
        }
    };
}

/// Makes types that [`Speak`] errors; as such they speak English.
#[macro_export]
macro_rules! spoken_errors {
    ($($name:ty),+ $(,)?) => {$(
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&$crate::Speak::text(self).english)
            }
        }

        impl ::std::error::Error for $name {}
    )+};
}
