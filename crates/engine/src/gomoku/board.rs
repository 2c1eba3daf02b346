//! A board that knows, for every empty cell and both sides, what a stone there would make of its four lines.
//!
//! Each line of the board is one word of two bits a cell, walls beyond the edges. A stone changes the shapes of the
//! cells up to four or five steps away along its lines; each is one look into the table of shapes, one into the table
//! of meanings. What a stone changed is kept and put back when it is taken away.

use std::sync::Arc;

use lianzi_core::{Cell, Forbidden, Position, Rules, Stone};

use super::kind::{KINDS, Kind, unpack};
use super::knowledge::Knowledge;
use super::shape::Shape;
use super::spot::{CELLS, MARGIN, Spot, along, cell, key, line_of, side_key, spot, stone_key};
use super::weights::{PARTS, mask};
use crate::board::Fouls;
use crate::network::{CHANNELS, Network, Pool};

/// What the board knows of an empty cell. Indices are sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Four shapes of four bits each, one for every line.
    shapes: [u16; 2],
    codes: [u16; 2],
    /// What a stone would threaten.
    pub kinds: [Kind; 2],
    /// What the cell adds to the evaluation when this side is to move.
    values: [i16; 2],
    /// How good a stone looks here.
    pub scores: [i16; 2],
}

impl Look {
    /// Whether a stone of this side here neither threatens nor stops anything.
    #[inline(always)]
    pub fn is_calm(&self, stone: Stone) -> bool {
        self.kinds[stone.index()] < Kind::Three && self.kinds[stone.other().index()] < Kind::Four
    }
}

/// What changes with every stone and is cheaper to keep than to undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sums {
    counts: [[u8; KINDS]; 2],
    values: [i32; 2],
    hash: u64,
}

#[derive(Clone, Copy)]
struct Played {
    spot: Spot,
    sums: Sums,
    changed: usize,
    /// For which sides the network has looked at it.
    pooled: [bool; 2],
}

const EMPTY: u8 = 0;
const WALL: u8 = 3;

/// The board.
#[derive(Clone)]
pub struct GomokuBoard {
    knowledge: Arc<Knowledge>,
    looks: Box<[Look; CELLS]>,
    contents: Box<[u8; CELLS]>,
    lines: Box<[[u64; 64]; 4]>,
    /// One bit for every stone, row by row.
    stones: [u32; 32],
    /// One bit for every cell where stones may lie.
    playable: [u32; 32],
    fouls: Option<Box<Fouls>>,
    sums: Sums,
    played: Vec<Played>,
    changed: Vec<(Spot, Look)>,
    network: Option<Arc<Network>>,
    /// What the network keeps for each side, and what that was before each stone it has looked at.
    pools: [Pool; 2],
    pooled: [Vec<Pool>; 2],
    to_move: Stone,
    free: u16,
}

impl GomokuBoard {
    /// The board of a position whose rules it plays.
    pub fn new(position: &Position, knowledge: &Arc<Knowledge>) -> GomokuBoard {
        let rules = position.rules();
        let stones: Vec<(Cell, Stone)> = rules.cells().filter_map(|cell| Some((cell, position.stone(cell)?))).collect();
        let mut board = GomokuBoard::empty(rules, knowledge);
        for (cell, stone) in stones {
            board.put(spot(cell), stone);
        }
        board.pool(0);
        board.pool(1);
        board.played.clear();
        board.changed.clear();
        board.pooled.iter_mut().for_each(Vec::clear);
        board.to_move = position.to_move();
        board
    }

    /// A new board of a position of the same game.
    pub fn remade(&self, position: &Position) -> GomokuBoard {
        GomokuBoard::new(position, &self.knowledge)
    }

    /// The same board for whoever evaluates nothing, and so needs no network.
    pub fn unjudged(&self) -> GomokuBoard {
        GomokuBoard { network: None, ..self.clone() }
    }

    fn empty(rules: &Rules, knowledge: &Arc<Knowledge>) -> GomokuBoard {
        let mut board = GomokuBoard {
            knowledge: Arc::clone(knowledge),
            looks: Box::new([Look::default(); CELLS]),
            contents: Box::new([WALL; CELLS]),
            lines: Box::new([[u64::MAX; 64]; 4]),
            stones: [0; 32],
            playable: [0; 32],
            fouls: (rules.forbidden == Forbidden::Renju).then(|| Box::new(Fouls::new(rules))),
            sums: Sums { counts: [[0; KINDS]; 2], values: [0; 2], hash: 0 },
            played: Vec::with_capacity(256),
            changed: Vec::with_capacity(4096),
            network: knowledge.network.clone(),
            pools: [[0; CHANNELS]; 2],
            pooled: [Vec::new(), Vec::new()],
            to_move: Stone::Black,
            free: rules.capacity() as u16,
        };
        let spots: Vec<Spot> = rules.cells().filter(|&cell| !rules.blocked.contains(cell)).map(spot).collect();
        for &spot in &spots {
            board.contents[usize::from(spot)] = EMPTY;
            board.playable[usize::from(spot >> 5)] |= 1 << (spot & 31);
            board.flip(spot, u64::from(WALL));
        }
        for &spot in &spots {
            board.look_at(spot);
        }
        board
    }

