//! `bench soak`: a server, an arena and cages that work side by side for a long time while they are killed again and again and their
//! players misbehave. Nothing may be lost, nothing left behind, and no process may grow. Linux shows that in /proc.
//! Whoever tries to take the machine does so beside an honest match, which must not lose a game by it, and whoever
//! tries to take the server beside people who play on it.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use lianzi_core::text;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::cage::Library;
use super::grading::resident;
use super::programs::{self, Brain};
use super::serve::{House, Ongoing};
use super::siege::besiege;
use lianzi_console::{Console, line};

/// How many people play on the server at once.
const PEOPLE: u64 = 8;
/// How many lives the server has: all but the last end by a kill.
const LIVES: u32 = 4;
/// No server may take more than this, in KiB: the tables of this machine's cores, and uploads that are read.
const MOST_MEMORY: u64 = 3 << 20;
/// How many games a match of the soak has.
const GAMES: usize = 20;

/// What happened so far.
#[derive(Default)]
struct Tally {
    page: AtomicU64,
    arena: AtomicU64,
    cages: AtomicU64,
    attacks: AtomicU64,
    sieges: AtomicU64,
    kills: AtomicU64,
}

/// What one life of the server was seen to take, when it had warmed up and at its end.
struct Life {
    memory: [u64; 2],
    files: [u64; 2],
}

/// Soaks for so long and prints what was found; fails if anything was lost or left.
pub fn run(time: Duration, as_json: bool, console: &Console) -> anyhow::Result<()> {
    let library = Library::new().context("a folder for the libraries")?;
    let libraries: Vec<String> = (0..8)
        .map(|deed| library.compile(deed).map(|file| format!("so:{}", file.display())))
        .collect::<Option<_>>()
        .context(console.pick("the soak needs a C compiler (cc)", "压力测试需要 C 编译器（cc）"))?;
    let named = |brains: &[Brain]| brains.iter().map(|&brain| programs::name(brain)).collect::<Result<Vec<_>, _>>();
    // Who does not start is refused before the first game, and what a killed arena's daemon does is nobody's to see.
    let brains = named(&[Brain::Strewn, Brain::Dies, Brain::Floods, Brain::Hangs])?;
    let loud = named(&[Brain::Floods, Brain::Daemon])?;
    let (tally, until, scratch) = (Tally::default(), Instant::now() + time, library.path("scratch"));
    fs::create_dir(&scratch)?;
    let soak = Soak { library: &library, tally: &tally, until };
    let lives = std::thread::scope(|scope| {
        let arena = scope.spawn(|| soak.matches("gomoku", &brains, &tally.arena));
        let cages = scope.spawn(|| soak.matches("connect4:random", &libraries, &tally.cages));
        let attacks = scope.spawn(|| soak.attacks(&libraries, &loud));
        let lives = soak.server(time / LIVES);
        for thread in [arena, cages, attacks] {
            thread.join().map_err(|_| anyhow!("a thread of the soak died"))??;
        }
        lives
    })?;
    // The next arena that has a cage sweeps what killed ones left behind; what those started needs a moment to end.
    gone(&library.path(""));
    let sweeping = Match { game: "connect4:random", player: &libraries[0], seed: 0, games: GAMES, time: "50ms" };
    soak.play(&sweeping, Duration::MAX)?;
    let (left, strays) = (files_in(&scratch)?, strays(&library.path("")));
    line(words(&tally, &lives, left.len(), strays.len(), as_json, console))?;
    ensure!(left.is_empty() && strays.is_empty(), "left behind: {left:?} and the processes {strays:?}");
    Ok(())
}

/// A match of `greedy` with another player.
struct Match<'a> {
    game: &'a str,
    player: &'a str,
    seed: u64,
    games: usize,
    /// For each move.
    time: &'a str,
}

/// The house that is soaked.
#[derive(Clone, Copy)]
struct Soak<'a> {
    library: &'a Library,
    tally: &'a Tally,
    until: Instant,
}

