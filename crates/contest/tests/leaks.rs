//! A long contest leaves the process as it was: threads, memory, file handles. Linux tells all three.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]
#![cfg(target_os = "linux")]

use lianzi_contest::journal::Journal;
use lianzi_contest::plan::Plan;
use lianzi_contest::run::{Conduct, run};
use lianzi_contest::{Contest, Entrant};
use lianzi_engine::Stop;
use lianzi_game::player::Player;
use lianzi_players::PlayerSpec;

fn status(field: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Threads, file handles, resident kilobytes.
fn footprint() -> [usize; 3] {
    let handles = std::fs::read_dir("/proc/self/fd").unwrap().count();
    [status("Threads:"), handles, status("VmRSS:")]
}

fn play(pairs: usize, seed: u64) -> usize {
    let specs: [PlayerSpec; 2] = ["greedy", "random"].map(|name| name.parse().unwrap());
    let entrants = specs.each_ref().map(|spec| Entrant { name: spec.name.clone(), spec: spec.to_string() });
    let contest = Contest { seed, ..Contest::of_two("connect4".parse().unwrap(), entrants, pairs) };
    let make = |n: usize| -> Box<dyn Player> { specs[n].player().unwrap() };
    let interrupt = Stop::default();
    let conduct = Conduct { concurrency: 2, ..Conduct::until(&interrupt, &make) };
    let plan = Plan::new(&contest).unwrap();
    let finished = run(&contest, plan, Journal::passing().unwrap(), &conduct, &|_| {}).unwrap();
    assert!(finished.played.iter().all(|game| game.blame.is_none()));
    finished.played.len()
}

/// The footprint once the engines' threads have ended; they do so soon after their players are gone.
fn settled(threads: usize) -> [usize; 3] {
    for _ in 0..500 {
        if footprint()[0] <= threads {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    footprint()
}

#[test]
fn two_thousand_games_leave_nothing_behind() {
    let threads = footprint()[0];
    play(50, 1);
    let before = settled(threads);
    assert_eq!(play(1000, 2), 2000);
    let after = settled(threads);
    assert_eq!([before[0], after[0]], [threads; 2], "threads");
    assert_eq!(after[1], before[1], "handles");
    assert!(after[2] < before[2] + 4 * 1024, "memory grew from {} to {} KiB", before[2], after[2]);
}
