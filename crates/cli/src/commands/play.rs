//! `play`: a game in the terminal, line by line.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use clap::Args;
use lianzi_arena::clock::Control;
use lianzi_arena::duration;
use lianzi_arena::judge::{Deed, Fault, Ruling, judge};
use lianzi_arena::live::LiveGame;
use lianzi_arena::player::{Ask, Kind, Player, PlayerSpec, Seat};
use lianzi_core::record::{Eval, Format, Move};
use lianzi_core::{Cell, Game, Language, Position, Stone};
use lianzi_engine::{Engine, Greedy, Limits, Stop};

use crate::console::{Console, line, prompt};
use crate::files::{Reading, format_of_name, write_document};

/// Play a game in the terminal
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi play gomoku\n  lianzi play connect6:15 --black greedy --white human\n  lianzi play connect4 --load game.json --save game.json"
)]
pub struct Play {
    /// The game, such as gomoku, renju, connect6, connect4 or connect4:random [default: gomoku, or the loaded one]
    game: Option<Game>,
    /// Who plays Black
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    black: PlayerSpec,
    /// Who plays White
    #[arg(long, value_name = "PLAYER", default_value = "greedy")]
    white: PlayerSpec,
    /// Time for each turn, such as 30s
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the game here after every turn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl Play {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let game = self.open(console)?;
        let sides = [seat(&self.black, &game, console)?, seat(&self.white, &game, console)?];
        let mut table = Table { game, sides, save: self.save, console };
        table.name_players();
        table.run()?;
        Ok(ExitCode::SUCCESS)
    }

    fn control(&self) -> Control {
        Control { per_move: self.time, ..Control::default() }
    }

    fn open(&self, console: &Console) -> anyhow::Result<LiveGame> {
        let Some(path) = &self.load else {
            let game = self.game.unwrap_or(Game::Fixed(lianzi_core::Rules::gomoku(15)));
            return Ok(LiveGame::new(game.draw(clock_seed()), self.control()));
        };
        let rules = match self.game {
            Some(Game::Fixed(rules)) => Some(rules),
            _ => None,
        };
        let record = Reading { from: None, game: rules }.load_one(path, None, console)?;
        if rules.is_some_and(|rules| rules != record.rules) {
            let words = console.pick("the saved game is another one", "存档是另一种棋");
            bail!("{}: {words}: {}", path.display(), record.rules);
        }
        LiveGame::resume(record, self.control())
            .map_err(|bad| anyhow!("{}: {}", path.display(), bad.words(console.language)))
    }
}

fn clock_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}

/// One side of the table.
struct Sitting {
    spec: PlayerSpec,
    /// Nobody for a person.
    player: Option<Box<dyn Player>>,
    /// It has yet to sit down, or has failed.
    fresh: bool,
}

fn seat(spec: &PlayerSpec, game: &LiveGame, console: &Console) -> anyhow::Result<Sitting> {
    spec.check(game.position().rules())?;
    console.check_cage(spec)?;
    Ok(Sitting { spec: spec.clone(), player: spec.player_with(&console.cages), fresh: true })
}

impl Sitting {
    /// What the player does, which must not be a person.
    fn ask(&mut self, game: &LiveGame) -> (Deed, Option<Eval>) {
        let (position, allowance) = (game.position(), game.allowance());
        let due = allowance.time.map(|(time, _)| Instant::now() + time);
        let deadline = due.map(|due| due + allowance.margin);
        let ask = Ask { position, limits: game.limits(), due, deadline, interrupt: &Stop::default() };
        let reply = self.sit(game).and_then(|player| player.take_turn(&ask, &mut |_| {}));
        self.fresh = reply.is_err();
        match reply {
            Ok(reply) if reply.resigns => (Deed::Resigned, reply.eval),
            Ok(reply) => (Deed::Turn(reply.turn), reply.eval),
            Err(fault) => (Deed::Failed(fault), None),
        }
    }

    fn sit(&mut self, game: &LiveGame) -> Result<&mut Box<dyn Player>, Fault> {
        let player = self.player.as_mut().expect("an engine sits at this side");
        if self.fresh {
            let (rules, stone) = (game.position().rules(), game.position().to_move());
            // A player with a seed of its own plays the same game again.
            let seed = if self.spec.seed.is_some() { 0 } else { clock_seed() };
            player.sit(&Seat { rules, stone, control: game.control(), seed })?;
        }
        Ok(player)
    }
}

