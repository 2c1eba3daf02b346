//! How an engine takes part in an opening, whatever its rule: what it cannot know it searches.
//!
//! Stones after which the other one may choose a side are the most even of several that were drawn; a swap is made when
//! the side to move is worse off. Where fifth moves will be offered, White takes the worst of them: so the fourth stone is
//! judged by the n-th best fifth move, a number of them by the one that is even, and of those that are offered White
//! chooses by searching each. What is proven to be won for one side is further from even than anything else.
//!
//! The key decision: one answer may take as long as many turns ([`part_of`]), because all that follows depends on it and
//! no more than a few are given in a game. Candidates are compared in rounds: every round looks deeper at fewer of them. An
//! engine that is held back decides worse, because it searches worse.

mod draw;

use std::time::Duration;

use lianzi_core::opening::{More, Want};
use lianzi_core::symmetry::{canonical, seen_through, symmetries};
use lianzi_core::{Act, Cell, Demand, Negotiation, OpeningRule, Position, Random, Rules, Stone, mix};
use lianzi_engine::{Best, Family, Instant, Limits, Line};

/// How many openings, or stones, an engine draws where each is judged by one search.
const DRAWN: usize = 16;
/// How many where each is judged by the fifth moves that could follow.
const DRAWN_FOR_FIFTHS: usize = 6;
/// How many fourth stones are tried against the fifth moves that could follow.
const FOURTHS: usize = 4;
/// How many fifth moves Taraguchi-10 lets Black offer.
const TEN: usize = 10;
/// Further from even than any score.
const WON: i32 = 1_000_000;

/// How many turns' nodes an answer is worth.
const TURNS: f64 = 32.0;
/// How much of a clock an answer may take: one of so many parts.
const OF_CLOCK: u32 = 16;
/// The longest an answer takes where a clock, or nothing, limits it.
const LONGEST: Duration = Duration::from_secs(5);

/// By how much Black is ahead, in the score of the engine of five in a row, when both sides win as often after an opening
/// by this rule.
///
/// It is not nothing: most of what a rule lets one offer is better for one side, and what was chosen among it because it
/// looks even is on the average a little better for that side too. Fitted to games of `strong` with itself, which
/// docs/experiments.md has; games of other families have not been fitted.
fn even(rule: OpeningRule, rules: &Rules) -> i32 {
    match rule {
        _ if Family::of(rules) != Family::Gomoku => 0,
        OpeningRule::Pie => 26,
        OpeningRule::Swap => 5,
        OpeningRule::Swap2 => 10,
        OpeningRule::Rif => -10,
        OpeningRule::Yamaguchi => 24,
        OpeningRule::Taraguchi10 => 38,
        OpeningRule::Sakata => 12,
        OpeningRule::None | OpeningRule::Soosyrv8 | OpeningRule::SuperSakata => 0,
    }
}

/// Thinks about a position: so many lines, with this part of all that the answer may take. Nothing if it failed.
pub type Think<'a> = &'a mut dyn FnMut(&Position, usize, f64) -> Option<Best>;

/// What an engine does next: at least one act, all of them its own. Nothing if its search failed.
pub fn choose(negotiation: &Negotiation, seed: u64, think: Think<'_>) -> Option<Vec<Act>> {
    let demand = negotiation.demand()?;
    let random = Random::new(mix(seed ^ mix(negotiation.acts().len() as u64)));
    Chooser { negotiation, demand, random, think }.choose()
}

/// The limits of one search that has this part of an answer, where a turn has these: many times its nodes, but no more
/// than its time, since no clock waits.
pub fn part_of(turn: &Limits, part: f64) -> Limits {
    let by_clock = turn.clock.map(|clock| (clock.left / OF_CLOCK + clock.increment / 2).min(LONGEST));
    // Starting and stopping takes time too.
    let by_turn = turn.move_time.map(|time| time * 4 / 5);
    let free = turn.depth.is_none() && turn.nodes.is_none();
    let unasked = (free && by_turn.is_none()).then_some(LONGEST);
    let whole = by_turn.into_iter().chain(by_clock).chain(unasked).min();
    Limits {
        nodes: turn.nodes.map(|nodes| ((nodes as f64 * TURNS * part) as u64).max(1)),
        move_time: whole.map(|time| time.mul_f64(part).max(Duration::from_millis(1))),
        clock: None,
        ..turn.clone()
    }
}

