//! Connect Four as the digits of the columns played: `4453…`, from 1, on boards up to 9 wide. One game a line.
//!
//! A heading `# game: connect4:8x7`, or `# games:`, says which game the lines below it are; without one it is Connect
//! Four 7×6.
//! Other lines that begin with `#` are remarks.

use super::draft::{Draft, DraftMove};
use super::format::{Take, refuse_setup};
use super::text::{Following, game, heading, lines};
use super::{GameRecord, LoadError};
use crate::{Placement, Rules, Text};

const DIGITS: Text = Text::fixed("columns as digits 1 to 9", "数字 1 到 9 表示的列");
const DROPPING: Text = Text::fixed("a game in which stones drop", "一种棋子下落的棋");
const USUAL: Rules = Rules::connect4(7, 6);
const WIDEST: u8 = 9;

/// Reads any number of games.
pub(super) fn read(text: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let mut rules = rules.unwrap_or(USUAL);
    for (line, found) in lines(text) {
        let found = found.trim();
        if let Some(name) = heading(found, "game").or_else(|| heading(found, "games")) {
            rules = game(name, line)?;
        }
        if found.is_empty() || found.starts_with('#') {
            continue;
        }
        if rules.placement != Placement::Drop {
            return Err(LoadError::expected(line, DROPPING, &rules.to_string()));
        }
        if !found.bytes().all(|b| (b'1'..=b'9').contains(&b)) {
            return Err(LoadError::expected(line, DIGITS, found));
        }
        take(read_one(found, rules, line))?;
    }
    Ok(())
}

fn read_one(digits: &str, rules: Rules, line: usize) -> Draft {
    let mut draft = Draft::new(rules);
    let mut following = Following::new(rules);
    for digit in digits.bytes().take(super::draft::MAX_PLIES) {
        match following.landing(digit - b'1') {
            Some(cell) => {
                following.play(cell);
                draft.push(DraftMove::new(None, cell, line));
            }
            None => draft.push(DraftMove::beyond(None, &char::from(digit).to_string(), line)),
        }
    }
    draft
}

/// Writes one game, below its heading where it is not the usual one.
pub(super) fn write(record: &GameRecord) -> Result<String, Text> {
    let rules = &record.rules;
    if rules.placement != Placement::Drop || rules.width > WIDEST {
        return Err(Text::fixed(
            "it is for games with a drop on boards up to 9 wide",
            "它只用于棋子下落、至多 9 列的棋",
        ));
    }
    refuse_setup(record)?;
    if record.moves.is_empty() {
        return Err(Text::fixed("without a move its line is empty", "没有着法时该行为空"));
    }
    let digits: String = record
        .moves
        .iter()
        .map(|played| played.cell)
        .chain(record.surplus.iter().copied())
        .map(|cell| char::from(b'1' + cell.column))
        .collect();
    Ok(format!("# game: {rules}\n{digits}\n"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{loaded, refused, written};
    use super::*;
    use crate::record::{Document, Format::Columns};
    use crate::{IllegalMove, Outcome, Stone, Verdict};

    #[test]
    fn digits_are_read_and_written() {
        let game = loaded(Columns, "4453\n", None);
        let cells: Vec<_> = game.record.moves.iter().map(|m| m.cell.to_string()).collect();
        assert_eq!(cells, ["d1", "d2", "e1", "c1"]);
        assert_eq!(written(Columns, &game.record), "# game: connect4\n4453\n");
        let won = loaded(Columns, "1212121", None).record;
        assert_eq!(won.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)));
    }

    #[test]
    fn each_line_is_a_game() {
        let text = b"# openings\n4453\n\n# games: connect4:9x10/e1\n5555\n".to_vec();
        let games = Columns.read(&Document::Single(text), None).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[1].record.moves[0].cell.to_string(), "e2");
        assert_eq!(games[1].record.rules.width, 9);
        assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [2, 5]);
    }

    #[test]
    fn fouls_say_what_is_wrong() {
        let full = loaded(Columns, "4453\n", Some("connect4:7x4".parse().unwrap()));
        assert_eq!(full.problem, None);
        let full = loaded(Columns, "1111111", None);
        let why = IllegalMove::Occupied;
        assert!(full.record.verdict.words(&USUAL, Default::default()).contains(&why.to_string()));
        assert_eq!(loaded(Columns, "\n8", None).problem.unwrap().line, 2);
        assert_eq!(loaded(Columns, "12121212", None).record.moves.len(), 7);
        assert_eq!(refused(Columns, "44\n450", None).line, 2);
        assert_eq!(refused(Columns, "# game: gomoku\n44", None).line, 2);
        assert_eq!(refused(Columns, "# game: nonsense\n44", None).line, 1);
    }

    #[test]
    fn other_games_are_not_written() {
        for game in ["gomoku", "connect4:10x10", "connect4"] {
            assert!(write(&GameRecord::new(game.parse().unwrap())).is_err(), "{game}");
        }
    }
}