/// A game, two sides, and a person who types.
struct Table<'a> {
    game: LiveGame,
    sides: [Sitting; 2],
    save: Option<PathBuf>,
    console: &'a Console,
}

/// Whether to go on.
#[derive(PartialEq)]
enum Next {
    GoOn,
    Leave,
}

impl Table<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        line(self.help())?;
        self.show()?;
        self.game.start_clocks(Instant::now());
        let mut input = std::io::stdin().lock();
        loop {
            if self.engine_to_move() {
                self.engine_turn()?;
                continue;
            }
            // Two engines leave nobody to type; a finished game still takes undo, save and restart.
            if self.game.is_over() && !self.has_human() {
                return Ok(());
            }
            prompt(&self.question())?;
            let mut typed = Vec::new();
            if input.read_until(b'\n', &mut typed)? == 0 {
                return line(self.pick("\nEnd of input, the game is left.", "\n输入结束，离开对局。"));
            }
            if self.obey(String::from_utf8_lossy(&typed).trim())? == Next::Leave {
                return Ok(());
            }
        }
    }

    fn pick<'t>(&self, english: &'t str, chinese: &'t str) -> &'t str {
        self.console.pick(english, chinese)
    }

    fn language(&self) -> Language {
        self.console.language
    }

    fn to_move(&self) -> Stone {
        self.game.position().to_move()
    }

    fn engine_to_move(&self) -> bool {
        !self.game.is_over() && self.sides[self.to_move().index()].player.is_some()
    }

    fn has_human(&self) -> bool {
        self.sides.iter().any(|side| side.spec.kind == Kind::Human)
    }

    fn name_players(&mut self) {
        self.game.name(self.sides.each_ref().map(|side| side.spec.name.clone()));
    }

    fn question(&self) -> String {
        if self.game.is_over() {
            return self
                .pick(
                    "Game over (undo, restart, save FILE, quit) > ",
                    "对局结束（undo、restart、save 文件、quit）> ",
                )
                .into();
        }
        let side = self.to_move().words(self.language());
        let left = self.game.position().stones_left();
        match (left, self.language()) {
            (1, Language::English) => format!("{side} to move > "),
            (n, Language::English) => format!("{side} to move, {n} stones > "),
            (1, Language::Chinese) => format!("轮到{side} > "),
            (n, Language::Chinese) => format!("轮到{side}，下 {n} 子 > "),
        }
    }

    fn help(&self) -> &'static str {
        self.console.pick(
            "Type a cell such as h8 (Connect Four: a column; Connect6: two cells), or: undo, redo, hint, resign, restart, swap, save FILE, board, help, quit",
            "输入位置，如 h8（四子棋输入列，六子棋输入两个位置），或：undo 悔棋、redo、hint 提示、resign 认输、restart 重新开始、swap 换边、save 文件、board 棋盘、help 帮助、quit 退出",
        )
    }

    fn show(&self) -> anyhow::Result<()> {
        line(self.console.board(self.game.position()).trim_end())?;
        if self.game.is_over() {
            line(self.game.verdict().words(self.game.position().rules(), self.language()))?;
        }
        Ok(())
    }

    fn obey(&mut self, typed: &str) -> anyhow::Result<Next> {
        if let Some(name) = typed.strip_prefix("save").filter(|name| name.is_empty() || name.starts_with(' '))
        {
            self.save_as(name.trim())?;
            return Ok(Next::GoOn);
        }
        match typed {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Next::Leave),
            "help" | "?" => line(self.help())?,
            "board" => self.show()?,
            "undo" => self.undo()?,
            "redo" => self.redo()?,
            "hint" => self.hint()?,
            "resign" => self.resign()?,
            "restart" => self.restart()?,
            "swap" => self.swap()?,
            _ => self.place(typed)?,
        }
        Ok(Next::GoOn)
    }

    fn place(&mut self, typed: &str) -> anyhow::Result<()> {
        // The time is taken before anything else: a late move must not be saved by a slow machine.
        let now = Instant::now();
        let names: Vec<&str> = typed.split([' ', ',', '\t']).filter(|name| !name.is_empty()).collect();
        let cells = match read_turn(self.game.position(), &names, self.language()) {
            Ok(cells) => cells,
            Err(words) => return line(words),
        };
        for &cell in &cells {
            if self.game.place(Move::from(cell), now).is_err() {
                // The turn was tried on a copy of the board, so only the clock can refuse it.
                break;
            }
        }
        self.after_change()
    }

    fn engine_turn(&mut self) -> anyhow::Result<()> {
        let (mover, start) = (self.to_move(), Instant::now());
        let (deed, eval) = self.sides[mover.index()].ask(&self.game);
        match judge(self.game.position(), &self.game.allowance(), start.elapsed(), &deed) {
            Ruling::End(verdict) if verdict.blame.is_some() => self.game.fault(mover, verdict.ending),
            Ruling::End(_) => self.game.resign(mover),
            Ruling::Place { cells, .. } => {
                for &cell in &cells {
                    // The judge has tried these stones, so only the clock can refuse one.
                    let _ = self.game.place(Move { eval, ..Move::from(cell) }, Instant::now());
                }
                let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
                line(format!("{}: {}", mover.words(self.language()), names.join(" ")))?;
            }
        }
        self.after_change()
    }

    /// After every change of the board: save and show.
    fn after_change(&mut self) -> anyhow::Result<()> {
        if let Some(path) = self.save.clone() {
            self.write(&path)?;
        }
        self.show()
    }

    fn undo(&mut self) -> anyhow::Result<()> {
        let human = |stone: &Stone| self.sides[stone.index()].player.is_none();
        let humans: Vec<Stone> = Stone::BOTH.into_iter().filter(human).collect();
        let undone = match humans.as_slice() {
            [only] => self.game.undo_to(*only, Instant::now()),
            _ => self.game.undo(Instant::now()),
        };
        if undone {
            self.after_change()
        } else {
            line(self.pick("There is nothing to take back.", "没有可悔的棋。"))
        }
    }

    fn redo(&mut self) -> anyhow::Result<()> {
        if self.game.redo(Instant::now()).is_none() {
            return line(self.pick("There is nothing to put back.", "没有可恢复的棋。"));
        }
        // Against an engine its answer comes back as well, or it would think of another.
        while self.engine_to_move() && self.game.redo(Instant::now()).is_some() {}
        self.after_change()
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if self.game.is_over() {
            return line(self.pick("The game is over.", "对局已经结束。"));
        }
        let best =
            Greedy::new(0).search(self.game.position(), &Limits::default(), &Stop::default(), &mut |_| {});
        let names: Vec<String> = best.turn.iter().map(Cell::to_string).collect();
        line(format!("{} {}", self.pick("Try", "可以考虑"), names.join(" ")))
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        if self.game.is_over() {
            return line(self.pick("The game is over.", "对局已经结束。"));
        }
        self.game.resign(self.to_move());
        self.after_change()
    }

    fn restart(&mut self) -> anyhow::Result<()> {
        self.game.restart(Instant::now());
        for side in &mut self.sides {
            side.fresh = true;
        }
        self.after_change()
    }

    fn swap(&mut self) -> anyhow::Result<()> {
        self.sides.swap(0, 1);
        self.name_players();
        line(self.pick("Sides are swapped.", "已交换双方。"))
    }

    fn save_as(&mut self, name: &str) -> anyhow::Result<()> {
        if name.is_empty() {
            return line(self.pick("Say where: save game.json", "请写文件名：save game.json"));
        }
        // A name that cannot be written must not end the game.
        match self.write(Path::new(name)) {
            Ok(()) => line(format!("{} {name}", self.pick("Saved to", "已保存到"))),
            Err(error) => line(format!("{} {error:#}", self.pick("Not saved:", "未能保存："))),
        }
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        let format = format_of_name(path).unwrap_or(Format::Json);
        let document = format.write(std::slice::from_ref(self.game.record()));
        write_document(path, &document.map_err(|error| anyhow!(error.words(self.language())))?)
    }
}

/// Reads one or more stones of a turn and tries them on a copy of the board.
fn read_turn(position: &Position, names: &[&str], language: Language) -> Result<Vec<Cell>, String> {
    let mut after = position.clone();
    let mut cells = Vec::new();
    if names.len() > usize::from(position.stones_left().max(1)) {
        let left = position.stones_left();
        return Err(match language {
            Language::English => format!("Too many stones: {left} are left in this turn."),
            Language::Chinese => format!("子数过多：这一手还剩 {left} 子。"),
        });
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
