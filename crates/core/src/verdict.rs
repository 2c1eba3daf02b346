//! How a game ended: outcome, ending, and who is to blame, with words for people in both languages.

use std::fmt;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::{BadAct, IllegalMove, Language, Position, Rules, Speak, Stone, Text, known_reason, text};

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
            _ => Err(format!("'{}' is no outcome; it is black, white or draw", crate::shorten(&text))),
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

impl Speak for StartFault {
    fn text(&self) -> Text {
        match self {
            StartFault::Unloadable => Text::fixed("the player cannot be loaded", "程序无法加载"),
            StartFault::MissingFunction => Text::fixed("the player lacks a required function", "程序缺少必需的函数"),
        }
    }
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
    /// It did nothing wrong: the arena lacked something that it needs to start or to be asked.
    Shortage(String),
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
    /// The players agreed.
    Agreed,
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
    /// Something that the opening rule does not allow.
    Opening {
        /// What the offender did.
        at: String,
        /// What is wrong with it.
        why: BadAct,
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
            Ending::Opening { .. } => "opening",
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
        self.text(rules).said(language)
    }

    /// The verdict in a sentence, without a full stop, in both languages; the sides are called as [`Rules::side`] says.
    pub fn text(&self, rules: &Rules) -> Text {
        let name = |stone| rules.side(stone);
        match (self.outcome, self.blame) {
            (_, Some(blame)) => self.fault_text([name(blame), name(blame.other())], blame),
            (Some(Outcome::Win(winner)), None) => self.win_text([name(winner), name(winner.other())], rules),
            (Some(Outcome::Draw), None) => self.draw_text(),
            (None, None) => Text::fixed("The game is not finished", "对局未结束"),
        }
    }

    fn draw_text(&self) -> Text {
        match self.ending {
            Ending::Full => Text::fixed("A draw: nowhere left to play", "和棋：已无处可下"),
            Ending::Adjudicated { why: Adjudication::MaxPlies } => {
                Text::fixed("A draw: the agreed number of stones is reached", "和棋：达到约定的手数上限")
            }
            Ending::Adjudicated { why: Adjudication::Agreed } => {
                Text::fixed("A draw: the players agreed", "和棋：双方同意")
            }
            _ => Text::fixed("A draw", "和棋"),
        }
    }

    fn win_text(&self, [side, other]: [Text; 2], rules: &Rules) -> Text {
        match &self.ending {
            Ending::Line => {
                let number = Text::new(Language::English.number(rules.line), Language::Chinese.number(rules.line));
                text!("{side} wins with {number} in a row", "{side}{number}连，获胜"; side, number)
            }
            Ending::Resigned => {
                text!("{side} wins: {other} resigned", "{side}获胜：{other}认输"; side, other)
            }
            Ending::Adjudicated { why: Adjudication::Forfeit } => {
                text!("{side} wins: {other} forfeited", "{side}获胜：{other}弃权"; side, other)
            }
            Ending::Adjudicated { why: Adjudication::Untold } => {
                text!("{side} wins; the record does not say how", "{side}获胜，棋谱未说明原因"; side)
            }
            Ending::Adjudicated { .. } => text!("{side} wins by adjudication", "裁定{side}获胜"; side),
            _ => text!("{side} wins", "{side}获胜"; side),
        }
    }

    fn fault_text(&self, [side, other]: [Text; 2], blame: Stone) -> Text {
        let reason = self.ending.reason();
        match self.outcome {
            Some(Outcome::Win(winner)) if winner != blame && matches!(self.ending, Ending::Timeout { .. }) => {
                text!("{other} won on time: {side} was {reason}", "{side}{reason}，{other}获胜"; side, other, reason)
            }
            Some(Outcome::Win(winner)) if winner == blame => {
                text!("{side} won, but {reason}", "{side}已获胜，但{reason}"; side, reason)
            }
            Some(Outcome::Draw) => {
                text!("A draw, but {side}: {reason}", "和棋，但{side}{reason}"; side, reason)
            }
            _ => text!("{side} loses: {reason}", "{side}判负：{reason}"; side, reason),
        }
    }
}

impl Ending {
    /// What the blamed side did.
    fn reason(&self) -> Text {
        match self {
            Ending::Illegal { at, why } => {
                let why = why.text();
                text!("illegal move at {at}, {why}", "{at} 落子违规，{why}"; why)
            }
            Ending::Stones { wanted, given } => Text::new(
                format!("a turn of {given} {} instead of {wanted}", if *given == 1 { "stone" } else { "stones" }),
                format!("应下 {wanted} 子，却下了 {given} 子"),
            ),
            Ending::Opening { at, why } => {
                let why = why.text();
                text!("{at} breaks the opening rule, {why}", "{at} 违反开局规则，{why}"; why)
            }
            Ending::AfterEnd => Text::fixed("moved after the end of the game", "对局结束后仍落子"),
            Ending::OutOfTurn => Text::fixed("moved out of turn", "未轮到却落子"),
            Ending::Timeout { limit: Limit::Move } => Text::fixed("out of time for the move", "单步超时"),
            Ending::Timeout { limit: Limit::Game } => Text::fixed("out of time for the game", "总时间用尽"),
            Ending::Timeout { limit: Limit::Cpu } => Text::fixed("out of CPU time for the move", "单步 CPU 时间用尽"),
            Ending::Crashed { how } => with_detail(Text::fixed("the player crashed", "程序崩溃"), how),
            Ending::Garbled { said } => {
                text!("the answer '{said}' cannot be understood", "应答无效：“{said}”")
            }
            Ending::NotStarted { fault, how } => with_detail(fault.text(), how),
            Ending::Tampered => Text::fixed("changed stones already on the board", "改动了已在棋盘上的棋子"),
            _ => Text::fixed(self.name(), self.name()),
        }
    }
}

fn with_detail(what: Text, how: &str) -> Text {
    let how = known_reason(how);
    if how.english.is_empty() { what } else { text!("{what} ({how})", "{what} ({how})"; what, how) }
}
