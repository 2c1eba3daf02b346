//! How the table is drawn on the full screen.

use std::cmp::Ordering;

use lianzi_core::{Cell, OpeningRule, Position};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::app::{App, Asking, Mode};
use super::board::{Grid, View, put, write};
use super::layout::Places;
use super::marks::Marks;
use super::panels;

impl App<'_> {
    fn marks(&self, position: &Position) -> Marks {
        let marks = Marks::of(position);
        let marks = if self.table.people()[0] { marks.with_forbidden(position) } else { marks };
        let marks = if self.threats { marks.with_threats(position) } else { marks };
        let stones = usize::from(position.stones_left());
        let lines = self.analysis().map_or(&[][..], |info| &info.lines);
        let hint = if self.shown.is_none() { &self.hint[..] } else { &[] };
        marks.with_candidates(lines, stones).with_hint(hint).with_offered(self.table.offered())
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let position = self.position();
        self.places = Places::of(position.rules(), frame.area());
        if self.mode == Mode::Help {
            return self.write_lines(frame, frame.area(), &panels::help(self));
        }
        let aim = self.aim();
        self.grid = Grid::fit(position.rules(), self.places.board, self.places.pitch, aim);
        let cursor = (self.shown.is_none() && !self.table.game().is_over()).then_some(aim);
        let marks = self.marks(&position);
        let view = View { position: &position, marks: &marks, grid: &self.grid, cursor, theme: self.theme };
        view.draw(frame.buffer_mut());
        let Rect { width, height, .. } = self.places.panel;
        let panel = panels::panel(self, width, height);
        self.write_lines(frame, self.places.panel, &panel);
        self.draw_bars(frame);
        if let Some(spot) = self.caret(aim) {
            frame.set_cursor_position(spot);
        }
    }

    fn write_lines(&self, frame: &mut Frame<'_>, area: Rect, lines: &[Line<'_>]) {
        let area = area.intersection(frame.area());
        for (line, y) in lines.iter().zip(area.y..area.bottom()) {
            frame.buffer_mut().set_line(area.x, y, line, area.width);
        }
    }

    /// Where the terminal's own cursor stands, for those who listen instead of looking.
    fn caret(&self, aim: Cell) -> Option<(u16, u16)> {
        if self.typed.is_empty() && self.mode == Mode::Play {
            return self.grid.spot(aim);
        }
        let input = self.places.input;
        let x = input.x + Line::raw(self.prompt()).width() as u16;
        (x < input.right()).then_some((x, input.y))
    }

    /// Title, status, message and input.
    fn draw_bars(&self, frame: &mut Frame<'_>) {
        let Places { title, status, message, input, .. } = self.places;
        let buffer = frame.buffer_mut();
        let record = self.table.game().record();
        let game = match record.opening_rule() {
            OpeningRule::None => record.rules.title().said(self.language()),
            rule => format!("{} +{rule}", record.rules.title().said(self.language())),
        };
        let name = format!("{}{}{game}", self.pick("Lianzi", "连子"), self.theme.dot());
        write(buffer, title.x, title.y, &name, self.theme.heading());
        if !status.is_empty() {
            write(buffer, status.x, status.y, &self.status(), self.theme.heading());
        }
        match (self.shown, &self.message) {
            _ if message.is_empty() => {}
            (Some(ply), _) => self.draw_slider(frame, ply),
            (None, Some((text, bad))) => {
                let style = if *bad { self.theme.warning() } else { self.theme.heading() };
                write(buffer, message.x, message.y, text, style);
            }
            (None, None) => {
                let words = self.table.opening_words().unwrap_or_default();
                write(buffer, message.x, message.y, &words, self.theme.heading());
            }
        }
        let prompt = self.prompt();
        let buffer = frame.buffer_mut();
        write(buffer, input.x, input.y, &prompt, self.theme.heading());
        let keys = self.keys();
        let (taken, wide) = (Line::raw(prompt).width() as u16, Line::raw(keys.as_str()).width() as u16);
        if input.width > taken + wide + 1 && matches!(self.mode, Mode::Play) {
            write(buffer, input.right() - wide, input.y, &keys, self.theme.dim());
        }
    }

    fn keys(&self) -> String {
        let keys = match self.shown {
            Some(_) => self.pick("arrows step|Home first|End last|Esc back", "方向键 逐步|Home 开头|End 结尾|Esc 返回"),
            None => self.pick(
                "U undo|H hint|A analyse|T threats|P replay|? help|Q quit",
                "U 悔棋|H 提示|A 分析|T 威胁|P 复盘|? 帮助|Q 退出",
            ),
        };
        keys.replace('|', self.theme.dot())
    }

    /// What stands in the last row.
    fn prompt(&self) -> String {
        let question = match self.mode {
            Mode::Ask(Asking::Resign) => self.pick("Resign? y/n ", "认输吗？y/n "),
            Mode::Ask(Asking::Restart) => self.pick("Begin anew? y/n ", "重新开始吗？y/n "),
            Mode::Ask(Asking::Quit) => self.pick("The game is not saved. Quit? y/n ", "对局尚未保存。退出吗？y/n "),
            Mode::Ask(Asking::Save) => self.pick("Save to: ", "保存到："),
            Mode::Ask(Asking::Load) => self.pick("Load from: ", "读取："),
            _ => "> ",
        };
        format!("{question}{}", self.typed)
    }

    fn status(&self) -> String {
        let (table, language) = (&self.table, self.language());
        if let Some(ply) = self.shown {
            let last = table.game().record().moves.len();
            let stone = self.position().last();
            let stone = stone.map(|ply| format!(": {} {}", self.side(ply.stone), ply.cell));
            let words = format!("{} {ply}/{last}", self.pick("Step", "第几步"));
            return words + &stone.unwrap_or_default();
        }
        if table.game().is_over() {
            return table.game().verdict().words(table.position().rules(), language);
        }
        match table.thinks() {
            Some(stone) => format!("{} {}", self.side(stone), self.pick("is thinking", "正在思考")),
            None => table.turn_words(),
        }
    }

    fn draw_slider(&self, frame: &mut Frame<'_>, ply: usize) {
        let row = self.places.message;
        let [behind, handle, ahead] = self.theme.slider();
        let at = self.slider_column(ply);
        for x in row.x..row.right() {
            let symbol = match x.cmp(&at) {
                Ordering::Less => behind,
                Ordering::Equal => handle,
                Ordering::Greater => ahead,
            };
            put(frame.buffer_mut(), x, row.y, symbol, self.theme.heading());
        }
    }

    /// The column of the slider's handle after so many stones.
    fn slider_column(&self, ply: usize) -> u16 {
        let (row, last) = (self.places.message, self.table.game().record().moves.len().max(1));
        let room = usize::from(row.width.saturating_sub(1));
        row.x + (ply.min(last) * room / last) as u16
    }

    /// After how many stones the slider stands in this column.
    pub fn slider_ply(&self, x: u16) -> usize {
        let (row, last) = (self.places.message, self.table.game().record().moves.len());
        let room = usize::from(row.width.saturating_sub(1)).max(1);
        (usize::from(x.saturating_sub(row.x)) * last + room / 2) / room
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Start, TerminalTable};
    use super::super::theme::Theme;
    use super::*;
    use lianzi_console::{Console, LanguageChoice};
    use lianzi_game::clock::Control;
    use lianzi_game::live::LiveGame;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use std::sync::Arc;
    use std::time::Duration;

    fn table<'a>(console: &'a Console, game: &str, turns: &str) -> TerminalTable<'a> {
        let game = LiveGame::new(game.parse().unwrap(), Control::default());
        let players = ["human", "human"].map(|name| name.parse().unwrap());
        let start = Start { game, players, save: None, pace: Duration::ZERO, instant: true };
        let mut table = TerminalTable::new(start, console, Arc::new(|_| {})).unwrap();
        turns.split_whitespace().for_each(|cell| table.place(cell).unwrap());
        table
    }

    #[test]
    fn every_size_can_be_drawn() {
        let console = Console::new(Some(LanguageChoice::Zh), false);
        for (game, turns) in [
            ("gomoku", "h8 a1 i8 a2 j8 o15"),
            ("connect6", "j10 k10 k11"),
            ("connect4:9x10/d4", "a a a"),
            ("gomoku:31", "ae31 a1"),
            ("connect:1,1,1,1,1", ""),
        ] {
            let table = table(&console, game, turns);
            let mut app = App::new(table, Theme { unicode: true, colour: true }, Arc::new(|_| {}));
            app.threats = true;
            for (shown, mode) in
                [(None, Mode::Play), (Some(1), Mode::Play), (None, Mode::Help), (None, Mode::Ask(Asking::Save))]
            {
                app.shown = shown.filter(|shown| *shown <= app.table.game().record().moves.len());
                (app.mode, app.message) = (mode, Some(("完".repeat(100), true)));
                for (width, height) in (1..90).step_by(11).flat_map(|w| (1..30).step_by(4).map(move |h| (w, h))) {
                    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
                    terminal.draw(|frame| app.draw(frame)).unwrap();
                }
            }
        }
    }

    #[test]
    fn the_slider_stands_where_it_was_put() {
        let console = Console::new(Some(LanguageChoice::En), false);
        let table = table(&console, "gomoku", "h8 a1 i8 a2 j8 o15 k8");
        let mut app = App::new(table, Theme { unicode: true, colour: false }, Arc::new(|_| {}));
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| app.draw(frame)).unwrap();
        for ply in 0..=7 {
            assert_eq!(app.slider_ply(app.slider_column(ply)), ply);
        }
    }
}
