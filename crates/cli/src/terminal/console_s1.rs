//! The console of document S1: its commands, its words, its board and its `ChessSave.txt`.
//!
//! A point is `x y`, the row from the top and the column, both from 1. The computer is always player 1 and ○, the
//! person 2 and ●, whoever begins. Not kept: the first stone may lie anywhere, the answers to questions may have
//! blanks around them and small letters, and a replay shows its last stone once.

use std::io::BufRead;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lianzi_classic::ClassicGomoku;
use lianzi_core::Speak;
use lianzi_core::record::{Document, Format};
use lianzi_core::{Cell, Outcome, Position, Rules, Stone};
use lianzi_game::clock::Control;
use lianzi_game::live::{LiveGame, News, Order};
use lianzi_players::PlayerSpec;

use super::table::{Start, TerminalTable};
use super::theme::Theme;
use lianzi_console::files::{Reading, write_document};
use lianzi_console::{Console, line, shows_unicode};

const SIDE: u8 = 15;
/// What the document calls its file, beside the program.
const FILE: &str = "ChessSave.txt";
/// From this value on one ply is searched, and the printed depth is that ply.
const DECIDED: i32 = 8500;

const MENU: [&str; 4] = [
    "*************五子棋人机对弈AI*************",
    "输入: replay  播放复盘",
    "输入: newblack  电脑先手",
    "输入: newwhite  电脑后手",
];
const NOT_IN_MENU: &str = "输入的参数不正确。请输入\"replay\"或\"newblack\"或\"newwhite\"。";
const PROMPTS: [&str; 2] = ["输入: move x y  表示落子点", "输入 regret 表示悔棋"];
const BAD_SYNTAX: &str = "输入不正确。请输入move x y表示落子点。";
const BAD_POINT: &str = "落子不合法！可能是x、y超出有效范围，x、y需要介于1至15之间。";
const SAVE: &str = "是否要存盘？输入Y 或 N";
const NOT_Y_OR_N: &str = "输入的参数不正确。请输入\"Y\"或\"N\"";
const REPLAY: [&str; 2] = ["输入next查看下一步", "输入exit退出复盘"];
const NOT_IN_REPLAY: &str = "无效命令！";
const NO_FILE: &str = "打开文件失败！";

/// One game or one replay, as the document's program.
pub fn play(computer: PlayerSpec, human: PlayerSpec, console: &Console) -> anyhow::Result<ExitCode> {
    say(&MENU)?;
    while let Some(typed) = read()? {
        let starts = |word: &str| typed.contains(word);
        if starts("replay") {
            replay(console)?;
        } else if starts("newblack") {
            Game::new([computer, human], Stone::Black, console)?.run()?;
        } else if starts("newwhite") {
            Game::new([human, computer], Stone::White, console)?.run()?;
        } else {
            line(NOT_IN_MENU)?;
            continue;
        }
        break;
    }
    Ok(ExitCode::SUCCESS)
}

fn say(lines: &[&str]) -> anyhow::Result<()> {
    lines.iter().try_for_each(line)
}

/// A line of the input without blanks around it; nothing at its end.
fn read() -> anyhow::Result<Option<String>> {
    let mut typed = Vec::new();
    let read = std::io::stdin().lock().read_until(b'\n', &mut typed)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&typed).trim().to_string()))
}

/// What a person typed in the game.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    Regret,
    /// Row and column; whatever is missing is no point.
    Move(Option<[i64; 2]>),
    Nonsense,
}

fn parse(typed: &str) -> Typed {
    let mut words = typed.split_whitespace();
    match words.next() {
        Some("regret") => Typed::Regret,
        Some("move") => {
            let numbers: Result<Vec<i64>, _> = words.take(2).map(str::parse).collect();
            numbers.map_or(Typed::Nonsense, |numbers| Typed::Move(numbers.try_into().ok()))
        }
        _ => Typed::Nonsense,
    }
}

/// The cell of a point, which may lie off the board.
fn cell([row, column]: [i64; 2]) -> Option<Cell> {
    let side = i64::from(SIDE);
    let inside = (1..=side).contains(&row) && (1..=side).contains(&column);
    inside.then(|| Cell::new(column as u8 - 1, (side - row) as u8))
}

