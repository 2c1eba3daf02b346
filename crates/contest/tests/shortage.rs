//! What the arena itself lacks is nobody's foul: the game is played again, or the contest ends and goes on later.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use lianzi_contest::circumstances::AGAIN;
use lianzi_contest::journal::{Journal, JournalError};
use lianzi_contest::plan::Plan;
use lianzi_contest::run::{Conduct, Finished, run};
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant};
use lianzi_core::{Fault, Speak, Verdict};
use lianzi_engine::{Report, Stop};
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_players::PlayerSpec;

/// A player for which there is no room so many times, when it sits down or when it is asked.
struct Cramped<'a> {
    player: Box<dyn Player>,
    left: &'a AtomicUsize,
    seated: bool,
}

impl Cramped<'_> {
    fn room(&self) -> Result<(), Fault> {
        let taken = self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        taken.map_or(Ok(()), |_| Err(Fault::Shortage("no space left".into())))
    }
}

impl Player for Cramped<'_> {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        if !self.seated {
            self.room()?;
        }
        self.player.sit(seat)
    }

    fn take_turn(&mut self, ask: &Ask<'_>, watch: Report<'_>) -> Result<Reply, Fault> {
        self.room()?;
        self.player.take_turn(ask, watch)
    }

    fn leave(&mut self, verdict: &Verdict) {
        self.player.leave(verdict);
    }
}

fn contest() -> Contest {
    let entrants = ["a", "b"].map(|name| Entrant { name: name.into(), spec: "random".into() });
    Contest::of_two("connect4".parse().unwrap(), entrants, 2)
}

fn play(journal: Journal, short: usize, seated: bool) -> Result<Finished, JournalError> {
    let (contest, left) = (contest(), &*Box::leak(Box::new(AtomicUsize::new(short))));
    let spec: PlayerSpec = "random".parse().unwrap();
    let make = |_| -> Box<dyn Player> { Box::new(Cramped { player: spec.player().unwrap(), left, seated }) };
    let conduct = Conduct { stop_on_crash: true, ..Conduct::until(&Stop::default(), &make) };
    run(&contest, Plan::new(&contest).unwrap(), journal, &conduct, &|_| {})
}

#[test]
fn a_game_is_played_again_when_there_is_room() {
    for seated in [false, true] {
        let mut finished = play(Journal::passing().unwrap(), 2, seated).unwrap();
        assert!(finished.played.len() == 4 && finished.played.iter().all(|game| game.blame.is_none()));
        assert_eq!(finished.games().unwrap()[0].record.tag(AGAIN), Some("2"));
        let contest = contest();
        let summary = Upshot::in_brief(&contest, &finished.plan, &finished.played).summary();
        assert_eq!((&summary["begun_again"], &summary["faults"]), (&1.into(), &0.into()));
        assert!(summary["warnings"].to_string().contains("1 of 4 begun again"), "{summary}");
    }
}

#[test]
fn a_contest_without_room_ends_and_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let journal = |resume| Journal::open(folder.path(), &contest(), resume).unwrap();
    let error = play(journal(false), usize::MAX, false).unwrap_err();
    assert!(error.text().english.contains("no player is to blame") && error.text().chinese.contains("--resume"));
    let finished = play(journal(true), 0, false).unwrap();
    assert!(finished.played.len() == 4 && finished.played.iter().all(|game| game.blame.is_none()));
}
