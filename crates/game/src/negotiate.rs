//! How an engine takes part in an opening, whatever its rule: what it cannot know it searches.
//!
//! Stones after which the other one may choose a side are the most even of several that were drawn; a swap is made when
//! the side to move is worse off; the number of fifth moves is the one that makes the last of them even, for White takes the
//! worst; and of fifth moves that are offered the one that is best for White is chosen. An engine that is held back
//! decides worse, because it searches worse.

use lianzi_core::opening::{Want, Zone};
use lianzi_core::symmetry::canonical;
use lianzi_core::{Act, Cell, Demand, Negotiation, OpeningRule, Position, Random, mix};
use lianzi_engine::{Best, Info, Line};

/// How many openings, or stones, an engine compares.
const DRAWN: usize = 8;
/// How many it compares where each takes two searches.
const DRAWN_TWICE: usize = 5;
/// Further from even than any score.
const WON: i32 = 1_000_000;

/// Thinks about a position: so many lines, with this share of the time of a turn. Nothing if it failed.
pub type Think<'a> = &'a mut dyn FnMut(&Position, usize, u32) -> Option<Best>;

/// What an engine does next: at least one act, all of them its own. Nothing if its search failed.
pub fn choose(negotiation: &Negotiation, seed: u64, think: Think<'_>) -> Option<Vec<Act>> {
    let demand = negotiation.demand()?;
    let random = Random::new(mix(seed ^ mix(negotiation.acts().len() as u64)));
    Chooser { negotiation, demand, random, think, rest: 1 }.choose()
}

/// How far from even a search finds a position.
pub fn lead(info: &Info) -> u32 {
    info.lines.first().map_or(0, |line| value(line).unsigned_abs())
}

/// What a line is worth to the side to move, a proven end more than any score.
fn value(line: &Line) -> i32 {
    match line.win_in {
        Some(plies) if plies != 0 => plies.signum() * (WON - plies.abs()),
        _ => line.score.clamp(-WON / 2, WON / 2),
    }
}

struct Chooser<'a, 't> {
    negotiation: &'a Negotiation,
    demand: Demand,
    random: Random,
    think: Think<'t>,
    /// The share of the time that is left for what comes now, as a fraction of it.
    rest: u32,
}

impl Chooser<'_, '_> {
    fn choose(&mut self) -> Option<Vec<Act>> {
        match self.demand.want {
            Want::Count(most) => Some(vec![Act::Count(self.fairest_count(most)?)]),
            Want::Fifths(count) => self.fifths(count),
            Want::Pick(_) => self.pick(),
            Want::Stone(..) if self.demand.swap.is_some() => self.swap_or_stone(),
            Want::Stone(..) => self.lay(),
        }
    }

    fn position(&self) -> &Position {
        self.negotiation.position()
    }

    /// The first cells of the best lines for the side to move, no two alike, with what they are worth.
    fn best(&mut self, position: &Position, lines: usize, share: u32) -> Option<Vec<(Cell, i32)>> {
        let found = (self.think)(position, lines, share)?;
        let before: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
        let mut seen: Vec<Vec<Cell>> = Vec::new();
        let mut best = Vec::new();
        for line in &found.info.lines {
            let Some(&cell) = line.cells.first() else { continue };
            let shape = canonical(&[&before[..], &[cell]].concat(), position.rules());
            if !seen.contains(&shape) {
                seen.push(shape);
                best.push((cell, value(line)));
            }
        }
        if best.is_empty() {
            best.extend(found.turn.first().map(|&cell| (cell, 0)));
        }
        Some(best)
    }

    /// What the position is worth to the side to move.
    fn worth(&mut self, position: &Position, share: u32) -> Option<i32> {
        Some(self.best(position, 1, share)?.first().map_or(0, |&(_, value)| value))
    }