    /// Looks at an empty cell for the first time.
    fn look_at(&mut self, spot: Spot) {
        let mut words = [0u16; 2];
        for direction in 0..4 {
            let (line, place) = line_of(spot, direction);
            let byte =
                self.knowledge.shapes.get(key(self.lines[direction][line], place, self.knowledge.shapes.reach()));
            words[0] |= u16::from(byte & 15) << (4 * direction);
            words[1] |= u16::from(byte >> 4) << (4 * direction);
        }
        let look = self.understand(words);
        self.looks[usize::from(spot)] = look;
        self.sums.count(&look, 1);
        if let Some(network) = &self.network {
            (0..2).for_each(|side| network.include(&mut self.pools[side], side, look.codes));
        }
    }

    #[inline(always)]
    fn understand(&self, shapes: [u16; 2]) -> Look {
        let codes = [self.knowledge.code(shapes[0], 0), self.knowledge.code(shapes[1], 1)];
        let [black, white] = codes.map(|code| self.knowledge.meaning(code));
        Look {
            shapes,
            codes,
            kinds: [black.kind, white.kind],
            values: [black.worth.lead - white.worth.lag, white.worth.lead - black.worth.lag],
            scores: [black.worth.attack + white.worth.defence, white.worth.attack + black.worth.defence],
        }
    }

    /// Changes the two bits of a cell in all four lines.
    #[inline(always)]
    fn flip(&mut self, spot: Spot, bits: u64) {
        for direction in 0..4 {
            let (line, place) = line_of(spot, direction);
            self.lines[direction][line] ^= bits << (2 * place);
        }
    }

    /// How many sides have weights of their own.
    pub fn sides(&self) -> usize {
        if self.fouls.is_some() { 2 } else { 1 }
    }

    /// The side to move.
    pub fn to_move(&self) -> Stone {
        self.to_move
    }

    /// How many cells are empty.
    pub fn free(&self) -> usize {
        usize::from(self.free)
    }

