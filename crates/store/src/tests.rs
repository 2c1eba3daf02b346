//! What the library promises.

use super::*;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(&folder.path().join("games.sqlite")).unwrap();
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
    let again = Library::open(&folder.path().join("games.sqlite")).unwrap();
    assert_eq!(again.get("a").unwrap(), Some(kept));
    assert_eq!(again.live_games().unwrap(), 1);
    assert!(again.delete("a").unwrap() && !again.delete("a").unwrap());
    assert_eq!(again.get("a").unwrap(), None);
}

#[test]
fn games_are_found_by_player_game_and_result() {
    let (_folder, library) = library();
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
    assert_eq!(ids(&library, Search::default()), ["g2", "g1", "g0"], "newest first");
    assert_eq!(ids(&library, search("ann", "", "")), ["g2", "g1", "g0"], "case does not matter");
    assert_eq!(ids(&library, search("ann", "gomoku", "")), ["g1", "g0"]);
    assert_eq!(ids(&library, search("王", "", "none")), ["g2"]);
    assert_eq!(ids(&library, search("", "gomoku:", "")), ["g1"]);
    assert_eq!(ids(&library, search("", "", "white")), [""; 0]);
}

#[test]
fn pages_have_fifty_games_and_end() {
    let (_folder, library) = library();
    for n in 0..120 {
        library.put(&game(&format!("{n:03}"), "gomoku", ["a", "b"], "draw", n), 0).unwrap();
    }
    for (page, wanted) in [(0, 50), (1, 50), (2, 20), (3, 0), (usize::MAX, 0)] {
        let found = library.search(&Search { page, ..Search::default() }).unwrap();
        assert_eq!((found.total, found.games.len()), (120, wanted), "page {page}");
    }
}

#[test]
fn texts_that_look_like_sql_are_texts() {
    let (_folder, library) = library();
    let nasty = ["'; DROP TABLE games; --", "\" OR 1=1", "%", "_", "\0", "</script>", "a' || 'b"];
    for (n, name) in nasty.into_iter().enumerate() {
        library.put(&game(&format!("{n}{name}"), name, [name, name], name, n as i64), 0).unwrap();
    }
    for (n, name) in nasty.into_iter().enumerate() {
        let id = format!("{n}{name}");
        assert_eq!(library.get(&id).unwrap().unwrap().entry.names[0], name);
        let by_result = Search { result: name.into(), ..Search::default() };
        assert_eq!(ids(&library, by_result), [id.as_str()]);
        let by_player = Search { player: name.into(), ..Search::default() };
        assert!(ids(&library, by_player).contains(&id), "{name:?}");
    }
    assert_eq!(ids(&library, Search { player: "%a%".into(), ..Search::default() }), [""; 0]);
    assert_eq!(library.get("' OR '1'='1").unwrap(), None);
    assert!(!library.delete("' OR '1'='1").unwrap());
    assert_eq!(library.search(&Search::default()).unwrap().total, nasty.len());
}

#[test]
fn what_is_too_long_is_refused() {
    let (_folder, library) = library();
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
    let library = Library::open(&path).unwrap();
    assert_eq!(library.get("a").unwrap().unwrap().entry.plies, 225);
    let contest = ContestEntry { id: "c".into(), running: true, ..ContestEntry::default() };
    library.put_contest(&contest).unwrap();
    assert_eq!(library.contest("c").unwrap(), Some(contest.clone()));
    assert_eq!(library.contests(9).unwrap(), [contest]);
    drop(library);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Library::open(&path), Err(StoreError::Newer { version: 99 })));
}

#[test]
fn readers_do_not_disturb_a_writer() {
    let (_folder, library) = library();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let library = &library;
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

#[test]
fn games_that_never_began_are_forgotten() {
    let (_folder, library) = library();
    let mut unbegun = game("a", "gomoku", ["x", "y"], "none", 0);
    unbegun.entry.plies = 0;
    library.put(&unbegun, 10).unwrap();
    library.put(&game("b", "gomoku", ["x", "y"], "none", 0), 10).unwrap();
    assert_eq!(library.forget_unbegun(10).unwrap(), 0);
    assert_eq!(library.forget_unbegun(11).unwrap(), 1);
    assert!(library.get("b").unwrap().is_some());
}

#[test]
fn visitors_are_counted_and_idle_games_rest() {
    let (_folder, library) = library();
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
    assert_eq!(Library::open(&to).unwrap().search(&Search::default()).unwrap().total, 200);
    let mut bytes = std::fs::read(&path).unwrap();
    let inside = bytes.len() / 2;
    bytes[inside..inside + 4096].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(Library::open(&path), Err(StoreError::Damaged(_))));
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "it is left as it is");
    assert!(matches!(copy(&path, &folder.path().join("other.sqlite")), Err(StoreError::Damaged(_))));
}
