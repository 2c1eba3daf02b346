//! Lessons: text in two languages, boards, and tasks that the referee checks. A lesson is a text file (docs/train.md).

use std::collections::BTreeMap;

use lianzi_core::{
    Cell, Forbidden, Placement, Ply, Position, Rules, Setup, Speak, Stone, Text, cell_names, shorten, spoken_errors,
    text,
};

use crate::puzzle::Turn;
use crate::task::{Make, Seek, Task};

/// How large a lesson may be, and how many steps it may have.
pub const BYTES: usize = 64 << 10;
const STEPS: usize = 60;

/// How the names of lessons' files end.
pub const ENDING: &str = ".lesson";

/// A lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its name, from its file's.
    pub id: String,
    /// Where it stands among the others: its file's name.
    pub order: String,
    /// The game of its list entry.
    pub rules: Rules,
    /// What it is called.
    pub title: Text,
    /// The same in a sentence.
    pub about: Text,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A step of a lesson: a text with a board, and perhaps a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The text.
    pub words: Text,
    /// What lies on the board before the first move.
    pub setup: Option<Setup>,
    /// The position.
    pub position: Position,
    /// Cells that are marked.
    pub marks: Vec<Cell>,
    /// What is to be done.
    pub task: Option<Task>,
    /// What is said when somebody asks.
    pub hint: Option<Text>,
    /// What is said after a wrong try.
    pub wrong: Option<Text>,
    /// What is said when it is done.
    pub done: Option<Text>,
}

/// Why a file is no lesson, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLesson {
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// What is wrong there.
    pub why: Text,
}

impl Speak for BadLesson {
    fn text(&self) -> Text {
        let BadLesson { line, why } = self;
        match line {
            0 => why.clone(),
            _ => text!("line {line}: {why}", "第 {line} 行：{why}"; why),
        }
    }
}

spoken_errors!(BadLesson);

/// The entries of the head or of a step, with their lines.
type Entries = BTreeMap<String, (usize, String)>;

impl Lesson {
    /// Reads a file of this name.
    pub fn read(file: &str, text: &str) -> Result<Lesson, BadLesson> {
        let id = id_of(file);
        let named = (1..=40).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !named {
            return Err(whole(Text::fixed(
                "a lesson's file is called NN-NAME.lesson, with letters, digits and dashes",
                "课程文件名须为 NN-NAME.lesson，只用字母、数字和连字符",
            )));
        }
        if text.len() > BYTES {
            let most = BYTES >> 10;
            return Err(whole(text!("a lesson has at most {most} KiB", "一课最多 {most} KiB")));
        }
        let mut parts = parts(text)?;
        let mut head = parts.remove(0);
        let game = take(&mut head, "game").ok_or_else(|| missing(1, "game"))?;
        let rules = read_rules(&game)?;
        let both = |head: &mut Entries, key: &str| both(head, key)?.ok_or_else(|| missing(1, key));
        let (title, about) = (both(&mut head, "title")?, both(&mut head, "about")?);
        no_more(&head)?;
        if parts.is_empty() || parts.len() > STEPS {
            return Err(whole(text!("a lesson has 1 to {STEPS} steps", "一课有 1 到 {STEPS} 步")));
        }
        let steps = parts.into_iter().map(|entries| step(entries, rules)).collect::<Result<_, _>>()?;
        Ok(Lesson { id: id.into(), order: file.into(), rules, title, about, steps })
    }

    /// Which steps have a task.
    pub fn tasks(&self) -> Vec<usize> {
        (0..self.steps.len()).filter(|&n| self.steps[n].task.is_some()).collect()
    }
}

