//! Many open games in which two people move every few seconds: what a server bears whose engines think in the pages. It
//! is a process of its own, so that what it uses is told apart from what its guests do.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use lianzi_cage::cpu::ProcessMeter;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::grading::resident;
use super::serve::{House, LONG_GAME, Socket, long_game, next_state, place, quantiles, stones, wait_for};
use super::soak::Ended;

/// How many games are open, how often somebody moves in each, and how many stones are placed in each.
const GAMES: usize = 2_000;
const PACE: Duration = Duration::from_secs(3);
const STONES: usize = 10;

/// Opens the games one after another, plays in all of them at once, and says how long a stone takes to be seen by the
/// other player, whether anybody missed one, and what the server used.
pub async fn crowd() -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let house = House { host: format!("127.0.0.1:{port}") };
    let server = serve(&house, folder.path()).await?;
    let memory = || resident(server.0.id()).context("the memory of the server");
    let before = memory()?;
    let mut open = Vec::new();
    for n in 0..GAMES {
        open.push(pair(&house, n).await?);
    }
    let (meter, start) = (ProcessMeter::new(server.0.id()), Instant::now());
    let used = || meter.read().context("the processor time of the server");
    let idle = used()?;
    let mut games = JoinSet::new();
    for (n, players) in open.into_iter().enumerate() {
        games.spawn(play(players, PACE.mul_f64(n as f64 / GAMES as f64)));
    }
    let (mut times, mut lost, mut ended) = (Vec::new(), 0, Vec::new());
    while let Some(played) = games.join_next().await {
        let (players, own, missed) = played?;
        times.extend(own);
        lost += missed;
        // They stay until all have played: what an open game takes is measured.
        ended.push(players);
    }
    let share = (used()? - idle).as_secs_f64() / start.elapsed().as_secs_f64();
    let per_game = (memory()?.saturating_sub(before)) as f64 / GAMES as f64;
    if times.is_empty() {
        bail!("nobody saw a stone");
    }
    let [half, late, worst] = quantiles(&mut times);
    Ok(json!({
        "bench": "serve", "measured": "crowd", "games": GAMES, "people": 2 * GAMES, "stones": times.len(),
        "p50_ms": half, "p99_ms": late, "max_ms": worst, "lost": lost, "kb_per_game": per_game.round(),
        "cores": (share * 100.0).round() / 100.0,
    }))
}

async fn serve(house: &House, data: &Path) -> anyhow::Result<Ended> {
    let mut server = Command::new(std::env::current_exe()?);
    server.args(["serve", "--proxy", "--addr", &house.host, "--data"]).arg(data);
    let server = Ended(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    house.wait().await?;
    Ok(server)
}

/// Two people at a new game, each a visitor of their own.
async fn pair(house: &House, n: usize) -> anyhow::Result<[Socket; 2]> {
    let visitor = |side: u8| format!("10.{side}.{}.{}", n / 250, n % 250);
    let (id, tokens) = house.set_up_for(&visitor(1), LONG_GAME, ["human", "human"]).await?;
    let (black, white) = tokens.split_once(',').context("a game with two seats")?;
    let mut first = house.sit_as(&visitor(1), &id, black).await?;
    let mut second = house.sit_as(&visitor(2), &id, white).await?;
    wait_for(&mut first, 0).await?;
    wait_for(&mut second, 0).await?;
    Ok([first, second])
}

/// Plays a game at its pace: how long it took until the other player saw each stone, and how many of all that both were
/// to see never came.
async fn play(mut players: [Socket; 2], wait: Duration) -> ([Socket; 2], Vec<Duration>, usize) {
    tokio::time::sleep(wait).await;
    let (mut times, mut lost) = (Vec::new(), 0);
    for (n, cell) in long_game().into_iter().take(STONES).enumerate() {
        let (start, mover) = (Instant::now(), n % 2);
        // Who cannot say anything any more sees nothing either.
        let _ = place(&mut players[mover], cell).await;
        if sees(&mut players[1 - mover], n + 1).await {
            times.push(start.elapsed());
        } else {
            lost += 1;
        }
        lost += usize::from(!sees(&mut players[mover], n + 1).await);
        tokio::time::sleep(PACE.saturating_sub(start.elapsed())).await;
    }
    (players, times, lost)
}

/// Whether the next new stone that somebody sees is the one of this number: one that was missed shows as a later one.
async fn sees(player: &mut Socket, number: usize) -> bool {
    loop {
        match next_state(player).await.map(|state| stones(&state)) {
            Ok(seen) if seen < number => {}
            Ok(seen) => return seen == number,
            Err(_) => return false,
        }
    }
}
