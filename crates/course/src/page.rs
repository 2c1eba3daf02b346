//! The page of one strategy: its mark, how it did against each sample, and where it lost.

use lianzi_core::{GameRecord, Language, Speak, Stone, shown_lines};

use super::Course;
use super::code::{Code, Side};
use super::lost::Moment;
use super::sheet::{Row, busy, faults, number, tried};

/// What one sample did to the strategy.
pub struct Met<'a> {
    /// The sample's name.
    pub sample: &'a str,
    /// How the games ended, the one in which the strategy began first.
    pub codes: Vec<Code>,
}

/// A lost game and where it was lost.
pub struct Lost<'a> {
    /// The game's name in the report, `3.1`.
    pub label: String,
    /// The sample.
    pub sample: &'a str,
    /// The stones the strategy had.
    pub stone: Stone,
    /// The game.
    pub record: &'a GameRecord,
    /// The turn.
    pub moment: Moment,
}

/// The page.
pub fn html(course: &Course, name: &str, row: &Row, met: &[Met<'_>], lost: &[Lost<'_>], language: Language) -> String {
    let mut body = summary(course, row, language);
    if !met.is_empty() {
        body += &table(met, language);
    }
    if !lost.is_empty() {
        body += &format!("<h2>{}</h2>", language.pick("Lost games", "负局"));
        body += &format!(
            "<p>{}</p>",
            language.pick(
                "The board shows the position before the move by which the game was lost: the last one at which a search of 2000 playouts did not yet see a forced win of the other side.",
                "棋盘为败着之前的局面：此时 2000 次模拟的搜索尚未发现对方可强制取胜。"
            )
        );
        lost.iter().for_each(|lost| body += &lost_game(lost, language));
    }
    frame(&format!("{}: {name}", course.name), &body, language)
}

fn summary(course: &Course, Row { mark, remarks, pace, refused, .. }: &Row, language: Language) -> String {
    let pick = |english: &'static str, chinese: &'static str| language.pick(english, chinese);
    let row = |head: &str, cell: String| format!("<tr><th>{head}</th><td class=\"text\">{cell}</td></tr>");
    let games = format!("{} / {} / {}", mark.wins, mark.draws, mark.losses);
    let of = |value: f64, most: f64| format!("{} / {}", number(value), number(most));
    let points = format!("{} / {}", number(mark.points), number(course.marks.win * 2.0 * mark.samples as f64));
    let mut rows = row(pick("won / drawn / lost", "胜 / 和 / 负"), games);
    rows += &row(pick("points", "积分"), points);
    rows += &row(pick("base", "基本分"), of(mark.base, course.marks.base));
    rows += &row(pick("games", "对局分"), of(mark.games, course.marks.games));
    rows += &row(pick("report", "报告"), format!("&nbsp; / {}", number(course.marks.report)));
    rows += &row(pick("bonus", "附加"), "&nbsp;".into());
    rows += &row(pick("so far", "合计"), format!("<b>{}</b>", number(mark.total())));
    if mark.faults() > 0 {
        rows += &row(pick("faults", "犯规"), escape(&faults(mark, language)));
    }
    if pace.wall.mean().is_some() {
        let at_most = pick("at most", "最多");
        rows += &row(pick("CPU time of a move", "每手 CPU 时间"), pace.cpu.words(at_most));
        rows += &row(pick("a move by the clock", "每手时钟时间"), pace.wall.words(at_most));
    }
    if let Some(words) = busy(pace, language) {
        rows += &row(pick("machine", "机器"), words);
    }
    if !refused.is_empty() {
        rows += &row(pick("the cage refused to", "隔离进程拒绝"), escape(&tried(refused, language)));
    }
    if !remarks.is_empty() {
        rows += &row(pick("remarks", "备注"), escape(&remarks.join(language.pick("; ", "；"))));
    }
    format!("<table>{rows}</table>")
}

fn table(met: &[Met<'_>], language: Language) -> String {
    let pick = |english: &'static str, chinese: &'static str| language.pick(english, chinese);
    let heads = [pick("sample", "样例"), pick("first", "先手"), pick("second", "后手")];
    let mut text = format!("<h2>{}</h2><table><thead><tr>", pick("Against each sample", "与各样例对局"));
    text += &heads.map(|head| format!("<th>{head}</th>")).concat();
    text += "</tr></thead><tbody>";
    for met in met {
        let codes = met.codes.iter().map(|code| format!("<td>{}</td>", escape(&code.words(Side::A, language))));
        text += &format!("<tr><td>{}</td>{}</tr>\n", escape(met.sample), codes.collect::<String>());
    }
    text += "</tbody></table>";
    text + &format!("<p><a href=\"report.html\">{}</a></p>", pick("all games", "全部对局"))
}

fn lost_game(lost: &Lost<'_>, language: Language) -> String {
    let position = lost.record.position_at(lost.moment.ply);
    let verdict = lost.record.verdict.words(&lost.record.rules, language);
    let replay = language.pick("replay", "复盘");
    let stone = match lost.stone {
        Stone::Black => language.pick("first, X", "先手 X"),
        Stone::White => language.pick("second, O", "后手 O"),
    };
    format!(
        "<section><h3>{} ({stone})</h3><p>{}. {} <a href=\"report.html#game-{}@{}\">{replay}</a></p><pre>{}</pre></section>\n",
        escape(lost.sample),
        escape(&lost.moment.words(language)),
        escape(&verdict),
        escape(&lost.label),
        lost.moment.ply,
        escape(&position.ascii().to_string()),
    )
}

/// A page of its own around a body.
pub(super) fn frame(title: &str, body: &str, language: Language) -> String {
    let title = escape(title);
    let tongue = language.pick("en", "zh");
    format!(
        "<!doctype html>\n<html lang=\"{tongue}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:100rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;margin:1rem 0}th,td{border-bottom:1px solid #8886;padding:.2rem .7rem;text-align:right;vertical-align:top}\
p{max-width:60rem}td{white-space:nowrap}td.text,td:nth-child(-n+2){white-space:normal;overflow-wrap:anywhere;min-width:6rem}\
td.text{font-size:.9em;line-height:1.3}h1,p,pre{overflow-wrap:anywhere}\
th:first-child,td:first-child,.text{text-align:left}section{display:inline-block;vertical-align:top;margin:0 2rem 1rem 0;max-width:32rem}\
pre{line-height:1.15}";

/// Text that is only text.
pub(super) fn escape(text: &str) -> String {
    shown_lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