/// The point of a cell, as it is printed.
fn point(cell: Cell) -> String {
    format!("({}, {})", SIDE - cell.row, cell.column + 1)
}

/// The board with numbers: `computer` says which stones are the computer's.
fn board(position: &Position, computer: Stone) -> String {
    let theme = Theme { unicode: shows_unicode(), colour: false };
    let numbers: String = (1..=SIDE).map(|n| format!("{n:<2}")).collect();
    let mut text = format!("  {}\n", numbers.trim_end());
    let edge = |n: u8| if n == 0 { 0 } else { 1 + usize::from(n + 1 == SIDE) };
    for down in 0..SIDE {
        let symbol = |across: u8| match position.stone(Cell::new(across, SIDE - 1 - down)) {
            Some(stone) if stone == computer => theme.stone(Stone::White),
            Some(_) => theme.stone(Stone::Black),
            None => theme.crossing(edge(across), edge(down)),
        };
        let row: String = (0..SIDE).map(|across| format!("{} ", symbol(across))).collect();
        text += &format!("{:>2}{}\n", down + 1, row.trim_end());
    }
    text
}

/// A game of the document: the table, and which side the computer has.
struct Game<'a> {
    table: TerminalTable<'a>,
    news: Receiver<News>,
    computer: Stone,
}

