//! Whom a strategy is graded against: a folder of samples, or the ladder of built-in players. Samples are named by
//! numbers, the higher the stronger; those with even numbers are public, those with odd numbers are held out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lianzi_core::{Placement, Rules, shown};
use serde::Deserialize;

use lianzi_players::{Kind, PlayerSpec, Protocol};

use super::remark::Remark;

/// Which samples are opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Half {
    /// Those with even numbers, which students have.
    Public,
    /// Those with odd numbers, which they do not have.
    HeldOut,
    /// All of them, and those without a number.
    #[default]
    All,
}

impl Half {
    /// Whether a sample with this number belongs to it.
    fn has(self, number: Option<u64>) -> bool {
        match self {
            Half::Public => number.is_some_and(|number| number.is_multiple_of(2)),
            Half::HeldOut => number.is_some_and(|number| !number.is_multiple_of(2)),
            Half::All => true,
        }
    }
}

/// Somebody to play against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its number, if it has one.
    pub number: Option<u64>,
    /// Its name.
    pub name: String,
    /// The player, as users name it.
    pub spec: String,
}

/// The samples of one half, at most so many (0 is all), chosen evenly from weak to strong.
pub fn choose(samples: Vec<Sample>, half: Half, most: usize) -> Vec<Sample> {
    let samples: Vec<Sample> = samples.into_iter().filter(|sample| half.has(sample.number)).collect();
    let count = samples.len();
    if most == 0 || most >= count {
        return samples;
    }
    let steps = (most - 1).max(1);
    (0..most).map(|n| samples[n * (count - 1) / steps].clone()).collect()
}

/// The ladder of built-in players for this game, weak to strong. They think in nodes, so their strength is the same on
/// every machine. How the order was found: docs/grading.md.
pub fn built_in(rules: &Rules) -> Vec<Sample> {
    let specs: Vec<String> = if rules.placement == Placement::Drop {
        drop_ladder()
    } else if rules.per_turn == 1 {
        GOMOKU.iter().map(|spec| spec.to_string()).collect()
    } else {
        CONNECT6.iter().map(|spec| spec.to_string()).collect()
    };
    let sample = |(n, spec): (u64, String)| Sample { number: Some(n), name: n.to_string(), spec };
    (1..).zip(specs).map(sample).collect()
}

const GOMOKU: [&str; 10] = [
    "random",
    "uct@nodes=20",
    "uct@nodes=100",
    "uct@nodes=500",
    "classic-gomoku@nodes=270",
    "uct@nodes=2000",
    "classic-python",
    "greedy",
    "classic-gomoku@nodes=2430",
    "classic-gomoku@nodes=21870",
];

const CONNECT6: [&str; 7] =
    ["random", "uct@nodes=20", "uct@nodes=100", "uct@nodes=1000", "uct@nodes=8000", "classic-connect6", "greedy"];

/// A hundred players: dice, then a search that looks at about a tenth more on each rung, from 10 nodes to about 70 000.
fn drop_ladder() -> Vec<String> {
    const LOWEST: u64 = 10;
    let nodes = std::iter::successors(Some(LOWEST), |nodes| Some(nodes + (nodes / 10).max(1)));
    let searches = nodes.take(99).map(|nodes| format!("uct@nodes={nodes}"));
    std::iter::once("random".to_string()).chain(searches).collect()
}

/// The strategies in a folder, by their numbers and names: libraries, and modules in Python. What was meant to be one, but
/// is not taken or cannot be named, gets a remark.
pub fn in_folder(
    folder: &Path,
    rules: &Rules,
    is_taken: &dyn Fn(&Path) -> bool,
) -> io::Result<(Vec<Sample>, Vec<Remark>)> {
    let (mut samples, mut remarks) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !is_meant(&path, rules) || path.is_dir() {
            continue;
        }
        let file = || shown(&path.file_name().unwrap_or_default().to_string_lossy());
        match spec_of_file(&path, rules) {
            _ if !is_taken(&path) => remarks.push(Remark::Refused(file())),
            None => remarks.push(Remark::Unnamable(file())),
            Some(spec) => {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                samples.push(Sample { number: number_of(&name), name, spec });
            }
        }
    }
    samples.sort_by(|a, b| (a.number, &a.name).cmp(&(b.number, &b.name)));
    Ok((samples, remarks))
}

