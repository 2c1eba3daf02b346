//! The table of a live game between people and scripted players: orders, answers that come too late, and openings.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lianzi_core::record::{Document, Format};
use lianzi_core::{Act, BadAct, Cell, Ending, Fault, Game, GameRecord, Limit, Negotiation, Speak, Stone, Verdict};
use lianzi_engine::Info;
use lianzi_game::clock::Control;
use lianzi_game::judge::Answer;
use lianzi_game::live::{
    By, Event, Leaving, LiveGame, LiveTable, Machine, News, Order, Reach, Refused, Setting, Side, Threads,
};
use lianzi_game::player::{Ask, Player, Reply, Seat};

/// Answers with the first free cell of row 15 after this time, whatever it is told, and takes Black.
struct After(Duration);

impl Player for After {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        std::thread::sleep(self.0);
        let free = (0..15).map(|column| Cell::new(column, 14)).find(|&cell| ask.position.check(cell).is_ok());
        Ok(Reply { turn: free.into_iter().map(Answer::from).collect(), ..Reply::default() })
    }
    fn negotiate(&mut self, _: &Ask<'_>, so_far: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        // It swaps where it can, and else places the first stones it may.
        let demand = so_far.demand().unwrap();
        if demand.swap.is_some() {
            return Ok(Some(vec![Act::Swap]));
        }
        let mut placed = so_far.clone();
        for cell in so_far.position().rules().cells() {
            if placed.act(Act::Place(cell)).is_ok() {
                break;
            }
        }
        Ok(Some(placed.acts()[so_far.acts().len()..].to_vec()))
    }
    fn leave(&mut self, _: &Verdict) {}
}

impl Drop for After {
    fn drop(&mut self) {
        std::thread::sleep(self.0);
    }
}

/// Needs something that the machine lacks the first times it is asked, before it begins and after.
struct Starved(Arc<AtomicUsize>);

impl Starved {
    fn fed(&self, times: usize) -> Result<(), Fault> {
        let asked = self.0.fetch_add(1, Ordering::SeqCst);
        if asked < times { Err(Fault::Shortage("no room".into())) } else { Ok(()) }
    }
}

impl Player for Starved {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        self.fed(1)
    }
    fn take_turn(&mut self, ask: &Ask<'_>, watch: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        self.fed(3)?;
        After(Duration::ZERO).take_turn(ask, watch)
    }
    fn negotiate(&mut self, ask: &Ask<'_>, so_far: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        self.fed(3)?;
        After(Duration::ZERO).negotiate(ask, so_far)
    }
    fn leave(&mut self, _: &Verdict) {}
}

/// Everybody plays from one chair.
const PERSON: By = By { seats: [true, false], owner: true };
const BOTH: By = By { seats: [true; 2], owner: true };

struct Sat {
    table: LiveTable,
    news: Receiver<News>,
    leaving: Leaving,
}

/// A game of Gomoku; White is a person, or answers after some milliseconds.
fn sit(white: Option<u64>, game: &str, control: Control) -> Sat {
    let machine = white.map(|ms| {
        let make = move || Some(Box::new(After(Duration::from_millis(ms))) as Box<dyn Player>);
        Machine::new(Arc::new(make))
    });
    sit_with(machine, game, control)
}

fn sit_with(machine: Option<Machine>, game: &str, control: Control) -> Sat {
    let sides = [Side::new("human".into(), "Ann".into(), None), Side::new("after".into(), "Bob".into(), machine)];
    let game: Game = game.parse().unwrap();
    let record = GameRecord::of_game(game.rules().unwrap(), game.opening);
    let game = LiveGame::resume(record, control).unwrap();
    let setting = Setting { game, sides, pace: Duration::ZERO, instant: true, turn_used: Duration::ZERO };
    let ((tell, news), leaving) = (channel(), Leaving::default());
    let tell = Arc::new(move |told| drop(tell.send(told)));
    let reach = Reach { threads: Threads::own(), tell, leaving: leaving.clone() };
    let mut table = LiveTable::new(setting, reach);
    table.wake(true);
    Sat { table, news, leaving }
}

impl Sat {
    fn place(&mut self, by: By, cell: &str) -> Result<(), Refused> {
        self.table.obey(by, &Order::Place { cell: cell.into(), ply: None, waited_ms: 0 })
    }

