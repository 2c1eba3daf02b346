//! Whole games: by keyboard, by mouse, against engines and between them.

use super::{Folder, Terminal, stones, two_people};

/// Two people type a game to its end.
#[track_caller]
fn typed(game: &str, turns: &str, end: &str) {
    let terminal = two_people(game);
    for turn in turns.split(", ") {
        terminal.line(turn);
    }
    let screen = terminal.shows(end);
    let title = game.parse::<lianzi_core::Rules>().unwrap().title();
    assert!(screen.contains(&format!("Lianzi · {title}")), "{screen}");
}

#[test]
fn gomoku_is_typed_to_its_end() {
    typed("gomoku", "h8, a1, i8, a2, j8, a3, k8, a4, l8", "Black wins with five in a row");
}

#[test]
fn standard_gomoku_is_typed_to_its_end() {
    typed("standard", "a1, h8, a3, i8, a5, j8, a7, k8, a9, l8", "White wins with five in a row");
}

#[test]
fn renju_refuses_a_foul_and_goes_on() {
    let terminal = two_people("renju");
    for turn in ["h8", "a1", "i8", "a3", "j10", "a5", "j11", "a7"] {
        terminal.line(turn);
    }
    // Two open threes cross here.
    terminal.shows("Black to move");
    terminal.line("j8");
    let screen = terminal.shows("j8 is forbidden to Black: a double three");
    assert_eq!((stones(&screen, '●'), stones(&screen, '○')), (4, 4), "{screen}");
    terminal.line("k9");
    terminal.shows("White to move");
}

#[test]
fn connect6_is_typed_two_stones_a_turn() {
    let turns = "j10, a1 a3, k10 l10, a5 a7, m10 n10, a9 a11, o10";
    typed("connect6", turns, "Black wins with six in a row");
}

#[test]
fn connect_four_is_dropped_by_columns_numbers_and_arrows() {
    let terminal = two_people("connect4");
    // The cursor begins in the middle column.
    terminal.press(&["Enter"]);
    terminal.shows("Yellow to move");
    terminal.line("5");
    terminal.shows("Red to move");
    terminal.press(&["Space"]);
    terminal.line("e");
    terminal.press(&["Enter", "Right", "Enter", "Left", "Enter"]);
    let screen = terminal.shows("Red wins with four in a row");
    assert_eq!((stones(&screen, '●'), stones(&screen, '○')), (4, 3), "{screen}");
    assert_eq!(screen.matches("[●]").count(), 4, "the winning line is framed: {screen}");
}

#[test]
fn the_cursor_goes_by_arrows() {
    let terminal = two_people("gomoku");
    terminal.press(&["Enter", "Right", "Up", "Enter", "Left", "Left", "Down", "Enter"]);
    let screen = terminal.until("three stones", |screen| stones(screen, '●') + stones(screen, '○') == 3);
    assert!(screen.contains("1 h8         i9") && screen.contains("2 g8"), "{screen}");
}

#[test]
fn any_other_game_of_the_family_is_played() {
    typed("connect:5,5,4,1,1", "a1, a2, b1, b2, c1, c2, d1", "Black wins with four in a row");
}

#[test]
fn a_board_larger_than_the_terminal_follows_the_cursor() {
    let terminal = two_people("gomoku:31");
    terminal.line("a1");
    terminal.shows("White to move");
    assert!(!terminal.screen().contains("[●]"), "the corner is out of sight");
    terminal.press(&["Home", "Escape"]);
    for _ in 0..15 {
        terminal.press(&["Left", "Down"]);
    }
    terminal.shows("[●]");
}

/// Clicks until the click has been seen: a busy terminal may tear it into single keys.
fn click_until(terminal: &Terminal, (x, y): (u16, u16), seen: &str) -> String {
    for _ in 0..20 {
        terminal.click(x, y);
        for _ in 0..75 {
            let screen = terminal.screen();
            if screen.contains(seen) {
                return screen;
            }
            std::thread::sleep(std::time::Duration::from_millis(40));
        }
        terminal.press(&["Escape"]);
    }
    panic!("no click brought '{seen}':\n{}", terminal.screen());
}