/// Whether somebody means this to be a strategy, whatever it is and however it is called: its extension says so, or that
/// it can be started.
pub fn is_meant(path: &Path, rules: &Rules) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => true,
        Some("so" | "dylib" | "dll") if !Protocol::Csv.plays(rules) => true,
        _ => Protocol::Csv.plays(rules) && is_executable(path),
    }
}

/// The number at the end of a name.
fn number_of(name: &str) -> Option<u64> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    name[name.len() - digits..].parse().ok()
}

/// How users name the strategy in this file; `None` if its name is not that of a strategy.
pub fn spec_of_file(path: &Path, rules: &Rules) -> Option<String> {
    if Protocol::Csv.plays(rules) {
        return program_of_file(path);
    }
    let interface = match path.extension()?.to_str()? {
        "so" | "dylib" | "dll" => "so",
        "py" if rules.placement == Placement::Drop => "kaggle",
        "py" => "py",
        _ => return None,
    };
    let spec = format!("{interface}:{}", path.to_str()?);
    // A path can look as if it had options; such a file would not be the one that plays.
    let read: PlayerSpec = spec.parse().ok()?;
    let plays = |file: &PathBuf| file == path;
    matches!(&read.kind, Kind::Strategy(strategy) if plays(&strategy.file)).then_some(spec)
}

/// A program that plays Connect6 through files, told its colour: one that can be started, or a Python script. It was handed
/// in by somebody, so it runs in a cage.
fn program_of_file(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    let file = shlex::try_quote(path.to_str()?).ok()?;
    let named = path.is_file() && path.components().count() > 1 && !name.contains([',', '=', '@']);
    let command = match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => format!("python3 {file}"),
        _ if is_executable(path) => file.into_owned(),
        _ => return None,
    };
    named.then(|| format!("csv:{command} {{color}}@cage=yes,name={name}"))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "exe")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Game;

    fn rules(game: &str) -> Rules {
        game.parse::<Game>().unwrap().draw(7)
    }

    #[test]
    fn every_rung_can_play() {
        for (game, count) in [("connect4:random", 100), ("gomoku:15", 10), ("gomoku:16", 10), ("connect6", 7)] {
            let rules = rules(game);
            let ladder = built_in(&rules);
            assert_eq!(ladder.len(), count, "{game}");
            for sample in ladder {
                let spec: PlayerSpec = sample.spec.parse().unwrap();
                assert_eq!(spec.check(&rules), Ok(()), "{}", sample.spec);
            }
        }
    }

    #[test]
    fn the_ladder_of_the_course_looks_at_more_and_more() {
        let ladder = built_in(&rules("connect4:random"));
        let nodes = |n: usize| ladder[n].spec.rsplit('=').next().unwrap().parse::<u64>().unwrap();
        assert!((1..99).all(|n| nodes(n) < nodes(n + 1)));
        assert!((60_000..80_000).contains(&nodes(99)), "{}", nodes(99));
    }

    #[test]
    fn halves_and_choices() {
        let ladder = || built_in(&rules("connect4:random"));
        let numbers = |half, most| -> Vec<u64> {
            choose(ladder(), half, most).iter().filter_map(|sample| sample.number).collect()
        };
        assert_eq!(numbers(Half::Public, 0), (1..=50).map(|n| 2 * n).collect::<Vec<u64>>());
        assert_eq!(numbers(Half::HeldOut, 0), (0..50).map(|n| 2 * n + 1).collect::<Vec<u64>>());
        assert_eq!(numbers(Half::All, 0).len(), 100);
        assert_eq!(numbers(Half::All, 4), [1, 34, 67, 100]);
        assert_eq!(numbers(Half::All, 1), [1]);
        assert_eq!(numbers(Half::Public, 100).len(), 50);
    }

    #[test]
    fn files_are_named_by_what_they_are() {
        let (course, gomoku) = (rules("connect4:random"), rules("gomoku:15"));
        let spec = |file: &str, rules| spec_of_file(Path::new(file), rules);
        assert_eq!(spec("a/98.so", &course).as_deref(), Some("so:a/98.so"));
        assert_eq!(spec("a/98.py", &gomoku).as_deref(), Some("py:a/98.py"));
        assert_eq!(spec("a/98.py", &course).as_deref(), Some("kaggle:a/98.py"));
        assert_eq!(spec("a/readme.txt", &course), None);
        assert_eq!(spec("a@dir=b/98.so", &course), None, "it would be read as another file");
        assert_eq!((number_of("sample98"), number_of("98"), number_of("x")), (Some(98), Some(98), None));
    }
}
