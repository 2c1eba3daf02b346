//! `serve`: its address, a port that is taken, and what strangers cannot do to it; `backup`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use super::{Folder, lianzi, ok, read, refused, run, stderr, stdout};

/// A server that ends with the test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Serving {
    /// Ends it as whoever runs it would; its library is whole then.
    fn stop(mut self) {
        kill_process(Pid::from_child(&self.0), Signal::INT).unwrap();
        assert!(self.0.wait().unwrap().success());
    }

    /// The most memory it has had, in MiB.
    fn peak(&self) -> usize {
        let status = read(Path::new(&format!("/proc/{}/status", self.0.id())));
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse::<usize>().unwrap() >> 10
    }
}

/// Starts a server on any free port; gives its address and what it prints after that.
fn serve(data: &str) -> (Serving, String, BufReader<ChildStdout>) {
    serve_with(&["--addr", "127.0.0.1:0", "--data", data], Stdio::null())
}

/// The same with these arguments, and a place for its log.
fn serve_with(arguments: &[&str], log: impl Into<Stdio>) -> (Serving, String, BufReader<ChildStdout>) {
    let mut child = lianzi().arg("serve").args(arguments).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    let serving = Serving(child);
    let mut line = String::new();
    printed.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("the board is at http://").expect(&line).to_string();
    (serving, address, printed)
}

