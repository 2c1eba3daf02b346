//! What people ask for when they name a game: one certain board, or the course's random one.

use std::fmt;
use std::str::FromStr;

use crate::cell::Cell;
use crate::random::Random;
use crate::rules::{BadGame, Rules};

/// A game to be played: rules, or a way to draw them anew for each pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Always the same board.
    Fixed(Rules),
    /// Connect Four as the course plays it: width and height each 9 to 12, one blocked cell, all drawn at random.
    CourseBoard,
}

impl Game {
    /// The rules of the game with this seed: the same seed draws the same board.
    pub fn draw(&self, seed: u64) -> Rules {
        match self {
            Game::Fixed(rules) => *rules,
            Game::CourseBoard => {
                let mut random = Random::new(seed);
                let (width, height) = (9 + random.below(4) as u8, 9 + random.below(4) as u8);
                let blocked = Cell::new(random.below(width.into()) as u8, random.below(height.into()) as u8);
                Rules::connect4(width, height).with_blocked(blocked)
            }
        }
    }
}

impl FromStr for Game {
    type Err = BadGame;

    fn from_str(text: &str) -> Result<Game, BadGame> {
        match text.parse() {
            Ok(rules) => Ok(Game::Fixed(rules)),
            Err(BadGame::Random) if !text.contains('/') => Ok(Game::CourseBoard),
            Err(bad) => Err(bad),
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Game::Fixed(rules) => rules.fmt(f),
            Game::CourseBoard => f.write_str("connect4:random"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_course_draws_every_size_and_any_blocked_cell() {
        let game: Game = "connect4:random".parse().unwrap();
        let drawn: Vec<Rules> = (0..4000).map(|seed| game.draw(seed)).collect();
        let sizes: HashSet<_> = drawn.iter().map(|r| (r.width, r.height)).collect();
        assert_eq!(sizes.len(), 16);
        assert!(drawn.iter().all(|r| r.check().is_ok() && r.blocked.len() == 1));
        assert!(drawn.iter().all(|r| (9..=12).contains(&r.width) && (9..=12).contains(&r.height)));
        let blocked: HashSet<_> = drawn.iter().flat_map(|r| r.blocked.iter().collect::<Vec<_>>()).collect();
        assert_eq!(blocked.len(), 144);
        assert_eq!(game.draw(7), game.draw(7));
        assert_eq!(game.to_string(), "connect4:random");
    }
}