impl Soak<'_> {
    /// This program, with a scratch folder of its own.
    fn command(&self) -> anyhow::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.env("TMPDIR", self.library.path("scratch")).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }

    /// Plays matches against all of these players in turn until time is up. Each is killed a few times and goes on.
    fn matches(&self, game: &str, players: &[String], count: &AtomicU64) -> anyhow::Result<()> {
        for (n, player) in (1u64..).zip(players.iter().cycle()) {
            if Instant::now() >= self.until {
                break;
            }
            let played = Match { game, player, seed: n, games: GAMES, time: "50ms" };
            self.play(&played, Duration::from_millis(200 + n % 7 * 100))?;
            count.fetch_add(GAMES as u64, Relaxed);
        }
        Ok(())
    }

    /// Lets each of those who take disk, threads or attention play beside an honest match, again and again until time
    /// is up and at least once. The honest one has time enough on any machine that is shared fairly.
    fn attacks(&self, libraries: &[String], loud: &[String]) -> anyhow::Result<()> {
        let taking = libraries[4..].iter().map(|library| ("connect4:random", library));
        let loud = loud.iter().map(|brain| ("gomoku", brain));
        let attackers: Vec<(&str, &String)> = taking.chain(loud).collect();
        for (n, &(game, player)) in (0u64..).zip(attackers.iter().cycle()) {
            if n >= attackers.len() as u64 && Instant::now() >= self.until {
                break;
            }
            let attack = Match { game, player, seed: 1 << 32 | n, games: 4, time: "50ms" };
            let honest = Match { game: "connect4:9x9", player: &libraries[0], seed: n, games: 4, time: "2s" };
            let faults = std::thread::scope(|scope| {
                let attack = scope.spawn(|| self.play(&attack, Duration::MAX));
                let faults = self.play(&honest, Duration::MAX);
                attack.join().map_err(|_| anyhow!("a thread of the soak died"))??;
                faults
            })?;
            ensure!(faults == 0, "beside {player} an honest match lost {faults} games by faults");
            self.tally.attacks.fetch_add(1, Relaxed);
        }
        Ok(())
    }

    /// One match, killed after `patience`, which then doubles, until it has ended by itself with every game kept
    /// once. How many of them ended by a fault.
    fn play(&self, played: &Match<'_>, mut patience: Duration) -> anyhow::Result<usize> {
        let &Match { game, player, seed, games, time } = played;
        let out = self.library.path(&format!("{}-{seed}", game.replace(':', "-")));
        let complaint = out.with_extension("txt");
        loop {
            let mut contest = self.command()?;
            contest.args(["match", game, "greedy", player, "--time", time, "--concurrency", "2", "--resume"]);
            contest.stderr(fs::File::create(&complaint)?).args(["--openings", "none"]);
            contest.args(["--games", &games.to_string(), "--seed", &seed.to_string(), "--out"]).arg(&out);
            match end_of(contest.spawn()?, patience)? {
                Some(true) => break,
                Some(false) => bail!("the match of {player} failed: {}", fs::read_to_string(&complaint)?),
                None => drop(self.tally.kills.fetch_add(1, Relaxed)),
            }
            patience *= 2;
        }
        let (kept, faults) = games_in(&out.join("games.jsonl"))?;
        ensure!(kept == games, "of {games} games against {player} {kept} different ones were kept");
        fs::remove_dir_all(&out)?;
        Ok(faults)
    }

    /// A server that people play on, killed in the middle of their games after each life. They go on in the next.
    fn server(&self, life: Duration) -> anyhow::Result<Vec<Life>> {
        tokio::runtime::Runtime::new()?.block_on(async {
            let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            let house = House { host: format!("127.0.0.1:{port}") };
            let mut people: Vec<Person> = (0..PEOPLE).map(Person::new).collect();
            let mut lives = Vec::new();
            for _ in 0..LIVES {
                let server = self.open(&house).await?;
                let seen;
                (seen, people) = self.live(&house, server, people, life).await?;
                lives.push(seen);
            }
            let _server = self.open(&house).await?;
            let (made, kept) = (people.iter().map(|person| person.begun).sum::<u64>(), house.total().await?);
            // A kill may come between a game and the answer that tells of it.
            ensure!(kept >= made, "of {made} games on the page {kept} were kept");
            Ok(lives)
        })
    }

    /// Where the server says what it has to complain about.
    fn last_words(&self) -> PathBuf {
        self.library.path("server.txt")
    }

    async fn open(&self, house: &House) -> anyhow::Result<Ended> {
        let mut server = self.command()?;
        server
            .args(["serve", "--proxy", "--public-library", "--addr", &house.host, "--data"])
            .arg(self.library.path("data"));
        server.stderr(fs::File::create(self.last_words())?);
        let server = Ended(server.spawn()?);
        house.wait().await?;
        Ok(server)
    }

    /// One life of the server: everybody plays until it is killed.
    async fn live(
        &self,
        house: &House,
        mut server: Ended,
        people: Vec<Person>,
        life: Duration,
    ) -> anyhow::Result<(Life, Vec<Person>)> {
        let end = tokio::time::Instant::now() + life;
        let mut playing = JoinSet::new();
        for mut person in people {
            let house = house.clone();
            playing.spawn(async move {
                let why = person.play(&house).await;
                (person, why)
            });
        }
        let siege = tokio::spawn(besiege(house.clone(), u64::from(server.0.id()), end));
        tokio::time::sleep(life / 4).await;
        let early = taken(server.0.id());
        tokio::time::sleep_until(end).await;
        let late = taken(server.0.id());
        if let Some(stopped) = playing.try_join_next() {
            let (ended, said) = (server.0.try_wait()?, fs::read_to_string(self.last_words())?);
            let said: Vec<&str> = said.lines().rev().take(20).collect();
            bail!("somebody stopped before the server ({ended:?}) was killed: {:#}; it said {said:#?}", stopped?.1);
        }
        ensure!(early.0.max(late.0) < MOST_MEMORY, "the server took {early:?} and {late:?}");
        drop(server);
        self.tally.kills.fetch_add(1, Relaxed);
        self.tally.sieges.fetch_add(siege.await??, Relaxed);
        let mut people = Vec::new();
        while let Some(ended) = playing.join_next().await {
            let (person, why) = ended?;
            ensure!(!why.is::<Wrong>(), "{why}");
            people.push(person);
        }
        self.tally.page.store(people.iter().map(|person| person.finished).sum(), Relaxed);
        Ok((Life { memory: [early.0, late.0], files: [early.1, late.1] }, people))
    }
}

