//! Real programs that misbehave in every way, driven over real pipes: the verdict, the blame, how soon it comes, and
//! that nobody is left. Golden files hold what we say, to the letter.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

mod mock;

use std::path::Path;
use std::time::{Duration, Instant};

use lianzi_core::{Act, Adjudication, Ending, IllegalMove, Limit, StartFault, Stone, Verdict};
use lianzi_engine::Stop;
use lianzi_game::clock::Control;
use lianzi_game::judge::Cutoff;
use lianzi_game::play::{GameSetup, play_game};
use lianzi_game::player::Player;
use lianzi_players::PlayerSpec;
use mock::{Harmless, Mock, acts, game_of, play, setup};

/// Long enough on a busy machine; what must not happen at all takes longer still.
const AMPLE: Duration = Duration::from_secs(20);
/// For those who will use it up.
const SHORT: Duration = Duration::from_millis(300);

/// A mock that plays on in spite of its mode, at both sides and in two games.
fn plays_on(protocol: &'static str, modes: &[&'static str]) {
    for &mode in modes {
        let mock = Mock::new(protocol, mode);
        let mut player = mock.player();
        for stone in Stone::BOTH {
            let record = play(&setup(game_of(protocol), "", AMPLE), stone, player.as_mut());
            let ending = Ending::Adjudicated { why: Adjudication::MaxPlies };
            assert_eq!(record.verdict.ending, ending, "{protocol} {mode}: {}", record.to_json());
        }
        drop(player);
        mock.assert_gone();
    }
}

/// What a mock loses by, at both sides, with the same player twice: it must come to life again.
fn loses(protocol: &'static str, mode: &'static str, time: Duration, ending: impl Fn(&Ending) -> bool) {
    let mock = Mock::new(protocol, mode);
    let mut player = mock.player();
    for stone in Stone::BOTH {
        let start = Instant::now();
        let record = play(&setup(game_of(protocol), "", time), stone, player.as_mut());
        assert!(ending(&record.verdict.ending), "{protocol} {mode}: {}", record.to_json());
        assert_eq!(record.verdict.blame, Some(stone), "{protocol} {mode}");
        assert!(start.elapsed() < AMPLE, "{protocol} {mode}: {:?}", start.elapsed());
        let said = &record.side(stone).said;
        let unstarted = matches!(record.verdict.ending, Ending::NotStarted { .. });
        assert!(unstarted || said.contains("< "), "{protocol} {mode}: what was said is kept: {said}");
        assert_eq!(record.side(stone.other()).said, "");
    }
    drop(player);
    mock.assert_gone();
}

fn late(ending: &Ending) -> bool {
    *ending == Ending::Timeout { limit: Limit::Move }
}

fn crashed(words: &'static str) -> impl Fn(&Ending) -> bool {
    move |ending| matches!(ending, Ending::Crashed { how } if how.contains(words))
}

fn illegal(why: IllegalMove) -> impl Fn(&Ending) -> bool {
    move |ending| matches!(ending, Ending::Illegal { why: found, .. } if *found == why)
}

fn garbled(words: &'static str) -> impl Fn(&Ending) -> bool {
    move |ending| matches!(ending, Ending::Garbled { said } if said.contains(words))
}

fn not_started(wanted: StartFault, words: &'static str) -> impl Fn(&Ending) -> bool {
    move |ending| matches!(ending, Ending::NotStarted { fault, how } if *fault == wanted && how.contains(words))
}

#[test]
fn brains_with_bad_manners_play_on() {
    plays_on("piskvork", &["good", "talks", "cr", "crlf", "no-newline", "overlong", "twice"]);
    plays_on("piskvork", &["stderr-flood", "stdout-burst", "orphan", "no-restart", "never-silent"]);
}

#[test]
fn a_late_repetition_is_no_answer() {
    plays_on("piskvork", &["echoes-late", "slow"]);
}

#[test]
fn dashes_and_bytes_that_are_no_text_are_chatter() {
    plays_on("piskvork", &["odd-chatter"]);
}

