//! Sentences that more than one way to sit at the table says.

use std::time::Duration;

use lianzi_core::opening::Want;
use lianzi_core::{Act, Cell, Demand, Language, Speak, Text, text};
use lianzi_engine::Line;
use lianzi_engine::catalog::title;
use lianzi_engine::chance::Scores;
use lianzi_game::live::Refused;

/// Why something was not done. What begins with the name of a cell stays as it is; the rest becomes a sentence.
pub fn refused(refused: &Refused, language: Language) -> String {
    let words = refused.words(language);
    if matches!(refused, Refused::Unread(_) | Refused::Illegal(..) | Refused::Opening(Act::Place(_), _)) {
        return words;
    }
    let first: String = words.chars().take(1).flat_map(char::to_uppercase).collect();
    let rest: String = words.chars().skip(1).collect();
    format!("{first}{rest}{}", language.pick(".", "。"))
}

/// How an opening ended, with the names of those who play Black and White.
pub fn settled([black, white]: [&str; 2]) -> Text {
    let (black, white) = (title(black), title(white));
    text!(
        "The sides are settled: {black} plays Black, {white} plays White.",
        "黑白已定：{black}执黑，{white}执白。";
        black, white
    )
}

/// The fifth moves that are offered, with their numbers; nothing when there are none.
pub fn offered(cells: &[Cell]) -> Option<Text> {
    let names: Vec<String> = cells.iter().zip(1..).map(|(cell, n)| format!("{n} {cell}")).collect();
    let (english, chinese) = (names.join(", "), names.join("、"));
    (!cells.is_empty()).then(|| Text::new(format!("Offered: {english}"), format!("打点：{chinese}")))
}

pub fn nothing_named(save: bool) -> Text {
    match save {
        true => Text::fixed("Say where: save game.json", "请写文件名：save game.json"),
        false => Text::fixed("Say from where: load game.json", "请写文件名：load game.json"),
    }
}

pub fn saved(name: &str) -> Text {
    text!("Saved to {name}", "已保存到 {name}")
}

pub fn not_saved(why: &str) -> Text {
    text!("Not saved: {why}", "未能保存：{why}")
}

pub fn not_your_turn(side: &str, language: Language) -> String {
    text!("{side} is thinking; wait, or take back.", "{side}正在思考；请稍候，或悔棋。").said(language)
}

/// Whose turn it is, and how many stones it has, or that it is a choice.
pub fn turn(side: &str, demand: Option<Demand>, left: usize, language: Language) -> String {
    let text = match (demand, left) {
        (Some(Demand { swap: Some(_), .. } | Demand { want: Want::Count(_) | Want::Pick(_), .. }), _) => {
            text!("{side} to choose", "由{side}选择")
        }
        (Some(Demand { want: Want::Fifths(_), .. }), n) => text!("{side} to offer {n} moves", "由{side}摆 {n} 个打点"),
        (_, 1) => text!("{side} to move", "轮到{side}"),
        (_, n) => text!("{side} to move, {n} stones", "轮到{side}，下 {n} 子"),
    };
    text.said(language)
}

pub fn try_this(turn: &[Cell]) -> Text {
    text!("Try {}", "可以考虑 {}", names(turn))
}

pub fn no_such_step(last: usize) -> Text {
    text!("There is no such step; steps are 0 to {last}.", "没有这一步；步数为 0 到 {last}。")
}

pub fn names(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

/// What a line is worth to the side to move: a proven end as `#7`, a chance, or the engine's own score.
pub fn value(line: &Line, scores: Scores) -> String {
    match (line.win_in, scores.of_line(line)) {
        (Some(plies), _) => format!("#{plies}"),
        (None, Some(chance)) => format!("{:.0}%", chance * 100.0),
        (None, None) => format!("{:+}", line.score),
    }
}

/// Minutes and seconds, with hours where there are any.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// 950, 12k, 3.5M.
pub fn count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{}k", n / 1000),
        _ => format!("{:.1}M", n as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(["0:07", "1:05", "2:00:09"], [7, 65, 7209].map(|s| time(Duration::from_secs(s))));
        assert_eq!(["950", "12k", "3.5M"], [950, 12_345, 3_540_000].map(count));
        let line = Line { score: 3000, win_in: None, cells: vec![] };
        assert_eq!((value(&line, Scores::Ahead(3000)), value(&line, Scores::Rank)), ("73%".into(), "+3000".into()));
        assert_eq!(value(&Line { win_in: Some(-4), ..line }, Scores::Rank), "#-4");
    }
}
