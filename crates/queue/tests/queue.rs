//! The queue on a real PostgreSQL, one cluster for each test.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::collections::BTreeMap;
use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use lianzi_cage::Cages;
use lianzi_contest::journal::{Journal, Played};
use lianzi_contest::plan::Plan;
use lianzi_contest::run::{Conduct, Finished, run};
use lianzi_contest::statistics::Sprt;
use lianzi_contest::{Contest, Entrant, Format, Length};
use lianzi_core::Text;
use lianzi_engine::Stop;
use lianzi_game::clock::Control;
use lianzi_players::PlayerSpec;
use lianzi_queue::files::{Gathering, fetch};
use lianzi_queue::filing::{ContestJob, Terms, stopped};
use lianzi_queue::jobs::{self, GAMES, WORK};
use lianzi_queue::private::Cluster;
use lianzi_queue::schema::{Role, add_login, address_for, check, init};
use lianzi_queue::worker::{Config, Tally, work};
use lianzi_queue::{Address, Link, QueueError, bench, remote};

fn cluster() -> Cluster {
    let cluster = Cluster::start(&[]).expect("PostgreSQL is installed: apt-get install postgresql");
    let link = open(&cluster.address());
    assert_eq!(check(&link), Err(QueueError::Bare));
    init(&link, Some(Duration::from_secs(2))).unwrap();
    // Twice is as good as once.
    init(&link, None).unwrap();
    check(&link).unwrap();
    cluster
}

fn open(address: &str) -> Link {
    Link::open(&Address::read(address, None).unwrap(), &[WORK, GAMES]).unwrap()
}

fn specs(names: &[&str]) -> Vec<PlayerSpec> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn contest(players: &[&str], format: Format, length: Length, nodes: u64) -> Contest {
    let entrants = Entrant::all(players.iter().map(|spec| (spec.to_string(), spec.to_string())));
    let two = [entrants[0].clone(), entrants[1].clone()];
    let control = Control { per_move: Some(Duration::from_secs(60)), nodes: Some(nodes), ..Control::default() };
    let game = "connect4".parse().unwrap();
    Contest { players: entrants, format, length, control, seed: 5, ..Contest::of_two(game, two, 1) }
}

/// What was played, without times.
fn played(finished: &mut Finished) -> BTreeMap<String, String> {
    let timeless = |game: &Played| {
        let mut record = game.record.clone();
        record.moves.iter_mut().for_each(|one| (one.time_ms, one.cpu_us) = (None, None));
        for tag in ["started", "ended", "load"] {
            record.tags.retain(|one| one.name != tag);
        }
        (game.id.to_string(), record.to_json())
    };
    finished.games().unwrap().iter().map(timeless).collect()
}

fn on_one_machine(contest: &Contest) -> Finished {
    let players = specs(&contest.players.iter().map(|entrant| entrant.spec.as_str()).collect::<Vec<_>>());
    let make = |entrant: usize| players[entrant].player().unwrap();
    let conduct = Conduct::until(&Stop::default(), &make);
    run(contest, Plan::new(contest).unwrap(), Journal::passing().unwrap(), &conduct, &|_| {}).unwrap()
}

struct Hand<'a> {
    stop: Stop,
    cores: usize,
    only: Option<&'a str>,
    cache: &'a Path,
    told: Mutex<Vec<String>>,
}

impl<'a> Hand<'a> {
    fn new(cache: &'a Path) -> Hand<'a> {
        Hand { stop: Stop::default(), cores: 1, only: None, cache, told: Mutex::default() }
    }

    fn work(&self, address: &str) -> Tally {
        let cages = Cages::new("/nowhere".as_ref(), &std::env::temp_dir(), true);
        let config = Config {
            name: "test".into(),
            cores: self.cores,
            only: self.only.map(str::to_string),
            trust: false,
            cache: self.cache.into(),
            idle: None,
            cages: &cages,
            stop: self.stop.clone(),
            tell: &|text: Text| self.told.lock().unwrap().push(text.english.into_owned()),
        };
        work(&open(address), &config).unwrap()
    }

    fn was_told(&self, words: &str) -> bool {
        self.told.lock().unwrap().iter().any(|told| told.contains(words))
    }
}

/// Ends workers, also when the test fails: somebody waits for them.
struct Ends<'a>(Vec<&'a Stop>);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|stop| stop.set());
    }
}