#[test]
fn brains_that_break_the_rules_lose_at_once() {
    loses("piskvork", "off-board", AMPLE, illegal(IllegalMove::OffBoard));
    loses("piskvork", "occupied", AMPLE, illegal(IllegalMove::Occupied));
    loses("piskvork", "repeats", AMPLE, illegal(IllegalMove::Occupied));
    loses("piskvork", "garbled", AMPLE, garbled("7;7"));
    loses("piskvork", "error", AMPLE, garbled("ERROR no idea"));
}

#[test]
fn brains_that_die_have_crashed() {
    loses("piskvork", "crashes", AMPLE, crashed("my last word"));
    loses("piskvork", "aborts", AMPLE, crashed("SIGABRT"));
    loses("piskvork", "orphan-crash", AMPLE, crashed("3"));
}

#[test]
fn brains_that_do_not_come_back_are_late() {
    for mode in ["hangs", "stdout-flood", "banana", "deaf"] {
        loses("piskvork", mode, SHORT, late);
    }
}

#[test]
fn brains_that_do_not_start() {
    loses("piskvork", "dies-at-start", AMPLE, not_started(StartFault::Unloadable, "cannot find my weights"));
    loses("piskvork", "error-start", AMPLE, not_started(StartFault::Unloadable, "ERROR unsupported size"));
    loses("piskvork", "unknown-start", AMPLE, not_started(StartFault::MissingFunction, "UNKNOWN"));
    for (protocol, game) in [("piskvork", "gomoku"), ("gtp", "gomoku")] {
        let mock = Mock::new(protocol, "silent-start");
        let mut player = mock.spec(",start=200ms").player().unwrap();
        let record = play(&setup(game, "", AMPLE), Stone::White, player.as_mut());
        assert!(not_started(StartFault::Unloadable, "200ms")(&record.verdict.ending), "{}", record.to_json());
        mock.assert_gone();
    }
    let mut nobody = "piskvork:./no/such/engine".parse::<PlayerSpec>().unwrap().player().unwrap();
    let record = play(&setup("gomoku", "", AMPLE), Stone::Black, nobody.as_mut());
    assert!(not_started(StartFault::Unloadable, "./no/such/engine")(&record.verdict.ending));
}

#[test]
fn a_hung_brain_is_judged_soon_after_its_limit() {
    let mock = Mock::new("piskvork", "hangs");
    let mut player = mock.player();
    let record = play(&setup("gomoku", "", SHORT), Stone::Black, player.as_mut());
    assert!(late(&record.verdict.ending));
    mock.assert_gone();
    assert_eq!(mock.processes(), 0, "it is dead before the player is dropped");
}

#[test]
fn whoever_ignores_the_farewell_is_killed() {
    for protocol in ["piskvork", "gtp"] {
        let mock = Mock::new(protocol, "ignores-end");
        let mut player = mock.player();
        play(&setup("gomoku", "", AMPLE), Stone::Black, player.as_mut());
        assert_eq!(mock.processes(), 1);
        let start = Instant::now();
        drop(player);
        assert!(start.elapsed() < AMPLE);
        mock.assert_gone();
    }
}

#[test]
fn one_process_serves_many_games_unless_it_cannot_be_cleared() {
    for (mode, restarts) in [("good", 2), ("no-restart", 0)] {
        let mock = Mock::new("piskvork", mode);
        let mut player = mock.player();
        for _ in 0..3 {
            play(&setup("gomoku", "", AMPLE), Stone::Black, player.as_mut());
            assert_eq!(mock.processes(), 1);
        }
        // A process that was started anew begins a new log.
        let log = std::fs::read_to_string(&mock.log).unwrap();
        assert_eq!(log.matches("> RESTART").count(), restarts, "{mode}: {log}");
    }
}

#[test]
fn interrupts_are_noticed_soon() {
    let mock = Mock::new("piskvork", "hangs");
    let mut player = mock.player();
    let (stop, start) = (Stop::default(), Instant::now());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !std::fs::read_to_string(&mock.log).is_ok_and(|log| log.matches("> TURN").count() > 0) {
                std::thread::yield_now();
            }
            stop.set();
        });
        let mut players: [&mut dyn Player; 2] = [player.as_mut(), &mut Harmless];
        let record = play_game(&setup("gomoku", "", AMPLE * 100), &mut players, &stop, &mut |_| {});
        assert_eq!(record.verdict, Verdict::UNFINISHED);
    });
    assert!(start.elapsed() < AMPLE);
}

