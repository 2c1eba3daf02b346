//! Keys and the mouse: what each of them does.

use std::path::Path;

use lianzi_core::{Cell, Placement};
use lianzi_game::live::Order as TableOrder;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::app::{App, Asking, Mode};
use super::orders::Order;
use super::words;

/// How many stones a page is.
const PAGE: isize = 10;

impl App<'_> {
    pub fn input(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.typed.extend(text.chars().filter(|c| !c.is_control())),
            // The next picture has the new size.
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (self.mode, key.code) {
            (Mode::Ask(Asking::Quit), KeyCode::Char('c')) if control => self.leaves = true,
            (_, KeyCode::Char('c')) if control => self.obey(Order::Quit),
            (Mode::Help, _) => self.mode = Mode::Play,
            (Mode::Ask(asking), code) => self.answer(asking, code),
            (Mode::Play, KeyCode::Char('z')) if control => self.obey(Order::Table(TableOrder::Undo)),
            (Mode::Play, KeyCode::Char('y')) if control => self.obey(Order::Table(TableOrder::Redo)),
            (Mode::Play, _) if control => {}
            (Mode::Play, code) => self.play_key(code),
        }
    }

    fn play_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Esc => self.escape(),
            KeyCode::Enter => self.enter(),
            KeyCode::Char(' ') if self.typed.is_empty() => self.enter(),
            KeyCode::Backspace if self.typed.is_empty() => self.obey(Order::Table(TableOrder::Undo)),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::F(1) => self.obey(Order::Help),
            KeyCode::Home => self.show(0),
            KeyCode::End => self.show(isize::MAX),
            KeyCode::PageUp => self.step(if self.shown.is_some() { -PAGE } else { -1 }),
            KeyCode::PageDown => self.step(if self.shown.is_some() { PAGE } else { 1 }),
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => self.arrow(code),
            KeyCode::Char(c) => match Order::of_key(c).filter(|_| self.typed.is_empty()) {
                Some(order) => self.obey(order),
                None => self.typed.push(c),
            },
            _ => {}
        }
    }

    fn escape(&mut self) {
        if !self.typed.is_empty() {
            self.typed.clear();
        } else if self.shown.is_some() {
            self.shown = None;
        } else {
            self.message = None;
        }
    }

    /// Does what is typed; with nothing typed a stone is placed at the cursor.
    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        if !typed.trim().is_empty() {
            self.obey(Order::read(&typed));
        } else if self.shown.is_some() {
            self.shown = None;
        } else {
            self.obey(Order::place(self.aimed()));
        }
    }

    /// In the replay arrows step, on the board they move the cursor.
    fn arrow(&mut self, code: KeyCode) {
        let (across, up) = match code {
            KeyCode::Left => (-1, 0),
            KeyCode::Right => (1, 0),
            KeyCode::Up => (0, 1),
            _ => (0, -1),
        };
        if self.shown.is_some() {
            return self.step(across - up * PAGE);
        }
        let rules = self.table.position().rules();
        let moved = |at: u8, by: isize, cells: u8| {
            u8::try_from((isize::from(at) + by).clamp(0, isize::from(cells) - 1)).unwrap_or(at)
        };
        self.cursor =
            Cell::new(moved(self.cursor.column, across, rules.width), moved(self.cursor.row, up, rules.height));
    }

    /// Looks at the game so many stones further on or back.
    fn step(&mut self, by: isize) {
        let now = self.shown.unwrap_or(self.table.game().record().moves.len());
        self.show(now as isize + by);
    }

    fn show(&mut self, ply: isize) {
        let last = self.table.game().record().moves.len() as isize;
        self.shown = Some(ply.clamp(0, last) as usize);
    }

    /// A key while a question is asked.
    fn answer(&mut self, asking: Asking, code: KeyCode) {
        let named = matches!(asking, Asking::Save | Asking::Load);
        match code {
            KeyCode::Enter if named => {
                let name = std::mem::take(&mut self.typed);
                self.mode = Mode::Play;
                self.file(asking, name.trim());
            }
            KeyCode::Char(c) if named => self.typed.push(c),
            KeyCode::Backspace if named => drop(self.typed.pop()),
            KeyCode::Char('y' | 'Y') | KeyCode::Enter => {
                self.mode = Mode::Play;
                self.agreed(asking);
            }
            KeyCode::Esc | KeyCode::Char(_) => {
                self.typed.clear();
                self.mode = Mode::Play;
            }
            _ => {}
        }
    }

    fn agreed(&mut self, asking: Asking) {
        match asking {
            Asking::Resign => drop(self.done(|app| app.table.obey(&TableOrder::Resign))),
            Asking::Restart => drop(self.done(|app| app.table.obey(&TableOrder::Restart))),
            Asking::Quit => self.leaves = true,
            Asking::Save | Asking::Load => {}
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.step(-1),
            MouseEventKind::ScrollDown if self.shown.is_some() => self.step(1),
            MouseEventKind::Down(MouseButton::Left) if self.mode == Mode::Help => self.mode = Mode::Play,
            MouseEventKind::Down(MouseButton::Left) => self.click(mouse.column, mouse.row),
            MouseEventKind::Drag(MouseButton::Left) if self.shown.is_some() => {
                self.slide(mouse.column, mouse.row);
            }
            _ => {}
        }
    }

    fn slide(&mut self, x: u16, y: u16) {
        if y == self.places.message.y {
            self.show(self.slider_ply(x) as isize);
        }
    }

    fn click(&mut self, x: u16, y: u16) {
        if self.shown.is_some() {
            return self.slide(x, y);
        }
        if let Some(cell) = self.grid.cell(x, y).filter(|_| self.mode == Mode::Play) {
            self.cursor = cell;
            // A click anywhere in a column drops.
            self.obey(Order::place(self.aimed()));
        }
    }

    /// Does what a person wants.
    pub fn obey(&mut self, order: Order) {
        let under_way = !self.table.game().is_over() && !self.table.game().record().moves.is_empty();
        match order {
            Order::Nothing | Order::Moves => {}
            Order::Board => self.shown = None,
            Order::Hint => self.ask_hint(),
            Order::Analyse => self.toggle_analysis(),
            Order::Threats => self.threats = !self.threats,
            Order::Table(TableOrder::Resign) if !self.table.game().is_over() => {
                self.mode = Mode::Ask(Asking::Resign);
            }
            Order::Table(TableOrder::Restart) if under_way => self.mode = Mode::Ask(Asking::Restart),
            Order::Table(order) => {
                if self.done(|app| app.table.obey(&order)) && order == TableOrder::Swap {
                    self.message = Some((self.pick("Sides are swapped.", "已交换双方。").into(), false));
                }
            }
            Order::Save(name) => self.ask_file(Asking::Save, &name),
            Order::Load(name) => self.ask_file(Asking::Load, &name),
            Order::Replay(step) => self.replay(&step),
            Order::Help => self.mode = Mode::Help,
            Order::Quit if under_way && !self.table.is_kept() => self.mode = Mode::Ask(Asking::Quit),
            Order::Quit => self.leaves = true,
        }
    }

    /// Does something at the table; a refusal is said. True if it was done.
    fn done(&mut self, act: impl FnOnce(&mut Self) -> Result<(), String>) -> bool {
        let done = act(self);
        let agreed = done.is_ok();
        match done {
            Ok(()) => self.moved_on(),
            Err(why) => self.complain(why),
        }
        agreed
    }

    fn replay(&mut self, step: &str) {
        let last = self.table.game().record().moves.len();
        match step.parse::<usize>() {
            Ok(step) if step <= last => self.shown = Some(step),
            _ if step.is_empty() => self.shown = if self.shown.is_some() { None } else { Some(last) },
            _ => self.complain(words::no_such_step(last).said(self.language())),
        }
    }

    fn ask_file(&mut self, asking: Asking, name: &str) {
        match name {
            "" => self.mode = Mode::Ask(asking),
            _ => self.file(asking, name),
        }
    }

    fn file(&mut self, asking: Asking, name: &str) {
        let (save, language) = (asking == Asking::Save, self.language());
        if name.is_empty() {
            return self.complain(words::nothing_named(save).said(language));
        }
        let path = Path::new(name);
        if save {
            match self.table.write(path) {
                Ok(()) => self.message = Some((words::saved(name).said(language), false)),
                Err(why) => self.complain(words::not_saved(&why).said(language)),
            }
            return;
        }
        self.done(|app| app.table.load(path));
        // The board may be another one.
        let rules = self.table.position().rules();
        if !rules.contains(self.cursor) || rules.placement == Placement::Drop {
            self.cursor = Cell::new(rules.width / 2, rules.height / 2);
        }
    }
}