/// The same limits for a search that begins now, where the whole answer is due at some time: several others may
/// follow, and a busy machine is late by a little each time.
pub fn in_time(limits: Limits, due: Option<Instant>) -> Limits {
    let left = due.map(|due| due.saturating_duration_since(Instant::now()) / 4);
    Limits { move_time: limits.move_time.into_iter().chain(left).min(), ..limits }
}

/// What a line is worth to the side to move, which is even with this score; a proven end is worth more than any score.
fn value(line: &Line, even: i32) -> i32 {
    match line.win_in {
        Some(plies) if plies != 0 => plies.signum() * (WON - plies.abs()),
        _ => line.score.saturating_sub(even).clamp(-WON / 2, WON / 2),
    }
}

fn is_proven(value: i32) -> bool {
    value.abs() > WON / 2
}

/// What the n-th best fifth move leaves to Black: White takes the worst of n.
fn nth(values: &[i32], n: usize) -> i32 {
    values.get(n.max(1) - 1).or(values.last()).copied().unwrap_or_default()
}

/// The number of fifth moves that leaves the sides most even, with what it leaves to Black.
fn evenest(values: &[i32]) -> (u8, i32) {
    let numbered = (1..).zip(values.iter().copied());
    numbered.min_by_key(|(_, value)| value.unsigned_abs()).unwrap_or((1, 0))
}

/// A fourth stone, and what Black's fifth moves after it are worth to Black, the best first.
type Fourth = (Cell, Vec<i32>);

struct Chooser<'a, 't> {
    negotiation: &'a Negotiation,
    demand: Demand,
    random: Random,
    think: Think<'t>,
}

impl Chooser<'_, '_> {
    fn choose(&mut self) -> Option<Vec<Act>> {
        match self.demand.want {
            Want::Count(most) => self.count(most),
            Want::Fifths(count) => self.fifths(count.into()),
            Want::Pick(_) => self.pick(),
            Want::Stone(..) if self.fifths_are_set() => self.fourth(),
            Want::Stone(..) if self.demand.swap.is_some() => self.swap_or_stone(),
            Want::Stone(..) => self.lay(1.0).map(|(_, acts)| acts),
        }
    }

    fn position(&self) -> Position {
        self.negotiation.position().clone()
    }

    fn stones(&self) -> usize {
        self.negotiation.position().plies().len()
    }

    /// The first cells of the best lines for the side to move, no two alike, with what they are worth.
    fn best(&mut self, position: &Position, lines: usize, part: f64) -> Option<Vec<(Cell, i32)>> {
        let before: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
        let rules = position.rules();
        let lies = |symmetry| seen_through(symmetry, &before, rules);
        let same = symmetries(rules);
        let twins = if lines > 1 { same.iter().filter(|way| lies(**way) == lies(same[0])).count() } else { 1 };
        let found = (self.think)(position, lines * twins.min(4), part)?;
        let for_black = even(self.demand.rule, rules);
        let even = if position.to_move() == Stone::Black { for_black } else { -for_black };
        let mut seen: Vec<Vec<Cell>> = Vec::new();
        let mut best = Vec::new();
        for line in &found.info.lines {
            let Some(&cell) = line.cells.first() else { continue };
            let shape = canonical(&[&before[..], &[cell]].concat(), rules);
            if best.len() < lines.max(1) && !seen.contains(&shape) {
                seen.push(shape);
                best.push((cell, value(line, even)));
            }
        }
        if best.is_empty() {
            best.extend(found.turn.first().map(|&cell| (cell, 0)));
        }
        Some(best)
    }

    /// What the position is worth to the side to move.
    fn worth(&mut self, position: &Position, part: f64) -> Option<i32> {
        Some(self.best(position, 1, part)?.first().map_or(0, |&(_, value)| value))
    }

    /// What so many fifth moves are worth to Black, who moves, the best first.
    fn fifth_values(&mut self, position: &Position, count: usize, part: f64) -> Option<Vec<i32>> {
        let mut values: Vec<i32> = self.best(position, count, part)?.into_iter().map(|(_, value)| value).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        Some(values)
    }

