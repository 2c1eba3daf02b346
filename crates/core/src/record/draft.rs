//! What a reader found in a file, and the replay through the referee that makes a record of it.

use super::{GameRecord, LoadError, Move, Reason, Variation};
use crate::opening::Zone;
use crate::{
    BadAct, BadGame, Cell, Ending, IllegalMove, Language, MAX_CELLS, MAX_SIDE, Negotiation, OpeningRule, Position,
    Rules, Speak, Stone, Text, Verdict, text,
};

/// More stones than any game can have: by then the referee has found a foul, so readers keep no more.
pub(crate) const MAX_PLIES: usize = MAX_CELLS + MAX_SIDE as usize + 1;

/// A game as a file tells it, before the referee has seen it.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// Everything but the moves. The verdict is what the file claims.
    pub record: GameRecord,
    /// The moves as written.
    pub moves: Vec<DraftMove>,
    /// The variations as written, in the order of the record's.
    pub variations: Vec<DraftVariation>,
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
    /// How many stones the file hands over as one turn, told at the first of them; 0 where it does not say.
    pub given: usize,
    /// Where it stands in the file.
    pub line: usize,
}

/// A line that was not played, as a file tells it.
#[derive(Clone, Debug)]
pub(crate) struct DraftVariation {
    /// As in `Variation`.
    pub from: usize,
    /// As in `Variation`.
    pub ply: usize,
    /// The stones from there on.
    pub moves: Vec<DraftMove>,
}

impl DraftMove {
    /// A bare stone.
    pub(super) fn new(stone: Option<Stone>, cell: Cell, line: usize) -> DraftMove {
        DraftMove { stone, cell: Ok(cell), rest: Move::from(cell), given: 0, line }
    }

    /// A stone that lies beyond every board, under the name the file gave it.
    pub(super) fn beyond(stone: Option<Stone>, name: &str, line: usize) -> DraftMove {
        DraftMove { cell: Err(crate::shorten(name)), ..DraftMove::new(stone, Cell::new(0, 0), line) }
    }

    /// A stone of a record.
    pub(super) fn of(played: &Move, line: usize) -> DraftMove {
        DraftMove { rest: played.clone(), ..DraftMove::new(None, played.cell, line) }
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
    /// Where its first stone stands in the file, from 1; 0 where that is not known.
    pub line: usize,
}

/// Something against the rules, and where it stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1; of a pair of files, in the file of the side to blame.
    pub line: usize,
}

impl Loaded {
    /// The same game, judged by this opening rule if it names none itself: its first stones must lie where they may.
    pub fn begun_by(mut self, rule: OpeningRule) -> Loaded {
        let record = &mut self.record;
        let named = record.negotiated.is_some() || record.setup.is_some() || rule.check(&record.rules).is_err();
        if named || rule == OpeningRule::None {
            return self;
        }
        record.begin_by(rule);
        let cells: Vec<Cell> = record.moves.iter().map(|played| played.cell).collect();
        if let Some((n, Zone::Square(side))) = rule.misplaced(&cells, &record.rules) {
            let ending = Ending::Opening { at: cells[n].to_string(), why: BadAct::Outside(side) };
            record.verdict = Verdict::fault(record.rules.turn_at(n).0, ending);
            record.moves.truncate(n);
            (record.surplus, record.variations) = (Vec::new(), Vec::new());
            record.opening = record.opening.min(n);
            (self.problem, self.disputed) = (Some(Problem { line: self.line }), None);
        }
        self
    }

    /// The record, if nothing was wrong with it: a game cut short by a foul is not passed off as a whole one.
    pub fn whole(self) -> Result<GameRecord, LoadError> {
        match self.problem {
            None => Ok(self.record),
            Some(problem) => {
                let reason = Reason::Foul(self.record.verdict.text(&self.record.rules));
                Err(LoadError { line: problem.line, reason })
            }
        }
    }

    /// Whether the game shows a fault, or a result that its stones contradict.
    pub fn is_foul(&self) -> bool {
        self.record.verdict.ending.is_fault() || self.disputed.is_some()
    }

