//! `bench serve`: a server on this machine, asked by many at once.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt};
use lianzi_core::{Cell, Position, Random, Rules};
use lianzi_engine::BUILT_IN;
use lianzi_server::{Bounds, Config, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use lianzi_console::{Console, line};

/// A game without an early end: nobody makes fifteen in a row.
pub const LONG_GAME: &str = "connect:15,15,15,1,1";
const MOVES: usize = 200;
const WATCHERS: usize = 100;
const GAMES: usize = 100;

/// Starts a server, measures it and prints what was found.
pub fn run(json: bool, console: &Console) -> anyhow::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(bench(json, console))
}

/// A server of its own with nothing special.
fn config(data: &Path) -> Config {
    Config {
        addr: ([127, 0, 0, 1], 0).into(),
        data: data.into(),
        store: None,
        players: Vec::new(),
        cores: lianzi_console::cores(),
        hosts: Vec::new(),
        proxied: false,
        public_library: false,
        school: Default::default(),
        class: false,
        page: None,
        bounds: Bounds::default(),
    }
}

async fn bench(json: bool, console: &Console) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let server = Server::open(config(folder.path())).await?;
    let (host, bytes) = (server.addr().to_string(), server.page_bytes());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async { stopped.await.unwrap_or_default() }));
    let house = House { host };
    let mut rows = vec![house.page(bytes).await?];
    rows.push(house.latency().await?);
    rows.push(house.watchers().await?);
    rows.push(house.games().await?);
    rows.push(super::crowd::crowd().await?);
    for row in rows {
        line(if json { row.to_string() } else { words(&row, console) })?;
    }
    drop(stop);
    running.await??;
    Ok(())
}

fn words(row: &Value, console: &Console) -> String {
    let head = match row["measured"].as_str().unwrap_or_default() {
        "page" => console.pick("the page", "网页"),
        "latency" => console.pick("a person's stone until the new state", "落子到新状态"),
        "crowd" => console.pick("games of two people who move every 3 s", "双方每 3 秒落一子的对局"),
        "watchers" => console.pick("watchers of one game", "一局的观众"),
        _ => console.pick("games at once against an engine", "同时与引擎对局"),
    };
    let figures =
        row.as_object().into_iter().flatten().filter(|(key, _)| !["bench", "measured"].contains(&key.as_str()));
    let figures: Vec<String> =
        figures.map(|(key, value)| format!("{key} {}", value.to_string().trim_matches('"'))).collect();
    format!("{head}: {}", figures.join("  "))
}

/// A server that is asked.
#[derive(Clone)]
pub struct House {
    /// Where it listens.
    pub host: String,
}

/// A connection to a game.
pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

