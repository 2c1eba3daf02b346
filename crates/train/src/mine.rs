//! Finds puzzles in games: positions in which one turn, or a few, do what no other does.

use std::collections::{BTreeMap, HashSet};

use lianzi_core::symmetry::canonical;
use lianzi_core::{Cell, Outcome, Placement, Position, Random, Rules, Stone, mix};
use lianzi_engine::threats::{ThreatKind, must_hit, threats};
use lianzi_engine::{Engine, Family, Limits, NoEngine, Options, Stop, catalog};

use crate::insight::{Insight, LONGEST};
use crate::puzzle::{EASIEST, HARDEST, Puzzle, Turn};
use crate::rival;
use crate::theme::Theme;
use crate::verify::{Verifier, uses_fouls, without_fouls};

/// How many first turns may be right.
const RIGHT: usize = 2;
const RIGHT_SIX: usize = 4;
const HOLDING: usize = 3;
/// The longest wins of each sort.
const FOURS: u8 = 12;
const THREES: u8 = 6;
const SIX: u8 = 4;
const FOUR: u8 = 12;
/// How far apart two puzzles of a game are, in stones: the same attack is not asked twice.
const APART: usize = 9;
/// What a weak player looks at, and how many turns it considers.
const WEAK: u64 = 150;
const CONSIDERED: usize = 8;

/// What a held-back engine looks at for a turn of a game to dig in.
const NODES: u64 = 300;
/// Up to this level they play.
const LEVELS: u32 = 4;

/// A search for puzzles of one game, which finds nothing twice.
pub struct Mine {
    rules: Rules,
    seen: HashSet<Vec<Cell>>,
    verifier: Verifier,
    /// Who knows of fours, or of whatever wins in this game.
    fours: Insight,
    threes: Insight,
    /// The same board without fouls.
    free: Insight,
}

impl Mine {
    /// One that has found nothing yet.
    pub fn new(rules: &Rules) -> Mine {
        Mine {
            rules: *rules,
            seen: HashSet::new(),
            verifier: Verifier::default(),
            fours: Insight::new(rules, Theme::Fours),
            threes: Insight::new(rules, Theme::Threes),
            free: Insight::new(&without_fouls(rules), Theme::Fours),
        }
    }

    /// Remembers a puzzle that is known already.
    pub fn know(&mut self, puzzle: &Puzzle) {
        self.seen.insert(canonical(&puzzle.moves, &puzzle.rules));
    }

    /// The puzzles of a game, given as its stones: verified, rated, none of them known up to a symmetry. `wants` says which
    /// themes are looked for; the names are up to the owner.
    pub fn dig(&mut self, moves: &[Cell], wants: &dyn Fn(Theme) -> bool) -> Vec<Puzzle> {
        let (mut position, mut found, mut last) = (Position::new(self.rules), Vec::new(), None);
        for &cell in moves {
            let stones = position.plies().len();
            let far = last.is_none_or(|last| stones >= last + APART);
            let ripe = far && !position.mid_turn() && stones >= least(&self.rules);
            if ripe && let Some(puzzle) = self.look(&position, wants).filter(|puzzle| self.is_new(puzzle)) {
                last = Some(stones);
                found.push(puzzle);
            }
            if position.play(cell).is_err() {
                break;
            }
        }
        found
    }

    fn is_new(&mut self, puzzle: &Puzzle) -> bool {
        self.seen.insert(canonical(&puzzle.moves, &puzzle.rules)) && self.verifier.check(puzzle).is_ok()
    }

    /// The puzzle that a position is, if it is one of those that are wanted.
    fn look(&mut self, position: &Position, wants: &dyn Fn(Theme) -> bool) -> Option<Puzzle> {
        if position.outcome().is_some() || wins_at_once(position) {
            return None;
        }
        let found = match Family::of(position.rules()) {
            Family::Gomoku => self.five(position, wants),
            Family::Connect6 => six(position, &mut self.fours),
            Family::ConnectFour => four(position, &mut self.fours, wants),
            _ => None,
        };
        let found = found.filter(|found| wants(found.theme))?;
        let rating =
            rate(position, &found, if found.theme == Theme::Threes { &mut self.threes } else { &mut self.fours });
        let moves = position.plies().iter().map(|ply| ply.cell).collect();
        let Found { theme, turns, accepted } = found;
        Some(Puzzle { id: "new".into(), rules: *position.rules(), theme, turns, rating, moves, accepted })
    }