fn wait_for(what: &str, mut is_true: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_true() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Files a contest and follows it to its end.
fn follow(address: &str, contest: &Contest) -> Finished {
    let link = open(address);
    let players = specs(&contest.players.iter().map(|entrant| entrant.spec.as_str()).collect::<Vec<_>>());
    let filed = ContestJob::file(&link, contest, &players, Terms::default()).unwrap();
    let journal = Journal::passing().unwrap();
    remote::follow(&link, filed.job, contest, journal, &Stop::default(), &|_| {}).unwrap()
}

#[test]
fn many_workers_play_what_one_machine_plays() {
    let (cluster, cache) = (cluster(), tempfile::tempdir().unwrap());
    let address = cluster.address();
    let players = ["greedy", "random", "uct", "greedy@seed=2,name=other", "random@seed=9,name=fifth"];
    let mut contests = vec![
        contest(&players, Format::RoundRobin, Length::Pairs(2), 50),
        contest(&players, Format::Swiss { rounds: 3 }, Length::Pairs(1), 50),
        contest(&players, Format::Knockout, Length::BestOf(3), 50),
        contest(&players, Format::Gauntlet, Length::Pairs(1), 50),
    ];
    let mut tested = contest(&players[..2], Format::RoundRobin, Length::Pairs(500), 50);
    tested.sprt = Some(Sprt::new(0.0, 50.0));
    contests.push(tested);
    let hands: Vec<Hand<'_>> = (0..3).map(|n| Hand { cores: 1 + n % 2, ..Hand::new(cache.path()) }).collect();
    thread::scope(|scope| {
        let _end = Ends(hands.iter().map(|hand| &hand.stop).collect());
        hands.iter().for_each(|hand| drop(scope.spawn(|| hand.work(&address))));
        // Two commands that file the same contest follow the same job.
        let twice = [0, 1].map(|_| scope.spawn(|| played(&mut follow(&address, &contests[0]))));
        let [first, second] = twice.map(|thread| thread.join().unwrap());
        assert_eq!(first, second);
        for contest in &contests {
            let (mut there, mut here) = (follow(&address, contest), on_one_machine(contest));
            assert!(!there.broken_off);
            let count = |plan: &Plan| plan.results().collect::<Vec<_>>();
            assert_eq!(count(&there.plan), count(&here.plan), "{:?}", contest.format);
            if contest.sprt.is_none() {
                assert_eq!(played(&mut there), played(&mut here), "{:?}", contest.format);
            } else {
                assert_eq!(there.plan.sprt().unwrap().llr(), here.plan.sprt().unwrap().llr());
                assert!(here.plan.progress().0 < 1000, "the test ended early");
            }
        }
    });
    let link = open(&address);
    assert_eq!(jobs::list(&link, None).unwrap().iter().filter(|job| job.state == "done").count(), contests.len());
}

#[test]
fn a_database_that_goes_down_loses_nothing() {
    let (cluster, cache) = (cluster(), tempfile::tempdir().unwrap());
    let address = cluster.address();
    let contest = contest(&["uct", "greedy"], Format::RoundRobin, Length::Pairs(60), 300);
    let hand = Hand { cores: 2, ..Hand::new(cache.path()) };
    thread::scope(|scope| {
        let _end = Ends(vec![&hand.stop]);
        let worker = scope.spawn(|| hand.work(&address));
        let following = scope.spawn(|| played(&mut follow(&address, &contest)));
        let stored = || jobs::list(&open(&address), None).unwrap().first().map_or(0, |job| job.games[0]);
        wait_for("games begin", || stored() > 5);
        cluster.down().unwrap();
        // Games that run now end while there is nobody to tell.
        let waiting = || walk(cache.path()).iter().any(|name| name.ends_with(".game"));
        wait_for("a game waits on the disk", waiting);
        cluster.up().unwrap();
        assert_eq!(following.join().unwrap(), played(&mut on_one_machine(&contest)));
        wait_for("nothing waits any more", || !waiting());
        hand.stop.set();
        assert!(worker.join().unwrap().games >= 120);
    });
    assert!(hand.was_told("cannot be reached") && hand.was_told("is back"));
}

/// The database takes nothing for a while, says no for a while, and a worker loses no game by either.
#[test]
fn a_database_that_refuses_loses_nothing() {
    let (cluster, cache) = (cluster(), tempfile::tempdir().unwrap());
    let address = cluster.address();
    let contest = contest(&["uct", "greedy"], Format::RoundRobin, Length::Pairs(40), 300);
    let hand = Hand::new(cache.path());
    let link = open(&address);
    thread::scope(|scope| {
        let _end = Ends(vec![&hand.stop]);
        scope.spawn(|| hand.work(&address));
        let following = scope.spawn(|| played(&mut follow(&address, &contest)));
        let stored = || jobs::list(&link, None).unwrap().first().map_or(0, |job| job.games[0]);
        let waiting = || walk(cache.path()).iter().any(|name| name.ends_with(".game"));
        // As a full disk is told, and as a login is told whose rights were taken away.
        for (code, words) in [("53100", "cannot do it now"), ("42501", "says no")] {
            let before = stored();
            wait_for("games are stored", || stored() > before + 3);
            let refuse = format!(
                "CREATE FUNCTION lianzi.no() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$;
                 CREATE TRIGGER no BEFORE INSERT ON lianzi.games FOR EACH ROW EXECUTE FUNCTION lianzi.no()"
            );
            link.batch(&refuse).unwrap();
            wait_for("a game waits on the disk", waiting);
            wait_for("it is told", || hand.was_told(words));
            link.batch("DROP FUNCTION lianzi.no() CASCADE").unwrap();
        }
        assert_eq!(following.join().unwrap(), played(&mut on_one_machine(&contest)));
        wait_for("nothing waits any more", || !waiting());
        hand.stop.set();
    });
    assert!(!walk(cache.path()).iter().any(|name| name.ends_with(".refused")));
}

/// A pair of games that ends every worker that takes it must not go round for ever.
#[test]
fn a_pair_that_outlives_its_workers_pauses_the_job() {
    let cluster = cluster();
    let link = open(&cluster.address());
    let two = contest(&["random", "greedy"], Format::RoundRobin, Length::Pairs(1), 10);
    let filed = ContestJob::file(&link, &two, &specs(&["random", "greedy"]), Terms::default()).unwrap();
    link.batch("UPDATE lianzi.settings SET attempts = 3, lease = '100 milliseconds'").unwrap();
    let item = r#"[{"number":0,"encounter":0,"first":0,"count":2,"round":0,"seats":[0,1],"opening":0}]"#;
    link.query("SELECT lianzi.add_items($1, $2)", &[&filed.job, &item]).unwrap();
    for attempt in 0..3 {
        assert_eq!(jobs::list(&link, None).unwrap()[0].state, "open", "{attempt}");
        let me: i64 = link.row("SELECT lianzi.join_in('mortal', 1, 'x')", &[]).unwrap().get(0);
        let taken = || link.query("SELECT * FROM lianzi.claim($1, $2)", &[&me, &vec![filed.job]]).unwrap().len();
        assert_eq!((taken(), taken()), (1, 0));
        // It is not heard of again; somebody else comes by.
        let other: i64 = link.row("SELECT lianzi.join_in('other', 1, 'x')", &[]).unwrap().get(0);
        wait_for("it is free again", || {
            link.query("SELECT lianzi.beat($1, '')", &[&other]).unwrap();
            jobs::list(&link, None).unwrap()[0].games[2] == 2
        });
    }
    let listed = &jobs::list(&link, None).unwrap()[0];
    assert_eq!((listed.state.as_str(), listed.note.contains("begun 3 times")), ("paused", true), "{listed:?}");
    // Whoever lets it go on gives it as many attempts again.
    assert!(jobs::set_open(&link, filed.job, true).unwrap());
    assert_eq!(jobs::list(&link, None).unwrap()[0].state, "open");
}

/// Files of several pieces go into the database and come out whole, into a folder that is looked at before it is used.
#[test]
fn files_go_in_pieces_and_are_checked() {
    let (cluster, folder) = (cluster(), tempfile::tempdir().unwrap());
    let link = open(&cluster.address());
    let source = folder.path().join("engine");
    let bytes: Vec<u8> = (0..2_500_000_u32).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect();
    std::fs::write(&source, &bytes).unwrap();
    std::fs::set_permissions(&source, Permissions::from_mode(0o700)).unwrap();
    let mut files = Gathering::default();
    files.file(&source).unwrap();
    // What is there is not sent again.
    for _ in 0..2 {
        files.put(&link).unwrap();
    }
    let count = |what: &str| link.row(&format!("SELECT count(*) FROM lianzi.{what}"), &[]).unwrap().get::<_, i64>(0);
    assert_eq!((count("files"), count("chunks")), (1, 3), "pieces of 1 MiB");
    let cache = folder.path().join("cache");
    let (bundle, mut pieces) = (files.bundle().clone(), 0);
    let mut fetched = || {
        fetch(&link, &bundle, &cache, &mut || {
            pieces += 1;
            Ok(())
        })
    };
    let copy = fetched().unwrap().join(&bundle.files[0].name);
    assert!(std::fs::read(&copy).unwrap() == bytes && std::fs::metadata(&copy).unwrap().mode() & 0o111 != 0);
    // Somebody changed the copy: it is fetched anew. It is whole: it is not.
    std::fs::write(&copy, b"something else").unwrap();
    for _ in 0..2 {
        fetched().unwrap();
        assert!(std::fs::read(&copy).unwrap() == bytes);
    }
    std::fs::remove_file(&copy).unwrap();
    // Somebody changed what is in the database: nobody runs that.
    link.batch("UPDATE lianzi.chunks SET bytes = 'x' WHERE number = 2").unwrap();
    assert!(matches!(fetched(), Err(QueueError::Refused(why)) if why.contains("damaged")));
    assert!(!copy.exists());
    assert_eq!(pieces, 9, "three times three");
}

fn walk(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        names.push(entry.path().display().to_string());
        names.extend(walk(&entry.path()));
    }
    names
}

