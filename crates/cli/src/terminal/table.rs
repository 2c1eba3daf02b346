//! A table: a live game, its two players, and the file it is kept in.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use lianzi_core::record::{Format, GameRecord, Move};
use lianzi_core::{Cell, Ending, Language, Position, Rules, Stone};
use lianzi_engine::{Info, Stop};
use lianzi_game::clock::Control;
use lianzi_game::live::{Answered, Asked, LiveGame, News, Question, Said, patience};
use lianzi_game::player::Player;
use lianzi_players::{Kind, PlayerSpec};

use super::words;
use crate::console::Console;
use crate::files::{Reading, format_of_name, write_document};

/// What a table begins with.
pub struct Opening {
    /// The game, new or loaded.
    pub game: LiveGame,
    /// Who plays, Black first.
    pub players: [PlayerSpec; 2],
    /// Where the game is kept after every stone.
    pub save: Option<PathBuf>,
    /// The least time between two turns of engines that play each other.
    pub pace: Duration,
}

/// Who hears what engines say, on any thread.
pub type Tell = Arc<dyn Fn(News) + Send + Sync>;

/// One side of a table.
struct Sitting {
    spec: PlayerSpec,
    /// The player, while it does not think; made when it is first needed.
    seated: Option<Box<dyn Player>>,
}

/// An engine was asked.
struct Thinking {
    number: u64,
    stone: Stone,
    interrupt: Stop,
    thread: JoinHandle<()>,
}

/// A live game with its players.
pub struct Table<'a> {
    pub game: LiveGame,
    pub console: &'a Console,
    /// What an engine thought last.
    pub thoughts: Option<(Stone, Info)>,
    /// Why the game could not be kept.
    pub trouble: Option<String>,
    sides: [Sitting; 2],
    save: Option<PathBuf>,
    /// Whether a file shows the game as it is.
    kept: bool,
    tell: Tell,
    thinking: Option<Thinking>,
    /// An answer that came sooner than those who watch can follow, and when it is played.
    held: Option<(Instant, Answered)>,
    pace: Duration,
    turned: Instant,
    questions: u64,
}