/// Asks as this host; the answer with its head.
fn ask(address: &str, host: &str, method: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Sets up a game of two people; its name.
fn set_up(address: &str) -> String {
    let new = r#"{"game":"gomoku","sides":[{"player":"human"},{"player":"human"}]}"#;
    let made = ask(address, address, "POST", "/api/games", new);
    made.split("\"id\":\"").nth(1).expect(&made)[..16].into()
}

#[test]
fn the_address_is_printed_when_the_board_is_ready() {
    let folder = Folder::new("serve");
    let (serving, address, mut printed) = serve(&folder.name("data"));
    let mut page = std::net::TcpStream::connect(&address).unwrap();
    std::io::Write::write_all(&mut page, format!("GET / HTTP/1.0\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200"), "{answer}");
    drop(serving);
    let mut more = String::new();
    printed.read_to_string(&mut more).unwrap();
    assert_eq!(more, "", "one line is all that is printed");
}

#[test]
fn a_taken_port_is_told_with_what_to_do() {
    let folder = Folder::new("serve-twice");
    let (_first, address, _printed) = serve(&folder.name("data"));
    let second = ["serve", "--addr", &address, "--data", &folder.name("other")];
    let output = run(&second);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    let said = stderr(&output);
    let words = format!("lianzi: {address}: another program listens there; end it, or choose another port with --addr");
    assert!(said.contains(&words), "{said}");
    assert!(!folder.path("other").exists(), "a server that cannot run leaves nothing behind");
    let chinese = stderr(&run(&[&second[..], &["--lang", "zh"]].concat()));
    assert!(chinese.contains("用 --addr 换一个端口"), "{chinese}");
}

#[test]
fn many_who_ask_for_an_analysis_share_a_few_tables() {
    let folder = Folder::new("serve-tables");
    let (serving, address, _printed) = serve(&folder.name("data"));
    let path = format!("ws://{address}/ws/games/{}", set_up(&address));
    let mut sockets: Vec<_> = (0..150).map(|_| tungstenite::connect(&path).unwrap().0).collect();
    for socket in &mut sockets {
        let tungstenite::stream::MaybeTlsStream::Plain(stream) = socket.get_ref() else { unreachable!() };
        stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        let question = r#"{"type":"analyse","moves":["h8","i9","g9","j8"],"lines":5}"#;
        socket.send(Message::text(question)).unwrap();
    }
    // Who is heard first nobody knows; 32 may ask, the others are told that it is too much.
    let is_refused = |socket: &mut WebSocket<_>| {
        let told = std::iter::repeat_with(|| socket.read()).map_while(Result::ok).take(20);
        told.filter_map(|message| message.into_text().ok()).any(|text| text.contains("too many questions"))
    };
    let refused = sockets.iter_mut().map(is_refused).filter(|&refused| refused).count();
    assert!((100..=150 - 32).contains(&refused), "{refused}");
    // Five tables of 64 MiB for each core, and the program.
    let most = 5 * 64 * std::thread::available_parallelism().unwrap().get() + 300;
    assert!(serving.peak() < most, "{} MiB of {most}", serving.peak());
}

#[test]
fn a_file_of_very_many_games_takes_little_more_than_its_size() {
    let folder = Folder::new("serve-upload");
    let (serving, address, _printed) = serve(&folder.name("data"));
    let file = "(;GM[4]SZ[15];B[hh];W[ii])".repeat(200_000);
    for _ in 0..3 {
        let answer = ask(&address, &address, "POST", "/api/read?from=sgf", &file);
        assert!(answer.contains(r#""total":200000"#), "{}", &answer[..answer.len().min(300)]);
    }
    // All of its games together would take 300 MiB.
    assert!(serving.peak() < 150, "{} MiB", serving.peak());
}

#[test]
fn refusals_do_not_fill_the_log() {
    const MANY: usize = 3000;
    let folder = Folder::new("serve-log");
    let log = File::create(folder.path("log")).unwrap();
    let (serving, address, _printed) = serve_with(&["--addr", "127.0.0.1:0", "--data", &folder.name("data")], log);
    let mut stream = TcpStream::connect(&address).unwrap();
    let (mut send, request) = (stream.try_clone().unwrap(), format!("GET /nothing HTTP/1.1\r\nHost: {address}\r\n"));
    let sender = std::thread::spawn(move || {
        send.write_all(format!("{request}\r\n").repeat(MANY - 1).as_bytes()).unwrap();
        send.write_all(format!("{request}Connection: close\r\n\r\n").as_bytes()).unwrap();
    });
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    sender.join().unwrap();
    assert_eq!(answers.matches("HTTP/1.1 404").count(), MANY);
    serving.stop();
    let log = read(&folder.path("log"));
    assert!(log.lines().count() < 300, "{} lines", log.lines().count());
    assert!(log.contains("refused: there is nothing at this address"));
}

#[test]
fn a_public_server_answers_to_its_names_and_says_what_is_open() {
    let folder = Folder::new("serve-public");
    let log = File::create(folder.path("log")).unwrap();
    let arguments = ["--addr", "0.0.0.0:0", "--host", "board.example", "--data", &folder.name("data")];
    let (_serving, address, _printed) = serve_with(&arguments, log);
    let address = address.replace("0.0.0.0", "127.0.0.1");
    for (host, welcome) in
        [("board.example", true), ("Board.Example:80", true), (address.as_str(), true), ("evil.example", false)]
    {
        let answer = ask(&address, host, "GET", "/api/info", "");
        assert_eq!(answer.starts_with("HTTP/1.1 200"), welcome, "{host}: {answer}");
        assert!(welcome || answer.contains("--host NAME"), "{answer}");
    }
    let said = read(&folder.path("log"));
    for words in ["may play, watch every game", "board.example", "nothing is encrypted", "keeper.token"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn a_damaged_library_is_told_and_a_backup_takes_its_place() {
    let folder = Folder::new("serve-backup");
    let (data, copy) = (folder.name("data"), folder.name("copies/monday"));
    let (serving, address, _printed) = serve(&data);
    let games: Vec<String> = (0..20).map(|_| set_up(&address)).collect();
    let contest = r#"{"game":"connect4","players":["random","greedy"],"games":2}"#;
    assert!(ask(&address, &address, "POST", "/api/contests", contest).starts_with("HTTP/1.1 201"));
    // Made while the server runs.
    assert!(ok(&["backup", "--data", &data, &copy]).contains("1 contests"));
    refused(&["backup", "--data", &data, &copy], 2, "this name is taken already");
    refused(&["backup", "--data", &folder.name("nothing"), &folder.name("other")], 2, "there is no such file");
    assert!(!folder.path("other").exists() && !folder.path("copies/monday.part").exists());
    serving.stop();
    let file = folder.path("data/games.sqlite");
    let mut bytes = fs::read(&file).unwrap();
    let inside = bytes.len() / 2;
    bytes[inside..].fill(0x5a);
    fs::write(&file, &bytes).unwrap();
    let start = ["serve", "--addr", "127.0.0.1:0", "--data", &data];
    refused(&start, 2, "the library of games is damaged");
    refused(&start, 2, "lianzi backup --help");
    assert!(stderr(&run(&[&start[..], &["--lang", "zh"]].concat())).contains("已损坏"));
    assert_eq!(fs::read(&file).unwrap(), bytes, "it is left as it is");
    fs::rename(folder.path("data"), folder.path("damaged")).unwrap();
    fs::rename(folder.path("copies/monday"), folder.path("data")).unwrap();
    let (_serving, address, _printed) = serve(&data);
    for game in games {
        assert!(ask(&address, &address, "GET", &format!("/api/games/{game}"), "").starts_with("HTTP/1.1 200"));
    }
    assert!(ask(&address, &address, "GET", "/api/contests", "").contains("connect4: random – greedy"));
}

#[test]
fn a_book_in_the_folder_is_used_or_told_to_be_none() {
    let folder = Folder::new("serve-book");
    let (data, book) = (folder.name("data"), folder.name("data/connect4.book"));
    fs::create_dir(folder.path("data")).unwrap();
    ok(&["dev", "book", "--stones", "4", "--hash", "16", "--out", &book]);
    let said = || {
        let log = File::create(folder.path("log")).unwrap();
        let (serving, _, _printed) = serve_with(&["--addr", "127.0.0.1:0", "--data", &data], log);
        drop(serving);
        read(&folder.path("log"))
    };
    assert!(!said().contains("not a book"), "{}", said());
    let mut bytes = fs::read(&book).unwrap();
    bytes[200] ^= 1;
    fs::write(&book, bytes).unwrap();
    let words = format!("{book}: this is not a book of Connect Four, or it is damaged; the built-in book is used");
    assert!(said().contains(&words), "{}", said());
}
