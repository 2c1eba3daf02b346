//! The full screen: what is shown, and the loop that waits for keys, engines and the clock.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use lianzi_core::{Cell, Language, Placement, Position, Stone, column_name};
use lianzi_engine::Info;
use lianzi_game::live::chance::chances;
use lianzi_game::live::{Advice, Desk, News, Refused, Tell, Threads, analysis_scores};
use ratatui::crossterm::event;
use ratatui::layout::Rect;

use super::board::Grid;
use super::layout::Places;
use super::screen::Screen;
use super::table::{Start, TerminalTable};
use super::theme::Theme;
use super::words;
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
    pub hint: Vec<Cell>,
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
    pub fn new(table: TerminalTable<'a>, theme: Theme, advised: Tell) -> App<'a> {
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
        if let Some(why) = self.table.waits.take() {
            self.message = Some((why.said(self.language()), true));
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
