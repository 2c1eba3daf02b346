//! What the library promises.

use lianzi_queue::private::Cluster;
use lianzi_queue::{Address, Link};
use rusqlite::Connection;

use super::*;

/// What holds for every library, wherever it is.
const PROMISES: [fn(&Library); 7] = [
    games_are_found_by_player_game_and_result,
    pages_have_fifty_games_and_end,
    texts_that_look_like_sql_are_texts,
    what_is_too_long_is_refused,
    readers_do_not_disturb_a_writer,
    games_that_never_began_are_forgotten,
    visitors_are_counted_and_idle_games_rest,
];

#[test]
fn sqlite_keeps_its_promises() {
    for promise in PROMISES {
        promise(&library().1);
    }
}

#[cfg(unix)]
#[test]
fn postgres_keeps_the_same_promises() {
    let cluster = Cluster::start(&[]).expect("PostgreSQL is installed: apt-get install postgresql");
    let address = Address::read(&cluster.address(), None).unwrap();
    for promise in PROMISES {
        promise(&Postgres::open(&address).unwrap());
        Link::open(&address, &[]).unwrap().batch("DROP SCHEMA lianzi_library CASCADE").unwrap();
    }
    what_is_put_is_seen_by_all(&address);
    one_process_holds_a_game(&address);
    an_older_database_is_brought_up_to_date(&address);
}

#[cfg(unix)]
fn an_older_database_is_brought_up_to_date(address: &Address) {
    let kept = game("kept", "gomoku", ["Ann", "老王"], "draw", 1);
    let now = Postgres::open(address).unwrap();
    now.put(&kept, 1).unwrap();
    // A program of later days, which has one step more; it takes it once.
    let link = Link::open(address, &[]).unwrap();
    let later = [&postgres::STEPS[..], &["ALTER TABLE games ADD COLUMN stars integer NOT NULL DEFAULT 4"]].concat();
    for _ in 0..2 {
        postgres::migrate(&link, &later).unwrap();
    }
    let stars: i32 = link.row("SELECT stars FROM lianzi_library.games WHERE id = 'kept'", &[]).unwrap().get(0);
    assert_eq!((stars, now.get("kept").unwrap()), (4, Some(kept)));
    // A step that fails in its middle has changed nothing.
    let broken = [&later[..], &["ALTER TABLE games ADD COLUMN half integer; SELECT nothing FROM nowhere"]].concat();
    assert!(postgres::migrate(&link, &broken).is_err() && postgres::migrate(&link, &later).is_ok());
    assert!(link.query("SELECT half FROM lianzi_library.games", &[]).is_err());
    // This program is the older one now.
    let version = later.len();
    assert!(matches!(Postgres::open(address), Err(StoreError::Newer { version: found }) if found == version));
}

fn what_is_put_is_seen_by_all(address: &Address) {
    let [one, other] = [0, 1].map(|_| Postgres::open(address).unwrap());
    let mut kept = game("a", "gomoku", ["Ann", "老王"], "none", 1);
    kept.room = Some("room".into());
    kept.keys = Keys { owner: Some(hash("o")), seats: [None, Some(hash("w"))] };
    one.put(&kept, 1).unwrap();
    kept.entry.plies = 10;
    other.put(&kept, 2).unwrap();
    assert_eq!(one.get("a").unwrap(), Some(kept));
    assert!(one.delete("a").unwrap() && !other.delete("a").unwrap());
}

fn one_process_holds_a_game(address: &Address) {
    let [one, other] = [0, 1].map(|_| Postgres::open(address).unwrap());
    let mut live = game("a", "gomoku", ["x", "y"], "none", 1);
    one.put(&live, 1).unwrap();
    assert!(one.hold("a").unwrap() && one.hold("a").unwrap() && !other.hold("a").unwrap());
    one.put(&live, 2).unwrap();
    assert!(matches!(other.put(&live, 3), Err(StoreError::Elsewhere)));
    one.release("a").unwrap();
    assert!(other.hold("a").unwrap() && !one.hold("a").unwrap());
    // A process that is gone, or whose connection is, holds nothing; one that does not know it yet writes nothing.
    let link = Link::open(address, &[]).unwrap();
    let end = "SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE l.locktype = 'advisory'";
    link.query(end, &[]).unwrap();
    let taken = || {
        (0..100).any(|_| {
            one.hold("a").unwrap() || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                false
            }
        })
    };
    assert!(taken());
    live.entry.plies = 11;
    one.put(&live, 4).unwrap();
    live.entry.plies = 8;
    // The first question after a connection is lost may find out that it is.
    let refused = (0..3).map(|_| other.put(&live, 5)).find(|put| !matches!(put, Err(StoreError::Postgres(_))));
    assert!(matches!(refused, Some(Err(StoreError::Elsewhere))), "{refused:?}");
    assert_eq!(other.get("a").unwrap().unwrap().entry.plies, 11);
    // What was deleted stays deleted.
    assert!(other.delete("a").unwrap());
    assert!(matches!(one.put(&live, 6), Err(StoreError::Elsewhere)));
    assert_eq!(one.get("a").unwrap(), None);
}

