//! What the search learns about cells while it runs.

use lianzi_core::Stone;

use super::board::{CELLS, Spot};

/// How often quiet cells were best before.
pub struct History([[i16; CELLS]; 2]);

impl Default for History {
    fn default() -> History {
        History([[0; CELLS]; 2])
    }
}

impl History {
    /// The highest a cell can get.
    const MOST: i32 = 8192;

    /// A cell's number.
    pub fn get(&self, stone: Stone, spot: Spot) -> i32 {
        i32::from(self.0[stone.index()][usize::from(spot)])
    }

    /// Moves a cell's number towards the limit that the bonus points to.
    pub fn add(&mut self, stone: Stone, spot: Spot, bonus: i32) {
        let entry = &mut self.0[stone.index()][usize::from(spot)];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / History::MOST) as i16;
    }

    /// Trusts what was learnt less: another position comes.
    pub fn fade(&mut self) {
        self.0.iter_mut().flatten().for_each(|entry| *entry /= 2);
    }
}
