//! How a game ended: outcome, ending, and who is to blame, with words for people in both languages.

use std::fmt;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::{IllegalMove, Language, Position, Rules, Stone};

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub enum Outcome {
    /// This side won.
    Win(Stone),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Stone> {
        match self {
            Outcome::Win(stone) => Some(stone),
            Outcome::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(stone) => stone.fmt(f),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}

impl From<Outcome> for String {
    fn from(outcome: Outcome) -> String {
        outcome.to_string()
    }
}

impl TryFrom<String> for Outcome {
    type Error = String;

    fn try_from(text: String) -> Result<Outcome, String> {
        match text.as_str() {
            "black" => Ok(Outcome::Win(Stone::Black)),
            "white" => Ok(Outcome::Win(Stone::White)),
            "draw" => Ok(Outcome::Draw),
            _ => Err(format!("'{}' is no outcome; it is black, white or draw", crate::cell::shorten(&text))),
        }
    }
}

/// Which clock ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Limit {
    /// The time for one turn.
    Move,
    /// The time for the whole game.
    Game,
    /// The CPU time for one turn.
    Cpu,
}

/// Why a player could not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum StartFault {
    /// The program or library cannot be loaded or run.
    Unloadable,
    /// It lacks a function or command that every player must have.
    MissingFunction,
}

/// How a player failed, other than by a bad move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It did not answer in time and was given up.
    Late,
    /// It used more CPU time than it may.
    Spent,
    /// It died.
    Crashed(String),
    /// Its answer cannot be understood.
    Garbled(String),
    /// It could not start.
    NotStarted(StartFault, String),
    /// It moved when it was not its turn.
    OutOfTurn,
    /// It moved although the game was over.
    AfterEnd,
    /// It changed stones that were on the board already.
    Tampered,
}

/// Why a game was adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Adjudication {
    /// Both players' scores agreed for long enough.
    Scores,
    /// The game reached the agreed number of stones.
    MaxPlies,
    /// A side did not play on, or was not allowed to.
    Forfeit,
    /// Somebody off the board said so, and the record does not tell why.
    Untold,
}

/// What brought a game to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "ending", rename_all = "kebab-case"))]
pub enum Ending {
    /// A winning line.
    Line,
    /// Nowhere left to play.
    Full,
    /// A side gave up.
    Resigned,
    /// A stone was put where none may be.
    Illegal {
        /// The cell as the offender named it.
        at: String,
        /// What is wrong with it.
        why: IllegalMove,
    },
    /// A turn with too few or too many stones.
    Stones {
        /// How many it should have had.
        wanted: u8,
        /// How many it had.
        given: usize,
    },
    /// A side moved although the game was over.
    AfterEnd,
    /// A side moved although it was not its turn.
    OutOfTurn,
    /// A clock ran out.
    Timeout {
        /// Which one.
        limit: Limit,
    },
    /// The player died.
    Crashed {
        /// What is known of its death.
        how: String,
    },
    /// The player's answer cannot be understood.
    Garbled {
        /// The beginning of what it said.
        said: String,
    },
    /// The player could not start.
    NotStarted {
        /// In which way.
        fault: StartFault,
        /// What is known of the reason.
        how: String,
    },
    /// A player changed stones that were on the board already.
    Tampered,
    /// Somebody other than the players ended the game.
    Adjudicated {
        /// For this reason.
        why: Adjudication,
    },
    /// Nothing has ended it yet.
    #[default]
    Unfinished,
}

impl Ending {
    /// The name of the ending in JSON and tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Ending::Line => "line",
            Ending::Full => "full",
            Ending::Resigned => "resigned",
            Ending::Illegal { .. } => "illegal",
            Ending::Stones { .. } => "stones",
            Ending::AfterEnd => "after-end",
            Ending::OutOfTurn => "out-of-turn",
            Ending::Timeout { .. } => "timeout",
            Ending::Crashed { .. } => "crashed",
            Ending::Garbled { .. } => "garbled",
            Ending::NotStarted { .. } => "not-started",
            Ending::Tampered => "tampered",
            Ending::Adjudicated { .. } => "adjudicated",
            Ending::Unfinished => "unfinished",
        }
    }

    /// Whether a side broke a rule, failed or was late: then the verdict blames it.
    pub const fn is_fault(&self) -> bool {
        !matches!(
            self,
            Ending::Line | Ending::Full | Ending::Resigned | Ending::Adjudicated { .. } | Ending::Unfinished
        )
    }

    /// Whether the stones alone show this ending, so that the referee can confirm it.
    pub const fn shown_by_stones(&self) -> bool {
        matches!(self, Ending::Line | Ending::Full)
    }
}