/// Somebody who plays one game after the other.
struct Person {
    seed: u64,
    begun: u64,
    finished: u64,
    game: Option<Ongoing>,
}

impl Person {
    fn new(seed: u64) -> Person {
        Person { seed, begun: 0, finished: 0, game: None }
    }

    /// Plays until something comes in between, and says what: the end of the server, or something wrong.
    async fn play(&mut self, house: &House) -> anyhow::Error {
        loop {
            if let Err(why) = self.play_one(house).await {
                return why;
            }
        }
    }

    async fn play_one(&mut self, house: &House) -> anyhow::Result<()> {
        let game = match &mut self.game {
            Some(game) => game,
            none => {
                let seed = self.seed + PEOPLE * self.begun;
                let game = house.begin("connect4", "uct@nodes=500", seed).await.context("a game could not be begun")?;
                self.begun += 1;
                none.insert(game)
            }
        };
        let played = house.play_out(game).await.context("a game did not go on")?;
        ensure!(!played.lost, Wrong("stones on the page were lost"));
        ensure!(!played.fault, Wrong("an engine on the page failed"));
        self.finished += 1;
        self.game = None;
        Ok(())
    }
}

/// What must not happen, whoever is killed.
#[derive(Debug)]
struct Wrong(&'static str);

impl std::fmt::Display for Wrong {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.0)
    }
}

impl std::error::Error for Wrong {}

