//! The table of a live game between people and scripted players: orders, answers that come too late, and swap2.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lianzi_core::{Cell, Ending, Fault, Limit, Rules, Stone, Verdict};
use lianzi_engine::Info;
use lianzi_game::clock::Control;
use lianzi_game::judge::Answer;
use lianzi_game::live::{
    By, Event, Leaving, LiveGame, LiveTable, Machine, News, Opening, Order, Phase, Reach, Refused, Setting, Side,
    Threads,
};
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_game::swap2::Swap2;

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
    fn swap2(&mut self, _: &Ask<'_>) -> Result<Option<Swap2>, Fault> {
        Ok(Some(Swap2::Swap))
    }
    fn leave(&mut self, _: &Verdict) {}
}

impl Drop for After {
    fn drop(&mut self) {
        std::thread::sleep(self.0);
    }
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
fn sit(white: Option<u64>, swap2: bool, control: Control) -> Sat {
    let machine = white.map(|ms| {
        let make = move || Some(Box::new(After(Duration::from_millis(ms))) as Box<dyn Player>);
        Machine::new(Arc::new(make))
    });
    let sides = [Side::new("human".into(), "Ann".into(), None), Side::new("after".into(), "Bob".into(), machine)];
    let game = LiveGame::new(Rules::gomoku(15), control);
    let opening = swap2.then(Opening::default);
    let setting = Setting { game, sides, opening, pace: Duration::ZERO, instant: true, turn_used: Duration::ZERO };
    let ((tell, news), leaving) = (channel(), Leaving::default());
    let tell = Arc::new(move |told| drop(tell.send(told)));
    let reach = Reach { threads: Threads::own(), tell, leaving: leaving.clone() };
    let mut table = LiveTable::new(setting, reach);
    table.wake(true);
    Sat { table, news, leaving }
}

impl Sat {
    fn place(&mut self, by: By, cell: &str) -> Result<(), Refused> {
        self.table.obey(by, &Order::Place { cell: cell.into(), ply: None })
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
    let mut sat = sit(Some(300), false, Control::default());
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
    let mut sat = sit(Some(3000), false, control);
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
fn orders_are_obeyed_by_those_who_may() {
    let mut sat = sit(None, false, Control::default());
    let black = By { seats: [true, false], owner: false };
    let watcher = By { seats: [false; 2], owner: false };
    assert_eq!(sat.place(watcher, "h8"), Err(Refused::Watching));
    sat.place(black, "h8").unwrap();
    assert_eq!(sat.table.events(), [Event::Changed]);
    assert_eq!(sat.place(black, "i9"), Err(Refused::NotYourTurn(Stone::White)));
    let late = Order::Place { cell: "i9".into(), ply: Some(0) };
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

#[test]
fn sides_are_found_by_swap2() {
    let mut sat = sit(Some(1), true, Control::default());
    assert_eq!((sat.table.phase(), sat.table.stones_left()), (Some(Phase::Open), 3));
    assert_eq!(sat.table.obey(PERSON, &Order::Take), Err(Refused::NoSuchChoice));
    sat.place(PERSON, "h8 h9").unwrap();
    assert_eq!(sat.place(PERSON, "h10 h11"), Err(Refused::TooMany(1)));
    sat.place(PERSON, "h10").unwrap();
    sat.table.events();
    sat.until(|table| table.phase().is_none());
    assert!(sat.table.events().contains(&Event::Swapped), "the engine takes Black");
    assert_eq!((sat.table.sides()[1].name.as_str(), sat.table.actor()), ("Ann", Stone::White));
    assert_eq!(sat.table.obey(BOTH, &Order::Undo), Err(Refused::Settled));
    let mut people = sit(None, true, Control::default());
    people.place(BOTH, "h8 h9 h10").unwrap();
    assert_eq!(people.table.obey(BOTH, &Order::Swap), Err(Refused::SidesOpen));
    people.table.obey(BOTH, &Order::Two).unwrap();
    people.place(BOTH, "a1 b1").unwrap();
    assert_eq!((people.table.phase(), people.table.actor()), (Some(Phase::Decide), Stone::Black));
    people.place(BOTH, "c3").unwrap();
    assert_eq!((people.table.phase(), people.table.sides()[0].name.as_str()), (None, "Bob"));
    people.table.obey(BOTH, &Order::Restart).unwrap();
    assert_eq!((people.table.phase(), people.table.sides()[0].name.as_str()), (Some(Phase::Open), "Ann"));
}
