//! Line by line: for pipes, for screen readers, and for terminals that can do no more.

use std::io::BufRead;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lianzi_core::{Placement, Stone};
use lianzi_engine::threats::{ThreatKind, threats};
use lianzi_engine::{Best, Stop};
use lianzi_game::live::Order as TableOrder;
use lianzi_game::live::{Adviser, HINT, News, Refused, analysis_scores};

use super::orders::Order;
use super::table::{Start, TerminalTable};
use super::words;
use lianzi_console::{Console, line, prompt};

/// Plays until the person leaves, the input ends, or two engines are done.
pub fn play(start: Start, console: &Console) -> anyhow::Result<ExitCode> {
    let (tell, news) = channel();
    // Nobody listens any more once the table is left.
    let table = TerminalTable::new(start, console, Arc::new(move |told| drop(tell.send(told))))?;
    let opens = table.demand().is_some();
    let mut lines = Lines { table, news, opens };
    lines.run()?;
    Ok(if lines.table.trouble.is_some() { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

struct Lines<'a> {
    table: TerminalTable<'a>,
    news: Receiver<News>,
    /// Whether sides were open when the board was last shown.
    opens: bool,
}

/// Whether to go on.
#[derive(PartialEq)]
enum Next {
    GoOn,
    Leave,
}

impl Lines<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        line(self.help())?;
        self.show()?;
        self.table.begin();
        let mut input = std::io::stdin().lock();
        loop {
            if self.table.thinks().is_some() {
                self.wait_for_engine()?;
                continue;
            }
            // Two engines leave nobody to type; a finished game still takes undo, save and restart.
            if self.table.game().is_over() && self.table.people() == [false; 2] {
                return Ok(());
            }
            prompt(&self.question())?;
            let mut typed = Vec::new();
            if input.read_until(b'\n', &mut typed)? == 0 {
                return line(self.pick("\nEnd of input, the game is left.", "\n输入结束，离开对局。"));
            }
            if self.obey(Order::read(&String::from_utf8_lossy(&typed)))? == Next::Leave {
                return Ok(());
            }
        }
    }

    /// Waits for what the engine says next, and says what it played.
    fn wait_for_engine(&mut self) -> anyhow::Result<()> {
        let before = self.table.position().plies().len();
        let mover = self.table.actor();
        let due = self.table.wakes().map(|wakes| wakes.saturating_duration_since(Instant::now()));
        let changed = match self.news.recv_timeout(due.unwrap_or(Duration::from_secs(3600))) {
            Ok(news) => self.table.hear(news),
            // The table keeps a sender, so there is always one who could speak.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => self.table.tick(),
        };
        if let Some(why) = self.table.waits.take() {
            line(why.said(self.table.language()))?;
        }
        if !changed {
            return Ok(());
        }
        let plies = &self.table.position().plies()[before..];
        if !plies.is_empty() {
            let cells: Vec<_> = plies.iter().map(|ply| ply.cell).collect();
            line(format!("{}: {}", self.table.side(mover), words::names(&cells)))?;
        }
        self.after_change()
    }

    fn pick<'t>(&self, english: &'t str, chinese: &'t str) -> &'t str {
        self.table.console.pick(english, chinese)
    }

    fn question(&self) -> String {
        if self.table.game().is_over() {
            return self
                .pick("Game over (undo, restart, save FILE, quit) > ", "对局结束（undo、restart、save 文件、quit）> ")
                .into();
        }
        format!("{} > ", self.table.turn_words())
    }

    fn help(&self) -> &'static str {
        self.table.console.pick(
            "Type a cell such as h8 (Connect Four: a column; Connect6: two cells), or: undo, redo, hint, analyse, threats, resign, restart, swap, save FILE, load FILE, replay N, moves, board, help, quit",
            "输入位置，如 h8（四子棋输入列，六子棋输入两个位置），或：undo 悔棋、redo 取消悔棋、hint 提示、analyse 分析、threats 威胁、resign 认输、restart 重新开始、swap 换边、save 文件、load 文件、replay 步数、moves 着法、board 棋盘、help 帮助、quit 退出",
        )
    }

    fn show(&self) -> anyhow::Result<()> {
        line(self.table.console.board(self.table.position()).trim_end())?;
        if self.table.game().is_over() {
            let verdict = self.table.game().verdict();
            line(verdict.words(self.table.position().rules(), self.table.language()))?;
        }
        let offered = words::offered(self.table.offered());
        offered.map_or(Ok(()), |text| line(text.said(self.table.language())))?;
        self.table.opening_words().map_or(Ok(()), line)
    }

    fn after_change(&mut self) -> anyhow::Result<()> {
        if let Some(why) = &self.table.trouble {
            line(words::not_saved(why).said(self.table.language()))?;
        }
        let opened = std::mem::replace(&mut self.opens, self.table.demand().is_some());
        if opened && !self.opens && self.table.sides_are_found() {
            line(words::settled(self.table.names()).said(self.table.language()))?;
        }
        // The engine's answer will be shown; until then the board is worth a look too.
        self.show()
    }

    fn obey(&mut self, order: Order) -> anyhow::Result<Next> {
        let done = match order {
            Order::Quit => return Ok(Next::Leave),
            Order::Nothing => return Ok(Next::GoOn),
            Order::Table(order) => {
                let done = self.table.obey(&order);
                if done.is_ok() && order == TableOrder::Swap {
                    line(self.pick("Sides are swapped.", "已交换双方。"))?;
                }
                done
            }
            Order::Load(name) => self.load(&name),
            asking => return self.answer(asking).map(|()| Next::GoOn),
        };
        match done {
            Ok(()) => self.after_change()?,
            Err(why) => line(why)?,
        }
        Ok(Next::GoOn)
    }

    /// What changes nothing on the board.
    fn answer(&mut self, order: Order) -> anyhow::Result<()> {
        match order {
            Order::Help => line(self.help()),
            Order::Moves => self.moves(),
            Order::Threats => self.threats(),
            Order::Hint | Order::Analyse if self.table.game().is_over() => {
                line(words::refused(&Refused::Over, self.table.language()))
            }
            Order::Hint => self.hint(),
            Order::Analyse => self.analyse(),
            Order::Replay(step) => self.replay(&step),
            Order::Save(name) => self.save(&name),
            _ => self.show(),
        }
    }

    fn hint(&self) -> anyhow::Result<()> {
        let adviser = Adviser::for_hints(self.table.position().rules());
        let best = self.look(adviser, 1);
        line(words::try_this(&best.turn).said(self.table.language()))
    }

    fn analyse(&self) -> anyhow::Result<()> {
        let rules = self.table.position().rules();
        let scores = analysis_scores(rules);
        for found in &self.look(Adviser::for_analysis(rules), self.table.lines()).info.lines {
            line(format!("{:>7}  {}", words::value(found, scores), words::names(&found.cells)))?;
        }
        Ok(())
    }

    /// An engine that fails has nothing to say.
    fn look(&self, mut adviser: Adviser, lines: usize) -> Best {
        let best = adviser.look(self.table.position(), (HINT, lines), &Stop::default(), &mut |_| {});
        best.unwrap_or_default()
    }

    fn threats(&self) -> anyhow::Result<()> {
        let mut none = true;
        let rules = self.table.position().rules();
        let five = rules.line == 5 && rules.per_turn == 1 && rules.placement == Placement::Anywhere;
        for stone in Stone::BOTH {
            let all = threats(self.table.position(), stone);
            for threat in &all {
                let kind = match threat.kind {
                    ThreatKind::Five => self.pick("a line", "已连成"),
                    ThreatKind::Four if five && threat.is_open_four(&all) => self.pick("an open four", "活四"),
                    ThreatKind::Four if five => self.pick("a four", "冲四"),
                    ThreatKind::Four => self.pick("one turn from a line", "差一手成线"),
                    ThreatKind::Three => self.pick("an open three", "活三"),
                };
                let (cells, at) = (words::names(&threat.cells), words::names(&threat.at));
                line(format!("{}: {kind}, {cells} ({at})", self.table.side(stone)))?;
                none = false;
            }
        }
        if none { line(self.pick("Nothing threatens.", "没有威胁。")) } else { Ok(()) }
    }

    fn moves(&self) -> anyhow::Result<()> {
        let cells: Vec<_> = self.table.position().plies().iter().map(|ply| ply.cell).collect();
        line(words::names(&cells))
    }

    fn replay(&self, step: &str) -> anyhow::Result<()> {
        let record = self.table.game().record();
        let last = record.moves.len();
        match step.parse::<usize>() {
            Ok(step) if step <= last => line(self.table.console.board(&record.position_at(step)).trim_end()),
            _ => line(words::no_such_step(last).said(self.table.language())),
        }
    }

    fn load(&mut self, name: &str) -> Result<(), String> {
        match name {
            "" => Err(words::nothing_named(false).said(self.table.language())),
            _ => self.table.load(Path::new(name)),
        }
    }

    fn save(&mut self, name: &str) -> anyhow::Result<()> {
        let language = self.table.language();
        if name.is_empty() {
            return line(words::nothing_named(true).said(language));
        }
        // A name that cannot be written must not end the game.
        line(match self.table.write(Path::new(name)) {
            Ok(()) => words::saved(name).said(language),
            Err(why) => words::not_saved(&why).said(language),
        })
    }
}
