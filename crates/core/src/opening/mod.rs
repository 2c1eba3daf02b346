//! Fair openings: how two players find sides that neither would rather not have.
//!
//! An [`OpeningRule`] is data: a list of steps, each a task (a stone within a square, a number, fifth moves to offer,
//! one of them to choose), who does it (the same player as before or the other one) and what may be done instead
//! (swap, or another way). A [`Negotiation`] walks through them. It is the only thing in the house that knows who must
//! do what next; the judge, records, contests, boards and protocols ask it. docs/rules.md has the rules' texts and
//! sources.

mod named;
mod negotiation;
mod words;

pub use named::{NAMED_OPENINGS, NamedOpening, named_opening};
pub use negotiation::{Act, BadAct, Demand, Negotiation, Party, Want};

use std::fmt;
use std::str::FromStr;

use crate::{BadGame, Cell, Placement, Rules, shorten};

/// A rule by which the players find their sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// Black begins, and nobody changes sides.
    #[default]
    None,
    /// The pie rule: after Black's first turn the other one may change sides.
    Pie,
    /// The opener lays three stones, the other one chooses a side.
    Swap,
    /// The same, and the other one may lay two more stones and leave the choice to the opener.
    Swap2,
    /// Renju's rule from 1996 to 2008: one of the 26 openings, a swap, two fifth moves.
    Rif,
    /// One of the 26 openings and a number of fifth moves, a swap.
    Yamaguchi,
    /// One of the 26 openings, a swap, a fourth move with a number up to eight, a swap.
    Soosyrv8,
    /// A swap after every stone up to the fifth, or ten fifth moves.
    Taraguchi10,
    /// One of the 26 openings, two stones of the other one, a swap.
    Sakata,
    /// The same, and whoever chooses may lay two more stones and leave the choice to the other one.
    SuperSakata,
}

/// Where a stone of an opening may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// On any free cell.
    Anywhere,
    /// Within the square of so many cells a side around the centre.
    Square(u8),
}

impl Zone {
    /// Whether a cell lies within the zone of a board that has a centre.
    pub fn contains(self, cell: Cell, rules: &Rules) -> bool {
        match self {
            Zone::Anywhere => true,
            Zone::Square(side) => {
                let near = |at: u8, length: u8| (length / 2).abs_diff(at) <= side / 2;
                near(cell.column, rules.width) && near(cell.row, rules.height)
            }
        }
    }
}

/// What one step of a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// A stone of the colour whose turn it is.
    Stone(Zone),
    /// How many fifth moves there will be, up to this many.
    Count(u8),
    /// So many fifth moves for Black, none like another; without a number, as many as were declared.
    Fifths(Option<u8>),
    /// One of the fifth moves that were offered.
    Pick,
}

/// Another way on, which a player may take instead of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum More {
    /// Two more stones; then the other one chooses a side.
    Two,
    /// Two more stones; then the other one chooses a side, or lays two more.
    TwoAgain,
    /// Ten fifth moves to choose from.
    Ten,
}

/// One step of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    task: Task,
    /// Whether it is for the player who acted last; else for the other one.
    same: bool,
    /// Whether that player may swap first.
    swap: bool,
    /// What that player may do instead.
    more: Option<More>,
}

impl Step {
    const fn same(task: Task) -> Step {
        Step { task, same: true, swap: false, more: None }
    }

    const fn other(task: Task) -> Step {
        Step { same: false, ..Step::same(task) }
    }

    const fn or_swap(self) -> Step {
        Step { swap: true, ..self }
    }

    const fn or(self, more: More) -> Step {
        Step { more: Some(more), ..self }
    }
}

const ANYWHERE: Task = Task::Stone(Zone::Anywhere);

const fn within(side: u8) -> Task {
    Task::Stone(Zone::Square(side))
}

/// One of the 26 openings, laid by one player.
const CANONICAL: [Step; 3] = [Step::same(within(1)), Step::same(within(3)), Step::same(within(5))];

impl More {
    fn steps(self) -> Vec<Step> {
        let choice = Step::other(ANYWHERE).or_swap();
        match self {
            More::Two => vec![Step::same(ANYWHERE), Step::same(ANYWHERE), choice],
            More::TwoAgain => vec![Step::same(ANYWHERE), Step::same(ANYWHERE), choice.or(More::TwoAgain)],
            More::Ten => vec![Step::same(Task::Fifths(Some(10))), Step::other(Task::Pick)],
        }
    }
}

impl OpeningRule {
    /// All rules, in the order in which lists have them.
    pub const ALL: [OpeningRule; 10] = [
        OpeningRule::None,
        OpeningRule::Pie,
        OpeningRule::Swap,
        OpeningRule::Swap2,
        OpeningRule::Rif,
        OpeningRule::Yamaguchi,
        OpeningRule::Soosyrv8,
        OpeningRule::Taraguchi10,
        OpeningRule::Sakata,
        OpeningRule::SuperSakata,
    ];

