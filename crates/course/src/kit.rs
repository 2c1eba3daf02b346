//! Results of `ai()` modules under the names that the Gomoku course's own runner gives them (RC-12).
//!
//! The runner calls who begins "white". A defect is not copied: a point that nobody may choose is not among the steps.

use lianzi_core::{Ending, GameRecord, Outcome, Rules, Stone};
use serde_json::{Value, json};

use lianzi_contest::run::{ENDED, STARTED};
use lianzi_players::Interface;

/// Whether the course's runner plays this game.
pub fn plays(rules: &Rules) -> bool {
    Interface::Course.plays(rules)
}

/// A finished game as the runner reports it; times are seconds since 1970.
pub fn result(record: &GameRecord) -> Value {
    let name = |stone: Stone| record.side(stone).name.as_str();
    let winner = match record.verdict.outcome {
        Some(Outcome::Win(stone)) => name(stone),
        _ => "NOONE",
    };
    let time = |tag| record.tag(tag).and_then(|text| text.parse::<f64>().ok());
    let steps: Vec<[u8; 2]> = record.moves.iter().map(|step| [step.cell.column, step.cell.row]).collect();
    json!({
        "white": name(Stone::Black), "black": name(Stone::White),
        "start_time": time(STARTED), "end_time": time(ENDED),
        "win_Stu": winner, "WinSituation": situation(&record.verdict.ending), "steps": steps,
    })
}

/// How it came about, spelt as the runner spells it.
fn situation(ending: &Ending) -> &'static str {
    match ending {
        Ending::Timeout { .. } => "OUTOFTIME",
        // What is no point of the board is no point of the runner's list either.
        Ending::Illegal { .. } | Ending::Garbled { .. } => "PosInvaild",
        Ending::Crashed { .. } | Ending::NotStarted { .. } => "BaseException",
        _ => "StrengthRolling",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::{Position, Verdict};

    #[test]
    fn fields_have_the_runners_names() {
        let mut position = Position::new(Rules::gomoku(15));
        for cell in ["h8", "a1"] {
            position.play(cell.parse().unwrap()).unwrap();
        }
        let mut record = GameRecord::from_position(&position);
        record.sides[0].name = "20184446".into();
        record.sides[1].name = "20200430".into();
        record.set_tag(STARTED, "1700000000.250");
        record.set_tag(ENDED, "1700000001.500");
        record.verdict = Verdict::by_stones(Outcome::Draw);
        let expected = json!({
            "white": "20184446", "black": "20200430", "start_time": 1_700_000_000.25, "end_time": 1_700_000_001.5,
            "win_Stu": "NOONE", "WinSituation": "StrengthRolling", "steps": [[7, 7], [0, 0]],
        });
        assert_eq!(result(&record), expected);
        record.verdict = Verdict::fault(Stone::Black, Ending::Garbled { said: "None".into() });
        let bad = result(&record);
        assert_eq!((&bad["win_Stu"], &bad["WinSituation"]), (&json!("20200430"), &json!("PosInvaild")));
    }
}
