//! Strategies in Python.

use std::fs;

use crate::{Den, Ended};

const COURSE: &str = "gomoku:15";

/// Plays on the first free cell, after doing this.
fn course(deed: &str) -> String {
    let deed = deed.replace('\n', "\n    ");
    format!(
        "calls = 0\ndef ai(me, enemy, cells):\n    global calls\n    calls += 1\n    {deed}\n    return next(c for c in cells if c not in me and c not in enemy)\n"
    )
}

fn games(den: &Den, source: &str, time: &str) -> [Ended; 2] {
    let file = den.write("strategy.py", source);
    den.games(COURSE, &format!("py:{file}"), "random", time)
}

/// It loses both games by its own fault, in these words.
fn loses(source: &str, ending: &str, words: &str) {
    let time = if ending == "timeout" { "1s" } else { "20s" };
    for game in games(&Den::new(), source, time) {
        assert!(!game.won && game.ending == ending && game.words.contains(words), "{source}: {game:?}");
    }
}

#[test]
fn the_faults_of_ai_are_told_apart() {
    loses(&course("raise ValueError('no idea')"), "crashed", "ValueError: no idea (line 5)");
    loses(&course("return [7, 7]"), "garbled", "list [7, 7]");
    loses(&course("return None"), "garbled", "None");
    loses(&course("return (7, 7, 7)"), "garbled", "tuple (7, 7, 7)");
    loses(&course("return ('a', 'b')"), "garbled", "tuple ('a', 'b')");
    loses(&course("return (15, 0)"), "illegal", "not on the board");
    loses(&course("return (10 ** 40, 0)"), "illegal", "not on the board");
    loses(&course("if me: return me[0]"), "illegal", "a stone already");
    loses(&course("while True: pass"), "timeout", "");
    loses(&course("import time; time.sleep(1000)"), "timeout", "");
}

#[test]
fn the_ends_of_an_interpreter_are_told_apart() {
    loses(&course("import sys; sys.exit(0)"), "crashed", "SystemExit");
    loses(&course("import os; os._exit(0)"), "crashed", "exit status: 0");
    loses(&course("def f(): f()\nf()"), "crashed", "RecursionError");
    let den = Den::new();
    for (source, words) in [
        ("def ia(a, b, c): return (0, 0)\n", "ai"),
        ("def ai(:\n", "SyntaxError"),
        ("import nowhere\ndef ai(a, b, c): return (0, 0)\n", "ModuleNotFoundError"),
    ] {
        den.refuses(COURSE, &format!("py:{}", den.write("broken.py", source)), words);
    }
    let file = den.write("big.py", &course("x = [bytearray(1 << 20) for _ in range(10000)]"));
    for game in den.games(COURSE, &format!("py:{file}@memory=256"), "random", "20s") {
        assert!(!game.won && game.words.contains("MemoryError"), "{game:?}");
    }
}

#[test]
fn lists_are_copies_and_whole_numbers_are_accepted() {
    let source = course(
        "assert all(type(c) is tuple for c in me + enemy + cells) and len(cells) == 225, 'lists'\n\
         assert len(enemy) - len(me) in (0, 1) and (not calls > 1 or me), 'order'\n\
         print('mine', me)\n\
         answer = next(c for c in cells if c not in me and c not in enemy)\n\
         me.clear(); enemy.append(0); cells.clear()\n\
         return tuple(float(n) for n in answer) if calls % 2 else answer",
    );
    let [game, _] = games(&Den::new(), &source, "20s");
    assert_eq!(game.ending, "line", "{game:?}");
    assert!(game.said.contains("mine [(0, 0), (0, 1)]") || !game.won, "{}", game.said);
    let (den, source) = (Den::new(), course("assert cells[-1] == (15, 15) and len(cells) == 256, len(cells)"));
    let file = den.write("wide.py", &source);
    for game in den.games("gomoku:16", &format!("py:{file}"), "random", "20s") {
        assert_eq!(game.ending, "line", "{game:?}");
    }
}

/// Integers of other kinds, such as numpy's, show what they are by `__index__`; this one equals nothing.
const INDEX: &str = "class Index:\n    def __init__(self, n): self.n = n\n    def __index__(self): return self.n\n    def __eq__(self, other): return False\n";

#[test]
fn integers_of_other_kinds_are_integers() {
    let free = "next(c for c in cells if c not in me and c not in enemy)";
    let source = INDEX.to_string() + &course(&format!("return tuple(Index(n) for n in {free})"));
    for game in games(&Den::new(), &source, "20s") {
        assert_eq!(game.ending, "line", "{game:?}");
    }
    let den = Den::new();
    let column = "[c for c in range(7) if o.board[c] == 0][0]";
    let agent = den.write("agent.py", &format!("{INDEX}def agent(o): return Index({column})\n"));
    for game in den.games("connect4", &format!("kaggle:{agent}"), "random", "20s") {
        assert!(["line", "full"].contains(&game.ending.as_str()), "{game:?}");
    }
    loses(&course("return (7.5, 7)"), "garbled", "tuple (7.5, 7)");
}