impl House {
    async fn page(&self, bytes: usize) -> anyhow::Result<Value> {
        let mut times = Vec::new();
        for _ in 0..20 {
            let start = Instant::now();
            let mut stream = TcpStream::connect(&self.host).await?;
            stream
                .write_all(format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host).as_bytes())
                .await?;
            stream.read_u8().await?;
            times.push(start.elapsed());
        }
        let [half, late, _] = quantiles(&mut times);
        Ok(
            json!({"bench": "serve", "measured": "page", "first_byte_p50_ms": half, "first_byte_p99_ms": late, "page_bytes": bytes}),
        )
    }

    /// One person plays both sides and waits for each new state.
    async fn latency(&self) -> anyhow::Result<Value> {
        let (id, tokens) = self.set_up(LONG_GAME, ["human", "human"]).await?;
        let mut player = self.sit(&id, &tokens).await?;
        wait_for(&mut player, 0).await?;
        let mut times = Vec::new();
        for (n, cell) in long_game().into_iter().enumerate() {
            let start = Instant::now();
            place(&mut player, cell).await?;
            wait_for(&mut player, n + 1).await?;
            times.push(start.elapsed());
        }
        let [half, late, worst] = quantiles(&mut times);
        Ok(
            json!({"bench": "serve", "measured": "latency", "moves": times.len(), "p50_ms": half, "p99_ms": late, "max_ms": worst}),
        )
    }

    /// Many watch one game that is played as fast as it goes; each must see every stone.
    async fn watchers(&self) -> anyhow::Result<Value> {
        let (id, tokens) = self.set_up(LONG_GAME, ["human", "human"]).await?;
        let mut player = self.sit(&id, &tokens).await?;
        wait_for(&mut player, 0).await?;
        let mut watchers = JoinSet::new();
        for _ in 0..WATCHERS {
            let mut watcher = self.sit(&id, "").await?;
            wait_for(&mut watcher, 0).await?;
            watchers.spawn(async move {
                let mut missed = 0;
                for plies in 1..=MOVES {
                    // A state that never comes shows as one that is further on.
                    let seen = next_state(&mut watcher).await.map(|state| stones(&state))?;
                    missed += usize::from(seen != plies);
                }
                anyhow::Ok(missed)
            });
        }
        let start = Instant::now();
        for (n, cell) in long_game().into_iter().enumerate() {
            place(&mut player, cell).await?;
            wait_for(&mut player, n + 1).await?;
        }
        let mut missed = 0;
        while let Some(watched) = watchers.join_next().await {
            missed += watched??;
        }
        Ok(
            json!({"bench": "serve", "measured": "watchers", "watchers": WATCHERS, "stones": MOVES, "missed": missed, "seconds": seconds(start)}),
        )
    }

    /// Many people play an engine at once.
    async fn games(&self) -> anyhow::Result<Value> {
        let engine = if BUILT_IN.contains(&"uct") { "uct@nodes=1000" } else { "greedy" };
        let start = Instant::now();
        let mut games = JoinSet::new();
        for seed in 0..GAMES {
            let mut game = self.begin("connect4", engine, seed as u64).await?;
            let house = self.clone();
            games.spawn(async move { house.play_out(&mut game).await });
        }
        let (mut faults, mut missed, mut plies) = (0, 0, 0);
        while let Some(played) = games.join_next().await {
            let played = played??;
            faults += usize::from(played.fault);
            missed += played.missed;
            plies += played.plies;
        }
        Ok(
            json!({"bench": "serve", "measured": "games", "games": GAMES, "engine": engine, "stones": plies, "faults": faults, "missed": missed, "seconds": seconds(start)}),
        )
    }

    /// Sets up a game: its name, and the seats' tokens.
    async fn set_up(&self, game: &str, players: [&str; 2]) -> anyhow::Result<(String, String)> {
        // One visitor may not keep as many games a day as a soak plays.
        let n: u16 = RandomState::new().build_hasher().finish() as u16;
        let [high, low] = n.to_be_bytes();
        self.set_up_for(&format!("10.0.{high}.{low}"), game, players).await
    }

    /// The same for somebody behind a proxy.
    pub async fn set_up_for(&self, visitor: &str, game: &str, players: [&str; 2]) -> anyhow::Result<(String, String)> {
        let sides = players.map(|player| json!({"player": player}));
        let body = json!({"game": game, "sides": sides, "instant": true}).to_string();
        let made = self.ask_as(visitor, "POST", "/api/games", &body).await?;
        let text = |value: &Value| value.as_str().map(str::to_string);
        let tokens: Vec<String> = made["tokens"].as_array().into_iter().flatten().filter_map(text).collect();
        Ok((text(&made["id"]).with_context(|| made.to_string())?, tokens.join(",")))
    }

    /// What the server answers somebody behind a proxy.
    pub async fn ask_as(&self, visitor: &str, method: &str, path: &str, body: &str) -> anyhow::Result<Value> {
        let mut stream = TcpStream::connect(&self.host).await?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {visitor}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        stream.write_all((head + body).as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap_or_default())?)
    }

    /// Waits until it listens.
    pub async fn wait(&self) -> anyhow::Result<()> {
        for _ in 0..1000 {
            if TcpStream::connect(&self.host).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        bail!("no server at {}", self.host)
    }

    /// How many games it keeps.
    pub async fn total(&self) -> anyhow::Result<u64> {
        let list = self.ask_as("10.0.0.1", "GET", "/api/games", "").await?;
        list["total"].as_u64().with_context(|| list.to_string())
    }

    /// Sets up a game of a person, who plays at random, against an engine.
    pub async fn begin(&self, game: &str, engine: &str, seed: u64) -> anyhow::Result<Ongoing> {
        let (id, tokens) = self.set_up(game, ["human", engine]).await?;
        Ok(Ongoing { id, tokens, seen: 0, random: Random::new(seed) })
    }

    /// Plays a game to its end, from where it was left.
    pub async fn play_out(&self, game: &mut Ongoing) -> anyhow::Result<Played> {
        let mut player = self.sit(&game.id, &game.tokens).await?;
        let mut state = next_state(&mut player).await?;
        let lost = stones(&state) < game.seen;
        let (mut missed, mut news) = (0, true);
        loop {
            let plies = stones(&state);
            game.seen = plies;
            if state["verdict"]["ending"] != "unfinished" {
                let fault = !state["verdict"]["blame"].is_null();
                return Ok(Played { fault, lost, missed, plies });
            }
            if state["to_move"] == "black" && news {
                let position = position_of(&state)?;
                let legal: Vec<Cell> = position.legal().collect();
                place(&mut player, *game.random.choose(&legal).context("nowhere to play")?).await?;
            }
            state = next_state(&mut player).await?;
            news = stones(&state) > plies;
            missed += usize::from(stones(&state) > plies + 1);
        }
    }

    async fn sit(&self, id: &str, tokens: &str) -> anyhow::Result<Socket> {
        // Nor may one visitor have as many games open as a soak leaves behind in a minute.
        let [.., high, low] = id.as_bytes() else { bail!("a game without a name") };
        self.sit_as(&format!("10.1.{high}.{low}"), id, tokens).await
    }

    /// Connects somebody behind a proxy.
    pub async fn sit_as(&self, visitor: &str, id: &str, tokens: &str) -> anyhow::Result<Socket> {
        let mut request = format!("ws://{}/ws/games/{id}?token={tokens}", self.host).into_client_request()?;
        request.headers_mut().insert("x-forwarded-for", visitor.parse()?);
        Ok(connect_async(request).await?.0)
    }
}

