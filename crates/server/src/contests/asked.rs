//! A contest as a page asks for it, and whether it may.

use lianzi_contest::ratings::Scoring;
use lianzi_contest::statistics::Sprt;
use lianzi_contest::{Contest, Entrant, Format, Length, Openings};
use lianzi_core::{Game, text};
use lianzi_game::judge::Cutoff;
use lianzi_talk::Refusal;
use serde::Deserialize;

use crate::Hall;
use crate::bounds::{self, Times};
use crate::players::Who;

/// A contest as a page asks for it.
#[derive(Deserialize)]
pub struct NewContest {
    game: String,
    players: Vec<String>,
    games: usize,
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    control: Times,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    sprt: Option<[f64; 2]>,
}

impl Hall {
    pub(super) fn contest_of(&self, new: NewContest) -> Result<(Contest, Vec<Who>), Refusal> {
        let game: Game = bounds::game(&new.game)?.parse()?;
        if !(2..=bounds::CONTEST_PLAYERS).contains(&new.players.len()) {
            let most = bounds::CONTEST_PLAYERS;
            return Err(Refusal::from(text!("a contest has 2 to {most} players", "比赛须有 2 到 {most} 名棋手")));
        }
        let seed = new.seed.unwrap_or(1);
        let mut who = Vec::new();
        for text in &new.players {
            let player = self.players.find(text)?;
            if player.is_human() {
                return Err(Refusal::bad("people do not play in contests", "人类棋手不参加自动比赛"));
            }
            player.check(&game.draw(seed))?;
            who.push(player);
        }
        let named = who.iter().zip(&new.players).map(|(who, text)| (who.name().to_string(), text.clone()));
        let (format, length) = format_of(&new)?;
        let contest = Contest {
            game,
            players: Entrant::all(named),
            format,
            length,
            control: new.control.of_contest()?,
            cutoff: Cutoff::default(),
            openings: Openings::Balanced,
            own_openings: false,
            seed,
            sprt: new.sprt.map(|[low, high]| Sprt::new(low, high)),
            scoring: Scoring::default(),
        };
        Ok((contest, who))
    }
}

fn format_of(new: &NewContest) -> Result<(Format, Length), Refusal> {
    let name = new.format.as_deref().unwrap_or("match");
    let rounds = new.players.len().next_power_of_two().ilog2() as usize + 1;
    let format = match name {
        "match" if new.players.len() != 2 => {
            return Err(Refusal::bad("a match has two players", "对抗赛须有两名棋手"));
        }
        "match" | "round-robin" => Format::RoundRobin,
        "gauntlet" => Format::Gauntlet,
        "swiss" => Format::Swiss { rounds },
        "knockout" => Format::Knockout,
        best if best.starts_with("best-of-") => Format::RoundRobin,
        _ => return Err(no_format()),
    };
    if let Some(count) = name.strip_prefix("best-of-") {
        let count: usize = count.parse().map_err(|_| no_format())?;
        return if (1..=bounds::CONTEST_GAMES).contains(&count) {
            Ok((format, Length::BestOf(count)))
        } else {
            Err(too_long())
        };
    }
    if !(1..=bounds::CONTEST_GAMES).contains(&new.games) {
        return Err(too_long());
    }
    if !new.games.is_multiple_of(2) {
        return Err(Refusal::bad("games are played in pairs: choose an even number", "对局成对进行：请选偶数局"));
    }
    Ok((format, Length::Pairs(new.games / 2)))
}

fn no_format() -> Refusal {
    Refusal::bad(
        "formats are match, round-robin, gauntlet, swiss, knockout and best-of-N",
        "赛制有 match、round-robin、gauntlet、swiss、knockout 与 best-of-N",
    )
}

pub(super) fn too_long() -> Refusal {
    let most = bounds::CONTEST_GAMES;
    Refusal::from(text!("a contest has 1 to {most} games", "比赛为 1 到 {most} 局"))
}
