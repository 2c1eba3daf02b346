//! The mark sheet of a class: a table for programs, and a page for people.

use std::collections::HashMap;
use std::fmt::Write;

use lianzi_cage::watch::attempt_words;
use lianzi_core::{Language, Speak, shown, text};
use serde_json::{Value, json};

use super::Course;
use super::code::Failure;
use super::mark::Mark;
use super::pace::Pace;
use super::page::{escape, frame};
use super::previous::Change;

/// One line of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The student's number, or the strategy's name.
    pub student: String,
    /// The system.
    pub system: String,
    /// What the games earned.
    pub mark: Mark,
    /// What a teacher should know.
    pub remarks: Vec<String>,
    /// What it tried and may not do, as records have it.
    pub refused: Vec<String>,
    /// How long it thought.
    pub pace: Pace,
    /// Whose sources are similar, with their shares.
    pub similar: Vec<String>,
    /// What has changed since an earlier grading.
    pub change: Option<Change>,
    /// The page with its games, beside the sheet.
    pub page: Option<String>,
}

impl Row {
    /// The line as one JSON object.
    pub fn json(&self) -> Value {
        let mark = &self.mark;
        let names = ["bugs", "illegal", "timeouts", "not_loaded", "functions_missing"];
        debug_assert_eq!(names.len(), Failure::ALL.len());
        let faults: serde_json::Map<String, Value> =
            names.iter().zip(mark.failures).map(|(name, count)| (name.to_string(), json!(count))).collect();
        json!({
            "event": "mark", "student": self.student, "system": self.system, "wins": mark.wins,
            "draws": mark.draws, "losses": mark.losses, "faults": faults, "points": mark.points,
            "base": mark.base, "games": mark.games, "total_so_far": mark.total(), "remarks": self.remarks,
            "cpu_most": self.pace.cpu.most.as_secs_f64(), "wall_most": self.pace.wall.most.as_secs_f64(),
            "load": self.pace.load, "repeated": self.pace.repeated, "refused": self.refused, "similar": self.similar,
            "previous": self.change.map(|change| change.before),
        })
    }
}

const COLUMNS: [&str; 24] = [
    "student",
    "system",
    "wins",
    "draws",
    "losses",
    "bugs",
    "illegal_moves",
    "timeouts",
    "not_loaded",
    "functions_missing",
    "points",
    "base",
    "games",
    "report",
    "bonus",
    "total_so_far",
    "remarks",
    "cpu_most",
    "wall_most",
    "load",
    "repeated",
    "refused",
    "similar",
    "previous",
];

/// The sheet as CSV; report and bonus are left for people to fill in.
pub fn csv(rows: &[Row], language: Language) -> String {
    let mut text = COLUMNS.join(",") + "\r\n";
    for row in rows {
        let mark = &row.mark;
        let [wins, draws, losses] = [mark.wins, mark.draws, mark.losses].map(|n| n.to_string());
        let [points, base, games, total] = figures(mark);
        let mut cells = vec![field(&row.student), field(&row.system), wins, draws, losses];
        cells.extend(mark.failures.map(|count| count.to_string()));
        cells.extend([points, base, games, String::new(), String::new(), total]);
        cells.push(field(&row.remarks.join("; ")));
        cells.extend([row.pace.cpu, row.pace.wall].map(|spread| number(spread.most.as_secs_f64())));
        cells.extend([row.pace.load.map(number).unwrap_or_default(), row.pace.repeated.to_string()]);
        cells.push(field(&tried(&row.refused, language)));
        cells.push(field(&row.similar.join("; ")));
        cells.push(row.change.map(|change| number(change.before)).unwrap_or_default());
        text += &(cells.join(",") + "\r\n");
    }
    text
}

/// Points and marks as the sheet has them; blank if no game was played.
fn figures(mark: &Mark) -> [String; 4] {
    let figures = [mark.points, mark.base, mark.games, mark.total()];
    if mark.is_begun() { figures.map(number) } else { Default::default() }
}

