//! What the tests share: a server, requests, and people at the board.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use lianzi_core::{Fault, Verdict};
use lianzi_engine::Info;
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_server::{Bounds, Config, Load, NamedPlayer, Server};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A server that runs until it is stopped.
pub struct House {
    pub host: String,
    pub folder: TempDir,
    pub load: Load,
    pub page_bytes: usize,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

/// A game that was set up.
pub struct Setup {
    pub id: String,
    pub owner: String,
    pub tokens: [String; 2],
}

/// Somebody connected to a game.
pub struct Guest {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl House {
    pub async fn open() -> House {
        House::open_in(tempfile::tempdir().unwrap()).await
    }

    pub async fn open_in(folder: TempDir) -> House {
        House::open_with(folder, Bounds::default()).await
    }

    /// With bounds of its own.
    pub async fn bounded(bounds: Bounds) -> House {
        House::open_with(tempfile::tempdir().unwrap(), bounds).await
    }

    /// One that shows everybody only games they know.
    pub async fn closed() -> House {
        House::open_as(tempfile::tempdir().unwrap(), Bounds::default(), |config| config.public_library = false).await
    }

    /// One that is told by a proxy who asks.
    pub async fn proxied(bounds: Bounds) -> House {
        House::open_as(tempfile::tempdir().unwrap(), bounds, |config| config.proxied = true).await
    }

    pub async fn open_with(folder: TempDir, bounds: Bounds) -> House {
        House::open_as(folder, bounds, |_| {}).await
    }

    async fn open_as(folder: TempDir, bounds: Bounds, change: impl FnOnce(&mut Config)) -> House {
        let starved = Arc::new(AtomicUsize::new(0));
        let mut config = Config {
            addr: "127.0.0.1:0".parse().unwrap(),
            data: folder.path().into(),
            store: None,
            players: [
                NamedPlayer::new("slow", || Box::new(Slow)),
                NamedPlayer::new("faulty", || Box::new(Faulty)),
                NamedPlayer::new("stubborn", || Box::new(Stubborn)),
                NamedPlayer::new("starved", move || Box::new(Starved(Arc::clone(&starved)))),
            ]
            .into_iter()
            .chain(crate::openings::players())
            .collect(),
            cores: 2,
            hosts: Vec::new(),
            proxied: false,
            public_library: true,
            page: None,
            school: lianzi_train::School::built_in(),
            class: true,
            bounds,
        };
        change(&mut config);
        let server = Server::open(config).await.unwrap();
        let (host, load, page_bytes) = (server.addr().to_string(), server.load(), server.page_bytes());
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(async {
            server.run(async { stopped.await.unwrap_or_default() }).await.unwrap();
        });
        House { host, folder, load, page_bytes, stop, running }
    }

    /// Stops the server and starts it again with the same data.
    pub async fn reopen(self) -> House {
        self.reopen_with(Bounds::default()).await
    }

    /// The same, with bounds of its own.
    pub async fn reopen_with(self, bounds: Bounds) -> House {
        House::open_with(self.close().await, bounds).await
    }

    /// Stops the server, and with it its contests.
    pub async fn close(self) -> TempDir {
        self.stop.send(()).unwrap();
        self.running.await.unwrap();
        self.folder
    }

    pub async fn ask(&self, method: Method, path: &str, body: Option<String>, token: &str) -> (StatusCode, String) {
        let mut request = Client::new().request(method, format!("http://{}{path}", self.host));
        if let Some(body) = body {
            request = request.body(body);
        }
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        let (status, text) = self.ask(Method::GET, path, None, "").await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        self.post_text(path, body.to_string()).await
    }

