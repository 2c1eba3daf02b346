//! What is to be done in an opening, and why something is refused, in words.

use super::{BadAct, Demand, More, OpeningRule, Want, Zone};
use crate::{Speak, Stone, Text, spoken_errors, text};

/// The colour of a stone.
const fn colour(stone: Stone) -> Text {
    match stone {
        Stone::Black => Text::fixed("black", "黑"),
        Stone::White => Text::fixed("white", "白"),
    }
}

impl Speak for OpeningRule {
    fn text(&self) -> Text {
        match self {
            OpeningRule::None => Text::fixed("no opening rule", "无开局规则"),
            OpeningRule::Pie => Text::fixed("Pie rule", "一手交换"),
            OpeningRule::Swap => Text::fixed("Swap", "三手交换（Swap）"),
            OpeningRule::Swap2 => Text::fixed("Swap2", "Swap2"),
            OpeningRule::Rif => Text::fixed("RIF", "RIF（三手交换五手两打）"),
            OpeningRule::Yamaguchi => Text::fixed("Yamaguchi", "山口规则"),
            OpeningRule::Soosyrv8 => Text::fixed("Soosyrv-8", "索索夫-8"),
            OpeningRule::Taraguchi10 => Text::fixed("Taraguchi-10", "塔拉古奇-10"),
            OpeningRule::Sakata => Text::fixed("Sakata", "坂田规则"),
            OpeningRule::SuperSakata => Text::fixed("Super Sakata", "超级坂田规则"),
        }
    }
}

impl Demand {
    /// What is asked for, without the rule's name and what may be done instead.
    fn wanted(&self) -> Text {
        match self.want {
            Want::Stone(stone, Zone::Square(1)) => {
                let side = colour(stone);
                text!("place a {side} stone in the centre", "在天元落一{side}子"; side)
            }
            Want::Stone(stone, zone) => {
                let side = colour(stone);
                match zone {
                    Zone::Anywhere => text!("place a {side} stone", "落一{side}子"; side),
                    Zone::Square(n) => Text::new(
                        format!("place a {} stone within the central {n}×{n}", side.english),
                        format!("在中央 {n}×{n} 内落一{}子", side.chinese),
                    ),
                }
            }
            Want::Count(most) => {
                text!("say how many fifth moves Black will offer, 1 to {most}", "声明黑方第五手的打点数，1 到 {most}")
            }
            Want::Fifths(1) => Text::fixed(
                "offer one more fifth move for Black, unlike the others by symmetry",
                "再摆一个第五手打点，不得与其他打点对称",
            ),
            Want::Fifths(left) => text!(
                "offer {left} fifth moves for Black, no two the same by symmetry",
                "摆 {left} 个第五手打点，任意两点不得对称"
            ),
            Want::Pick(count) => {
                text!("choose one of the {count} offered fifth moves", "在 {count} 个打点中选留一个作第五手")
            }
        }
    }
}

impl Demand {
    /// The same as [`Speak::text`] for a narrow line, with the words that are typed: `swap` and `more`.
    pub fn brief(&self) -> Text {
        let rule = self.rule.text();
        let wanted = match self.want {
            Want::Stone(stone, zone) => {
                let side = colour(stone);
                match zone {
                    Zone::Anywhere => text!("a {side} stone", "落{side}子"; side),
                    Zone::Square(1) => text!("a {side} stone in the centre", "天元落{side}子"; side),
                    Zone::Square(n) => Text::new(
                        format!("a {} stone within {n}×{n}", side.english),
                        format!("中央 {n}×{n} 内落{}子", side.chinese),
                    ),
                }
            }
            Want::Count(most) => text!("how many fifth moves, 1 to {most}?", "第五手打点数，1 到 {most}？"),
            Want::Fifths(left) => text!("offer {left} more, no two alike", "再摆 {left} 个打点，不得对称"),
            Want::Pick(count) => text!("choose one of {count} fifth moves", "选留 {count} 个打点之一"),
        };
        let swap = self.swap.map_or(Text::fixed("", ""), |stone| {
            let side = colour(stone);
            text!("; swap: play {side}", "；swap 交换执{side}"; side)
        });
        let more = match self.more {
            None => Text::fixed("", ""),
            Some(More::Two | More::TwoAgain) => Text::fixed("; more: place two more", "；more 再摆两子"),
            Some(More::Ten) => Text::fixed("; more: offer ten", "；more 摆十个打点"),
        };
        text!("{rule}: {wanted}{swap}{more}", "{rule}：{wanted}{swap}{more}"; rule, wanted, swap, more)
    }
}

impl Speak for Demand {
    /// What is to be done, in one sentence without a full stop.
    fn text(&self) -> Text {
        let (rule, wanted) = (self.rule.text(), self.wanted());
        let swap = self.swap.map_or(Text::fixed("", ""), |stone| {
            let side = colour(stone);
            text!(", or swap and play {side}", "，或交换执{side}"; side)
        });
        let more = match self.more {
            None => Text::fixed("", ""),
            Some(More::Two | More::TwoAgain) => {
                Text::fixed(", or place two more and let the other one choose", "，或再摆两子由对方选择")
            }
            Some(More::Ten) => Text::fixed(", or offer ten fifth moves", "，或摆十个打点"),
        };
        text!("{rule}: {wanted}{swap}{more}", "{rule}：{wanted}{swap}{more}"; rule, wanted, swap, more)
    }
}

impl Speak for BadAct {
    fn text(&self) -> Text {
        match self {
            BadAct::Illegal(why) => why.text(),
            BadAct::Outside(1) => Text::fixed("the first stone belongs in the centre", "第一子须落在天元"),
            BadAct::Outside(n) => {
                text!("this stone must lie within the central {n}×{n}", "此子须落在中央 {n}×{n} 内")
            }
            BadAct::Twice => Text::fixed("that fifth move is offered already", "此打点已经摆过"),
            BadAct::Mirrored(cell) => {
                text!("that fifth move is the same as {cell} by symmetry", "此打点与 {cell} 对称")
            }
            BadAct::NotOffered => Text::fixed("only an offered fifth move can be chosen", "只能在已摆出的打点中选择"),
            BadAct::WantsCount => Text::fixed("say how many fifth moves there will be first", "请先声明第五手的打点数"),
            BadAct::NoCount => Text::fixed("no number is asked for now", "现在不需要声明打点数"),
            BadAct::CountFrom1To(most) => {
                text!("the number of fifth moves must be 1 to {most}", "打点数须为 1 到 {most}")
            }
            BadAct::NoSwap => Text::fixed("there is no swap now", "现在不能交换"),
            BadAct::NoMore => Text::fixed("there is no such choice now", "现在没有这个选择"),
            BadAct::NotYours => Text::fixed("that is the other one's to do", "这应由对方来做"),
            BadAct::Settled => Text::fixed("the sides are settled", "黑白已定"),
            BadAct::NotAgreed => {
                Text::fixed("the stones of the game are not those of its opening", "对局棋子与开局协商不符")
            }
        }
    }
}

spoken_errors!(BadAct);