    /// What a number of fifth moves leaves to Black, from one on: White takes the worst of them.
    fn left_to_black(&mut self, position: &Position, most: u8, share: u32) -> Option<Vec<i32>> {
        let mut values: Vec<i32> =
            self.best(position, most.into(), share)?.into_iter().map(|(_, value)| value).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        Some(values)
    }

    /// The number of fifth moves after which neither side is better off.
    fn fairest_count(&mut self, most: u8) -> Option<u8> {
        let mut position = self.position().clone();
        let whites = position.to_move() == lianzi_core::Stone::White;
        if whites {
            // The fourth stone is still to come: the best one for White.
            let (cell, _) = *self.best(&position, 1, 2)?.first()?;
            position.play(cell).ok()?;
        }
        let values = self.left_to_black(&position, most, if whites { 2 } else { 1 })?;
        let even = values.iter().enumerate().min_by_key(|(_, value)| value.unsigned_abs());
        Some(even.map_or(1, |(n, _)| n as u8 + 1))
    }

    /// Offers the best fifth moves, or swaps when they are not good enough.
    fn fifths(&mut self, count: u8) -> Option<Vec<Act>> {
        let position = self.position().clone();
        let best = self.best(&position, count.into(), 1)?;
        let worst = best.iter().map(|&(_, value)| value).min().unwrap_or(0);
        if self.demand.swap.is_some() && worst < 0 {
            return Some(vec![Act::Swap]);
        }
        self.offer(&best)
    }