/// A mark with at most two decimals.
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A text that stays one cell, and that no spreadsheet takes for a formula.
pub fn field(text: &str) -> String {
    let text = shown(text);
    let formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let text = if formula { format!("'{text}") } else { text };
    let quoted = text.contains([',', '"']);
    if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// The totals of a sheet as [`csv`] writes it, by student; `None` if it is no such sheet.
pub fn totals(text: &str) -> Option<HashMap<String, f64>> {
    let mut lines = text.lines().map(cells);
    let heads = lines.next()?;
    let place = |name: &str| heads.iter().position(|head| head == name);
    let (student, total) = (place("student")?, place("total_so_far")?);
    // Who has not played has no total.
    let lines = lines.filter(|cells| cells.get(total).is_none_or(|total| !total.is_empty()));
    lines.map(|cells| Some((cells.get(student)?.clone(), cells.get(total)?.parse().ok()?))).collect()
}

/// The cells of a line, as they were before [`field`] wrote them.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted, mut before) = (vec![String::new()], false, ',');
    for c in line.chars() {
        match (c, cells.last_mut()) {
            ('"', Some(cell)) => {
                // Two in a row are one that was meant.
                quoted = !quoted;
                if quoted && before == '"' {
                    cell.push('"');
                }
            }
            (',', _) if !quoted => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
        before = c;
    }
    cells.iter().map(|cell| cell.strip_prefix('\'').unwrap_or(cell).to_string()).collect()
}

/// What a teacher must know of a machine that had more to do than it can.
pub fn busy(pace: &Pace, language: Language) -> Option<String> {
    let (load, repeated) = (number(pace.load?), pace.repeated);
    let words = text!(
        "the machine was too busy: a load of {load}; {repeated} games were played again",
        "机器过于繁忙：负载 {load}；重下 {repeated} 局"
    );
    Some(words.said(language))
}

/// What was tried and refused, in words.
pub fn tried(refused: &[String], language: Language) -> String {
    let words: Vec<String> = refused.iter().map(|attempt| attempt_words(attempt).said(language)).collect();
    words.join(language.pick("; ", "；"))
}

/// The sheet as a page.
pub fn html(course: &Course, rows: &[Row], language: Language) -> String {
    let pick = |english: &'static str, chinese: &'static str| language.pick(english, chinese);
    let heads = [
        pick("student", "学号"),
        pick("system", "系统"),
        pick("won", "胜"),
        pick("drawn", "和"),
        pick("lost", "负"),
        pick("faults", "犯规"),
        pick("points", "积分"),
        pick("base", "基本分"),
        pick("games", "对局分"),
        pick("report", "报告"),
        pick("bonus", "附加"),
        pick("so far", "合计"),
        pick("slowest move, CPU (clock)", "最慢一手 CPU（时钟）"),
    ];
    let (heads, remarks) = (heads.map(|head| format!("<th>{head}</th>")).concat(), pick("remarks", "备注"));
    let mut body = format!("<table><thead><tr>{heads}<th class=\"text\">{remarks}</th></tr></thead><tbody>");
    for row in rows {
        body += &line(row, language);
    }
    body += "</tbody></table>";
    let load = rows.iter().filter_map(|row| row.pace.load).reduce(f64::max);
    let repeated = rows.iter().map(|row| row.pace.repeated).sum();
    if let Some(words) = busy(&Pace { load, repeated, ..Pace::default() }, language) {
        body = format!("<p><b>{words}</b></p>{body}");
    }
    if rows.iter().any(|row| !row.similar.is_empty()) {
        body += &format!("<p><a href=\"similar.html\">{}</a></p>", pick("similar submissions", "相似的提交"));
    }
    frame(&format!("{}: {}", course.name, pick("marks", "成绩")), &body, language)
}

fn line(row: &Row, language: Language) -> String {
    let mark = &row.mark;
    let student = match &row.page {
        Some(page) => format!("<a href=\"{}\">{}</a>", escape(page), escape(&row.student)),
        None => escape(&row.student),
    };
    let numbers = [mark.wins, mark.draws, mark.losses].map(|n| format!("<td>{n}</td>")).concat();
    let [points, base, games, total] = figures(mark);
    let change = row.change.map(|change| change.words(language));
    let similar = (!row.similar.is_empty())
        .then(|| format!("{} {}", language.pick("similar to", "相似于"), row.similar.join(", ")));
    let tried = (!row.refused.is_empty()).then(|| {
        format!("{} {}", language.pick("the cage refused to", "隔离进程拒绝："), tried(&row.refused, language))
    });
    let said = change.into_iter().chain(tried).chain(similar);
    let remarks: Vec<String> = said.chain(row.remarks.iter().cloned()).collect();
    let remarks = escape(&remarks.join(language.pick("; ", "；")));
    let [cpu, wall] = [row.pace.cpu, row.pace.wall].map(|spread| number(spread.most.as_secs_f64()));
    let slowest = row.pace.wall.mean().map(|_| format!("{cpu} s ({wall} s)")).unwrap_or_default();
    format!(
        "<tr><td>{student}</td><td>{}</td>{numbers}<td>{}</td><td>{points}</td><td>{base}</td><td>{games}</td><td></td><td></td><td><b>{total}</b></td><td>{slowest}</td><td class=\"text\">{remarks}</td></tr>\n",
        escape(&row.system),
        escape(&faults(mark, language)),
    )
}

/// The faults of a mark, each kind with its count.
pub fn faults(mark: &Mark, language: Language) -> String {
    let mut text = String::new();
    for (failure, count) in Failure::ALL.into_iter().zip(mark.failures).filter(|(_, count)| *count > 0) {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}{count} × {}", failure.words(language));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(student: &str, remarks: &[&str]) -> Row {
        let course = Course::built_in("connect4").unwrap();
        Row {
            student: student.into(),
            system: "Linux".into(),
            mark: course.mark_of_nothing(2),
            remarks: remarks.iter().map(|remark| remark.to_string()).collect(),
            refused: vec!["network".into(), "read /etc/a,b".into()],
            pace: Pace::default(),
            similar: Vec::new(),
            change: None,
            page: Some(format!("{student}/strategy.html")),
        }
    }

    #[test]
    fn a_cell_stays_a_cell() {
        let text = csv(&[row("=1+1", &["a, \"b\"", "c"]), row("2020", &[])], Language::English);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], COLUMNS.join(","));
        assert_eq!(
            lines[1],
            "'=1+1,Linux,0,0,4,0,0,0,4,0,0,0,0,,,0,\"a, \"\"b\"\"; c\",0,0,,0,\"use the network; read /etc/a,b\",,"
        );
        assert_eq!(lines[2], "2020,Linux,0,0,4,0,0,0,4,0,0,0,0,,,0,,0,0,,0,\"use the network; read /etc/a,b\",,");
        assert_eq!(totals(&text), Some(HashMap::from([("=1+1".into(), 0.0), ("2020".into(), 0.0)])));
        assert_eq!(cells(lines[1])[16], "a, \"b\"; c");
        assert_eq!(field("\u{1b}[2J=\n"), "\u{fffd}[2J=\u{fffd}");
        assert_eq!([field(" =1"), field("＝1"), field("a=1")], ["' =1", "'＝1", "a=1"]);
        assert_eq!(totals("a,b\n1,2\n"), None);
        assert!(!text.starts_with('\u{feff}'), "no byte order mark");
    }

    #[test]
    fn a_page_has_no_markup_of_strangers() {
        let course = Course::built_in("connect4").unwrap();
        let page = html(&course, &[row("<script>alert(1)</script>", &["\"><img>"])], Language::English);
        assert!(!page.contains("<script>") && !page.contains("<img>"), "{page}");
        assert!(page.contains("4 × cannot be loaded"));
        assert!(!page.contains(" s ("), "who never moved has no slowest move");
    }

    #[test]
    fn marks_have_at_most_two_decimals() {
        assert_eq!([40.0, 26.666_666, 0.5, 0.0].map(number), ["40", "26.67", "0.5", "0"]);
    }
}
