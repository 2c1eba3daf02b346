//! A guest in Piskvork, Gomocup and every manager that speaks their protocol, with Yixin's extensions.
//!
//! The opponent is whoever sends `TURN`; which colour that is follows from who placed the first stone. What the manager
//! places is never refused for a rule, only for a cell that is not free: judging is the manager's business.

use std::io;
use std::time::{Duration, Instant};

use lianzi_core::{Cell, Forbidden, Overline, Rules, Stone, shorten};

use super::desk::{Desk, Heard, Request, Said};
use super::opening::Opening;
use super::placed::Placed;
use super::times::Times;
use super::{GuestError, NAME};
use crate::protocol::cells::{Alphabet, to_corner};
use crate::protocol::piskvork::{Command, YixinStep, message, milliseconds};

/// Managers allow whatever the machine has; a larger table than this, in MiB, only takes longer to clear.
const LARGEST_TABLE: u64 = 512;

/// The sides of a board that can be played on.
const SIDES: std::ops::RangeInclusive<u8> = 5..=31;

/// What the bits of `INFO rule` mean; what else there may be is ignored, for INFO is never answered.
const EXACT: u32 = 1;
const RENJU: u32 = 4;
const CARO: u32 = 8;

/// How many best moves somebody may ask for.
const MOST_LINES: usize = 100;

/// How soon an answer must come that is still given after END: the manager kills after a second.
const AFTER_END: Duration = Duration::from_millis(300);

/// A guest at a Piskvork table.
pub(super) struct Piskvork<'a> {
    pub(super) desk: Desk<'a>,
    /// The game until the manager says which.
    usual: Rules,
    rule: Option<u32>,
    started: bool,
    pub(super) placed: Placed,
    /// The colour of our stones.
    pub(super) own: Stone,
    times: Times,
    depth: Option<u32>,
    nodes: Option<u64>,
}

/// What a line that comes while we think means.
pub(super) fn heard(line: &str) -> Heard {
    match Command::read(line) {
        Command::Stop => Heard::Stop,
        Command::End => Heard::Leave(AFTER_END),
        _ => Heard::Later,
    }
}

