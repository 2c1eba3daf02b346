//! Stones of an opening that are drawn by chance, to be judged.

use lianzi_core::opening::{Want, Zone};
use lianzi_core::symmetry::canonical;
use lianzi_core::{Act, Cell, Position};

use super::Chooser;

impl Chooser<'_, '_> {
    /// Up to so many different ways to lay the stones that are next.
    pub(super) fn drawn(&mut self, count: usize) -> Vec<(Vec<Act>, Position)> {
        let mut drawn: Vec<(Vec<Act>, Position)> = Vec::new();
        let mut seen: Vec<Vec<Cell>> = Vec::new();
        // Draws that do not fit, or that were drawn before, do not count; a small zone has few.
        for _ in 0..4 * count {
            let Some((acts, after)) = self.draw() else { continue };
            let cells: Vec<Cell> = after.plies().iter().map(|ply| ply.cell).collect();
            let shape = canonical(&cells, after.rules());
            if drawn.len() < count && !seen.contains(&shape) {
                seen.push(shape);
                drawn.push((acts, after));
            }
        }
        drawn
    }

    /// Stones for a whole stretch of the opening, each where it may lie; nothing when a draw does not fit.
    fn draw(&mut self) -> Option<(Vec<Act>, Position)> {
        const SIDE: u8 = 5;
        let mut laid = self.negotiation.clone();
        let begun = laid.acts().len();
        let rules = *laid.position().rules();
        // Near an edge a first stone is worth less, so even ones are found: a small square anywhere.
        let mut corner = |length: u8| self.random.below(usize::from(length.saturating_sub(SIDE)) + 1) as u8;
        let (left, low) = (corner(rules.width), corner(rules.height));
        let whole = laid.position().plies().is_empty();
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
