//! The chances that players of a game saw, as they are sent.

use lianzi_classic::catalog::scores as scores_of;
use lianzi_core::GameRecord;

/// For every stone of a game the chance that its player saw, where that is known.
pub fn chances(record: &GameRecord, players: [&str; 2]) -> Vec<Option<f64>> {
    let scores = players.map(|player| scores_of(player, &record.rules));
    let mut position = record.position_at(0);
    let chance = |played: &lianzi_core::record::Move| {
        let mover = position.to_move();
        // A record's moves are legal.
        let _ = position.play(played.cell);
        let eval = played.eval?;
        scores[mover.index()].chance(eval.score, eval.win_in).map(rounded)
    };
    record.moves.iter().map(chance).collect()
}

/// A chance as it is sent: thousandths are enough.
pub fn rounded(chance: f64) -> f64 {
    (chance * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::record::{Document, Format};

    #[test]
    fn a_player_without_scores_saw_no_chance() {
        let read = Format::Moves.read(&Document::Single("h8 h9".into()), Some("gomoku".parse().unwrap()));
        let mut record = read.unwrap().remove(0).record;
        for played in &mut record.moves {
            played.eval = Some(lianzi_core::record::Eval { score: 150, ..Default::default() });
        }
        assert_eq!(chances(&record, ["strong", "greedy"]), [Some(0.731), None]);
    }
}
