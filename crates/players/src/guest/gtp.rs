//! A guest in boards and tools that speak GTP, for every game of the house. One stone per `play` and `genmove`, so a
//! turn of Connect6 is two of each; where stones drop, a bare column will do.

use std::io;
use std::time::{Duration, Instant};

use lianzi_core::{Cell, CellSet, Outcome, Placement, Position, Rules, Stone, shorten};
use lianzi_engine::{Best, Limits};

use super::desk::{Desk, Heard, Request};
use super::placed::Placed;
use super::times::{Times, TurnTime};
use super::{GuestError, NAME};
use crate::protocol::cells::{Alphabet, from_corner, read_gtp_column};
use crate::protocol::gtp::{Command, Manner, analysis, answer, read_color};

/// Every command there is.
const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "rectangular_boardsize",
    "clear_board",
    "clear_cache",
    "komi",
    "play",
    "genmove",
    "undo",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
    "lz-analyze",
    "kata-analyze",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "stop",
];

/// How soon `quit` wants the answer before it.
const AFTER_QUIT: Duration = Duration::from_secs(2);

/// Analysis goes on until somebody says something.
const ENDLESS: Duration = Duration::from_secs(24 * 3600);

/// How many moves are analysed when nobody says how many.
const LINES: usize = 5;

type Result<T> = std::result::Result<T, String>;

/// A guest at a GTP board.
pub(super) struct Gtp<'a> {
    desk: Desk<'a>,
    placed: Placed,
    clocks: [GtpClock; 2],
    /// The second stone of a turn that was thought of whole, and the position it belongs to.
    plan: Option<(u64, Cell)>,
}

/// The time of one side, as `time_settings` and `time_left` tell it.
#[derive(Clone, Copy, Debug, Default)]
struct GtpClock {
    main: Option<Duration>,
    /// What a stone may take after the main time.
    per_stone: Duration,
    /// Whether the main time is over.
    byo_yomi: bool,
}

impl GtpClock {
    fn times(&self) -> Times {
        let overtime = !self.per_stone.is_zero();
        match self.main {
            _ if self.byo_yomi => Times { turn: Some(self.per_stone), ..Times::default() },
            Some(left) if overtime => Times { turn: Some(left / 20 + self.per_stone), ..Times::default() },
            main => Times { left: main, ..Times::default() },
        }
    }
}

/// What an analysis asks for.
struct Analysis {
    color: Option<Stone>,
    every: Duration,
    lines: usize,
    manner: Manner,
}

/// Commands wait for the answer to the one before; `quit` does not wait long.
fn heard(line: &str) -> Heard {
    match Command::read(line) {
        Some(command) if command.name == "quit" => Heard::Soon(AFTER_QUIT),
        _ => Heard::Later,
    }
}