fn library() -> (tempfile::TempDir, Sqlite) {
    let folder = tempfile::tempdir().unwrap();
    let library = Sqlite::open(&folder.path().join("games.sqlite")).unwrap();
    (folder, library)
}

fn game(id: &str, game: &str, names: [&str; 2], outcome: &str, created: i64) -> StoredGame {
    let entry = Entry {
        id: id.into(),
        game: game.into(),
        names: names.map(Into::into),
        outcome: outcome.into(),
        ending: "line".into(),
        plies: 9,
        created,
        live: outcome == "none",
    };
    StoredGame { entry, record: "{}".into(), room: None, keys: Keys::default(), visitor: None }
}

fn ids(library: &Library, search: Search) -> Vec<String> {
    library.search(&search).unwrap().games.into_iter().map(|entry| entry.id).collect()
}

#[test]
fn what_was_put_comes_back_after_reopening() {
    let (folder, library) = library();
    let mut kept = game("a", "gomoku", ["Ann", "老王"], "none", 1);
    kept.room = Some("room".into());
    kept.keys = Keys { owner: Some(hash("o")), seats: [None, Some(hash("w"))] };
    library.put(&kept, 1).unwrap();
    kept.entry.plies = 10;
    library.put(&kept, 2).unwrap();
    drop(library);
    let again = Sqlite::open(&folder.path().join("games.sqlite")).unwrap();
    assert_eq!(again.get("a").unwrap(), Some(kept));
    assert_eq!(again.live_games().unwrap(), 1);
    assert!(again.delete("a").unwrap() && !again.delete("a").unwrap());
    assert_eq!(again.get("a").unwrap(), None);
}

fn games_are_found_by_player_game_and_result(library: &Library) {
    for (n, (name, names, outcome)) in [
        ("gomoku", ["Ann", "greedy"], "black"),
        ("gomoku:19", ["greedy", "Joanna"], "draw"),
        ("connect6", ["王", "Ann"], "none"),
    ]
    .into_iter()
    .enumerate()
    {
        library.put(&game(&format!("g{n}"), name, names, outcome, n as i64), 0).unwrap();
    }
    let search = |player: &str, game: &str, result: &str| Search {
        player: player.into(),
        game: game.into(),
        result: result.into(),
        ..Search::default()
    };
    assert_eq!(ids(library, Search::default()), ["g2", "g1", "g0"], "newest first");
    assert_eq!(ids(library, search("ann", "", "")), ["g2", "g1", "g0"], "case does not matter");
    assert_eq!(ids(library, search("ann", "gomoku", "")), ["g1", "g0"]);
    assert_eq!(ids(library, search("王", "", "none")), ["g2"]);
    assert_eq!(ids(library, search("", "gomoku:", "")), ["g1"]);
    assert_eq!(ids(library, search("", "", "white")), [""; 0]);
}

fn pages_have_fifty_games_and_end(library: &Library) {
    for n in 0..120 {
        library.put(&game(&format!("{n:03}"), "gomoku", ["a", "b"], "draw", n), 0).unwrap();
    }
    for (page, wanted) in [(0, 50), (1, 50), (2, 20), (3, 0), (usize::MAX, 0)] {
        let found = library.search(&Search { page, ..Search::default() }).unwrap();
        assert_eq!((found.total, found.games.len()), (120, wanted), "page {page}");
    }
}

fn texts_that_look_like_sql_are_texts(library: &Library) {
    let nasty = ["'; DROP TABLE games; --", "\" OR 1=1", "%", "_", "\0", "</script>", "a' || 'b"];
    for (n, name) in nasty.into_iter().enumerate() {
        library.put(&game(&format!("{n}{name}"), name, [name, name], name, n as i64), 0).unwrap();
    }
    for (n, name) in nasty.into_iter().enumerate() {
        let id = format!("{n}{name}");
        assert_eq!(library.get(&id).unwrap().unwrap().entry.names[0], name);
        let by_result = Search { result: name.into(), ..Search::default() };
        assert_eq!(ids(library, by_result), [id.as_str()]);
        let by_player = Search { player: name.into(), ..Search::default() };
        assert!(ids(library, by_player).contains(&id), "{name:?}");
    }
    assert_eq!(ids(library, Search { player: "%a%".into(), ..Search::default() }), [""; 0]);
    assert_eq!(library.get("' OR '1'='1").unwrap(), None);
    assert!(!library.delete("' OR '1'='1").unwrap());
    assert_eq!(library.search(&Search::default()).unwrap().total, nasty.len());
}

