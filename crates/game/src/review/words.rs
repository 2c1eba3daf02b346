//! Why a turn was bad, in a sentence made from threats and proofs.

use lianzi_core::{Cell, Placement, Position, Stone, Text, text};
use lianzi_engine::threats::{Threat, ThreatKind, must_hit, threats};

use super::{Grade, Review, Worth};

/// How many stones sooner a turn must lose than the best defence to be careless.
const SOONER: usize = 4;

/// What is said of a turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    pub words: Option<Text>,
    pub advice: Option<Text>,
    pub threat: Option<Threat>,
    pub stops: Vec<Cell>,
}

/// A plain threat that a turn left alone, and the cells that would have answered it.
#[derive(Clone, Debug)]
pub(super) struct Ignored {
    threat: Threat,
    stops: Vec<Cell>,
}

impl Review {
    /// The threat that a turn ignored, if it loses at once for that, and sooner than it had to.
    pub(super) fn ignored(&self, n: usize) -> Option<Ignored> {
        let (moment, next) = (&self.moments[n], &self.moments[n + 1]);
        let (before, after) = self.compared(n)?;
        let other = moment.mover().other();
        let soon = after.win_in(other).filter(|&stones| turns(&next.position, stones) <= 2)?;
        let lasts = before.win_in(other).is_none_or(|stones| stones >= moment.played.len() + soon + SOONER);
        if !lasts || next.mover() != other {
            return None;
        }
        let left = threats(&next.position, other);
        let stays = |one: &Threat| left.iter().any(|still| (still.kind, &still.cells) == (one.kind, &one.cells));
        let mut plain = threats(&moment.position, other).into_iter();
        let mut threat = plain.find(|one| can_go_on(&moment.position, one) && stays(one))?;
        let more = plain.filter(|one| (one.kind, &one.cells) == (threat.kind, &threat.cells));
        threat.at.extend(more.flat_map(|one| one.at));
        let stops = stops(&moment.position, &threat, &moment.best);
        Some(Ignored { threat, stops })
    }

    /// What to say of a turn of this grade.
    pub(super) fn tell(&self, n: usize, grade: Grade, ignored: Option<Ignored>) -> Told {
        let Some((before, after)) = self.compared(n) else { return Told::default() };
        let teller = Teller { review: self, n, before, after };
        match (grade, ignored) {
            (Grade::Best | Grade::Good, _) => Told { words: teller.win_begins(), ..Told::default() },
            (_, Some(ignored)) if !before.is_won(teller.mover()) => {
                let words = Some(teller.ignored(&ignored));
                Told { words, advice: teller.lost_anyway(), threat: Some(ignored.threat), stops: ignored.stops }
            }
            (Grade::MissedWin, _) => {
                Told { words: teller.missed_win(), advice: Some(teller.instead()), ..Told::default() }
            }
            _ if after.is_lost(teller.mover()) => {
                Told { words: teller.thrown(), advice: Some(teller.remedy()), ..Told::default() }
            }
            _ => Told { words: teller.drawback(), advice: Some(teller.better()), ..Told::default() },
        }
    }
}

/// Whether its side can go on with a threat in its next turn: where stones fall, only if they land there.
fn can_go_on(position: &Position, threat: &Threat) -> bool {
    let lands = |cell: &Cell| position.landing(cell.column) == Some(*cell);
    threat.kind != ThreatKind::Five
        && (position.rules().placement == Placement::Anywhere || threat.at.iter().all(lands))
}

/// The cells that answer a threat, the engine's own choice first.
fn stops(position: &Position, threat: &Threat, best: &[Cell]) -> Vec<Cell> {
    if position.stones_left() > 1 {
        let hits = must_hit(position);
        let chosen: Vec<Cell> = best.iter().copied().filter(|cell| hits.contains(cell)).collect();
        return if chosen.is_empty() { hits } else { chosen };
    }
    let other = position.to_move().other();
    let answers = |cell: &Cell| {
        let mut after = position.clone();
        let stays = |one: &Threat| one.kind >= ThreatKind::Four && one.cells == threat.cells;
        after.play(*cell).is_ok() && !threats(&after, other).iter().any(stays)
    };
    let mut stops: Vec<Cell> = around(threat).into_iter().filter(answers).collect();
    stops.sort_by_key(|cell| !best.contains(cell));
    stops
}

