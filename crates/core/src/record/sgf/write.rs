//! Writes SGF. The tree is flat in a record, so its lines are laid out with a list of things still to do.

use std::fmt::Write as _;

use super::super::{GameRecord, Move, Tag};
use super::{
    EXCHANGED, GameRest, KNOWN, MoveRest, OddTag, PRIVATE, equal_line_ends, exchanged, point_name, result, result_name,
    says_more,
};
use crate::{Rules, Stone, Verdict};

/// How many nodes stand on a line of the file.
const NODES_A_LINE: usize = 8;

/// Writes one game.
pub(in super::super) fn write(record: &GameRecord) -> String {
    let exchange = is_exchanged(record);
    let mut writer = Writer { record, text: String::from("("), exchange, on_line: 0 };
    writer.heading();
    writer.lines();
    writer.text.push_str(")\n");
    writer.text
}

/// Whether the file the record came from let W move first.
fn is_exchanged(record: &GameRecord) -> bool {
    let called = record.sides.each_ref().map(|side| side.called.as_str());
    called == EXCHANGED && record.setup.is_none() && !(record.moves.is_empty() && record.variations.is_empty())
}

struct Writer<'a> {
    record: &'a GameRecord,
    text: String,
    exchange: bool,
    on_line: usize,
}

/// What is still to be written.
enum Task {
    Text(&'static str),
    /// A line of the game from this ply on; branches at that ply are already taken care of if told so.
    Line {
        line: usize,
        ply: usize,
        branched: bool,
        aside: bool,
    },
}

impl<'a> Writer<'a> {
    fn property(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        self.value(value);
    }

    fn value(&mut self, value: &str) {
        self.text.push('[');
        for c in value.chars() {
            if c == ']' || c == '\\' {
                self.text.push('\\');
            }
            self.text.push(c);
        }
        self.text.push(']');
    }

    /// Our private property, unless there is nothing to say.
    fn private<T: serde::Serialize + Default + PartialEq>(&mut self, rest: &T) {
        if *rest != T::default() {
            let json = serde_json::to_string(rest).expect("texts and numbers can always be JSON");
            self.property(PRIVATE, &json);
        }
    }

    /// Writes the tags that can be properties, one of which may be the game's result, and gives back the others.
    fn tags(&mut self, tags: &[Tag], result: Option<usize>) -> Vec<OddTag> {
        let mut odd = Vec::new();
        for (at, tag) in tags.iter().enumerate() {
            let fits = fits(tag) && (!KNOWN.contains(&tag.name.as_str()) || result == Some(at));
            let again = tags[..at].iter().any(|earlier| earlier.name == tag.name);
            if fits && !again {
                self.text.push_str(&tag.name);
                tag.values.iter().for_each(|value| self.value(value));
            } else {
                odd.push(OddTag { at, name: tag.name.clone(), values: tag.values.clone() });
            }
        }
        odd
    }

    /// The first node: everything but the moves.
    fn heading(&mut self) {
        let record = self.record;
        let Rules { width, height, .. } = record.rules;
        self.text.push_str(";FF[4]GM[4]CA[UTF-8]");
        let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
        self.property("SZ", &size);
        self.property("RU", &record.game().to_string());
        let [mut black, mut white] = record.sides.each_ref().map(|side| side.name.as_str());
        if self.exchange {
            (black, white) = (white, black);
        }
        for (property, name) in [("PB", black), ("PW", white)] {
            if !name.is_empty() {
                self.property(property, name);
            }
        }
        let verdict = if self.exchange { exchanged(record.verdict.clone()) } else { record.verdict.clone() };
        let kept = kept_result(&record.tags, &verdict);
        let shown = kept.map_or_else(|| result_name(&verdict), |at| Some(record.tags[at].values[0].clone()));
        if let (Some(shown), None) = (&shown, kept) {
            self.property("RE", shown);
        }
        self.setup();
        if !record.comment.is_empty() {
            self.property("C", &record.comment);
        }
        let tags = self.tags(&record.tags, kept);
        let told = verdict.ending.shown_by_stones() || shown.as_deref().and_then(result).unwrap_or_default() == verdict;
        let rest = self.game_rest(tags, told);
        self.private(&rest);
        self.text.push('\n');
    }

    fn game_rest(&self, tags: Vec<OddTag>, told: bool) -> GameRest {
        let record = self.record;
        let names = record.sides.each_ref().map(|side| side.name.clone());
        let called = record.sides.each_ref().map(|side| side.called.clone());
        let odd_names = names.iter().any(|name| loses_line_ends(name));
        let usual = self.exchange || called.iter().all(String::is_empty);
        GameRest {
            opening: record.opening,
            negotiation: record.negotiated.as_ref().map_or_else(Vec::new, |found| found.acts.clone()),
            verdict: (!told).then(|| record.verdict.clone()),
            setup: record.setup.clone(),
            called: (!usual).then_some(called),
            names: odd_names.then_some(names),
            comment: loses_line_ends(&record.comment).then(|| record.comment.clone()),
            tags,
        }
    }

