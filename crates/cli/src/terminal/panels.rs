//! Beside the board: clocks, thoughts, chances, moves; and the help screen.

use std::time::Instant;

use lianzi_classic::catalog;
use lianzi_core::record::GameRecord;
use lianzi_core::{Cell, Stone, text};
use lianzi_engine::catalog::title;
use lianzi_engine::{Info, threats};
use lianzi_game::live::analysis_scores;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::app::App;
use super::words;

/// Everything beside the board, for a panel of this size.
pub fn panel(app: &App<'_>, width: u16, height: u16) -> Vec<Line<'static>> {
    let width = usize::from(width);
    let mut lines: Vec<Line<'static>> = Stone::BOTH.map(|stone| clock(app, stone, width)).into();
    lines.push(Line::default());
    lines.extend(thoughts(app, width));
    if app.threats {
        lines.extend(threat_lines(app));
    }
    lines.push(chances(app, width));
    lines.push(heading(app, app.pick("Moves", "着法"), width));
    let left = usize::from(height).saturating_sub(lines.len());
    lines.extend(moves(app, left));
    lines
}

/// `● Black  human      0:12`, with a mark for the side to move.
fn clock(app: &App<'_>, stone: Stone, width: usize) -> Line<'static> {
    let (table, theme) = (&app.table, app.theme);
    let active = !table.game().is_over() && table.actor() == stone;
    let mark = if active { theme.turn() } else { ' ' };
    let name = title(&table.game().record().side(stone).name).said(app.language());
    let left = format!("{mark}{} {}  ", theme.stone(stone), app.side(stone));
    let face = table.face(stone, Instant::now());
    let right = match face.left {
        Some(left) => format!("{} {}", app.pick("left", "剩"), words::time(left)),
        None => words::time(face.used),
    };
    let style = if active { theme.heading() } else { theme.dim() };
    let room = width.saturating_sub(Span::raw(&left).width() + Span::raw(&right).width() + 1);
    let name = fitted(&name, room);
    let clock_style = if active { style.patch(theme.clock(face.left)) } else { style };
    Line::from(vec![Span::styled(left + &name, style), Span::styled(format!(" {right}"), clock_style)])
}

/// A text cut or filled up to so many columns.
fn fitted(text: &str, room: usize) -> String {
    let mut fitted = String::new();
    let mut used = 0;
    for c in text.chars().filter(|c| !c.is_control()) {
        let wide = Span::raw(c.to_string()).width();
        if used + wide > room {
            break;
        }
        fitted.push(c);
        used += wide;
    }
    fitted + &" ".repeat(room - used)
}

fn heading(app: &App<'_>, words: &str, width: usize) -> Line<'static> {
    let taken = Span::raw(words).width() + 1;
    let rule: String = std::iter::repeat_n(app.theme.rule(), width.saturating_sub(taken)).collect();
    Line::from(vec![Span::styled(format!("{words} "), app.theme.heading()), Span::styled(rule, app.theme.dim())])
}

/// What the engine thinks, or what the analysis has found.
fn thoughts(app: &App<'_>, width: usize) -> Vec<Line<'static>> {
    if let Some(info) = app.analysis() {
        let mut lines = vec![heading(app, app.pick("Analysis", "分析"), width), summary(app, info)];
        let scores = analysis_scores(app.table.position().rules());
        lines.extend(info.lines.iter().take(9).enumerate().map(|(n, line)| {
            let value = words::value(line, scores);
            let text = format!("{} {value:>6}  {}", n + 1, words::names(&line.cells));
            Line::styled(text, if n == 0 { app.theme.heading() } else { Style::new() })
        }));
        return lines;
    }
    let title = app.pick("Thoughts", "思考");
    let Some((stone, info)) = &app.table.thoughts else {
        return vec![heading(app, title, width), Line::styled(app.pick("none yet", "暂无"), app.theme.dim())];
    };
    let title = format!("{title}: {}", app.side(*stone));
    let scores = catalog::scores(app.table.players()[stone.index()], &app.table.game().record().rules);
    let mut lines = vec![heading(app, &title, width), summary(app, info)];
    if let Some(line) = info.lines.first() {
        let text = format!("{}  {}", words::value(line, scores), words::names(&line.cells));
        lines.push(Line::raw(text));
    }
    lines
}

fn summary(app: &App<'_>, info: &Info) -> Line<'static> {
    let (depth, nodes) = (info.depth, words::count(info.nodes));
    let dot = app.theme.dot();
    Line::raw(text!("depth {depth}{dot}{nodes} nodes", "深度 {depth}{dot}{nodes} 节点").said(app.language()))
}

/// What each side threatens, in cells.
fn threat_lines(app: &App<'_>) -> Vec<Line<'static>> {
    let position = app.position();
    let side = |stone: Stone| {
        let cells = |four: bool| {
            let kind = if four { threats::ThreatKind::Four } else { threats::ThreatKind::Three };
            let found = threats::threats(&position, stone).into_iter().filter(|threat| threat.kind == kind);
            let mut at: Vec<Cell> = found.flat_map(|threat| threat.at).collect();
            at.sort_unstable();
            at.dedup();
            (!at.is_empty()).then(|| format!(" {} {}", app.theme.threat(four), words::names(&at)))
        };
        let told: String = [true, false].into_iter().filter_map(cells).collect();
        let told = if told.is_empty() { format!(" {}", app.pick("nothing", "无")) } else { told };
        Line::raw(format!("{} {}{told}", app.theme.stone(stone), app.pick("threatens", "威胁")))
    };
    Stone::BOTH.map(side).into()
}

/// Black's chances over the game as bars; where nobody knows, the last one that was known.
fn chances(app: &App<'_>, width: usize) -> Line<'static> {
    let chances = app.chances();
    let Some(last) = chances.iter().rev().find_map(|chance| *chance) else {
        return Line::styled(app.pick("No evaluation yet", "尚无评估"), app.theme.dim());
    };
    let label = format!("{} {:>3.0}% ", Stone::Black.words(app.language()), last * 100.0);
    let mut known = 0.5;
    let bars: Vec<char> = chances
        .into_iter()
        .map(|chance| {
            known = chance.unwrap_or(known);
            app.theme.bar((known * 7.99) as usize)
        })
        .collect();
    let room = width.saturating_sub(Span::raw(&label).width());
    let bars: String = bars[bars.len().saturating_sub(room)..].iter().collect();
    Line::from(vec![Span::styled(label, app.theme.heading()), Span::raw(bars)])
}

/// The turns of a game: whose, and after how many stones they are complete.
fn turns(record: &GameRecord) -> Vec<(Stone, Vec<Cell>, usize)> {
    let mut turns: Vec<(Stone, Vec<Cell>, usize)> = Vec::new();
    for (n, ply) in record.position().plies().iter().enumerate() {
        match turns.last_mut() {
            Some((stone, cells, end)) if *stone == ply.stone => {
                cells.push(ply.cell);
                *end = n + 1;
            }
            _ => turns.push((ply.stone, vec![ply.cell], n + 1)),
        }
    }
    turns
}

/// The moves in two columns, the ones around the position that is shown.
fn moves(app: &App<'_>, room: usize) -> Vec<Line<'static>> {
    let record = app.table.game().record();
    let turns = turns(record);
    let shown = app.shown.unwrap_or(record.moves.len());
    let late = usize::from(turns.first().is_some_and(|(stone, ..)| *stone == Stone::White));
    let rows: usize = (turns.len() + late).div_ceil(2);
    let current = turns.iter().position(|(.., end)| *end >= shown).unwrap_or_default();
    let first = ((current + late) / 2 + 1).saturating_sub(room.saturating_sub(1)).min(rows.saturating_sub(room));
    let entry = |index: Option<usize>| {
        let turn = index.and_then(|index| turns.get(index).map(|turn| (index, turn)));
        let Some((index, (_, cells, _))) = turn else { return Span::raw(" ".repeat(10)) };
        let style = if index == current && shown > 0 { app.theme.chosen() } else { Style::new() };
        Span::styled(format!("{:<10}", words::names(cells)), style)
    };
    let row = |row: usize| {
        let number = Span::styled(format!("{:>3} ", row + 1), app.theme.dim());
        Line::from(vec![number, entry((row * 2).checked_sub(late)), Span::raw(" "), entry(Some(row * 2 + 1 - late))])
    };
    (first..rows).take(room).map(row).collect()
}

/// The help screen.
pub fn help(app: &App<'_>) -> Vec<Line<'static>> {
    let keys: [(&str, &str, &str); 19] = [
        ("h8 Enter", "place a stone there (Connect6: k10 k11)", "在该位置落子（六子棋：k10 k11）"),
        ("arrows, Enter", "move the cursor, place a stone", "移动光标，落子"),
        ("mouse", "click a cell, or the slider of the replay", "点击棋盘落子，或点击复盘滑块"),
        ("U, Backspace", "take back, also while the engine thinks", "悔棋，引擎思考时也可以"),
        ("R", "put back what was taken back", "取消悔棋"),
        ("H", "hint", "提示"),
        ("A", "analysis: best moves with values and lines", "分析：最佳着法、评估与变化"),
        ("T", "threats of both sides", "显示双方的威胁"),
        ("X", "swap sides", "交换双方"),
        ("B, D", "opening: swap, or go the other way (more)", "开局：交换，或走另一条路（more）"),
        ("G", "resign", "认输"),
        ("N", "new game, same players", "重新开始，棋手不变"),
        ("S, L", "save to a file, load from one", "存盘，读取"),
        ("P, PgUp, PgDn", "replay: step through the game", "复盘：逐步回看"),
        ("arrows, Home, End", "in the replay: step, first, last", "复盘中：逐步，开头，结尾"),
        ("Esc", "leave the replay, clear what is typed", "离开复盘，清除输入"),
        ("?, F1", "this page", "本页"),
        ("Q", "quit", "退出"),
        ("undo, hint, …", "the words of the line mode work too", "行模式的命令也可输入"),
    ];
    let title = app.pick("Keys (any key closes this page)", "按键（按任意键关闭本页）");
    let mut lines = vec![Line::styled(title, app.theme.heading()), Line::default()];
    lines.extend(keys.map(|(key, english, chinese)| {
        let words = app.pick(english, chinese);
        Line::from(vec![Span::styled(format!(" {key:<19}"), app.theme.heading()), Span::raw(words.to_string())])
    }));
    lines
}
