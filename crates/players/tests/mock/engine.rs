//! An engine for tests: `mock-engine PROTOCOL MODE [MARK] [LOG]` plays cells of a pattern without lines, and misbehaves
//! as its mode says. MARK lets a test find it among processes; LOG takes what it hears and answers, to the letter.

use std::fs::File;
use std::io::{BufRead, Read, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

/// What it does wrong, and when: at its second move unless said otherwise.
struct Mock {
    mode: String,
    log: Option<File>,
    size: usize,
    taken: Vec<(usize, usize)>,
    /// Which half of the pattern is its own.
    half: Option<usize>,
    moves: usize,
    /// Whether it has answered since it was started.
    warm: bool,
    swap2: bool,
    /// Whether a board is told that nobody asks about yet.
    told: bool,
    said: String,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |n: usize| arguments.get(n).cloned().unwrap_or_default();
    if argument(0) == "hold" {
        hold();
    }
    let log = Some(argument(3)).filter(|path| !path.is_empty()).and_then(|path| File::create(path).ok());
    let (mode, taken, said) = (argument(1), Vec::new(), String::new());
    let mut mock =
        Mock { mode, log, size: 0, taken, half: None, moves: 0, warm: false, swap2: false, told: false, said };
    mock.begin(&argument(0), &argument(2));
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        let text = String::from_utf8_lossy(&line).into_owned();
        mock.note("> ", text.trim_end_matches('\n'));
        match argument(0).as_str() {
            "piskvork" => mock.piskvork(text.trim()),
            "gtp" => mock.gtp(text.trim()),
            dialect => mock.connect6(text.trim(), dialect == "ccgc"),
        }
        line.clear();
    }
}

/// Leaves its family and keeps whatever it inherited.
fn hold() -> ! {
    #[cfg(unix)]
    let _ = rustix::process::setsid();
    println!("DEBUG holding");
    loop {
        sleep(Duration::from_secs(1000));
    }
}

/// Uses the CPU for this long.
fn work(time: Duration) {
    let used = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let end = used() + time;
    while used() < end {}
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}

impl Mock {
    fn is(&self, mode: &str) -> bool {
        self.mode == mode
    }

    fn note(&mut self, who: &str, text: &str) {
        if let Some(log) = &mut self.log {
            let _ = writeln!(log, "{who}{}", text.replace('\r', "\\r"));
        }
    }

