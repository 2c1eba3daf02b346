//! What came of one candidate's games: result files, pages, and a line of the mark sheet.

use std::collections::BTreeSet;
use std::path::Path;

use lianzi_contest::Contest;
use lianzi_contest::journal::Played;
use lianzi_contest::plan::Plan;
use lianzi_contest::upshot::Upshot;
use lianzi_core::{Speak, Stone, Text};
use serde_json::Value;

use super::candidate::{Built, Candidate};
use super::class::Class;
use super::code::{Code, result_file, rounds_of};
use super::files::{file_names, refused, write_into};
use super::lost::{self, Moment};
use super::mark::Mark;
use super::pace::Pace;
use super::page::{Lost, Met};
use super::remark::Remark;
use super::sheet::Row;
use super::{kit, page};

/// The line of a candidate that has nobody to play: it loses every game, unless it is this machine that could make no
/// player of it.
pub fn of_nothing(class: &Class<'_>, candidate: &Candidate, built: &Built, folder: Option<&Path>) -> Result<Row, Text> {
    if let Some(why) = &built.lacks {
        return Ok(of_no_games(class, candidate, built, Remark::Shortage(why.clone())));
    }
    let mark = class.course.mark_of_nothing(class.samples.len());
    let row = row(class, candidate, mark, &built.remarks, Pace::default());
    if let Some(folder) = folder {
        write_page(class, candidate, &row, &[], &[], folder)?;
    }
    Ok(row)
}

/// What a candidate has played.
pub struct Games {
    /// The contest with all samples.
    pub contest: Contest,
    /// Its schedule with all outcomes.
    pub plan: Plan,
    /// The games, in the order of their names.
    pub games: Vec<Played>,
}

/// The line of a candidate that has played.
pub fn of_games(
    class: &Class<'_>,
    candidate: &Candidate,
    built: &Built,
    games: Games,
    folder: Option<&Path>,
) -> Result<Row, Text> {
    let met: Vec<&[Played]> = games.games.chunk_by(|a, b| a.id.encounter == b.id.encounter).collect();
    let rounds: Vec<_> = met.iter().flat_map(|games| rounds_of(games, class.course.time)).collect();
    let mark = class.course.mark(&rounds, class.samples.len());
    let mut remarks = built.remarks.clone();
    if !mark.is_complete() {
        remarks.push(Remark::Incomplete);
    }
    let mut row = row(class, candidate, mark, &remarks, pace(&games));
    row.refused = refused_in(&games);
    if let Some(folder) = folder {
        write_results(class, &met, folder)?;
        write_reports(class, candidate, &row, &games, folder)?;
    }
    Ok(row)
}

/// The line of a candidate whose games could not be played or read, for this reason. It has no mark.
pub fn of_no_games(class: &Class<'_>, candidate: &Candidate, built: &Built, why: Remark) -> Row {
    let remarks: Vec<Remark> = built.remarks.iter().cloned().chain([why, Remark::Incomplete]).collect();
    row(class, candidate, class.course.mark(&[], class.samples.len()), &remarks, Pace::default())
}

/// How long the strategy thought.
fn pace(games: &Games) -> Pace {
    Pace::of(games.games.iter().map(|game| (&game.record, first(game))))
}

/// What the strategy tried and may not do, each once.
fn refused_in(games: &Games) -> Vec<String> {
    let tried = games.games.iter().flat_map(|game| &game.record.side(first(game)).refused);
    tried.collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// The stones of the strategy, which begins every other game.
fn first(game: &Played) -> Stone {
    if game.id.game.is_multiple_of(2) { Stone::Black } else { Stone::White }
}

fn row(class: &Class<'_>, candidate: &Candidate, mark: Mark, remarks: &[Remark], pace: Pace) -> Row {
    Row {
        student: candidate.student.clone(),
        system: candidate.system.clone(),
        mark,
        remarks: remarks.iter().map(|remark| remark.words(class.language)).collect(),
        refused: Vec::new(),
        pace,
        similar: Vec::new(),
        change: None,
        page: None,
    }
}

/// One file for each sample, as the course's own judge writes it; where the course has a runner, one with its fields too.
fn write_results(class: &Class<'_>, met: &[&[Played]], folder: &Path) -> Result<(), Text> {
    let results = folder.join("results");
    std::fs::create_dir_all(&results).map_err(refused(&results))?;
    let names = file_names(class.samples.iter().map(|sample| sample.name.as_str()));
    for games in met {
        let rounds = rounds_of(games, class.course.time);
        if let ([first, ..], false) = (games, rounds.is_empty()) {
            let name = format!("{}.txt", names[first.id.encounter]);
            write_into(&results, &name, &result_file(&rounds))?;
        }
        if let ([first, ..], true) = (games, kit::plays(&class.rules)) {
            let name = format!("{}.json", names[first.id.encounter]);
            let list: Vec<Value> = games.iter().map(|game| kit::result(&game.record)).collect();
            write_into(&results, &name, &format!("{:#}\n", Value::from(list)))?;
        }
    }
    Ok(())
}

/// The contest's report, with a word on each lost game, and the strategy's own page.
fn write_reports(
    class: &Class<'_>,
    candidate: &Candidate,
    row: &Row,
    played: &Games,
    folder: &Path,
) -> Result<(), Text> {
    let language = class.language;
    let mut upshot = Upshot::new(&played.contest, &played.plan, &played.games);
    let moments: Vec<Option<Moment>> =
        upshot.games.iter().map(|(fixture, record)| lost::moment(record, stone_of(fixture.seats))).collect();
    for ((_, record), moment) in upshot.games.iter_mut().zip(&moments) {
        record.comment = moment.as_ref().map(|moment| moment.words(language)).unwrap_or_default();
    }
    write_into(folder, "summary.json", &format!("{:#}\n", upshot.summary()))?;
    write_into(folder, "report.html", &upshot.html(language))?;
    let sample = |encounter: usize| class.samples[encounter].name.as_str();
    let lost: Vec<Lost<'_>> = upshot
        .games
        .iter()
        .zip(moments)
        .filter_map(|((fixture, record), moment)| {
            let (stone, id) = (stone_of(fixture.seats), fixture.id);
            let label = format!("{}.{}", id.encounter + 1, id.game + 1);
            Some(Lost { label, sample: sample(id.encounter), stone, record, moment: moment? })
        })
        .collect();
    let games = upshot.games.chunk_by(|(a, _), (b, _)| a.id.encounter == b.id.encounter);
    let met: Vec<Met<'_>> = games
        .map(|games| Met {
            sample: sample(games[0].0.id.encounter),
            codes: games.iter().filter_map(|(f, record)| Code::of(record, stone_of(f.seats))).collect(),
        })
        .collect();
    write_page(class, candidate, row, &met, &lost, folder)
}

/// The stones of the first entrant.
fn stone_of(seats: [usize; 2]) -> Stone {
    if seats[0] == 0 { Stone::Black } else { Stone::White }
}

fn write_page(
    class: &Class<'_>,
    candidate: &Candidate,
    row: &Row,
    met: &[Met<'_>],
    lost: &[Lost<'_>],
    folder: &Path,
) -> Result<(), Text> {
    let language = class.language;
    let text = page::html(&class.course, &candidate.name, row, met, lost, language);
    write_into(folder, "strategy.html", &text)
}
