//! What is read from strangers: lines of puzzles, lessons, progress. Nothing panics, and what is written is read again.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use lianzi_core::{Position, Random, Rules};
use lianzi_train::progress::{Slip, mistakes};
use lianzi_train::task::solve;
use lianzi_train::{BadProgress, Day, Ended, Lesson, Library, Progress, Puzzle, School, Theme};
use proptest::prelude::*;

const GAMES: [&str; 5] = ["gomoku", "renju:9", "connect6:13", "connect4", "connect:9,9,5,1,1/e5"];

/// A puzzle of random stones, right or not.
fn random_puzzle(game: &str, seed: u64) -> Option<Puzzle> {
    let rules: Rules = game.parse().ok()?;
    let (mut random, mut position) = (Random::new(seed), Position::new(rules));
    for _ in 0..random.below(20) {
        let legal: Vec<_> = position.legal().collect();
        position.play(*random.choose(&legal)?).ok()?;
    }
    let moves: Vec<_> = position.plies().iter().map(|ply| ply.cell).collect();
    let mut turn = Vec::new();
    let mover = position.to_move();
    if position.mid_turn() {
        return None;
    }
    while position.outcome().is_none() && position.to_move() == mover {
        let legal: Vec<_> = position.legal().collect();
        let cell = *random.choose(&legal)?;
        position.play(cell).ok()?;
        turn.push(cell);
    }
    let theme = *random.choose(&Theme::ALL)?;
    let rating = 400 + random.below(2600) as u16;
    (!turn.is_empty()).then(|| Puzzle {
        id: format!("test-{seed}"),
        rules,
        theme,
        turns: 1 + random.below(9) as u8,
        rating,
        moves,
        accepted: vec![turn],
    })
}

proptest! {
    #[test]
    fn puzzles_are_read_as_they_were_written(seed: u64, game in 0..GAMES.len()) {
        if let Some(puzzle) = random_puzzle(GAMES[game], seed) {
            prop_assert_eq!(puzzle.to_string().parse::<Puzzle>(), Ok(puzzle));
        }
    }

    #[test]
    fn no_line_and_no_file_does_harm(text in "\\PC{0,80}", words in "[a-z0-9 :.#\n-]{0,200}") {
        let _ = text.parse::<Puzzle>();
        let _ = words.parse::<Puzzle>();
        let _ = Lesson::read("01-x.lesson", &words);
        let _ = Lesson::read("x", &format!("game: gomoku\ntitle.en: a\ntitle.zh: b\nabout.en: c\nabout.zh: d\n---\nen: e\nzh: f\n{words}"));
        let _ = Progress::read(&text);
        let _ = text.parse::<Day>();
    }

    #[test]
    fn changed_lines_are_read_or_refused(seed: u64, at in 0..120usize, byte in 32..127u8) {
        if let Some(puzzle) = random_puzzle("gomoku", seed) {
            let mut line = puzzle.to_string().into_bytes();
            let at = at % line.len();
            line[at] = byte;
            let _ = String::from_utf8_lossy(&line).parse::<Puzzle>();
        }
    }

    #[test]
    fn progress_is_kept_and_put_together(results in prop::collection::vec((0..40usize, 0..3u8, 0..30u32), 0..60)) {
        let library = Library::built_in();
        let start: Day = "2026-11-01".parse().unwrap();
        let (mut progress, mut other) = (Progress::default(), Progress::default());
        for (n, (puzzle, ended, day)) in results.into_iter().enumerate() {
            let ended = [Ended::Solved, Ended::Helped, Ended::Failed][usize::from(ended)];
            let puzzle = &library.puzzles()[puzzle];
            let change = progress.finish(puzzle, ended, start.later(day), false);
            prop_assert!(change.again.is_none_or(|again| again > start.later(day)));
            if n % 2 == 0 {
                other.finish(puzzle, ended, start.later(day), false);
            }
        }
        let read = Progress::read(&progress.write()).unwrap();
        // Fractions may lose their last digit on the way.
        prop_assert_eq!(read.summary(start), progress.summary(start));
        prop_assert_eq!(read.due(start.later(40)), progress.due(start.later(40)));
        let mut both = progress.clone();
        both.merge(other);
        prop_assert!(both.counted(library.puzzles().iter().map(|one| one.id.as_str())).0 >= progress.counted(library.puzzles().iter().map(|one| one.id.as_str())).0);
        let _ = serde_json::to_string(&both.summary(start.later(30))).unwrap();
    }
}

