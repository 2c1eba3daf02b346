//! The queue of contests that a user names by the address of its database.

use lianzi_core::Speak;
use lianzi_queue::{Address, Link, jobs, schema};

use crate::Console;

/// Reads an address; a password that it lacks may stand in the environment, where other users do not see it.
pub fn address(text: &str, console: &Console) -> anyhow::Result<Address> {
    let password = std::env::var("PGPASSWORD").ok();
    Address::read(text, password.as_deref()).map_err(|error| anyhow::anyhow!(error.words(console.language)))
}

/// Connects to a queue that is ready to be used.
pub fn open(text: &str, console: &Console) -> anyhow::Result<Link> {
    ready(connect_to(text, jobs::GAMES, console)?, console)
}

/// The same for a worker, who waits for other news.
pub fn open_to_work(text: &str, console: &Console) -> anyhow::Result<Link> {
    ready(connect_to(text, jobs::WORK, console)?, console)
}

fn ready(link: Link, console: &Console) -> anyhow::Result<Link> {
    schema::check(&link).map_err(|error| anyhow::anyhow!(error.words(console.language)))?;
    Ok(link)
}

/// Connects to a database in which there may be no queue yet.
pub fn connect(text: &str, console: &Console) -> anyhow::Result<Link> {
    connect_to(text, jobs::GAMES, console)
}

fn connect_to(text: &str, channel: &'static str, console: &Console) -> anyhow::Result<Link> {
    let link = Link::open(&address(text, console)?, &[channel]);
    link.map_err(|error| {
        anyhow::anyhow!("{}: {}", lianzi_queue::link::without_password(text), error.words(console.language))
    })
}
