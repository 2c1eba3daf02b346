//! Many open games in which people move every few seconds: what a server bears whose engines think in the pages.

use std::time::{Duration, Instant};

use lianzi_server::Server;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::serve::{House, LONG_GAME, config, long_game, place, quantiles, wait_for};

/// How many games are open, how often somebody moves in each, and how many stones are placed in each.
const GAMES: usize = 2_000;
const PACE: Duration = Duration::from_secs(3);
const STONES: usize = 8;

/// Opens the games one after another, plays in all of them at once, and says how long a stone takes to be told.
pub async fn crowd() -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let server = Server::open(config(folder.path(), true)).await?;
    let house = House { host: server.addr().to_string() };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async { stopped.await.unwrap_or_default() }));
    let before = resident_kb();
    let mut open = Vec::new();
    for n in 0..GAMES {
        let visitor = format!("10.1.{}.{}", n / 250, n % 250);
        let (id, tokens) = house.set_up_for(&visitor, LONG_GAME, ["human", "human"]).await?;
        let mut player = house.sit_as(&visitor, &id, &tokens).await?;
        wait_for(&mut player, 0).await?;
        open.push(player);
    }
    let memory = (resident_kb().saturating_sub(before)) as f64 / GAMES as f64;
    let mut games = JoinSet::new();
    for (n, mut player) in open.into_iter().enumerate() {
        games.spawn(async move {
            tokio::time::sleep(PACE.mul_f64(n as f64 / GAMES as f64)).await;
            let (mut times, mut lost) = (Vec::new(), 0);
            for (stones, cell) in long_game().into_iter().take(STONES).enumerate() {
                let start = Instant::now();
                place(&mut player, cell).await?;
                // A state that never comes shows as one that is further on, or as an error.
                lost += usize::from(wait_for(&mut player, stones + 1).await.is_err());
                times.push(start.elapsed());
                tokio::time::sleep(PACE.saturating_sub(start.elapsed())).await;
            }
            anyhow::Ok((times, lost))
        });
    }
    let (mut times, mut lost) = (Vec::new(), 0);
    while let Some(played) = games.join_next().await {
        let (own, missed) = played??;
        times.extend(own);
        lost += missed;
    }
    let [half, late, worst] = quantiles(&mut times);
    drop(stop);
    running.await??;
    Ok(json!({
        "bench": "serve", "measured": "crowd", "games": GAMES, "stones": times.len(), "p50_ms": half, "p99_ms": late,
        "max_ms": worst, "lost": lost, "kb_per_game": memory.round(),
    }))
}

/// The memory of this process, in which both ends of every connection live; 0 where the system does not tell.
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
