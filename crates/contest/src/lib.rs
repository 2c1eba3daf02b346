//! Matches and tournaments: one thing, since a match is a tournament of two.
//!
//! A [`Contest`] says everything that decides what is played. Its [`Plan`](plan::Plan) hands out games, learns
//! their outcomes, and says when it is over; it knows no clock and no thread, so the same outcomes always give the
//! same schedule. Games are named by encounter and number within it, never by when they happened to be played:
//! that is why neither concurrency nor a restart changes what is played.

pub mod circumstances;
pub mod journal;
pub mod opening;
pub mod plan;
pub mod ratings;
pub mod report;
pub mod run;
mod standings;
pub mod statistics;
pub mod upshot;

use std::time::Duration;

use lianzi_core::{Game, GameRecord, Outcome, Stone};
use serde::{Deserialize, Serialize};

use crate::ratings::Scoring;
use crate::statistics::Sprt;
use lianzi_game::clock::Control;
use lianzi_game::judge::Cutoff;

/// Everything that decides what is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// The game. Players who can find their sides by its opening rule; the openings are for the others.
    #[serde(with = "game_name")]
    pub game: Game,
    /// Who takes part, in seeding order.
    pub players: Vec<Entrant>,
    /// Who meets whom.
    pub format: Format,
    /// How many games an encounter has.
    pub length: Length,
    /// What the players may use.
    pub control: Control,
    /// When the arena ends a game.
    #[serde(default)]
    pub cutoff: Cutoff,
    /// What each pair of games begins with.
    pub openings: Openings,
    /// Every encounter has openings of its own, and in the course's game boards, instead of sharing its round's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_openings: bool,
    /// Where all random numbers start.
    pub seed: u64,
    /// Ends a match of two as soon as it is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// What a win, a draw and a loss are worth.
    #[serde(default)]
    pub scoring: Scoring,
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The name in tables, unlike all others.
    pub name: String,
    /// The player, as users name it.
    pub spec: String,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// In each round players with similar points meet.
    Swiss {
        /// How many rounds.
        rounds: usize,
    },
    /// The loser of an encounter is out.
    Knockout,
}

/// How many games an encounter of two players has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// So many pairs of games, colours swapped within a pair.
    Pairs(usize),
    /// Up to so many games, colours swapped after each, until one side has more than half of them.
    BestOf(usize),
}

/// What each pair of games begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// The empty board.
    None,
    /// Random ones that give neither side an advantage that simple players can use.
    Balanced,
    /// These, one after another, from the start again when they are used up; each a list of cells.
    List(Vec<Vec<lianzi_core::Cell>>),
}

/// The name of a game: which encounter, and which game of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GameId {
    /// The encounter, from 0.
    pub encounter: usize,
    /// The game within the encounter, from 0. Games 2n and 2n+1 are a pair.
    pub game: usize,
}

impl std::fmt::Display for GameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.encounter, self.game)
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its name.
    pub id: GameId,
    /// The round it belongs to, from 0.
    pub round: usize,
    /// Who plays Black and who White: indexes of entrants.
    pub seats: [usize; 2],
    /// Which opening, and in the course's game which board, it begins with.
    pub opening: usize,
}

impl Fixture {
    /// The entrant who plays this side.
    pub fn seat(&self, stone: Stone) -> usize {
        self.seats[stone.index()]
    }

    /// The game as it came to be played: its opening may have changed the sides.
    pub fn as_played(self, record: &GameRecord) -> Fixture {
        if record.is_swapped() { self.swapped() } else { self }
    }

    /// The same game with the sides changed.
    pub fn swapped(self) -> Fixture {
        let [black, white] = self.seats;
        Fixture { seats: [white, black], ..self }
    }

    /// What the outcome is worth to the entrant: 2 a win, 1 a draw, 0 a loss.
    pub fn half_points(&self, outcome: Outcome, entrant: usize) -> u64 {
        match outcome {
            Outcome::Draw => 1,
            Outcome::Win(stone) if self.seat(stone) == entrant => 2,
            Outcome::Win(_) => 0,
        }
    }
}

impl Entrant {
    /// These players, under names that tell them all apart: a name that is taken gets a number.
    pub fn all(players: impl IntoIterator<Item = (String, String)>) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for (name, spec) in players {
            let taken = |name: &str| entrants.iter().any(|entrant| entrant.name == name);
            let numbered = (2..).map(|n| format!("{name} #{n}"));
            let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name));
            entrants.push(Entrant { name: free.unwrap_or_default(), spec });
        }
        entrants
    }
}

impl Contest {
    /// A match of two players with default settings.
    pub fn of_two(game: Game, players: [Entrant; 2], pairs: usize) -> Contest {
        Contest {
            game,
            players: players.into(),
            format: Format::RoundRobin,
            length: Length::Pairs(pairs),
            control: Control { per_move: Some(Duration::from_secs(1)), ..Control::default() },
            cutoff: Cutoff::default(),
            openings: Openings::Balanced,
            own_openings: false,
            seed: 0,
            sprt: None,
            scoring: Scoring::default(),
        }
    }
}

/// A game is written by its name.
mod game_name {
    use lianzi_core::Game;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(game)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
