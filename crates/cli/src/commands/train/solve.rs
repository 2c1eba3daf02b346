//! Puzzles, line by line.

use std::io::BufRead;
use std::process::ExitCode;

use lianzi_core::{Cell, Position, Speak, Text, text};
use lianzi_train::attempt::{self, Played, Verdict};
use lianzi_train::hint::{self, STEPS};
use lianzi_train::puzzle::named;
use lianzi_train::tree::{Branch, tree};
use lianzi_train::{Ended, Library, Puzzle, Wanted};

use super::Notes;
use lianzi_console::{Console, line, prompt};

/// Which puzzles are solved.
pub enum Choice {
    /// This one.
    One(Puzzle),
    /// What suits the learner, one after another.
    Suited(Wanted),
    /// What is to be repeated.
    Due,
}

/// Lets a person solve puzzles until there are no more, or they leave.
pub fn run(choice: Choice, library: &Library, notes: &mut Notes, console: &Console) -> anyhow::Result<ExitCode> {
    line(help(console))?;
    let mut last: Option<String> = None;
    loop {
        let next = match &choice {
            Choice::One(puzzle) => last.is_none().then(|| puzzle.clone()),
            Choice::Suited(wanted) => library.next(&notes.progress, wanted, last.as_deref()).cloned(),
            Choice::Due => due(library, notes),
        };
        let Some(puzzle) = next else {
            let none = Text::fixed("There is nothing more to solve here.", "这里没有更多题目了。");
            if last.is_none() {
                line(console.say(none))?;
            }
            return Ok(ExitCode::SUCCESS);
        };
        let Some(ended) = solve(&puzzle, console)? else { return Ok(ExitCode::SUCCESS) };
        note(&puzzle, ended, library, notes, console)?;
        last = Some(puzzle.id);
    }
}

fn due(library: &Library, notes: &Notes) -> Option<Puzzle> {
    let due = notes.progress.due(notes.today);
    due.into_iter().find_map(|id| notes.progress.mistake(id).or_else(|| library.get(id).cloned()))
}

fn note(puzzle: &Puzzle, ended: Ended, library: &Library, notes: &mut Notes, console: &Console) -> anyhow::Result<()> {
    let daily = library.daily(notes.today).is_some_and(|daily| daily.id == puzzle.id);
    let change = notes.progress.finish(puzzle, ended, notes.today, daily);
    notes.write()?;
    let (rating, by) = (notes.progress.rating.rating.round(), change.rating);
    line(console.say(text!("Your rating: {rating} ({by:+})", "你的等级分：{rating}（{by:+}）")))?;
    if let Some(again) = change.again {
        line(console.say(text!("It comes back on {again}.", "此题将于 {again} 再次出现。")))?;
    }
    line("")
}

/// What was typed.
enum Typed {
    Turn(Vec<Cell>),
    Hint,
    Solution,
    Skip,
    Help,
    Board,
    Quit,
    Unknown(Text),
}

/// Lets a person solve one puzzle; nothing if they leave.
fn solve(puzzle: &Puzzle, console: &Console) -> anyhow::Result<Option<Ended>> {
    let (mut moves, mut position) = (Vec::new(), puzzle.position());
    let (title, name) = (puzzle.title(), puzzle.theme.title_of_set());
    let (id, rating) = (&puzzle.id, puzzle.rating);
    line(console.say(text!("{id}, {name}, rated {rating}", "{id}，{name}，难度 {rating}"; name)))?;
    show(&position, console)?;
    line(console.say(title))?;
    let (mut hints, mut failed) = (0, false);
    loop {
        let ended = |failed: bool, hints: u8| match (failed, hints) {
            (true, _) => Ended::Failed,
            (false, 0) => Ended::Solved,
            _ => Ended::Helped,
        };
        match ask(&position, console)? {
            Typed::Quit => return Ok(None),
            Typed::Help => line(help(console))?,
            Typed::Board => show(&position, console)?,
            Typed::Unknown(why) => line(console.say(why))?,
            Typed::Skip => return Ok(Some(Ended::Failed)),
            Typed::Solution => {
                print_tree(puzzle, console)?;
                return Ok(Some(Ended::Failed));
            }
            Typed::Hint => {
                hints = (hints + 1).min(STEPS);
                let found = hint::hint(puzzle, &moves, hints)?;
                let cells = if hints == 2 { format!(" {}", named(&found.cells)) } else { String::new() };
                line(format!("{}{cells}", console.say(found.words)))?;
            }
            Typed::Turn(turn) => match attempt::play(puzzle, &moves, &turn) {
                Err(bad) => line(bad.words(console.language))?,
                Ok(played) => {
                    tell(&played, console)?;
                    failed |= played.verdict == Verdict::Wrong;
                    position = played.position;
                    moves = position.plies()[puzzle.moves.len()..].iter().map(|ply| ply.cell).collect();
                    if played.verdict == Verdict::Solved {
                        return Ok(Some(ended(failed, hints)));
                    }
                }
            },
        }
    }
}

