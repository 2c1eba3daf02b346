//! A game as a page asks for it.

use lianzi_core::{Game, GameRecord, Rules};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::bounds::{self, Times};
use crate::records::read_json;
use crate::sitting::Saved;
use crate::{Refusal, Series, SideChoice};

/// A game as a page asks for it.
#[derive(Deserialize)]
pub struct NewGame {
    #[serde(default)]
    game: Option<String>,
    /// Who plays, Black first.
    pub sides: [SideChoice; 2],
    #[serde(default)]
    control: Times,
    #[serde(default)]
    series: Option<u32>,
    #[serde(default)]
    pace_ms: Option<u64>,
    #[serde(default)]
    instant: bool,
    #[serde(default)]
    record: Option<Box<RawValue>>,
}

/// A game that can begin: everything that was asked for is allowed.
pub struct Beginning {
    /// The game, with the players' names in it.
    pub record: GameRecord,
    saved: Saved,
}

impl NewGame {
    /// Checks everything. `usual` says what a player is called when the page gives no name, or that it cannot play;
    /// what is drawn is drawn from `seed`.
    pub fn begin(
        self,
        seed: u64,
        usual: impl Fn(&str, &Rules) -> Result<String, Refusal>,
    ) -> Result<Beginning, Refusal> {
        let mut record = self.start(seed)?;
        let mut sides = self.sides;
        for (side, seat) in sides.iter_mut().zip(&mut record.sides) {
            let usual = usual(&side.player, &record.rules)?;
            let given = side.name.as_deref().map(bounds::name).transpose()?;
            let name = given.filter(|name| !name.is_empty()).unwrap_or(usual);
            seat.name.clone_from(&name);
            side.name = Some(name);
        }
        self.control.control()?;
        let times = Times { nodes: None, ..self.control };
        let series = self.series.map(bounds::series).transpose()?.map(Series::new);
        let pace_ms = self.pace_ms.map(bounds::pace).transpose()?.unwrap_or(0);
        let instant = self.instant;
        Ok(Beginning { record, saved: Saved { sides, times, series, pace_ms, instant, ..Saved::default() } })
    }

    /// The game so far: that of a record, or an empty board.
    fn start(&self, seed: u64) -> Result<GameRecord, Refusal> {
        if let Some(record) = &self.record {
            return read_json(record.get());
        }
        let game: Game = bounds::game(self.game.as_deref().unwrap_or("gomoku"))?.parse()?;
        Ok(GameRecord::of_game(game.draw(seed), game.opening))
    }
}

impl Beginning {
    /// What must be known besides the record to open the game.
    pub fn saved(&self) -> Result<String, Refusal> {
        serde_json::to_string(&self.saved).map_err(Refusal::broken)
    }

    /// Who plays, Black first.
    pub fn sides(&self) -> &[SideChoice; 2] {
        &self.saved.sides
    }
}
