//! What can be typed, in words or by one key.

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    Nothing,
    Undo,
    Redo,
    Hint,
    Analyse,
    Threats,
    Swap,
    Resign,
    Restart,
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
    /// Stones, as typed.
    Place(String),
}

impl Order {
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
            (_, "") => Order::word(word).unwrap_or_else(|| Order::Place(typed.into())),
            _ => Order::Place(typed.into()),
        }
    }

    fn word(word: &str) -> Option<Order> {
        Some(match word {
            "undo" | "悔棋" => Order::Undo,
            "redo" | "恢复" => Order::Redo,
            "hint" | "提示" => Order::Hint,
            "analyse" | "analyze" | "分析" => Order::Analyse,
            "threats" | "威胁" => Order::Threats,
            "swap" | "换边" => Order::Swap,
            "resign" | "认输" => Order::Resign,
            "restart" | "重新开始" => Order::Restart,
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
            'U' => Order::Undo,
            'R' => Order::Redo,
            'H' => Order::Hint,
            'A' => Order::Analyse,
            'T' => Order::Threats,
            'X' => Order::Swap,
            'G' => Order::Resign,
            'N' => Order::Restart,
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
        assert_eq!(Order::read("  undo "), Order::Undo);
        assert_eq!(Order::read("悔棋"), Order::Undo);
        assert_eq!(Order::read("save  my game.json "), Order::Save("my game.json".into()));
        assert_eq!(Order::read("save"), Order::Save(String::new()));
        assert_eq!(Order::read("replay 12"), Order::Replay("12".into()));
        assert_eq!(Order::read("h8 i9"), Order::Place("h8 i9".into()));
        assert_eq!(Order::read("undo it"), Order::Place("undo it".into()));
        assert_eq!(Order::read(" \t"), Order::Nothing);
    }

    #[test]
    fn keys_leave_the_letters_of_cells_alone() {
        let named: Vec<char> = ('\0'..='\u{7f}').filter(|&key| Order::of_key(key).is_some()).collect();
        assert!(named.iter().all(|key| key.is_ascii_uppercase() || *key == '?'), "{named:?}");
    }
}