    /// The verdict, the winning line if that is what ended the game, and what the file claimed instead.
    pub fn words(&self, language: Language) -> String {
        let record = &self.record;
        let mut words = record.verdict.words(&record.rules, language);
        if record.verdict.ending == Ending::Line
            && let Some(cells) = record.position().winning_line()
        {
            let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
            words += &format!(" ({})", names.join(" "));
        }
        if let Some(claim) = &self.disputed {
            let claim = claim.words(&record.rules, language);
            words += text!("; but the file claims: {claim}", "；但文件称：{claim}").words(language);
        }
        words
    }
}

impl Draft {
    /// A draft of a game without moves.
    pub(super) fn new(rules: Rules) -> Draft {
        Draft { record: GameRecord::new(rules), moves: Vec::new(), variations: Vec::new(), setup_line: 0 }
    }

    /// Adds a stone. What comes after more stones than any game can have is not kept.
    pub(super) fn push(&mut self, written: DraftMove) {
        if self.moves.len() < MAX_PLIES {
            self.moves.push(written);
        }
    }

    /// Replays the moves; the first foul ends the replay and becomes the verdict.
    pub(super) fn replay(self) -> Result<Loaded, LoadError> {
        let Draft { mut record, moves, variations, setup_line } = self;
        let bad_setup = |bad| LoadError { line: setup_line, reason: Reason::Setup(bad) };
        let claim = std::mem::take(&mut record.verdict);
        let start = moves.first().map_or(setup_line, |first| first.line);
        let (moves, bad_opening) = opened(&mut record, moves, start)?;
        let mut replay = Replay::new(&mut record).map_err(bad_setup)?;
        let foul = moves.into_iter().find_map(|written| replay.turn(written).err()).or(bad_opening);
        let foul = foul.or_else(|| replay.short_turn().err());
        let position = replay.position;
        record.opening = record.opening.min(record.moves.len());
        if let Some(Foul { verdict, line }) = foul {
            // Variations may leave the game after the foul; a game that is not whole is kept without them.
            record.verdict = verdict;
            return Ok(Loaded { record, problem: Some(Problem { line }), disputed: None, line: start });
        }
        record.variations = checked_variations(&record, variations)?;
        let accepted = accept(&position, &claim);
        let disputed = accepted.is_none().then_some(claim);
        record.verdict = accepted.unwrap_or_else(|| Verdict::of(&position));
        Ok(Loaded { record, problem: None, disputed, line: start })
    }
}

/// Looks at how the sides were found: the moves up to the first thing that was against the opening rule, and that foul.
fn opened(
    record: &mut GameRecord,
    mut moves: Vec<DraftMove>,
    start: usize,
) -> Result<(Vec<DraftMove>, Option<Foul>), LoadError> {
    let rules = record.rules;
    let Some(found) = &mut record.negotiated else { return Ok((moves, None)) };
    if record.setup.is_some() {
        return Err(LoadError { line: start, reason: Reason::Game(BadGame::OpeningHere) });
    }
    let cells: Vec<Cell> = moves.iter().map_while(|written| written.cell.as_ref().ok().copied()).collect();
    let (stones, blame, ending) = if found.acts.is_empty() {
        let Some((n, zone)) = found.rule.misplaced(&cells, &rules) else { return Ok((moves, None)) };
        let side = if let Zone::Square(side) = zone { side } else { 0 };
        (n, rules.turn_at(n).0, Ending::Opening { at: cells[n].to_string(), why: BadAct::Outside(side) })
    } else {
        match Negotiation::after(found.rule, rules, &found.acts) {
            Err((allowed, why)) => {
                let at = found.acts[allowed.acts().len()];
                found.acts.truncate(allowed.acts().len());
                let seat = allowed.demand().map_or(Stone::Black, |demand| demand.seat);
                (allowed.position().plies().len(), seat, why.ending(at))
            }
            Ok(agreed) => {
                let plies = agreed.position().plies();
                let same = plies.iter().zip(&cells).take_while(|(ply, cell)| ply.cell == **cell).count();
                if same == plies.len() && (agreed.is_settled() || moves.len() == same) {
                    return Ok((moves, None));
                }
                let at = cells.get(same).map_or_else(|| "?".into(), Cell::to_string);
                (same, rules.turn_at(same).0, Ending::Opening { at, why: BadAct::NotAgreed })
            }
        }
    };
    moves.truncate(stones);
    Ok((moves, Some(Foul { verdict: Verdict::fault(blame, ending), line: start })))
}

