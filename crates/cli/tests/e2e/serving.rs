//! `serve`: its address, and a port that is taken.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Stdio};

use super::{Folder, lianzi, run, stderr, stdout};

/// A server that ends with the test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server on any free port; gives its address and what it prints after that.
fn serve(data: &str) -> (Serving, String, BufReader<ChildStdout>) {
    let mut child = lianzi()
        .args(["serve", "--addr", "127.0.0.1:0", "--data", data])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    let serving = Serving(child);
    let mut line = String::new();
    printed.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("the board is at http://").expect(&line).to_string();
    (serving, address, printed)
}

#[test]
fn the_address_is_printed_when_the_board_is_ready() {
    let folder = Folder::new("serve");
    let (serving, address, mut printed) = serve(&folder.name("data"));
    let mut page = std::net::TcpStream::connect(&address).unwrap();
    std::io::Write::write_all(&mut page, format!("GET / HTTP/1.0\r\nHost: {address}\r\n\r\n").as_bytes())
        .unwrap();
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
    let words = format!(
        "lianzi: {address}: another program listens there; end it, or choose another port with --addr"
    );
    assert!(said.contains(&words), "{said}");
    assert!(!folder.path("other").exists(), "a server that cannot run leaves nothing behind");
    let chinese = stderr(&run(&[&second[..], &["--lang", "zh"]].concat()));
    assert!(chinese.contains("用 --addr 换一个端口"), "{chinese}");
}