    /// Hears news until this is so, and looks at the clock in time.
    fn until(&mut self, is: impl Fn(&LiveTable) -> bool) {
        let began = Instant::now();
        while !is(&self.table) {
            assert!(began.elapsed() < Duration::from_secs(20), "it takes too long");
            match self.news.recv_timeout(Duration::from_millis(20)) {
                Ok(news) => self.table.hear(news),
                Err(_) => self.table.tick(),
            }
        }
    }

    fn cells(&self) -> String {
        let cells: Vec<String> = self.table.position().plies().iter().map(|ply| ply.cell.to_string()).collect();
        cells.join(" ")
    }
}

fn stones(table: &LiveTable) -> usize {
    table.position().plies().len()
}

#[test]
fn an_answer_to_a_question_that_was_taken_back_is_not_heard() {
    let mut sat = sit(Some(300), "gomoku", Control::default());
    sat.place(PERSON, "h8").unwrap();
    sat.until(|table| table.thinks() == Some(Stone::White));
    assert_eq!(sat.place(PERSON, "i9"), Err(Refused::NotYourTurn(Stone::White)));
    let asked = Instant::now();
    sat.table.obey(PERSON, &Order::Undo).unwrap();
    sat.place(PERSON, "g7").unwrap();
    assert!(asked.elapsed() < Duration::from_millis(250), "nobody waits for the player: {:?}", asked.elapsed());
    sat.until(|table| stones(table) == 2);
    assert_eq!(sat.cells(), "g7 a15", "one answer, to the new question");
    std::thread::sleep(Duration::from_millis(400));
    sat.news.try_iter().for_each(|late| sat.table.hear(late));
    assert_eq!(sat.cells(), "g7 a15");
    let asked = Instant::now();
    sat.table.dismiss();
    assert!(asked.elapsed() < Duration::from_millis(250), "letting go does not wait: {:?}", asked.elapsed());
    sat.leaving.wait(Duration::from_secs(20));
    assert!(asked.elapsed() >= Duration::from_millis(290), "but an end can wait for those who leave");
}

#[test]
fn a_player_that_does_not_come_back_loses_on_time() {
    let control = Control { per_move: Some(Duration::from_millis(200)), ..Control::default() };
    let mut sat = sit(Some(3000), "gomoku", control);
    sat.place(PERSON, "h8").unwrap();
    let asked = Instant::now();
    sat.until(|table| table.game().is_over());
    assert!(asked.elapsed() < Duration::from_millis(2800), "{:?}", asked.elapsed());
    let timeout = Verdict::fault(Stone::White, Ending::Timeout { limit: Limit::Move });
    assert_eq!(*sat.table.game().verdict(), timeout);
    sat.table.obey(PERSON, &Order::Undo).unwrap();
    assert!(!sat.table.game().is_over() && sat.cells().is_empty(), "it can be taken back");
}

#[test]
fn an_answer_takes_a_moment_from_when_the_stone_was_seen() {
    for (waited_ms, held) in [(0, true), (10_000, false)] {
        let mut sat = sit(Some(0), "gomoku", Control::default());
        sat.table.obey(PERSON, &Order::Instant { on: false }).unwrap();
        let began = Instant::now();
        sat.table.obey(PERSON, &Order::Place { cell: "h8".into(), ply: None, waited_ms }).unwrap();
        loop {
            let news = sat.news.recv_timeout(Duration::from_secs(20)).unwrap();
            let answered = matches!(news, News::Answered(..));
            sat.table.hear(news);
            if answered {
                break;
            }
        }
        // Nobody looks at the clock yet: what is held is not played.
        assert_eq!(sat.cells() == "h8", held, "{waited_ms}");
        sat.until(|table| table.position().plies().len() == 2);
        assert!(!held || began.elapsed() >= Duration::from_millis(300));
    }
}