#[test]
fn output_and_tracebacks_are_kept_with_the_game() {
    let [game, _] = games(&Den::new(), &course("print('thinking aloud')\nraise KeyError('gone')"), "20s");
    assert!(game.said.contains("thinking aloud\n"), "{game:?}");
    assert!(game.said.contains("Traceback") && game.said.contains("raise KeyError('gone')"), "{game:?}");
    for deed in
        ["print('x' * 10_000_000)", "import sys; sys.stdout.close()", "import os\nfor n in range(3): os.close(n)"]
    {
        let deed = format!("if calls == 1:\n    {}", deed.replace('\n', "\n    "));
        for game in games(&Den::new(), &course(&deed), "20s") {
            assert_eq!(game.ending, "line", "{deed}: {game:?}");
        }
    }
}

#[test]
fn nothing_gets_out_of_python() {
    let den = Den::new();
    let other = den.write("other.py", "secret = 1\n");
    let outside = den.name("outside");
    let attempts = [
        "os.fork()",
        "os.system('true') == 0 or 1 / 0",
        "__import__('subprocess').run(['true'])",
        "os.execv('/bin/sh', ['sh'])",
        "__import__('socket').socket()",
        "os.kill(os.getppid(), 9)",
        "os.killpg(0, 9)",
        "open('/etc/passwd')",
        &format!("open({other:?})"),
        &format!("open({other:?}, 'w')"),
        &format!("os.remove({other:?})"),
        &format!("os.chmod({other:?}, 0)"),
        &format!("open({outside:?}, 'w')"),
        "os.listdir('/proc')",
        "__import__('ctypes').CDLL(None).fork() != -1 or 1 / 0",
    ];
    let mut source = String::from("import os\ndef attempts():\n");
    for (n, attempt) in attempts.iter().enumerate() {
        source += &format!(
            "    try:\n        {attempt}\n        print('ALLOWED', {n})\n    except Exception as error:\n        print('refused', {n}, error)\n"
        );
    }
    source += "    open('own', 'w').write('x')\n    print('all tried')\n";
    source += &course("if calls == 1: attempts()");
    for game in games(&den, &source, "20s") {
        assert_eq!(game.ending, "line", "{game:?}");
        assert!(game.said.contains("all tried") && !game.said.contains("ALLOWED"), "{}", game.said);
        assert_eq!(game.said.matches("refused").count(), attempts.len(), "{}", game.said);
    }
    assert_eq!(fs::read_to_string(other).unwrap(), "secret = 1\n");
    assert!(!den.path("outside").exists());
}

#[test]
fn a_folder_is_readable_when_it_is_named() {
    let den = Den::new();
    fs::create_dir(den.path("mine")).unwrap();
    den.write("mine/ideas.py", "def choose(cells): return cells[0]\n");
    let source = "import ideas\ndef ai(me, enemy, cells):\n    free = [c for c in cells if c not in me + enemy]\n    return ideas.choose(free)\n";
    let file = den.write("strategy.py", source);
    den.refuses(COURSE, &format!("py:{file}"), "ideas");
    let named = den.games(COURSE, &format!("py:{file}@dir={}", den.name("mine")), "random", "20s");
    assert!(named.iter().all(|game| game.ending == "line"), "{named:?}");
}

#[test]
fn kaggle_agents_play() {
    let den = Den::new();
    let two = "def helper(board): return board\ndef agent(observation, configuration):\n    assert observation.board == observation['board'] and configuration.inarow == 4\n    assert observation.step == sum(1 for stone in observation.board if stone)\n    assert observation.mark == observation.step % 2 + 1\n    return [c for c in range(configuration.columns) if observation.board[c] == 0][0]\n";
    let one = "act = lambda obs: [c for c in range(7) if obs.board[c] == 0][-1]\n";
    let (two, one) = (den.write("two.py", two), den.write("one.py", one));
    for game in den.games("connect4", &format!("kaggle:{two}"), &format!("kaggle:{one}"), "20s") {
        assert_eq!(game.ending, "line", "{game:?}");
    }
    let cases = [
        ("def agent(o): return None\n", "garbled", "None"),
        ("def agent(o): return 7\n", "illegal", "not on the board"),
        ("def agent(o): return -1\n", "illegal", "not on the board"),
        ("def agent(o): return 0\n", "illegal", "a stone already"),
        ("def agent(o): return [3]\n", "garbled", "list [3]"),
    ];
    den.refuses("connect4", &format!("kaggle:{}", den.write("none.py", "x = 1\n")), "agent");
    for (source, ending, words) in cases {
        let file = den.write("agent.py", source);
        // The opponent plays the left column as well, so that it fills without a line.
        let games = den.games("connect4", &format!("kaggle:{file}"), &format!("kaggle:{two}"), "20s");
        for game in games {
            assert!(!game.won && game.ending == ending && game.words.contains(words), "{source}: {game:?}");
        }
    }
}
