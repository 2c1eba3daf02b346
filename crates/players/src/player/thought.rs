//! What engines print of their thoughts, as far as it can be understood: `depth 9-14 ev 35 n 12K pv h8 i9`,
//! `Depth 8-13 | Eval +M5 | Node 11K | h8 i9`, `Score : 12.5`.

use lianzi_core::record::Eval;
use lianzi_core::{Cell, Rules};
use lianzi_engine::{Info, Line};

use crate::protocol::cells::Alphabet;
use crate::protocol::cells::from_corner;

/// What is known of a search so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    depth: Option<u32>,
    nodes: Option<u64>,
    score: Option<i32>,
    win_in: Option<i32>,
    line: Vec<String>,
}

/// Engines that name cells by letter and number disagree about where row 1 is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOne {
    /// At the bottom.
    #[default]
    Bottom,
    /// At the top.
    Top,
}

/// A score that stands for a proven win; the engine did not say more.
const WON: i32 = 30_000;

impl Thought {
    /// Reads a line; `None` if it says nothing of the sort.
    pub fn read(text: &str) -> Option<Thought> {
        let mut thought = Thought::default();
        for part in text.split('|') {
            thought.read_part(part);
        }
        (thought != Thought::default()).then_some(thought)
    }

    fn read_part(&mut self, part: &str) {
        let separators = |c: char| c.is_whitespace() || matches!(c, '=' | ':' | '[' | ']' | ';');
        let words: Vec<&str> = part.split(separators).filter(|word| !word.is_empty()).collect();
        if !words.is_empty() && words.iter().all(|word| is_cell(word)) {
            self.line = own(&words);
        }
        for (n, pair) in words.windows(2).enumerate() {
            let value = pair[1].trim_end_matches(',');
            match pair[0].to_ascii_lowercase().as_str() {
                "d" | "depth" | "dep" => self.depth = read_depth(value).or(self.depth),
                "ev" | "eval" | "score" | "value" => self.read_score(value),
                "n" | "node" | "nodes" => self.nodes = read_count(value).or(self.nodes),
                "pv" | "bestline" => {
                    let cells = words[n + 1..].iter().take_while(|word| is_cell(word));
                    self.line = own(&cells.copied().collect::<Vec<_>>());
                }
                _ => {}
            }
        }
    }

    /// A number, or a proven end such as `+M5`, `-M6`, `M7`.
    fn read_score(&mut self, text: &str) {
        let (sign, size) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        if let Some(plies) = size.strip_prefix(['M', 'm']).and_then(|plies| plies.parse::<i32>().ok()) {
            self.win_in = Some(sign * plies.saturating_abs());
            self.score = Some(sign * WON);
        } else if let Some(score) = text.parse::<f64>().ok().filter(|score| score.is_finite()) {
            // Scores beyond all bounds are kept as the nearest bound.
            (self.score, self.win_in) = (Some(score.round() as i32), None);
        }
    }

    /// What is newer comes first.
    pub fn add(&mut self, newer: Thought) {
        self.depth = newer.depth.or(self.depth);
        self.nodes = newer.nodes.or(self.nodes);
        if newer.score.is_some() {
            (self.score, self.win_in) = (newer.score, newer.win_in);
        }
        if !newer.line.is_empty() {
            self.line = newer.line;
        }
    }

    /// What goes into the record; nothing without a score.
    pub fn eval(&self) -> Option<Eval> {
        let Thought { depth, nodes, win_in, .. } = *self;
        self.score.map(|score| Eval { score, win_in, depth, nodes })
    }

    /// What those who watch are told.
    pub fn info(&self, rules: &Rules, rows: RowOne) -> Info {
        let cells: Vec<Cell> = self.line.iter().map_while(|name| read_cell(name, rules, rows)).collect();
        let line = self.score.map(|score| Line { score, win_in: self.win_in, cells });
        let (depth, nodes) = (self.depth.unwrap_or_default(), self.nodes.unwrap_or_default());
        Info { depth, nodes, lines: line.into_iter().collect() }
    }

