//! The table of a live game as the terminal has it: with the file it is kept in, and refusals in the user's words.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use lianzi_core::record::{Format, GameRecord};
use lianzi_core::{Cell, Language, Negotiation, Placement, Rules, Speak, Stone, Text};
use lianzi_engine::Info;
use lianzi_game::clock::Control;
use lianzi_game::live::{By, Event, Leaving, LiveGame, LiveTable, News, Order, Reach, Refused, Setting, Side, Threads};
use lianzi_players::PlayerSpec;

use super::words;
use lianzi_console::Console;
use lianzi_console::files::{Reading, format_of_name, write_document};

/// How long the end waits for players to leave.
const LEAVE: Duration = Duration::from_secs(2);

/// What a table begins with.
pub struct Start {
    /// The game, new or loaded.
    pub game: LiveGame,
    /// Who plays, Black first.
    pub players: [PlayerSpec; 2],
    /// Where the game is kept after every stone.
    pub save: Option<PathBuf>,
    /// The least time between two turns of engines that play each other.
    pub pace: Duration,
    /// Whether engines answer at once, not after a moment.
    pub instant: bool,
}

/// Who hears what engines say, on any thread.
pub type Tell = Arc<dyn Fn(News) + Send + Sync>;

/// A live table and its file.
pub struct TerminalTable<'a> {
    live: LiveTable,
    pub console: &'a Console,
    /// What an engine thought last.
    pub thoughts: Option<(Stone, Info)>,
    /// Why the game could not be kept.
    pub trouble: Option<String>,
    /// Why the game waits for something that the machine lacks, until it was told.
    pub waits: Option<Text>,
    save: Option<PathBuf>,
    /// Whether a file shows the game as it is.
    kept: bool,
    leaving: Leaving,
}

