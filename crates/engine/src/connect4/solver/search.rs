//! The search. It only ever asks whether a score is above a number; a few such questions enclose the score.

use super::bounds::{self, View};
use super::processor::{self, Processor};
use super::shape::Shape;
use super::table::{Known, Place, Tables};
use super::watch::Watch;
use super::word::Word;

/// Positions with fewer free cells are searched faster than looked up.
const LOOKED_UP: i32 = 10;
/// With so many free cells the answers are looked up before any of them is searched.
const ANSWERS_LOOKED_UP: i32 = 12;
/// With so many it pays to see first whether following proves enough after one of them.
const ANSWERS_PROVEN: i32 = 16;
/// The most columns a board may have.
pub(super) const COLUMNS: usize = 16;
/// Columns are judged side by side, as many as the widest registers hold.
const LANES: usize = 8;
/// The rank of a stone that wins by two threats at once; it is above all others.
const DECISIVE: u32 = 1 << 8;

/// A position as the search meets it: the mover cannot win at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<W> {
    /// The mover's stones.
    pub own: W,
    /// Stones of both sides and blocked cells.
    pub full: W,
    /// How many cells are free.
    pub free: i32,
}

/// The stones that may be played, the most promising first.
struct Ranked<W> {
    list: [(W, u32); COLUMNS],
    count: usize,
}

/// A board, what is known of its positions, and what ends the work.
#[derive(Debug)]
pub(super) struct Search<W, const STRIDE: u32> {
    /// The board.
    pub shape: Shape<W, STRIDE>,
    /// What is known.
    pub tables: Tables<W>,
    /// What ends the work.
    pub watch: Watch,
    /// The columns, from the middle outwards.
    columns: [W; COLUMNS],
}

impl<W: Word, const STRIDE: u32> Search<W, STRIDE> {
    /// A search with tables of at most so many bytes, and a little more for late positions.
    pub(super) fn new(shape: Shape<W, STRIDE>, bytes: usize) -> Self {
        let mut order: Vec<u32> = (0..shape.width).collect();
        order.sort_by_key(|&column| (2 * column + 1).abs_diff(shape.width));
        let mut columns = [W::ZERO; COLUMNS];
        for (mask, column) in columns.iter_mut().zip(order) {
            *mask = shape.column_mask(column);
        }
        Search { shape, tables: Tables::new(bytes), watch: Watch::default(), columns }
    }

    /// A lower bound of the score above `alpha`, or an upper bound that is not; meaningless once the watch has ended
    /// the work.
    pub(super) fn above(&mut self, node: Node<W>, alpha: i32) -> i32 {
        processor::above(self, node, alpha)
    }

    /// The columns of the stones that may be played here, from the middle outwards.
    pub(super) fn steps(&self, full: W) -> impl Iterator<Item = W> {
        let landing = self.shape.landing(full);
        self.columns.map(|column| landing & column).into_iter().filter(|step| !step.is_zero())
    }

    #[inline(always)]
    fn place(&self, own: W, full: W, free: i32) -> Place<W> {
        Place::of(self.shape.shared_key(own, full, free))
    }

    /// `above` for one node, compiled for one kind of processor.
    #[inline(always)]
    pub(super) fn visit<P: Processor>(&mut self, Node { own, full, free }: Node<W>, alpha: i32) -> i32 {
        if self.watch.tick() {
            self.tables.grow();
        }
        let shape = &self.shape;
        let other = full ^ own ^ shape.blocked;
        let threats = shape.winning(other, full);
        let landing = shape.landing(full);
        let Some(moves) = self.defences(landing, threats) else { return -(free / 2) };
        if free <= 2 {
            return 0;
        }
        // Neither side wins with its next stone.
        let mut known = Known { lower: -((free - 2) / 2), upper: (free - 1) / 2 };
        if let Some(bound) = known.answer(alpha) {
            return bound;
        }
        if moves == moves.first() {
            return -P::above(self, Node { own: other, full: full | moves, free: free - 1 }, -alpha - 1);
        }
        let place = (free >= LOOKED_UP).then(|| self.place(own, full, free));
        if let Some(place) = place {
            self.tables.of(free).prefetch(place);
        }
        let view = View { own, other, full, landing, threats, free };
        if let Some(bound) = bounds::upper(shape, &view, alpha) {
            return bound;
        }
        if let Some(found) = place.and_then(|place| self.tables.of(free).get(place)) {
            known = known.and(found);
            if let Some(bound) = known.answer(alpha) {
                return bound;
            }
        }
        if free >= ANSWERS_LOOKED_UP {
            self.prefetch_answers(&view, moves);
        }
        let ranked = self.rank(&view, moves);
        if ranked.list[0].1 >= DECISIVE {
            return (free - 1) / 2;
        }
        // Neither does the mover win with his second stone.
        known.upper = known.upper.min((free - 3) / 2);
        if known.upper <= alpha {
            return known.upper;
        }
        if let Some(bound) = self.answered(&view, &ranked, alpha) {
            return bound;
        }
        let best = self.best::<P>(&view, &ranked, alpha);
        if let (Some(place), false) = (place, self.watch.ended()) {
            let found = if best > alpha {
                Known { lower: best, ..known }
            } else {
                Known { upper: best.min(known.upper), ..known }
            };
            self.tables.of_mut(free).put(place, found);
        }
        best
    }