#[test]
fn a_click_places_a_stone() {
    let terminal = two_people("gomoku");
    // Row 15 is the second row of the screen, column a the fourth character; two characters a column.
    click_until(&terminal, (3 + 2 * 7, 1 + 7), "1 h8");
    let screen = click_until(&terminal, (3 + 2 * 14, 1), "o15");
    assert!(screen.contains("[○]"), "{screen}");
    click_until(&terminal, (3 + 2 * 14, 1), "there is a stone already");
    terminal.press(&["P"]);
    terminal.shows("Step 2/2");
    // The left end of the slider.
    click_until(&terminal, (0, 22), "Step 0/2");
    let terminal = two_people("connect4");
    // Anywhere in a column: the stone falls. So small a board has four characters a column.
    let screen = click_until(&terminal, (3 + 4 * 2, 3), "1 c1");
    assert!(screen.lines().any(|line| line.starts_with(" 1") && line.contains("[●]")), "{screen}");
}

#[test]
fn an_engine_answers_and_thinks_aloud() {
    let terminal = Terminal::open(&["gomoku", "--white", "uct@nodes=30000,seed=1"]);
    terminal.shows("Black to move");
    terminal.line("h8");
    let screen = terminal.until("the answer", |screen| stones(screen, '○') == 1);
    assert!(screen.contains("Thoughts: White") && screen.contains("nodes"), "{screen}");
    let chance = terminal.until("the chance of Black", |screen| {
        screen.lines().any(|line| line.contains("Black ") && line.contains('%'))
    });
    assert!(chance.contains("Black to move"), "{chance}");
}

#[test]
fn undo_while_the_engine_thinks_stops_it() {
    let terminal = Terminal::open(&["gomoku", "--white", "uct@time=50s"]);
    terminal.shows("Black to move");
    terminal.line("h8");
    terminal.shows("White is thinking");
    terminal.line("i9");
    terminal.shows("White is thinking; wait, or take back.");
    terminal.press(&["U"]);
    let screen = terminal.shows("Black to move");
    assert_eq!(stones(&screen, '●'), 0, "{screen}");
    terminal.line("a1");
    let screen = terminal.shows("White is thinking");
    assert!(screen.contains("1 a1"), "the engine thinks about the new stone: {screen}");
    terminal.press(&["G"]);
    terminal.shows("Resign? y/n");
    terminal.press(&["y"]);
    terminal.shows("White wins: Black resigned");
}

#[test]
fn two_people_find_their_sides_by_swap2() {
    let terminal = Terminal::open(&["gomoku", "--swap2", "--white", "human"]);
    terminal.shows("Swap2: a black stone");
    assert!(terminal.screen().contains("Black to move, 3 stones"));
    terminal.line("take");
    terminal.shows("There is no swap now.");
    terminal.line("h8 h9");
    terminal.shows("Black to move");
    terminal.line("h10");
    let screen = terminal.shows("White to choose");
    assert!(screen.contains("Swap2: a white stone; swap: play black; more: place two more"), "{screen}");
    terminal.press(&["D"]);
    terminal.shows("White to move, 2 stones");
    terminal.press(&["X"]);
    terminal.shows("The sides are still being found; go on with the opening, or restart.");
    terminal.press(&["U"]);
    terminal.shows("White to choose");
    terminal.line("more");
    terminal.line("a1 b1");
    terminal.shows("Swap2: a white stone; swap: play black");
    terminal.press(&["B"]);
    let screen = terminal.shows("The sides are settled: Player plays Black, Player plays White.");
    assert!(screen.contains("White to move"), "{screen}");
    terminal.press(&["U"]);
    terminal.shows("The sides are settled; their opening cannot be taken back");
}

#[test]
fn an_engine_takes_part_in_swap2() {
    let chinese = [("LIANZI_LANG", "zh_CN.UTF-8")];
    let terminal = Terminal::with(&chinese, (80, 24), &["gomoku", "--swap2", "--white", "greedy@seed=1"]);
    terminal.shows("Swap2：落黑子");
    terminal.line("h8 a1 i8");
    let screen = terminal.shows("黑白已定：");
    assert!(screen.contains("greedy@seed=1执"), "{screen}");
    let arguments = ["renju+swap2", "--black", "greedy@seed=1", "--white", "human"];
    let terminal = Terminal::open(&arguments);
    let screen = terminal.shows("White to choose");
    assert_eq!((stones(&screen, '●'), stones(&screen, '○')), (2, 1), "{screen}");
    terminal.line("take");
    let screen = terminal.shows("The sides are settled: Player plays Black, greedy@seed=1 plays White.");
    assert!(screen.contains("● Black  Player"), "{screen}");
    terminal.until("the engine plays on as White", |screen| stones(screen, '○') == 2);
}