    /// Fifth moves to offer, the best first, each with what White, who looks at them one by one, leaves to Black if these
    /// are offered up to it. Whoever chooses the best of many by one look has thought too well of them, and White finds
    /// that out.
    fn offers(&mut self, position: &Position, count: usize, part: f64) -> Option<Vec<(Cell, i32)>> {
        let best = self.best(position, count, part / 4.0)?;
        let each = part * 3.0 / 4.0 / best.len().max(1) as f64;
        let (mut offers, mut left) = (Vec::new(), WON);
        for (cell, _) in best {
            let mut after = position.clone();
            if after.play(cell).is_ok() {
                left = left.min(-self.worth(&after, each)?);
                offers.push((cell, left));
            }
        }
        Some(offers)
    }

    /// White's best fourth stones, and these, each with the fifth moves after it.
    fn fourths(&mut self, three: &Position, more: Vec<Cell>, count: usize, part: f64) -> Option<Vec<Fourth>> {
        let mut cells: Vec<Cell> = self.best(three, FOURTHS, part / 4.0)?.into_iter().map(|(cell, _)| cell).collect();
        cells.extend(more);
        let each = part * 3.0 / 4.0 / cells.len().max(1) as f64;
        let mut fourths = Vec::new();
        for cell in cells {
            let mut four = three.clone();
            if four.play(cell).is_ok() {
                fourths.push((cell, self.fifth_values(&four, count, each)?));
            }
        }
        Some(fourths)
    }

    /// How many fifth moves there will be, where that is settled before the fourth stone.
    fn fifths_to_come(&self) -> Option<usize> {
        let declared = |act: &Act| if let Act::Count(count) = act { Some(usize::from(*count)) } else { None };
        match self.demand.rule {
            OpeningRule::Rif => Some(2),
            OpeningRule::Yamaguchi => self.negotiation.acts().iter().rev().find_map(declared),
            _ => None,
        }
    }

    /// Whether the fourth stone is next, and Black will offer a settled number of fifth moves after it.
    fn fifths_are_set(&self) -> bool {
        self.stones() == 3 && self.fifths_to_come().is_some()
    }

    /// Lays the fourth stone that leaves least to Black, or takes Black's part if that is still too much.
    fn fourth(&mut self) -> Option<Vec<Act>> {
        let (three, count) = (self.position(), self.fifths_to_come()?);
        let fourths = self.fourths(&three, Vec::new(), count, 0.5)?;
        let (cell, offers) = self.after_best_fourth(&three, &fourths, count, count, 0.5)?;
        let left = offers.last().map_or(0, |&(_, left)| left);
        Some(vec![if left > 0 && self.demand.swap.is_some() { Act::Swap } else { Act::Place(cell) }])
    }

    /// White's best fourth stone against so many fifth moves, and up to `most` offers after it.
    fn after_best_fourth(
        &mut self,
        three: &Position,
        fourths: &[Fourth],
        count: usize,
        most: usize,
        part: f64,
    ) -> Option<(Cell, Vec<(Cell, i32)>)> {
        let (cell, _) = fourths.iter().min_by_key(|(_, values)| nth(values, count))?;
        let mut four = three.clone();
        four.play(*cell).ok()?;
        Some((*cell, self.offers(&four, most, part)?))
    }

    /// How many fifth moves may be declared right after the one stone that is next, if that is what follows.
    fn count_after(&self) -> Option<usize> {
        let mut after = self.negotiation.clone();
        let any = after.position().legal().next().filter(|_| self.demand.places == 1)?;
        after.act(Act::Place(any)).ok()?;
        if let Want::Count(most) = after.demand()?.want { Some(most.into()) } else { None }
    }

    /// Says the number of fifth moves after which neither side is better off.
    fn count(&mut self, most: u8) -> Option<Vec<Act>> {
        let (position, most) = (self.position(), usize::from(most));
        let offers = if self.stones() == 3 {
            // White's fourth stone is still to come, and will be the best one against that number.
            let fourths = self.fourths(&position, Vec::new(), most, 0.5)?;
            let (count, _) = evenest(&worst_of_each(&fourths));
            self.after_best_fourth(&position, &fourths, count.into(), most, 0.5)?.1
        } else {
            self.offers(&position, most, 1.0)?
        };
        Some(vec![Act::Count(evenest(&lefts(&offers)).0)])
    }

    /// Lays the fourth stone with the number of fifth moves that are most even together; the other one may swap then.
    fn fourth_and_count(&mut self, most: usize, part: f64) -> Option<(u32, Vec<Act>)> {
        let drawn = self.drawn(FOURTHS).into_iter().filter_map(|(_, after)| after.last().map(|ply| ply.cell));
        let drawn = drawn.collect();
        let three = self.position();
        let fourths = self.fourths(&three, drawn, most, part / 2.0)?;
        let (cell, _) = fourths.iter().min_by_key(|(_, values)| evenest(values).1.unsigned_abs())?;
        let mut four = three.clone();
        four.play(*cell).ok()?;
        let (count, left) = evenest(&lefts(&self.offers(&four, most, part / 2.0)?));
        Some((left.unsigned_abs(), vec![Act::Place(*cell), Act::Count(count)]))
    }