/// The cells of a threat's line that lie within two of its stones, between them too.
fn around(threat: &Threat) -> Vec<Cell> {
    let (Some(&first), Some(&last)) = (threat.cells.first(), threat.cells.last()) else { return Vec::new() };
    let step = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum() as i8;
    let direction = (step(first.column, last.column), step(first.row, last.row));
    if direction == (0, 0) {
        return threat.at.clone();
    }
    let length = first.column.abs_diff(last.column).max(first.row.abs_diff(last.row)) as i8;
    let line = (-2..=length + 2).filter_map(|n| first.step(direction, n));
    line.filter(|cell| !threat.cells.contains(cell)).collect()
}

/// How many turns a win in so many stones takes the side to move.
fn turns(position: &Position, stones: usize) -> usize {
    let (now, round) = (usize::from(position.stones_left()), 2 * usize::from(position.rules().per_turn));
    1 + stones.saturating_sub(now).div_ceil(round)
}

/// The position after a turn, if it can be played.
fn played(position: &Position, turn: &[Cell]) -> Option<Position> {
    let mut after = position.clone();
    turn.iter().try_for_each(|&cell| after.play(cell)).ok().map(|()| after)
}

/// Whether no stone of a turn can come into a line with one that lies on the board.
fn is_far(position: &Position, turn: &[Cell]) -> bool {
    let (rules, stones) = (position.rules(), position.plies());
    let apart = |a: Cell, b: Cell| a.column.abs_diff(b.column).max(a.row.abs_diff(b.row));
    let alone = |cell: &Cell| stones.iter().all(|ply| apart(*cell, ply.cell) >= rules.line);
    rules.placement == Placement::Anywhere && !stones.is_empty() && turn.iter().all(alone)
}

/// Cells one after the other, as a turn is written.
fn turn_name(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

/// Cells of which one is enough, or that are all needed.
fn answers(cells: &[Cell], all: bool) -> Text {
    let names: Vec<String> = cells.iter().take(3).map(Cell::to_string).collect();
    let (english, chinese) = if all { (" with ", " 与 ") } else { (" or ", " 或 ") };
    Text::new(names.join(english), names.join(chinese))
}

/// From the first cell of a line to its last.
fn extent(cells: &[Cell]) -> String {
    match cells {
        [] => String::new(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first}–{last}"),
    }
}

/// Who tells of one turn.
struct Teller<'a> {
    review: &'a Review,
    n: usize,
    before: Worth,
    after: Worth,
}