    /// As many fifth moves as are wanted: these, and where they are too few the nearest other ones.
    fn offer(&self, best: &[(Cell, i32)]) -> Option<Vec<Act>> {
        let mut offering = self.negotiation.clone();
        if self.demand.more.is_some() {
            offering.act(Act::More).ok()?;
        }
        let begun = self.negotiation.acts().len();
        let stones: Vec<Cell> = self.position().plies().iter().map(|ply| ply.cell).collect();
        let far = |cell: &Cell| {
            let apart = |to: &Cell| u32::from(cell.column.abs_diff(to.column).max(cell.row.abs_diff(to.row)));
            (stones.iter().map(apart).min(), stones.iter().map(apart).sum::<u32>())
        };
        let mut rest: Vec<Cell> = self.position().legal().collect();
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
        let mut best: Option<(i32, Cell)> = None;
        for &cell in &offered {
            let mut position = self.position().clone();
            position.play(cell).ok()?;
            let worth = self.worth(&position, offered.len() as u32)?;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, cell));
            }
        }
        best.map(|(_, cell)| vec![Act::Place(cell)])
    }

    /// Changes sides when the one to move is worse off, else goes on with it.
    fn swap_or_stone(&mut self) -> Option<Vec<Act>> {
        const TEN: usize = 10;
        let position = self.position().clone();
        let ten = self.demand.more == Some(lianzi_core::opening::More::Ten);
        let best = self.best(&position, if ten { TEN } else { 1 }, 2)?;
        self.rest = 2;
        if ten && best.len() == TEN && best.iter().all(|&(_, value)| value > 0) {
            return self.offer(&best);
        }
        match best.first() {
            Some(&(_, value)) if value < 0 => Some(vec![Act::Swap]),
            Some(&(cell, _)) => self.stone(cell),
            None => Some(vec![Act::Swap]),
        }
    }

    /// The best stone; an even one if the other may take the side after it.
    fn stone(&mut self, best: Cell) -> Option<Vec<Act>> {
        let mut after = self.negotiation.clone();
        let allowed = after.act(Act::Place(best)).is_ok();
        let next = after.demand();
        let chosen = next.is_some_and(|next| next.swap.is_some() || matches!(next.want, Want::Count(_)));
        if allowed && !chosen {
            let turn = usize::from(self.demand.places);
            return if turn == 1 { Some(vec![Act::Place(best)]) } else { self.turn() };
        }
        self.lay()
    }

    /// A whole turn, in games that have several stones.
    fn turn(&mut self) -> Option<Vec<Act>> {
        let position = self.position().clone();
        Some((self.think)(&position, 1, 2)?.turn.into_iter().map(Act::Place).collect())
    }

    /// Draws stones, as many as are to be laid in a row, and lays the most even ones.
    fn lay(&mut self) -> Option<Vec<Act>> {
        let deep = matches!(self.demand.rule, OpeningRule::Rif | OpeningRule::Yamaguchi);
        let drawn = if deep { DRAWN_TWICE } else { DRAWN };
        let share = self.rest * if deep { 2 * drawn } else { drawn } as u32;
        let mut best: Option<(u32, Vec<Act>)> = None;
        let mut seen: Vec<Vec<Cell>> = Vec::new();
        // Draws that do not fit, or that were drawn before, do not count; a small zone has few.
        for _ in 0..4 * drawn {
            let Some((acts, after)) = self.draw() else { continue };
            let cells: Vec<Cell> = after.plies().iter().map(|ply| ply.cell).collect();
            let shape = canonical(&cells, after.rules());
            if seen.contains(&shape) || seen.len() == drawn {
                continue;
            }
            seen.push(shape);
            let lead = self.unevenness(&after, share)?;
            if best.as_ref().is_none_or(|(least, _)| lead < *least) {
                best = Some((lead, acts));
            }
        }
        best.map(|(_, acts)| acts)
    }

    /// How far from even the sides are once the stones lie, as the rule goes on.
    fn unevenness(&mut self, after: &Position, share: u32) -> Option<u32> {
        let most = match self.demand.rule {
            OpeningRule::Rif => 2,
            OpeningRule::Yamaguchi => 8,
            _ => return Some(self.worth(after, share)?.unsigned_abs()),
        };
        let (fourth, _) = *self.best(after, 1, share)?.first()?;
        let mut position = after.clone();
        position.play(fourth).ok()?;
        let values = self.left_to_black(&position, most, share)?;
        match most {
            2 => values.last().map(|value| value.unsigned_abs()),
            _ => values.iter().map(|value| value.unsigned_abs()).min(),
        }
    }

    /// Stones for a whole stretch of the opening, each where it may lie; nothing when a draw does not fit.
    fn draw(&mut self) -> Option<(Vec<Act>, Position)> {
        const SIDE: u8 = 5;
        let mut laid = self.negotiation.clone();
        let begun = laid.acts().len();
        let rules = *self.position().rules();
        // Near an edge a first stone is worth less, so even ones are found: a small square anywhere.
        let mut corner = |length: u8| self.random.below(usize::from(length.saturating_sub(SIDE)) + 1) as u8;
        let (left, low) = (corner(rules.width), corner(rules.height));
        let whole = self.position().plies().is_empty();
        let near = |cell: &Cell| cell.column.wrapping_sub(left) < SIDE && cell.row.wrapping_sub(low) < SIDE;
        for _ in 0..self.demand.places {
            let Want::Stone(_, zone) = laid.demand()?.want else { break };
            let mut cells: Vec<Cell> = laid.position().legal().filter(|&cell| zone.contains(cell, &rules)).collect();
            if zone == Zone::Anywhere {
                let close: Vec<Cell> = match whole {
                    true => cells.iter().copied().filter(near).collect(),
                    false => cells.iter().copied().filter(|cell| touches(laid.position(), *cell)).collect(),
                };
                cells = if close.is_empty() { cells } else { close };
            }
            let cell = *cells.get(self.random.below(cells.len().max(1)))?;
            laid.act(Act::Place(cell)).ok()?;
        }
        let position = laid.position().clone();
        position.outcome().is_none().then(|| (laid.acts()[begun..].to_vec(), position))
    }
}

/// Whether a cell lies within two cells of a stone.
fn touches(position: &Position, cell: Cell) -> bool {
    let near = |other: Cell| cell.column.abs_diff(other.column) <= 2 && cell.row.abs_diff(other.row) <= 2;
    position.plies().iter().any(|ply| near(ply.cell))
}
