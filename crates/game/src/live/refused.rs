//! Why an order was not obeyed, in words.

use lianzi_core::{Act, BadAct, Cell, IllegalMove, Speak, Stone, Text, UnreadMove, text};

/// Why an order was not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The game is over.
    Over,
    /// Somebody else is to move.
    NotYourTurn(Stone),
    /// Who gave the order has no seat.
    Watching,
    /// Only who set up the game can do that.
    NotOwner,
    /// The board is not the one that was seen.
    Changed,
    /// No such cell.
    Unread(UnreadMove),
    /// No stone may lie there.
    Illegal(Cell, IllegalMove),
    /// The opening rule does not allow it.
    Opening(Act, BadAct),
    /// The turn has only so many stones left.
    TooMany(usize),
    /// No stone can be taken back.
    NothingToTakeBack,
    /// No stone can be put back.
    NothingToPutBack,
    /// The last stone is somebody else's.
    NotYourStone,
    /// The opening has settled the sides.
    Settled,
    /// The sides are still being found.
    SidesOpen,
    /// There is no such choice in the opening now.
    NoSuchChoice,
}

impl Speak for Refused {
    fn text(&self) -> Text {
        match self {
            Refused::Over => Text::fixed("the game is over", "对局已经结束"),
            Refused::NotYourTurn(stone) => {
                let side = stone.text();
                text!("it is {side}'s turn, not yours", "现在轮到{side}，不是你"; side)
            }
            Refused::Watching => {
                Text::fixed("you are watching; only who has a seat can do that", "你在观战；只有就座的人可以这样做")
            }
            Refused::NotOwner => {
                Text::fixed("only the one who set up this game can do that", "只有开设此局的人可以这样做")
            }
            Refused::Changed => Text::fixed(
                "the board has changed since you clicked; look again and choose",
                "你点击后棋盘已有变化；请看清后再落子",
            ),
            Refused::Unread(why) => why.text(),
            Refused::Illegal(cell, IllegalMove::Forbidden(foul)) => {
                let foul = foul.text();
                text!("{cell} is forbidden to Black: {foul}", "黑方不能下 {cell}：{foul}"; foul)
            }
            Refused::Illegal(cell, why) => {
                let why = why.text();
                text!("{cell}: {why}", "{cell}：{why}"; why)
            }
            Refused::Opening(Act::Place(cell), why) => {
                let why = why.text();
                text!("{cell}: {why}", "{cell}：{why}"; why)
            }
            Refused::Opening(_, why) => why.text(),
            Refused::TooMany(left) => {
                text!("too many stones: {left} are left in this turn", "子数过多：这一手还剩 {left} 子")
            }
            Refused::NothingToTakeBack => Text::fixed("there is nothing to take back", "没有可悔的棋"),
            Refused::NothingToPutBack => Text::fixed("there is nothing to put back", "没有可取消的悔棋"),
            Refused::NotYourStone => {
                Text::fixed("the last stone is not yours to take back", "最后一子不是你下的，不能悔")
            }
            Refused::Settled => Text::fixed(
                "the sides are settled; their opening cannot be taken back, but you can restart",
                "黑白已定，开局不能悔；可以重新开始",
            ),
            Refused::SidesOpen => Text::fixed(
                "the sides are still being found; go on with the opening, or restart",
                "正在决定黑白；请继续开局，或重新开始",
            ),
            Refused::NoSuchChoice => Text::fixed("there is no such choice now", "现在没有这个选择"),
        }
    }
}