    fn setup(&mut self) {
        let Some(setup) = &self.record.setup else { return };
        for (stone, name) in Stone::BOTH.into_iter().zip(["AB", "AW"]) {
            let mut stones = setup.stones.iter().filter(|ply| ply.stone == stone).peekable();
            if stones.peek().is_some() {
                self.text.push_str(name);
            }
            for ply in stones {
                let point = point_name(ply.cell, &self.record.rules);
                self.value(&point);
            }
        }
        self.property("PL", if setup.to_move == Stone::Black { "B" } else { "W" });
    }

    /// The game with all variations.
    fn lines(&mut self) {
        // For every line the plies it is left at, with the variations that leave it there.
        let mut branches: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.record.variations.len() + 1];
        for (index, variation) in self.record.variations.iter().enumerate() {
            branches[variation.from].push((variation.ply, index + 1));
        }
        branches.iter_mut().for_each(|list| list.sort_unstable());
        let mut tasks = vec![Task::Line { line: 0, ply: 0, branched: false, aside: false }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => {
                    self.text.push_str(text);
                    self.on_line = 0;
                }
                Task::Line { line, ply, branched, aside } => {
                    let list = &branches[line];
                    let next = list.partition_point(|&(at, _)| at < ply || branched && at == ply);
                    let end = self.start(line) + self.moves(line).len();
                    let stop = list.get(next).map_or(end, |&(at, _)| at);
                    self.nodes(line, ply, stop, aside);
                    let here = list[next..].iter().take_while(|&&(at, _)| at == stop);
                    branch(&mut tasks, line, stop, end, here.map(|&(_, id)| id).collect());
                }
            }
        }
    }

    fn start(&self, line: usize) -> usize {
        line.checked_sub(1).map_or(0, |index| self.record.variations[index].ply)
    }

    fn moves(&self, line: usize) -> &'a [Move] {
        match line.checked_sub(1) {
            Some(index) => &self.record.variations[index].moves,
            None => &self.record.moves,
        }
    }

    /// The nodes of a line from one ply to another.
    fn nodes(&mut self, line: usize, from: usize, to: usize, aside: bool) {
        let (start, moves) = (self.start(line), self.moves(line));
        for ply in from..to {
            self.node(&moves[ply - start], ply, aside && ply == from);
        }
        if line == 0 && to == moves.len() {
            for (&cell, ply) in self.record.surplus.iter().zip(to..) {
                self.node(&Move::from(cell), ply, false);
            }
        }
    }

    fn node(&mut self, played: &Move, ply: usize, aside: bool) {
        if self.on_line == NODES_A_LINE {
            self.text.push('\n');
            self.on_line = 0;
        }
        self.on_line += 1;
        let first = match &self.record.setup {
            Some(setup) => (setup.to_move, setup.stones_left),
            None => (Stone::Black, self.record.rules.first_turn),
        };
        let stone = self.record.rules.turn_after(first, ply).0;
        let name = if (stone == Stone::Black) != self.exchange { 'B' } else { 'W' };
        let _ = write!(self.text, ";{name}[{}]", point_name(played.cell, &self.record.rules));
        if !played.comment.is_empty() {
            self.property("C", &played.comment);
        }
        let tags = self.tags(&played.tags, None);
        let comment = loses_line_ends(&played.comment).then(|| played.comment.clone());
        let Move { time_ms, cpu_us, eval, .. } = *played;
        self.private(&MoveRest { time_ms, cpu_us, eval, comment, tags, aside });
    }
}

/// Plans the rest of a line and what leaves it here, in the order of the file.
fn branch(tasks: &mut Vec<Task>, line: usize, stop: usize, end: usize, here: Vec<usize>) {
    if here.is_empty() {
        return;
    }
    let continued = stop < end;
    for (index, &id) in here.iter().enumerate().rev() {
        let aside = index == 0 && !continued;
        tasks.push(Task::Text(")"));
        tasks.push(Task::Line { line: id, ply: stop, branched: false, aside });
        tasks.push(Task::Text("\n("));
    }
    if continued {
        tasks.push(Task::Text(")"));
        tasks.push(Task::Line { line, ply: stop, branched: true, aside: false });
        tasks.push(Task::Text("\n("));
    }
}

/// Whether a tag can be a property of that name with those values.
fn fits(tag: &Tag) -> bool {
    let name = !tag.name.is_empty() && tag.name.bytes().all(|b| b.is_ascii_uppercase());
    name && !tag.values.is_empty() && !tag.values.iter().any(|value| loses_line_ends(value))
}

/// Which tag is the result as its source wrote it, where that says more than the verdict and nothing else.
fn kept_result(tags: &[Tag], verdict: &Verdict) -> Option<usize> {
    let at = tags.iter().position(|tag| tag.name == "RE")?;
    let tag = &tags[at];
    let agrees = |text: &str| result(text).unwrap_or_default().outcome == verdict.outcome;
    (fits(tag) && says_more(&tag.values) && agrees(&tag.values[0])).then_some(at)
}

fn loses_line_ends(text: &str) -> bool {
    equal_line_ends(text) != text
}