impl<'a> Table<'a> {
    /// Seats the players, who must play this game; nothing happens before `begin`.
    pub fn new(opening: Opening, console: &'a Console, tell: Tell) -> anyhow::Result<Table<'a>> {
        let Opening { game, players, save, pace } = opening;
        check(&players, game.position().rules(), console)?;
        let sides = players.map(|spec| Sitting { spec, seated: None });
        let mut table = Table {
            game,
            console,
            thoughts: None,
            trouble: None,
            sides,
            save,
            kept: true,
            tell,
            thinking: None,
            held: None,
            pace,
            turned: Instant::now(),
            questions: 0,
        };
        table.name_players();
        Ok(table)
    }

    /// Lets the clocks run and the engine think, if it is to move.
    pub fn begin(&mut self) {
        self.game.start_clocks(Instant::now());
        self.think();
    }

    pub fn language(&self) -> Language {
        self.console.language
    }

    pub fn position(&self) -> &Position {
        self.game.position()
    }

    pub fn to_move(&self) -> Stone {
        self.game.position().to_move()
    }

    /// Which sides people play, Black's first.
    pub fn people(&self) -> [bool; 2] {
        self.sides.each_ref().map(|side| side.spec.kind == Kind::Human)
    }

    /// The names of the engines and programs as the user wrote them, Black's first.
    pub fn players(&self) -> [String; 2] {
        self.sides.each_ref().map(|side| side.spec.to_string())
    }

    /// The engine that thinks.
    pub fn thinks(&self) -> Option<Stone> {
        self.thinking.as_ref().map(|thinking| thinking.stone)
    }

    /// Whether a file shows the game as it is.
    pub fn is_kept(&self) -> bool {
        self.kept || self.game.record().moves.is_empty()
    }

    fn name_players(&mut self) {
        self.game.name(self.sides.each_ref().map(|side| side.spec.name.clone()));
    }

    /// Asks the engine, if it is to move and was not asked yet.
    fn think(&mut self) {
        let stone = self.to_move();
        let side = &mut self.sides[stone.index()];
        if self.thinking.is_some() || self.game.is_over() {
            return;
        }
        let fresh = side.seated.is_none();
        let Some(player) = side.seated.take().or_else(|| side.spec.player_with(&self.console.cages)) else {
            return;
        };
        self.questions += 1;
        let (number, interrupt) = (self.questions, Stop::default());
        // A player with a seed of its own plays the same game again.
        let seed = fresh.then(|| if side.spec.seed.is_some() { 0 } else { clock_seed() });
        let patience = patience(&side.spec.limits);
        // Until it has sat down and begun to think no clock runs.
        self.game.stop_clocks();
        let asked = Asked { number, seed, stone, opens: false, patience, interrupt: interrupt.clone() };
        let (question, tell) = (Question::new(&self.game, asked), Arc::clone(&self.tell));
        let thread = thread::Builder::new().name("player".into());
        match thread.spawn(move || question.ask(player, &*tell)) {
            Ok(thread) => self.thinking = Some(Thinking { number, stone, interrupt, thread }),
            Err(error) => self.game.fault(stone, Ending::Crashed { how: error.to_string() }),
        }
    }

    /// Stops the engine; what it still says is not heard.
    fn stop_thinking(&mut self) {
        self.held = None;
        if let Some(thinking) = self.thinking.take() {
            thinking.interrupt.set();
            self.game.start_clocks(Instant::now());
        }
    }

    /// Hears what an engine says; true if the game has changed.
    pub fn hear(&mut self, news: News) -> bool {
        let asked = self.thinking.as_ref().map(|thinking| thinking.number);
        match news {
            News::Begun(number, at) if asked == Some(number) => self.game.run_clocks_from(at),
            News::Thinks(number, info) if asked == Some(number) => {
                self.thoughts = Some((self.to_move(), info));
            }
            News::Answered(number, answered) if asked == Some(number) => {
                let due = if self.people() == [false; 2] { self.turned + self.pace } else { self.turned };
                self.held = Some((due, answered));
                return self.play_held();
            }
            // An answer to a question that was taken back. A program may take a moment to end; nobody waits for it.
            News::Answered(_, stale) => drop(thread::spawn(move || drop(stale))),
            _ => {}
        }
        false
    }

    /// When the table wants to be looked at again by itself.
    pub fn wakes(&self) -> Option<Instant> {
        let held = self.held.as_ref().map(|(due, _)| *due);
        let flag = self.game.flag_falls().filter(|_| self.thinking.is_none());
        held.into_iter().chain(flag).min()
    }

    /// Does what is due: an answer that was held, a flag that falls; true if the game has changed.
    pub fn tick(&mut self) -> bool {
        if self.play_held() {
            return true;
        }
        let fallen = self.thinking.is_none() && self.game.tick(Instant::now());
        if fallen {
            self.changed();
        }
        fallen
    }

    fn play_held(&mut self) -> bool {
        let due = self.held.take_if(|(due, _)| *due <= Instant::now());
        let Some((_, answered)) = due else { return false };
        let Some(thinking) = self.thinking.take() else { return false };
        let Answered { player, began, taken, said } = answered;
        self.sides[thinking.stone.index()].seated = player;
        self.turned = Instant::now();
        if let Said::Turn(deed, eval) = said {
            self.game.take(&deed, eval, began, taken);
        }
        self.changed();
        true
    }

    /// After every change: the game is kept, and whoever is to move begins.
    fn changed(&mut self) {
        self.kept = false;
        self.keep();
        self.game.start_clocks(Instant::now());
        self.think();
    }

    fn keep(&mut self) {
        let Some(path) = self.save.clone() else { return };
        self.trouble = self.write(&path).err();
    }

    /// Places the stones that a person named.
    pub fn place(&mut self, names: &str) -> Result<(), String> {
        // The time is taken before anything else: a late move must not be saved by a slow machine.
        let now = Instant::now();
        if let Some(engine) = self.thinks() {
            return Err(words::not_your_turn(engine, self.language()));
        }
        let names: Vec<&str> = names.split([' ', ',', '\t']).filter(|name| !name.is_empty()).collect();
        let cells = read_turn(self.position(), &names, self.language())?;
        self.turned = now;
        for &cell in &cells {
            if self.game.place(Move::from(cell), now).is_err() {
                // The turn was tried on a copy of the board, so only the clock can refuse it.
                break;
            }
        }
        self.changed();
        Ok(())
    }

    /// Takes a move back, also while the engine thinks.
    pub fn undo(&mut self) -> Result<(), String> {
        if !self.game.can_undo() {
            return Err(self.console.pick("There is nothing to take back.", "没有可悔的棋。").into());
        }
        self.stop_thinking();
        self.game.take_back(self.people(), Instant::now());
        self.changed();
        Ok(())
    }

    /// Puts back what was taken back.
    pub fn redo(&mut self) -> Result<(), String> {
        if self.game.undone() == 0 {
            return Err(self.console.pick("There is nothing to put back.", "没有可恢复的棋。").into());
        }
        self.stop_thinking();
        self.game.put_back(self.people(), Instant::now());
        self.changed();
        Ok(())
    }

    /// A person gives up: the one to move, or the only one.
    pub fn resign(&mut self) -> Result<(), String> {
        if self.game.is_over() {
            return Err(words::over(self.language()).into());
        }
        let mover = self.to_move();
        let people = self.people();
        let stone = [mover, mover.other()].into_iter().find(|stone| people[stone.index()]);
        let stone = stone.ok_or_else(|| {
            self.console.pick("You are watching; nobody here can resign.", "您在观战，无人可以认输。")
        })?;
        self.stop_thinking();
        self.game.resign(stone);
        self.changed();
        Ok(())
    }

    /// The same game anew with the same players. The file keeps the last game until the first stone.
    pub fn restart(&mut self) {
        self.stop_thinking();
        self.forget_seated();
        self.game.restart(Instant::now());
        self.thoughts = None;
        self.begin();
    }

    /// The players change sides; the stones stay.
    pub fn swap(&mut self) {
        self.stop_thinking();
        self.forget_seated();
        self.sides.swap(0, 1);
        self.name_players();
        self.changed();
    }

    /// The players are made anew when they are next asked.
    fn forget_seated(&mut self) {
        let seated: Vec<_> = self.sides.iter_mut().filter_map(|side| side.seated.take()).collect();
        // A program may take a moment to end; nobody waits for it.
        thread::spawn(move || drop(seated));
    }

    /// Goes on with another game from a file.
    pub fn load(&mut self, path: &Path) -> Result<(), String> {
        let record =
            Reading::default().load_one(path, None, self.console).map_err(|bad| self.console.words(&bad))?;
        let specs = self.sides.each_ref().map(|side| side.spec.clone());
        check(&specs, &record.rules, self.console).map_err(|bad| self.console.words(&bad))?;
        let game = resume(record, *self.game.control(), path, self.console).map_err(|bad| bad.to_string())?;
        self.stop_thinking();
        self.forget_seated();
        (self.game, self.thoughts) = (game, None);
        self.name_players();
        self.begin();
        Ok(())
    }

    /// Writes the game down.
    pub fn write(&mut self, path: &Path) -> Result<(), String> {
        let format = format_of_name(path).unwrap_or(Format::Json);
        let document = format.write(std::slice::from_ref(self.game.record()));
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

/// Nobody wants to hear the engine any more. A program ends with its player, so the player is waited for, in reason.
impl Drop for Table<'_> {
    fn drop(&mut self) {
        let Some(thinking) = self.thinking.take() else { return };
        thinking.interrupt.set();
        let until = Instant::now() + Duration::from_secs(2);
        while !thinking.thread.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Finds out whether both can play this game.
fn check(players: &[PlayerSpec; 2], rules: &Rules, console: &Console) -> anyhow::Result<()> {
    for spec in players {
        spec.check(rules).map_err(|none| anyhow!("{spec}: {}", none.words(console.language)))?;
        console.check_cage(spec)?;
    }
    Ok(())
}

/// Goes on with a recorded game.
pub fn resume(
    record: GameRecord,
    control: Control,
    path: &Path,
    console: &Console,
) -> anyhow::Result<LiveGame> {
    LiveGame::resume(record, control)
        .map_err(|bad| anyhow!("{}: {}", path.display(), bad.words(console.language)))
}

/// A number that differs from one game to the next.
pub fn clock_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}

/// Reads one or more stones of a turn and tries them on a copy of the board.
fn read_turn(position: &Position, names: &[&str], language: Language) -> Result<Vec<Cell>, String> {
    let mut after = position.clone();
    let mut cells = Vec::new();
    if names.len() > usize::from(position.stones_left().max(1)) {
        return Err(words::too_many_stones(position.stones_left(), language));
    }
    for name in names {
        let cell = after.read_cell(name).map_err(|why| why.words(language))?;
        after.play(cell).map_err(|why| format!("{cell}: {}", why.words(language)))?;
        cells.push(cell);
        if after.outcome().is_some() {
            break;
        }
    }
    Ok(cells)
}
