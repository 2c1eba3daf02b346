//! Guests under fire: whatever is sent, they do not panic, they answer every command, and their stones are legal.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::collections::HashSet;
use std::io::Cursor;

use lianzi_core::{Cell, Ply, Position, Rules, Setup, Stone};
use lianzi_players::guest::{Guest, GuestProtocol, serve};
use lianzi_players::protocol::cells::{Alphabet, RowA};
use proptest::prelude::*;

/// What a guest says to this input.
fn talk(protocol: GuestProtocol, game: Option<Rules>, player: &str, input: &[u8]) -> String {
    let guest = Guest { player: player.parse().unwrap(), game, row_a: RowA::Bottom, seed: 1 };
    let mut out = Vec::new();
    // A request that cannot be answered is an error, never a panic.
    let _ = serve(protocol, &guest, Cursor::new(input.to_vec()), &mut out);
    String::from_utf8(out).expect("guests speak UTF-8")
}

/// A small number, or one that is off every board.
fn number() -> impl Strategy<Value = i64> {
    prop_oneof![20 => 0i64..7, 1 => -2i64..40, 1 => any::<i64>()]
}

fn pair() -> impl Strategy<Value = String> {
    prop_oneof![30 => (number(), number()).prop_map(|(x, y)| format!("{x},{y}")), 1 => "[^\\r\\n]{0,12}"]
}

/// One command to a Piskvork guest; a block is one command.
fn piskvork_command() -> impl Strategy<Value = Vec<String>> {
    let stones = prop::collection::vec((pair(), 0u8..4), 0..12);
    let line = |text: String| vec![text];
    prop_oneof![
        1 => (4u8..8).prop_map(move |n| line(format!("START {n}"))),
        1 => (pair()).prop_map(move |size| line(format!("RECTSTART {size}"))),
        1 => Just(line("RESTART".into())),
        2 => Just(line("BEGIN".into())),
        20 => pair().prop_map(move |cell| line(format!("TURN {cell}"))),
        2 => pair().prop_map(move |cell| line(format!("TAKEBACK {cell}"))),
        3 => (stones, prop::sample::select(vec!["BOARD", "YXBOARD"])).prop_map(|(stones, word)| {
            let stones = stones.into_iter().map(|(cell, owner)| format!("{cell},{owner}"));
            [word.to_string()].into_iter().chain(stones).chain(["DONE".to_string()]).collect()
        }),
        1 => prop::collection::vec(pair(), 0..6).prop_map(|cells| {
            ["SWAP2BOARD".to_string()].into_iter().chain(cells).chain(["DONE".to_string()]).collect()
        }),
        2 => (prop::sample::select(vec!["rule", "timeout_turn", "time_left", "max_node", "max_memory", "x"]), number())
            .prop_map(move |(key, value)| line(format!("INFO {key} {value}"))),
        1 => prop::sample::select(vec!["YXNBEST 3", "YXSHOWFORBID", "YXHASHCLEAR", "YXSTOP", "DONE", "7,7"])
            .prop_map(move |text| line(text.into())),
        1 => "[^\\r\\n\u{feff}\\x00]{0,40}".prop_filter("END leaves", |text| !text.trim().eq_ignore_ascii_case("end"))
            .prop_map(line),
    ]
}

/// The board as the manager sees it.
#[derive(Default)]
struct Seen {
    size: (i64, i64),
    stones: HashSet<(i64, i64)>,
}