#[test]
fn orders_are_obeyed_by_those_who_may() {
    let mut sat = sit(None, "gomoku", Control::default());
    let black = By { seats: [true, false], owner: false };
    let watcher = By { seats: [false; 2], owner: false };
    assert_eq!(sat.place(watcher, "h8"), Err(Refused::Watching));
    sat.place(black, "h8").unwrap();
    assert_eq!(sat.table.events(), [Event::Changed]);
    assert_eq!(sat.place(black, "i9"), Err(Refused::NotYourTurn(Stone::White)));
    let late = Order::Place { cell: "i9".into(), ply: Some(0), waited_ms: 0 };
    assert_eq!(sat.table.obey(BOTH, &late), Err(Refused::Changed));
    for nothing in ["", " , ", "banana"] {
        assert!(matches!(sat.place(BOTH, nothing), Err(Refused::Unread(_))), "{nothing:?}");
    }
    assert_eq!(sat.place(BOTH, "i9 j10"), Err(Refused::TooMany(1)));
    sat.place(BOTH, "i9").unwrap();
    assert_eq!(sat.table.obey(black, &Order::Undo), Err(Refused::NotYourStone));
    assert_eq!(sat.table.obey(watcher, &Order::Undo), Err(Refused::Watching));
    for order in [Order::Restart, Order::Swap] {
        assert_eq!(sat.table.obey(black, &order), Err(Refused::NotOwner));
    }
    assert_eq!(sat.table.obey(watcher, &Order::Resign), Err(Refused::Watching));
    sat.table.obey(black, &Order::Resign).unwrap();
    assert_eq!(*sat.table.game().verdict(), Verdict::resigned(Stone::Black));
    sat.table.events();
    sat.table.obey(BOTH, &Order::Next).unwrap();
    assert_eq!(sat.table.events(), [Event::Swapped, Event::Changed]);
    assert_eq!((sat.cells().as_str(), sat.table.sides()[0].name.as_str()), ("", "Bob"));
}

fn wants(table: &LiveTable) -> String {
    table.demand().map(|demand| demand.text().to_string()).unwrap_or_default()
}

#[test]
fn sides_are_found_by_swap2() {
    let mut sat = sit(Some(1), "gomoku+swap2", Control::default());
    assert_eq!((wants(&sat.table).as_str(), sat.table.stones_left()), ("Swap2: place a black stone", 3));
    assert_eq!(sat.table.obey(PERSON, &Order::Take), Err(Refused::Opening(Act::Swap, BadAct::NoSwap)));
    sat.place(PERSON, "h8 h9").unwrap();
    assert_eq!(sat.place(PERSON, "h10 h11"), Err(Refused::TooMany(1)));
    sat.place(PERSON, "h10").unwrap();
    sat.table.events();
    sat.until(|table| table.demand().is_none());
    assert!(sat.table.events().contains(&Event::Swapped), "the engine takes Black");
    assert_eq!((sat.table.sides()[1].name.as_str(), sat.table.actor()), ("Ann", Stone::White));
    assert_eq!(sat.table.obey(BOTH, &Order::Undo), Err(Refused::Settled));
    let mut people = sit(None, "gomoku+swap2", Control::default());
    people.place(BOTH, "h8 h9 h10").unwrap();
    people.table.obey(BOTH, &Order::More).unwrap();
    assert_eq!(people.table.obey(BOTH, &Order::Swap), Err(Refused::SidesOpen));
    people.table.obey(BOTH, &Order::Undo).unwrap();
    people.table.obey(BOTH, &Order::More).unwrap();
    people.place(BOTH, "a1 b1").unwrap();
    // Who chooses sits at the side to move.
    assert_eq!((people.table.actor(), people.table.sides()[1].name.as_str()), (Stone::White, "Ann"));
    people.place(BOTH, "c3").unwrap();
    assert_eq!((people.table.demand(), people.table.sides()[0].name.as_str()), (None, "Bob"));
    people.table.obey(BOTH, &Order::Restart).unwrap();
    assert_eq!(
        (wants(&people.table).as_str(), people.table.sides()[0].name.as_str()),
        ("Swap2: place a black stone", "Ann")
    );
    // Seats that were changed after the opening do not change who opens.
    people.place(BOTH, "h8 h9 h10").unwrap();
    people.table.obey(BOTH, &Order::Take).unwrap();
    people.table.obey(BOTH, &Order::Swap).unwrap();
    people.table.obey(BOTH, &Order::Restart).unwrap();
    assert_eq!(people.table.sides()[0].name, "Ann");
}