/// A game that is played.
pub struct Ongoing {
    id: String,
    tokens: String,
    /// How many stones were on the board when it was last seen.
    seen: usize,
    random: Random,
}

/// What came of a game.
pub struct Played {
    /// Whether a side was blamed for its end.
    pub fault: bool,
    /// Whether stones that had been seen were gone when it went on.
    pub lost: bool,
    missed: usize,
    plies: usize,
}

fn position_of(state: &Value) -> anyhow::Result<Position> {
    let rules: Rules = state["game"].as_str().unwrap_or_default().parse()?;
    let mut position = Position::new(rules);
    for cell in state["moves"].as_array().into_iter().flatten() {
        position.play(cell.as_str().unwrap_or_default().parse()?)?;
    }
    Ok(position)
}

pub fn long_game() -> Vec<Cell> {
    Rules::gomoku(15).cells().take(MOVES).collect()
}

pub async fn place(socket: &mut Socket, cell: Cell) -> anyhow::Result<()> {
    Ok(socket.send(Message::text(json!({"type": "place", "cell": cell}).to_string())).await?)
}

/// The next state of the game that somebody is told.
pub async fn next_state(socket: &mut Socket) -> anyhow::Result<Value> {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(60), socket.next()).await?;
        let Message::Text(text) = message.context("the server hung up")?? else { continue };
        let message: Value = serde_json::from_str(&text)?;
        match message["type"].as_str() {
            Some("state") => return Ok(message),
            Some("error") => bail!("{message}"),
            _ => {}
        }
    }
}

pub async fn wait_for(socket: &mut Socket, plies: usize) -> anyhow::Result<()> {
    while stones(&next_state(socket).await?) < plies {}
    Ok(())
}

/// How many stones a state has.
pub fn stones(state: &Value) -> usize {
    state["moves"].as_array().map_or(0, Vec::len)
}

fn seconds(start: Instant) -> f64 {
    (start.elapsed().as_secs_f64() * 100.0).round() / 100.0
}

/// Median, 99th percentile and maximum, in milliseconds.
pub fn quantiles(times: &mut [Duration]) -> [f64; 3] {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    [0.5, 0.99, 1.0].map(|share| (at(share).as_secs_f64() * 1e5).round() / 100.0)
}
