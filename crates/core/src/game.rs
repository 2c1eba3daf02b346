//! What people ask for when they name a game: one certain board or the course's random one, and how sides are found.

use std::fmt;
use std::str::FromStr;

use crate::cell::Cell;
use crate::opening::OpeningRule;
use crate::random::Random;
use crate::rules::{BadGame, Rules};

/// A game to be played: its board, and the rule by which the players find their sides. `renju+taraguchi10` is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) board: Boards,
    /// How the players find their sides.
    pub opening: OpeningRule,
}

/// Rules, or a way to draw them anew for each pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boards {
    Fixed(Rules),
    /// Connect Four as the course plays it: width and height each 9 to 12, one blocked cell, all drawn at random.
    Course,
}

impl Game {
    /// Connect Four as the course plays it: width and height each 9 to 12, one blocked cell, all drawn at random.
    pub const COURSE: Game = Game { board: Boards::Course, opening: OpeningRule::None };

    /// The rules of the game with this seed: the same seed draws the same board.
    pub fn draw(&self, seed: u64) -> Rules {
        match self.board {
            Boards::Fixed(rules) => rules,
            Boards::Course => {
                let mut random = Random::new(seed);
                let (width, height) = (9 + random.below(4) as u8, 9 + random.below(4) as u8);
                let blocked = Cell::new(random.below(width.into()) as u8, random.below(height.into()) as u8);
                Rules::connect4(width, height).with_blocked(blocked)
            }
        }
    }

    /// The rules, if they are always the same.
    pub fn rules(&self) -> Option<Rules> {
        match self.board {
            Boards::Fixed(rules) => Some(rules),
            Boards::Course => None,
        }
    }

    /// The same game, beginning by this rule if it can.
    pub fn with(self, opening: OpeningRule) -> Result<Game, BadGame> {
        opening.check(&self.draw(0))?;
        Ok(Game { opening, ..self })
    }
}

impl From<Rules> for Game {
    fn from(rules: Rules) -> Game {
        Game { board: Boards::Fixed(rules), opening: OpeningRule::None }
    }
}

impl FromStr for Game {
    type Err = BadGame;

    fn from_str(text: &str) -> Result<Game, BadGame> {
        let (board, opening) = match text.split_once('+') {
            Some((board, opening)) => (board, opening.parse()?),
            None => (text, OpeningRule::None),
        };
        let game = match board.parse::<Rules>() {
            Ok(rules) => Game::from(rules),
            Err(BadGame::Random) if !board.contains('/') => Game::COURSE,
            Err(bad) => return Err(bad),
        };
        game.with(opening)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.board {
            Boards::Fixed(rules) => rules.fmt(f)?,
            Boards::Course => f.write_str("connect4:random")?,
        }
        match self.opening {
            OpeningRule::None => Ok(()),
            rule => write!(f, "+{rule}"),
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

    #[test]
    fn a_name_carries_the_opening_rule() {
        for name in ["renju+taraguchi10", "gomoku+swap2", "connect6+swap", "connect4+pie", "connect4:random+pie"] {
            let game: Game = name.parse().unwrap();
            assert_eq!(game.to_string(), name);
        }
        assert_eq!("gomoku+none".parse::<Game>().unwrap().to_string(), "gomoku");
        for (name, words) in [
            ("renju+tara", "there is no opening rule 'tara'; the rules are none, pie, swap, swap2, rif"),
            ("connect6+swap2", "swap2 is for games with one stone a turn"),
            ("renju:16+rif", "rif is for gomoku, standard and renju on a board of odd sides"),
            ("connect:3,3,3,1,1+swap", "too small"),
            ("chess+swap", "there is no game 'chess'"),
        ] {
            let bad = name.parse::<Game>().unwrap_err().to_string();
            assert!(bad.contains(words), "{name}: {bad}");
        }
        assert_eq!("renju+rif".parse::<Rules>(), Err(BadGame::OpeningHere));
    }
}
