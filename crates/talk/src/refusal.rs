//! Refusals, in words and with a status.

use std::borrow::Cow;

use lianzi_core::{BadGame, Language, Speak, Text};
use lianzi_game::live::Refused;

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status as HTTP counts them.
    pub status: u16,
    /// The words, for people.
    pub words: Text,
}

impl Refusal {
    /// The request itself is wrong.
    pub fn bad(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Text::new(en, zh).into()
    }

    /// The request is wrong, as `say` says in each language.
    pub fn said(say: impl Fn(Language) -> String) -> Refusal {
        Text::both(say).into()
    }

    /// There is no such thing.
    pub fn missing(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status: 404, words: Text::new(en, zh) }
    }

    /// There is no game of this name.
    pub fn no_game() -> Refusal {
        Refusal::missing("there is no such game; it may have been deleted", "没有这局棋；它可能已被删除")
    }

    /// The one who asks may not.
    pub fn forbidden(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status: 403, words: Text::new(en, zh) }
    }

    /// More than is taken.
    pub fn too_large(words: Text) -> Refusal {
        Refusal { status: 413, words }
    }

    /// The one who asks has had enough.
    pub fn much(words: Text) -> Refusal {
        Refusal { status: 429, words }
    }

    /// It cannot be done now.
    pub fn busy(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status: 503, words: Text::new(en, zh) }
    }

    /// What was kept cannot be used: our own fault.
    pub fn broken(what: impl std::fmt::Display) -> Refusal {
        let words = Text::new(
            format!("this game was kept in a way that cannot be read: {what}"),
            format!("保存的对局无法读取：{what}"),
        );
        Refusal { status: 500, words }
    }
}

/// A request that is wrong, and why.
impl From<Text> for Refusal {
    fn from(words: Text) -> Refusal {
        Refusal { status: 400, words }
    }
}

impl From<BadGame> for Refusal {
    fn from(bad: BadGame) -> Refusal {
        Refusal::said(|language| bad.words(language))
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        Refusal::said(|language| refused.words(language))
    }
}