#[test]
fn thoughts_are_kept_with_the_moves() {
    let mock = Mock::new("piskvork", "talks");
    let record = play(&setup("gomoku", "", AMPLE), Stone::Black, mock.player().as_mut());
    let eval = record.moves[0].eval.unwrap();
    assert_eq!((eval.score, eval.depth, eval.nodes), (42, Some(3), Some(2000)));
    assert_eq!(record.moves[1].eval, None);
    let mock = Mock::new("cloudict", "good");
    let record = play(&setup("connect6", "", AMPLE), Stone::White, mock.player().as_mut());
    assert_eq!(record.moves[2].eval.map(|eval| eval.score), Some(12));
}

#[test]
fn thoughts_that_nobody_understands_are_kept_in_their_own_words() {
    let mock = Mock::new("piskvork", "own-words");
    let record = play(&setup("gomoku", "", AMPLE), Stone::Black, mock.player().as_mut());
    assert_eq!(record.moves[0].comment, "Thinking... [8] 34s\nbest=H8 (val 120)");
    assert_eq!((record.moves[1].comment.as_str(), record.moves[0].eval), ("", None));
    for mode in ["overlong", "stdout-burst"] {
        let mock = Mock::new("piskvork", mode);
        let record = play(&setup("gomoku", "", AMPLE), Stone::Black, mock.player().as_mut());
        let length = record.moves[0].comment.len();
        assert!((1..=1000).contains(&length), "{mode}: {length}");
    }
}

