//! `train` and `dev puzzles`: puzzles and lessons line by line, and what they are checked by.

use super::{Folder, ok, read, refused, run, run_with, stderr, stdout};

/// A win of two turns of Connect Four, as a file: two threats at once.
const PUZZLE: &str = "test-1 connect4 tactics 2 910 c1b1d1c2e1f1d2d3c3c4e2e3e4f2f3 d4\n";

#[test]
fn a_puzzle_is_solved_line_by_line_and_noted() {
    let folder = Folder::new("train");
    let (puzzles, progress) = (folder.write("test.puzzles", PUZZLE), folder.name("progress.json"));
    let found = ok(&["train", "--check", "--puzzles", &puzzles]);
    assert!(found.starts_with("1 puzzles proven and replayed"), "{found}");
    let train = ["train", "--puzzles", &puzzles, "--progress", &progress, "--id", "test-1"];
    // Two columns win then, and one of them is taken.
    let begun = stdout(&run_with(&train, "d\nquit\n"));
    let last = if begun.contains("answers g1") { "c" } else { "g" };
    let solved = run_with(&train, format!("d\n{last}\n"));
    let said = stdout(&solved);
    assert!(solved.status.success() && said.contains("Yellow to play, win in 2"), "{said}{}", stderr(&solved));
    assert!(said.contains("d4 is right") && said.contains("Solved.") && said.contains("Your rating: 15"), "{said}");
    assert!(read(&folder.path("progress.json")).contains("\"test-1\""));
    // A wrong stone may be tried again, but the puzzle comes back.
    let other = folder.name("other.json");
    let train = ["train", "--puzzles", &puzzles, "--progress", &other, "--daily"];
    let wrong = stdout(&run_with(&train, "g\nz\nhint\nhint\nhint\nd\nquit\n"));
    assert!(wrong.contains("does not do") && wrong.contains("Play d4."), "{wrong}");
    let gave_up = stdout(&run_with(&train, "solution\n"));
    assert!(gave_up.contains("d4") && gave_up.contains("It comes back on"), "{gave_up}");
    let due = stdout(&run_with(&["train", "--due", "--puzzles", &puzzles, "--progress", &other], ""));
    assert!(due.contains("nothing more to solve"), "{due}");
}

#[test]
fn lessons_are_listed_taught_and_added() {
    let folder = Folder::new("lessons");
    let lesson = "game: gomoku\ntitle.en: Mine\ntitle.zh: 我的\nabout.en: a\nabout.zh: b\n---\nen: Read.\nzh: 读。\n---\n\
        en: Win.\nzh: 胜。\nblack: f8 g8 h8 i8\nwhite: e8 a1 a3\ntask: win 1\ndone.en: That is five.\ndone.zh: 成五。\n";
    folder.write("01-mine.lesson", lesson);
    let (lessons, progress) = (folder.name(""), folder.name("progress.json"));
    let taught = run_with(&["train", "--lesson", "mine", "--lessons", &lessons, "--progress", &progress], "\na5\nj8\n");
    let said = stdout(&taught);
    assert!(said.contains("That is five.") && said.contains("The lesson is done."), "{said}{}", stderr(&taught));
    let list = ok(&["train", "--list", "--lessons", &lessons, "--progress", &progress]);
    assert!(list.contains("--lesson mine") && list.contains("2/2"), "{list}");
    folder.write("02-bad.lesson", "game: gomoku\njoke: 1\n");
    refused(&["train", "--list", "--lessons", &lessons], 2, "title is missing");
    refused(&["serve", "--addr", "127.0.0.1:0", "--lessons", &folder.name("nowhere")], 2, "no such file or folder");
}

#[test]
fn what_cannot_be_trained_is_said_in_words() {
    let folder = Folder::new("train-bad");
    let progress = folder.write("progress.json", "{}");
    refused(&["train", "--theme", "jokes"], 2, "there is no theme jokes");
    refused(&["train", "--level", "mad"], 2, "easy, medium and hard");
    refused(&["train", "--id", "nothing"], 2, "there is no such puzzle");
    refused(&["train", "--lesson", "nothing"], 2, "there is no such lesson");
    refused(&["train", "--progress", &progress], 2, "no progress of a learner");
    let bad = folder.write("bad.puzzles", "a gomoku fours 2 900 h8h8 h9\n");
    refused(&["train", "--puzzles", &bad], 2, "bad.puzzles:1:");
    let wrong = folder.write("wrong.puzzles", &PUZZLE.replace(" d4", " g1"));
    let checked = run(&["train", "--check", "--puzzles", &wrong]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(stderr(&checked).contains("test-1: d4 is as good"), "{}", stderr(&checked));
}

#[test]
fn puzzles_are_found_and_the_search_is_continued() {
    let folder = Folder::new("puzzles");
    let (once, twice) = (folder.name("once.puzzles"), folder.name("twice.puzzles"));
    let dig =
        |games: &str, out: &str| ok(&["dev", "puzzles", "connect4", "--each", "9", "--games", games, "--out", out]);
    dig("6", &once);
    dig("3", &twice);
    let said = dig("3", &twice);
    let (once, twice) = (read(&folder.path("once.puzzles")), read(&folder.path("twice.puzzles")));
    assert_eq!(once.replace("once-", "twice-"), twice, "{said}");
    assert!(once.contains("# seed 1 games 6\n") && once.contains("once-1 connect4 "), "{once}");
    assert!(ok(&["train", "--check", "--puzzles", &folder.name("once.puzzles")]).contains(" 0 wrong"));
}

#[test]
fn puzzles_are_found_in_matches_self_play_and_records() {
    let folder = Folder::new("given");
    let [out, games, record] = ["match", "games.lzsp", "game.sgf"].map(|name| folder.name(name));
    let players = ["match", "gomoku", "greedy", "greedy@seed=2,name=other", "--games", "20"];
    ok(&[&players[..], &["--out", &out]].concat());
    ok(&["dev", "selfplay", "gomoku", "--games", "8", "--nodes", "100", "--out", &games]);
    let first = read(&folder.path("match/games.jsonl")).lines().next().unwrap().to_string();
    let one = folder.write("game.json", &first);
    ok(&["convert", &one, &record]);
    for (from, name) in [(&out, "m.puzzles"), (&games, "s.puzzles"), (&record, "r.puzzles")] {
        let puzzles = folder.name(name);
        let dig = ["dev", "puzzles", "gomoku", "--theme", "four-three", "--theme", "fours", "--out", &puzzles];
        let found = ok(&[&dig[..], &["--from", from]].concat());
        assert!(found.contains(" new, ") && (name == "r.puzzles" || !found.contains(": 0 new")), "{found}");
        assert!(ok(&["train", "--check", "--puzzles", &puzzles]).contains(" 0 wrong"));
    }
    let other = run(&["dev", "puzzles", "renju", "--from", &games, "--out", &folder.name("none.puzzles")]);
    assert!(stderr(&other).contains("a game that is no renju was left out"), "{other:?}");
}
