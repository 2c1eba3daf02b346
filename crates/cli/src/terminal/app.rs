//! The full screen: what is shown, and the loop that waits for keys, engines and the clock.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use lianzi_core::{Cell, Language, OpeningRule, Placement, Position, Stone, column_name};
use lianzi_engine::Info;
use lianzi_game::live::chance::chances;
use lianzi_game::live::{Advice, Desk, News, Refused, Tell, Threads, analysis_scores};
use ratatui::Frame;
use ratatui::crossterm::event;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::board::{Grid, View, put, write};
use super::layout::Places;
use super::marks::Marks;
use super::screen::Screen;
use super::table::{Start, TerminalTable};
use super::theme::Theme;
use super::{panels, words};
use lianzi_console::{Console, line, shows_colour, shows_unicode};

/// How often clocks are drawn while they run, and how often the screen is drawn at least.
const TICK: Duration = Duration::from_millis(200);
const IDLE: Duration = Duration::from_secs(2);

/// Something happened.
enum Event {
    Input(event::Event),
    News(News),
    Advised(Advice),
    /// The system asks the program to end.
    Signal,
}

/// What the keys mean now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Play,
    Help,
    Ask(Asking),
}

/// A question to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    Resign,
    Restart,
    Quit,
    Save,
    Load,
}

/// What an analysis looks at, and what it has found so far.
struct Analysis {
    hash: u64,
    info: Info,
}

/// The table as a person sees it.
pub struct App<'a> {
    pub table: TerminalTable<'a>,
    pub theme: Theme,
    pub cursor: Cell,
    pub typed: String,
    pub mode: Mode,
    /// What was said last, and whether it is a complaint.
    pub message: Option<(String, bool)>,
    /// After how many stones the game is looked at; `None` is the game itself.
    pub shown: Option<usize>,
    pub threats: bool,
    pub leaves: bool,
    hint: Vec<Cell>,
    hints: Desk,
    analyses: bool,
    analysis: Option<Analysis>,
    analyst: Desk,
    /// Black's chances that an analysis has found, by position.
    opinions: HashMap<u64, f64>,
    /// Whether sides were open when the board was last looked at.
    opens: bool,
    pub places: Places,
    pub grid: Grid,
}

/// Plays on the full screen until the person leaves.
pub fn play(start: Start, ascii: bool, console: &Console) -> anyhow::Result<ExitCode> {
    let (events, inbox) = channel();
    let [heard, advised] = [events.clone(), events.clone()];
    // Once the screen is closed nobody listens any more.
    let tell = Arc::new(move |news| drop(heard.send(Event::News(news))));
    let table = TerminalTable::new(start, console, tell)?;
    let theme = Theme { unicode: shows_unicode() && !ascii, colour: shows_colour() };
    let mut app = App::new(table, theme, Arc::new(move |told| drop(advised.send(Event::Advised(told)))));
    let mut screen = Screen::open()?;
    listen(events);
    let ended = app.run(&mut screen, &inbox);
    drop(screen);
    let signalled = ended?;
    app.say_farewell()?;
    Ok(match (signalled, &app.table.trouble) {
        (true, _) => ExitCode::from(143),
        (false, Some(_)) => ExitCode::from(2),
        (false, None) => ExitCode::SUCCESS,
    })
}

/// Waits for keys and signals, each on a thread that ends with the program.
fn listen(events: Sender<Event>) {
    let signals = events.clone();
    // Without a handler a signal ends the program without words; no reason not to play.
    let _ = ctrlc::set_handler(move || drop(signals.send(Event::Signal)));
    std::thread::spawn(move || {
        while let Ok(input) = event::read() {
            if events.send(Event::Input(input)).is_err() {
                return;
            }
        }
        // A terminal that cannot be read any more is gone.
        let _ = events.send(Event::Signal);
    });
}

