//! Proofs of wins by force: every stone of the attacker threatens, and every answer is looked at.
//!
//! Depth-first proof-number search. The attacker plays fours, or fours and open threes, or beside them quiet stones
//! that lead to a double threat; the defender answers a four on the one cell that stops it, an open three on every cell
//! that may stop it or by a four of his own: anything else loses at once. Stones are never taken away, so positions cannot repeat and the table never lies.

use lianzi_core::Stone;

use super::board::GomokuBoard;
use super::kind::Kind;
use super::moves::{double_stops, doubles, has_double, stops};
use super::spot::Spot;
use crate::numbers::{Choice, Map, Numbers};
use crate::time::Budget;

/// What the attacker may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Fours only.
    Fours,
    /// Fours and open threes.
    Threes,
    /// Those, and quiet stones that make a double threat possible: a four and a three, or two threes.
    Quiet,
}

impl Means {
    pub(super) const fn weakest(self) -> Kind {
        match self {
            Means::Fours => Kind::Four,
            Means::Threes | Means::Quiet => Kind::Three,
        }
    }
}

/// A search for a proof.
pub(crate) struct Prover<'a> {
    pub(super) board: GomokuBoard,
    pub(super) attacker: Stone,
    pub(super) means: Means,
    known: Map<Numbers>,
    nodes: u64,
    limit: u64,
    time: Option<&'a Budget<'a>>,
}

/// The attacker's stone in every position that can come about.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    pub(super) stones: Map<Spot>,
    /// Where the defender may play anywhere: answers that stand for all outside of their zones.
    pub(super) idle: Map<Vec<Spot>>,
    /// The line in which the defender holds out longest.
    pub line: Vec<Spot>,
}

impl Proof {
    /// The attacker's stone in a position of the proof.
    pub fn stone(&self, hash: u64) -> Option<Spot> {
        self.stones.get(&hash).copied()
    }
}

/// What came of a search for a proof.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// The proof, if there is one.
    pub proof: Option<Proof>,
    /// Whether it is certain that these means do not suffice.
    pub refuted: bool,
    /// Positions looked at.
    pub nodes: u64,
}

/// Looks for a win of the side to move by these means.
pub fn prove(board: &GomokuBoard, means: Means, limit: u64, time: Option<&Budget<'_>>) -> Attempt {
    prove_for(board, board.to_move(), means, limit, time)
}

/// The same for either side, whoever is to move.
pub fn prove_for(board: &GomokuBoard, attacker: Stone, means: Means, limit: u64, time: Option<&Budget<'_>>) -> Attempt {
    let mut prover = Prover::new(board, attacker, means, limit, time);
    prover.expand(Numbers::UNLIMITED);
    let numbers = prover.numbers(prover.board.hash());
    let proof = (numbers.proof == 0).then(|| prover.gather()).flatten();
    Attempt { proof, refuted: numbers.refutation == 0, nodes: prover.nodes }
}

impl<'a> Prover<'a> {
    /// A search that has looked at nothing yet.
    pub(super) fn new(
        board: &GomokuBoard,
        attacker: Stone,
        means: Means,
        limit: u64,
        time: Option<&'a Budget<'a>>,
    ) -> Prover<'a> {
        Prover { board: board.unjudged(), attacker, means, known: Map::default(), nodes: 0, limit, time }
    }
}