impl<'a> Piskvork<'a> {
    pub fn new(rules: Rules, desk: Desk<'a>) -> Piskvork<'a> {
        Piskvork {
            desk,
            usual: rules,
            rule: None,
            started: false,
            placed: Placed::new(rules),
            own: Stone::Black,
            times: Times::default(),
            depth: None,
            nodes: None,
        }
    }

    pub fn run(mut self) -> Result<(), GuestError> {
        while let Some(said) = self.desk.next() {
            match Command::read(&said.text) {
                Command::End => break,
                command => self.obey(command, &said)?,
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: Command<'_>, said: &Said) -> io::Result<()> {
        match command {
            Command::Start(size) => self.start(size, size),
            Command::RectStart(size) => {
                let (width, height) = size.split_once(',').unwrap_or((size, ""));
                self.start(width, height)
            }
            Command::Info(key, value) => {
                self.info(&key.to_ascii_lowercase(), value);
                if self.started {
                    // Whether the engine plays by a new rule shows when it is asked; settings are never answered.
                    let _ = self.desk.mind.prepare(&self.placed.rules);
                }
                Ok(())
            }
            Command::About => self.desk.say(&about()),
            Command::Stop | Command::End => Ok(()),
            Command::HashClear => {
                self.desk.mind.clear();
                Ok(())
            }
            Command::Unknown(word) => self.desk.say(&format!("UNKNOWN command '{}'", shorten(word))),
            _ if !self.started => self.error("there is no board yet; send START first"),
            Command::Restart => {
                self.new_game();
                self.desk.say("OK")
            }
            Command::Begin => self.begin(said.at),
            Command::Turn(cell) => self.turn(cell, said.at),
            Command::Board => self.board(true),
            Command::YxBoard => self.board(false),
            Command::Takeback(cell) => self.take_back(cell),
            Command::Swap2Board => self.swap2_board(),
            Command::Yixin(step) => self.yixin(step, said.at),
            Command::ShowForbid => self.show_forbid(),
            Command::NBest(number) => self.n_best(number, said.at),
        }
    }

    pub(super) fn error(&mut self, why: &str) -> io::Result<()> {
        self.desk.say(&format!("ERROR {why}"))
    }

    fn start(&mut self, width: &str, height: &str) -> io::Result<()> {
        let side = |text: &str| text.trim().parse::<u8>().ok().filter(|side| SIDES.contains(side));
        let (Some(width), Some(height)) = (side(width), side(height)) else {
            return self.error("the sides of the board must be 5 to 31");
        };
        let rules = self.rules(width, height);
        if let Err(why) = self.desk.mind.prepare(&rules) {
            return self.error(&why);
        }
        self.placed = Placed::new(rules);
        self.started = true;
        self.new_game();
        self.desk.say("OK")
    }

    fn new_game(&mut self) {
        // Blocked cells belong to a set-up, not to the board.
        self.placed = Placed::new(self.rules(self.placed.rules.width, self.placed.rules.height));
        self.own = Stone::Black;
        self.times.used = Duration::ZERO;
        self.times.left = None;
        self.desk.mind.begin();
    }

    /// The rules on a board of this size, by what the manager said or by the game we were started for.
    fn rules(&self, width: u8, height: u8) -> Rules {
        let free = Rules::connect(width, height, 5, 1, 1);
        match self.rule {
            Some(rule) if rule & RENJU != 0 => Rules { forbidden: Forbidden::Renju, ..free },
            Some(rule) if rule & (EXACT | CARO) != 0 => Rules { overline: Overline::Ignored, ..free },
            Some(_) => free,
            None => Rules { overline: self.usual.overline, forbidden: self.usual.forbidden, ..free },
        }
    }

    /// Settings are never answered, not even when they make no sense.
    fn info(&mut self, key: &str, value: &str) {
        let number = value.parse::<u64>().ok();
        match key {
            "timeout_turn" => self.times.turn = milliseconds(value).unwrap_or(self.times.turn),
            "timeout_match" => {
                let game = milliseconds(value).unwrap_or(self.times.game);
                self.times.game = game.filter(|game| !game.is_zero());
            }
            "time_left" => self.times.left = milliseconds(value).unwrap_or(self.times.left),
            "max_depth" => self.depth = number.and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0),
            "max_node" => self.nodes = number.filter(|&n| n > 0),
            "hash_size" => self.wish_hash(number.map(|kib| kib / 1024)),
            // The tree or table is most of what an engine takes; the rest of the limit is for the rest.
            "max_memory" => self.wish_hash(number.filter(|&n| n > 0).map(|bytes| bytes / 2 / (1 << 20))),
            "thread_num" => {
                if let Some(threads) = number.filter(|threads| (1..=1024).contains(threads)) {
                    self.desk.mind.wish("threads", threads.to_string());
                }
            }
            "rule" => self.set_rule(value),
            _ => {}
        }
    }

    fn wish_hash(&mut self, mebibytes: Option<u64>) {
        if let Some(size) = mebibytes {
            self.desk.mind.wish("hash", size.clamp(1, LARGEST_TABLE).to_string());
        }
    }

    /// The rule may come after the board, and even after stones.
    fn set_rule(&mut self, value: &str) {
        if let Ok(rule) = value.trim().parse() {
            self.rule = Some(rule);
            let Rules { width, height, blocked, .. } = self.placed.rules;
            self.placed.rules = Rules { blocked, ..self.rules(width, height) };
        }
    }

    fn begin(&mut self, since: Instant) -> io::Result<()> {
        self.own = self.placed.to_move();
        self.answer(since, 1)
    }

    fn turn(&mut self, text: &str, since: Instant) -> io::Result<()> {
        let cell = match Alphabet::Piskvork.read(text, &self.placed.rules) {
            Ok(cell) => cell,
            Err(bad) => return self.error(&bad.to_string()),
        };
        if self.placed.plies().is_empty() {
            self.own = Stone::White;
        }
        if let Err(why) = self.placed.place(self.own.other(), cell) {
            return self.error(&format!("{}: {why}", shorten(text)));
        }
        self.answer(since, 1)
    }

    fn take_back(&mut self, text: &str) -> io::Result<()> {
        match Alphabet::Piskvork.read(text, &self.placed.rules) {
            Ok(cell) if self.placed.remove(cell) => self.desk.say("OK"),
            Ok(_) => self.error(&format!("there is no stone on {}", shorten(text))),
            Err(bad) => self.error(&bad.to_string()),
        }
    }

    /// The lines of a block up to DONE, and when that came. A command instead of DONE ends the block with an error.
    fn block(&mut self) -> io::Result<Option<(Vec<String>, Instant)>> {
        let mut lines = Vec::new();
        while let Some(said) = self.desk.next() {
            if said.text.eq_ignore_ascii_case("DONE") {
                return Ok(Some((lines, said.at)));
            }
            match Command::read(&said.text) {
                Command::Unknown(_) => lines.push(said.text),
                Command::Info(key, value) => self.info(&key.to_ascii_lowercase(), value),
                _ => {
                    self.desk.put_back(said);
                    self.error("DONE is missing")?;
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    fn board(&mut self, answer: bool) -> io::Result<()> {
        let Some((lines, since)) = self.block()? else { return Ok(()) };
        let rules = self.rules(self.placed.rules.width, self.placed.rules.height);
        match read_board(&lines, rules) {
            Ok((placed, own)) => (self.placed, self.own) = (placed, own),
            Err(why) => return self.error(&why),
        }
        if answer { self.answer(since, 1) } else { Ok(()) }
    }

    fn n_best(&mut self, number: &str, since: Instant) -> io::Result<()> {
        match number.parse() {
            Ok(lines @ 1..=MOST_LINES) => self.answer(since, lines),
            _ => self.error("YXNBEST needs a number from 1 to 100"),
        }
    }

    /// Which cells Black may not play on: two digits each for column and row.
    fn show_forbid(&mut self) -> io::Result<()> {
        let rules = self.placed.rules;
        let position = self.placed.position(Stone::Black);
        let forbidden = position.iter().flat_map(|position| {
            position.empty_cells().filter(|&cell| position.foul(cell).is_some()).map(|cell| {
                let (x, y) = to_corner(cell, &rules);
                format!("{x:02}{y:02}")
            })
        });
        let text: String = forbidden.collect();
        self.desk.say(&format!("FORBID {text}."))
    }

    /// Thinks of the position and says so; the cell is not yet played.
    fn consider(&mut self, since: Instant, lines: usize) -> io::Result<Option<(Cell, i32)>> {
        let position = self.placed.position(self.own);
        let Some(position) = position.filter(|position| position.outcome().is_none()) else {
            // The manager goes on after what we take for the end: any free cell will do.
            return Ok(self.placed.free().next().map(|cell| (cell, 0)));
        };
        let budget = self.times.budget(since);
        let limits = budget.limits(self.desk.mind.limits(), self.depth, self.nodes, lines);
        let request = Request { due: budget.due, last: budget.last, ..Request::new(&position, limits, heard) };
        let rules = *position.rules();
        let thought = self.desk.think(&request, &|info| {
            let numbered = |n: usize| (lines > 1).then_some(n + 1);
            let said = info.lines.iter().take(lines).enumerate();
            let said: Vec<String> = said.map(|(n, line)| message(info, numbered(n), line, &rules)).collect();
            (!said.is_empty()).then(|| said.join("\n"))
        })?;
        if let Some(trouble) = thought.trouble {
            self.desk.say(&format!("DEBUG {}", trouble.replace(['\r', '\n'], " ")))?;
        }
        self.times.answered(since, &budget);
        let value = thought.best.info.lines.first().map_or(0, |line| match line.win_in {
            Some(plies) => plies.signum() * i32::MAX,
            None => line.score,
        });
        Ok(thought.best.turn.first().map(|&cell| (cell, value)))
    }

    fn answer(&mut self, since: Instant, lines: usize) -> io::Result<()> {
        match self.consider(since, lines)? {
            Some((cell, _)) => self.play(&[cell]),
            None => self.error("there is no free cell"),
        }
    }

    /// Plays our stones, in turn, and says them on one line.
    pub(super) fn play(&mut self, cells: &[Cell]) -> io::Result<()> {
        for (n, &cell) in cells.iter().enumerate() {
            let stone = if n % 2 == 0 { self.own } else { self.own.other() };
            self.placed.place(stone, cell).expect("our stones lie on free cells");
        }
        let names: Vec<String> = cells.iter().map(|&cell| Alphabet::Piskvork.write(cell, &self.placed.rules)).collect();
        self.desk.say(&names.join(" "))
    }

    fn swap2_board(&mut self) -> io::Result<()> {
        let Some((lines, since)) = self.block()? else { return Ok(()) };
        if !matches!(lines.len(), 0 | 3 | 5) {
            return self.error("swap2 asks with no stone, with three or with five");
        }
        self.placed.rules = self.rules(self.placed.rules.width, self.placed.rules.height);
        Opening { table: self, since }.swap2_board(&lines)
    }

    /// A step of an opening in the words of Yixin-Board.
    fn yixin(&mut self, step: YixinStep, since: Instant) -> io::Result<()> {
        let (lines, since) = match step.has_list() {
            true => match self.block()? {
                Some(block) => block,
                None => return Ok(()),
            },
            false => (Vec::new(), since),
        };
        Opening { table: self, since }.yixin(step, &lines)
    }

    /// What is left of the time for this turn, for answers that take several searches.
    pub(super) fn time_for(&self, since: Instant) -> Option<Duration> {
        let budget = self.times.budget(since);
        let own = self.desk.mind.limits().move_time;
        let share = budget.clock.map(|clock| clock.left / 20);
        budget.move_time.into_iter().chain(own).chain(share).min()
    }
}

/// Reads the stones of a BOARD and tells which side is ours: it is our turn, so with as many stones each we are Black.
fn read_board(lines: &[String], rules: Rules) -> Result<(Placed, Stone), String> {
    const OWN: u8 = 1;
    const OTHER: u8 = 2;
    /// Part of a line won before, in a game that goes on: nobody plays there.
    const DEAD: u8 = 3;
    let mut stones: Vec<(Cell, u8)> = Vec::new();
    for line in lines {
        let bad = || format!("'{}' is not a stone; write x,y,1 or x,y,2", shorten(line));
        let (cell, owner) = line.rsplit_once(',').ok_or_else(bad)?;
        let cell = Alphabet::Piskvork.read(cell, &rules).map_err(|bad| bad.to_string())?;
        let owner: u8 = owner.trim().parse().ok().filter(|owner| (OWN..=DEAD).contains(owner)).ok_or_else(bad)?;
        stones.push((cell, owner));
    }
    let count = |side| stones.iter().filter(|&&(_, owner)| owner == side).count();
    let first = stones.first().map_or(OWN, |&(_, owner)| owner);
    let own = match (count(OWN), count(OTHER)) {
        (own, other) if own == other => Stone::Black,
        (own, other) if own + 1 == other => Stone::White,
        _ if first == OWN => Stone::Black,
        _ => Stone::White,
    };
    let dead = stones.iter().filter(|&&(_, owner)| owner == DEAD);
    let rules = dead.fold(rules, |rules, &(cell, _)| rules.with_blocked(cell));
    let mut placed = Placed::new(rules);
    for &(cell, owner) in stones.iter().filter(|&&(_, owner)| owner != DEAD) {
        let stone = if owner == OWN { own } else { own.other() };
        let name = || Alphabet::Piskvork.write(cell, &rules);
        placed.place(stone, cell).map_err(|why| format!("{}: {why}", name()))?;
    }
    Ok((placed, own))
}

fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("name=\"{NAME}\", version=\"{version}\", author=\"{NAME} contributors\", country=\"World\"")
}