#[test]
fn a_game_of_soosyrv_8() {
    let terminal = Terminal::open(&["renju+soosyrv8", "--white", "human"]);
    terminal.shows("Soosyrv-8: a black stone in the centre");
    terminal.line("a1");
    terminal.shows("the first stone belongs in the centre");
    terminal.line("h8 h9 i9");
    terminal.shows("Soosyrv-8: a white stone; swap: play black");
    terminal.line("swap");
    terminal.line("a15");
    terminal.shows("Soosyrv-8: how many fifth moves, 1 to 8?");
    terminal.line("9");
    terminal.shows("The number of fifth moves must be 1 to 8.");
    terminal.line("2");
    terminal.shows("Soosyrv-8: offer 2 more, no two alike; swap: play white");
    terminal.line("g7");
    terminal.shows("Soosyrv-8: offer 1 more, no two alike");
    terminal.line("g9");
    let screen = terminal.shows("Soosyrv-8: choose one of 2 fifth moves");
    assert!(screen.lines().any(|line| line.trim_start().starts_with("9 ") && line.contains('2')), "{screen}");
    terminal.line("a1");
    terminal.shows("only an offered fifth move can be chosen");
    terminal.line("g9");
    let screen = terminal.shows("The sides are settled");
    assert!(screen.contains("White to move"), "{screen}");
    assert_eq!((stones(&screen, '●'), stones(&screen, '○')), (3, 2), "{screen}");
    for stone in ["a1", "i7", "c1", "f10", "e1", "j6"] {
        terminal.line(stone);
    }
    terminal.shows("Black wins with five in a row");
}

#[test]
fn a_game_of_taraguchi_10() {
    let terminal = Terminal::open(&["renju+taraguchi10", "--white", "human"]);
    terminal.shows("a black stone in the centre");
    terminal.line("h8");
    terminal.shows("Taraguchi-10: a white stone within 3×3; swap: play black");
    terminal.line("h10");
    terminal.shows("this stone must lie within the central 3×3");
    terminal.line("swap");
    terminal.line("i9");
    terminal.line("j10");
    terminal.line("f6");
    terminal.shows("Taraguchi-10: a black stone within 9×9; swap: play white; more: offer ten");
    terminal.line("more");
    terminal.shows("Black to offer 10 moves");
    terminal.line("g8 h7");
    terminal.shows("that fifth move is the same as g8 by symmetry");
    terminal.line("g8 g7 a1 a2 a3 a4 a5 a6 a7 c9");
    let screen = terminal.shows("Taraguchi-10: choose one of 10 fifth moves");
    assert!(screen.contains('A'), "the tenth is A: {screen}");
    terminal.line("c9");
    let screen = terminal.shows("The sides are settled");
    assert!(screen.contains("White to move"), "{screen}");
    for stone in ["k11", "g8", "a1", "f8", "c1", "e8", "e1", "d8"] {
        terminal.line(stone);
    }
    terminal.shows("Black wins with five in a row");
}

#[test]
fn engines_are_watched_to_the_end() {
    let arguments = ["connect4", "--black", "greedy@seed=1", "--white", "random@seed=2", "--pace", "20ms"];
    let terminal = Terminal::open(&arguments);
    terminal.until("the end", |screen| screen.contains("wins with four") || screen.contains("draw"));
    terminal.press(&["G"]);
    terminal.shows("The game is over.");
}

#[test]
fn a_killed_game_goes_on_from_its_file() {
    let folder = Folder::new("killed");
    let file = folder.name("game.json");
    let program = env!("CARGO_BIN_EXE_lianzi");
    // The shell is replaced, so that the pane's process is the program.
    let command = format!("exec '{program}' play connect6 --white human --save '{file}'");
    let terminal = Terminal::run(&[], (80, 24), &command);
    terminal.shows("Black to move");
    terminal.line("j10");
    terminal.line("k10");
    terminal.shows("White to move");
    terminal.until("the first stone of the turn", |screen| stones(screen, '○') == 1);
    let process = terminal.ask(&["display-message", "-p", "#{pane_pid}"]);
    assert!(std::process::Command::new("kill").args(["-9", process.trim()]).status().unwrap().success());
    let saved = folder.read("game.json");
    assert!(saved.contains("\"j10\"") && saved.contains("\"k10\""), "{saved}");
    let terminal = Terminal::open(&["--load", &file, "--white", "human", "--save", &file]);
    let screen = terminal.shows("White to move");
    assert!(stones(&screen, '●') + stones(&screen, '○') == 2 && screen.contains("Connect6"), "{screen}");
    terminal.line("k11");
    terminal.shows("Black to move, 2 stones");
    assert!(folder.read("game.json").contains("\"k11\""));
}