impl<'a> TerminalTable<'a> {
    /// Seats the players, who must play this game; nothing happens before `begin`.
    pub fn new(start: Start, console: &'a Console, tell: Tell) -> anyhow::Result<TerminalTable<'a>> {
        let Start { game, players, save, pace, instant } = start;
        for spec in &players {
            check(spec, game.position().rules(), console)?;
        }
        let sides = players.map(|spec| seat(&spec, console));
        let setting = Setting { game, sides, pace, instant, turn_used: Duration::ZERO };
        let leaving = Leaving::default();
        let reach = Reach { threads: Threads::own(), tell, leaving: leaving.clone() };
        let live = LiveTable::new(setting, reach);
        Ok(TerminalTable { live, console, thoughts: None, trouble: None, waits: None, save, kept: true, leaving })
    }

    /// Lets the clocks run and the engine think, if it is to move.
    pub fn begin(&mut self) {
        self.live.wake(true);
    }

    pub fn language(&self) -> Language {
        self.console.language
    }

    /// What people call a side in this game.
    pub fn side(&self, stone: Stone) -> String {
        self.position().rules().side(stone).said(self.language())
    }

    /// The names of the engines and programs as the user wrote them, Black's first.
    pub fn players(&self) -> [&str; 2] {
        self.sides().each_ref().map(|side| side.player.as_str())
    }

    /// What the players are called, Black's first.
    pub fn names(&self) -> [&str; 2] {
        self.sides().each_ref().map(|side| side.name.as_str())
    }

    /// What a person is to do in an opening, in one sentence.
    pub fn opening_words(&self) -> Option<String> {
        let demand = self.demand().filter(|demand| self.people()[demand.seat.index()])?;
        Some(demand.brief().said(self.language()))
    }

    /// The fifth moves that are offered now.
    pub fn offered(&self) -> &[Cell] {
        self.game().negotiation().map_or(&[], |negotiation| negotiation.offered())
    }

    /// Whether an opening has settled the sides.
    pub fn sides_are_found(&self) -> bool {
        self.game().negotiation().is_some_and(Negotiation::is_settled)
    }

    /// Whose turn it is, and for what.
    pub fn turn_words(&self) -> String {
        words::turn(&self.side(self.actor()), self.demand(), self.stones_left(), self.language())
    }

    /// Whether a file shows the game as it is.
    pub fn is_kept(&self) -> bool {
        self.kept || self.game().record().moves.is_empty()
    }

    /// How many lines an analysis shows.
    pub fn lines(&self) -> usize {
        let rules = self.position().rules();
        if rules.placement == Placement::Drop { usize::from(rules.width.min(9)) } else { 5 }
    }

    /// Does what a person wants, or says why not.
    pub fn obey(&mut self, order: &Order) -> Result<(), String> {
        let by = By { seats: self.people(), owner: true };
        self.live.obey(by, order).map_err(|refused| self.refusal(order, &refused))?;
        if *order == Order::Restart {
            // The file keeps the last game until the first stone.
            self.live.events();
            self.thoughts = None;
        }
        self.follow();
        Ok(())
    }

    fn refusal(&self, order: &Order, refused: &Refused) -> String {
        match (order, refused, self.thinks()) {
            (Order::Place { .. }, Refused::NotYourTurn(_) | Refused::Watching, Some(engine)) => {
                words::not_your_turn(&self.side(engine), self.language())
            }
            _ => words::refused(refused, self.language()),
        }
    }

    /// Places the stones that a person named.
    pub fn place(&mut self, names: &str) -> Result<(), String> {
        self.obey(&Order::Place { cell: names.into(), ply: None, waited_ms: 0 })
    }

    /// Hears what an engine says; true if the game has changed.
    pub fn hear(&mut self, news: News) -> bool {
        self.live.hear(news);
        self.follow()
    }

    /// Does what is due; true if the game has changed.
    pub fn tick(&mut self) -> bool {
        self.live.tick();
        self.follow()
    }

    /// Takes note of what happened, and keeps the game if it has changed; true if it has.
    fn follow(&mut self) -> bool {
        let mut changed = false;
        for event in self.live.events() {
            match event {
                Event::Thinks(stone, info) => self.thoughts = Some((stone, info)),
                Event::Changed => changed = true,
                Event::Lacks(why) => self.waits = Some(why),
                Event::Begun | Event::Swapped => {}
            }
        }
        if changed {
            self.kept = false;
            self.keep();
        }
        changed
    }

    fn keep(&mut self) {
        let Some(path) = self.save.clone() else { return };
        self.trouble = self.write(&path).err();
    }

    /// Goes on with another game from a file.
    pub fn load(&mut self, path: &Path) -> Result<(), String> {
        let words = |bad: anyhow::Error| self.console.words(&bad);
        let record = Reading::default().load_one(path, None, self.console).map_err(words)?;
        for player in self.players() {
            // It was read when the game began.
            let Ok(spec) = player.parse() else { continue };
            check(&spec, &record.rules, self.console).map_err(words)?;
        }
        let game = resume(record, *self.game().control(), path, self.console).map_err(|bad| bad.to_string())?;
        self.thoughts = None;
        self.live.replace(game);
        // The file that was loaded shows it, and the other one keeps its game until the first stone.
        self.live.events();
        self.kept = true;
        Ok(())
    }

    /// Writes the game down.
    pub fn write(&mut self, path: &Path) -> Result<(), String> {
        let format = format_of_name(path).unwrap_or(Format::Json);
        let document = format.write(std::slice::from_ref(self.game().record()));
        let document = document.map_err(|error| error.words(self.language()))?;
        write_document(path, &document).map_err(|error| self.console.words(&error))?;
        self.kept = true;
        Ok(())
    }

    /// Where the game is kept by itself.
    pub fn file(&self) -> Option<&Path> {
        self.save.as_deref()
    }
}

/// What there is to see at the table; whatever changes it goes through the methods above, which keep the game.
impl Deref for TerminalTable<'_> {
    type Target = LiveTable;

    fn deref(&self) -> &LiveTable {
        &self.live
    }
}

/// Nobody wants to hear the engines any more. A program ends with its player, so the players are waited for, in reason.
impl Drop for TerminalTable<'_> {
    fn drop(&mut self) {
        self.live.dismiss();
        self.leaving.wait(LEAVE);
    }
}

/// Who sits at a side. A player with a seed of its own plays the same game again.
fn seat(spec: &PlayerSpec, console: &Console) -> Side {
    let mut machine = spec.machine(Some(&console.cages));
    if let Some(machine) = &mut machine {
        machine.seed = spec.seed.map(|_| 0);
    }
    Side::new(spec.to_string(), spec.name.clone(), machine)
}

/// Finds out whether somebody can play this game.
fn check(spec: &PlayerSpec, rules: &Rules, console: &Console) -> anyhow::Result<()> {
    spec.check(rules).map_err(|none| anyhow!("{spec}: {}", none.words(console.language)))?;
    console.check_cage(spec)
}

/// Goes on with a recorded game.
pub fn resume(record: GameRecord, control: Control, path: &Path, console: &Console) -> anyhow::Result<LiveGame> {
    LiveGame::resume(record, control).map_err(|bad| anyhow!("{}: {}", path.display(), bad.words(console.language)))
}

/// A number that differs from one game to the next.
pub fn clock_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}
