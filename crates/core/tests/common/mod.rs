//! Random games for the tests: every kind of rules, remark, verdict and variation.
#![allow(clippy::unwrap_used)]

use lianzi_core::record::{Eval, Move, Side, Tag, Variation};
use lianzi_core::{
    Adjudication, Cell, Ending, GameRecord, IllegalMove, Limit, Outcome, Placement, Ply, Position, Random, Rules,
    Setup, StartFault, Stone, Verdict,
};

/// Games of every kind, small ones often, so that many games come to an end.
pub const GAMES: [&str; 18] = [
    "gomoku",
    "standard",
    "renju",
    "renju:7",
    "connect6",
    "connect6:15",
    "connect6:6",
    "connect4",
    "connect4:9x10/d4",
    "connect4:9x4",
    "gomoku:31",
    "gomoku:5/a1,c3",
    "connect:20,15,5,1,1",
    "connect:3,5,3,2,2,drop",
    "connect:31,27,6,2,1/a1,ae27",
    "connect:7,9,4,3,1,drop,exact",
    "connect:4,4,3,2,1",
    "connect:1,1,1,1,1",
];

const PIECES: [&str; 17] =
    ["B+5", "W+", "B+R", "]", "\\", ":", "\r\n", "\n", "\r", "[", "(;B[aa])", "中文", "\t", "\"", "a", " ", "\u{0}"];

/// A maker of games: the same seed makes the same game.
pub struct Maker(pub Random);

impl Maker {
    fn chance(&mut self, one_in: usize) -> bool {
        self.0.below(one_in) == 0
    }

    fn text(&mut self) -> String {
        if self.chance(2) {
            return String::new();
        }
        (0..self.0.below(6)).map(|_| PIECES[self.0.below(PIECES.len())]).collect()
    }

    fn tags(&mut self) -> Vec<Tag> {
        const NAMES: [&str; 9] = ["EV", "DT", "x y", "LZ", "B", "RE", "RU", "", "TR"];
        let count = if self.chance(4) { self.0.below(5) } else { 0 };
        (0..count)
            .map(|_| Tag {
                name: NAMES[self.0.below(NAMES.len())].into(),
                values: (0..self.0.below(3)).map(|_| self.text()).collect(),
            })
            .collect()
    }

    fn remarked(&mut self, cell: Cell) -> Move {
        let eval = Eval {
            score: self.0.next() as i32,
            win_in: self.chance(2).then_some(-7),
            depth: self.chance(2).then_some(12),
            nodes: self.chance(2).then_some(u64::MAX),
        };
        Move {
            cell,
            time_ms: self.chance(2).then(|| self.0.next() >> self.0.below(60)),
            cpu_us: self.chance(4).then(|| self.0.next() >> self.0.below(60)),
            eval: self.chance(2).then_some(eval),
            comment: self.text(),
            tags: self.tags(),
        }
    }

    /// A legal cell, if a few attempts find one.
    pub fn legal(&mut self, position: &Position) -> Option<Cell> {
        let rules = *position.rules();
        (0..40).find_map(|_| {
            let column = self.0.below(rules.width.into()) as u8;
            let cell = match rules.placement {
                Placement::Drop => position.landing(column)?,
                Placement::Anywhere => Cell::new(column, self.0.below(rules.height.into()) as u8),
            };
            position.check(cell).is_ok().then_some(cell)
        })
    }

    fn play(&mut self, position: &mut Position, plies: usize) -> Vec<Cell> {
        let mut cells = Vec::new();
        while cells.len() < plies && position.outcome().is_none() {
            let Some(cell) = self.legal(position) else { break };
            position.play(cell).unwrap();
            cells.push(cell);
        }
        cells
    }

    fn setup(&mut self, rules: Rules) -> Option<Setup> {
        let mut position = Position::new(rules);
        let mut stones: Vec<Ply> = Vec::new();
        for _ in 0..self.0.below(8) {
            let Some(cell) = self.legal(&position) else { break };
            position.play(cell).unwrap();
            stones.push(Ply { stone: Stone::BOTH[self.0.below(2)], cell });
        }
        let most = rules.per_turn.max(rules.first_turn);
        let stones_left = 1 + self.0.below(most.into()) as u8;
        let setup = Setup { stones, to_move: Stone::BOTH[self.0.below(2)], stones_left };
        Position::with_setup(rules, &setup).is_ok().then_some(setup)
    }

