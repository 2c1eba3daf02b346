//! The Go Text Protocol, version 2, as text. Vertices leave out I and count rows from the bottom, as we do.

use lianzi_core::{Rules, Stone};
use lianzi_engine::{Info, Line};

use super::cells::Alphabet;

/// A command: its number, if the controller gave one, its name, and the words after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number that the answer repeats.
    pub id: Option<u32>,
    /// The name, as written.
    pub name: String,
    /// The words after the name.
    pub words: Vec<String>,
}

impl Command {
    /// Reads a line; `None` when nothing is left of it without comments and control characters.
    pub fn read(line: &str) -> Option<Command> {
        let plain = line.split('#').next().unwrap_or_default().replace('\t', " ");
        let plain: String = plain.chars().filter(|c| !c.is_control()).collect();
        let mut words = plain.split_whitespace().map(str::to_string).peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        Some(Command { id, name: words.next()?, words: words.collect() })
    }
}

/// The first line of an answer, without the blank line that ends it.
pub fn answer(id: Option<u32>, result: Result<&str, &str>) -> String {
    let id = id.map(|id| id.to_string()).unwrap_or_default();
    match result {
        Ok("") => format!("={id}"),
        Ok(text) if text.starts_with('\n') => format!("={id}{text}"),
        Ok(text) => format!("={id} {text}"),
        Err(text) => format!("?{id} {text}"),
    }
}

/// Reads a colour: `b`, `black`, `w`, `white`, in either case.
pub fn read_color(word: &str) -> Option<Stone> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Stone::Black),
        "w" | "white" => Some(Stone::White),
        _ => None,
    }
}

/// How analysis is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As Leela Zero does: winrates in hundredths of a per cent.
    Leela,
    /// As KataGo does: winrates from 0 to 1, and a score.
    Kata,
}

/// What is known, on one line: `info move … pv …` for every best move.
pub fn analysis(info: &Info, manner: Manner, rules: &Rules) -> Option<String> {
    let known = info.lines.iter().filter(|line| !line.cells.is_empty()).enumerate();
    let parts: Vec<String> = known.map(|(order, line)| candidate(info, order, line, manner, rules)).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn candidate(info: &Info, order: usize, line: &Line, manner: Manner, rules: &Rules) -> String {
    let cells: Vec<String> = line.cells.iter().map(|&cell| Alphabet::Gtp.write(cell, rules)).collect();
    let (first, pv) = (&cells[0], cells.join(" "));
    // What a best move was searched with is known only for all together: it is the first one's.
    let visits = if order == 0 { info.nodes } else { 1 };
    let rate = winrate(line);
    match manner {
        Manner::Leela => {
            let rate = (rate * 10_000.0).round();
            format!("info move {first} visits {visits} winrate {rate} prior 0 lcb {rate} order {order} pv {pv}")
        }
        Manner::Kata => {
            let (utility, score) = (2.0 * rate - 1.0, f64::from(line.score) / 100.0);
            format!(
                "info move {first} visits {visits} utility {utility:.4} winrate {rate:.4} scoreMean {score:.2} \
                 scoreStdev 0 scoreLead {score:.2} scoreSelfplay {score:.2} prior 0 lcb {rate:.4} order {order} pv {pv}"
            )
        }
    }
}

/// The chance to win that a score stands for. Scores have no unit; this one puts "clearly ahead" near three quarters.
fn winrate(line: &Line) -> f64 {
    const CLEARLY: f64 = 2500.0;
    match line.win_in {
        Some(1..) => 1.0,
        Some(..0) => 0.0,
        Some(0) => 0.5,
        None => 1.0 / (1.0 + (-f64::from(line.score) / CLEARLY).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_numbers_comments_and_words() {
        let command = Command::read("12 play\tB  D4 # a comment").unwrap();
        assert_eq!((command.id, command.name.as_str()), (Some(12), "play"));
        assert_eq!(command.words, ["B", "D4"]);
        assert_eq!(Command::read("# nothing"), None);
        assert_eq!(Command::read("7"), None);
        assert_eq!(answer(Some(3), Ok("")), "=3");
        assert_eq!(answer(None, Err("no")), "? no");
        assert_eq!(answer(None, Ok("\nboard")), "=\nboard");
    }

    #[test]
    fn analysis_is_written_in_both_manners() {
        let rules = Rules::gomoku(15);
        let line = |cell: &str, win_in| Line { score: 0, win_in, cells: vec![cell.parse().unwrap()] };
        let info = Info { depth: 2, nodes: 50, lines: vec![line("i9", None), line("a1", Some(-2))] };
        assert_eq!(
            analysis(&info, Manner::Leela, &rules).unwrap(),
            "info move J9 visits 50 winrate 5000 prior 0 lcb 5000 order 0 pv J9 \
             info move A1 visits 1 winrate 0 prior 0 lcb 0 order 1 pv A1"
        );
        let kata = analysis(&info, Manner::Kata, &rules).unwrap();
        assert!(kata.starts_with("info move J9 visits 50 utility 0.0000 winrate 0.5000 scoreMean 0.00 "));
        assert_eq!(analysis(&Info::default(), Manner::Kata, &rules), None);
    }
}