#[test]
fn a_first_move_may_take_what_the_start_takes() {
    let time = Duration::from_millis(1500);
    let play = |options: &str| {
        let mock = Mock::new("piskvork", "slow-start");
        let mut player = mock.spec(options).player().unwrap();
        let clock = Some((time, Duration::ZERO));
        let setup = setup("gomoku", "", time);
        let setup = GameSetup { control: Control { per_game: clock, ..setup.control }, ..setup };
        let endings = Stone::BOTH.map(|stone| play(&setup, stone, player.as_mut()).verdict.ending);
        let log = std::fs::read_to_string(&mock.log).unwrap();
        (endings, log)
    };
    let (endings, log) = play("");
    let played = Ending::Adjudicated { why: Adjudication::MaxPlies };
    assert_eq!(endings, [played.clone(), played], "{log}");
    assert_eq!(log.matches("> RESTART").count(), 1, "the process is kept for the second game: {log}");
    let left = log.lines().filter_map(|line| line.strip_prefix("> INFO time_left ")).nth(1).unwrap();
    let left: u64 = left.trim_end_matches("\\r").parse().unwrap();
    assert!(left > 700, "the start was not taken off the clock: {left}");
    let (endings, _) = play(",start=300ms");
    assert!(endings.iter().all(|ending| matches!(ending, Ending::Timeout { .. })), "{endings:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn cpu_time_is_measured_and_limited() {
    let mock = Mock::new("piskvork", "works");
    let record = play(&setup("gomoku", "", AMPLE), Stone::Black, mock.player().as_mut());
    let used: Vec<u64> = record.moves.iter().step_by(2).map(|played| played.cpu_us.unwrap()).collect();
    // The system counts in hundredths of a second.
    assert!(used.iter().all(|us| (40_000..500_000).contains(us)), "{used:?}");
    for protocol in ["piskvork", "gtp", "cloudict"] {
        let mock = Mock::new(protocol, "burns");
        let dialect = if protocol == "cloudict" { ",dialect=cloudict" } else { "" };
        let mut player = mock.spec(&format!("{dialect},cpu=100ms")).player().unwrap();
        let record = play(&setup(game_of(protocol), "", AMPLE * 10), Stone::White, player.as_mut());
        assert_eq!(record.verdict.ending, Ending::Timeout { limit: Limit::Cpu }, "{protocol}");
        let words = record.verdict.words(&record.rules, lianzi_core::Language::English);
        assert!(words.contains("CPU"), "{words}");
        drop(player);
        mock.assert_gone();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn our_engines_answer_when_their_cpu_time_is_used_up() {
    for spec in ["strong@cpu=100ms", "strong@cpu=100ms,threads=2"] {
        let mut player = spec.parse::<PlayerSpec>().unwrap().player().unwrap();
        let opening = "h8 i9 h9 h10 j8 g9";
        let record = play(&setup("gomoku", opening, AMPLE * 10), Stone::Black, player.as_mut());
        assert!(!matches!(record.verdict.ending, Ending::Timeout { .. }), "{}", record.to_json());
        let used: Vec<u64> = record.moves.iter().filter_map(|played| played.cpu_us).collect();
        assert!(!used.is_empty() && used.iter().all(|us| *us < 150_000), "{spec}: {used:?}");
        assert!(used.iter().any(|us| *us > 50_000), "{spec}: {used:?}");
    }
    assert!("strong@cpu=never".parse::<PlayerSpec>().is_err());
}

/// Other Windows programs of the same user need it.
#[cfg(target_os = "linux")]
#[test]
fn the_server_of_wine_outlives_the_engine_that_started_it() {
    let mock = Mock::new("piskvork", "wineserver");
    let mut player = mock.player();
    play(&setup("gomoku", "", AMPLE), Stone::Black, player.as_mut());
    assert_eq!(mock.processes(), 2, "the engine and the server");
    drop(player);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(mock.processes(), 1, "the server alone");
    let folder = std::env::temp_dir().join(&mock.mark);
    let server = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .find(|entry| std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe.starts_with(&folder)));
    let id = server.unwrap().file_name().into_string().unwrap();
    assert!(std::process::Command::new("kill").arg(id).status().unwrap().success());
    mock.assert_gone();
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn error_output_is_kept_with_the_game() {
    let mock = Mock::new("piskvork", "stderr-flood");
    let record = play(&setup("gomoku", "", AMPLE), Stone::White, mock.player().as_mut());
    let said = &record.side(Stone::White).said;
    assert!(said.starts_with("! ") && said.len() < 20_000, "{}", said.len());
    assert!(!said.contains('>'), "the talk is kept after a fault only");
}

#[test]
fn the_clock_of_the_game_is_told_truly() {
    let mock = Mock::new("piskvork", "slow");
    let total = Duration::from_secs(60);
    let control = Control { per_game: Some((total, Duration::ZERO)), ..Control::default() };
    let record = play(&GameSetup { control, ..setup("gomoku", "", AMPLE) }, Stone::Black, mock.player().as_mut());
    let log = std::fs::read_to_string(&mock.log).unwrap();
    let told: Vec<u64> = log
        .lines()
        .filter_map(|line| line.strip_prefix("> INFO time_left ")?.trim_end_matches("\\r").parse().ok())
        .collect();
    assert_eq!(told.len(), 7, "{log}");
    let mut left = total.as_millis() as u64;
    for (n, (told, played)) in told.iter().zip(record.moves.iter().step_by(2)).enumerate() {
        assert!(told.abs_diff(left) <= 100, "told {told}, left {left}");
        // What a program needs to start is not taken off.
        left -= played.time_ms.filter(|_| n > 0).unwrap_or_default();
    }
    assert!(log.contains("> INFO timeout_match 60000\\r"));
}

#[test]
fn connect6_engines_of_both_dialects() {
    for protocol in ["cloudict", "ccgc"] {
        plays_on(protocol, &["good", "cr", "overlong", "twice", "stdout-burst"]);
        loses(protocol, "crashes", AMPLE, crashed("my last word"));
        loses(protocol, "garbled", AMPLE, garbled("move J10"));
        loses(protocol, "off-board", AMPLE, illegal(IllegalMove::OffBoard));
        loses(protocol, "occupied", AMPLE, illegal(IllegalMove::Occupied));
        loses(protocol, "one-stone", AMPLE, |ending| *ending == Ending::Stones { wanted: 2, given: 1 });
    }
    loses("cloudict", "hangs", SHORT, late);
    let opening = "j10 k10 k11";
    for (protocol, fine) in [("cloudict", true), ("ccgc", false)] {
        let mock = Mock::new(protocol, "good");
        let record = play(&setup("connect6", opening, AMPLE), Stone::White, mock.player().as_mut());
        let told = not_started(StartFault::MissingFunction, "--openings none")(&record.verdict.ending);
        assert_eq!(told, !fine, "{}", record.to_json());
    }
}

#[test]
fn gtp_engines() {
    plays_on("gtp", &["good", "no-id", "late", "timeless", "stderr-flood", "orphan"]);
    loses("gtp", "refuses", AMPLE, garbled("illegal move"));
    loses("gtp", "garbled", AMPLE, garbled("somewhere"));
    loses("gtp", "off-board", AMPLE, illegal(IllegalMove::OffBoard));
    loses("gtp", "crashes", AMPLE, crashed("my last word"));
    loses("gtp", "hangs", SHORT, late);
    let mock = Mock::new("gtp", "resigns");
    let record = play(&setup("gomoku", "", AMPLE), Stone::White, mock.player().as_mut());
    assert_eq!(record.verdict, Verdict::resigned(Stone::White));
    let mock = Mock::new("gtp", "good");
    let record = play(&setup("connect6", "", AMPLE), Stone::White, mock.player().as_mut());
    assert_eq!(record.verdict.ending, Ending::Adjudicated { why: Adjudication::MaxPlies });
}

/// What we say to an engine in two games, the second from an opening, and what it answers.
fn transcript(protocol: &'static str, options: &str, golden: &str) {
    let mock = Mock::new(protocol, "good");
    let mut player = mock.spec(options).player().unwrap();
    let setup = |opening: &str| GameSetup {
        cutoff: Cutoff { max_plies: Some(7), agreed: None },
        ..setup(game_of(protocol), opening, Duration::from_secs(20))
    };
    let opening = if protocol == "ccgc" { "" } else { "j10 k10 k11" };
    play(&setup(""), Stone::Black, player.as_mut());
    play(&setup(opening), Stone::White, player.as_mut());
    drop(player);
    let log = std::fs::read_to_string(&mock.log).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/protocol").join(golden);
    if std::env::var_os("LIANZI_BLESS").is_some() {
        std::fs::write(&path, &log).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(log, golden, "{}", path.display());
}

#[test]
fn golden_transcripts() {
    transcript("piskvork", ",nodes=1000,info.max_memory=1000000,send=YXHASHCLEAR", "drive-piskvork.txt");
    // How dialects are told apart depends on time; what is said afterwards does not.
    transcript("cloudict", ",dialect=cloudict,send=depth 3", "drive-cloudict.txt");
    transcript("ccgc", ",dialect=ccgc", "drive-ccgc.txt");
    transcript("gtp", "", "drive-gtp.txt");
}

#[test]
fn swap2_is_asked_and_understood() {
    let mock = Mock::new("piskvork", "good");
    assert_eq!(mock.swap2(Stone::Black)(""), acts("h8 i7 j6"));
    let log = std::fs::read_to_string(&mock.log).unwrap();
    assert!(log.contains("> SWAP2BOARD\\r\n> DONE\\r\n"), "{log}");
}

/// A program that wants to know whose the stones are complains of each one first, and answers as if there were none.
#[test]
fn swap2_is_asked_again_with_the_owners_of_the_stones() {
    let mock = Mock::new("piskvork", "wants-owners");
    let mut says = mock.swap2(Stone::White);
    for so_far in ["h8 h9 i9", "h8 h9 i9 more a1 b1"] {
        assert_eq!(says(so_far), [Act::Swap], "{so_far}");
    }
    let log = std::fs::read_to_string(&mock.log).unwrap();
    assert!(log.contains("> 7,7,2\\r\n> 7,6,1\\r\n> 8,6,2\\r\n> DONE\\r\n"), "{log}");
}

/// A program that knows only Yixin-Board's steps of swap2 is asked by them.
#[test]
fn swap2_is_asked_in_the_words_of_yixin_board() {
    let mock = Mock::new("piskvork", "yixin");
    let mut says = mock.swap2(Stone::White);
    assert_eq!(says(""), acts("h8 i7 j6"));
    let kept = says("h8 h9 i9");
    assert!(matches!(kept[..], [Act::Place(_)]), "a program that keeps its side is asked for a stone: {kept:?}");
    assert_eq!(says("h8 h9 i9 more a1 b1"), [Act::Swap]);
    let log = std::fs::read_to_string(&mock.log).unwrap();
    let told = "> YXBOARD\\r\n> 7,7,2\\r\n> 7,6,1\\r\n> 8,6,2\\r\n> DONE\\r\n> YXSWAP2STEP2\\r\n";
    assert!(log.contains(told), "{log}");
}