    fn five(&mut self, position: &Position, wants: &dyn Fn(Theme) -> bool) -> Option<Found> {
        let mover = position.to_move();
        if let Some(turns) = self.fours.turns(position, FOURS) {
            // Whoever has an open three needs no puzzle to win.
            let plain = turns == 2 && has(position, mover, ThreatKind::Three);
            let accepted = unique(self.fours.first_turns(position, turns), RIGHT).filter(|_| !plain)?;
            let theme = match turns {
                _ if uses_fouls(position, &accepted, turns, &mut self.free) => Theme::Fouls,
                0..=3 => Theme::FourThree,
                _ => Theme::Fours,
            };
            return Some(Found { theme, turns, accepted });
        }
        if wants(Theme::Threes)
            && let Some(turns) = self.threes.turns(position, THREES)
        {
            let accepted = unique(self.threes.first_turns(position, turns), RIGHT)?;
            return Some(Found { theme: Theme::Threes, turns, accepted });
        }
        if wants(Theme::Defence) { defence(position, &mut self.fours) } else { None }
    }
}

/// From how many stones on puzzles are looked for: an early game of Connect Four takes too long to solve.
fn least(rules: &Rules) -> usize {
    match rules.placement {
        Placement::Drop => rules.capacity() * 3 / 8,
        Placement::Anywhere => usize::from(rules.line) + 1,
    }
}

struct Found {
    theme: Theme,
    turns: u8,
    accepted: Vec<Turn>,
}

fn wins_at_once(position: &Position) -> bool {
    let mover = position.to_move();
    let near = threats(position, mover);
    near.iter()
        .any(|threat| threat.kind == ThreatKind::Four && threat.at.iter().all(|&cell| position.check(cell).is_ok()))
}

fn has(position: &Position, stone: Stone, kind: ThreatKind) -> bool {
    threats(position, stone).iter().any(|threat| threat.kind == kind)
}

/// The turns, if there are only so many.
fn unique(found: Vec<(Turn, u8)>, most: usize) -> Option<Vec<Turn>> {
    let turns: Vec<Turn> = found.into_iter().map(|(turn, _)| turn).collect();
    (1..=most).contains(&turns.len()).then_some(turns)
}

/// The few stones after which the other side does not win by fours, where it threatens to and the mover has no four of
/// his own to put it off with.
fn defence(position: &Position, fours: &mut Insight) -> Option<Found> {
    if !must_hit(position).is_empty() || has(position, position.to_move().other(), ThreatKind::Three) {
        return None;
    }
    let legal: Vec<Cell> = position.legal().collect();
    let far = legal.iter().copied().find(|&cell| is_far(position, cell))?;
    let after = |cell: Cell| {
        let mut after = position.clone();
        after.play(cell).ok().map(|()| after)
    };
    // If a stone out of the way holds, nothing threatens.
    if fours.holds(&after(far)?) {
        return None;
    }
    let mut accepted = Vec::new();
    for cell in legal {
        let after = after(cell)?;
        if has(&after, position.to_move(), ThreatKind::Four) {
            return None;
        }
        if fours.holds(&after) {
            accepted.push(vec![cell]);
        }
        if accepted.len() > HOLDING {
            return None;
        }
    }
    (!accepted.is_empty()).then_some(Found { theme: Theme::Defence, turns: 1, accepted })
}

/// Whether no stone lies within four cells.
fn is_far(position: &Position, cell: Cell) -> bool {
    position.plies().iter().all(|ply| ply.cell.column.abs_diff(cell.column).max(ply.cell.row.abs_diff(cell.row)) > 4)
}

fn six(position: &Position, insight: &mut Insight) -> Option<Found> {
    let turns = insight.turns(position, SIX).filter(|&turns| turns >= 2)?;
    let accepted = unique(insight.first_turns(position, turns), RIGHT_SIX)?;
    Some(Found { theme: Theme::DoubleThreats, turns, accepted })
}

fn four(position: &Position, insight: &mut Insight, wants: &dyn Fn(Theme) -> bool) -> Option<Found> {
    if !must_hit(position).is_empty() {
        return None;
    }
    if let Some(turns) = insight.turns(position, FOUR) {
        // One column wins at all, however late.
        let accepted = unique(insight.first_turns(position, u8::MAX), 1)?;
        let theme = if turns <= 4 { Theme::Tactics } else { Theme::Endings };
        return Some(Found { theme, turns, accepted });
    }
    wants(Theme::OnlyMove).then(|| only_move(position, insight)).flatten()
}

fn only_move(position: &Position, insight: &mut Insight) -> Option<Found> {
    let legal: Vec<Cell> = position.legal().collect();
    let holds = |cell: &Cell, insight: &mut Insight| {
        let mut after = position.clone();
        after.play(*cell).is_ok()
            && match after.outcome() {
                Some(outcome) => outcome != Outcome::Win(position.to_move().other()),
                None => insight.holds(&after),
            }
    };
    let holding: Vec<Turn> = legal.iter().filter(|cell| holds(cell, insight)).map(|&cell| vec![cell]).collect();
    (holding.len() == 1 && legal.len() >= 4).then_some(Found { theme: Theme::OnlyMove, turns: 1, accepted: holding })
}

