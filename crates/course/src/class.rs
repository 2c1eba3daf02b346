//! What all who are graded share: the course, and the samples they meet.

use std::path::Path;

use lianzi_cage::{Cages, NoCage};
use lianzi_contest::Contest;
use lianzi_core::{Language, Rules, Speak, Text, known_reason, text};
use lianzi_players::{BadPlayer, BadStrategy, Kind, PlayerSpec};

use super::Course;
use super::files::{Unusable, refused, remembered};
use super::ladder::{self, Sample, spec_of_file};

/// What all strategies of a class share.
pub struct Class<'a> {
    /// The course.
    pub course: Course,
    /// The game as its first board has it.
    pub rules: Rules,
    /// Whom they meet.
    pub samples: Vec<Sample>,
    /// The language of pages and remarks.
    pub language: Language,
    pub(crate) cages: &'a Cages,
    opponents: Vec<PlayerSpec>,
    /// How the contest's folder remembers the samples.
    remembered: Vec<String>,
}

impl<'a> Class<'a> {
    /// A class that meets the samples of a folder, or those that are `builtin`.
    pub fn new(course: Course, against: &str, cages: &'a Cages, language: Language) -> Result<Class<'a>, Text> {
        let rules = course.game.draw(course.seed);
        let samples = samples(&course, &rules, against)?;
        let read = |sample: &Sample| Ok(course.bounded(read_player(&sample.spec, &rules)?));
        let opponents = samples.iter().map(read).collect::<Result<Vec<_>, Text>>()?;
        opponents.iter().try_for_each(|opponent| check(opponent, &rules, cages))?;
        let remembered = opponents.iter().map(remembered).collect::<Result<Vec<_>, _>>()?;
        Ok(Class { course, rules, samples, language, cages, opponents, remembered })
    }

    /// The contest of a strategy with all samples, and its players; the folder remembers the strategy by this text.
    pub fn contest(&self, name: &str, strategy: &PlayerSpec, text: &str) -> (Contest, Vec<PlayerSpec>) {
        let names = self.samples.iter().map(|sample| sample.name.clone());
        let samples: Vec<(String, String)> = names.zip(self.remembered.iter().cloned()).collect();
        let contest = self.course.contest((name.into(), text.into()), &samples);
        (contest, std::iter::once(strategy).chain(&self.opponents).cloned().collect())
    }
}

fn samples(course: &Course, rules: &Rules, against: &str) -> Result<Vec<Sample>, Text> {
    let folder = Path::new(against);
    let all = match against {
        "builtin" => ladder::built_in(rules),
        _ => ladder::in_folder(folder, rules, &|path| path.is_file()).map_err(refused(folder))?.0,
    };
    let chosen = ladder::choose(all, course.half, course.samples);
    if chosen.is_empty() {
        return Err(text!(
            "{against}: there is no sample of this half here; samples are .so and .py files, even numbers are public, odd ones held out",
            "{against}: 没有符合条件的样例；样例为 .so 或 .py 文件，偶数编号公开，奇数编号保留"
        ));
    }
    Ok(chosen)
}

/// A strategy's file, or any other player.
pub fn read_player(text: &str, rules: &Rules) -> Result<PlayerSpec, Text> {
    let spec = spec_of_file(Path::new(text), rules).filter(|_| !text.contains(':'));
    let lost = || match Path::new(text).exists() {
        true => Text::default(),
        false => Text::fixed("there is no such file or folder, and ", "没有这个文件或文件夹，也"),
    };
    let said =
        |bad: BadPlayer| Text::both(|language| format!("{text}: {}{}", lost().words(language), bad.words(language)));
    spec.as_deref().unwrap_or(text).parse().map_err(said)
}

/// Finds out before the first game whether somebody can play it.
pub(crate) fn check(player: &PlayerSpec, rules: &Rules, cages: &Cages) -> Result<(), Unusable> {
    let none = |none: lianzi_engine::NoEngine| Text::both(|language| format!("{player}: {}", none.words(language)));
    player.check(rules).map_err(none)?;
    if player.kind == Kind::Human {
        return Err(text!("{player}: people are not graded", "{player}: 不对人类棋手评分").into());
    }
    player.check_cage(cages).map_err(|bad| match bad {
        BadStrategy::Cage(NoCage::Shortage(why)) => Unusable::Shortage(known_reason(&why)),
        bad => Text::both(|language| format!("{player}: {}", bad.words(language))).into(),
    })
}