#[test]
fn jobs_are_paused_cancelled_and_refused() {
    let (cluster, cache) = (cluster(), tempfile::tempdir().unwrap());
    let address = cluster.address();
    let link = open(&address);
    let long = contest(&["uct", "random"], Format::RoundRobin, Length::Pairs(5000), 500);
    let file =
        |contest: &Contest| ContestJob::file(&link, contest, &specs(&["uct", "random"]), Terms::default()).unwrap();
    let filed = file(&long);
    let hand = Hand { only: Some("connect4"), ..Hand::new(cache.path()) };
    thread::scope(|scope| {
        let _end = Ends(vec![&hand.stop]);
        scope.spawn(|| hand.work(&address));
        let stored = || jobs::list(&link, Some(filed.job)).unwrap()[0].games[0];
        wait_for("a worker lays the contest out itself and plays", || stored() > 0);
        assert!(jobs::set_open(&link, filed.job, false).unwrap());
        // What is held is played; then nothing is.
        wait_for("nobody plays", || jobs::list(&link, Some(filed.job)).unwrap()[0].games[1] == 0);
        let before = stored();
        thread::sleep(Duration::from_millis(300));
        assert_eq!(stored(), before);
        assert!(jobs::set_open(&link, filed.job, true).unwrap());
        wait_for("it goes on", || stored() > before);
        let following = scope.spawn(|| {
            let link = open(&address);
            remote::follow(&link, filed.job, &long, Journal::passing().unwrap(), &Stop::default(), &|_| {})
        });
        jobs::cancel(&link, filed.job, "enough").unwrap();
        let error = following.join().unwrap().unwrap_err().to_string();
        assert!(error.contains("cancelled (enough)"), "{error}");
        assert!(stopped(&file(&long)).is_some());
        // Whoever cannot play a job says why, to everybody.
        let other = Contest { game: "gomoku".parse().unwrap(), ..long.clone() };
        let (other, alien) = (file(&other), file(&Contest { seed: 77, ..long.clone() }));
        link.query("UPDATE lianzi.jobs SET version = 'other' WHERE id = $1", &[&alien.job]).unwrap();
        wait_for("it says so", || {
            jobs::workers(&link).unwrap().iter().any(|worker| worker.note.contains("takes only connect4"))
        });
        assert_eq!(jobs::list(&link, Some(other.job)).unwrap()[0].games[0], 0);
        assert!(jobs::remove(&link, filed.job).unwrap() && !jobs::remove(&link, filed.job).unwrap());
        hand.stop.set();
    });
}

