//! Swap2 at the table: who opens lays three stones, the other one chooses, and when the sides are settled the players
//! sit down accordingly. Until then the opener holds Black's seat.
//!
//! Where the opening stands follows from its stones, from one choice that leaves no stone, and from the record, which
//! tells whether the sides are settled; so it is the same in a game that was put aside and goes on.

use std::time::Duration;

use lianzi_core::record::Move;
use lianzi_core::{Ending, Fault, IllegalMove, Language, Stone};
use lianzi_engine::Instant;
use serde::{Deserialize, Serialize};

use super::{By, LiveTable, Refused};
use crate::judge::{Answer, Deed, Ruling, ending_of, judge};
use crate::swap2::{FIRST_STONES, Sides, Swap2};

/// What of an opening its stones do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Whether the other one lays two more stones.
    two: bool,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The opener lays three stones.
    Open,
    /// The other one chooses a side, or to lay two more stones.
    Choose,
    /// The other one lays two more stones.
    Two,
    /// The opener chooses a side.
    Decide,
}

const ALL_STONES: usize = FIRST_STONES + 2;

impl Phase {
    /// Who is asked, by the seat held for now.
    pub fn by(self) -> Stone {
        match self {
            Phase::Open | Phase::Decide => Stone::Black,
            Phase::Choose | Phase::Two => Stone::White,
        }
    }

    /// What is being done, in short.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Phase::Open => language.pick("swap2: three stones are laid", "Swap2：正在摆三子"),
            Phase::Choose => language.pick("swap2: the other one chooses", "Swap2：由对手选择"),
            Phase::Two => language.pick("swap2: two more stones are laid", "Swap2：再摆两子"),
            Phase::Decide => language.pick("swap2: the opener chooses", "Swap2：由开局者选择"),
        }
    }

    /// How many stones an engine may answer with, and whether it may take Black instead.
    fn answers(self) -> (&'static [usize], bool) {
        match self {
            Phase::Open => (&[FIRST_STONES], false),
            Phase::Choose => (&[1, 2], true),
            Phase::Two => (&[2], false),
            Phase::Decide => (&[1], true),
        }
    }

    /// The sides if the one who is asked plays White.
    fn if_white(self) -> Sides {
        if self == Phase::Decide { Sides::Swapped } else { Sides::Kept }
    }
}

impl LiveTable {
    /// Where the opening stands; nothing when there is none, the sides are settled, or the game is over.
    pub fn phase(&self) -> Option<Phase> {
        self.unsettled().filter(|_| !self.game.is_over())
    }

    /// The same in a game that somebody has given up.
    pub(super) fn unsettled(&self) -> Option<Phase> {
        let opening = self.opening.filter(|_| self.game.settled().is_none())?;
        Some(match self.laid() {
            0..FIRST_STONES => Phase::Open,
            FIRST_STONES if !opening.two => Phase::Choose,
            FIRST_STONES..ALL_STONES => Phase::Two,
            _ => Phase::Decide,
        })
    }

    /// The seat whose turn it is: in an opening not always that of the next stone's colour.
    pub fn actor(&self) -> Stone {
        self.phase().map_or_else(|| self.game.position().to_move(), Phase::by)
    }

    /// How many stones the one whose turn it is may place.
    pub fn stones_left(&self) -> usize {
        match self.phase() {
            Some(Phase::Open) => FIRST_STONES - self.laid(),
            Some(Phase::Two) => ALL_STONES - self.laid(),
            Some(Phase::Choose | Phase::Decide) => 1,
            None => usize::from(self.game.position().stones_left()),
        }
    }

    fn laid(&self) -> usize {
        self.game.record().moves.len()
    }

    /// Places a stone; one that is a choice settles the sides.
    pub(super) fn lay(&mut self, played: Move, now: Instant) -> Result<(), IllegalMove> {
        let phase = self.phase();
        self.game.place(played, now)?;
        if let Some(phase @ (Phase::Choose | Phase::Decide)) = phase {
            self.settle(phase.if_white());
        }
        Ok(())
    }