impl<'a> Gtp<'a> {
    pub fn new(rules: Rules, desk: Desk<'a>) -> Gtp<'a> {
        Gtp { desk, placed: Placed::new(rules), clocks: Default::default(), plan: None }
    }

    pub fn run(mut self) -> std::result::Result<(), GuestError> {
        while let Some(said) = self.desk.next() {
            let Some(command) = Command::read(&said.text) else { continue };
            if command.name == "quit" {
                self.reply(command.id, Ok(String::new()))?;
                break;
            }
            match command.name.as_str() {
                "lz-analyze" | "kata-analyze" => self.analyze(&command)?,
                "lz-genmove_analyze" | "kata-genmove_analyze" => self.genmove_analyze(&command, said.at)?,
                "genmove" => {
                    let color = self.color(&command.words);
                    let vertex = match color {
                        Ok(color) => Ok(self.genmove(color, said.at, None)?),
                        Err(why) => Err(why),
                    };
                    self.reply(command.id, vertex)?;
                }
                _ => {
                    let result = self.obey(&command);
                    self.reply(command.id, result)?;
                }
            }
        }
        Ok(())
    }

    fn reply(&mut self, id: Option<u32>, result: Result<String>) -> io::Result<()> {
        let result = result.as_deref().map_err(String::as_str);
        self.desk.say(&answer(id, result))?;
        self.desk.say("")
    }

    /// The commands that need no thought.
    fn obey(&mut self, command: &Command) -> Result<String> {
        let words = &command.words;
        match command.name.as_str() {
            "protocol_version" => Ok("2".into()),
            "name" => Ok(NAME.into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => Ok(words.first().is_some_and(|word| COMMANDS.contains(&word.as_str())).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "boardsize" | "rectangular_boardsize" => self.board_size(words),
            "clear_board" => {
                self.clear();
                Ok(String::new())
            }
            "clear_cache" => {
                self.desk.mind.clear();
                Ok(String::new())
            }
            "komi" => {
                let number = words.first().and_then(|word| word.parse::<f64>().ok());
                number.map(|_| String::new()).ok_or_else(|| "komi not a float".into())
            }
            "play" => self.play(words),
            "undo" => self.placed.undo().map(|_| String::new()).ok_or_else(|| "cannot undo".into()),
            "time_settings" => self.time_settings(words),
            "time_left" => self.time_left(words),
            "showboard" => Ok(format!("\n{}", drawing(&self.placed))),
            "final_score" => self.final_score(),
            "stop" => Ok(String::new()),
            _ => Err("unknown command".into()),
        }
    }

    fn clear(&mut self) {
        self.placed.clear();
        self.plan = None;
        self.desk.mind.begin();
    }

    /// One number is a square; where stones drop, the board we were started with has that width or none.
    fn board_size(&mut self, words: &[String]) -> Result<String> {
        let sides: Option<Vec<u8>> = words.iter().map(|word| word.parse().ok()).collect();
        let rules = self.placed.rules;
        let drops = rules.placement == Placement::Drop;
        let wanted = match sides.as_deref() {
            Some([width]) if drops && *width == rules.width => rules,
            Some([_]) if drops => return Err("unacceptable size".into()),
            Some(&[side]) => Rules { width: side, height: side, ..rules },
            Some(&[width, height]) => Rules { width, height, ..rules },
            _ => return Err("boardsize not an integer".into()),
        };
        let same = (wanted.width, wanted.height) == (rules.width, rules.height);
        let wanted = if same { wanted } else { Rules { blocked: CellSet::EMPTY, ..wanted } };
        if wanted.check().is_err() || self.desk.mind.prepare(&wanted).is_err() {
            return Err("unacceptable size".into());
        }
        self.placed = Placed::new(wanted);
        self.clear();
        Ok(String::new())
    }

    fn color(&self, words: &[String]) -> Result<Stone> {
        let color = words.first().and_then(|word| read_color(word));
        color.ok_or_else(|| "invalid color, write black or white".into())
    }

    fn play(&mut self, words: &[String]) -> Result<String> {
        let [color, vertex] = words else { return Err("write a color and a vertex".into()) };
        let color = read_color(color).ok_or("invalid color, write black or white")?;
        let cell = self.read_vertex(vertex)?;
        let illegal = |why: &dyn std::fmt::Display| format!("illegal move: {}: {why}", shorten(vertex));
        let position = self.placed.position(color).ok_or_else(|| illegal(&"both sides have won"))?;
        position.check(cell).map_err(|why| illegal(&why))?;
        self.placed.place(color, cell).map_err(|why| illegal(&why))?;
        Ok(String::new())
    }

    /// A vertex, or where stones drop a column by letter or by number.
    fn read_vertex(&self, text: &str) -> Result<Cell> {
        let rules = &self.placed.rules;
        let drops = rules.placement == Placement::Drop;
        let numbered = || text.parse::<i64>().ok().and_then(|n| n.checked_sub(1));
        if let Some(column) = read_gtp_column(text).or_else(numbered).filter(|_| drops) {
            let column = from_corner(column, 0, rules).ok_or("that column is not on the board")?.column;
            return self.placed.landing(column).ok_or_else(|| "illegal move: the column is full".into());
        }
        Alphabet::Gtp.read(text, rules).map_err(|bad| format!("invalid vertex: {bad}"))
    }

    fn time_settings(&mut self, words: &[String]) -> Result<String> {
        let numbers: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
        let Some(&[main, byo_yomi, stones]) = numbers.as_deref() else {
            return Err("write main time, byo yomi time and stones".into());
        };
        let (main, byo_yomi) = (seconds(main), seconds(byo_yomi));
        // By the specification a byo yomi time without stones means that there is no limit.
        let unlimited = stones < 1.0 && !byo_yomi.is_zero();
        let per_stone = if stones < 1.0 { Duration::ZERO } else { byo_yomi.div_f64(stones) };
        let clock = GtpClock { main: Some(main), per_stone, byo_yomi: main.is_zero() && !per_stone.is_zero() };
        self.clocks = [if unlimited { GtpClock::default() } else { clock }; 2];
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[String]) -> Result<String> {
        let numbers: Option<Vec<f64>> = words.iter().skip(1).map(|word| word.parse().ok()).collect();
        let Some(&[time, stones]) = numbers.as_deref() else {
            return Err("write a color, a time and stones".into());
        };
        let clock = &mut self.clocks[self.color(words)?.index()];
        clock.byo_yomi = stones >= 1.0;
        if clock.byo_yomi {
            clock.per_stone = seconds(time).div_f64(stones);
        } else {
            clock.main = Some(seconds(time));
        }
        Ok(String::new())
    }

    fn final_score(&self) -> Result<String> {
        let position = self.placed.position(self.placed.to_move());
        match position.and_then(|position| position.outcome()) {
            Some(Outcome::Win(Stone::Black)) => Ok("B+1".into()),
            Some(Outcome::Win(Stone::White)) => Ok("W+1".into()),
            Some(Outcome::Draw) => Ok("0".into()),
            None => Err("the game is not over".into()),
        }
    }

    /// A vertex, or `pass` and `resign` when the game is over and there is none.
    fn genmove(&mut self, color: Stone, since: Instant, analysis: Option<&Analysis>) -> io::Result<String> {
        let Some(position) = self.placed.position(color) else { return Ok("pass".into()) };
        match position.outcome() {
            Some(Outcome::Win(winner)) if winner != color => return Ok("resign".into()),
            Some(_) => return Ok("pass".into()),
            None => {}
        }
        let planned = self.plan.take().filter(|(hash, _)| *hash == position.hash()).map(|(_, cell)| cell);
        let cell = match planned {
            Some(cell) => cell,
            None => self.choose(&position, since, analysis)?,
        };
        self.placed.place(color, cell).expect("our stones lie on free cells");
        let clock = &mut self.clocks[color.index()];
        clock.main = clock.main.map(|main| main.saturating_sub(since.elapsed()));
        Ok(Alphabet::Gtp.write(cell, position.rules()))
    }

    /// The next stone; what belongs to the same turn is kept for the next request.
    fn choose(&mut self, position: &Position, since: Instant, analysis: Option<&Analysis>) -> io::Result<Cell> {
        let budget = self.clocks[position.to_move().index()].times().budget(since);
        let limits = budget.limits(self.desk.mind.limits(), None, None, analysis.map_or(1, |a| a.lines));
        let request = Request {
            due: budget.due,
            last: budget.last,
            every: analysis.map(|analysis| analysis.every),
            ..Request::new(position, limits, heard)
        };
        let best = self.think(&request, analysis.map(|analysis| analysis.manner))?;
        let cell = *best.turn.first().expect("a turn has a stone");
        self.plan = best.turn.get(1).map(|&second| {
            let mut after = position.clone();
            after.play(cell).expect("the turn is legal");
            (after.hash(), second)
        });
        Ok(cell)
    }

    fn think(&mut self, request: &Request<'_>, manner: Option<Manner>) -> io::Result<Best> {
        let rules = *request.position.rules();
        let words = |info: &_| manner.and_then(|manner| analysis(info, manner, &rules));
        Ok(self.desk.think(request, &words)?.best)
    }

    fn genmove_analyze(&mut self, command: &Command, since: Instant) -> io::Result<()> {
        let wanted = read_analysis(command);
        let Some(color) = wanted.color else {
            return self.reply(command.id, Err("invalid color, write black or white".into()));
        };
        self.desk.say(&answer(command.id, Ok("")))?;
        let vertex = self.genmove(color, since, Some(&wanted))?;
        self.desk.say(&format!("play {vertex}\n"))
    }

    /// Analyses until the next command or the end of the input.
    fn analyze(&mut self, command: &Command) -> io::Result<()> {
        let wanted = read_analysis(command);
        let color = wanted.color.unwrap_or_else(|| self.placed.to_move());
        let position = self.placed.position(color).filter(|position| position.outcome().is_none());
        let Some(position) = position else {
            return self.reply(command.id, Err("the game is over".into()));
        };
        self.desk.say(&answer(command.id, Ok("")))?;
        let own = self.desk.mind.limits();
        let endless = own.nodes.is_none() && own.depth.is_none() && own.move_time.is_none();
        let limits = Limits {
            move_time: own.move_time.or(endless.then_some(ENDLESS)),
            ..TurnTime::default().limits(own, None, None, wanted.lines)
        };
        let heard = |_: &str| Heard::Soon(Duration::ZERO);
        let request = Request { every: Some(wanted.every), ..Request::new(&position, limits, heard) };
        self.think(&request, Some(wanted.manner))?;
        self.desk.wait_for_line();
        self.desk.say("")
    }
}

/// Reads `[color] [interval] [maxmoves n …]`; the interval is in hundredths of a second.
fn read_analysis(command: &Command) -> Analysis {
    let words = &command.words;
    let interval = words.iter().take(2).find_map(|word| word.parse::<u64>().ok()).unwrap_or(100);
    let after = |key: &str| {
        let at = words.iter().position(|word| word == key)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let interval = after("interval").unwrap_or(interval).clamp(1, 360_000);
    let lines = after("maxmoves").map_or(LINES, |n| n.clamp(1, 100) as usize);
    let kata = command.name.starts_with("kata");
    Analysis {
        color: words.first().and_then(|word| read_color(word)),
        every: Duration::from_millis(10 * interval),
        lines,
        manner: if kata { Manner::Kata } else { Manner::Leela },
    }
}

fn seconds(number: f64) -> Duration {
    // A year is more than any game takes; what is no number is no time.
    Duration::from_secs_f64(if number > 0.0 { number.min(31_536_000.0) } else { 0.0 })
}

/// The board with GTP's letters.
fn drawing(placed: &Placed) -> String {
    let rules = &placed.rules;
    let sign = |cell| match placed.at(cell) {
        Some(Stone::Black) => " X",
        Some(Stone::White) => " O",
        None if rules.blocked.contains(cell) => " #",
        None => " .",
    };
    let row = |row: u8| -> String {
        let signs = (0..rules.width).map(|column| sign(Cell::new(column, row)));
        format!("{:>2}{}\n", row + 1, signs.collect::<String>())
    };
    let letter = |column: u8| {
        let name = Alphabet::Gtp.write(Cell::new(column, 0), rules);
        format!("{:>2}", name.trim_end_matches('1'))
    };
    let rows: String = (0..rules.height).rev().map(row).collect();
    format!("{rows}  {}", (0..rules.width).map(letter).collect::<String>())
}
