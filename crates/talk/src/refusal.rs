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

    /// The one who asks may not.
    pub fn forbidden(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status: 403, words: Text::new(en, zh) }
    }

    /// More than is taken.
    pub fn too_large(words: Text) -> Refusal {
        Refusal { status: 413, words }
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