    pub async fn post_text(&self, path: &str, body: String) -> (StatusCode, Value) {
        let (status, text) = self.ask(Method::POST, path, Some(body), "").await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Sets up a game of two players, with whatever else is said of it.
    pub async fn set_up(&self, game: &str, players: [&str; 2], more: Value) -> Setup {
        let sides = players.map(|player| json!({"player": player}));
        // Nobody watches here, so engines need not take their moment.
        let mut new = json!({"game": game, "sides": sides, "instant": true});
        new.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        let (status, made) = self.post("/api/games", &new).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        Setup {
            id: text(&made["id"]),
            owner: text(&made["owner"]),
            tokens: [text(&made["tokens"][0]), text(&made["tokens"][1])],
        }
    }

    /// Connects with these tokens, as the owner or not; the first state comes along.
    pub async fn sit(&self, game: &Setup, tokens: &str, owner: bool) -> (Guest, Value) {
        let owner = if owner { &game.owner } else { "" };
        let address = format!("ws://{}/ws/games/{}?token={tokens}&owner={owner}", self.host, game.id);
        let (socket, _) = connect_async(address).await.unwrap();
        let mut guest = Guest { socket };
        let state = guest.next("state").await;
        (guest, state)
    }

    /// Connects as the one who set up the game, with all seats.
    pub async fn own(&self, game: &Setup) -> (Guest, Value) {
        let tokens: Vec<&str> = game.tokens.iter().filter(|token| !token.is_empty()).map(String::as_str).collect();
        self.sit(game, &tokens.join(","), true).await
    }
}

impl Guest {
    pub fn over(socket: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Guest {
        Guest { socket }
    }

    pub async fn send(&mut self, message: Value) {
        self.send_text(message.to_string()).await;
    }

    pub async fn send_text(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message of any type; `None` when the connection is closed.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(20), self.socket.next()).await;
            match message.expect("the server says something")? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of this type; others are skipped, but no error is.
    pub async fn next(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("closed while waiting for {kind}"));
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "error", "{message}");
        }
    }

    /// The next state that is as wanted.
    pub async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let state = self.next("state").await;
            if wanted(&state) {
                return state;
            }
        }
    }

    /// The state after so many stones.
    pub async fn plies(&mut self, plies: usize) -> Value {
        self.until(|state| state["moves"].as_array().unwrap().len() == plies).await
    }

    /// Says something that is refused; the words.
    pub async fn refused(&mut self, message: Value) -> String {
        self.send(message).await;
        loop {
            let message = self.hear().await.expect("a refusal does not end the connection");
            if message["type"] == "error" {
                assert!(!message["zh"].as_str().unwrap().is_empty());
                return message["en"].as_str().unwrap().to_string();
            }
        }
    }

    pub async fn place(&mut self, cell: &str) {
        self.send(json!({"type": "place", "cell": cell})).await;
    }

    /// Does something and waits for the state after it.
    pub async fn act(&mut self, kind: &str) -> Value {
        self.send(json!({"type": kind})).await;
        self.next("state").await
    }
}

pub fn cells(state: &Value) -> Vec<String> {
    state["moves"].as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_string()).collect()
}

pub fn over(state: &Value) -> bool {
    state["verdict"]["ending"] != "unfinished"
}

/// Thinks until it is interrupted or late.
struct Slow;

impl Player for Slow {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn take_turn(&mut self, ask: &Ask<'_>, watch: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        watch(&Info { depth: 1, nodes: 7, lines: Vec::new() });
        let late = || ask.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline);
        while !ask.interrupt.is_set() && !late() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(Fault::Late)
    }

    fn leave(&mut self, _: &Verdict) {}
}

/// Hears no interrupt, and takes as long to leave as it thinks.
struct Stubborn;

/// How long that is.
pub const STUBBORN: Duration = Duration::from_secs(3);

impl Player for Stubborn {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn take_turn(&mut self, _: &Ask<'_>, watch: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        watch(&Info::default());
        std::thread::sleep(STUBBORN);
        Ok(Reply::default())
    }

    fn leave(&mut self, _: &Verdict) {}
}

impl Drop for Stubborn {
    fn drop(&mut self) {
        std::thread::sleep(STUBBORN);
    }
}

/// Needs something that the machine lacks the first times, and answers with the first free cell when it is there.
struct Starved(Arc<AtomicUsize>);

/// How often it has to be asked.
pub const STARVED: usize = 3;

impl Player for Starved {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        match self.0.fetch_add(1, Ordering::SeqCst) {
            asked if asked + 1 < STARVED => Err(Fault::Shortage("no more processes".into())),
            _ => Ok(()),
        }
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let free = ask.position.rules().cells().find(|&cell| ask.position.check(cell).is_ok());
        Ok(Reply { turn: free.into_iter().map(Into::into).collect(), ..Reply::default() })
    }

    fn leave(&mut self, _: &Verdict) {}
}

/// Panics.
struct Faulty;

impl Player for Faulty {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn take_turn(&mut self, _: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        panic!("on purpose");
    }

    fn leave(&mut self, _: &Verdict) {}
}