    /// A number that tells positions apart.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.sums.hash ^ side_key(self.to_move)
    }

    /// What the number would be after a stone of the side to move.
    #[inline(always)]
    pub fn hash_after(&self, spot: Spot) -> u64 {
        self.sums.hash ^ stone_key(spot, self.to_move) ^ side_key(self.to_move.other())
    }

    /// The stone played so many plies ago, 0 for the last.
    pub fn before(&self, plies: usize) -> Option<Spot> {
        self.played.iter().rev().nth(plies).map(|played| played.spot)
    }

    /// How many empty cells are of a kind for a side.
    #[inline(always)]
    pub fn count(&self, stone: Stone, kind: Kind) -> usize {
        usize::from(self.sums.counts[stone.index()][kind as usize])
    }

    /// Whether a side can make a four or five anywhere.
    #[inline(always)]
    pub fn has_fours(&self, stone: Stone) -> bool {
        self.sums.counts[stone.index()][Kind::Four as usize..].iter().any(|&count| count > 0)
    }

    /// What the board knows of an empty cell.
    #[inline(always)]
    pub fn look(&self, spot: Spot) -> &Look {
        &self.looks[usize::from(spot & 1023)]
    }

    /// The shape a stone of this side would make in one line.
    pub fn shape(&self, spot: Spot, stone: Stone, direction: usize) -> Shape {
        self.shapes(spot, stone)[direction]
    }

    /// The shapes a stone of this side would make in its four lines.
    pub fn shapes(&self, spot: Spot, stone: Stone) -> [Shape; 4] {
        unpack(self.look(spot).shapes[stone.index()])
    }

    /// What a stone of this side on an empty cell would threaten if the other side had one on another empty cell of
    /// the same line.
    pub fn kind_against(&self, spot: Spot, stone: Stone, direction: usize, against: Spot) -> Kind {
        let (line, place) = line_of(spot, direction);
        let blocked = (1 + stone.other().index() as u64) << (2 * line_of(against, direction).1);
        let reach = self.knowledge.shapes.reach();
        let byte = self.knowledge.shapes.get(key(self.lines[direction][line] | blocked, place, reach));
        let shape = if stone == Stone::Black { byte & 15 } else { byte >> 4 };
        let shift = 4 * direction as u32;
        let word = self.look(spot).shapes[stone.index()] & !(15 << shift) | u16::from(shape) << shift;
        self.knowledge.meaning(self.knowledge.code(word, stone.index())).kind
    }

    /// The threats of both sides.
    pub fn mask(&self) -> usize {
        let counts = &self.sums.counts;
        mask(&counts[self.to_move.index()], &counts[self.to_move.other().index()])
    }

    /// Whether a cell is empty.
    #[inline(always)]
    pub fn is_empty(&self, spot: Spot) -> bool {
        self.contents[usize::from(spot & 1023)] == EMPTY
    }

    /// Whose stone lies on a cell.
    pub fn stone(&self, spot: Spot) -> Option<Stone> {
        match self.contents[usize::from(spot & 1023)] {
            1 => Some(Stone::Black),
            2 => Some(Stone::White),
            _ => None,
        }
    }

    /// Whether the side to move may not play on an empty cell.
    pub fn is_foul(&mut self, spot: Spot) -> bool {
        self.to_move == Stone::Black && self.is_black_foul(spot)
    }

    /// Whether Black may not play on an empty cell.
    pub fn is_black_foul(&mut self, spot: Spot) -> bool {
        let suspect = self.look(spot).kinds[0] == Kind::Foul;
        match &mut self.fouls {
            Some(fouls) if suspect => fouls.is_foul(cell(spot)),
            _ => false,
        }
    }

    /// The code of a side's shapes on an empty cell.
    pub fn code(&self, spot: Spot, stone: Stone) -> u16 {
        self.look(spot).codes[stone.index()]
    }

    /// Whether the rules know fouls.
    pub fn has_fouls(&self) -> bool {
        self.fouls.is_some()
    }

    /// Whether a stone of a side on an empty cell would make a three of any sort, or more, in one of its lines.
    #[inline(always)]
    pub fn makes_three(&self, spot: Spot, stone: Stone) -> bool {
        self.makes(spot, stone, Shape::Three)
    }

    /// Whether it would make an open two, or more.
    #[inline(always)]
    pub fn makes_two(&self, spot: Spot, stone: Stone) -> bool {
        self.makes(spot, stone, Shape::OpenTwo)
    }

    #[inline(always)]
    fn makes(&self, spot: Spot, stone: Stone, least: Shape) -> bool {
        let word = self.look(spot).shapes[stone.index()];
        [0, 4, 8, 12].iter().any(|&shift| (word >> shift & 15) >= least as u16)
    }

    /// What the position is worth to the side to move, in points.
    pub fn evaluate(&mut self) -> i32 {
        let (mask, own) = (self.mask(), self.to_move.index());
        self.pool(own);
        let fitted = self.sums.values[own] / PARTS + i32::from(self.knowledge.initiative[mask]);
        match &self.network {
            Some(network) => fitted + network.correction(&self.pools[own], mask, fitted, self.free()),
            None => fitted,
        }
    }

    /// Lets the network look at what the last stone changed for a side. Most stones are taken back after one side was
    /// evaluated, or none, so this waits until somebody asks or the next stone comes.
    #[inline(always)]
    fn pool(&mut self, side: usize) {
        let GomokuBoard { network, looks, played, changed, pools, pooled, .. } = self;
        let (Some(network), Some(last)) = (network, played.last_mut()) else { return };
        if std::mem::replace(&mut last.pooled[side], true) {
            return;
        }
        let pool = &mut pools[side];
        pooled[side].push(*pool);
        let Some(((_, own), others)) = changed[last.changed..].split_first() else { return };
        network.remove(pool, side, own.codes);
        for (spot, old) in others {
            network.exchange(pool, side, old.codes, looks[usize::from(spot & 1023)].codes);
        }
    }

    /// Puts a stone of the side to move on an empty cell.
    #[inline]
    pub fn play(&mut self, spot: Spot) {
        self.put(spot, self.to_move);
        self.to_move = self.to_move.other();
    }

    /// Leaves the turn to the other side.
    pub fn pass(&mut self) {
        self.to_move = self.to_move.other();
    }

    fn put(&mut self, spot: Spot, stone: Stone) {
        debug_assert!(self.is_empty(spot));
        self.pool(0);
        self.pool(1);
        self.played.push(Played { spot, sums: self.sums, changed: self.changed.len(), pooled: [false; 2] });
        let own = self.looks[usize::from(spot)];
        self.changed.push((spot, own));
        self.sums.count(&own, -1);
        self.sums.hash ^= stone_key(spot, stone);
        self.looks[usize::from(spot)] = Look::default();
        self.set(spot, stone);
        match self.knowledge.shapes.reach() {
            4 => self.look_around::<4>(spot),
            _ => self.look_around::<5>(spot),
        }
    }

    /// The stone itself, without what it means: puts it down, or takes it off again.
    #[inline(always)]
    fn set(&mut self, spot: Spot, stone: Stone) {
        let content = 1 + stone.index() as u8;
        self.contents[usize::from(spot & 1023)] ^= content;
        self.flip(spot, content.into());
        self.stones[usize::from(spot >> 5) & 31] ^= 1 << (spot & 31);
        let taken = self.is_empty(spot);
        self.free = if taken { self.free + 1 } else { self.free - 1 };
        match &mut self.fouls {
            Some(fouls) if taken => fouls.take(cell(spot), stone),
            Some(fouls) => fouls.put(cell(spot), stone),
            None => {}
        }
    }

    /// Looks again at the cells a new stone can matter to.
    #[inline(always)]
    fn look_around<const REACH: usize>(&mut self, spot: Spot) {
        for direction in 0..4 {
            let (line, place) = line_of(spot, direction);
            let word = self.lines[direction][line];
            for n in 0..2 * REACH + 1 {
                let near = along(spot, direction, n as i16 - REACH as i16);
                if !self.is_empty(near) {
                    continue;
                }
                let byte = self.knowledge.shapes.get(key(word, place + n - REACH, REACH));
                self.renew(near, direction, byte);
            }
        }
    }

    #[inline(always)]
    fn renew(&mut self, spot: Spot, direction: usize, byte: u8) {
        let look = self.looks[usize::from(spot & 1023)];
        let shift = 4 * direction as u32;
        let with = |word: u16, shape: u8| word & !(15 << shift) | u16::from(shape) << shift;
        let shapes = [with(look.shapes[0], byte & 15), with(look.shapes[1], byte >> 4)];
        if shapes != look.shapes {
            let new = self.understand(shapes);
            self.changed.push((spot, look));
            self.looks[usize::from(spot & 1023)] = new;
            self.sums.exchange(&look, &new);
        }
    }

    /// Takes back the last stone.
    #[inline]
    pub fn undo(&mut self) {
        let Some(Played { spot, sums, changed, pooled }) = self.played.pop() else { return };
        self.to_move = self.to_move.other();
        self.set(spot, self.to_move);
        self.sums = sums;
        for side in (0..2).filter(|&side| pooled[side]) {
            self.pools[side] = self.pooled[side].pop().unwrap_or(self.pools[side]);
        }
        for &(spot, look) in &self.changed[changed..] {
            self.looks[usize::from(spot & 1023)] = look;
        }
        self.changed.truncate(changed);
    }

    /// Calls `take` with every empty cell at most two steps from a stone: all that can matter soon.
    #[inline(always)]
    pub fn near(&self, mut take: impl FnMut(Spot)) {
        let wide = self.stones.map(|row| row | row << 1 | row >> 1 | row << 2 | row >> 2);
        for row in MARGIN..32 - MARGIN {
            let reached = wide[row - 2] | wide[row - 1] | wide[row] | wide[row + 1] | wide[row + 2];
            let mut left = reached & self.playable[row] & !self.stones[row];
            while left != 0 {
                take((row << 5) as Spot | left.trailing_zeros() as Spot);
                left &= left - 1;
            }
        }
    }

    /// Every empty cell, whatever lies around.
    pub fn empty_spots(&self) -> impl Iterator<Item = Spot> + '_ {
        (0..CELLS as Spot).filter(|&spot| self.is_empty(spot))
    }

    /// The empty cells of at least a kind for a side, at most two steps from a stone.
    pub fn at_least(&self, stone: Stone, kind: Kind, take: &mut Vec<Spot>) {
        self.near(|spot| {
            if self.look(spot).kinds[stone.index()] >= kind {
                take.push(spot);
            }
        });
    }

    /// The first empty cell of a kind for a side.
    pub fn find(&self, stone: Stone, kind: Kind) -> Option<Spot> {
        let mut found = None;
        self.near(|spot| {
            if found.is_none() && self.look(spot).kinds[stone.index()] == kind {
                found = Some(spot);
            }
        });
        found
    }
}

impl Sums {
    #[inline(always)]
    fn count(&mut self, look: &Look, by: i8) {
        for side in 0..2 {
            let count = &mut self.counts[side][look.kinds[side] as usize];
            *count = count.wrapping_add_signed(by);
            self.values[side] += i32::from(look.values[side]) * i32::from(by);
        }
    }

    #[inline(always)]
    fn exchange(&mut self, old: &Look, new: &Look) {
        for side in 0..2 {
            let counts = &mut self.counts[side];
            counts[old.kinds[side] as usize] = counts[old.kinds[side] as usize].wrapping_sub(1);
            counts[new.kinds[side] as usize] = counts[new.kinds[side] as usize].wrapping_add(1);
            self.values[side] += i32::from(new.values[side]) - i32::from(old.values[side]);
        }
    }
}