/// A process that does not outlive its owner.
pub struct Ended(pub Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a process ended well; nothing if it had to be killed.
fn end_of(process: Child, patience: Duration) -> anyhow::Result<Option<bool>> {
    let (mut process, start) = (Ended(process), Instant::now());
    while start.elapsed() < patience {
        if let Some(status) = process.0.try_wait()? {
            return Ok(Some(status.success()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(None)
}

/// How many different games of a contest a journal holds, and how many ended by a fault; every line must be whole.
fn games_in(journal: &Path) -> anyhow::Result<(usize, usize)> {
    let text = fs::read_to_string(journal)?;
    let (mut places, mut faults) = (HashSet::new(), 0);
    for game in text.lines() {
        let game: Value = serde_json::from_str(game)?;
        let tag = game["tags"].as_array().into_iter().flatten().find(|tag| tag["name"] == "contest-game");
        let place = tag.map(|tag| tag["values"].to_string()).context("a game without its place")?;
        ensure!(places.insert(place), "a game was kept twice");
        faults += usize::from(game["verdict"]["blame"].is_string());
    }
    Ok((places.len(), faults))
}

/// Resident memory in KiB and open files of a process.
fn taken(process: u32) -> (u64, u64) {
    let files = fs::read_dir(format!("/proc/{process}/fd")).map_or(0, |files| files.count() as u64);
    (resident(process).unwrap_or_default(), files)
}

/// The processes that still speak of this folder.
fn strays(folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy().into_owned();
    let me = std::process::id().to_string();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let others = processes.filter(|process| process.file_name().to_string_lossy() != me);
    let said =
        |file: &Path| fs::read(file).map(|text| String::from_utf8_lossy(&text).replace('\0', " ")).unwrap_or_default();
    let speaks = |process: &Path| ["cmdline", "environ"].iter().any(|file| said(&process.join(file)).contains(&folder));
    others
        .map(|process| process.path())
        .filter(|process| speaks(process))
        .map(|process| said(&process.join("cmdline")))
        .collect()
}

/// Waits until no process speaks of this folder, but not for ever: who stays is told at the end.
fn gone(folder: &Path) {
    let start = Instant::now();
    while !strays(folder).is_empty() && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The names of all that lies in a folder, with what lies in that.
fn files_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?.path();
        let within: Vec<_> =
            fs::read_dir(&entry).into_iter().flatten().flatten().map(|file| file.file_name()).collect();
        files.push(format!("{} {within:?}", entry.display()));
    }
    Ok(files)
}

fn words(tally: &Tally, lives: &[Life], left: usize, strays: usize, as_json: bool, console: &Console) -> String {
    let counts = [&tally.page, &tally.arena, &tally.cages, &tally.attacks, &tally.sieges, &tally.kills];
    let [page, arena, cages, attacks, sieges, kills] = counts.map(|count| count.load(Relaxed));
    let memory: Vec<[u64; 2]> = lives.iter().map(|life| life.memory).collect();
    let files: Vec<[u64; 2]> = lives.iter().map(|life| life.files).collect();
    match as_json {
        true => json!({"bench": "soak", "page_games": page, "arena_games": arena, "cage_games": cages, "attacks": attacks, "sieges": sieges, "kills": kills, "server_kib": memory, "server_files": files, "scratch_left": left, "processes_left": strays}).to_string(),
        false => console.say(text!(
            "{page} games on the page, {arena} in the arena, {cages} in cages, {kills} kills: none lost, none twice. {attacks} attacks beside an honest match, which lost no game by them. {sieges} attacks on the server, on which everybody else played on. The server's lives, early and late: memory {memory:?} KiB, open files {files:?}. Left behind: {left} scratch folders, {strays} processes",
            "网页 {page} 局，竞技场 {arena} 局，隔离进程 {cages} 局，强制终止 {kills} 次：无丢失，无重复。攻击 {attacks} 次，同时进行的正常比赛未因此输棋。对服务器攻击 {sieges} 次，其他人的对局照常进行。服务器每次运行前后：内存 {memory:?} KiB，打开的文件 {files:?}。残留：临时文件夹 {left} 个，进程 {strays} 个"
        )),
    }
}