    fn verdict(&mut self) -> Verdict {
        let side = Stone::BOTH[self.0.below(2)];
        let fault = |ending| Verdict::fault(side, ending);
        let adjudicated = Ending::Adjudicated { why: Adjudication::MaxPlies };
        let untold = Outcome::Win(side);
        match self.0.below(14) {
            0 => Verdict::resigned(side),
            1 => fault(Ending::Timeout { limit: Limit::Move }),
            2 => fault(Ending::Timeout { limit: [Limit::Game, Limit::Cpu][self.0.below(2)] }),
            3 => fault(Ending::Crashed { how: self.text() }),
            4 => fault(Ending::Illegal { at: self.text(), why: IllegalMove::Floating }),
            5 => fault(Ending::NotStarted { fault: StartFault::Unloadable, how: self.text() }),
            6 => fault(Ending::Stones { wanted: 2, given: 3 }),
            7 => Verdict { outcome: Some(Outcome::Draw), ending: adjudicated, blame: None },
            8 => Verdict { outcome: None, ending: Ending::Garbled { said: self.text() }, blame: Some(side) },
            9 => Verdict::untold(untold),
            10 => Verdict { ending: Ending::Adjudicated { why: Adjudication::Forfeit }, ..Verdict::untold(untold) },
            _ => Verdict::UNFINISHED,
        }
    }

    /// Variations that leave a line, deeper ones first, as a walk through the tree meets them.
    fn branches(&mut self, record: &mut GameRecord, line: usize, start: usize, path: &[Cell], depth: usize) {
        let from = if line == 0 { 0 } else { start + 1 };
        for ply in (from..=path.len()).rev() {
            while depth < 4 && self.chance(6) {
                let mut position = record.start().unwrap();
                path[..ply].iter().for_each(|&cell| position.play(cell).unwrap());
                let plies = 1 + self.0.below(4);
                let cells = self.play(&mut position, plies);
                if cells.is_empty() {
                    break;
                }
                let moves = cells.iter().map(|&cell| self.remarked(cell)).collect();
                record.variations.push(Variation { from: line, ply, moves });
                let (id, whole) = (record.variations.len(), [&path[..ply], &cells].concat());
                self.branches(record, id, ply, &whole, depth + 1);
            }
        }
    }

    /// A bare game: rules and moves, with the stones that came too late in the last turn.
    pub fn bare(&mut self, rules: Rules, setup: bool, plies: usize) -> GameRecord {
        let mut record = GameRecord::new(rules);
        record.setup = if setup { self.setup(rules) } else { None };
        let mut position = record.start().unwrap();
        record.moves = self.play(&mut position, plies).into_iter().map(Move::from).collect();
        let first = record.setup.as_ref().map_or((Stone::Black, rules.first_turn), |s| (s.to_move, s.stones_left));
        if position.outcome().is_some() && position.mid_turn() {
            let left = usize::from(rules.turn_after(first, record.moves.len()).1).min(position.free());
            let cells: Vec<Cell> = rules.cells().collect();
            record.surplus = (0..self.0.below(left + 1)).map(|_| cells[self.0.below(cells.len())]).collect();
        }
        record.verdict = position.outcome().map_or(Verdict::UNFINISHED, Verdict::by_stones);
        record
    }

    /// A game with everything a record can hold.
    pub fn full(&mut self, rules: Rules, plies: usize) -> GameRecord {
        let setup = self.chance(3);
        let mut record = self.bare(rules, setup, plies);
        for index in 0..record.moves.len() {
            record.moves[index] = self.remarked(record.moves[index].cell);
        }
        const CALLED: [[&str; 2]; 5] =
            [["", ""], ["white", "black"], ["computer", "human"], ["]", "\\"], ["black", "white"]];
        let called = CALLED[self.0.below(CALLED.len())];
        record.sides = called.map(|called| Side { name: self.text(), called: called.into(), ..Side::default() });
        record.opening = self.0.below(record.moves.len() + 1);
        record.comment = self.text();
        record.tags = self.tags();
        if record.verdict == Verdict::UNFINISHED {
            record.verdict = self.verdict();
        }
        let path: Vec<Cell> = record.moves.iter().map(|played| played.cell).collect();
        if path.len() <= 30 {
            self.branches(&mut record, 0, 0, &path, 0);
        }
        record
    }
}