impl<'a> App<'a> {
    fn new(table: TerminalTable<'a>, theme: Theme, advised: Tell) -> App<'a> {
        let rules = *table.position().rules();
        let cursor = Cell::new(rules.width / 2, rules.height / 2);
        let places = Places::of(&rules, Rect::ZERO);
        let [hints, analyst] = [(); 2].map(|()| Desk::new(Threads::own(), Arc::clone(&advised)));
        App {
            table,
            theme,
            cursor,
            typed: String::new(),
            mode: Mode::Play,
            message: None,
            shown: None,
            threats: false,
            leaves: false,
            hint: Vec::new(),
            hints,
            analyses: false,
            analysis: None,
            analyst,
            opinions: HashMap::new(),
            opens: false,
            places,
            grid: Grid::fit(&rules, places.board, places.pitch, cursor),
        }
    }

    pub fn language(&self) -> Language {
        self.table.language()
    }

    pub fn side(&self, stone: Stone) -> String {
        self.table.side(stone)
    }

    pub fn pick<'t>(&self, english: &'t str, chinese: &'t str) -> &'t str {
        self.language().pick(english, chinese)
    }

    /// Until the person leaves; true if a signal ended it.
    fn run(&mut self, screen: &mut Screen, inbox: &Receiver<Event>) -> anyhow::Result<bool> {
        self.table.begin();
        loop {
            screen.terminal.draw(|frame| self.draw(frame))?;
            let mut next = inbox.recv_timeout(self.patience());
            // Whatever has come meanwhile is drawn at once.
            while let Ok(event) = next {
                if matches!(event, Event::Signal) {
                    return Ok(true);
                }
                self.take(event);
                next = inbox.try_recv().map_err(|_| RecvTimeoutError::Timeout);
            }
            self.table.tick();
            self.follow();
            if self.leaves {
                return Ok(false);
            }
        }
    }

    fn patience(&self) -> Duration {
        let usual = if self.table.game().clocks_run() { TICK } else { IDLE };
        let due = self.table.wakes().map(|wakes| wakes.saturating_duration_since(Instant::now()));
        due.map_or(usual, |due| due.min(usual)).max(Duration::from_millis(1))
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Input(input) => self.input(input),
            Event::News(news) => {
                if self.table.hear(news) {
                    self.hint.clear();
                }
            }
            Event::Advised(advised) => self.take_advice(advised),
            Event::Signal => self.leaves = true,
        }
    }

    /// What is seen must be what there is.
    fn follow(&mut self) {
        let last = self.table.game().record().moves.len();
        self.shown = self.shown.map(|shown| shown.min(last));
        if let Some(why) = &self.table.trouble {
            self.message = Some((words::not_saved(why).said(self.language()), true));
        }
        let opened = std::mem::replace(&mut self.opens, self.table.demand().is_some());
        if opened && !self.opens && self.table.sides_are_found() {
            self.message = Some((words::settled(self.table.names()).said(self.language()), false));
        }
        self.follow_analysis();
    }

    fn follow_analysis(&mut self) {
        let position = self.position();
        let hash = position.hash();
        if !self.analyses || position.outcome().is_some() {
            self.analysis = None;
            self.analyst.stop();
        } else if self.analysis.as_ref().is_none_or(|analysis| analysis.hash != hash) {
            self.analysis = Some(Analysis { hash, info: Info::default() });
            self.analyst.analyse(position, self.table.lines());
        }
    }

    fn take_advice(&mut self, advice: Advice) {
        match advice {
            Advice::Hint { position, best } if position.hash() == self.table.position().hash() => {
                self.message = Some((words::try_this(&best.turn).said(self.language()), false));
                self.hint = best.turn;
            }
            Advice::Analysis { position, info, .. } => self.take_analysis(&position, info),
            Advice::Failed => {
                self.complain(self.pick("The engine failed at this position.", "引擎在此局面出错。"));
            }
            // The board has changed since.
            Advice::Hint { .. } => {}
        }
    }