    /// Offers the best fifth moves, or swaps when White would leave too little of them.
    fn fifths(&mut self, count: usize) -> Option<Vec<Act>> {
        let offers = self.offers(&self.position(), count, 1.0)?;
        if self.demand.swap.is_some() && offers.last().is_some_and(|&(_, left)| left < 0) {
            return Some(vec![Act::Swap]);
        }
        self.offer(&offers)
    }

    /// As many fifth moves as are wanted: these, and where they are too few the nearest other ones.
    fn offer(&self, best: &[(Cell, i32)]) -> Option<Vec<Act>> {
        let mut offering = self.negotiation.clone();
        if self.demand.more.is_some() {
            offering.act(Act::More).ok()?;
        }
        let begun = self.negotiation.acts().len();
        let position = self.position();
        let stones: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
        let far = |cell: &Cell| {
            let apart = |to: &Cell| u32::from(cell.column.abs_diff(to.column).max(cell.row.abs_diff(to.row)));
            (stones.iter().map(apart).min(), stones.iter().map(apart).sum::<u32>())
        };
        let mut rest: Vec<Cell> = position.legal().collect();
        rest.sort_by_key(far);
        for cell in best.iter().map(|&(cell, _)| cell).chain(rest) {
            if !matches!(offering.demand(), Some(Demand { want: Want::Fifths(_), .. })) {
                break;
            }
            // One that is like another is passed over.
            let _ = offering.act(Act::Place(cell));
        }
        Some(offering.acts()[begun..].to_vec())
    }

    /// The offered fifth move after which White, who moves next, is best off.
    fn pick(&mut self) -> Option<Vec<Act>> {
        let offered = self.negotiation.offered().to_vec();
        let (_, cell) = self.picked(offered, 1.0)?;
        Some(vec![Act::Place(cell)])
    }

    /// Which of these fifth moves White takes, and what it leaves to Black.
    fn picked(&mut self, offered: Vec<Cell>, part: f64) -> Option<(i32, Cell)> {
        self.race(offered, part, |this, cell, part| {
            let mut position = this.position();
            position.play(*cell).ok()?;
            Some(-this.worth(&position, part)?)
        })
    }

    /// The candidate with the least of what `judge` finds: every round looks deeper at the best third of the last one.
    fn race<T>(
        &mut self,
        mut field: Vec<T>,
        part: f64,
        judge: impl Fn(&mut Self, &T, f64) -> Option<i32>,
    ) -> Option<(i32, T)> {
        /// What each round takes. The last one looks about as deep as whoever answers: a shallow search is not only less
        /// sure, it thinks too little of the side to move.
        const ROUNDS: [f64; 3] = [0.15, 0.25, 0.6];
        let mut found = 0;
        for share in ROUNDS {
            let each = part * share / field.len() as f64;
            let mut ranked = Vec::new();
            for one in field {
                ranked.push((judge(self, &one, each)?, one));
            }
            ranked.sort_by_key(|(least, _)| *least);
            ranked.truncate(ranked.len().div_ceil(3));
            found = ranked.first()?.0;
            field = ranked.into_iter().map(|(_, one)| one).collect();
        }
        field.into_iter().next().map(|one| (found, one))
    }

    /// Changes sides when the one to move is worse off, else goes on with it, or takes the other way that there is.
    fn swap_or_stone(&mut self) -> Option<Vec<Act>> {
        let position = self.position();
        let two = matches!(self.demand.more, Some(More::Two | More::TwoAgain));
        let hasty = if two { Some(self.worth(&position, 0.1)?) } else { None };
        if self.demand.more == Some(More::Ten) {
            let ten = self.offers(&position, TEN, 0.2)?;
            let cells = || ten.iter().map(|&(cell, _)| cell).collect();
            // Ten that look good one by one are looked at again as White will.
            if ten.len() == TEN && ten.iter().all(|&(_, left)| left > 0) && self.picked(cells(), 0.5)?.0 > 0 {
                return self.offer(&ten);
            }
        }
        let share = match self.demand.more {
            None => 0.5,
            Some(More::Two | More::TwoAgain) => 0.4,
            Some(More::Ten) => 0.3,
        };
        let best = self.best(&position, 1, share)?;
        let Some(&(cell, value)) = best.first() else { return Some(vec![Act::Swap]) };
        // Who cannot tell which side is better leaves that to the other one: a longer search that has moved by twice what a
        // side is ahead now may move as far again.
        let doubt = hasty.map_or(0, |hasty| hasty.abs_diff(value) / 2);
        if value.unsigned_abs() < doubt
            && !is_proven(value)
            && let Some(acts) = self.two_more(doubt)
        {
            return Some(acts);
        }
        if value < 0 { Some(vec![Act::Swap]) } else { self.stone(cell) }
    }

