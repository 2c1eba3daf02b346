//! What a reader found in a file, and the replay through the referee that makes a record of it.

use super::{GameRecord, LoadError, Move, Reason, Variation};
use crate::{Cell, Ending, IllegalMove, Language, Position, Rules, Stone, Verdict};

/// A game as a file tells it, before the referee has seen it.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// Everything but the moves. The verdict is what the file claims.
    pub record: GameRecord,
    /// The moves as written.
    pub moves: Vec<DraftMove>,
    /// Where the set-up stands in the file.
    pub setup_line: usize,
}

/// A stone as a file tells it.
#[derive(Clone, Debug)]
pub(crate) struct DraftMove {
    /// Whose stone the file says it is, where it says so.
    pub stone: Option<Stone>,
    /// The cell, or what the file wrote in its place when that lies beyond every board.
    pub cell: Result<Cell, String>,
    /// Time, evaluation and remarks; its cell is not looked at.
    pub rest: Move,
    /// Where it stands in the file.
    pub line: usize,
}

impl DraftMove {
    /// A bare stone.
    pub fn new(stone: Option<Stone>, cell: Cell, line: usize) -> DraftMove {
        DraftMove { stone, cell: Ok(cell), rest: Move::from(cell), line }
    }

    /// A stone that lies beyond every board, under the name the file gave it.
    pub fn beyond(stone: Option<Stone>, name: String, line: usize) -> DraftMove {
        DraftMove { stone, cell: Err(name), rest: Move::from(Cell::new(0, 0)), line }
    }
}

/// A game that has passed the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The game up to its end or to the first foul; its verdict is the referee's.
    pub record: GameRecord,
    /// The first thing that was against the rules.
    pub problem: Option<Problem>,
    /// What the file claimed, where the stones show something else.
    pub disputed: Option<Verdict>,
}

/// Something against the rules, and where it stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
}

impl Loaded {
    /// The record, if nothing was wrong with it: a game cut short by a foul is not passed off as a whole one.
    pub fn whole(self) -> Result<GameRecord, LoadError> {
        match self.problem {
            None => Ok(self.record),
            Some(problem) => {
                let words = |language| self.record.verdict.words(&self.record.rules, language);
                let reason = Reason::Foul([words(Language::English), words(Language::Chinese)]);
                Err(LoadError { line: problem.line, reason })
            }
        }
    }
}

impl Draft {
    /// A draft of a game without moves.
    pub fn new(rules: Rules) -> Draft {
        Draft { record: GameRecord::new(rules), moves: Vec::new(), setup_line: 0 }
    }

    /// Replays the moves; the first foul ends the replay and becomes the verdict.
    pub fn replay(self) -> Result<Loaded, LoadError> {
        let Draft { mut record, moves, setup_line } = self;
        let bad_setup = |bad| LoadError { line: setup_line, reason: Reason::Setup(bad) };
        let mut position = record.start().map_err(bad_setup)?;
        let claim = std::mem::take(&mut record.verdict);
        record.moves.clear();
        record.surplus.clear();
        let mut problem = None;
        for written in moves {
            match place(&mut position, &written) {
                Ok(Placed::Played(cell)) => record.moves.push(Move { cell, ..written.rest }),
                Ok(Placed::Ignored(cell)) => record.surplus.push(cell),
                Err(verdict) => {
                    record.verdict = verdict;
                    problem = Some(Problem { line: written.line });
                    break;
                }
            }
        }
        check_variations(&record)?;
        let mut disputed = None;
        if problem.is_none() {
            let accepted = accept(&position, &claim);
            disputed = accepted.is_none().then_some(claim.clone());
            record.verdict = accepted.unwrap_or_else(|| by_stones(&position));
        }
        Ok(Loaded { record, problem, disputed })
    }
}

enum Placed {
    Played(Cell),
    Ignored(Cell),
}

