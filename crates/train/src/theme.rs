//! What puzzles are about.

use std::str::FromStr;

use lianzi_core::{Forbidden, Rules, Stone, Text, text};
use lianzi_engine::Family;

/// What a puzzle is about; it says what is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// A win of two or three turns by one stone that threatens twice.
    FourThree,
    /// A win by fours alone.
    Fours,
    /// A win by fours and open threes.
    Threes,
    /// White wins because renju forbids Black the answer.
    Fouls,
    /// The only stones after which the other side does not win by fours.
    Defence,
    /// A win of Connect6 by double threats.
    DoubleThreats,
    /// A win of Connect Four in at most four turns.
    Tactics,
    /// A longer win of Connect Four.
    Endings,
    /// The only stone that does not lose a game of Connect Four.
    OnlyMove,
    /// A position of one's own game.
    Mistake,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Win by force.
    Win,
    /// Do not lose.
    Hold,
    /// Find a turn as good as the engine's.
    Best,
}

impl Goal {
    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Hold => "hold",
            Goal::Best => "best",
        }
    }
}

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 10] = [
        Theme::FourThree,
        Theme::Fours,
        Theme::Threes,
        Theme::Fouls,
        Theme::Defence,
        Theme::DoubleThreats,
        Theme::Tactics,
        Theme::Endings,
        Theme::OnlyMove,
        Theme::Mistake,
    ];

    /// Its name in files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::FourThree => "four-three",
            Theme::Fours => "fours",
            Theme::Threes => "threes",
            Theme::Fouls => "fouls",
            Theme::Defence => "defence",
            Theme::DoubleThreats => "double-threats",
            Theme::Tactics => "tactics",
            Theme::Endings => "endings",
            Theme::OnlyMove => "only-move",
            Theme::Mistake => "mistake",
        }
    }

    /// What is to be done.
    pub const fn goal(self) -> Goal {
        match self {
            Theme::Defence | Theme::OnlyMove => Goal::Hold,
            Theme::Mistake => Goal::Best,
            _ => Goal::Win,
        }
    }

    /// Whether a game has such puzzles.
    pub fn suits(self, rules: &Rules) -> bool {
        match self {
            Theme::FourThree | Theme::Fours | Theme::Threes | Theme::Defence => Family::of(rules) == Family::Gomoku,
            Theme::Fouls => rules.forbidden == Forbidden::Renju,
            Theme::DoubleThreats => Family::of(rules) == Family::Connect6,
            Theme::Tactics | Theme::Endings | Theme::OnlyMove => Family::of(rules) == Family::ConnectFour,
            Theme::Mistake => true,
        }
    }

    /// Whether a puzzle of this theme takes so many turns.
    pub const fn takes(self, turns: u8) -> bool {
        match self {
            Theme::FourThree => matches!(turns, 2..=3),
            Theme::Fours => turns >= 4,
            Theme::Threes | Theme::Fouls | Theme::DoubleThreats => turns >= 2,
            Theme::Tactics => matches!(turns, 2..=4),
            Theme::Endings => turns >= 5,
            Theme::Defence | Theme::OnlyMove => turns == 1,
            Theme::Mistake => true,
        }
    }

    /// What people call it.
    pub const fn title_of_set(self) -> Text {
        match self {
            Theme::FourThree => Text::fixed("Four and three", "四三"),
            Theme::Fours => Text::fixed("Winning by fours", "连续冲四"),
            Theme::Threes => Text::fixed("Fours and threes", "连续进攻"),
            Theme::Fouls => Text::fixed("Forbidden points", "抓禁手"),
            Theme::Defence => Text::fixed("Defence", "防守"),
            Theme::DoubleThreats => Text::fixed("Double threats", "双重威胁"),
            Theme::Tactics => Text::fixed("Quick wins", "速胜"),
            Theme::Endings => Text::fixed("Endings", "残局"),
            Theme::OnlyMove => Text::fixed("The only move", "唯一着"),
            Theme::Mistake => Text::fixed("Your mistakes", "自己的失误"),
        }
    }

    /// The same in a sentence.
    pub const fn about(self) -> Text {
        match self {
            Theme::FourThree => Text::fixed("One stone, two winning threats", "一子双杀"),
            Theme::Fours => Text::fixed("Every stone a four, until five", "步步冲四，直到成五"),
            Theme::Threes => Text::fixed("Fours and open threes, without a pause", "冲四与活三，一气呵成"),
            Theme::Fouls => Text::fixed("Black may not answer where he must", "逼黑方应在禁手点上"),
            Theme::Defence => Text::fixed("Find the stone that holds", "找到守得住的一手"),
            Theme::DoubleThreats => Text::fixed("Each turn needs two stones to stop", "每一手都要两子才能挡住"),
            Theme::Tactics => Text::fixed("Win in a few moves", "几手之内取胜"),
            Theme::Endings => Text::fixed("Odd and even rows, and zugzwang", "奇偶行与迫移"),
            Theme::OnlyMove => Text::fixed("Everything else loses", "其余着法都输"),
            Theme::Mistake => Text::fixed("Find what you missed", "找到当时错过的一手"),
        }
    }

    /// What is to be done, with the side that does it.
    pub fn title(self, rules: &Rules, solver: Stone, turns: u8) -> Text {
        let side = rules.side(solver);
        match self.goal() {
            Goal::Win => text!("{side} to play, win in {turns}", "{side}先，{turns} 手内胜"; side),
            Goal::Hold => text!("{side} to play, do not lose", "{side}先，守住"; side),
            Goal::Best => text!("{side} to play, find the best", "{side}先，找最佳着"; side),
        }
    }

    /// What to look for: the first step of a hint.
    pub const fn hint(self) -> Text {
        match self {
            Theme::FourThree => Text::fixed(
                "Look for a cell where two of your lines cross: one stone makes two threats.",
                "找你两条线相交的一点：一子做出两个威胁。",
            ),
            Theme::Fours => Text::fixed(
                "Only fours: each leaves a single answer. Choose the one whose answer helps you.",
                "只走冲四：每个冲四只有一个应手。选应手对自己有利的那个。",
            ),
            Theme::Threes => Text::fixed(
                "Mix fours and open threes; keep the fours for the end if they give shape away.",
                "冲四与活三配合；会破坏棋形的冲四留到最后。",
            ),
            Theme::Fouls => Text::fixed(
                "Find where Black's answer would be a double three, a double four or too long a row.",
                "找黑方应手会成三三、四四或长连的地方。",
            ),
            Theme::Defence => Text::fixed(
                "See how the other side would win, and take a cell that all its ways need.",
                "先看对方如何取胜，再占住各条取胜路线都要的一点。",
            ),
            Theme::DoubleThreats => Text::fixed(
                "Both stones of your turn must make threats that no single stone stops.",
                "这一手的两子要做出一子挡不住的威胁。",
            ),
            Theme::Tactics => Text::fixed(
                "Make two threats at once, or one right above another.",
                "同时做出两个威胁，或让一个威胁紧压在另一个之上。",
            ),
            Theme::Endings => Text::fixed(
                "Count the free cells: who has to play below the winning cell?",
                "数一数空格：最后谁不得不下在取胜点的下面？",
            ),
            Theme::OnlyMove => Text::fixed(
                "See what the other side threatens after each of your moves.",
                "对你的每一手，都看看对方接着威胁什么。",
            ),
            Theme::Mistake => Text::fixed(
                "Look at what threatens first, then at what you can threaten.",
                "先看对方威胁什么，再看自己能威胁什么。",
            ),
        }
    }
}

impl FromStr for Theme {
    type Err = ();

    fn from_str(text: &str) -> Result<Theme, ()> {
        Theme::ALL.into_iter().find(|theme| theme.name() == text).ok_or(())
    }
}
