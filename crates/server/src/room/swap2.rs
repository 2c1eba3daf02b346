//! Swap2 at the board: who opens lays three stones, the other one chooses, and when the sides are settled the players
//! sit down accordingly. Until then the opener holds Black's seat.
//!
//! Where the opening stands follows from its stones, from one choice that leaves no stone, and from the record, which
//! tells whether the sides are settled; so it is the same after a restart.

use std::time::{Duration, Instant};

use lianzi_contest::report::Words;
use lianzi_core::record::Move;
use lianzi_core::{Ending, Fault, IllegalMove, Stone};
use lianzi_game::judge::{Answer, Deed, Ruling, ending_of, judge};
use lianzi_game::swap2::{FIRST_STONES, Sides, Swap2};
use serde::{Deserialize, Serialize};

use super::Room;
use crate::secret::Credentials;
use crate::words::Refusal;

/// What of an opening its stones do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Whether the other one lays two more stones.
    two: bool,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    /// The opener lays three stones.
    Open,
    /// The other one chooses a side, or to lay two more stones.
    Choose,
    /// The other one lays two more stones.
    Two,
    /// The opener chooses a side.
    Decide,
}

/// The opening as pages are told it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct OpeningState {
    phase: Phase,
    by: Stone,
    left: usize,
}

const ALL_STONES: usize = FIRST_STONES + 2;

impl Phase {
    /// Who is asked, by the seat held for now.
    fn by(self) -> Stone {
        match self {
            Phase::Open | Phase::Decide => Stone::Black,
            Phase::Choose | Phase::Two => Stone::White,
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

    fn words(self) -> Words {
        let (en, zh) = match self {
            Phase::Open => ("swap2: three stones are laid", "Swap2：正在摆三子"),
            Phase::Choose => ("swap2: the other one chooses", "Swap2：由对手选择"),
            Phase::Two => ("swap2: two more stones are laid", "Swap2：再摆两子"),
            Phase::Decide => ("swap2: the opener chooses", "Swap2：由开局者选择"),
        };
        Words::new(en, zh)
    }
}

impl Room {
    /// Where the opening stands; nothing when there is none, the sides are settled, or the game is over.
    pub(super) fn phase(&self) -> Option<Phase> {
        self.unsettled().filter(|_| !self.game.is_over())
    }

    /// The same in a game that somebody has given up.
    fn unsettled(&self) -> Option<Phase> {
        let opening = self.opening.filter(|_| self.game.settled().is_none())?;
        Some(match self.game.record().moves.len() {
            0..FIRST_STONES => Phase::Open,
            FIRST_STONES if !opening.two => Phase::Choose,
            FIRST_STONES..ALL_STONES => Phase::Two,
            _ => Phase::Decide,
        })
    }

    /// The seat whose turn it is.
    pub(super) fn actor(&self) -> Stone {
        self.phase().map_or_else(|| self.game.position().to_move(), Phase::by)
    }

    pub(super) fn opening_state(&self) -> Option<OpeningState> {
        let phase = self.phase()?;
        let laid = self.game.record().moves.len();
        let left = match phase {
            Phase::Open => FIRST_STONES - laid,
            Phase::Two => ALL_STONES - laid,
            Phase::Choose | Phase::Decide => 1,
        };
        Some(OpeningState { phase, by: phase.by(), left })
    }

    pub(super) fn opening_words(&self) -> Option<Words> {
        self.phase().map(Phase::words)
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
    pub(super) fn take(&mut self, credentials: &Credentials) -> Result<(), Refusal> {
        let phase = self.choice(credentials, &[Phase::Choose, Phase::Decide])?;
        self.settle(phase.if_white().other());
        Ok(())
    }

    /// Somebody lays two more stones.
    pub(super) fn two(&mut self, credentials: &Credentials) -> Result<(), Refusal> {
        self.choice(credentials, &[Phase::Choose])?;
        self.opening = Some(Opening { two: true });
        Ok(())
    }

    /// The phase, if it is one of these and this person's turn.
    fn choice(&self, credentials: &Credentials, phases: &[Phase]) -> Result<Phase, Refusal> {
        let none = || Refusal::bad("there is no such choice now", "现在没有这个选择");
        let phase = self.phase().filter(|phase| phases.contains(phase)).ok_or_else(none)?;
        self.may_place(credentials)?;
        Ok(phase)
    }

    fn settle(&mut self, sides: Sides) {
        if sides == Sides::Swapped {
            self.swap();
        }
        self.game.settle(sides);
    }

    /// The board was cleared: the same opener begins again.
    pub(super) fn open_again(&mut self, settled: Option<Sides>) {
        self.opening = self.opening.map(|_| Opening::default());
        if self.opening.is_some() && settled == Some(Sides::Swapped) {
            self.swap();
        }
    }

    /// Refuses a change of seats while opening stones lie.
    pub(super) fn may_swap(&self) -> Result<(), Refusal> {
        if self.phase().is_none() || self.game.record().moves.is_empty() {
            return Ok(());
        }
        Err(Refusal::bad(
            "the sides are still being found by swap2; choose there, or restart",
            "正在用 Swap2 决定黑白；请在其中选择，或重新开始",
        ))
    }

    /// Takes back one's own last opening stone or choice; false when no opening is under way.
    pub(super) fn undo_opening(&mut self, credentials: &Credentials, alone: bool) -> Result<bool, Refusal> {
        let Some(phase) = self.unsettled() else { return Ok(false) };
        let laid = self.game.record().moves.len();
        let chosen = phase == Phase::Two && laid == FIRST_STONES;
        if laid == 0 {
            return Err(Refusal::bad("there is nothing to take back", "没有可悔的棋"));
        }
        let who = if chosen || laid > FIRST_STONES { Stone::White } else { Stone::Black };
        let engine = !self.sides[who.index()].who.is_human();
        if engine || !(alone || credentials.may_move(who, &self.keys)) {
            return Err(Refusal::forbidden(
                "the last stone of the opening is not yours to take back",
                "开局的最后一子不是您下的，不能悔",
            ));
        }
        self.stop_thinking();
        if chosen {
            self.opening = Some(Opening::default());
        } else {
            self.game.undo(Instant::now());
            self.game.forget_undone();
        }
        Ok(true)
    }

    /// What an engine says to the opening. One that cannot take part keeps its side.
    pub(super) fn hear_choice(&mut self, said: Result<Option<Swap2>, Fault>) {
        let Some(phase) = self.phase() else { return };
        let (counts, may_take) = phase.answers();
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
            Ok(Some(Swap2::Swap)) => Some(Ending::Stones { wanted: counts[0] as u8, given: 0 }),
            Ok(Some(Swap2::Stones(stones))) if counts.contains(&stones.len()) => {
                self.opening = Some(Opening { two: phase == Phase::Choose && stones.len() == 2 });
                stones.into_iter().find_map(|stone| self.lay_answer(stone))
            }
            Ok(Some(Swap2::Stones(stones))) => {
                Some(Ending::Stones { wanted: counts[0] as u8, given: stones.len() })
            }
        };
        if let Some(ending) = ending {
            tracing::warn!(game = %self.id, player = %self.sides[phase.by().index()].player, "fault: {ending:?}");
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
                    // The judge has tried it.
                    if let Err(why) = self.lay(Move::from(cell), Instant::now()) {
                        tracing::error!(game = %self.id, "a judged stone was refused: {why}");
                    }
                }
                None
            }
        }
    }
}