/// A foul and where it stands in the file.
struct Foul {
    verdict: Verdict,
    line: usize,
}

/// The replay of a game's moves, which fills the record.
struct Replay<'a> {
    record: &'a mut GameRecord,
    position: Position,
    /// How many stones came after the one that won, in the same turn.
    ignored: usize,
    /// The turn that began with fewer stones than it should have: the foul it is unless a stone of it wins.
    short: Option<Foul>,
}

impl<'a> Replay<'a> {
    fn new(record: &'a mut GameRecord) -> Result<Replay<'a>, crate::BadSetup> {
        record.moves.clear();
        record.surplus.clear();
        record.variations.clear();
        let position = record.start()?;
        Ok(Replay { record, position, ignored: 0, short: None })
    }

    /// Plays one stone, and looks at the turn it begins.
    fn turn(&mut self, written: DraftMove) -> Result<(), Foul> {
        if written.given > 0 {
            self.short_turn()?;
            self.count(&written)?;
        }
        let line = written.line;
        self.place(written).map_err(|verdict| Foul { verdict, line })
    }

    /// Compares the stones handed over with those the turn has.
    fn count(&mut self, written: &DraftMove) -> Result<(), Foul> {
        let mover = self.mover(written);
        let (wanted, given) = (self.position.stones_left(), written.given);
        if self.position.outcome().is_some() || mover != self.position.to_move() {
            return Ok(());
        }
        let foul = Foul { verdict: Verdict::fault(mover, Ending::Stones { wanted, given }), line: written.line };
        match given.cmp(&usize::from(wanted)) {
            std::cmp::Ordering::Greater => return Err(foul),
            std::cmp::Ordering::Less => self.short = Some(foul),
            std::cmp::Ordering::Equal => {}
        }
        Ok(())
    }

    /// A turn with too few stones is a foul, unless it has won.
    fn short_turn(&mut self) -> Result<(), Foul> {
        match self.short.take() {
            Some(foul) if self.position.outcome().is_none() => Err(foul),
            _ => Ok(()),
        }
    }

    fn mover(&self, written: &DraftMove) -> Stone {
        written.stone.unwrap_or_else(|| self.position.to_move())
    }

    fn place(&mut self, written: DraftMove) -> Result<(), Verdict> {
        let mover = self.mover(&written);
        if self.position.outcome().is_some() {
            let same_turn = mover == self.position.to_move();
            if !same_turn || self.ignored >= unused(self.record, &self.position) {
                return Err(after_end(&self.position, mover));
            }
            self.ignored += 1;
            self.record.surplus.extend(written.cell.ok().filter(|&cell| self.position.rules().contains(cell)));
            return Ok(());
        }
        if mover != self.position.to_move() {
            return Err(Verdict::fault(mover, Ending::OutOfTurn));
        }
        let illegal = |at: String, why| Verdict::fault(mover, Ending::Illegal { at, why });
        let cell = written.cell.map_err(|name| illegal(name, IllegalMove::OffBoard))?;
        self.position.play(cell).map_err(|why| illegal(cell.to_string(), why))?;
        self.record.moves.push(Move { cell, ..written.rest });
        Ok(())
    }
}

/// Who begins a record's game, and with how many stones.
fn first_turn(record: &GameRecord) -> (Stone, u8) {
    match &record.setup {
        Some(setup) => (setup.to_move, setup.stones_left),
        None => (Stone::Black, record.rules.first_turn),
    }
}

/// How many stones of the turn were left, and had room, when the game ended within it.
fn unused(record: &GameRecord, position: &Position) -> usize {
    if !position.mid_turn() {
        return 0;
    }
    let left = record.rules.turn_after(first_turn(record), position.plies().len()).1;
    usize::from(left).min(position.free())
}

/// A stone after the end does not change who won.
fn after_end(position: &Position, mover: Stone) -> Verdict {
    Verdict { outcome: position.outcome(), ending: Ending::AfterEnd, blame: Some(mover) }
}

/// What a file claims, where the stones do not speak against it.
fn accept(position: &Position, claim: &Verdict) -> Option<Verdict> {
    match (position.outcome(), claim.outcome) {
        // A file that says nothing of the end, or agrees in the result: the stones say how it came about.
        (Some(_), None) => Some(Verdict::of(position)),
        (Some(shown), Some(claimed)) if shown == claimed => Some(Verdict::of(position)),
        (Some(_), Some(_)) => None,
        (None, _) if claim.ending.shown_by_stones() => None,
        (None, _) => Some(claim.clone()),
    }
}

/// Replays every variation. The position walks from line to line, so that a tree in order costs no more than
/// its own size.
fn checked_variations(record: &GameRecord, drafts: Vec<DraftVariation>) -> Result<Vec<Variation>, LoadError> {
    let mut checked = Vec::with_capacity(drafts.len());
    let Ok(mut position) = record.start() else { return Ok(checked) };
    for (index, draft) in drafts.into_iter().enumerate() {
        let first_line = draft.moves.first().map_or(0, |written| written.line);
        let wrong = |line, why| LoadError { line, reason: Reason::Variation { number: index + 1, why } };
        let path = path_to(record, &checked, &draft).ok_or_else(|| {
            wrong(first_line, Text::fixed("it leaves no line of this game", "它不从本局的任何一条线分出"))
        })?;
        walk(&mut position, &path);
        let mut moves = Vec::with_capacity(draft.moves.len());
        for written in draft.moves {
            let line = written.line;
            // What stands in the turn behind a stone of this variation that has won is left out, as in the game.
            if !moves.is_empty() && position.outcome().is_some() && unused(record, &position) > 0 {
                break;
            }
            moves.push(variation_move(&mut position, written).map_err(|why| wrong(line, why))?);
        }
        checked.push(Variation { from: draft.from, ply: draft.ply, moves });
    }
    Ok(checked)
}

/// Plays one stone of a variation.
fn variation_move(position: &mut Position, written: DraftMove) -> Result<Move, Text> {
    let to_move = position.to_move();
    if written.stone.is_some_and(|stone| stone != to_move) {
        return Err(Text::new(
            format!("{to_move} is to move"),
            format!("应由{}落子", to_move.words(Language::Chinese)),
        ));
    }
    let words = |name: String, why: IllegalMove| {
        let why = why.text();
        text!("{name}: {why}", "{name}: {why}"; why)
    };
    let cell = written.cell.map_err(|name| words(name, IllegalMove::OffBoard))?;
    position.play(cell).map_err(|why| words(cell.to_string(), why))?;
    Ok(Move { cell, ..written.rest })
}

/// All cells from the start of the game to the ply a variation leaves; `None` if it hangs in the air.
fn path_to(record: &GameRecord, checked: &[Variation], draft: &DraftVariation) -> Option<Vec<Cell>> {
    let mut reversed: Vec<Cell> = Vec::new();
    let (mut from, mut ply) = (draft.from, draft.ply);
    if draft.moves.is_empty() {
        return None;
    }
    while from > 0 {
        // Every line on the way adds at least one stone of its own, so this ends soon.
        let parent = checked.get(from - 1)?;
        let own = ply.checked_sub(parent.ply).filter(|&own| (1..=parent.moves.len()).contains(&own))?;
        reversed.extend(parent.moves[..own].iter().rev().map(|played| played.cell));
        (from, ply) = (parent.from, parent.ply);
    }
    reversed.extend(record.moves.get(..ply)?.iter().rev().map(|played| played.cell));
    reversed.reverse();
    Some(reversed)
}

/// Brings the position to the end of a path whose stones have all been played before.
fn walk(position: &mut Position, path: &[Cell]) {
    let shared = position.plies().iter().zip(path).take_while(|(ply, cell)| ply.cell == **cell).count();
    while position.plies().len() > shared {
        position.undo();
    }
    for &cell in &path[shared..] {
        position.play(cell).expect("every line on the way to a variation was checked before it");
    }
}
