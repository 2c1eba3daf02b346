//! Strangers who want to take a server from those who play on it: each of their ways, one after the other, until time
//! is up. What they are answered does not matter here; that the others play on, and what the server takes, is looked
//! at elsewhere.

use std::time::Duration;

use futures_util::SinkExt;
use lianzi_core::Random;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::serve::House;

/// How many questions, connections or contests an attack tries at once.
const AT_ONCE: usize = 60;
/// How long an attack holds what it has got.
const HOLD: Duration = Duration::from_secs(1);
/// No attack takes longer.
const LONGEST: Duration = Duration::from_secs(20);

/// Attacks the server again and again; how often. Attacks that the server's end interrupts count as well. It is an
/// error only when something was let in that must not be.
pub async fn besiege(house: House, seed: u64, until: Instant) -> anyhow::Result<u64> {
    let (mut random, mut attacks) = (Random::new(seed), 0);
    while Instant::now() < until {
        // Each attacker is another visitor; the bounds in all must hold as well as those for each.
        let visitor = format!("10.9.{}.{}", random.below(250), random.below(250));
        let attack = async {
            match attacks % 8 {
                0 => ask_much(&house, &visitor).await,
                1 => be_slow(&house, &visitor).await,
                2 => upload(&house, &visitor).await,
                3 => begin_contests(&house, &visitor).await,
                4 => want_much(&house, &visitor).await,
                5 => keep_much(&house, &visitor).await,
                6 => read_nothing(&house, &visitor).await,
                _ => knock(&house, &visitor).await,
            }
        };
        // A server that has just been killed answers nobody.
        if let Ok(Err(why)) = timeout(LONGEST, attack).await
            && why.is::<LetIn>()
        {
            return Err(why);
        }
        attacks += 1;
        sleep(HOLD / 10).await;
    }
    Ok(attacks)
}

/// A player that no page may name.
#[derive(Debug)]
struct LetIn(&'static str);

impl std::fmt::Display for LetIn {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the server let {} in", self.0)
    }
}

impl std::error::Error for LetIn {}

/// Many sockets that all want an analysis.
async fn ask_much(house: &House, visitor: &str) -> anyhow::Result<()> {
    let (id, tokens) = house.set_up_for(visitor, "gomoku", ["human", "human"]).await?;
    let mut sockets = Vec::new();
    for _ in 0..AT_ONCE {
        let mut socket = house.sit_as(visitor, &id, &tokens).await?;
        let question = json!({"type": "analyse", "moves": ["h8", "i9", "g9", "j8"], "lines": 5});
        socket.send(Message::text(question.to_string())).await?;
        sockets.push(socket);
    }
    sleep(HOLD).await;
    Ok(())
}

/// Connections that never finish what they begin to say.
async fn be_slow(house: &House, visitor: &str) -> anyhow::Result<()> {
    let mut connections = Vec::new();
    for n in 0..AT_ONCE {
        let mut connection = TcpStream::connect(&house.host).await?;
        let head = format!("POST /api/games HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {visitor}\r\n", house.host);
        let rest = if n % 2 == 0 { "Content-Length: 60000\r\n\r\n{" } else { "X-Slow: " };
        connection.write_all((head + rest).as_bytes()).await?;
        connections.push(connection);
    }
    sleep(HOLD).await;
    Ok(())
}

/// Several of the largest files at once.
async fn upload(house: &House, visitor: &str) -> anyhow::Result<()> {
    let file = "(;GM[4]SZ[15];B[hh];W[ii])".repeat((8 << 20) / 27);
    let uploads = (0..6).map(|_| house.ask_as(visitor, "POST", "/api/read?from=sgf", &file));
    futures_util::future::join_all(uploads).await;
    Ok(())
}

/// More records than anybody has, large and small.
async fn keep_much(house: &House, visitor: &str) -> anyhow::Result<()> {
    let record = |comment: usize| {
        let moves = [json!({"cell": "h8", "comment": "x".repeat(comment)})];
        json!({"record": {"format": "lianzi-game", "version": 1, "game": "gomoku", "moves": moves}}).to_string()
    };
    let (small, large) = (record(1_000), record(1_000_000));
    let records = [&small, &large].into_iter().cycle().take(AT_ONCE);
    futures_util::future::join_all(records.map(|record| house.ask_as(visitor, "POST", "/api/library", record))).await;
    Ok(())
}

/// Answers that are asked for and not read, of many megabytes each: a quotation mark is two characters in them.
async fn read_nothing(house: &House, visitor: &str) -> anyhow::Result<()> {
    let file = format!("(;GM[4]SZ[15];B[hh]C[{}])", "\"".repeat(6 << 20));
    let head = format!(
        "POST /api/read?from=sgf HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {visitor}\r\nContent-Length: {}\r\n\r\n",
        house.host,
        file.len()
    );
    let mut connections = Vec::new();
    for _ in 0..AT_ONCE / 2 {
        let mut connection = TcpStream::connect(&house.host).await?;
        connection.write_all(head.as_bytes()).await?;
        // One that is refused need not take all of it.
        let _ = connection.write_all(file.as_bytes()).await;
        connections.push(connection);
    }
    sleep(HOLD).await;
    Ok(())
}

/// More contests than anybody needs, longer than anybody waits.
async fn begin_contests(house: &House, visitor: &str) -> anyhow::Result<()> {
    for time in [1_000, 24 * 3_600_000].into_iter().cycle().take(AT_ONCE / 2) {
        let control = json!({"per_move_ms": time});
        let contest = json!({"game": "gomoku", "players": ["random", "greedy"], "games": 10_000, "control": control});
        house.ask_as(visitor, "POST", "/api/contests", &contest.to_string()).await?;
    }
    Ok(())
}

/// Options that are not for pages.
async fn want_much(house: &House, visitor: &str) -> anyhow::Result<()> {
    for player in ["strong@threads=256", "strong@weights=games.sqlite", "uct@hash=65536", "piskvork:/bin/sh", "../x"] {
        let sides = [json!({"player": "human"}), json!({"player": player})];
        let game = json!({"game": "gomoku", "sides": sides}).to_string();
        let answer = house.ask_as(visitor, "POST", "/api/games", &game).await?;
        anyhow::ensure!(answer.get("id").is_none(), LetIn(player));
    }
    Ok(())
}

/// A thousand requests for nothing.
async fn knock(house: &House, visitor: &str) -> anyhow::Result<()> {
    let mut connection = TcpStream::connect(&house.host).await?;
    let request = format!("GET /nothing HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {visitor}\r\n\r\n", house.host);
    connection.write_all(request.repeat(1_000).as_bytes()).await?;
    sleep(HOLD).await;
    Ok(())
}
