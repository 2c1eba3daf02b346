//! What helps a player: undo, hints, analysis, threats, replay, files, help.

use super::{Folder, Terminal, stones, two_people};

#[test]
fn what_was_taken_back_is_put_back() {
    let terminal = two_people("gomoku");
    terminal.line("h8");
    terminal.line("i9");
    terminal.shows("i9");
    terminal.press(&["U", "BSpace"]);
    terminal.until("an empty board", |screen| stones(screen, '●') + stones(screen, '○') == 0);
    terminal.press(&["U"]);
    terminal.shows("There is nothing to take back.");
    terminal.press(&["R"]);
    terminal.until("one stone", |screen| stones(screen, '●') == 1 && stones(screen, '○') == 0);
    terminal.line("redo");
    terminal.until("both stones", |screen| stones(screen, '○') == 1);
    terminal.press(&["R"]);
    terminal.shows("There is nothing to put back.");
}

#[test]
fn hints_and_analyses_are_drawn_on_the_board() {
    let terminal = two_people("connect4");
    for column in ["d", "a", "e", "a", "f"] {
        terminal.line(column);
    }
    terminal.shows("Yellow to move");
    terminal.press(&["H"]);
    let screen = terminal.shows("Try ");
    assert!(screen.contains('◆'), "{screen}");
    terminal.press(&["A"]);
    terminal.until("an analysis", |screen| {
        let told = |line: &str| line.contains(" 1 ") && (line.contains('%') || line.contains('#'));
        screen.contains("Analysis") && screen.contains("nodes") && screen.lines().any(told)
    });
    terminal.press(&["A"]);
    terminal.hides("Analysis");
}

#[test]
fn threats_are_shown_on_request() {
    let terminal = two_people("gomoku");
    for cell in ["h8", "a1", "i8", "a3", "j8", "a5"] {
        terminal.line(cell);
    }
    terminal.until("six stones", |screen| stones(screen, '○') == 3);
    assert!(!terminal.screen().contains('△'));
    terminal.press(&["T"]);
    let screen = terminal.shows("● threatens △ g8 k8");
    assert!(screen.contains("○ threatens nothing"), "{screen}");
    terminal.line("k8");
    terminal.shows("● threatens ▲ g8 l8");
    terminal.press(&["T"]);
    terminal.hides("threatens");
}

#[test]
fn a_game_is_replayed_with_the_slider() {
    let terminal = two_people("gomoku");
    for cell in ["h8", "i9", "j10", "k11"] {
        terminal.line(cell);
    }
    terminal.shows("k11");
    terminal.press(&["P"]);
    terminal.shows("Step 4/4: White k11");
    terminal.press(&["Left", "Left"]);
    let screen = terminal.shows("Step 2/4: White i9");
    assert_eq!((stones(&screen, '●'), stones(&screen, '○')), (1, 1), "{screen}");
    let slider = screen.lines().nth(22).unwrap();
    assert!(slider.starts_with('━') && slider.ends_with('─') && slider.contains('●'), "{slider}");
    terminal.press(&["Home"]);
    terminal.shows("Step 0/4");
    terminal.press(&["End"]);
    terminal.shows("Step 4/4");
    terminal.press(&["Escape"]);
    terminal.shows("Black to move");
    terminal.line("replay 3");
    terminal.shows("Step 3/4: Black j10");
    terminal.line("replay 9");
    terminal.press(&["Escape"]);
    terminal.shows("There is no such step; steps are 0 to 4.");
}

#[test]
fn games_are_saved_and_loaded_by_name() {
    let folder = Folder::new("files");
    let terminal = two_people("gomoku");
    terminal.line("h8");
    terminal.shows("White to move");
    terminal.press(&["S"]);
    terminal.shows("Save to:");
    terminal.line(&folder.name("Saved.sgf"));
    terminal.shows("Saved to");
    assert!(folder.read("Saved.sgf").contains("RU["));
    terminal.line(&format!("save {}", folder.name("no/such/folder.json")));
    terminal.shows("Not saved:");
    terminal.press(&["N"]);
    terminal.shows("Begin anew? y/n");
    terminal.press(&["y"]);
    terminal.until("an empty board", |screen| stones(screen, '●') == 0);
    terminal.press(&["L"]);
    terminal.shows("Load from:");
    terminal.line(&folder.name("missing.json"));
    terminal.shows("missing.json");
    terminal.line(&format!("load {}", folder.name("Saved.sgf")));
    terminal.until("the stone", |screen| stones(screen, '●') == 1);
}

#[test]
fn sides_are_swapped_and_the_engine_goes_on() {
    let terminal = Terminal::open(&["gomoku", "--white", "greedy@seed=1"]);
    terminal.shows("Black to move");
    terminal.press(&["X"]);
    let screen = terminal.until("the engine's stone", |screen| stones(screen, '●') == 1);
    assert!(screen.contains("● Black  greedy"), "{screen}");
    terminal.shows("White to move");
}

#[test]
fn the_help_screen_names_every_key() {
    for (language, words) in [("en_US.UTF-8", "take back, also while"), ("zh_CN.UTF-8", "悔棋，引擎思考时也可以")]
    {
        let terminal = Terminal::with(&[("LIANZI_LANG", language)], (80, 24), &["gomoku"]);
        terminal.shows("15x15");
        terminal.press(&["?"]);
        let screen = terminal.shows(words);
        assert!(screen.contains("Home, End"), "the page fits: {screen}");
        terminal.press(&["x"]);
        terminal.hides(words);
    }
}

#[test]
fn refusals_are_words() {
    let terminal = two_people("gomoku");
    for (typed, words) in
        [("z99", "'z99' is not a cell"), ("p1", "p1: that is not on the board"), ("h8 i9", "Too many stones")]
    {
        terminal.line(typed);
        terminal.shows(words);
    }
    terminal.line("h8");
    terminal.line("h8");
    terminal.shows("h8: there is a stone already");
}
