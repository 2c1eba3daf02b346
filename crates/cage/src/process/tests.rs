//! Real children that misbehave.

use super::*;

fn shell(script: &str) -> Process {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Process::spawn(command).expect("a shell starts")
}

/// Long enough for a busy machine; what must not happen at all takes longer still.
const SOON: Duration = Duration::from_secs(10);

fn soon() -> Wait<'static> {
    Wait::for_time(SOON)
}

#[test]
fn lines_come_and_go() {
    let mut child = shell("printf 'a\\r\\nb\\rc\\n'; read x; echo got $x; exit 3");
    for line in ["a", "b", "c"] {
        assert_eq!(child.line(soon()).as_deref(), Ok(line));
    }
    child.write(b"it\n", soon()).unwrap();
    assert_eq!(child.line(soon()).as_deref(), Ok("got it"));
    assert_eq!(child.line(soon()), Err(Silence::Gone));
    assert!(child.end_words().contains('3'), "{}", child.end_words());
}

/// Also by ourselves: a process that is started while a file is written has it open until it becomes another program.
#[test]
#[cfg(target_os = "linux")]
fn a_program_that_is_still_open_to_be_written_starts_a_moment_later() {
    let place = std::env::temp_dir().join(format!("lianzi-busy-{}", std::process::id()));
    std::fs::copy("/bin/echo", &place).unwrap();
    let open = std::fs::OpenOptions::new().append(true).open(&place).unwrap();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        drop(open);
    });
    let mut command = Command::new(&place);
    command.arg("here");
    let started = Process::spawn(command);
    writer.join().unwrap();
    std::fs::remove_file(&place).unwrap();
    assert_eq!(started.expect("it starts").line(soon()).as_deref(), Ok("here"));
}

#[test]
fn nothing_is_waited_for_without_an_end() {
    let mut deaf = shell("sleep 60");
    let start = Instant::now();
    assert_eq!(deaf.line(Wait::for_time(Duration::from_millis(30))), Err(Silence::Late));
    let flood = vec![b'x'; 4 * MAX_UNREAD];
    assert_eq!(deaf.write(&flood, Wait::for_time(Duration::from_millis(30))), Err(Silence::Late));
    let stopped = AtomicBool::new(true);
    let wait = Wait { until: None, interrupt: Some(&stopped) };
    assert_eq!(deaf.line(wait), Err(Silence::Interrupted));
    deaf.end(b"END\r\n", Duration::from_millis(30));
    assert!(start.elapsed() < SOON);
}

#[test]
fn a_child_that_talks_before_it_listens_does_not_lock_us() {
    let mut child = shell("head -c 500000 /dev/zero | tr '\\0' x; echo; cat >/dev/null; echo done");
    child.write(&vec![b'y'; 500_000], soon()).unwrap();
    assert_eq!(child.line(soon()).map(|line| line.len()), Ok(lines::MAX_LINE));
}

#[test]
fn a_flood_of_errors_blocks_nobody_and_leaves_its_end() {
    let mut child = shell("head -c 1000000 /dev/zero | tr '\\0' e >&2; echo >&2; echo last >&2; echo ok; exit 1");
    assert_eq!(child.line(soon()).as_deref(), Ok("ok"));
    assert_eq!(child.line(soon()), Err(Silence::Gone));
    child.stderr.last_line(SOON);
    assert!(child.end_words().ends_with(": last"), "{}", child.end_words());
    assert!(child.take_stderr().len() <= 16 * 1024);
}

#[test]
fn the_heirs_of_a_launcher_may_speak() {
    let mut launcher = shell("(sleep 0.2; echo one; sleep 0.8; echo two; sleep 60) & exit 0");
    assert_eq!(launcher.line(soon()).as_deref(), Ok("one"));
    assert_eq!(launcher.line(soon()).as_deref(), Ok("two"));
}

#[test]
fn a_death_is_noticed_though_somebody_holds_the_pipe() {
    let mut child = shell("sleep 60 & exit 3");
    let start = Instant::now();
    assert_eq!(child.line(Wait::default()), Err(Silence::Gone));
    assert!(child.end_words().contains('3'));
    assert!(start.elapsed() < SOON);
}

#[cfg(target_os = "linux")]
#[test]
fn no_descendant_is_left() {
    let mut child = shell("sleep 60 & setsid sleep 60 & setsid sh -c 'sleep 60 & sleep 60' & echo on; wait");
    assert_eq!(child.line(soon()).as_deref(), Ok("on"));
    let token = child.token.clone();
    assert!(unix::marked(&token).count() > 1);
    drop(child);
    let start = Instant::now();
    while unix::marked(&token).next().is_some() {
        assert!(start.elapsed() < SOON, "somebody is left");
        thread::yield_now();
    }
}

/// The pipes of other systems, as far as this one can show them.
#[test]
fn pipes_by_threads() {
    let mut command = Command::new("sh");
    command.args(["-c", "read x; echo got $x; exec sleep 60"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut pipes, _) = plain::Pipes::new(&mut child).unwrap();
    let mut lines = Lines::default();
    assert_eq!(pipes.wait(Duration::from_millis(1), Some(&mut lines), false).unwrap(), Came::Nothing);
    assert_eq!(pipes.write(b"it\n").unwrap(), 3);
    assert_eq!(pipes.wait(SOON, Some(&mut lines), false).unwrap(), Came::Bytes);
    assert_eq!(lines.line().as_deref(), Some("got it"));
    pipes.close_input();
    child.kill().unwrap();
    assert_eq!(pipes.wait(SOON, Some(&mut lines), false).unwrap(), Came::End);
    child.wait().unwrap();
}