    /// Somebody takes Black.
    pub(super) fn take_black(&mut self, by: By) -> Result<(), Refused> {
        let phase = self.choice(by, &[Phase::Choose, Phase::Decide])?;
        self.settle(phase.if_white().other());
        Ok(())
    }

    /// Somebody lays two more stones.
    pub(super) fn lay_two(&mut self, by: By) -> Result<(), Refused> {
        self.choice(by, &[Phase::Choose])?;
        self.opening = Some(Opening { two: true });
        Ok(())
    }

    /// The phase, if it is one of these and this person's turn.
    fn choice(&self, by: By, phases: &[Phase]) -> Result<Phase, Refused> {
        let phase = self.phase().filter(|phase| phases.contains(phase)).ok_or(Refused::NoSuchChoice)?;
        self.may_place(by)?;
        Ok(phase)
    }

    fn settle(&mut self, sides: Sides) {
        if sides == Sides::Swapped {
            self.change_seats();
        }
        self.game.settle(sides);
    }

    /// The board was cleared: the same opener begins again.
    pub(super) fn open_again(&mut self, settled: Option<Sides>) {
        self.opening = self.opening.map(|_| Opening::default());
        if self.opening.is_some() && settled == Some(Sides::Swapped) {
            self.change_seats();
        }
    }

    /// Takes back one's own last opening stone or choice.
    pub(super) fn undo_opening(&mut self, phase: Phase, by: By, now: Instant) -> Result<(), Refused> {
        let laid = self.laid();
        let chosen = phase == Phase::Two && laid == FIRST_STONES;
        if laid == 0 {
            return Err(Refused::NothingToTakeBack);
        }
        let who = if chosen || laid > FIRST_STONES { Stone::White } else { Stone::Black };
        if !self.sides[who.index()].is_human() || !(by.alone() || by.seats[who.index()]) {
            return Err(Refused::NotYourStone);
        }
        self.stop_thinking();
        if chosen {
            self.opening = Some(Opening::default());
        } else {
            self.game.undo(now);
            self.game.forget_undone();
        }
        Ok(())
    }

    /// What an engine says to the opening. One that cannot take part keeps its side.
    pub(super) fn hear_choice(&mut self, said: Result<Option<Swap2>, Fault>) {
        let Some(phase) = self.phase() else { return };
        let (counts, may_take) = phase.answers();
        let wrong = |given| Some(Ending::Stones { wanted: counts[0] as u8, given });
        let ending = match said {
            Err(fault) => Some(ending_of(&fault, &self.game.allowance())),
            Ok(None) => {
                self.settle(Sides::Kept);
                None
            }
            Ok(Some(Swap2::Swap)) if may_take => {
                self.settle(phase.if_white().other());
                None
            }
            Ok(Some(Swap2::Swap)) => wrong(0),
            Ok(Some(Swap2::Stones(stones))) if counts.contains(&stones.len()) => {
                self.opening = Some(Opening { two: phase == Phase::Choose && stones.len() == 2 });
                stones.into_iter().find_map(|stone| self.lay_answer(stone))
            }
            Ok(Some(Swap2::Stones(stones))) => wrong(stones.len()),
        };
        if let Some(ending) = ending {
            self.game.fault(phase.by(), ending);
        }
    }

    /// Lays a stone of an engine's; what ends the game if it is not allowed.
    fn lay_answer(&mut self, answer: Answer) -> Option<Ending> {
        let deed = Deed::Turn(vec![answer]);
        match judge(self.game.position(), &self.game.allowance(), Duration::ZERO, &deed) {
            Ruling::End(verdict) => Some(verdict.ending),
            Ruling::Place { cells, .. } => {
                for cell in cells {
                    // The judge has tried it, and in an opening no clock runs that could refuse it.
                    let _ = self.lay(Move::from(cell), Instant::now());
                }
                None
            }
        }
    }
}
