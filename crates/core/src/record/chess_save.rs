//! `ChessSave.txt` of the old Gomoku program: `player x y` a line, no heading.
//!
//! Player 1 is the computer and 2 the human; x is the row from the top and y the column, both from 1: rows are
//! flipped here and only here. Whoever stands on the first line is our Black.

use super::draft::{Draft, DraftMove};
use super::format::{Take, refuse_blocked, refuse_setup};
use super::text::{cell_from_top, lines, number};
use super::{GameRecord, LoadError};
use crate::{Placement, Rules, Stone, Text};

const LINE: Text = Text::fixed("a move 'player row column' with player 1 or 2", "一步“棋手 行 列”（棋手为 1 或 2）");
const PLAYERS: [&str; 2] = ["computer", "human"];

/// Reads one game: free-style Gomoku on 15×15 unless the caller knows better.
pub(super) fn read(text: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let mut draft = Draft::new(rules.unwrap_or(Rules::gomoku(15)));
    let height = draft.record.rules.height;
    let mut first = None;
    for (line, found) in lines(text) {
        if found.trim().is_empty() {
            continue;
        }
        let [player, row, column] = numbers(found).ok_or_else(|| LoadError::expected(line, LINE, found.trim()))?;
        let black = *first.get_or_insert(player);
        let stone = Some(if player == black { Stone::Black } else { Stone::White });
        draft.push(match cell_from_top(column, row, height) {
            Some(cell) => DraftMove::new(stone, cell, line),
            None => DraftMove::beyond(stone, &format!("{row} {column}"), line),
        });
    }
    let Some(first) = first else { return Ok(()) };
    let called = if first == 1 { [0, 1] } else { [1, 0] };
    for (side, player) in draft.record.sides.iter_mut().zip(called) {
        side.called = PLAYERS[player].into();
    }
    take(draft)
}

/// Three numbers with a player in front.
pub(super) fn numbers(line: &str) -> Option<[u32; 3]> {
    let mut parts = line.split_whitespace().map(number);
    let found = [parts.next()??, parts.next()??, parts.next()??];
    (parts.next().is_none() && (1..=2).contains(&found[0])).then_some(found)
}

/// Writes one game.
pub(super) fn write(record: &GameRecord) -> Result<String, Text> {
    let rules = &record.rules;
    let fits = (rules.width, rules.height, rules.first_turn, rules.per_turn) == (15, 15, 1, 1);
    if !fits || rules.placement == Placement::Drop {
        return Err(Text::fixed("it is for a board of 15x15 with one stone a turn", "它只用于 15x15、每手一子的棋"));
    }
    refuse_setup(record)?;
    refuse_blocked(record)?;
    if record.moves.is_empty() {
        return Err(Text::fixed("without a move its file is empty", "没有着法时文件为空"));
    }
    let human_first = record.sides[0].called == PLAYERS[1] || record.sides[1].called == PLAYERS[0];
    let players = if human_first { [2, 1] } else { [1, 2] };
    let line = |(ply, played): (usize, &super::Move)| {
        let (row, column) = (15 - played.cell.row, played.cell.column + 1);
        format!("{} {row} {column}\n", players[rules.turn_at(ply).0.index()])
    };
    Ok(record.moves.iter().enumerate().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{loaded, refused, written};
    use super::*;
    use crate::Ending;
    use crate::record::Format::ChessSave;

    #[test]
    fn a_file_is_read_and_written() {
        let text = "2 8 8\n1 7 9\n2 1 1\n";
        let game = loaded(ChessSave, &text.replace('\n', "\r\n"), None);
        assert_eq!(game.problem, None);
        let record = game.record;
        let cells: Vec<_> = record.moves.iter().map(|m| m.cell.to_string()).collect();
        assert_eq!(cells, ["h8", "i9", "a15"]);
        assert_eq!([&record.sides[0].called, &record.sides[1].called], ["human", "computer"]);
        assert_eq!(written(ChessSave, &record), text);
        let record = loaded(ChessSave, "1 8 8\n2 8 9", None).record;
        assert_eq!(record.sides[0].called, "computer");
    }

    #[test]
    fn fouls_and_broken_lines_are_found_at_their_line() {
        let game = loaded(ChessSave, "1 8 8\n2 7 7\n\n2 7 8\n", None);
        assert_eq!(game.problem.unwrap().line, 4);
        assert_eq!(game.record.verdict.ending, Ending::OutOfTurn);
        assert_eq!(loaded(ChessSave, "1 8 8\n2 16 1", None).problem.unwrap().line, 2);
        for text in ["1 8 8\n2 7", "1 8 8\n3 7 7", "1 8 8\n2 7 7 7", "1 8 8\n2 7 x"] {
            assert_eq!(refused(ChessSave, text, None).line, 2, "{text}");
        }
        assert_eq!(refused(ChessSave, " \n\n", None).line, 0);
    }

    #[test]
    fn only_15x15_with_one_stone_a_turn_is_written() {
        for game in ["gomoku:19", "connect6:15", "gomoku/a1", "connect4:15x15", "gomoku"] {
            assert!(write(&GameRecord::new(game.parse().unwrap())).is_err(), "{game}");
        }
    }
}
