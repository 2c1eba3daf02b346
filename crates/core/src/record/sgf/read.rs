//! Reads SGF: from nodes to a draft.

use std::collections::BTreeMap;

use super::super::draft::{Draft, DraftMove};
use super::super::format::Take;
use super::super::text::{join, number, sized};
use super::super::tree::{Cursor, Tree};
use super::super::{LoadError, Move, Reason, Tag};
use super::parse::{Event, Parser, Property};
use super::{EXCHANGED, GameRest, MoveRest, OddTag, PRIVATE, exact, exchanged, point, result, says_more};
use crate::{BadGame, Cell, OpeningRule, Ply, Rules, Setup, Stone, Text};

const POINT: Text = Text::fixed("a point of the board", "棋盘上的点");
const TOO_LATE: Text =
    Text::fixed("a move: stones are set up only before the first move", "一步着法：摆子只能在第一步之前");
/// More set-up points than this cannot make sense on any board.
const MAX_POINTS: usize = 4_000;

/// Reads all games of a collection.
pub(in super::super) fn read(text: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let mut parser = Parser::new(text);
    let mut found = false;
    while parser.find_game() {
        found = true;
        take(read_game(&mut parser, rules)?)?;
    }
    if found || text.trim().is_empty() {
        return Ok(());
    }
    Err(LoadError::expected(1, Text::fixed("a game that begins with '(;'", "以“(;”开头的棋局"), text.trim_start()))
}

fn read_game(parser: &mut Parser<'_>, rules: Option<Rules>) -> Result<Draft, LoadError> {
    let mut game: Option<Game> = None;
    let mut stack = Vec::new();
    let mut cursor = Cursor::default();
    loop {
        match parser.next()? {
            Event::Open => stack.push(cursor),
            Event::Node(properties) => {
                let game = match &mut game {
                    Some(game) => game,
                    None => game.insert(Game::new(&properties, rules)?),
                };
                cursor = game.node(cursor, properties)?;
            }
            Event::Close => {
                cursor = stack.pop().unwrap_or_default();
                if stack.is_empty() {
                    break;
                }
            }
        }
    }
    Ok(game.expect("the parser lets a game begin only with a node").finish())
}

/// The game while it is read.
struct Game {
    draft: Draft,
    tree: Tree,
    /// Whether the first node has been read.
    begun: bool,
    rest: GameRest,
    names: [String; 2],
    /// By row and column: lower stones come first, as games with a drop need it.
    set_up: BTreeMap<(u8, u8), Stone>,
    points: usize,
    to_move: Option<Stone>,
}

/// What a node says beside its stones.
#[derive(Default)]
struct Remarks {
    comment: String,
    tags: Vec<Tag>,
    rest: MoveRest,
}

impl Game {
    /// A game with the rules that its first node tells.
    fn new(properties: &[Property], rules: Option<Rules>) -> Result<Game, LoadError> {
        let (rules, unknown) = rules_of(properties, rules)?;
        let mut draft = Draft::new(rules);
        draft.record.tags.extend(unknown);
        draft.record.begin_by(opening_of(properties, &rules));
        Ok(Game {
            draft,
            tree: Tree::default(),
            begun: false,
            rest: GameRest::default(),
            names: Default::default(),
            set_up: BTreeMap::new(),
            points: 0,
            to_move: None,
        })
    }

    fn node(&mut self, at: Cursor, properties: Vec<Property>) -> Result<Cursor, LoadError> {
        let first = !std::mem::replace(&mut self.begun, true);
        let mut remarks = Remarks::default();
        let mut stones = Vec::new();
        for property in properties {
            match property.name.as_str() {
                "B" => stones.push((Stone::Black, property)),
                "W" => stones.push((Stone::White, property)),
                "AB" | "AW" | "AE" => self.set_up(at, &property)?,
                "C" => property.values.iter().for_each(|text| join(&mut remarks.comment, text)),
                PRIVATE if self.private(first, &property, &mut remarks) => {}
                "PL" if self.tree.untouched(at) => self.to_move = side(&property.values[0]),
                _ if first && self.heading(&property) => {}
                _ => remarks.tags.push(Tag { name: property.name, values: property.values }),
            }
        }
        if first {
            // Tags of the first node are the game's, even when it holds a move.
            self.draft.record.tags.append(&mut remarks.tags);
            OddTag::restore(std::mem::take(&mut self.rest.tags), &mut self.draft.record.tags);
        }
        self.stones(at, stones, remarks)
    }

    /// Plays the stones of a node and puts its remarks where they belong.
    fn stones(
        &mut self,
        mut at: Cursor,
        stones: Vec<(Stone, Property)>,
        remarks: Remarks,
    ) -> Result<Cursor, LoadError> {
        let mut aside = remarks.rest.aside;
        let mut played = false;
        for (stone, property) in &stones {
            for value in &property.values {
                at = self.tree.play(at, self.stone(*stone, value, property.line), aside)?;
                (aside, played) = (false, true);
            }
        }
        match self.tree.last(at) {
            Some(last) => remarks.describe(&mut last.rest, played),
            // Before the first move the remarks are about the game.
            None => {
                join(&mut self.draft.record.comment, &remarks.comment);
                self.draft.record.tags.extend(remarks.tags);
            }
        }
        Ok(at)
    }