#[test]
fn roles_bound_what_logins_may_do() {
    let cluster = cluster();
    let link = open(&cluster.address());
    let password = add_login(&link, "pc 7", Role::Worker).unwrap();
    let filer = add_login(&link, "teacher", Role::Filer).unwrap();
    let login = |user: &str, password: &str| open(&address_for(&cluster.address(), user, password));
    let worker = login("pc%207", &password);
    let refused = |link: &Link, sql: &str| matches!(link.query(sql, &[]), Err(QueueError::Refused(_)));
    for forbidden in [
        "DELETE FROM lianzi.games",
        "UPDATE lianzi.items SET state = 0",
        "INSERT INTO lianzi.games VALUES (1, 0, 0, 1, '', 1)",
        "SELECT lianzi.remove_job(1)",
        "SELECT lianzi.set_job(1, 'paused')",
        "SELECT lianzi.file_job('', '', '', '', '', '', '{}')",
        "SELECT lianzi.sweep()",
        "CREATE TABLE lianzi.mine ()",
    ] {
        assert!(refused(&worker, forbidden), "{forbidden}");
    }
    let me: i64 = worker.row("SELECT lianzi.join_in('x', 1, 'x')", &[]).unwrap().get(0);
    assert!(worker.query("SELECT * FROM lianzi.claim($1, '{}')", &[&me]).unwrap().is_empty());
    let teacher = login("teacher", &filer);
    let two = contest(&["random", "greedy"], Format::RoundRobin, Length::Pairs(1), 10);
    let filed = ContestJob::file(&teacher, &two, &specs(&["random", "greedy"]), Terms::default()).unwrap();
    assert!(refused(&teacher, "DELETE FROM lianzi.games") && refused(&teacher, "DROP TABLE lianzi.games"));
    assert_eq!(jobs::list(&link, None).unwrap()[0].filer, "teacher");
    assert!(jobs::remove(&teacher, filed.job).unwrap());
}