    /// A bound by what is known of an answer, or proven, far enough from the end.
    #[inline(always)]
    fn answered(&mut self, view: &View<W>, ranked: &Ranked<W>, alpha: i32) -> Option<i32> {
        let known = if view.free >= ANSWERS_LOOKED_UP { self.known_answer(view, ranked, alpha) } else { None };
        known.or_else(|| if view.free >= ANSWERS_PROVEN { self.proven_answer(view, ranked, alpha) } else { None })
    }

    /// The stones after which the other side does not win at once, unless there are none.
    #[inline(always)]
    fn defences(&self, landing: W, threats: W) -> Option<W> {
        let now = threats & landing;
        let wanted = if now.is_zero() { landing } else { now };
        let moves = wanted & !self.shape.below(threats);
        (now == now.first() && !moves.is_zero()).then_some(moves)
    }

    #[inline(always)]
    fn prefetch_answers(&self, view: &View<W>, mut moves: W) {
        while !moves.is_zero() {
            let step = moves.first();
            moves = moves ^ step;
            self.tables.of(view.free - 1).prefetch(self.place(view.other, view.full | step, view.free - 1));
        }
    }

    /// A lower bound above `alpha` that a look at the answers gives.
    #[inline(always)]
    fn known_answer(&self, view: &View<W>, ranked: &Ranked<W>, alpha: i32) -> Option<i32> {
        ranked.list[..ranked.count].iter().find_map(|&(step, _)| {
            let place = self.place(view.other, view.full | step, view.free - 1);
            let known = self.tables.of(view.free - 1).get(place)?;
            (-known.upper > alpha).then_some(-known.upper)
        })
    }

    /// A lower bound above `alpha` that the mover has by following after one of the stones.
    #[inline(always)]
    fn proven_answer(&self, view: &View<W>, ranked: &Ranked<W>, alpha: i32) -> Option<i32> {
        ranked.list[..ranked.count].iter().find_map(|&(step, _)| {
            let (stones, full) = (view.own | step, view.full | step);
            let answer = View {
                own: view.other,
                other: stones,
                full,
                landing: self.shape.landing(full),
                threats: self.shape.winning(stones, full),
                free: view.free - 1,
            };
            bounds::upper(&self.shape, &answer, -alpha - 1).map(|bound| -bound)
        })
    }

    #[inline(always)]
    fn rank(&self, view: &View<W>, moves: W) -> Ranked<W> {
        let (mut steps, mut count) = ([W::ZERO; COLUMNS], 0);
        for &column in &self.columns[..self.shape.width as usize] {
            steps[count] = moves & column;
            count += usize::from(!steps[count].is_zero());
        }
        let mut ranked = Ranked { list: [(W::ZERO, 0); COLUMNS], count: 0 };
        for lanes in steps[..count.next_multiple_of(LANES)].as_chunks::<LANES>().0 {
            let mut ranks = [0; LANES];
            for (rank, &step) in ranks.iter_mut().zip(lanes) {
                *rank = self.rank_of(view, step);
            }
            for (&step, rank) in lanes.iter().zip(ranks).take(count - ranked.count) {
                ranked.insert(step, rank);
            }
        }
        ranked
    }

    /// How many cells win after this stone, or that it is decisive.
    #[inline(always)]
    fn rank_of(&self, view: &View<W>, step: W) -> u32 {
        let full = view.full | step;
        let wins = self.shape.winning(view.own | step, full);
        let landing = self.shape.landing(full);
        let now = wins & landing;
        let wanted = if now.is_zero() { landing } else { now };
        let defences = wanted & !self.shape.below(wins);
        let lost = defences.is_zero() | !(now & now.minus(W::ONE)).is_zero();
        wins.count() + if lost { DECISIVE } else { 0 }
    }

    /// The best of the answers' bounds, up to the first that is above `alpha`.
    #[inline(always)]
    fn best<P: Processor>(&mut self, view: &View<W>, ranked: &Ranked<W>, alpha: i32) -> i32 {
        let mut best = i32::MIN;
        for &(step, _) in &ranked.list[..ranked.count] {
            let answer = Node { own: view.other, full: view.full | step, free: view.free - 1 };
            best = best.max(-P::above(self, answer, -alpha - 1));
            if best > alpha || self.watch.ended() {
                break;
            }
        }
        best
    }
}

impl<W: Word> Ranked<W> {
    #[inline(always)]
    fn insert(&mut self, step: W, rank: u32) {
        let mut at = self.count;
        while at > 0 && self.list[at - 1].1 < rank {
            self.list[at] = self.list[at - 1];
            at -= 1;
        }
        self.list[at] = (step, rank);
        self.count += 1;
    }
}