impl<'a> Game<'a> {
    fn new(players: [PlayerSpec; 2], computer: Stone, console: &'a Console) -> anyhow::Result<Game<'a>> {
        let (tell, news) = channel();
        let game = LiveGame::new(Rules::gomoku(SIDE), Control::default());
        let start = Start { game, players, save: None, pace: Duration::ZERO, instant: true };
        let table = TerminalTable::new(start, console, Arc::new(move |told| drop(tell.send(told))))?;
        Ok(Game { table, news, computer })
    }

    /// The main loop, until the game is over or the input ends.
    fn run(&mut self) -> anyhow::Result<()> {
        say(&PROMPTS)?;
        self.show()?;
        self.table.begin();
        while !self.table.game().is_over() {
            if self.table.thinks().is_some() {
                self.hear_computer()?;
                continue;
            }
            let Some(typed) = read()? else { return Ok(()) };
            self.obey(&typed)?;
        }
        let result = match self.table.game().verdict().outcome {
            Some(Outcome::Win(stone)) if stone == self.computer => "恭喜电脑获胜！",
            Some(Outcome::Win(_)) => "恭喜玩家获胜！",
            _ => "和棋！",
        };
        line(format!("游戏结束！{result}"))?;
        self.ask_to_save()
    }

    fn show(&self) -> anyhow::Result<()> {
        line(board(self.table.position(), self.computer).trim_end())
    }

    fn obey(&mut self, typed: &str) -> anyhow::Result<()> {
        let placed = match parse(typed) {
            Typed::Nonsense => return line(BAD_SYNTAX),
            // With fewer than two stones there is nothing to regret.
            Typed::Regret if self.table.position().plies().len() < 2 => None,
            Typed::Regret => {
                // Two stones lie there, so it cannot be refused.
                let _ = self.table.obey(&Order::Undo);
                self.show()?;
                return say(&PROMPTS);
            }
            Typed::Move(numbers) => numbers.and_then(cell),
        };
        match placed.filter(|cell| self.table.place(&cell.to_string()).is_ok()) {
            Some(cell) => self.tell_move("玩家", cell),
            None => {
                line(BAD_POINT)?;
                say(&PROMPTS)
            }
        }
    }

    fn tell_move(&self, who: &str, cell: Cell) -> anyhow::Result<()> {
        say(&PROMPTS)?;
        self.show()?;
        line(format!("{who}刚刚下了位置{}", point(cell)))
    }

    /// Waits for what the computer says next; its move is told with what it knows.
    fn hear_computer(&mut self) -> anyhow::Result<()> {
        let before = self.table.position().clone();
        let due = self.table.wakes().map(|wakes| wakes.saturating_duration_since(Instant::now()));
        let changed = match self.news.recv_timeout(due.unwrap_or(Duration::from_secs(3600))) {
            Ok(news) => self.table.hear(news),
            // The table keeps a sender, so there is always one who could speak.
            Err(_) => self.table.tick(),
        };
        if let Some(why) = self.table.waits.take() {
            line(why.said(self.table.language()))?;
        }
        if !changed {
            return Ok(());
        }
        let Some(played) = self.table.game().record().moves.get(before.plies().len()).cloned() else {
            // It failed instead.
            return line(self.table.game().verdict().words(before.rules(), self.table.language()));
        };
        self.tell_move("电脑", played.cell)?;
        let (eval, value) = (played.eval.unwrap_or_default(), ClassicGomoku::value(&before));
        let depth = if value >= DECIDED { 1 } else { eval.depth.unwrap_or_default() + 1 };
        let (time, nodes) = (played.time_ms.unwrap_or_default(), eval.nodes.unwrap_or_default());
        line(format!("当前估值{value}, 搜索最大层数{depth}, 总时间{time}ms, 总步数{nodes}, 评估分数{}, ", eval.score))
    }

    fn ask_to_save(&self) -> anyhow::Result<()> {
        line(SAVE)?;
        while let Some(typed) = read()? {
            match typed.to_ascii_uppercase().as_str() {
                "Y" => return self.save(),
                "N" => return Ok(()),
                _ => line(NOT_Y_OR_N)?,
            }
        }
        Ok(())
    }

    fn save(&self) -> anyhow::Result<()> {
        let mut record = self.table.game().record().clone();
        for (stone, side) in Stone::BOTH.into_iter().zip(&mut record.sides) {
            side.called = if stone == self.computer { "computer" } else { "human" }.into();
        }
        let written = Format::ChessSave.write(&[record]);
        let document: Document = written.map_err(|error| anyhow::anyhow!(error.words(self.table.language())))?;
        write_document(Path::new(FILE), &document)
    }
}

/// Shows the saved game stone by stone.
fn replay(console: &Console) -> anyhow::Result<()> {
    if !Path::new(FILE).exists() {
        return line(NO_FILE);
    }
    let reading = Reading { from: Some(Format::ChessSave), game: None };
    let record = match reading.load_one(Path::new(FILE), None, console) {
        Ok(record) => record,
        Err(why) => {
            line(NO_FILE)?;
            return line(console.words(&why));
        }
    };
    let computer = if record.sides[0].called == "human" { Stone::White } else { Stone::Black };
    for step in 1..=record.moves.len() {
        line(board(&record.position_at(step), computer).trim_end())?;
        if !ask_for_next()? {
            return Ok(());
        }
    }
    Ok(())
}

/// False when the person has seen enough.
fn ask_for_next() -> anyhow::Result<bool> {
    loop {
        say(&REPLAY)?;
        match read()?.as_deref() {
            Some("next") => return Ok(true),
            Some("exit") | None => return Ok(false),
            Some(_) => line(NOT_IN_REPLAY)?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_read_as_the_document_reads_it() {
        assert_eq!(parse("move 8 9"), Typed::Move(Some([8, 9])));
        assert_eq!(parse("  move 8   9 and more"), Typed::Move(Some([8, 9])));
        assert_eq!((parse("move 8"), parse("move")), (Typed::Move(None), Typed::Move(None)));
        assert_eq!(parse("regret now"), Typed::Regret);
        for nonsense in ["", "8 8", "move a b", "move 8 b", "Move 8 8", "moved 8 8", "move 8.5 3"] {
            assert_eq!(parse(nonsense), Typed::Nonsense, "{nonsense}");
        }
    }

    #[test]
    fn points_are_row_and_column_from_the_top() {
        assert_eq!(cell([1, 1]).map(|cell| cell.to_string()), Some("a15".into()));
        assert_eq!(cell([15, 2]).map(point), Some("(15, 2)".into()));
        for off in [[0, 1], [16, 1], [1, 0], [1, 16], [-1, 5], [i64::MAX, 1]] {
            assert_eq!(cell(off), None);
        }
    }
}