impl Prover<'_> {
    fn numbers(&self, hash: u64) -> Numbers {
        self.known.get(&hash).copied().unwrap_or(Numbers::UNKNOWN)
    }

    fn is_over(&self) -> bool {
        self.nodes >= self.limit || self.nodes.is_multiple_of(256) && self.time.is_some_and(Budget::is_over)
    }

    /// Works on the position until one of its numbers reaches its limit.
    fn expand(&mut self, limits: Numbers) {
        self.nodes += 1;
        let hash = self.board.hash();
        let stones = match self.stones() {
            Err(numbers) => {
                self.known.insert(hash, numbers);
                return;
            }
            Ok(stones) => stones,
        };
        let attacks = self.board.to_move() == self.attacker;
        let children: Vec<u64> = stones.iter().map(|&spot| self.board.hash_after(spot)).collect();
        // Seen by the side to move: it needs one child, the other side all of them.
        let own = |numbers: Numbers| if attacks { numbers } else { numbers.flipped() };
        let limits = own(limits);
        loop {
            let choice = Choice::among(children.iter().map(|&child| own(self.numbers(child))));
            self.known.insert(hash, own(choice.numbers));
            let Some(best) = choice.best.filter(|_| !choice.numbers.reaches(limits) && !self.is_over()) else {
                return;
            };
            // Going back and forth between two children costs more than a quarter too much work on one.
            let child = choice.limits(limits, 1 + choice.next / 4);
            self.board.play(stones[best]);
            self.expand(own(child));
            self.board.undo();
        }
    }

    /// The stones of the side to move that matter, or what is already decided.
    pub(super) fn stones(&mut self) -> Result<Vec<Spot>, Numbers> {
        if self.board.to_move() == self.attacker { self.attacks() } else { self.defences() }
    }

    fn attacks(&mut self) -> Result<Vec<Spot>, Numbers> {
        let (own, other) = (self.attacker, self.attacker.other());
        if self.board.count(own, Kind::Five) > 0 {
            return Err(Numbers::PROVEN);
        }
        match self.board.count(other, Kind::Five) {
            0 if self.board.count(own, Kind::OpenFour) > 0 => return Err(Numbers::PROVEN),
            0 if self.means != Means::Fours && has_double(&self.board, own) => return Err(Numbers::PROVEN),
            0 => {}
            1 => {
                let spot = self.board.find(other, Kind::Five).ok_or(Numbers::REFUTED)?;
                let threatens = self.board.look(spot).kinds[own.index()] >= self.means.weakest()
                    || self.means == Means::Quiet && self.menaces(spot);
                return if threatens && !self.board.is_foul(spot) { Ok(vec![spot]) } else { Err(Numbers::REFUTED) };
            }
            _ => return Err(Numbers::REFUTED),
        }
        // A three does not answer an open three; only fours keep the other side from making four.
        let weakest = if self.board.count(other, Kind::OpenFour) > 0 { Kind::Four } else { self.means.weakest() };
        let mut stones = Vec::new();
        self.board.at_least(own, weakest, &mut stones);
        let pressed = weakest == Kind::Four && self.means != Means::Fours;
        if !pressed && self.means == Means::Quiet {
            stones.extend(self.quiet());
        }
        if pressed {
            // But a three that stops it at the same time does.
            let stops = stops(&self.board, other);
            let three = |spot: &Spot| (Kind::Three..Kind::Four).contains(&self.board.look(*spot).kinds[own.index()]);
            let both: Vec<Spot> = stops.iter().filter(|spot| self.board.is_empty(*spot) && three(spot)).collect();
            stones.extend(both);
        }
        stones.retain(|&spot| !self.board.is_foul(spot));
        let rank = |spot: &Spot| {
            let look = self.board.look(*spot);
            std::cmp::Reverse((look.kinds[own.index()], look.scores[own.index()]))
        };
        stones.sort_by_key(rank);
        if stones.is_empty() { Err(Numbers::REFUTED) } else { Ok(stones) }
    }

    /// Quiet cells after which the attacker has a double threat.
    fn quiet(&mut self) -> Vec<Spot> {
        let own = self.attacker.index();
        let mut spots = Vec::new();
        self.board.near(|spot| {
            if self.board.look(spot).kinds[own] < Kind::Three {
                spots.push(spot);
            }
        });
        spots.retain(|&spot| self.menaces(spot));
        spots
    }

    /// Whether a stone leads to a double threat of the attacker.
    fn menaces(&mut self, spot: Spot) -> bool {
        let attacker = self.attacker;
        self.board.makes_two(spot, attacker) && self.after(spot, |prover| has_double(&prover.board, attacker))
    }

    fn defences(&mut self) -> Result<Vec<Spot>, Numbers> {
        let (attacker, own) = (self.attacker, self.attacker.other());
        if self.board.count(own, Kind::Five) > 0 || self.board.free() == 0 {
            return Err(Numbers::REFUTED);
        }
        let mut stones = match self.board.count(attacker, Kind::Five) {
            0 if self.board.count(attacker, Kind::OpenFour) == 0 => {
                if self.means != Means::Quiet || !has_double(&self.board, attacker) {
                    return Err(Numbers::REFUTED);
                }
                let mut stones: Vec<Spot> = double_stops(&self.board, attacker).iter().collect();
                let stops = stones.clone();
                self.board.near(|spot| {
                    if self.board.makes_three(spot, own) && !stops.contains(&spot) {
                        stones.push(spot);
                    }
                });
                stones
            }
            0 => {
                let mut fours = Vec::new();
                self.board.at_least(own, Kind::Four, &mut fours);
                let mut stones: Vec<Spot> = stops(&self.board, attacker).iter().collect();
                stones.extend(fours.into_iter().filter(|spot| !stones.contains(spot)).collect::<Vec<_>>());
                // What may be a foul and is none can be a four too.
                let suspects: Vec<Spot> = self.suspects(own).filter(|spot| !stones.contains(spot)).collect();
                stones.extend(suspects);
                stones
            }
            1 => self.board.find(attacker, Kind::Five).into_iter().collect(),
            _ => return Err(Numbers::PROVEN),
        };
        stones.retain(|&spot| !self.board.is_foul(spot));
        if stones.is_empty() { Err(Numbers::PROVEN) } else { Ok(stones) }
    }

    /// Cells of a side that may be fouls.
    fn suspects(&self, stone: Stone) -> impl Iterator<Item = Spot> {
        let mut found = Vec::new();
        if self.board.count(stone, Kind::Foul) > 0 {
            self.board.near(|spot| {
                if self.board.look(spot).kinds[stone.index()] == Kind::Foul {
                    found.push(spot);
                }
            });
        }
        found.into_iter()
    }

    /// Gathers the proof that the table holds.
    fn gather(&mut self) -> Option<Proof> {
        let mut proof = Proof::default();
        let mut lengths = Map::default();
        self.walk(&mut proof, &mut lengths)?;
        proof.line = self.longest(&proof, &lengths);
        Some(proof)
    }

    /// Notes the attacker's stone in every position that can come about; returns in how many plies he wins.
    fn walk(&mut self, proof: &mut Proof, lengths: &mut Map<u32>) -> Option<u32> {
        let hash = self.board.hash();
        if let Some(&length) = lengths.get(&hash) {
            return Some(length);
        }
        let length = match self.stones() {
            Err(Numbers::PROVEN) => self.finish(proof)?,
            Err(_) => return None,
            Ok(stones) if self.board.to_move() == self.attacker => {
                let proven = |spot: &Spot| self.numbers(self.board.hash_after(*spot)).proof == 0;
                let spot = stones.into_iter().find(proven)?;
                proof.stones.insert(hash, spot);
                1 + self.after(spot, |prover| prover.walk(proof, lengths))?
            }
            Ok(stones) => {
                let mut longest = self.answer_idle(&stones, proof);
                for spot in stones {
                    longest = longest.max(self.after(spot, |prover| prover.walk(proof, lengths))?);
                }
                1 + longest
            }
        };
        lengths.insert(hash, length);
        Some(length)
    }

    /// Where only a double threat is to be stopped: notes it after every stone that does not. Returns in how many plies
    /// it wins then, 0 where other threats are to be stopped.
    fn answer_idle(&mut self, answers: &[Spot], proof: &mut Proof) -> u32 {
        let attacker = self.attacker;
        if [Kind::Five, Kind::OpenFour].iter().any(|&kind| self.board.count(attacker, kind) > 0) {
            return 0;
        }
        // Not `contains`, whose wide registers the compiler for WebAssembly (LLVM 22) fails at here.
        let is_idle = |spot: &Spot| answers.iter().all(|answer| answer != spot);
        let idle: Vec<Spot> = self.board.empty_spots().filter(is_idle).collect();
        for spot in idle {
            self.after(spot, |prover| prover.finish(proof));
        }
        5
    }

    /// The end of a proof: a five, an open four, a double threat, or a defender without an answer.
    fn finish(&mut self, proof: &mut Proof) -> Option<u32> {
        if self.board.to_move() != self.attacker {
            // Any stone, then the five; without a four first an open four and another stone.
            let has = |kind| self.board.count(self.attacker, kind) > 0;
            return Some(if has(Kind::Five) {
                2
            } else if has(Kind::OpenFour) {
                4
            } else {
                6
            });
        }
        let (spot, length) = self.end()?;
        proof.stones.insert(self.board.hash(), spot);
        Some(length)
    }

    /// The attacker's stone where he wins at once, and how soon: a five, an open four, or a double threat.
    fn end(&self) -> Option<(Spot, u32)> {
        let find = |kind, length| Some((self.board.find(self.attacker, kind)?, length));
        let double = || {
            let mut found = None;
            doubles(&self.board, self.attacker, |spot| found = Some((spot, 5)));
            found
        };
        find(Kind::Five, 1).or_else(|| find(Kind::OpenFour, 3)).or_else(double)
    }

    fn after<T>(&mut self, spot: Spot, look: impl FnOnce(&mut Self) -> T) -> T {
        self.board.play(spot);
        let seen = look(self);
        self.board.undo();
        seen
    }

    fn next_attack(&self, proof: &Proof) -> Option<Spot> {
        let five = self.board.find(self.attacker, Kind::Five);
        five.or_else(|| proof.stone(self.board.hash())).or_else(|| self.end().map(|(spot, _)| spot))
    }

    /// The answer after which the win takes longest; where none helps, on the five or anywhere.
    fn longest_defence(&mut self, lengths: &Map<u32>) -> Option<Spot> {
        let stones = self.defences().unwrap_or_default();
        let length = |spot: &Spot| lengths.get(&self.board.hash_after(*spot)).copied().unwrap_or(0);
        let helpless: Vec<Spot> =
            self.board.find(self.attacker, Kind::Five).into_iter().chain(self.board.empty_spots()).collect();
        stones.into_iter().max_by_key(length).or_else(|| helpless.into_iter().find(|&spot| !self.board.is_foul(spot)))
    }

    /// The line in which every defence holds out as long as it can.
    fn longest(&mut self, proof: &Proof, lengths: &Map<u32>) -> Vec<Spot> {
        let mut line = Vec::new();
        loop {
            let spot = match self.board.to_move() == self.attacker {
                true => self.next_attack(proof),
                false => self.longest_defence(lengths),
            };
            let Some(spot) = spot else { break };
            let five = self.board.look(spot).kinds[self.board.to_move().index()] == Kind::Five;
            line.push(spot);
            self.board.play(spot);
            if five {
                break;
            }
        }
        line.iter().for_each(|_| self.board.undo());
        line
    }
}
