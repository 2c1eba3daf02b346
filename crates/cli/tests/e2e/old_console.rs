//! `play --console s1`: the console of the document S1, by transcripts.

use std::io::Write;
use std::process::Stdio;

use super::{Folder, lianzi, read, refused};

const PROMPTS: &str = "输入: move x y  表示落子点\n输入 regret 表示悔棋\n";
const BAD_POINT: &str = "落子不合法！可能是x、y超出有效范围，x、y需要介于1至15之间。\n";
const REPLAY: &str = "输入next查看下一步\n输入exit退出复盘\n";

/// Types these lines in a folder and returns what was printed.
fn console(folder: &Folder, computer: &str, lines: &[&str]) -> String {
    let mut child = lianzi()
        .args(["play", "--console", "s1", "--white", computer])
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A console that has ended does not read the rest.
    let _ = child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// What is printed after the n-th time of these words.
fn after<'a>(text: &'a str, words: &str, n: usize) -> &'a str {
    text.split(words).nth(n).unwrap_or_else(|| panic!("{words} is missing in {text}"))
}

#[test]
fn the_menu_wants_one_of_its_words() {
    let folder = Folder::new("s1-menu");
    let text = console(&folder, "random@seed=1", &["hello", "please replay"]);
    let menu = "*************五子棋人机对弈AI*************\n输入: replay  播放复盘\n输入: newblack  电脑先手\n输入: newwhite  电脑后手\n";
    let complaint = "输入的参数不正确。请输入\"replay\"或\"newblack\"或\"newwhite\"。\n";
    assert_eq!(text, format!("{menu}{complaint}打开文件失败！\n"));
}

#[test]
fn a_game_is_won_saved_and_replayed() {
    let folder = Folder::new("s1-game");
    let moves = ["newwhite", "move 1 1", "move 1 2", "move 1 3", "move 1 4", "move 1 5", "maybe", " y "];
    let text = console(&folder, "random@seed=1", &moves);
    assert!(text.contains("玩家刚刚下了位置(1, 1)"), "{text}");
    assert!(
        text.contains("游戏结束！恭喜玩家获胜！\n是否要存盘？输入Y 或 N\n输入的参数不正确。请输入\"Y\"或\"N\"\n"),
        "{text}"
    );
    let saved = read(&folder.path("ChessSave.txt"));
    let lines: Vec<&str> = saved.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[8]), (9, "2 1 1", "2 1 5"), "{saved}");
    assert!(lines[1].starts_with("1 "), "the computer is player 1: {saved}");

    let replayed = console(&folder, "random", &["replay", "back", "next", "exit"]);
    assert!(replayed.contains(&format!("{REPLAY}无效命令！\n{REPLAY}")), "{replayed}");
    assert_eq!(replayed.matches(REPLAY).count(), 3, "{replayed}");
    assert!(replayed.contains("\n 1● ┬ "), "the person is black and at the top left: {replayed}");
    assert!(replayed.contains("┼ ○ ┼"), "the computer is white: {replayed}");
    let whole = console(&folder, "random", &[vec!["replay"], vec!["next"; 20]].concat());
    assert_eq!(whole.matches(REPLAY).count(), 9, "each stone once: {whole}");
}

#[test]
fn a_game_is_lost_and_not_saved() {
    let folder = Folder::new("s1-lost");
    let away: Vec<String> = (0..12).map(|n| format!("move {} {}", 1 + 14 * (n % 2), 1 + n)).collect();
    let moves: Vec<&str> = ["newblack"].into_iter().chain(away.iter().map(String::as_str)).chain(["N"]).collect();
    let text = console(&folder, "greedy@seed=1", &moves);
    assert!(text.contains("电脑刚刚下了位置("), "{text}");
    assert!(text.contains("游戏结束！恭喜电脑获胜！\n是否要存盘？输入Y 或 N\n"), "{text}");
    assert!(!folder.path("ChessSave.txt").exists());
}

#[test]
fn bad_input_gets_the_documents_words() {
    let folder = Folder::new("s1-bad");
    let bad_points = ["regret", "move", "move 8", "move 0 5", "move 5 16", "move -3 4", "move 99999999999 1"];
    let bad_words = ["", "8 8", "move a b", "move 8 x", "regrets", "undo", "\u{1b}[A", "移动 8 8"];
    let lines = [&["newwhite"][..], &bad_points, &bad_words].concat();
    let text = console(&folder, "random@seed=1", &lines);
    assert_eq!(text.matches(&format!("{BAD_POINT}{PROMPTS}")).count(), bad_points.len(), "{text}");
    assert_eq!(text.matches("输入不正确。请输入move x y表示落子点。\n").count(), bad_words.len(), "{text}");
    assert!(!text.contains("刚刚下了位置"), "no stone was placed: {text}");
}

#[test]
fn regret_takes_two_stones_back() {
    let folder = Folder::new("s1-regret");
    let text = console(&folder, "random@seed=1", &["newwhite", "move 8 8", "move 8 8", "regret", "regret", "move 8 8"]);
    assert_eq!(text.matches("玩家刚刚下了位置(8, 8)").count(), 2, "the point is free again: {text}");
    assert_eq!(text.matches(BAD_POINT).count(), 2, "an occupied point and a regret too many: {text}");
}

#[test]
fn the_computer_tells_what_it_thought() {
    let folder = Folder::new("s1-thoughts");
    let computer = "classic-gomoku@depth=1,entries=1000";
    let text = console(&folder, computer, &["newwhite", "move 8 8"]);
    let told = after(&text, "电脑刚刚下了位置", 1);
    let line = told.lines().nth(1).unwrap();
    let numbers: Vec<i64> =
        line.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|n| n.parse().ok()).collect();
    let [value, depth, _, nodes, score] = numbers[..] else { panic!("{line}") };
    assert_eq!(
        line.replace(|c: char| c.is_ascii_digit() || c == '-', ""),
        "当前估值, 搜索最大层数, 总时间ms, 总步数, 评估分数, "
    );
    assert_eq!(depth, 2, "the depth it would have searched next: {line}");
    assert!(nodes > 1 && value.abs() < 8500 && score.abs() < 8500, "{line}");
    assert!(text.contains("  1 2 3 4 5 6 7 8 9 101112131415\n 1┌ ┬ "), "numbers above and beside: {text}");
}

#[test]
fn only_its_own_game_is_played() {
    refused(&["play", "renju", "--console", "s1"], 2, "gomoku only");
    refused(&["play", "--console", "s1", "--save", "x.json"], 2, "cannot be used with");
    refused(&["play", "--console", "s9"], 2, "s9");
}