fn what_is_too_long_is_refused(library: &Library) {
    let long = "x".repeat(MAX_NAME + 1);
    let refused = library.put(&game("a", "gomoku", [&long, "b"], "none", 0), 0);
    assert!(matches!(refused, Err(StoreError::TooLong(_))));
    let contest = ContestEntry { title: long, ..ContestEntry::default() };
    assert!(library.put_contest(&contest).is_err());
}

#[test]
fn a_file_of_version_one_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(schema::STEPS[0]).unwrap();
    old.execute_batch(
        "INSERT INTO games VALUES ('a','gomoku','x','y','draw','full',225,'{}',NULL,0,NULL,NULL,NULL,5,5); PRAGMA user_version = 1;",
    )
    .unwrap();
    drop(old);
    let library = Sqlite::open(&path).unwrap();
    assert_eq!(library.get("a").unwrap().unwrap().entry.plies, 225);
    let contest = ContestEntry { id: "c".into(), running: true, ..ContestEntry::default() };
    library.put_contest(&contest).unwrap();
    assert_eq!(library.contest("c").unwrap(), Some(contest.clone()));
    assert_eq!(library.contests(9).unwrap(), [contest]);
    drop(library);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Sqlite::open(&path), Err(StoreError::Newer { version: 99 })));
}

fn readers_do_not_disturb_a_writer(library: &Library) {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for n in 0..50 {
                    library.put(&game(&format!("{thread}.{n}"), "gomoku", ["a", "b"], "draw", n), 0).unwrap();
                    let found = library.search(&Search::default()).unwrap();
                    assert!(found.total > n as usize);
                }
            });
        }
    });
    assert_eq!(library.search(&Search::default()).unwrap().total, 200);
}

fn games_that_never_began_are_forgotten(library: &Library) {
    let mut unbegun = game("a", "gomoku", ["x", "y"], "none", 0);
    unbegun.entry.plies = 0;
    library.put(&unbegun, 10).unwrap();
    library.put(&game("b", "gomoku", ["x", "y"], "none", 0), 10).unwrap();
    assert_eq!(library.forget_unbegun(10).unwrap(), 0);
    assert_eq!(library.forget_unbegun(11).unwrap(), 1);
    assert!(library.get("b").unwrap().is_some());
}

fn visitors_are_counted_and_idle_games_rest(library: &Library) {
    let whose = hash("10.0.0.1");
    for (id, created) in [("a", 10), ("b", 20), ("c", 30)] {
        let mut kept = game(id, "gomoku", ["x", "y"], "none", created);
        kept.visitor = Some(whose);
        library.put(&kept, created).unwrap();
    }
    library.put(&game("d", "gomoku", ["x", "y"], "none", 30), 30).unwrap();
    assert_eq!(library.games_of(&whose, 20).unwrap(), Usage { count: 2, bytes: 4 });
    assert!(library.bytes().unwrap() > 4096);
    assert_eq!((library.rest(21).unwrap(), library.live_games().unwrap()), (2, 2));
    let mut again = library.get("a").unwrap().unwrap();
    assert!(!again.entry.live);
    again.entry.live = true;
    library.put(&again, 40).unwrap();
    assert_eq!(library.live_games().unwrap(), 3, "a game that rested goes on");
    assert_eq!(library.get("a").unwrap().unwrap().visitor, Some(whose));
    for (id, running) in [("k", true), ("l", false)] {
        let contest =
            ContestEntry { id: id.into(), running, created: 9, visitor: Some(whose), ..ContestEntry::default() };
        library.put_contest(&contest).unwrap();
    }
    let counts = ContestCounts { all: 2, running: 1, running_own: 1, own: 0 };
    assert_eq!(library.count_contests(&whose, 10).unwrap(), counts);
    assert_eq!(library.count_contests(&hash("other"), 0).unwrap(), ContestCounts { running_own: 0, ..counts });
    library.delete_contest("k").unwrap();
    assert_eq!(library.running_contests().unwrap(), []);
}

#[test]
fn a_copy_is_whole_and_damage_is_found() {
    let (folder, library) = library();
    for n in 0..200 {
        library.put(&game(&format!("{n:03}"), "gomoku", ["a", "b"], "draw", n), 0).unwrap();
    }
    let (path, to) = (folder.path().join("games.sqlite"), folder.path().join("copy.sqlite"));
    copy(&path, &to).unwrap();
    drop(library);
    assert_eq!(Sqlite::open(&to).unwrap().search(&Search::default()).unwrap().total, 200);
    let mut bytes = std::fs::read(&path).unwrap();
    let inside = bytes.len() / 2;
    bytes[inside..inside + 4096].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(Sqlite::open(&path), Err(StoreError::Damaged(_))));
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "it is left as it is");
    assert!(matches!(copy(&path, &folder.path().join("other.sqlite")), Err(StoreError::Damaged(_))));
}