fn place(position: &mut Position, written: &DraftMove) -> Result<Placed, Verdict> {
    let mover = written.stone.unwrap_or_else(|| position.to_move());
    if position.outcome().is_some() {
        let same_turn = position.mid_turn() && mover == position.to_move();
        return match written.cell {
            Ok(cell) if same_turn => Ok(Placed::Ignored(cell)),
            _ => Err(after_end(position, mover)),
        };
    }
    if mover != position.to_move() {
        return Err(Verdict::fault(mover, Ending::OutOfTurn));
    }
    let illegal = |at: String, why| Verdict::fault(mover, Ending::Illegal { at, why });
    let cell = written.cell.clone().map_err(|name| illegal(name, IllegalMove::OffBoard))?;
    position.play(cell).map_err(|why| illegal(cell.to_string(), why))?;
    Ok(Placed::Played(cell))
}

/// A stone after the end does not change who won.
fn after_end(position: &Position, mover: Stone) -> Verdict {
    Verdict { outcome: position.outcome(), ending: Ending::AfterEnd, blame: Some(mover) }
}

fn by_stones(position: &Position) -> Verdict {
    position.outcome().map_or(Verdict::UNFINISHED, Verdict::by_stones)
}

/// What a file claims, where the stones do not speak against it.
fn accept(position: &Position, claim: &Verdict) -> Option<Verdict> {
    match (position.outcome(), claim.outcome) {
        // A file that says nothing of the end, or agrees in the result: the stones say how it came about.
        (Some(_), None) => Some(by_stones(position)),
        (Some(shown), Some(claimed)) if shown == claimed => Some(by_stones(position)),
        (Some(_), Some(_)) => None,
        (None, _) if claim.ending.shown_by_stones() => None,
        (None, _) => Some(claim.clone()),
    }
}

/// Replays every variation. The position walks from line to line, so that a tree in order costs no more than
/// its own size.
fn check_variations(record: &GameRecord) -> Result<(), LoadError> {
    let Ok(mut position) = record.start() else { return Ok(()) };
    for (index, variation) in record.variations.iter().enumerate() {
        let wrong =
            |why: [String; 2]| LoadError { line: 0, reason: Reason::Variation { number: index + 1, why } };
        let path = path_to(record, index, variation).ok_or_else(|| {
            wrong(["it leaves no line of this game".into(), "它不从本局的任何一条线分出".into()])
        })?;
        walk(&mut position, &path).map_err(|(cell, why)| {
            wrong([Language::English, Language::Chinese].map(|l| format!("{cell}: {}", why.words(l))))
        })?;
    }
    Ok(())
}

/// All cells from the start of the game to the end of a variation; `None` if it hangs in the air.
fn path_to(record: &GameRecord, index: usize, variation: &Variation) -> Option<Vec<Cell>> {
    let mut reversed: Vec<Cell> = variation.moves.iter().rev().map(|played| played.cell).collect();
    let (mut limit, mut from, mut ply) = (index, variation.from, variation.ply);
    if reversed.is_empty() {
        return None;
    }
    while from > 0 {
        // A variation leaves an earlier one, so this ends.
        if from > limit {
            return None;
        }
        let parent = record.variations.get(from - 1)?;
        let own = ply.checked_sub(parent.ply).filter(|&own| own <= parent.moves.len())?;
        reversed.extend(parent.moves[..own].iter().rev().map(|played| played.cell));
        (limit, from, ply) = (from - 1, parent.from, parent.ply);
    }
    reversed.extend(record.moves.get(..ply)?.iter().rev().map(|played| played.cell));
    reversed.reverse();
    Some(reversed)
}

fn walk(position: &mut Position, path: &[Cell]) -> Result<(), (Cell, IllegalMove)> {
    let shared = position.plies().iter().zip(path).take_while(|(ply, cell)| ply.cell == **cell).count();
    while position.plies().len() > shared {
        position.undo();
    }
    path[shared..].iter().try_for_each(|&cell| position.play(cell).map_err(|why| (cell, why)))
}