    fn stone(&self, stone: Stone, value: &str, line: usize) -> DraftMove {
        match point(value, &self.draft.record.rules) {
            Some(cell) => DraftMove::new(Some(stone), cell, line),
            None if value.trim().is_empty() => DraftMove::beyond(Some(stone), "pass", line),
            None => DraftMove::beyond(Some(stone), value, line),
        }
    }

    /// Understands a property of the first node; false if it is none of ours.
    fn heading(&mut self, property: &Property) -> bool {
        let value = property.values[0].as_str();
        match property.name.as_str() {
            "PB" => self.names[0] = value.into(),
            "PW" => self.names[1] = value.into(),
            "RE" => {
                self.draft.record.verdict = result(value).unwrap_or_default();
                return !says_more(&property.values);
            }
            // These were looked at before, or are true of every file we write.
            "SZ" | "RU" | "GM" | "FF" | "CA" => {}
            _ => return false,
        }
        true
    }

    /// Understands our own property; false if somebody else wrote it.
    fn private(&mut self, first: bool, property: &Property, remarks: &mut Remarks) -> bool {
        let [value] = property.values.as_slice() else { return false };
        if first {
            serde_json::from_str(value).map(|rest| self.rest = rest).is_ok()
        } else {
            serde_json::from_str(value).map(|rest| remarks.rest = rest).is_ok()
        }
    }