/// Says what became of a turn.
pub fn tell(played: &Played, console: &Console) -> anyhow::Result<()> {
    if played.verdict != Verdict::Wrong {
        show(&played.position, console)?;
    }
    line(played.words.words(console.language))
}

pub fn show(position: &Position, console: &Console) -> anyhow::Result<()> {
    line(console.board(position).trim_end())
}

fn ask(position: &Position, console: &Console) -> anyhow::Result<Typed> {
    let side = position.rules().side(position.to_move());
    prompt(&format!("{} > ", console.say(side)))?;
    let Some(typed) = read_line()? else {
        line("")?;
        return Ok(Typed::Quit);
    };
    Ok(match typed.trim() {
        "hint" | "提示" => Typed::Hint,
        "solution" | "答案" => Typed::Solution,
        "skip" | "跳过" => Typed::Skip,
        "help" | "帮助" => Typed::Help,
        "board" | "棋盘" | "" => Typed::Board,
        "quit" | "退出" => Typed::Quit,
        words => read_turn(position, words),
    })
}

/// A line of the input, unless it has ended.
pub fn read_line() -> anyhow::Result<Option<String>> {
    let mut typed = Vec::new();
    let read = std::io::stdin().lock().read_until(b'\n', &mut typed)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&typed).into_owned()))
}

fn read_turn(position: &Position, words: &str) -> Typed {
    match cells(position, words) {
        Ok(turn) => Typed::Turn(turn),
        Err(why) => Typed::Unknown(why),
    }
}

/// The cells that a person typed; where stones drop, columns.
pub fn cells(position: &Position, words: &str) -> Result<Vec<Cell>, Text> {
    let names = words.split([' ', ',']).filter(|name| !name.is_empty());
    let mut after = position.clone();
    let mut turn = Vec::new();
    for name in names.flat_map(lianzi_core::cell_names) {
        let cell = after.read_cell(name).map_err(|bad| bad.text())?;
        // Whether it may lie there is said by whoever judges the turn.
        let _ = after.play(cell);
        turn.push(cell);
    }
    Ok(turn)
}

fn print_tree(puzzle: &Puzzle, console: &Console) -> anyhow::Result<()> {
    let (branches, cut) = tree(puzzle);
    for branch in &branches {
        print_branch(branch, 0, console)?;
    }
    if cut { line(console.pick("…and so on.", "……等等。")) } else { Ok(()) }
}

fn print_branch(branch: &Branch, depth: usize, console: &Console) -> anyhow::Result<()> {
    let turn = match branch.turn.is_empty() {
        true => console.pick("anything else", "其他").to_string(),
        false => named(&branch.turn),
    };
    let mark = if branch.end.is_some() { "  #" } else { "" };
    line(format!("{}{turn}{mark}", "  ".repeat(depth)))?;
    branch.then.iter().try_for_each(|next| print_branch(next, depth + 1, console))
}

fn help(console: &Console) -> &'static str {
    console.pick(
        "Type a cell such as h8 (Connect Four: a column; Connect6: two cells), or: hint, solution, skip, board, help, quit",
        "输入位置，如 h8（四子棋输入列，六子棋输入两个位置），或：hint 提示、solution 答案、skip 跳过、board 棋盘、help 帮助、quit 退出",
    )
}
