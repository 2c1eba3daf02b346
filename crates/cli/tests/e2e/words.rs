//! What a user does wrong is told in the user's language, with what to do, and never in the system's own words.

use std::fs;
use std::net::TcpListener;

use super::{Folder, root, run, stderr, stdout};

/// Mistakes a user can make, each with what must be said in English and in Chinese.
fn mistakes(folder: &Folder) -> Vec<(Vec<String>, &'static str, &'static str)> {
    let file = folder.write("file", "");
    let toml = folder.write("course.toml", "colour = 3\n");
    let broken = folder.write("broken.json", "{\"game\":\"gomoku\"");
    let inside = format!("{file}/inside");
    let empty = folder.name("empty");
    fs::create_dir_all(&empty).unwrap();
    let lines: Vec<(&str, &str, &str)> = vec![
        ("play chess", "there is no game 'chess'", "没有名为“chess”的棋"),
        ("play gomoku --white nobody", "there is no player 'nobody'", "没有名为“nobody”的棋手"),
        ("play gomoku --white strong@level=11", "levels are 1 to 10", "级别为 1 到 10"),
        ("play gomoku --time soon", "is not a time", "不是时间"),
        ("play gomoku --load no.json", "no such file", "没有这个文件"),
        ("show FOLDER", "a folder without black.csv", "不是棋谱"),
        ("show BROKEN", "the file ends where", "文件在此结束"),
        ("show no.sgf --from pgn", "there is no format 'pgn'", "没有名为“pgn”的格式"),
        ("perft gomoku deep", "a whole number", "整数"),
        ("perft gomoku 2 --moves z9", "stone 1", "第 1 子"),
        ("analyze gomoku --best 0", "at least 1", "至少为 1"),
        ("analyze connect4 --moves 1212121", "with --at N an earlier position", "可用 --at N"),
        ("judge EMPTY", "name files", "请指定棋谱文件"),
        ("grade EMPTY", "put strategies", "请放入策略文件"),
        ("rank EMPTY", "put those there", "请放入要排级的策略"),
        ("train --lessons EMPTY", "docs/train.md", "docs/train.md"),
        ("call ./no.so FILE", "no such file", "没有这个文件"),
        ("worker nowhere", "write postgres://USER@HOST", "请写 postgres://用户@主机"),
        ("match connect4 greedy random --sprt 10", "ELO0,ELO1", "ELO0,ELO1"),
        ("match connect4 greedy random --out FILE", "taken already", "已被占用"),
        ("match connect4 greedy random --out INSIDE", "no folder", "不是文件夹"),
        ("match connect4 greedy random --concurrency 0", "1..=1024", "须在 1..=1024 之内"),
        ("match connect4 greedy random --gmaes 2", "--games", "没有参数“--gmaes”；是否要写 --games"),
        ("match connect4", "<A>", "缺少参数 <A> <B>"),
        ("match connect4:random so:./no.so random", "no such file", "没有这个文件"),
        ("tournament gomoku greedy random --format best-of-x", "best-of-N", "best-of-N"),
        ("tournament --config TOML", "line 1", "第 1 行"),
        ("grade no.so --course TOML", "unknown field `colour`", "没有名为 `colour` 的项"),
        ("grade nothing", "no such file or folder, and there is no player", "没有这个文件或文件夹"),
        ("serve --addr nowhere", "HOST:PORT", "HOST:PORT"),
        ("serve --data FOLDER --player x", "NAME=SPEC", "请写 NAME=SPEC"),
        ("engine --protocol uci", "piskvork, connect6", "piskvork、connect6"),
        ("bench atacks", "one of arena, attacks", "没有名为“atacks”的测量"),
        ("tourney", "tourney", "没有命令“tourney”"),
    ];
    let named = |word: &str| match word {
        "FILE" => file.clone(),
        "FOLDER" => folder.0.display().to_string(),
        "TOML" => toml.clone(),
        "BROKEN" => broken.clone(),
        "INSIDE" => inside.clone(),
        "EMPTY" => empty.clone(),
        word => word.into(),
    };
    lines.into_iter().map(|(line, english, chinese)| (line.split(' ').map(named).collect(), english, chinese)).collect()
}

#[test]
fn every_mistake_is_told_in_both_languages() {
    let folder = Folder::new("words");
    for (line, english, chinese) in mistakes(&folder) {
        told(&line, "en", english);
        let said = told(&line, "zh", chinese);
        assert!(!said.contains("error:"), "{line:?}: {said}");
        assert!(said.contains(|c: char| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{line:?}: {said}");
    }
}

#[test]
fn a_port_in_use_is_told_with_another_to_choose() {
    let folder = Folder::new("port");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let line: Vec<String> = ["serve", "--addr", &addr, "--data", &folder.name("data")].map(String::from).to_vec();
    told(&line, "en", "another port with --addr");
    told(&line, "zh", "换一个端口");
}

#[test]
fn help_is_given_in_both_languages() {
    for arguments in [&["--help"][..], &["match", "-h"], &["help", "new", "strategy"]] {
        let said = |language| stdout(&run(&[&["--lang", language], arguments].concat()));
        let (english, chinese) = (said("en"), said("zh"));
        for (word, same) in [("Usage:", "用法："), ("Options:", "选项："), ("Print help", "打印说明")] {
            assert!(english.contains(word) && chinese.contains(same), "{arguments:?}: {chinese}");
            assert!(!chinese.contains(word), "{arguments:?}: {chinese}");
        }
    }
}

/// The names of the commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = stdout(&run(&["--lang", "en", "-h"]));
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    // A name stands behind two blanks, the lines that go on behind more.
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_string).collect()
}

#[test]
fn the_pages_of_the_command_line_name_every_command() {
    let commands = commands();
    assert!(commands.contains(&"serve".to_string()), "{commands:?}");
    for page in ["docs/commands.md", "docs/commands.zh-CN.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let missing: Vec<&String> = commands.iter().filter(|name| !text.contains(&format!("`{name}`"))).collect();
        assert!(missing.is_empty(), "{page} does not name {missing:?}");
    }
}

/// Runs the line in this language; it must be refused with these words.
fn told(line: &[String], language: &str, words: &str) -> String {
    let arguments: Vec<&str> = ["--lang", language].into_iter().chain(line.iter().map(String::as_str)).collect();
    let output = run(&arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(words), "{arguments:?} should say '{words}': {said}");
    for foreign in ["os error", "panicked", "ParseIntError", "Kind("] {
        assert!(!said.contains(foreign), "{arguments:?}: {said}");
    }
    said
}