/// Runs openssl in a cluster's folder.
fn openssl(cluster: &Cluster, arguments: &str) {
    let mut command = Command::new("openssl");
    command.current_dir(cluster.folder()).args(arguments.split(' ')).stderr(Stdio::null());
    assert!(command.status().expect("openssl is installed: apt-get install openssl").success(), "{arguments}");
}

/// Lets a cluster listen at a port for encrypted connections too, with a certificate for `localhost` alone, signed by the
/// authority in `ours.crt`.
fn with_tls(cluster: &Cluster) -> u16 {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    for authority in ["ours", "theirs"] {
        openssl(cluster, &format!("{new} -subj /CN={authority} -keyout {authority}.key -out {authority}.crt"));
    }
    let end = "-addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:localhost";
    let signed = format!("{new} -CA ours.crt -CAkey ours.key -subj /CN=localhost {end}");
    openssl(cluster, &format!("{signed} -keyout data/server.key -out data/server.crt"));
    let owner = std::fs::metadata(cluster.data()).unwrap();
    for file in ["server.key", "server.crt"] {
        let file = cluster.data().join(file);
        std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        chown(&file, Some(owner.uid()), Some(owner.gid())).unwrap();
    }
    let mut config = OpenOptions::new().append(true).open(cluster.data().join("postgresql.conf")).unwrap();
    write!(config, "listen_addresses = 'localhost'\nport = {port}\nssl = on\n").unwrap();
    cluster.down().unwrap();
    cluster.up().unwrap();
    port
}

#[test]
fn encrypted_connections_know_whom_they_reach() {
    let cluster = cluster();
    let port = with_tls(&cluster);
    let reach = |host: &str, query: &str| {
        let address = Address::read(&format!("postgres://lianzi@{host}:{port}/postgres?{query}"), None).unwrap();
        let link = Link::open(&address, &[])?;
        link.row("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", &[]).map(|row| row.get::<_, bool>(0))
    };
    let of = |authority: &str| {
        format!("sslmode=verify-full&sslrootcert={}", cluster.folder().join(format!("{authority}.crt")).display())
    };
    assert_eq!(reach("localhost", &of("ours")), Ok(true));
    assert_eq!((reach("localhost", ""), reach("localhost", "sslmode=disable")), (Ok(true), Ok(false)));
    // Another authority, the right one for another name, and one that the system does not know.
    for (host, query) in
        [("localhost", of("theirs")), ("127.0.0.1", of("ours")), ("localhost", "sslmode=require".to_string())]
    {
        assert!(reach(host, &query).is_err(), "{host} {query}");
    }
}

#[test]
fn a_later_version_is_left_alone() {
    let cluster = cluster();
    let link = open(&cluster.address());
    link.query("INSERT INTO lianzi.steps VALUES (99)", &[]).unwrap();
    assert_eq!((check(&link), init(&link, None)), (Err(QueueError::Newer(99)), Err(QueueError::Newer(99))));
    let figures = bench::measure(link.address(), 4, Duration::from_millis(500)).unwrap();
    assert!(figures.games > 20.0, "{figures:?}");
}