/// The judgement of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Verdict {
    /// Who won, if the game is over.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub outcome: Option<Outcome>,
    /// What ended it.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub ending: Ending,
    /// Who is to blame, when the ending is a fault.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub blame: Option<Stone>,
}

impl Verdict {
    /// A game that goes on.
    pub const UNFINISHED: Verdict = Verdict { outcome: None, ending: Ending::Unfinished, blame: None };

    /// The referee's own ending: a line, or nowhere left to play.
    pub const fn by_stones(outcome: Outcome) -> Verdict {
        let ending = match outcome {
            Outcome::Win(_) => Ending::Line,
            Outcome::Draw => Ending::Full,
        };
        Verdict { outcome: Some(outcome), ending, blame: None }
    }

    /// What the stones on the board say.
    pub fn of(position: &Position) -> Verdict {
        position.outcome().map_or(Verdict::UNFINISHED, Verdict::by_stones)
    }

    /// This side loses by its own fault.
    pub const fn fault(blame: Stone, ending: Ending) -> Verdict {
        Verdict { outcome: Some(Outcome::Win(blame.other())), ending, blame: Some(blame) }
    }

    /// This side gives up.
    pub const fn resigned(loser: Stone) -> Verdict {
        Verdict { outcome: Some(Outcome::Win(loser.other())), ending: Ending::Resigned, blame: None }
    }

    /// A result that a record tells without a reason.
    pub const fn untold(outcome: Outcome) -> Verdict {
        let ending = Ending::Adjudicated { why: Adjudication::Untold };
        Verdict { outcome: Some(outcome), ending, blame: None }
    }

    /// `black`, `white`, `draw` or `none`.
    pub fn outcome_name(&self) -> String {
        self.outcome.map_or_else(|| "none".into(), |outcome| outcome.to_string())
    }

    /// The verdict in a sentence, without a full stop.
    pub fn words(&self, rules: &Rules, language: Language) -> String {
        match (self.outcome, self.blame) {
            (_, Some(blame)) => self.fault_words(blame, language),
            (Some(Outcome::Win(winner)), None) => self.win_words(winner, rules, language),
            (Some(Outcome::Draw), None) => self.draw_words(language).into(),
            (None, None) => language.pick("The game is not finished", "对局未结束").into(),
        }
    }

