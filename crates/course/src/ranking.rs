//! Levels from a contest of all against all.

use lianzi_contest::report::Standing;
use lianzi_contest::upshot::Upshot;
use serde_json::{Value, json};

use super::sheet::field;

/// The strategies of a contest with their levels, the strongest first.
pub struct Ranking<'a> {
    upshot: &'a Upshot<'a>,
}

impl<'a> Ranking<'a> {
    /// Ranks those who played.
    pub fn new(upshot: &'a Upshot<'a>) -> Ranking<'a> {
        Ranking { upshot }
    }

    /// Each with its level and its name: as many levels as there are strategies, the strongest the highest; those whom
    /// nothing separates share the lower one.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &'a str, &'a Standing)> {
        let Upshot { contest, standings, .. } = self.upshot;
        standings.iter().map(move |row| {
            let last = standings.iter().rposition(|other| other.rank == row.rank).unwrap_or(0);
            (standings.len() - last, contest.players[row.player].name.as_str(), row)
        })
    }

    /// The ranking as one JSON object.
    pub fn json(&self) -> Value {
        let row = |(level, name, row): (usize, &str, &Standing)| {
            json!({
                "level": level, "name": name, "points": row.points, "wins": row.tally.wins,
                "draws": row.tally.draws, "losses": row.tally.losses, "faults": row.faults,
                "elo": row.elo.value, "elo_error": row.elo.error(),
            })
        };
        let rows: Vec<Value> = self.rows().map(row).collect();
        let Upshot { finished, games, .. } = self.upshot;
        json!({ "event": "ranking", "finished": finished, "games": games.len(), "ranking": rows })
    }

    /// The ranking as a table for programs.
    pub fn csv(&self) -> String {
        let mut text = "level,strategy,points,wins,draws,losses,faults\r\n".to_string();
        for (level, name, Standing { points, tally, faults, .. }) in self.rows() {
            let (name, wins, draws, losses) = (field(name), tally.wins, tally.draws, tally.losses);
            text += &format!("{level},{name},{points},{wins},{draws},{losses},{faults}\r\n");
        }
        text
    }
}