    fn set_up(&mut self, at: Cursor, property: &Property) -> Result<(), LoadError> {
        let line = property.line;
        if !self.tree.untouched(at) {
            return Err(LoadError::expected(line, TOO_LATE, &property.name));
        }
        self.draft.setup_line = line;
        let stone = match property.name.as_str() {
            "AB" => Some(Stone::Black),
            "AW" => Some(Stone::White),
            _ => None,
        };
        self.points += property.values.len();
        if self.points > MAX_POINTS {
            let what = Text::fixed("too many points in the set-up", "摆子过多");
            return Err(LoadError { line, reason: Reason::TooMuch(what, MAX_POINTS) });
        }
        for value in &property.values {
            for cell in rectangle(value, &self.draft.record.rules, line)? {
                let place = (cell.row, cell.column);
                match stone {
                    Some(stone) => self.set_up.insert(place, stone),
                    None => self.set_up.remove(&place),
                };
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Draft {
        let record = &mut self.draft.record;
        record.setup = setup(&record.rules, &self.set_up, self.to_move, &self.tree, self.rest.setup.take());
        record.opening = self.rest.opening;
        if let Some(found) = &mut record.negotiated {
            found.acts = std::mem::take(&mut self.rest.negotiation);
        }
        record.comment = exact(std::mem::take(&mut record.comment), self.rest.comment.take());
        let exchange =
            record.setup.is_none() && self.tree.first().is_some_and(|first| first.stone == Some(Stone::White));
        if exchange {
            self.names.swap(0, 1);
            record.verdict = exchanged(std::mem::take(&mut record.verdict));
            for written in self.tree.stones() {
                written.stone = written.stone.map(Stone::other);
            }
        }
        if let Some(verdict) = self.rest.verdict.filter(|kept| kept.outcome == record.verdict.outcome) {
            record.verdict = verdict;
        }
        let usual = if exchange { EXCHANGED } else { [""; 2] };
        let called = self.rest.called.unwrap_or_else(|| usual.map(String::from));
        let mut kept = self.rest.names.unwrap_or_default().into_iter();
        for ((side, name), called) in record.sides.iter_mut().zip(self.names).zip(called) {
            side.name = exact(name, kept.next());
            side.called = called;
        }
        self.tree.fill(&mut self.draft);
        self.draft
    }
}

impl Remarks {
    /// Adds the remarks to those of the move, of which they are the first ones if its node is this one.
    fn describe(self, played: &mut Move, own: bool) {
        let comment = exact(self.comment, self.rest.comment);
        join(&mut played.comment, &comment);
        let mut tags = self.tags;
        OddTag::restore(self.rest.tags, &mut tags);
        played.tags.append(&mut tags);
        if own {
            let MoveRest { time_ms, cpu_us, eval, .. } = self.rest;
            (played.time_ms, played.cpu_us, played.eval) = (time_ms, cpu_us, eval);
        }
    }
}

fn side(text: &str) -> Option<Stone> {
    match text.trim().bytes().next()?.to_ascii_lowercase() {
        b'b' | b'1' => Some(Stone::Black),
        b'w' | b'2' => Some(Stone::White),
        _ => None,
    }
}

/// The cells of a point, or of a rectangle `aa:cc`.
fn rectangle(text: &str, rules: &Rules, line: usize) -> Result<Vec<Cell>, LoadError> {
    let wrong = || LoadError::expected(line, POINT, text);
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let (from, to) = (point(from, rules).ok_or_else(wrong)?, point(to, rules).ok_or_else(wrong)?);
    let columns = from.column.min(to.column)..=from.column.max(to.column);
    let rows = from.row.min(to.row)..=from.row.max(to.row);
    Ok(rows.flat_map(|row| columns.clone().map(move |column| Cell::new(column, row))).collect())
}

/// The set-up, if there is one. Ours, kept aside, is only believed where it agrees with what all can see.
fn setup(
    rules: &Rules,
    set_up: &BTreeMap<(u8, u8), Stone>,
    to_move: Option<Stone>,
    tree: &Tree,
    kept: Option<Setup>,
) -> Option<Setup> {
    let ply = |(&(row, column), &stone)| Ply { stone, cell: Cell::new(column, row) };
    let stones: Vec<Ply> = set_up.iter().map(ply).collect();
    let sorted = |setup: &Setup| {
        let mut stones = setup.stones.clone();
        stones.sort_by_key(|ply| (ply.cell.row, ply.cell.column));
        stones
    };
    let agrees = |kept: &Setup| Some(kept.to_move) == to_move && sorted(kept) == stones;
    if let Some(kept) = kept.filter(agrees) {
        return Some(kept);
    }
    if stones.is_empty() {
        return None;
    }
    let black = stones.iter().filter(|ply| ply.stone == Stone::Black).count();
    let usual = (0..stones.len()).filter(|&ply| rules.turn_at(ply).0 == Stone::Black).count();
    let (expected, left) = rules.turn_at(stones.len());
    let first = tree.first().and_then(|written| written.stone);
    let to_move = to_move.or(first).unwrap_or(expected);
    if (black, to_move) == (usual, expected) {
        return Some(Setup { stones, to_move, stones_left: left });
    }
    // An unusual number of stones: the first turn is as long as the file plays it.
    let run = tree.main().iter().take_while(|written| written.stone == Some(to_move)).count();
    let stones_left = run.clamp(1, usize::from(rules.per_turn)) as u8;
    let stones_left = if run < tree.main().len() { stones_left } else { rules.per_turn };
    Some(Setup { stones, to_move, stones_left })
}

/// The rules that the first node tells, and its `RU` if that says nothing to us.
fn rules_of(properties: &[Property], given: Option<Rules>) -> Result<(Rules, Option<Tag>), LoadError> {
    let find = |name: &str| properties.iter().find(|property| property.name == name);
    if let Some(game) = find("GM").filter(|game| game.values[0].trim() != "4" && given.is_none()) {
        let what = Text::fixed("GM[4], the number of this family of games", "GM[4]（本类棋的编号）");
        return Err(LoadError::expected(game.line, what, &game.values[0]));
    }
    let size = find("SZ").map(size).transpose()?;
    let named = find("RU").map(|rule| (rule, named(&rule.values[0])));
    let (rules, unknown) = match named {
        // A name with its own size or blocked cells says everything.
        Some((rule, Some(rules))) if rule.values[0].contains([':', '/']) => return Ok((rules, None)),
        Some((_, Some(rules))) => (rules, None),
        Some((rule, None)) => (given.unwrap_or(Rules::gomoku(15)), Some(rule)),
        None => (given.unwrap_or(Rules::gomoku(15)), None),
    };
    let rules = match size {
        Some((width, height, line)) => sized(rules, width, height, line)?,
        None => rules,
    };
    let unknown = unknown.map(|rule| Tag { name: "RU".into(), values: rule.values.clone() });
    Ok((rules, unknown))
}

/// The opening rule that the first node names with the game, if the game can begin by it.
fn opening_of(properties: &[Property], rules: &Rules) -> OpeningRule {
    let named = properties.iter().find(|property| property.name == "RU");
    let rule = named.and_then(|rule| rule.values[0].split_once('+')?.1.parse::<OpeningRule>().ok());
    rule.filter(|rule| rule.check(rules).is_ok()).unwrap_or_default()
}

/// A game by our name for it, or by a common word; an opening rule behind it is another matter.
fn named(text: &str) -> Option<Rules> {
    let text = match text.split_once('+') {
        Some((board, rule)) if rule.parse::<OpeningRule>().is_ok() => board,
        _ => text,
    };
    let word: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    match word.to_ascii_lowercase().as_str() {
        "freestyle" | "free" | "freegomoku" | "freestylegomoku" | "fiveinarow" => Some(Rules::gomoku(15)),
        "standardgomoku" | "exactfive" => Some(Rules::standard(15)),
        "rif" | "renjurif" => Some(Rules::renju(15)),
        "connectsix" => Some(Rules::connect6(19)),
        _ => text.parse().ok(),
    }
}

fn size(property: &Property) -> Result<(u32, u32, usize), LoadError> {
    let text = property.values[0].trim();
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    match (number(width.trim()), number(height.trim())) {
        (Some(0), _) | (_, Some(0)) => {
            Err(LoadError { line: property.line, reason: Reason::Game(BadGame::Size(0, 0)) })
        }
        (Some(width), Some(height)) => Ok((width, height, property.line)),
        _ => Err(LoadError::expected(property.line, Text::fixed("the size of the board", "棋盘大小"), text)),
    }
}
