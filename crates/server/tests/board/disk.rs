//! A disk that is full: what is not stored is not acknowledged.
//!
//! The disk is a real one of a megabyte, in memory, where the tests may mount one. Elsewhere the library itself refuses
//! new stones, by a trigger: a stand-in that knows nothing of the system's words.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::StatusCode;
use serde_json::json;

use crate::table::{Guest, House, cells};

/// A small disk.
struct Disk {
    folder: tempfile::TempDir,
    real: bool,
}

impl Disk {
    fn new() -> Disk {
        let folder = tempfile::tempdir().unwrap();
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "lianzi-test"]).arg(folder.path()).output();
        Disk { real: mount.is_ok_and(|mount| mount.status.success()), folder }
    }

    fn filler(&self) -> PathBuf {
        self.folder.path().join("filler")
    }

    fn fill(&self, data: &Path) {
        if !self.real {
            let refuse = "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
            return run(
                data,
                &format!(
                    "CREATE TRIGGER a BEFORE INSERT ON games {refuse}; CREATE TRIGGER b BEFORE UPDATE ON games {refuse};"
                ),
            );
        }
        let mut filler = fs::File::create(self.filler()).unwrap();
        for size in [4096, 1] {
            while filler.write_all(&vec![1; size]).is_ok() {}
        }
    }

    fn free(&self, data: &Path) {
        if self.real {
            fs::remove_file(self.filler()).unwrap();
        } else {
            run(data, "DROP TRIGGER a; DROP TRIGGER b;");
        }
    }
}

fn run(data: &Path, sql: &str) {
    rusqlite::Connection::open(data.join("games.sqlite")).unwrap().execute_batch(sql).unwrap();
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.real {
            let _ = Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
        }
    }
}

/// Places stones until one is not acknowledged; how many were.
async fn place_until_refused(guest: &mut Guest) -> usize {
    let board: Vec<String> =
        (1..=9).flat_map(|row| ["a", "c", "e", "g", "i"].map(|column| format!("{column}{row}"))).collect();
    for (placed, cell) in board.iter().enumerate() {
        guest.place(cell).await;
        let told = guest.hear().await.unwrap();
        if told["type"] == "error" {
            let words = told["en"].as_str().unwrap();
            assert!(words.starts_with("the game waits") && !told["zh"].as_str().unwrap().is_empty(), "{told}");
            return placed;
        }
        assert_eq!(cells(&told).len(), placed + 1, "{told}");
    }
    panic!("the disk never was full");
}

/// Waits for the state with so many stones, however often it is said that the game waits.
async fn wait_for(guest: &mut Guest, stones: usize) {
    loop {
        let told = guest.hear().await.expect("a game that waits is not over");
        if told["type"] == "state" && cells(&told).len() == stones {
            return;
        }
    }
}

async fn kept(house: &House, id: &str) -> usize {
    let (status, shown) = house.get(&format!("/api/games/{id}")).await;
    assert_eq!(status, StatusCode::OK, "{shown}");
    shown["record"]["moves"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn what_is_not_stored_is_not_acknowledged_and_the_game_goes_on_when_there_is_room() {
    let disk = Disk::new();
    let house = House::open_in(tempfile::tempdir_in(disk.folder.path()).unwrap()).await;
    let data = house.folder.path().to_path_buf();
    let game = house.set_up("connect:15,15,15,1,1", ["human", "human"], json!({})).await;
    let against = house.set_up("gomoku", ["human", "greedy"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    let (mut other, _) = house.own(&against).await;
    disk.fill(&data);
    let acknowledged = place_until_refused(&mut guest).await;
    assert_eq!(kept(&house, &game.id).await, acknowledged, "what was told is kept");
    // Nothing more is taken, nobody who comes is told of the stone, and new games learn what is wrong.
    assert!(guest.refused(json!({"type": "undo"})).await.starts_with("the game waits"));
    let (mut late, state) = house.own(&game).await;
    assert_eq!(cells(&state).len(), acknowledged);
    assert!(late.refused(json!({"type": "resign"})).await.starts_with("the game waits"));
    let new = json!({"game": "gomoku", "sides": [{"player": "human"}, {"player": "human"}]});
    let (status, words) = house.post("/api/games", &new).await;
    assert!(status.is_server_error() && words["zh"].is_string(), "{words}");
    if disk.real {
        assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE);
        assert!(words["en"].as_str().unwrap().contains("disk is full"), "{words}");
    }
    other.place("h8").await;
    assert_eq!(other.hear().await.unwrap()["type"], "error");
    disk.free(&data);
    // The stone that waited is told now, and the engine answers.
    wait_for(&mut late, acknowledged + 1).await;
    assert_eq!(kept(&house, &game.id).await, acknowledged + 1);
    wait_for(&mut other, 2).await;
    late.place("o15").await;
    late.plies(acknowledged + 2).await;
    assert_eq!(house.post("/api/games", &new).await.0, StatusCode::CREATED);
}