    /// Two more stones, where some are found that are not further from even than this; once in a game.
    fn two_more(&mut self, doubt: u32) -> Option<Vec<Act>> {
        let mut more = self.negotiation.clone();
        if more.acts().contains(&Act::More) {
            return None;
        }
        more.act(Act::More).ok()?;
        let (demand, random) = (more.demand()?, self.random.clone());
        let mut chooser = Chooser { negotiation: &more, demand, random, think: &mut *self.think };
        let (lead, acts) = chooser.lay(0.5)?;
        (lead <= doubt).then(|| [vec![Act::More], acts].concat())
    }

    /// The best stone; an even one if the other may take the side after it.
    fn stone(&mut self, best: Cell) -> Option<Vec<Act>> {
        let mut after = self.negotiation.clone();
        let allowed = after.act(Act::Place(best)).is_ok();
        let next = after.demand();
        let chosen = next.is_some_and(|next| next.swap.is_some() || matches!(next.want, Want::Count(_)));
        match self.demand.places {
            _ if !allowed || chosen => self.lay(0.5).map(|(_, acts)| acts),
            1 => Some(vec![Act::Place(best)]),
            // A whole turn, in games that have several stones.
            _ => {
                let position = self.position();
                Some((self.think)(&position, 1, 0.4)?.turn.into_iter().map(Act::Place).collect())
            }
        }
    }

    /// Draws stones, as many as are to be laid in a row, and lays the most even ones; says how even they are.
    fn lay(&mut self, part: f64) -> Option<(u32, Vec<Act>)> {
        if let Some(most) = self.count_after() {
            return self.fourth_and_count(most, part);
        }
        let laid = self.stones() + usize::from(self.demand.places);
        let drawn = match (self.demand.rule, laid) {
            (OpeningRule::Rif | OpeningRule::Yamaguchi, _) | (OpeningRule::Taraguchi10, 4) => DRAWN_FOR_FIFTHS,
            _ => DRAWN,
        };
        let field = self.drawn(drawn);
        let (lead, (acts, _)) =
            self.race(field, part, |this, (_, after), part| this.unevenness(after, part).map(|lead| lead as i32))?;
        Some((lead.unsigned_abs(), acts))
    }

    /// How much the one who may choose after these stones gains by it, as the rule goes on.
    fn unevenness(&mut self, after: &Position, part: f64) -> Option<u32> {
        Some(match (self.demand.rule, after.plies().len()) {
            (OpeningRule::Rif, 3) => nth(&worst_of_each(&self.fourths(after, Vec::new(), 2, part)?), 2).unsigned_abs(),
            (OpeningRule::Yamaguchi, 3) => {
                evenest(&worst_of_each(&self.fourths(after, Vec::new(), 12, part)?)).1.unsigned_abs()
            }
            // Black offers ten if even the last of them is good, and swaps if the best is bad; else all is open.
            (OpeningRule::Taraguchi10, 4) => {
                let left = lefts(&self.offers(after, TEN, part)?);
                nth(&left, TEN).max(-nth(&left, 1)).max(0).unsigned_abs()
            }
            _ => self.worth(after, part)?.unsigned_abs(),
        })
    }
}

/// What offers leave to Black.
fn lefts(offers: &[(Cell, i32)]) -> Vec<i32> {
    offers.iter().map(|&(_, left)| left).collect()
}

/// What each number of fifth moves leaves to Black, from one on, after the fourth stone that is best against it.
fn worst_of_each(fourths: &[Fourth]) -> Vec<i32> {
    let longest = fourths.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    (1..=longest).filter_map(|n| fourths.iter().map(|(_, values)| nth(values, n)).min()).collect()
}