#[test]
fn soosyrv_8_at_one_table() {
    let mut people = sit(None, "renju+soosyrv8", Control::default());
    let black = |sat: &Sat| sat.table.sides()[0].name.clone();
    people.place(BOTH, "h8 h9 i9").unwrap();
    let outside = Refused::Opening(Act::Count(4), BadAct::NoCount);
    assert_eq!(people.table.obey(BOTH, &Order::Declare { count: 4 }), Err(outside));
    people.table.obey(BOTH, &Order::Swap).unwrap();
    assert_eq!(black(&people), "Bob", "the one who was asked took Black");
    people.place(BOTH, "a15").unwrap();
    assert_eq!(wants(&people.table), "Soosyrv-8: say how many fifth moves Black will offer, 1 to 8");
    people.table.obey(BOTH, &Order::Declare { count: 2 }).unwrap();
    people.place(BOTH, "g7").unwrap();
    assert_eq!(people.table.game().negotiation().unwrap().offered().len(), 1);
    people.table.obey(BOTH, &Order::Undo).unwrap();
    assert!(people.table.game().negotiation().unwrap().offered().is_empty());
    people.place(BOTH, "g7 g9").unwrap();
    let stranger = people.place(BOTH, "a1").unwrap_err();
    assert!(stranger.text().english.contains("only an offered fifth move"), "{}", stranger.text());
    people.place(BOTH, "g9").unwrap();
    assert_eq!((people.cells().as_str(), people.table.demand()), ("h8 h9 i9 a15 g9", None));
    assert!(people.table.game().record().is_swapped());
    // What is written down is read again.
    let kept = people.table.game().record().to_json();
    let again = Format::Json.read(&Document::Single(kept.into()), None).unwrap().remove(0);
    assert_eq!(again.problem, None);
    assert_eq!(again.record, *people.table.game().record());
}

#[test]
fn a_player_goes_through_taraguchi_10() {
    let mut sat = sit(Some(1), "renju+taraguchi10", Control::default());
    sat.place(PERSON, "h8").unwrap();
    // It swaps after every stone, so the person lays them all.
    for (cell, stones) in [("i9", 2), ("j10", 3), ("f6", 4)] {
        sat.until(|table| table.thinks().is_none() && table.people()[table.actor().index()]);
        sat.place(BOTH, cell).unwrap();
        assert_eq!(sat.table.position().plies().len(), stones);
    }
    sat.until(|table| table.thinks().is_none() && table.people()[table.actor().index()]);
    assert_eq!(wants(&sat.table), "Taraguchi-10: place a black stone within the central 9×9");
    sat.place(BOTH, "g7").unwrap();
    sat.until(|table| table.demand().is_none());
    assert_eq!(sat.table.game().negotiation().unwrap().swaps(), 5);
}

#[test]
fn what_the_machine_lacks_is_nobodys_foul() {
    let control = Control { per_move: Some(Duration::from_millis(1500)), margin: Duration::ZERO, ..Control::default() };
    for (game, first) in [("gomoku", &["h8"][..]), ("gomoku+swap2", &["h8", "i9", "j10"])] {
        let asked = Arc::new(AtomicUsize::new(0));
        let make = move || Some(Box::new(Starved(Arc::clone(&asked))) as Box<dyn Player>);
        let mut sat = sit_with(Some(Machine::new(Arc::new(make))), game, control);
        let (began, mut told) = (Instant::now(), Vec::new());
        for cell in first {
            sat.place(PERSON, cell).unwrap();
        }
        let after = |table: &LiveTable| table.thinks().is_none();
        while !after(&sat.table) {
            assert!(!sat.table.game().is_over(), "{game}: {:?}", sat.table.game().verdict());
            let state = (sat.table.lacks().is_some(), stones(&sat.table));
            sat.until(|table| after(table) || (table.lacks().is_some(), stones(table)) != state);
            told.extend(sat.table.events().into_iter().filter(|event| matches!(event, Event::Lacks(_))));
        }
        assert_eq!(told.len(), 1, "{game}: the same is told once");
        assert!(sat.table.lacks().is_none() && !sat.table.game().is_over(), "{game}");
        assert!(began.elapsed() >= Duration::from_secs(2), "it was asked three times");
    }
    // What is taken back is not asked for again.
    let make = || Some(Box::new(Starved(Arc::default())) as Box<dyn Player>);
    let mut sat = sit_with(Some(Machine::new(Arc::new(make))), "gomoku", control);
    sat.place(PERSON, "h8").unwrap();
    sat.until(|table| table.lacks().is_some());
    sat.table.obey(PERSON, &Order::Undo).unwrap();
    assert!(sat.table.lacks().is_none() && sat.table.thinks().is_none() && stones(&sat.table) == 0);
}
