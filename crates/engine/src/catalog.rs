//! Engines by name, and the solver of each game.

use lianzi_core::{Placement, Rules, Text, shorten, text};

use crate::adaptive::Adaptive;
use crate::connect4::player::{self, Player};
use crate::connect4::solver::book::Book;
use crate::connect4::solver::{ConnectFour, Solving, USUAL_TABLE};
use crate::connect6::solver::Threats;
use crate::family::Family;
use crate::gomoku::solver::Forced;
use crate::level::{HIGHEST, LEVELS, LevelName, Leveled};
use crate::levels::handicap;
use crate::solve::{NoSolver, Solver};
use crate::uct::{Settings, Uct};
use crate::{Engine, Greedy, NoEngine, Options, Uniform, connect6, gomoku};

/// The names of the engines there are, the strongest first.
pub const BUILT_IN: &[&str] = &["strong", "solver", "uct", "greedy", "random", "classic-uct"];

/// Those of them that play every game.
pub const GENERAL: &[&str] = &["strong", "uct", "greedy", "random", "classic-uct"];

/// The one that has levels.
pub const LEVELED: &str = "strong";

/// The engine of this name for this game. Asked about another game later it becomes the engine of that one.
pub fn engine(name: &str, rules: &Rules, options: &Options) -> Result<Box<dyn Engine>, NoEngine> {
    Ok(Box::new(Adaptive::new(name, rules, options, build)?))
}

/// The same for this game alone. It takes the options it knows out of those given; one that is left over is a mistake.
pub fn build(name: &str, rules: &Rules, options: &mut Options) -> Result<Box<dyn Engine>, NoEngine> {
    match name {
        "classic-uct" => Ok(Box::new(Uct::new(Settings::classic(options)?, options.seed))),
        "greedy" => Ok(Box::new(Greedy::new(options.seed))),
        "solver" => Ok(Box::new(Solving::from_options(name, rules, options)?)),
        "random" => Ok(Box::new(Uniform::new(options.seed))),
        "strong" => strong(rules, options),
        "uct" => Ok(Box::new(Uct::new(Settings::modern(options)?, options.seed))),
        _ => Err(NoEngine::Unknown { name: shorten(name), known: BUILT_IN }),
    }
}

/// The best engine of a game, held back to a level.
fn strong(rules: &Rules, options: &mut Options) -> Result<Box<dyn Engine>, NoEngine> {
    let level = options.take_in("level", 1..=HIGHEST)?.unwrap_or(HIGHEST);
    let family = Family::of(rules);
    let handicap = handicap(family, level).with_options(options)?;
    if family == Family::ConnectFour && (level < HIGHEST || !handicap.is_plain()) {
        // Nobody below the highest level knows the game by heart.
        options.given.entry("solver".into()).or_insert_with(|| "off".into());
    }
    let engine = strongest(family, rules, options)?;
    Ok(Box::new(Leveled::new(engine, handicap, options.seed)))
}

/// The best engine there is so far for each game, as matches have it: docs/experiments.md, "Who is strong".
fn strongest(family: Family, rules: &Rules, options: &mut Options) -> Result<Box<dyn Engine>, NoEngine> {
    Ok(match family {
        Family::Gomoku => Box::new(gomoku::player::Player::from_options(rules, options)?),
        Family::Connect6 => Box::new(connect6::player::Player::from_options(rules, options)?),
        Family::ConnectFour => Box::new(Player::new(player::Settings::from_options(options)?, options.seed)),
        Family::Other => build(stand_in(rules), rules, options)?,
    })
}

/// Who is best at a game that has no engine of its own.
pub(crate) fn stand_in(rules: &Rules) -> &'static str {
    match rules.placement {
        Placement::Drop => "uct",
        Placement::Anywhere => "greedy",
    }
}

/// What people call a player: `strong@level=5` is the computer at that level. One that has no such name keeps its own.
pub fn title(player: &str) -> Text {
    let (name, options) = player.split_once('@').unwrap_or((player, ""));
    let level = options.split(',').find_map(|option| option.strip_prefix("level=")?.parse::<usize>().ok());
    let level = level.and_then(|level| LEVELS.get(level.checked_sub(1)?)).map(LevelName::name);
    match (name, level) {
        ("human", _) => Text::fixed("Player", "玩家"),
        ("strong", Some(level)) => text!("Computer, {level}", "电脑·{level}"; level),
        ("strong", None) if options.is_empty() => Text::fixed("Computer", "电脑"),
        _ => Text::new(player.to_string(), player.to_string()),
    }
}

/// How a solver is to be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How many bytes its table may take.
    pub table: usize,
    /// The book of Connect Four that it may use.
    pub book: Option<Book>,
}

impl Default for Setting {
    fn default() -> Self {
        Setting { table: USUAL_TABLE, book: Some(Book::at_hand()) }
    }
}

/// The solver of a game.
pub fn solver(rules: &Rules, setting: Setting) -> Result<Box<dyn Solver>, NoSolver> {
    Ok(match Family::of(rules) {
        Family::Gomoku => Box::new(Forced::new(rules)),
        Family::Connect6 => Box::new(Threats::new(rules)?),
        // It has boards of its own, and says itself which are too large.
        Family::ConnectFour | Family::Other => Box::new(ConnectFour::with_book(rules, setting.table, setting.book)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_have_names_for_people() {
        for (player, english, chinese) in [
            ("human", "Player", "玩家"),
            ("strong", "Computer", "电脑"),
            ("strong@level=5", "Computer, Skilled", "电脑·熟手"),
            ("strong@nodes=9", "strong@nodes=9", "strong@nodes=9"),
            ("strong@level=11", "strong@level=11", "strong@level=11"),
            ("Anna", "Anna", "Anna"),
        ] {
            assert_eq!(title(player), Text::new(english, chinese), "{player}");
        }
    }
}