/// How hard it is: the longer, the more turns look better to a weak player, and the more answers there are, the harder.
fn rate(position: &Position, found: &Found, insight: &mut Insight) -> u16 {
    let considered = rival::candidates(position, WEAK, CONSIDERED);
    let is_right = |turn: &Turn| found.accepted.iter().any(|right| crate::puzzle::same(right, turn));
    let before = considered.iter().position(is_right).unwrap_or(CONSIDERED);
    let (base, each) = match found.theme {
        Theme::FourThree => (420, 170),
        Theme::Fours => (500, 150),
        Theme::Fouls => (700, 150),
        Theme::Threes => (700, 170),
        Theme::Defence => (1000, 0),
        Theme::DoubleThreats => (600, 200),
        Theme::Tactics => (450, 190),
        Theme::Endings => (800, 100),
        Theme::OnlyMove | Theme::Mistake => (850, 0),
    };
    let more = found.accepted.len() as i32 - 1;
    let rating = base + each * i32::from(found.turns) + 70 * before as i32 + 20 * branching(position, found, insight)
        - 60 * more;
    rating.clamp(EASIEST.into(), HARDEST.into()) as u16
}

/// How many answers more than one the other side has, along the longest line of the first right turn.
fn branching(position: &Position, found: &Found, insight: &mut Insight) -> i32 {
    let (mut position, mut turn, mut more) = (position.clone(), found.accepted.first().cloned(), 0);
    while let Some(stones) = turn.take() {
        if stones.iter().try_for_each(|&cell| position.play(cell)).is_err() || position.outcome().is_some() {
            break;
        }
        let answers = insight.defences(&position, LONGEST);
        more += answers.len().saturating_sub(1).min(4) as i32;
        let Some((answer, _)) = answers.into_iter().next() else { break };
        if answer.iter().try_for_each(|&cell| position.play(cell)).is_err() || position.outcome().is_some() {
            break;
        }
        if found.turns > 1 {
            let next = insight.first_turns(&position, LONGEST);
            turn = next.into_iter().min_by_key(|(_, turns)| *turns).map(|(turn, _)| turn);
        }
    }
    more.min(20)
}

/// Games to dig in, which held-back engines play against themselves: the same on every machine. They overlook things,
/// so wins and losses are there to be found.
pub struct Source {
    rules: Rules,
    players: Vec<Box<dyn Engine>>,
}

impl Source {
    /// Games of these rules.
    pub fn new(rules: &Rules) -> Result<Source, NoEngine> {
        let level = |level: u32| ("strong", [("level".into(), level.to_string())].into_iter().collect());
        let players = (1..=LEVELS).map(level).chain([("greedy", BTreeMap::new())]);
        let players = players.map(|(name, given)| catalog::engine(name, rules, &Options { seed: 1, given }));
        Ok(Source { rules: *rules, players: players.collect::<Result<_, _>>()? })
    }

    /// The stones of the game of this number, as far as it went before it was stopped.
    pub fn game(&mut self, seed: u64, number: u64, stop: &Stop) -> Vec<Cell> {
        let mut random = Random::new(mix(seed) ^ number);
        let mut position = self.opening(&mut random);
        let player = random.below(self.players.len());
        let engine = &mut self.players[player];
        engine.begin(random.next());
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        while position.outcome().is_none() && !stop.is_set() {
            let turn = engine.search(&position, &limits, stop, &mut |_| {}).turn;
            if turn.is_empty() || turn.iter().try_for_each(|&cell| position.play(cell)).is_err() {
                break;
            }
        }
        position.plies().iter().map(|ply| ply.cell).collect()
    }

    /// A few stones close together.
    fn opening(&self, random: &mut Random) -> Position {
        let mut position = Position::new(self.rules);
        let stones = 3 + random.below(4);
        while position.plies().len() < stones || position.mid_turn() {
            let near: Vec<Cell> = position.legal().filter(|&cell| is_near(&position, cell)).collect();
            let Some(&cell) = random.choose(&near) else { break };
            if position.play(cell).is_err() || position.outcome().is_some() {
                break;
            }
        }
        position
    }
}

/// Whether a cell lies beside a stone, or in the middle of an empty board.
fn is_near(position: &Position, cell: Cell) -> bool {
    let rules = position.rules();
    let distance = |other: Cell| other.column.abs_diff(cell.column).max(other.row.abs_diff(cell.row));
    match position.plies() {
        _ if rules.placement == Placement::Drop => true,
        [] => distance(Cell::new(rules.width / 2, rules.height / 2)) <= 1,
        plies => plies.iter().any(|ply| distance(ply.cell) <= 2),
    }
}