    /// The name behind the plus sign of a game's name.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::None => "none",
            OpeningRule::Pie => "pie",
            OpeningRule::Swap => "swap",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Rif => "rif",
            OpeningRule::Yamaguchi => "yamaguchi",
            OpeningRule::Soosyrv8 => "soosyrv8",
            OpeningRule::Taraguchi10 => "taraguchi10",
            OpeningRule::Sakata => "sakata",
            OpeningRule::SuperSakata => "supersakata",
        }
    }

    /// The steps of the rule in this game, the first one for the opener.
    fn steps(self, rules: &Rules) -> Vec<Step> {
        let lay = |stones: usize| vec![Step::same(ANYWHERE); stones];
        let choice = Step::other(ANYWHERE).or_swap();
        // Whoever keeps the side to move plays its turn to the end.
        let whole_turn = |stones: u8| [vec![choice], lay(usize::from(rules.turn_at(stones.into()).1) - 1)].concat();
        let offers = |fifths: Step| [fifths, Step::other(Task::Pick)];
        let (mut steps, rest): (Vec<Step>, Vec<Step>) = match self {
            OpeningRule::None => (Vec::new(), Vec::new()),
            OpeningRule::Pie => (lay(rules.first_turn.into()), whole_turn(rules.first_turn)),
            OpeningRule::Swap => (lay(3), whole_turn(3)),
            OpeningRule::Swap2 => (lay(3), vec![choice.or(More::Two)]),
            OpeningRule::Rif => {
                let [fifths, pick] = offers(Step::other(Task::Fifths(Some(2))));
                (CANONICAL.to_vec(), vec![choice, fifths, pick])
            }
            OpeningRule::Yamaguchi => {
                let [fifths, pick] = offers(Step::other(Task::Fifths(None)));
                (CANONICAL.to_vec(), vec![Step::same(Task::Count(12)), choice, fifths, pick])
            }
            OpeningRule::Soosyrv8 => {
                let [fifths, pick] = offers(Step::other(Task::Fifths(None)).or_swap());
                (CANONICAL.to_vec(), vec![choice, Step::same(Task::Count(8)), fifths, pick])
            }
            OpeningRule::Taraguchi10 => {
                let swapped = |side| Step::other(within(side)).or_swap();
                let fifth = swapped(9).or(More::Ten);
                (vec![Step::same(within(1))], vec![swapped(3), swapped(5), swapped(7), fifth, choice])
            }
            OpeningRule::Sakata | OpeningRule::SuperSakata => {
                let two = [Step::other(within(7)), Step::same(within(9))];
                let end = if self == OpeningRule::Sakata { choice } else { choice.or(More::TwoAgain) };
                (CANONICAL.to_vec(), two.into_iter().chain([end]).collect())
            }
        };
        steps.extend(rest);
        steps
    }

    /// Says why a game cannot begin by this rule, if it cannot: a stone of the opening could complete a line, or the board
    /// has no room or no centre for it.
    pub fn check(self, rules: &Rules) -> Result<(), BadGame> {
        let single = rules.first_turn == 1 && rules.per_turn == 1 && rules.placement == Placement::Anywhere;
        let smaller = rules.width.min(rules.height);
        let centred = rules.width == rules.height && rules.width % 2 == 1 && rules.width >= 9;
        let fits = match self {
            OpeningRule::None => true,
            OpeningRule::Pie => rules.line > rules.first_turn && rules.capacity() > rules.first_turn.into(),
            OpeningRule::Swap => rules.line >= 4 && rules.first_turn <= 3 && rules.capacity() >= 6,
            OpeningRule::Swap2 => single && rules.line >= 4 && smaller >= 6 && rules.capacity() >= 8,
            _ => single && rules.line >= 5 && centred && rules.blocked.is_empty(),
        };
        if fits { Ok(()) } else { Err(BadGame::NoOpening(self)) }
    }

    /// The rules by which this game can begin.
    pub fn of_game(rules: &Rules) -> impl Iterator<Item = OpeningRule> + '_ {
        OpeningRule::ALL.into_iter().filter(|rule| rule.check(rules).is_ok())
    }

    /// Whether these first stones could have come about by the rule, whatever the players said: what a record that
    /// tells only stones can be judged by. The number of the first stone that could not.
    pub fn misplaced(self, cells: &[Cell], rules: &Rules) -> Option<(usize, Zone)> {
        let zones = self.steps(rules).into_iter().filter_map(|step| match step.task {
            // The fifth stone may also be one of ten that were offered, and those lie anywhere.
            Task::Stone(_) if step.more == Some(More::Ten) => Some(Zone::Anywhere),
            Task::Stone(zone) => Some(zone),
            Task::Fifths(_) => Some(Zone::Anywhere),
            Task::Count(_) | Task::Pick => None,
        });
        let mut stones = cells.iter().zip(zones).enumerate();
        stones.find(|(_, (cell, zone))| !zone.contains(**cell, rules)).map(|(n, (_, zone))| (n, zone))
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for OpeningRule {
    type Err = BadGame;

    fn from_str(text: &str) -> Result<OpeningRule, BadGame> {
        let lower = text.trim().to_ascii_lowercase();
        let named = |rule: &OpeningRule| rule.name() == lower;
        OpeningRule::ALL.into_iter().find(named).ok_or_else(|| BadGame::UnknownOpening(shorten(text)))
    }
}