#[test]
fn what_is_missed_comes_back_and_streaks_are_counted() {
    let library = Library::built_in();
    let [a, b] = [&library.puzzles()[0], &library.puzzles()[1]];
    let day: Day = "2026-11-17".parse().unwrap();
    let mut progress = Progress::default();
    let won = progress.finish(a, Ended::Solved, day, true);
    assert!(won.rating > 0 && won.again.is_none());
    let lost = progress.finish(b, Ended::Failed, day, false);
    assert!(lost.rating < 0);
    assert_eq!(
        (lost.again, progress.due(day).len(), progress.due(day.later(1))),
        (Some(day.later(1)), 0, vec![b.id.as_str()])
    );
    // To solve it now shows nothing about the learner's strength.
    let again = progress.finish(b, Ended::Solved, day.later(1), false);
    assert!(again.rating == 0 && again.again > Some(day.later(2)));
    let told = serde_json::to_value(progress.summary(day.later(1))).unwrap();
    assert_eq!((&told["days"]["now"], &told["row"]["now"], &told["due"]), (&2.into(), &1.into(), &0.into()), "{told}");
    assert_eq!((&told["today"]["solved"], &told["daily"]), (&1.into(), &false.into()));
    assert_eq!(serde_json::to_value(progress.summary(day)).unwrap()["daily"], true);
    assert_eq!(serde_json::to_value(progress.summary(day.later(3))).unwrap()["days"]["now"], 0);
    assert!(progress.has_solved(&a.id) && progress.next_due(day.later(1)) == again.again);
    for (text, bad) in [
        ("", BadProgress::Other),
        ("{}", BadProgress::Other),
        ("{\"format\":\"lianzi-progress\",\"version\":9}", BadProgress::Later),
    ] {
        assert_eq!(Progress::read(text), Err(bad));
    }
    assert!(
        Progress::read("{\"format\":\"lianzi-progress\",\"version\":1,\"new\":3}").is_ok(),
        "what is new is left out"
    );
}

#[test]
fn mistakes_of_a_game_become_puzzles() {
    let mut record = lianzi_core::GameRecord::new("gomoku".parse().unwrap());
    for cell in ["h8", "a1", "i8", "a3", "j8", "a5"] {
        record.moves.push(cell.parse::<lianzi_core::Cell>().unwrap().into());
    }
    let slip = |ply, stone: &str, grade: &str, best: &str| -> Slip {
        serde_json::from_value(serde_json::json!({"ply": ply, "stone": stone, "grade": grade, "best": [best]})).unwrap()
    };
    let slips = [slip(3, "white", "blunder", "g8"), slip(5, "white", "good", "g8"), slip(4, "black", "mistake", "j8")];
    let found = mistakes(&record, &slips, Some(lianzi_core::Stone::White));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].theme, found[0].moves.len()), (Theme::Mistake, 3));
    assert_eq!(mistakes(&record, &slips, None).len(), 2);
    let day: Day = "2026-11-17".parse().unwrap();
    let mut progress = Progress::default();
    assert_eq!((progress.add_mistakes(found.clone(), day), progress.add_mistakes(found.clone(), day)), (1, 0));
    assert_eq!(progress.due(day), [found[0].id.as_str()]);
    assert_eq!(progress.mistake(&found[0].id), Some(found[0].clone()));
    // Found again it comes back later, and never counts for the rating.
    let change = progress.finish(&found[0], Ended::Solved, day, false);
    assert!(change.rating == 0 && change.again > Some(day));
}

#[test]
fn every_task_of_every_lesson_is_solved_by_the_engine() {
    let school = School::built_in();
    assert!(school.lessons().len() >= 12, "{}", school.lessons().len());
    for (name, text) in School::files() {
        if let Err(bad) = Lesson::read(name, text) {
            panic!("{name}: {bad}");
        }
    }
    let mut wrong = Vec::new();
    for lesson in school.lessons() {
        assert!(!lesson.tasks().is_empty(), "{} has no task", lesson.id);
        for step in lesson.tasks() {
            if let Err(why) = solve(&lesson.steps[step]) {
                wrong.push(format!("{} step {}: {why}", lesson.id, step + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_bad_lesson_says_where() {
    let head = "game: gomoku\ntitle.en: a\ntitle.zh: b\nabout.en: c\nabout.zh: d\n---\nen: e\nzh: f\n";
    for (more, words) in [
        ("task: jump\n", "line 9: a task is one of"),
        ("moves: h8 h8\n", "line 9: h8: there is a stone"),
        ("moves: h8\nblack: h9\n", "line 9: give either"),
        ("mark: z99\n", "z99"),
        ("mark: p1\n", "p1 is not on the board"),
        ("hint.en: x\n", "hint.zh is missing"),
        ("joke: x\n", "joke means nothing"),
        ("nothing\n", "key: value"),
        ("en: e\n", "twice"),
        ("task: play a1 a1a2\n", "cannot be played"),
        ("task: find forbidden\n", "a task is one of"),
    ] {
        let bad = Lesson::read("01-a.lesson", &format!("{head}{more}")).unwrap_err().to_string();
        assert!(bad.contains(words), "{more}: {bad}");
    }
    assert!(Lesson::read("01-a b.lesson", head).is_err() && Lesson::read("01-a.lesson", "game: chess\n").is_err());
    let mut school = School::default();
    school.add("02-x.lesson", head).unwrap();
    school.add("01-y.lesson", head).unwrap();
    school.add("03-x.lesson", head).unwrap();
    let ids: Vec<&str> = school.lessons().iter().map(|lesson| lesson.id.as_str()).collect();
    assert_eq!(ids, ["y", "x"]);
}
