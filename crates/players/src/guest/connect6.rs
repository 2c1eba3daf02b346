//! A guest at a Connect6 table, in Cloudict's dialect until something of CCGC's is heard. Two letters name a cell; the
//! row A is at the bottom unless the user said otherwise.

use std::io;
use std::time::Duration;

use lianzi_core::{Cell, Language, Position, Rules, Stone, Verdict, shorten};

use super::desk::{Desk, Heard, Request};
use super::placed::Placed;
use super::times::TurnTime;
use super::{GuestError, NAME};
use crate::protocol::cells::RowA;
use crate::protocol::connect6::{Command, Dialect, has_gap, read_turn, write_turn};

/// How soon `quit` wants the answer before it.
const AFTER_QUIT: Duration = Duration::from_secs(2);

const HELP: &str = "  name          who plays
  new black     a new game; we are Black and begin
  new white     a new game; we are White and wait
  move XXXX     the opponent's stones; we answer
  black XXXX    places black stones
  white XXXX    places white stones
  next          we move for the side opposite to the last stone
  depth N       how deep to look
  print         the board
  quit          the end";

/// A guest at a Connect6 table.
pub(super) struct Connect6<'a> {
    desk: Desk<'a>,
    placed: Placed,
    own: Stone,
    dialect: Dialect,
    row_a: RowA,
    depth: Option<u32>,
}

fn heard(line: &str) -> Heard {
    match Command::read(line) {
        Command::Quit => Heard::Soon(AFTER_QUIT),
        _ => Heard::Later,
    }
}

impl<'a> Connect6<'a> {
    pub fn new(rules: Rules, row_a: RowA, desk: Desk<'a>) -> Connect6<'a> {
        let dialect = Dialect::default();
        Connect6 { desk, placed: Placed::new(rules), own: Stone::Black, dialect, row_a, depth: None }
    }

    pub fn run(mut self) -> Result<(), GuestError> {
        while let Some(said) = self.desk.next() {
            match Command::read(&said.text) {
                Command::Quit => break,
                command => self.obey(command)?,
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: Command<'_>) -> io::Result<()> {
        match command {
            Command::Name(dialect) => {
                self.dialect = dialect;
                self.desk.say(&format!("name {NAME}"))
            }
            Command::New(side) => self.start(side),
            Command::Move(turn) => self.opponent(turn),
            Command::Place(side, turn) => {
                if self.place(side, turn)? {
                    // As Cloudict takes it: what a manager sets up ends with a turn of ours, whichever side we had.
                    self.own = side;
                }
                Ok(())
            }
            Command::Next => {
                let last = self.placed.plies().last().map(|ply| ply.stone);
                self.own = last.map_or(Stone::Black, Stone::other);
                self.answer()
            }
            Command::Depth(text) => match text.parse() {
                Ok(depth @ 1..) => {
                    self.depth = Some(depth);
                    Ok(())
                }
                _ => self.error("depth needs a number from 1"),
            },
            Command::Print => {
                let position = self.placed.position(self.own);
                let board = position.map(|position| position.ascii().to_string());
                self.desk.say(board.unwrap_or_default().trim_end())
            }
            Command::Help => self.desk.say(HELP),
            Command::Quit | Command::Noted => Ok(()),
            Command::Unknown(word) => {
                self.error(&format!("there is no command '{}'; send help for the commands", shorten(word)))
            }
        }
    }

    /// A sentence no manager can take for a move.
    fn error(&mut self, why: &str) -> io::Result<()> {
        self.desk.say(&format!("error: {why}"))
    }

    fn start(&mut self, side: Stone) -> io::Result<()> {
        self.placed.clear();
        self.own = side;
        self.desk.mind.begin();
        if side == Stone::Black { self.answer() } else { Ok(()) }
    }

    fn opponent(&mut self, turn: &str) -> io::Result<()> {
        if has_gap(turn) {
            self.dialect = Dialect::Ccgc;
        }
        if self.placed.plies().is_empty() {
            self.own = Stone::White;
        }
        if self.place(self.own.other(), turn)? { self.answer() } else { Ok(()) }
    }

    /// Places a whole turn or nothing, and says whether it did.
    fn place(&mut self, side: Stone, turn: &str) -> io::Result<bool> {
        let cells = match read_turn(turn, self.row_a, &self.placed.rules) {
            Ok(cells) => cells,
            Err(bad) => return self.error(&bad.to_string()).map(|()| false),
        };
        let before = self.placed.clone();
        for &cell in &cells {
            if let Err(why) = self.placed.place(side, cell) {
                self.placed = before;
                return self.error(&format!("{}: {why}", shorten(turn))).map(|()| false);
            }
        }
        Ok(true)
    }

    fn answer(&mut self) -> io::Result<()> {
        let position = match self.placed.position(self.own) {
            Some(position) => position,
            None => return self.error("both sides already have a winning line"),
        };
        if let Some(outcome) = position.outcome() {
            let words = Verdict::by_stones(outcome).words(position.rules(), Language::English);
            return self.error(&format!("the game is over: {words}"));
        }
        let limits = TurnTime::default().limits(self.desk.mind.limits(), self.depth, None, 1);
        let thought = self.desk.think(&Request::new(&position, limits, heard), &|_| None)?;
        let turn = whole_turn(&position, thought.best.turn);
        for &cell in &turn {
            self.placed.place(self.own, cell).expect("our stones lie on free cells");
        }
        let answer = write_turn(&turn, self.dialect, self.row_a, &self.placed.rules);
        self.desk.say(&answer)
    }
}

/// A turn that wins with its first stone gets a second one, for managers that want two.
fn whole_turn(position: &Position, mut turn: Vec<Cell>) -> Vec<Cell> {
    let missing = usize::from(position.stones_left()).saturating_sub(turn.len());
    let free: Vec<Cell> = position.empty_cells().filter(|cell| !turn.contains(cell)).take(missing).collect();
    turn.extend(free);
    turn
}