    fn take_analysis(&mut self, position: &Position, info: Info) {
        let hash = position.hash();
        let Some(analysis) = self.analysis.as_mut().filter(|analysis| analysis.hash == hash) else { return };
        let Some(line) = info.lines.first() else { return };
        if let Some(chance) = analysis_scores(position.rules()).of_line(line) {
            let black = position.to_move() == Stone::Black;
            self.opinions.insert(hash, if black { chance } else { 1.0 - chance });
        }
        analysis.info = info;
    }

    /// Asks for a hint, which comes a second later.
    pub fn ask_hint(&mut self) {
        if self.table.game().is_over() {
            return self.complain(words::refused(&Refused::Over, self.language()));
        }
        self.hints.hint(self.table.position().clone());
        let words = self.pick("Looking for a good move…", "正在寻找好棋……");
        self.message = Some((words.into(), false));
    }

    pub fn toggle_analysis(&mut self) {
        self.analyses = !self.analyses;
    }

    pub fn complain(&mut self, words: impl Into<String>) {
        self.message = Some((words.into(), true));
    }

    /// The board has changed by the person's hand.
    pub fn moved_on(&mut self) {
        (self.shown, self.message) = (None, None);
        self.hint.clear();
        self.hints.stop();
    }

    /// The position that is looked at.
    pub fn position(&self) -> Position {
        match self.shown {
            Some(ply) => self.table.game().record().position_at(ply),
            None => self.table.position().clone(),
        }
    }

    /// What the analysis of the position that is looked at has found so far.
    pub fn analysis(&self) -> Option<&Info> {
        self.analysis.as_ref().map(|analysis| &analysis.info)
    }

    /// Black's chance after every stone of the game, from the empty board on, where a player or an analysis knows it.
    pub fn chances(&self) -> Vec<Option<f64>> {
        let record = self.table.game().record();
        let told = chances(record, self.table.players());
        let mut position = record.position_at(0);
        let mut known = vec![self.opinions.get(&position.hash()).copied()];
        for (played, chance) in record.moves.iter().zip(told) {
            let black = position.to_move() == Stone::Black;
            // A record's moves are legal.
            let _ = position.play(played.cell);
            let told = chance.map(|chance| if black { chance } else { 1.0 - chance });
            known.push(self.opinions.get(&position.hash()).copied().or(told));
        }
        known
    }

    /// Where the cursor is: where stones drop, the cell the stone would come to rest on.
    pub fn aim(&self) -> Cell {
        let rules = self.table.position().rules();
        match rules.placement {
            Placement::Anywhere => self.cursor,
            Placement::Drop => {
                let top = Cell::new(self.cursor.column, rules.height - 1);
                self.table.position().landing(self.cursor.column).unwrap_or(top)
            }
        }
    }

    /// The cell of the cursor as a person would name it.
    pub fn aimed(&self) -> String {
        match self.table.position().rules().placement {
            Placement::Anywhere => self.cursor.to_string(),
            Placement::Drop => column_name(self.cursor.column),
        }
    }

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
                std::cmp::Ordering::Less => behind,
                std::cmp::Ordering::Equal => handle,
                std::cmp::Ordering::Greater => ahead,
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

    /// What the terminal shows after the screen is gone.
    fn say_farewell(&self) -> anyhow::Result<()> {
        let (table, language) = (&self.table, self.language());
        if table.game().is_over() {
            line(table.game().verdict().words(table.position().rules(), language))?;
        }
        match (&table.trouble, table.file()) {
            (Some(why), _) => line(words::not_saved(why).said(language)),
            (None, Some(file)) if table.is_kept() && !table.game().record().moves.is_empty() => {
                line(words::saved(&file.display().to_string()).said(language))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_console::LanguageChoice;
    use lianzi_game::clock::Control;
    use lianzi_game::live::LiveGame;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

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