    fn draw_words(&self, language: Language) -> &'static str {
        match self.ending {
            Ending::Full => language.pick("A draw: nowhere left to play", "和棋：已无处可下"),
            Ending::Adjudicated { why: Adjudication::MaxPlies } => {
                language.pick("A draw: the agreed number of stones is reached", "和棋：达到约定的手数上限")
            }
            _ => language.pick("A draw", "和棋"),
        }
    }

    fn win_words(&self, winner: Stone, rules: &Rules, language: Language) -> String {
        let side = winner.words(language);
        let other = winner.other().words(language);
        match (&self.ending, language) {
            (Ending::Line, Language::English) => {
                format!("{side} wins with {} in a row", language.number(rules.line))
            }
            (Ending::Line, Language::Chinese) => format!("{side}{}连，获胜", language.number(rules.line)),
            (Ending::Resigned, Language::English) => format!("{side} wins: {other} resigned"),
            (Ending::Resigned, Language::Chinese) => format!("{side}获胜：{other}认输"),
            (Ending::Adjudicated { why: Adjudication::Forfeit }, Language::English) => {
                format!("{side} wins: {other} forfeited")
            }
            (Ending::Adjudicated { why: Adjudication::Forfeit }, Language::Chinese) => {
                format!("{side}获胜：{other}弃权")
            }
            (Ending::Adjudicated { why: Adjudication::Untold }, Language::English) => {
                format!("{side} wins; the record does not say how")
            }
            (Ending::Adjudicated { why: Adjudication::Untold }, Language::Chinese) => {
                format!("{side}获胜，棋谱未说明原因")
            }
            (Ending::Adjudicated { .. }, Language::English) => format!("{side} wins by adjudication"),
            (Ending::Adjudicated { .. }, Language::Chinese) => format!("裁定{side}获胜"),
            (_, Language::English) => format!("{side} wins"),
            (_, Language::Chinese) => format!("{side}获胜"),
        }
    }

    fn fault_words(&self, blame: Stone, language: Language) -> String {
        let side = blame.words(language);
        let reason = self.reason(language);
        match (self.outcome, language) {
            (Some(Outcome::Win(winner)), Language::English) if winner == blame => {
                format!("{side} won, but {reason}")
            }
            (Some(Outcome::Win(winner)), Language::Chinese) if winner == blame => {
                format!("{side}已获胜，但{reason}")
            }
            (Some(Outcome::Draw), Language::English) => format!("A draw, but {side}: {reason}"),
            (Some(Outcome::Draw), Language::Chinese) => format!("和棋，但{side}{reason}"),
            (_, Language::English) => format!("{side} loses: {reason}"),
            (_, Language::Chinese) => format!("{side}判负：{reason}"),
        }
    }

    /// What the blamed side did.
    fn reason(&self, language: Language) -> String {
        match language {
            Language::English => self.ending.english_reason(),
            Language::Chinese => self.ending.chinese_reason(),
        }
    }
}

impl Ending {
    fn english_reason(&self) -> String {
        match self {
            Ending::Illegal { at, why } => format!("illegal move at {at}, {}", why.words(Language::English)),
            Ending::Stones { wanted, given } => {
                format!(
                    "a turn of {given} {} instead of {wanted}",
                    if *given == 1 { "stone" } else { "stones" }
                )
            }
            Ending::AfterEnd => "moved after the end of the game".into(),
            Ending::OutOfTurn => "moved out of turn".into(),
            Ending::Timeout { limit: Limit::Move } => "out of time for the move".into(),
            Ending::Timeout { limit: Limit::Game } => "out of time for the game".into(),
            Ending::Timeout { limit: Limit::Cpu } => "out of CPU time for the move".into(),
            Ending::Crashed { how } => with_detail("the player crashed", how),
            Ending::Garbled { said } => format!("the answer '{said}' cannot be understood"),
            Ending::NotStarted { fault: StartFault::Unloadable, how } => {
                with_detail("the player cannot be loaded", how)
            }
            Ending::NotStarted { fault: StartFault::MissingFunction, how } => {
                with_detail("the player lacks a required function", how)
            }
            Ending::Tampered => "changed stones already on the board".into(),
            _ => self.name().into(),
        }
    }

    fn chinese_reason(&self) -> String {
        match self {
            Ending::Illegal { at, why } => format!("{at} 落子违规，{}", why.words(Language::Chinese)),
            Ending::Stones { wanted, given } => format!("应下 {wanted} 子，却下了 {given} 子"),
            Ending::AfterEnd => "对局结束后仍落子".into(),
            Ending::OutOfTurn => "未轮到却落子".into(),
            Ending::Timeout { limit: Limit::Move } => "单步超时".into(),
            Ending::Timeout { limit: Limit::Game } => "总时间用尽".into(),
            Ending::Timeout { limit: Limit::Cpu } => "单步 CPU 时间用尽".into(),
            Ending::Crashed { how } => with_detail("程序崩溃", how),
            Ending::Garbled { said } => format!("无法理解其回答“{said}”"),
            Ending::NotStarted { fault: StartFault::Unloadable, how } => with_detail("程序无法加载", how),
            Ending::NotStarted { fault: StartFault::MissingFunction, how } => {
                with_detail("程序缺少必需的函数", how)
            }
            Ending::Tampered => "改动了已在棋盘上的棋子".into(),
            _ => self.name().into(),
        }
    }
}

fn with_detail(what: &str, detail: &str) -> String {
    if detail.is_empty() { what.into() } else { format!("{what} ({detail})") }
}
