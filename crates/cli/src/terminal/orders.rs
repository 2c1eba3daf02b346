//! What can be typed, in words or by one key.

use lianzi_game::live::Order as TableOrder;

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    Nothing,
    /// Something that the table does.
    Table(TableOrder),
    Hint,
    Analyse,
    Threats,
    /// To a file, whose name may be missing.
    Save(String),
    /// From a file, whose name may be missing.
    Load(String),
    /// To the position after so many stones, as typed.
    Replay(String),
    Board,
    Moves,
    Help,
    Quit,
}

impl Order {
    /// Stones, as typed.
    pub fn place(names: impl Into<String>) -> Order {
        Order::Table(TableOrder::Place { cell: names.into(), ply: None, waited_ms: 0 })
    }

    /// Reads a line. What is no order is a place on the board, and the board says what is wrong with it.
    pub fn read(typed: &str) -> Order {
        let typed = typed.trim();
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => Order::Nothing,
            ("save" | "保存" | "存盘", _) => Order::Save(rest.into()),
            ("load" | "读取", _) => Order::Load(rest.into()),
            ("replay" | "复盘", _) => Order::Replay(rest.into()),
            (_, "") => Order::word(word).unwrap_or_else(|| Order::place(typed)),
            _ => Order::place(typed),
        }
    }

    fn word(word: &str) -> Option<Order> {
        Some(match word {
            "undo" | "悔棋" => Order::Table(TableOrder::Undo),
            "redo" | "取消悔棋" | "恢复" => Order::Table(TableOrder::Redo),
            "take" | "执黑" => Order::Table(TableOrder::Take),
            "more" | "two" | "ten" | "两子" | "十打" => Order::Table(TableOrder::More),
            "hint" | "提示" => Order::Hint,
            "analyse" | "analyze" | "分析" => Order::Analyse,
            "threats" | "威胁" => Order::Threats,
            "swap" | "换边" => Order::Table(TableOrder::Swap),
            "resign" | "认输" => Order::Table(TableOrder::Resign),
            "restart" | "重新开始" => Order::Table(TableOrder::Restart),
            "board" | "棋盘" => Order::Board,
            "moves" | "着法" => Order::Moves,
            "help" | "?" | "帮助" => Order::Help,
            "quit" | "exit" | "q" | "退出" => Order::Quit,
            _ => return None,
        })
    }

    /// The order of one key on the screen. Small letters and digits name cells, so orders are capitals.
    pub fn of_key(key: char) -> Option<Order> {
        Some(match key {
            'U' => Order::Table(TableOrder::Undo),
            'R' => Order::Table(TableOrder::Redo),
            'B' => Order::Table(TableOrder::Take),
            'D' => Order::Table(TableOrder::More),
            'H' => Order::Hint,
            'A' => Order::Analyse,
            'T' => Order::Threats,
            'X' => Order::Table(TableOrder::Swap),
            'G' => Order::Table(TableOrder::Resign),
            'N' => Order::Table(TableOrder::Restart),
            'S' => Order::Save(String::new()),
            'L' => Order::Load(String::new()),
            'P' => Order::Replay(String::new()),
            '?' => Order::Help,
            'Q' => Order::Quit,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_orders_or_places() {
        assert_eq!(Order::read("  undo "), Order::Table(TableOrder::Undo));
        assert_eq!(Order::read("悔棋"), Order::Table(TableOrder::Undo));
        assert_eq!(Order::read("take"), Order::Table(TableOrder::Take));
        assert_eq!(Order::read("两子"), Order::Table(TableOrder::More));
        assert_eq!(Order::read("save  my game.json "), Order::Save("my game.json".into()));
        assert_eq!(Order::read("save"), Order::Save(String::new()));
        assert_eq!(Order::read("replay 12"), Order::Replay("12".into()));
        assert_eq!(Order::read("h8 i9"), Order::place("h8 i9"));
        assert_eq!(Order::read("undo it"), Order::place("undo it"));
        assert_eq!(Order::read(" \t"), Order::Nothing);
    }

    #[test]
    fn keys_leave_the_letters_of_cells_alone() {
        let named: Vec<char> = ('\0'..='\u{7f}').filter(|&key| Order::of_key(key).is_some()).collect();
        assert!(named.iter().all(|key| key.is_ascii_uppercase() || *key == '?'), "{named:?}");
    }
}