fn read_pair(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

impl Seen {
    /// Follows one command and what came of it; says what is wrong with that.
    fn follow(&mut self, command: &[String], said: &[&str]) -> Result<(), String> {
        let said: Vec<&&str> = said.iter().filter(|s| !s.starts_with("MESSAGE") && !s.starts_with("DEBUG")).collect();
        let refused = said.iter().any(|s| s.starts_with("ERROR") || s.starts_with("UNKNOWN"));
        let ok = said.iter().any(|s| s.starts_with("OK"));
        let (word, rest) = command[0].trim().split_once(' ').unwrap_or((command[0].trim(), ""));
        let block = command.get(1..command.len() - 1).unwrap_or_default();
        match word {
            "START" if ok => *self = Seen { size: (rest.parse().unwrap(), rest.parse().unwrap()), ..Seen::default() },
            "RECTSTART" if ok => *self = Seen { size: read_pair(rest).unwrap(), ..Seen::default() },
            "RESTART" if ok => self.stones.clear(),
            "TAKEBACK" if ok => assert!(self.stones.remove(&read_pair(rest).unwrap())),
            "TURN" if !refused => assert!(self.stones.insert(read_pair(rest).unwrap())),
            "BOARD" | "YXBOARD" | "SWAP2BOARD" if !refused => {
                self.stones.clear();
                let cell = |line: &String| line.split(',').take(2).collect::<Vec<_>>().join(",");
                let told = block.iter().filter(|line| !line.trim().is_empty());
                self.stones.extend(told.map(|line| read_pair(&cell(line)).unwrap()));
            }
            _ => {}
        }
        let moves = said.iter().filter(|s| s.starts_with(|c: char| c.is_ascii_digit()));
        for cell in moves.flat_map(|line| line.split(' ')) {
            let (x, y) = read_pair(cell).ok_or_else(|| format!("{cell} is no cell"))?;
            let free = (0..self.size.0).contains(&x) && (0..self.size.1).contains(&y) && self.stones.insert((x, y));
            if !free {
                return Err(format!("{cell} is not free after {command:?}"));
            }
        }
        let wants_move = ["BEGIN", "TURN", "BOARD", "YXNBEST"].contains(&word);
        if wants_move && said.is_empty() { Err(format!("{command:?} got no answer")) } else { Ok(()) }
    }
}

/// Sends commands with a question after each whose answer marks where the next one begins.
fn check_piskvork(commands: &[Vec<String>], player: &str) -> Result<(), String> {
    let mut input = String::from("START 6\nABOUT\n");
    for command in commands {
        input += &(command.join("\r\n") + "\r\nABOUT\r\n");
    }
    let said = talk(GuestProtocol::Piskvork, None, player, input.as_bytes());
    let lines: Vec<&str> = said.lines().collect();
    let mut answers = lines.split(|line| line.starts_with("name=\""));
    assert_eq!(answers.next(), Some(&["OK"][..]));
    let mut seen = Seen { size: (6, 6), ..Seen::default() };
    for command in commands {
        seen.follow(command, answers.next().ok_or("an answer is missing")?)?;
    }
    Ok(())
}

/// One command to a GTP guest.
fn gtp_command() -> impl Strategy<Value = String> {
    let color = || prop::sample::select(vec!["b", "w", "Black", "x"]);
    let vertex = || prop_oneof![20 => ("[a-hj-q]", 1u8..9).prop_map(|(c, r)| format!("{c}{r}")), 2 => "[^\\r\\n#]{0,6}", 1 => "[a-g]"];
    prop_oneof![
        12 => (color(), vertex()).prop_map(|(color, vertex)| format!("play {color} {vertex}")),
        8 => color().prop_map(|color| format!("genmove {color}")),
        2 => Just("undo".into()),
        1 => Just("clear_board".into()),
        1 => (1u8..9).prop_map(|n| format!("boardsize {n}")),
        1 => ("time_(settings|left b|left w)", number(), number(), number())
            .prop_map(|(word, a, b, c)| format!("{word} {a} {b} {c}")),
        1 => prop::sample::select(vec!["final_score", "showboard", "lz-genmove_analyze b 1", "kata-analyze 1", "komi x"])
            .prop_map(Into::into),
        1 => "[^\\r\\n#\u{feff}\\x00]{0,30}".prop_filter("quit leaves", |text| !text.contains("quit")),
    ]
}

/// Follows a GTP session with the referee, who is shown the stones as a set-up.
fn check_gtp(rules: Rules, commands: &[String]) -> Result<(), String> {
    let input: String = commands.iter().map(|command| format!("{command}\n")).collect();
    let said = talk(GuestProtocol::Gtp, Some(rules), "greedy@seed=3", input.as_bytes());
    let mut stones: Vec<Ply> = Vec::new();
    let mut rules = rules;
    let mut answers = said.split("\n\n");
    let asked = commands.iter().filter(|c| lianzi_players::protocol::gtp::Command::read(c).is_some());
    for command in asked {
        // The protocol drops control characters.
        let command: String = command.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        let answer = answers.next().filter(|answer| answer.starts_with(['=', '?'])).ok_or("an answer is missing")?;
        let words: Vec<&str> = command.split_whitespace().collect();
        let color = if words.get(1).is_some_and(|w| w.starts_with(['b', 'B'])) { Stone::Black } else { Stone::White };
        let text = answer.trim_start_matches('=').trim();
        let vertex = match words.as_slice() {
            _ if answer.starts_with('?') => continue,
            ["clear_board"] => {
                stones.clear();
                continue;
            }
            ["boardsize", size] => {
                stones.clear();
                let side = size.parse().unwrap();
                if rules.width != side {
                    rules = Rules { width: side, height: side, ..rules };
                }
                continue;
            }
            ["undo"] => {
                stones.pop();
                continue;
            }
            ["play", _, vertex] if vertex.len() > 1 => vertex,
            // A bare column: the referee cannot be asked where it lands without knowing it, so the test leaves off.
            ["play", ..] => return Ok(()),
            ["genmove", _] => text,
            ["lz-genmove_analyze", ..] => text.rsplit(' ').next().unwrap(),
            _ => continue,
        };
        if ["pass", "resign"].contains(&vertex) {
            continue;
        }
        let cell = Alphabet::Gtp.read(vertex, &rules).map_err(|bad| format!("{command}: {bad}"))?;
        check_stone(&rules, &stones, color, cell).map_err(|why| format!("{command} -> {vertex}: {why}"))?;
        stones.push(Ply { stone: color, cell });
    }
    Ok(())
}

fn check_stone(rules: &Rules, stones: &[Ply], color: Stone, cell: Cell) -> Result<(), String> {
    let setup = Setup { stones: stones.to_vec(), to_move: color, stones_left: 1 };
    let position = Position::with_setup(*rules, &setup).map_err(|bad| bad.to_string())?;
    position.check(cell).map_err(|why| why.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn piskvork_guests_keep_their_wits(
        commands in prop::collection::vec(piskvork_command(), 1..60),
        player in prop::sample::select(vec!["greedy@seed=1", "random@seed=2", "strong@nodes=200"]),
    ) {
        check_piskvork(&commands, player).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn gtp_guests_keep_their_wits(
        commands in prop::collection::vec(gtp_command(), 1..60),
        game in prop::sample::select(vec!["gomoku:7", "renju:8", "connect6:8", "connect4", "standard:6"]),
    ) {
        check_gtp(game.parse().unwrap(), &commands).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn connect6_guests_answer_whole_legal_turns(
        commands in prop::collection::vec(
            "(new (black|white)|move [A-I]{4}|move [A-I]{2}(@@)?|(black|white) [A-H]{4}|next|depth [0-9]|name\\??|print|[a-z ]{0,9})",
            1..40,
        ),
    ) {
        let input: String = commands.iter().map(|command| format!("{command}\nhelp\n")).collect();
        let said = talk(GuestProtocol::Connect6, Some(Rules::connect6(8)), "greedy@seed=1", input.as_bytes());
        let mut stones: HashSet<String> = HashSet::new();
        // The last line of the help marks where the next answer begins.
        for (command, answer) in commands.iter().zip(said.split("quit          the end\n")) {
            let refused = answer.lines().any(|line| line.starts_with("error") && !line.contains("game is over"));
            let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
            if word == "new" {
                stones.clear();
            }
            if !refused && ["move", "black", "white"].contains(&word) {
                stones.extend(rest.as_bytes().chunks(2).filter(|c| *c != b"@@").map(|c| String::from_utf8_lossy(c).into()));
            }
            for cells in answer.lines().filter_map(|line| line.strip_prefix("move ")) {
                prop_assert!(cells.len() == 4 || cells.len() == 2, "{}", cells);
                for cell in cells.as_bytes().chunks(2).filter(|c| *c != b"@@") {
                    prop_assert!(cell.iter().all(|c| (b'A'..=b'H').contains(c)), "{}", cells);
                    prop_assert!(stones.insert(String::from_utf8_lossy(cell).into()), "{} of {}", cells, command);
                }
            }
        }
    }

    #[test]
    fn no_bytes_break_a_guest(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for protocol in [GuestProtocol::Piskvork, GuestProtocol::Connect6, GuestProtocol::Gtp, GuestProtocol::Botzone] {
            talk(protocol, None, "greedy", &bytes);
        }
    }

    #[test]
    fn botzone_guests_answer_legally_or_not_at_all(
        turns in prop::collection::vec((-1i64..16, -1i64..16, -1i64..16, -1i64..16), 1..8), two: bool,
    ) {
        let turn = |&(a, b, c, d): &(i64, i64, i64, i64)| match two {
            true => format!("{{\"x0\":{a},\"y0\":{b},\"x1\":{c},\"y1\":{d}}}"),
            false => format!("{{\"x\":{a},\"y\":{b}}}"),
        };
        let requests: Vec<String> = turns.iter().step_by(2).map(turn).collect();
        let responses: Vec<String> = turns.iter().skip(1).step_by(2).map(turn).collect();
        let input = format!("{{\"requests\":[{}],\"responses\":[{}]}}", requests.join(","), responses.join(","));
        let said = talk(GuestProtocol::Botzone, None, "greedy@seed=1", input.as_bytes());
        if let Some(answer) = said.lines().next() {
            let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
            let number = |key: &str| answer["response"][key].as_i64();
            let played: Vec<_> = turns.iter().flat_map(|t| if two { vec![(t.0, t.1), (t.2, t.3)] } else { vec![(t.0, t.1)] }).collect();
            let keys: &[(&str, &str)] = if two { &[("x0", "y0"), ("x1", "y1")] } else { &[("x", "y")] };
            for (x, y) in keys {
                let cell = (number(x).unwrap(), number(y).unwrap());
                let legal = (0..15).contains(&cell.0) && (0..15).contains(&cell.1) && !played.contains(&cell);
                prop_assert!(legal || cell == (-1, -1), "{} {}", input, answer);
            }
        }
    }
}

/// Two guests play whole games against each other under the referee.
#[test]
fn guests_play_legal_games_to_the_end() {
    for game in ["gomoku:9", "standard:9", "renju:15", "connect6:9", "connect4", "connect4:9x9/d4"] {
        let rules: Rules = game.parse().unwrap();
        let mut position = Position::new(rules);
        let mut input = String::new();
        while position.outcome().is_none() {
            let color = position.to_move();
            let said =
                talk(GuestProtocol::Gtp, Some(rules), "greedy@seed=5", format!("{input}genmove {color}\n").as_bytes());
            let vertex = said.trim().rsplit(' ').next().unwrap().to_string();
            let cell = Alphabet::Gtp.read(&vertex, &rules).unwrap();
            position.play(cell).unwrap_or_else(|why| panic!("{game}: {vertex}: {why}"));
            input += &format!("play {color} {vertex}\n");
        }
    }
}