    fn print(&mut self, text: &str) {
        let out = &mut std::io::stdout();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// Says a line, ended as the mode has it.
    fn say(&mut self, line: &str) {
        self.note("< ", line);
        let ending = match self.mode.as_str() {
            "cr" => "\r",
            "crlf" => "\r\n",
            "no-newline" => "",
            _ => "\n",
        };
        self.print(&format!("{line}{ending}"));
    }

    #[allow(clippy::zombie_processes, reason = "a bad parent is what the test wants")]
    fn begin(&mut self, protocol: &str, mark: &str) {
        if self.is("dies-at-start") {
            eprintln!("cannot find my weights");
            exit(7);
        }
        if self.is("orphan") || self.is("orphan-crash") {
            let me = std::env::current_exe().expect("it runs");
            Command::new(me).args(["hold", protocol, mark]).spawn().expect("it starts again");
        }
        if self.is("wineserver") {
            // What counts is its name.
            let folder = std::env::temp_dir().join(mark);
            let copy = folder.join("wineserver");
            std::fs::create_dir_all(&folder).expect("a folder can be made");
            std::fs::copy(std::env::current_exe().expect("it runs"), &copy).expect("it is copied");
            let mut server = Command::new(copy);
            let server = server.args(["hold", protocol, mark]).stdout(Stdio::piped()).spawn().expect("it starts");
            // It has left the family when it speaks.
            let mut said = [0; 1];
            server.stdout.expect("it is piped").read_exact(&mut said).expect("it speaks");
        }
        if self.is("never-silent") {
            std::thread::spawn(|| {
                loop {
                    println!("MESSAGE and another thing");
                    // More often than anybody waits for silence, but no flood that ends it while it starts.
                    sleep(Duration::from_millis(1));
                }
            });
        }
        if protocol == "cloudict" {
            self.print("On help\n            move XXXX   - tell the engine that the opponent take the move XXXX,\n");
        }
    }

    fn clear(&mut self) {
        self.taken.clear();
        (self.half, self.moves) = (None, 0);
    }

    /// The next free cell of its own half of the pattern; the first one decides which half that is.
    fn choose(&mut self) -> (usize, usize) {
        self.moves += 1;
        let half = *self.half.get_or_insert(self.taken.len() % 2);
        let size = self.size;
        let free = |&(x, y): &(usize, usize)| !self.taken.contains(&(x, y));
        let cells = (0..size * size).map(|n| (n % size, n / size));
        let cell = cells.filter(|(x, y)| (x / 2 + y) % 2 == half).find(free).unwrap_or((0, 0));
        self.taken.push(cell);
        cell
    }

    /// What the mode does at the second move instead of answering.
    fn misbehave(&mut self) {
        match self.mode.as_str() {
            "hangs" => forever(),
            "burns" => work(Duration::from_secs(1000)),
            "crashes" => {
                eprintln!("assertion failed: this is my last word");
                self.print("7,");
                exit(3);
            }
            "aborts" => std::process::abort(),
            "orphan-crash" => exit(3),
            "stdout-flood" => loop {
                self.print(&"MESSAGE more\n".repeat(1000));
            },
            "banana" => {
                self.print("banana\n");
                forever();
            }
            "error" => {
                self.print("ERROR no idea\n");
                forever();
            }
            _ => {}
        }
    }

    /// What the mode says before its answer.
    fn prepare(&mut self) {
        match self.mode.as_str() {
            "slow" => sleep(Duration::from_millis(150)),
            "works" => work(Duration::from_millis(60)),
            "slow-start" if !self.warm => sleep(Duration::from_millis(2500)),
            "odd-chatter" => {
                let _ = std::io::stdout().write_all(b"- thinking -\n--- 7,7\n\xff\xfe7,7\n3\xe9,3\n");
            }
            "own-words" => self.print("MESSAGE Thinking... [8] 34s\nDEBUG best=H8 (val 120)\n"),
            "talks" => self.print("MESSAGE depth 3-5 ev 42 n 2K pv a1 b2\nDEBUG x\nhello\nSUGGEST 1,1\n"),
            "overlong" => self.print(&format!("MESSAGE {}\n", "7,7 ".repeat(100_000))),
            "stderr-flood" => eprintln!("{}", "error ".repeat(300_000)),
            "stdout-burst" => self.print(&"MESSAGE more\n".repeat(100_000)),
            _ => {}
        }
    }

    /// What the mode says instead of, or after, its answer.
    fn answer(&mut self, line: String, wrong: &[(&str, &str)]) {
        let second = self.moves == 2;
        let wrong = wrong.iter().find(|(mode, _)| second && self.is(mode)).map(|(_, line)| (*line).to_string());
        let line = wrong.unwrap_or(line);
        self.warm = true;
        self.say(&line);
        match self.mode.as_str() {
            "twice" => self.say(&line.clone()),
            // The opponent has answered by now, and the repetition looks like an answer to the next question.
            "echoes-late" => {
                sleep(Duration::from_millis(60));
                self.say(&line.clone());
                sleep(Duration::from_millis(20));
            }
            "deaf" => forever(),
            _ => {}
        }
        self.said = line;
    }

    fn piskvork(&mut self, line: &str) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "START" | "RECTSTART" => self.start(rest.split(',').next().unwrap_or(rest)),
            "RESTART" if self.is("no-restart") => self.say("UNKNOWN command"),
            "RESTART" => {
                self.clear();
                self.say("OK");
            }
            "DONE" if std::mem::take(&mut self.swap2) => {
                let known = self.is("wants-owners") && !std::mem::take(&mut self.taken).is_empty();
                self.say(if known { "SWAP" } else { "7,7 8,8 9,9" });
            }
            // As Rapfi: a stone without an owner is none, each is complained of, and the opening goes on without them.
            stone if self.swap2 && self.is("wants-owners") && stone.split(',').count() == 2 => {
                sleep(Duration::from_millis(20));
                self.say("ERROR Color is not a valid value, must be one of [1, 2, 3].");
            }
            "SWAP2BOARD" if self.is("yixin") => self.say("UNKNOWN command"),
            // It opens, keeps White after three stones, and leaves White after five.
            "YXSWAP2STEP1" => ["MOVE1 7 7", "MOVE2 8 8", "MOVE3 9 9"]
                .iter()
                .for_each(|stone| self.say(&format!("MESSAGE SWAP2 {stone}"))),
            "YXSWAP2STEP2" => self.say("MESSAGE SWAP2 SWAP1 NO"),
            "YXSWAP2STEP3" => self.say("MESSAGE SWAP2 SWAP2 YES"),
            "YXBOARD" => self.told = true,
            "DONE" if std::mem::take(&mut self.told) => {}
            "BEGIN" | "TURN" | "BOARD" | "DONE" => self.piskvork_turn(command, rest),
            "SWAP2BOARD" => self.swap2 = true,
            "END" if self.is("ignores-end") => forever(),
            "END" => exit(0),
            _ => self.place(line),
        }
    }

    fn start(&mut self, size: &str) {
        match self.mode.as_str() {
            "silent-start" => forever(),
            "error-start" => self.say("ERROR unsupported size"),
            "unknown-start" => self.say("UNKNOWN command"),
            _ => {
                self.size = size.parse().unwrap_or(15);
                self.say(if self.is("talks") { "ok - everything is fine" } else { "OK" });
            }
        }
    }

    /// `x,y` or `x,y,field`.
    fn place(&mut self, text: &str) {
        let mut numbers = text.split(',').map_while(|number| number.parse().ok());
        if let (Some(x), Some(y)) = (numbers.next(), numbers.next()) {
            self.taken.push((x, y));
        }
    }

    fn piskvork_turn(&mut self, command: &str, rest: &str) {
        if command == "BOARD" {
            self.taken.clear();
            return;
        }
        self.place(rest);
        let opponent = self.taken.last().map(|(x, y)| format!("{x},{y}")).unwrap_or_default();
        let (x, y) = self.choose();
        if self.moves == 2 {
            self.misbehave();
        }
        self.prepare();
        let wrong = [
            ("off-board", "99,99"),
            ("garbled", "7;7"),
            ("occupied", opponent.as_str()),
            ("repeats", &self.said.clone()),
        ];
        self.answer(format!("{x},{y}"), &wrong);
    }

    fn connect6(&mut self, line: &str, ccgc: bool) {
        self.size = 19;
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (command, rest) {
            ("name", "") if !ccgc => self.say("name mock"),
            ("name?", "") if ccgc => self.say("name mock"),
            ("new", colour) => {
                self.clear();
                if colour == "black" {
                    self.taken.push((9, 9));
                    self.say(if ccgc { "move JJ@@" } else { "move JJ" });
                }
            }
            ("black" | "white", _) if !ccgc => self.letters(rest),
            ("move", _) => {
                self.letters(rest);
                self.connect6_turn();
            }
            ("quit", _) => exit(0),
            _ => {}
        }
    }

    fn letters(&mut self, word: &str) {
        for pair in word.as_bytes().chunks(2).filter(|pair| *pair != b"@@") {
            self.taken.push((usize::from(pair[0] - b'A'), usize::from(pair[1] - b'A')));
        }
    }

    fn connect6_turn(&mut self) {
        let name = |(x, y): (usize, usize)| [x, y].map(|n| char::from(b'A' + n as u8)).iter().collect::<String>();
        let word = name(self.choose()) + &name(self.choose());
        self.moves -= 1;
        if self.moves == 2 {
            self.misbehave();
        }
        self.prepare();
        self.print("VCF node : 3\n\nScore :\t12.000\n");
        let wrong =
            [("off-board", "move ZZAA"), ("garbled", "move J10"), ("one-stone", "move AS"), ("occupied", "move SSSS")];
        self.answer(format!("move {word}"), &wrong);
    }

    fn gtp(&mut self, line: &str) {
        let mut words = line.split_whitespace().peekable();
        let number = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit())).unwrap_or("");
        let command = words.next().unwrap_or("");
        let id = if self.is("no-id") { "" } else { number };
        let rest: Vec<&str> = words.collect();
        let text = match command {
            "boardsize" | "rectangular_boardsize" if self.is("silent-start") => forever(),
            "boardsize" | "rectangular_boardsize" => {
                self.size = rest[0].parse().unwrap_or(15);
                Ok(String::new())
            }
            "clear_board" => {
                self.clear();
                Ok(String::new())
            }
            "play" if self.is("refuses") => Err("illegal move".into()),
            "play" => {
                self.taken.push(read_vertex(rest[1]));
                Ok(String::new())
            }
            "genmove" => Ok(self.genmove()),
            "time_settings" | "time_left" if self.is("timeless") => Err("unknown command".into()),
            "time_settings" | "time_left" => Ok(String::new()),
            "quit" => Ok(String::new()),
            _ => Err("unknown command".into()),
        };
        let (sign, text) = text.map_or_else(|why: String| ('?', why), |text| ('=', text));
        if self.is("late") {
            // An answer to an earlier command, which its number gives away.
            self.print("=1 A1\n\n");
        }
        self.say(format!("{sign}{id} {text}").trim_end());
        self.print("\n");
        if command == "quit" && !self.is("ignores-end") {
            exit(0);
        }
    }

    fn genmove(&mut self) -> String {
        let (x, y) = self.choose();
        if self.moves == 2 {
            self.misbehave();
            if self.is("resigns") {
                return "resign".into();
            }
        }
        self.prepare();
        match self.mode.as_str() {
            "off-board" => "Z25".into(),
            "garbled" => "somewhere".into(),
            "occupied" => self.taken.first().map(|&cell| vertex(cell)).unwrap_or_default(),
            _ => vertex((x, y)),
        }
    }
}

const LETTERS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

fn vertex((x, y): (usize, usize)) -> String {
    format!("{}{}", &LETTERS[x..=x], y + 1)
}

fn read_vertex(text: &str) -> (usize, usize) {
    (LETTERS.find(&text[..1]).unwrap_or(0), text[1..].parse::<usize>().map_or(0, |row| row - 1))
}
