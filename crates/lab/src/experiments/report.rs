//! What an experiment says: settings to repeat it by, tables, and one honest sentence.
//!
//! Tables are printed as Markdown, so that they read well on a terminal and can stand in a document as they are.

use lianzi_core::{Speak, Text};
use serde_json::{Map, Value, json};

use lianzi_console::Console;

/// Everything that came of an experiment.
pub struct Report {
    /// What one must know to repeat it, by key.
    pub settings: Vec<(&'static str, String)>,
    /// The figures.
    pub tables: Vec<Table>,
    /// Whether the document's claim holds here.
    pub verdict: Finding,
    /// The same in a sentence.
    pub conclusion: String,
}

/// Whether a document's claim holds here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It does.
    Reproduced,
    /// Some of it does.
    Partly,
    /// It does not.
    Contradicted,
    /// There was too little to tell.
    Open,
}

impl Finding {
    /// Reproduced if all parts of the claim hold, contradicted if none does.
    pub fn of(parts: &[bool]) -> Finding {
        match parts.iter().filter(|&&part| part).count() {
            0 => Finding::Contradicted,
            held if held == parts.len() => Finding::Reproduced,
            _ => Finding::Partly,
        }
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Finding::Reproduced => "reproduced",
            Finding::Partly => "partly",
            Finding::Contradicted => "not-reproduced",
            Finding::Open => "open",
        }
    }
}

impl Speak for Finding {
    fn text(&self) -> Text {
        match self {
            Finding::Reproduced => Text::fixed("Reproduced", "复现"),
            Finding::Partly => Text::fixed("Partly reproduced", "部分复现"),
            Finding::Contradicted => Text::fixed("Not reproduced", "未复现"),
            Finding::Open => Text::fixed("Open", "未定"),
        }
    }
}

/// A table: columns have a key for programs and words for people.
pub struct Table {
    title: String,
    columns: Vec<(&'static str, &'static str)>,
    rows: Vec<Vec<Cell>>,
}

/// One entry of a table, for people and for programs.
pub struct Cell {
    text: String,
    value: Value,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell { text: text.into(), value: json!(text) }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::from(text.as_str())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Cell {
        Cell { text: thousands(number), value: json!(number) }
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Cell {
        Cell::from(number as u64)
    }
}

/// A number with so many digits after the point.
pub fn number(value: f64, digits: usize) -> Cell {
    Cell { text: format!("{value:.digits$}"), value: json!(value) }
}

/// A share of one, in percent.
pub fn percent(share: f64) -> Cell {
    Cell { text: format!("{:.1} %", share * 100.0), value: json!(share) }
}

/// A share of one with its error, in percent.
pub fn percent_error((share, error): (f64, f64)) -> Cell {
    let (whole, wide) = (share * 100.0, error * 100.0);
    let text = match share {
        1.0 => format!("100 % (≥ {:.1})", 100.0 - wide),
        0.0 => format!("0 % (≤ {wide:.1})"),
        _ => format!("{whole:.1} ± {wide:.1} %"),
    };
    Cell { text, value: json!({ "share": share, "error": error }) }
}

/// Groups digits by three, as the documents print large counts.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: &[(&'static str, &'static str)]) -> Table {
        Table { title: title.into(), columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row, which has as many cells as there are columns.
    pub fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        let cells = cells.into();
        debug_assert_eq!(cells.len(), self.columns.len(), "{}", self.title);
        self.rows.push(cells);
    }

    fn markdown(&self) -> String {
        let head: Vec<&str> = self.columns.iter().map(|(_, words)| *words).collect();
        let body = self.rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect());
        let lines: Vec<Vec<&str>> = std::iter::once(head).chain(body).collect();
        let widest = |column: usize| lines.iter().filter_map(|l| l.get(column)).map(|t| width(t)).max();
        let widths: Vec<usize> = (0..self.columns.len()).filter_map(widest).collect();
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width.max(3))).collect();
        let mut text = format!("{}\n\n", self.title);
        for (n, line) in lines.iter().enumerate() {
            text += &bar(line, &widths);
            if n == 0 {
                text += &format!("|-{}-|\n", rule.join("-|-"));
            }
        }
        text
    }

    fn json(&self) -> Value {
        let object = |row: &Vec<Cell>| {
            let pairs = self.columns.iter().zip(row).map(|((key, _), cell)| ((*key).into(), cell.value.clone()));
            Value::Object(pairs.collect::<Map<String, Value>>())
        };
        json!({ "title": self.title, "rows": self.rows.iter().map(object).collect::<Vec<_>>() })
    }
}

/// One line of a table, filled up to the widths.
fn bar(cells: &[&str], widths: &[usize]) -> String {
    let fill =
        |(text, &wanted): (&&str, &usize)| format!("{text}{}", " ".repeat(wanted.max(3).saturating_sub(width(text))));
    let cells: Vec<String> = cells.iter().zip(widths).map(fill).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// How many columns of a terminal a text takes: Chinese characters take two.
fn width(text: &str) -> usize {
    let wide = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

/// What a setting is called.
fn label(key: &'static str, console: &Console) -> &'static str {
    match key {
        "command" => console.pick("command", "命令"),
        "game" => console.pick("game", "棋"),
        "players" => console.pick("players", "棋手"),
        "opponent" => console.pick("opponent", "对手"),
        "limits" => console.pick("limits", "限制"),
        "openings" => console.pick("openings", "开局"),
        "games" => console.pick("games", "局数"),
        "seed" => console.pick("seed", "种子"),
        "note" => console.pick("note", "说明"),
        other => other,
    }
}

impl Report {
    /// The whole report for people.
    pub fn words(&self, console: &Console) -> String {
        let mut text = String::new();
        for (key, value) in &self.settings {
            text += &format!("* {}: {value}\n", label(key, console));
        }
        for table in &self.tables {
            text += &format!("\n{}", table.markdown());
        }
        text + &format!("\n{}: {}\n", self.verdict.words(console.language), self.conclusion)
    }

    /// The whole report for programs.
    pub fn json(&self, name: &str, document: &str) -> Value {
        let settings: Map<String, Value> =
            self.settings.iter().map(|(key, value)| ((*key).into(), json!(value))).collect();
        json!({
            "experiment": name,
            "document": document,
            "settings": settings,
            "tables": self.tables.iter().map(Table::json).collect::<Vec<_>>(),
            "verdict": self.verdict.name(),
            "conclusion": self.conclusion,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        let texts = [7, 1_234, 4_800_000, 100].map(thousands);
        assert_eq!(texts, ["7", "1,234", "4,800,000", "100"]);
    }

    #[test]
    fn tables_are_straight_in_both_scripts() {
        let mut table = Table::new("t", &[("a", "甲乙"), ("b", "wins")]);
        table.row(["x".into(), 12_usize.into()]);
        assert_eq!(table.markdown(), "t\n\n| 甲乙 | wins |\n|------|------|\n| x    | 12   |\n");
        assert_eq!(table.json(), json!({ "title": "t", "rows": [{ "a": "x", "b": 12 }] }));
    }

    #[test]
    fn a_claim_of_many_parts_can_hold_in_part() {
        assert_eq!(Finding::of(&[true, true]), Finding::Reproduced);
        assert_eq!(Finding::of(&[true, false]), Finding::Partly);
        assert_eq!(Finding::of(&[false]), Finding::Contradicted);
    }
}