/// The id in a file's name: what follows its number.
fn id_of(file: &str) -> &str {
    let name = file.strip_suffix(ENDING).unwrap_or(file);
    match name.split_once('-') {
        Some((number, rest)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => name,
    }
}

fn whole(why: Text) -> BadLesson {
    BadLesson { line: 0, why }
}

fn missing(line: usize, key: &str) -> BadLesson {
    BadLesson { line, why: text!("{key} is missing", "缺少 {key}") }
}

/// The head and the steps, each as its entries.
fn parts(text: &str) -> Result<Vec<Entries>, BadLesson> {
    let (mut parts, mut last, mut paragraph) = (vec![Entries::new()], None::<String>, false);
    for (n, line) in text.lines().enumerate() {
        let (line, number) = (line.trim_end(), n + 1);
        let bad = |why| BadLesson { line: number, why };
        if line.starts_with('#') {
            continue;
        }
        if line == "---" {
            parts.push([(String::new(), (number, String::new()))].into_iter().collect());
            (last, paragraph) = (None, false);
            continue;
        }
        if line.is_empty() {
            paragraph = true;
            continue;
        }
        let entries = parts.last_mut().expect("there is the head");
        if line.starts_with([' ', '\t', '\u{3000}']) {
            let Some((_, value)) = last.as_ref().and_then(|key| entries.get_mut(key)) else {
                return Err(bad(Text::fixed("this line continues nothing", "此行没有可续的内容")));
            };
            value.push_str(if paragraph { "\n\n" } else { "\n" });
            value.push_str(line.trim());
        } else {
            let Some((key, value)) = line.split_once(':') else {
                return Err(bad(Text::fixed(
                    "write key: value, or begin with a space to go on",
                    "请写 key: value；续行以空格开头",
                )));
            };
            if entries.insert(key.into(), (number, value.trim().into())).is_some() {
                let key = shorten(key);
                return Err(bad(text!("{key} stands here twice", "{key} 重复")));
            }
            last = Some(key.into());
        }
        paragraph = false;
    }
    Ok(parts)
}

/// Takes an entry out.
fn take(entries: &mut Entries, key: &str) -> Option<(usize, String)> {
    entries.remove(key)
}

/// Takes a text in both languages out; one alone is a mistake.
fn both(entries: &mut Entries, key: &str) -> Result<Option<Text>, BadLesson> {
    let dot = if key.is_empty() { String::new() } else { format!("{key}.") };
    let [en, zh] = ["en", "zh"].map(|language| format!("{dot}{language}"));
    match (take(entries, &en), take(entries, &zh)) {
        (None, None) => Ok(None),
        (Some((_, english)), Some((_, chinese))) => Ok(Some(Text::new(english, chinese))),
        (Some((line, _)), None) => Err(missing(line, &zh)),
        (None, Some((line, _))) => Err(missing(line, &en)),
    }
}

/// What nobody took is a mistake.
fn no_more(entries: &Entries) -> Result<(), BadLesson> {
    match entries.iter().find(|(key, _)| !key.is_empty()) {
        None => Ok(()),
        Some((key, (line, _))) => {
            let key = shorten(key);
            Err(BadLesson { line: *line, why: text!("{key} means nothing here", "此处 {key} 没有意义") })
        }
    }
}

fn read_rules((line, game): &(usize, String)) -> Result<Rules, BadLesson> {
    game.parse().map_err(|bad: lianzi_core::BadGame| BadLesson { line: *line, why: bad.text() })
}

fn read_cells((line, text): &(usize, String)) -> Result<Vec<Cell>, BadLesson> {
    let names = text.split_whitespace().flat_map(cell_names);
    names
        .map(|name| name.parse().map_err(|bad: lianzi_core::NotACell| BadLesson { line: *line, why: bad.text() }))
        .collect()
}

fn step(mut entries: Entries, rules: Rules) -> Result<Step, BadLesson> {
    let line = take(&mut entries, "").map_or(1, |(line, _)| line);
    let rules = take(&mut entries, "game").map_or(Ok(rules), |game| read_rules(&game))?;
    let words = both(&mut entries, "")?.ok_or_else(|| missing(line, "en"))?;
    let (setup, position) = board(&mut entries, rules, line)?;
    let marks = take(&mut entries, "mark").map_or(Ok(Vec::new()), |cells| read_cells(&cells))?;
    let task = take(&mut entries, "task").map(|task| read_task(&task, &position)).transpose()?;
    let [hint, wrong, done] = ["hint", "wrong", "done"].map(|key| both(&mut entries, key));
    let step = Step { words, setup, position, marks, task, hint: hint?, wrong: wrong?, done: done? };
    no_more(&entries)?;
    let outside = step.marks.iter().find(|cell| !rules.contains(**cell));
    if let Some(cell) = outside {
        return Err(BadLesson { line, why: text!("{cell} is not on the board", "{cell} 不在棋盘内") });
    }
    if step.task.is_some() && step.position.outcome().is_some() {
        return Err(BadLesson {
            line, why: Text::fixed("the game is over before the task", "任务开始前对局已结束")
        });
    }
    Ok(step)
}

/// The board of a step: moves, or stones that simply lie there.
fn board(entries: &mut Entries, rules: Rules, line: usize) -> Result<(Option<Setup>, Position), BadLesson> {
    let stones = [take(entries, "black"), take(entries, "white")];
    let to_move = take(entries, "to_move").map(|entry| read_stone(&entry)).transpose()?;
    let left = take(entries, "left").map(|entry| read_number(&entry)).transpose()?;
    if let Some(moves) = take(entries, "moves") {
        if stones.iter().any(Option::is_some) || to_move.is_some() || left.is_some() {
            let why = Text::fixed(
                "give either moves or black, white, to_move and left",
                "moves 与 black、white、to_move、left 只能选一",
            );
            return Err(BadLesson { line: moves.0, why });
        }
        let mut position = Position::new(rules);
        for cell in read_cells(&moves)? {
            let illegal = |why: lianzi_core::IllegalMove| {
                let why = why.text();
                BadLesson { line: moves.0, why: text!("{cell}: {why}", "{cell}：{why}"; why) }
            };
            position.play(cell).map_err(illegal)?;
        }
        return Ok((None, position));
    }
    if stones.iter().all(Option::is_none) && to_move.is_none() && left.is_none() {
        return Ok((None, Position::new(rules)));
    }
    let mut plies = Vec::new();
    for (stone, entry) in Stone::BOTH.into_iter().zip(stones) {
        let cells = entry.map_or(Ok(Vec::new()), |entry| read_cells(&entry))?;
        plies.extend(cells.into_iter().map(|cell| Ply { stone, cell }));
    }
    if rules.placement == Placement::Drop {
        // Lower stones come first.
        plies.sort_by_key(|ply| ply.cell.row);
    }
    let setup =
        Setup { stones: plies, to_move: to_move.unwrap_or(Stone::Black), stones_left: left.unwrap_or(rules.per_turn) };
    let position = Position::with_setup(rules, &setup).map_err(|bad| BadLesson { line, why: bad.text() })?;
    Ok((Some(setup), position))
}

fn read_stone((line, text): &(usize, String)) -> Result<Stone, BadLesson> {
    match text.as_str() {
        "black" => Ok(Stone::Black),
        "white" => Ok(Stone::White),
        _ => Err(BadLesson { line: *line, why: Text::fixed("write black or white", "请写 black 或 white") }),
    }
}

fn read_number((line, text): &(usize, String)) -> Result<u8, BadLesson> {
    text.parse().map_err(|_| {
        let word = shorten(text);
        BadLesson { line: *line, why: text!("{word} is no small number", "{word} 不是小的数") }
    })
}

fn read_task((line, text): &(usize, String), position: &Position) -> Result<Task, BadLesson> {
    let bad = || BadLesson {
        line: *line,
        why: Text::fixed(
            "a task is one of: play CELLS, win N, hold, make five|four|three, find wins|stops|forbidden, number N",
            "任务须为：play 格、win N、hold、make five|four|three、find wins|stops|forbidden、number N 之一",
        ),
    };
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let number = || rest.trim().parse::<u8>().map_err(|_| bad());
    Ok(match (kind, rest.trim()) {
        ("play", _) => Task::Play(read_turns(*line, rest, position)?),
        ("win", _) => Task::Win(number()?.clamp(1, crate::insight::LONGEST)),
        ("hold", "") => Task::Hold,
        ("make", "five") => Task::Make(Make::Five),
        ("make", "four") => Task::Make(Make::Four),
        ("make", "three") => Task::Make(Make::Three),
        ("find", "wins") => Task::Find(Seek::Wins),
        ("find", "stops") => Task::Find(Seek::Stops),
        ("find", "forbidden") if position.rules().forbidden == Forbidden::Renju => Task::Find(Seek::Forbidden),
        ("number", _) => Task::Number(number()?),
        _ => return Err(bad()),
    })
}

/// Turns, one a word.
fn read_turns(line: usize, text: &str, position: &Position) -> Result<Vec<Turn>, BadLesson> {
    let turns: Vec<Turn> =
        text.split_whitespace().map(|word| read_cells(&(line, word.into()))).collect::<Result<_, _>>()?;
    let legal = |turn: &Turn| {
        let mut after = position.clone();
        turn.iter().try_for_each(|&cell| after.play(cell)).is_ok()
            && (after.outcome().is_some() || after.to_move() != position.to_move())
    };
    match turns.iter().all(legal) && !turns.is_empty() {
        true => Ok(turns),
        false => {
            Err(BadLesson { line, why: Text::fixed("one of these turns cannot be played", "其中有一手无法下") })
        }
    }
}