    /// Where row 1 is, if the line begins with this cell in one reading only.
    pub fn rows(&self, first: Cell, rules: &Rules) -> Option<RowOne> {
        let name = self.line.first()?;
        let fits = |rows| read_cell(name, rules, rows) == Some(first);
        match (fits(RowOne::Bottom), fits(RowOne::Top)) {
            (true, false) => Some(RowOne::Bottom),
            (false, true) => Some(RowOne::Top),
            _ => None,
        }
    }
}

fn own(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

fn is_cell(word: &str) -> bool {
    let largest = Rules::gomoku(lianzi_core::MAX_SIDE);
    read_cell(word, &largest, RowOne::Bottom).is_some()
}

/// `h8` or `7,7`; the latter is Piskvork's.
fn read_cell(name: &str, rules: &Rules, rows: RowOne) -> Option<Cell> {
    if name.contains(',') {
        return Alphabet::Piskvork.read(name, rules).ok();
    }
    let cell: Cell = name.parse().ok()?;
    match rows {
        RowOne::Bottom => rules.contains(cell).then_some(cell),
        RowOne::Top => from_corner(cell.column.into(), cell.row.into(), rules),
    }
}

/// `12` or `12-20`, of which the first counts.
fn read_depth(text: &str) -> Option<u32> {
    text.split(['-', '/']).next()?.parse().ok()
}

/// `1234`, `12K`, `3.5M`.
fn read_count(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 1.0,
        "k" => 1e3,
        "m" => 1e6,
        "g" | "b" => 1e9,
        _ => return None,
    };
    let count = digits.parse::<f64>().ok()? * scale;
    (0.0..1e18).contains(&count).then_some(count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(depth: u32, nodes: u64, score: i32, line: &str) -> Thought {
        let line = line.split_whitespace().map(str::to_string).collect();
        let (depth, nodes) = (Some(depth).filter(|d| *d > 0), Some(nodes).filter(|n| *n > 0));
        Thought { depth, nodes, score: Some(score), win_in: None, line }
    }

    #[test]
    fn ways_to_think_aloud() {
        let read = |text: &str| Thought::read(text).unwrap();
        assert_eq!(read("MESSAGE depth 9-14 ev 35 n 12K n/ms 300 tm 5 pv H8 I9"), thought(9, 12_000, 35, "H8 I9"));
        assert_eq!(read("MESSAGE Depth 8-13 | Eval -5 | Time 2ms | H8 J10"), thought(8, 0, -5, "H8 J10"));
        assert_eq!(
            read("MESSAGE Speed 512K | Depth 13-24 | Eval 12 | Node 3.5M | Time 2s"),
            thought(13, 3_500_000, 12, "")
        );
        assert_eq!(read("MESSAGE DEPTH 7 EV 3 N 99 PV 7,7 8,8"), thought(7, 99, 3, "7,7 8,8"));
        assert_eq!(read("MESSAGE d 8 ev 120 n 12345"), thought(8, 12_345, 120, ""));
        assert_eq!(read("Score :\t12.600"), thought(0, 0, 13, ""));
        let won = read("MESSAGE Depth 4-5 | Eval +M5 | Time 1ms | h8");
        assert_eq!(won.eval().map(|eval| (eval.score, eval.win_in)), Some((WON, Some(5))));
        assert_eq!(read("MESSAGE ev -M6").eval().and_then(|eval| eval.win_in), Some(-6));
        for nothing in ["MESSAGE hello", "MESSAGE depth of thought", "MESSAGE ev nan", "", "VCF time : 0.1"] {
            assert_eq!(Thought::read(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn the_answer_shows_where_row_one_is() {
        let rules = Rules::gomoku(15);
        let cell = |name: &str| name.parse::<Cell>().unwrap();
        let line = Thought::read("pv h3 h4").unwrap();
        assert_eq!(line.rows(cell("h3"), &rules), Some(RowOne::Bottom));
        assert_eq!(line.rows(cell("h13"), &rules), Some(RowOne::Top));
        assert_eq!(line.rows(cell("a1"), &rules), None);
        assert_eq!(Thought::read("pv h8").unwrap().rows(cell("h8"), &rules), None);
        let info = Thought::read("ev 1 pv h3 z30").unwrap().info(&rules, RowOne::Top);
        assert_eq!(info.lines[0].cells, [cell("h13")]);
    }
}