impl Teller<'_> {
    fn position(&self) -> &Position {
        &self.review.moments[self.n].position
    }

    fn mover(&self) -> Stone {
        self.position().to_move()
    }

    fn side(&self) -> Text {
        self.position().rules().side(self.mover())
    }

    fn other(&self) -> Text {
        self.position().rules().side(self.mover().other())
    }

    fn best(&self) -> &[Cell] {
        &self.review.moments[self.n].best
    }

    /// The other side's answer to the turn that was played.
    fn reply(&self) -> &[Cell] {
        let next = &self.review.moments[self.n + 1];
        let stones = usize::from(next.position.stones_left()).min(next.best.len());
        &next.best[..stones]
    }

    /// Whether lines have the names of five in a row.
    fn is_gomoku(&self) -> bool {
        let rules = self.position().rules();
        rules.line == 5 && rules.per_turn == 1 && rules.placement == Placement::Anywhere
    }

    fn ignored(&self, Ignored { threat, stops }: &Ignored) -> Text {
        let (side, other, extent) = (self.side(), self.other(), extent(&threat.cells));
        let left = match threat.kind {
            ThreatKind::Three => {
                text!("{side} leaves an open three at {extent}", "{side}没有防 {extent} 的活三"; side)
            }
            _ if self.is_gomoku() && threat.is_open_four(&threats(self.position(), self.mover().other())) => {
                text!("{side} leaves an open four at {extent}", "{side}没有挡 {extent} 的活四"; side)
            }
            _ if self.is_gomoku() => {
                text!("{side} leaves a four at {extent}", "{side}没有挡 {extent} 的冲四"; side)
            }
            _ => text!(
                "{side} leaves the line at {extent}, which {other} can complete",
                "{side}没有挡 {extent}，{other}下一手即可连成";
                side, other
            ),
        };
        if stops.is_empty() {
            return text!("{left}.", "{left}。"; left);
        }
        let stops = answers(stops, self.position().stones_left() > 1 && stops.len() == 2);
        text!("{left}; {stops} stops it.", "{left}；{stops} 可以防住。"; left, stops)
    }

    fn lost_anyway(&self) -> Option<Text> {
        let side = self.side();
        let lost = self.before.is_lost(self.mover());
        lost.then(|| text!("{side} was losing already, but not so soon.", "{side}本已必败，但不必这么快。"; side))
    }

    fn missed_win(&self) -> Option<Text> {
        let stones = self.before.win_in(self.mover())?;
        let (side, best) = (self.side(), turn_name(self.best()));
        Some(match turns(self.position(), stones) {
            1 => text!("{side} could win at once with {best}.", "{side}走 {best} 即可获胜。"; side),
            n => text!(
                "{side} could win by force with {best}, in {n} turns at most.",
                "{side}可走 {best} 强制取胜，最多 {n} 手。";
                side
            ),
        })
    }

    /// What became of a win that was missed.
    fn instead(&self) -> Text {
        let (other, reply) = (self.other(), turn_name(self.reply()));
        match () {
            () if self.after.is_lost(self.mover()) => {
                text!("Now {other} wins instead, with {reply}.", "现在反而是{other}走 {reply} 获胜。"; other)
            }
            () if self.after.proof.is_some() => Text::fixed("Now it is a draw.", "现在成了和棋。"),
            () => text!("{other} can now stop it with {reply}.", "现在{other}走 {reply} 便可化解。"; other),
        }
    }

    /// The turn after which the game was lost.
    fn thrown(&self) -> Option<Text> {
        let next = &self.review.moments[self.n + 1].position;
        let stones = self.after.win_in(self.mover().other())?;
        let (side, other, reply) = (self.side(), self.other(), turn_name(self.reply()));
        Some(match turns(next, stones) {
            1 => {
                text!("{side} lets {other} win at once with {reply}.", "{side}让{other}走 {reply} 立即获胜。"; side, other)
            }
            n => text!(
                "{other} can now win by force with {reply}, in {n} turns at most.",
                "{other}现在可走 {reply} 强制取胜，最多 {n} 手。";
                other
            ),
        })
    }

    /// What would have held.
    fn remedy(&self) -> Text {
        let (best, other) = (turn_name(self.best()), self.other());
        let why = match () {
            () if self.both_want() => {
                text!("it takes the cell that {other} needs", "那正是{other}要占的点"; other)
            }
            () if self.before.proof.is_some() => Text::fixed("it keeps the draw", "可保和棋"),
            () => match self.makes() {
                Some(makes) => makes,
                None => return text!("{best} was the move.", "应走 {best}。"),
            },
        };
        text!("{best} was the move: {why}.", "应走 {best}：{why}。"; why)
    }

    fn both_want(&self) -> bool {
        self.reply().iter().any(|cell| self.best().contains(cell))
    }

    /// What the best turn does to the threats on the board.
    fn makes(&self) -> Option<Text> {
        let after = played(self.position(), self.best())?;
        self.stopped(&after).or_else(|| self.threatens(self.position(), &after))
    }

    /// The threat that whoever moves in a position makes by playing on to another.
    fn threatens(&self, position: &Position, after: &Position) -> Option<Text> {
        let mover = position.to_move();
        let old = threats(position, mover);
        let all = threats(after, mover);
        let made = all.iter().find(|one| !old.iter().any(|known| known.cells == one.cells))?;
        match (made.kind, made.is_open_four(&all)) {
            (ThreatKind::Three, _) => Some(Text::fixed("it makes an open three", "可成活三")),
            (_, true) if self.is_gomoku() => Some(Text::fixed("it makes an open four", "可成活四")),
            (ThreatKind::Four, _) if self.is_gomoku() => Some(Text::fixed("it makes a four", "可成冲四")),
            _ => None,
        }
    }

    /// The other side's threat that the best turn stops.
    fn stopped(&self, after: &Position) -> Option<Text> {
        let other = self.mover().other();
        let left = threats(after, other);
        let gone = |one: &Threat| !left.iter().any(|still| still.cells == one.cells);
        let threat =
            threats(self.position(), other).into_iter().filter(|one| can_go_on(self.position(), one)).find(gone)?;
        let extent = extent(&threat.cells);
        Some(match threat.kind {
            ThreatKind::Three => text!("it stops the open three at {extent}", "可防 {extent} 的活三"),
            _ if self.is_gomoku() => text!("it stops the four at {extent}", "可挡 {extent} 的冲四"),
            _ => text!("it stops the line at {extent}", "可挡 {extent}"),
        })
    }

    /// What is wrong with a turn where nothing is proven, if it can be said in words.
    fn drawback(&self) -> Option<Text> {
        let (turn, reply, other) = (&self.review.moments[self.n].played, self.reply(), self.other());
        if is_far(self.position(), turn) {
            let turn = turn_name(turn);
            return Some(text!(
                "{turn} lies too far from the other stones to matter.",
                "{turn} 离其他棋子太远，起不了作用。"
            ));
        }
        let answer = turn_name(reply);
        if self.spends_a_four() {
            return Some(text!("A four spent early: {answer} answers it.", "冲四过早：{answer} 一挡便无后续。"));
        }
        let next = &self.review.moments[self.n + 1].position;
        let makes = self.threatens(next, &played(next, reply)?)?;
        Some(text!("{other} can answer {answer}: {makes}.", "{other}可应 {answer}：{makes}。"; other, makes))
    }

    /// A better turn where nothing is proven.
    fn better(&self) -> Text {
        let best = turn_name(self.best());
        if self.both_want() {
            return text!("{best} is the cell that both sides want.", "{best} 是双方必争之点。");
        }
        match self.makes() {
            Some(makes) => text!("{best} was better: {makes}.", "{best} 更好：{makes}。"; makes),
            None => text!("{best} was better.", "{best} 更好。"),
        }
    }

    /// Whether the turn made a four that can simply be answered.
    fn spends_a_four(&self) -> bool {
        let next = &self.review.moments[self.n + 1].position;
        let four = |one: &Threat| one.kind == ThreatKind::Four;
        self.is_gomoku()
            && threats(next, self.mover()).iter().any(four)
            && !threats(self.position(), self.mover()).iter().any(four)
    }

    /// A turn with which a proven win begins.
    fn win_begins(&self) -> Option<Text> {
        let stones = self.before.win_in(self.mover())?;
        let n = turns(self.position(), stones);
        let earlier = self.n.checked_sub(2).and_then(|n| self.review.moments[n].worth);
        let known = earlier.is_some_and(|worth| worth.is_won(self.mover()));
        let side = self.side();
        (n > 1 && !known && self.after.is_won(self.mover())).then(|| {
            text!("From here {side} wins by force, in {n} turns at most.", "由此{side}强制取胜，最多 {n} 手。"; side)
        })
    }
}
