//! The judge: a pure function from what happened to a verdict. It sees no engine, no process and no clock.

use std::time::Duration;

use lianzi_core::{
    Act, Adjudication, BadAct, Cell, Demand, Ending, Fault, IllegalMove, Limit, Negotiation, Position, StartFault,
    Stone, Verdict,
};

use crate::clock::Allowance;

/// A stone as a player handed it over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A cell; it may lie off the board.
    Cell(Cell),
    /// Something that lies beyond every board, under the name the player gave it.
    Beyond(String),
}

impl From<Cell> for Answer {
    fn from(cell: Cell) -> Answer {
        Answer::Cell(cell)
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Cell(cell) => cell.fmt(f),
            Answer::Beyond(name) => f.write_str(name),
        }
    }
}

/// What a player did when it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It handed over a turn.
    Turn(Vec<Answer>),
    /// It gave up.
    Resigned,
    /// It failed.
    Failed(Fault),
}

/// What the judge says to a deed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// These stones are placed.
    Place {
        /// The stones, up to one that wins.
        cells: Vec<Cell>,
        /// Stones handed over after one that had already won: ignored, and no foul.
        surplus: Vec<Cell>,
    },
    /// The game is over without a further stone.
    End(Verdict),
}

/// Judges what the side to move did and how long it took.
pub fn judge(position: &Position, allowance: &Allowance, taken: Duration, deed: &Deed) -> Ruling {
    let mover = position.to_move();
    let fault = |ending| Ruling::End(Verdict::fault(mover, ending));
    if let Some(limit) = allowance.overrun(taken) {
        return fault(Ending::Timeout { limit });
    }
    match deed {
        Deed::Turn(answers) => judge_turn(position, answers),
        Deed::Resigned => Ruling::End(Verdict::resigned(mover)),
        Deed::Failed(failure) => fault(ending_of(failure, allowance)),
    }
}

/// How a game ends by such a failure.
pub fn ending_of(fault: &Fault, allowance: &Allowance) -> Ending {
    match fault {
        Fault::Late => Ending::Timeout { limit: allowance.time.map_or(Limit::Move, |(_, limit)| limit) },
        Fault::Spent => Ending::Timeout { limit: Limit::Cpu },
        Fault::Crashed(how) => Ending::Crashed { how: how.clone() },
        Fault::Garbled(said) => Ending::Garbled { said: said.clone() },
        Fault::NotStarted(fault, how) => Ending::NotStarted { fault: *fault, how: how.clone() },
        Fault::OutOfTurn => Ending::OutOfTurn,
        Fault::AfterEnd => Ending::AfterEnd,
        Fault::Tampered => Ending::Tampered,
        // Neither the arena nor a live table judges this; elsewhere there is nobody who could play on.
        Fault::Shortage(why) => Ending::NotStarted { fault: StartFault::Unloadable, how: why.clone() },
    }
}

/// Judges what a player did while the sides were open: all of it must be its own to do. How the game ends if not.
pub fn take_acts(negotiation: &mut Negotiation, demand: &Demand, acts: &[Act]) -> Result<(), Ending> {
    if acts.is_empty() {
        return Err(Ending::Stones { wanted: demand.places, given: 0 });
    }
    for &act in acts {
        let theirs = negotiation.demand().is_some_and(|next| next.by != demand.by);
        let done = if theirs { Err(BadAct::NotYours) } else { negotiation.act(act) };
        done.map_err(|why| why.ending(act))?;
    }
    Ok(())
}

fn judge_turn(position: &Position, answers: &[Answer]) -> Ruling {
    let wanted = position.stones_left();
    let fault = |ending| Ruling::End(Verdict::fault(position.to_move(), ending));
    let stones = || Ending::Stones { wanted, given: answers.len() };
    if answers.len() > usize::from(wanted) {
        return fault(stones());
    }
    let mut after = position.clone();
    let mut cells = Vec::with_capacity(answers.len());
    for answer in answers {
        if after.outcome().is_some() {
            break;
        }
        if let Err(why) = try_stone(&mut after, answer) {
            return fault(Ending::Illegal { at: answer.to_string(), why });
        }
        cells.extend(after.last().map(|ply| ply.cell));
    }
    if after.outcome().is_none() && cells.len() < usize::from(wanted) {
        return fault(stones());
    }
    let spare = answers[cells.len()..].iter();
    let surplus = spare.filter_map(|answer| if let Answer::Cell(cell) = answer { Some(*cell) } else { None });
    Ruling::Place { surplus: surplus.collect(), cells }
}

fn try_stone(position: &mut Position, answer: &Answer) -> Result<(), IllegalMove> {
    match answer {
        Answer::Cell(cell) => position.play(*cell),
        Answer::Beyond(_) => Err(IllegalMove::OffBoard),
    }
}

/// When the arena ends a game that the stones have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Cutoff {
    /// A draw at this many stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<usize>,
    /// A win when both players' scores agree for some turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<Agreed>,
}

/// Scores on which both players agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Agreed {
    /// How far from even both must see it, each from its own side.
    pub score: i32,
    /// For how many turns in a row, both players' together.
    pub turns: usize,
}

/// The verdict of a cut-off, given the score of every turn so far from the mover's side.
pub fn cut_off(position: &Position, cutoff: &Cutoff, scores: &[(Stone, Option<i32>)]) -> Option<Verdict> {
    let adjudicated =
        |outcome, why| Verdict { outcome: Some(outcome), ending: Ending::Adjudicated { why }, blame: None };
    if let Some(winner) = cutoff.agreed.and_then(|agreed| agreed_winner(&agreed, scores)) {
        return Some(adjudicated(lianzi_core::Outcome::Win(winner), Adjudication::Scores));
    }
    let long = cutoff.max_plies.is_some_and(|limit| position.plies().len() >= limit);
    long.then(|| adjudicated(lianzi_core::Outcome::Draw, Adjudication::MaxPlies))
}

fn agreed_winner(agreed: &Agreed, scores: &[(Stone, Option<i32>)]) -> Option<Stone> {
    let recent = scores.len().checked_sub(agreed.turns).map(|first| &scores[first..])?;
    let sees_win = |&(mover, score): &(Stone, Option<i32>)| match score? {
        score if score >= agreed.score => Some(mover),
        score if score <= -agreed.score => Some(mover.other()),
        _ => None,
    };
    let winner = sees_win(recent.first()?)?;
    let both = recent.iter().any(|(mover, _)| *mover != recent[0].0);
    (both && recent.iter().all(|score| sees_win(score) == Some(winner))).then_some(winner)
}
