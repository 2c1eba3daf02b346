//! One connection to the database, shared by all threads of a process and made anew when it is lost.
//!
//! Threads ask at the same time and answers come as they come, so a worker with many cores needs one connection. Whoever
//! waits for news waits at the [`Bell`], which rings for every notification, and after every new connection, since news
//! may have been missed before.

use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lianzi_core::shorten;
use lianzi_engine::Stop;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Row, Statement, Transaction};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{QueueError, tls};

/// A value of a statement.
pub type Value<'a> = &'a (dyn ToSql + Sync);

/// How long the database may take to be reached, and to answer.
const REACH: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(60);

/// The pause after the first attempt that failed, and the longest one.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// A waiting thread looks up so often whether it is to stop.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Where the database is and how to talk to it: `postgres://user:password@host/database?sslmode=verify-full`.
#[derive(Clone)]
pub struct Address {
    config: Config,
    tls: MakeRustlsConnect,
    /// Without the password.
    shown: String,
}

impl Address {
    /// Reads an address; the password may come from elsewhere.
    pub fn read(text: &str, password: Option<&str>) -> Result<Address, QueueError> {
        if !(text.starts_with("postgres://") || text.starts_with("postgresql://")) {
            let shown = shorten(&without_password(text));
            return Err(QueueError::NoAddress(shown));
        }
        let (bare, mode, authorities) = take_out(text);
        let bad = |error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            QueueError::Address(format!("{}: {cause}", without_password(text)))
        };
        let mut config = Config::from_str(&bare).map_err(bad)?;
        let ssl = match mode.as_deref() {
            Some("disable") => SslMode::Disable,
            None | Some("allow" | "prefer") if authorities.is_none() => SslMode::Prefer,
            None | Some("prefer" | "require" | "verify-ca" | "verify-full") => SslMode::Require,
            Some(other) => {
                let modes = "disable, prefer, require, verify-full";
                return Err(QueueError::Address(format!("sslmode={}: modes are {modes}", shorten(other))));
            }
        };
        config.ssl_mode(ssl).connect_timeout(REACH).application_name("lianzi");
        // A cable that was pulled says nothing: who hears nothing for so long takes it for pulled.
        config.tcp_user_timeout(Duration::from_secs(30)).keepalives_idle(Duration::from_secs(30));
        if let (None, Some(password)) = (config.get_password(), password) {
            config.password(password);
        }
        let tls = tls::connector(ssl == SslMode::Require, authorities.as_deref())?;
        Ok(Address { config, tls, shown: without_password(text) })
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

/// The address without what the client library does not know: the mode of TLS and the file of authorities.
fn take_out(text: &str) -> (String, Option<String>, Option<PathBuf>) {
    let Some((bare, query)) = text.split_once('?') else { return (text.into(), None, None) };
    let (mut mode, mut authorities, mut rest) = (None, None, Vec::new());
    for part in query.split('&') {
        match part.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value.to_string()),
            Some(("sslrootcert", value)) => authorities = Some(PathBuf::from(value.replace("%2F", "/"))),
            _ => rest.push(part),
        }
    }
    (format!("{bare}?{}", rest.join("&")), mode, authorities)
}

/// An address that may be shown.
pub fn without_password(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let hidden = match rest.split_once('@') {
        Some((user, place)) => {
            let user = user.split_once(':').map_or(user, |(name, _)| name);
            format!("{user}@{place}")
        }
        None => rest.into(),
    };
    let whole = if scheme.is_empty() { hidden } else { format!("{scheme}://{hidden}") };
    let (bare, query) = whole.split_once('?').unwrap_or((&whole, ""));
    let told: Vec<&str> = query.split('&').filter(|part| !part.is_empty() && !part.starts_with("password=")).collect();
    if told.is_empty() { bare.into() } else { format!("{bare}?{}", told.join("&")) }
}

/// Rings when something happened that somebody may wait for.
#[derive(Debug, Default)]
pub struct Bell {
    rung: Mutex<u64>,
    heard: Condvar,
}

impl Bell {
    /// How often it has rung.
    pub fn count(&self) -> u64 {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rings.
    pub fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.heard.notify_all();
    }

    /// Waits until it has rung more often than so, a time has passed or somebody says stop.
    pub fn wait(&self, count: u64, time: Duration, stop: &Stop) {
        let until = Instant::now() + time;
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        while *rung <= count && !stop.is_set() {
            let left = until.saturating_duration_since(Instant::now()).min(LOOK_UP);
            if left.is_zero() {
                return;
            }
            rung = self.heard.wait_timeout(rung, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A connection as long as it lasts.
struct Session {
    client: tokio::sync::RwLock<Client>,
    statements: Mutex<HashMap<String, Statement>>,
}

impl Session {
    async fn statement(&self, sql: &str) -> Result<Statement, tokio_postgres::Error> {
        let known = || self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = known().get(sql).cloned() {
            return Ok(statement);
        }
        let statement = self.client.read().await.prepare(sql).await?;
        known().insert(sql.into(), statement.clone());
        Ok(statement)
    }

    async fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, tokio_postgres::Error> {
        let statement = self.statement(sql).await?;
        self.client.read().await.query(&statement, values).await
    }
}

/// Where the connection lives. It may be dropped anywhere, also by a task of another such.
struct Threads(Option<Runtime>);

impl Threads {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.as_ref().expect("there until it is dropped").block_on(future)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// The database as the threads of a process see it.
pub struct Link {
    runtime: Threads,
    address: Address,
    /// What is listened to.
    channels: Vec<&'static str>,
    session: tokio::sync::Mutex<Option<Arc<Session>>>,
    bell: Arc<Bell>,
}

impl Link {
    /// Connects, and listens to these channels from then on.
    pub fn open(address: &Address, channels: &[&'static str]) -> Result<Link, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| QueueError::Lost(error.to_string()))?;
        let link = Link {
            runtime: Threads(Some(runtime)),
            address: address.clone(),
            channels: channels.to_vec(),
            session: tokio::sync::Mutex::new(None),
            bell: Arc::default(),
        };
        link.runtime.block_on(link.session())?;
        Ok(link)
    }

    /// Where it leads.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What rings for every notification.
    pub fn bell(&self) -> &Bell {
        &self.bell
    }

    /// Asks once.
    pub fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, QueueError> {
        self.runtime.block_on(self.ask(sql, values))
    }

    /// Asks for exactly one row.
    pub fn row(&self, sql: &str, values: &[Value<'_>]) -> Result<Row, QueueError> {
        let rows = self.query(sql, values)?;
        rows.into_iter().next().ok_or_else(|| QueueError::Refused("the database answered nothing".into()))
    }

    /// Does several things at once or none of them.
    pub fn within<T>(&self, act: impl AsyncFnOnce(&Transaction<'_>) -> Result<T, QueueError>) -> Result<T, QueueError> {
        self.runtime.block_on(async {
            let session = self.session().await?;
            let done = timeout(10 * ANSWER, async {
                let mut client = session.client.write().await;
                let transaction = client.transaction().await?;
                let answer = act(&transaction).await?;
                transaction.commit().await?;
                Ok(answer)
            });
            self.judged(&session, done.await).await
        })
    }

    /// Runs statements that take no values.
    pub fn batch(&self, sql: &str) -> Result<(), QueueError> {
        self.runtime.block_on(async {
            let session = self.session().await?;
            let done = timeout(ANSWER, async { Ok(session.client.read().await.batch_execute(sql).await?) });
            self.judged(&session, done.await).await
        })
    }

    /// Asks, and while the database cannot answer asks again after growing pauses, until somebody says stop.
    pub fn patiently<T>(
        &self,
        stop: &Stop,
        mut ask: impl FnMut(&Link) -> Result<T, QueueError>,
    ) -> Result<T, QueueError> {
        let mut pause = FIRST_PAUSE;
        loop {
            match ask(self) {
                Err(error) if error.is_passing() && !stop.is_set() => {
                    rest(pause, stop);
                    pause = (2 * pause).min(LONGEST_PAUSE);
                }
                answer => return answer,
            }
        }
    }

    async fn ask(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, QueueError> {
        let session = self.session().await?;
        let answer = timeout(ANSWER, async { Ok(session.query(sql, values).await?) }).await;
        self.judged(&session, answer).await
    }

    /// An answer, or why there is none; a connection that is lost is forgotten.
    async fn judged<T>(
        &self,
        session: &Arc<Session>,
        answer: Result<Result<T, QueueError>, tokio::time::error::Elapsed>,
    ) -> Result<T, QueueError> {
        let error = match answer {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => error,
            Err(_) => QueueError::Lost("no answer".into()),
        };
        if matches!(error, QueueError::Lost(_)) {
            let mut held = self.session.lock().await;
            if held.as_ref().is_some_and(|held| Arc::ptr_eq(held, session)) {
                *held = None;
            }
        }
        Err(error)
    }

    /// The connection, made if there is none.
    async fn session(&self) -> Result<Arc<Session>, QueueError> {
        let mut held = self.session.lock().await;
        if let Some(session) = held.as_ref() {
            return Ok(Arc::clone(session));
        }
        let reached = timeout(2 * REACH, self.address.config.connect(self.address.tls.clone())).await;
        let (client, connection) = reached.map_err(|_| QueueError::Lost("no answer".into()))??;
        tokio::spawn(hear(connection, Arc::clone(&self.bell)));
        // The server, too, is to find out soon when a machine is gone with its cable: locks go with the connection.
        client
            .batch_execute(
                "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3",
            )
            .await?;
        for channel in &self.channels {
            client.batch_execute(&format!("LISTEN {channel}")).await?;
        }
        let session = Session { client: tokio::sync::RwLock::new(client), statements: Mutex::default() };
        self.bell.ring();
        Ok(Arc::clone(held.insert(Arc::new(session))))
    }
}

/// Carries a connection's messages and rings for those that nobody asked for.
async fn hear<S, T>(mut connection: Connection<S, T>, bell: Arc<Bell>)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = std::future::poll_fn(|cx| connection.poll_message(cx)).await {
        if let AsyncMessage::Notification(_) = message {
            bell.ring();
        }
    }
    bell.ring();
}

/// Waits, unless somebody says stop.
pub(crate) fn rest(time: Duration, stop: &Stop) {
    let until = Instant::now() + time;
    while !stop.is_set() {
        let left = until.saturating_duration_since(Instant::now()).min(LOOK_UP);
        if left.is_zero() {
            return;
        }
        thread::sleep(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("postgres://me:secret@host/db"), "postgres://me@host/db");
        assert_eq!(
            without_password("postgres://host/db?password=x&sslmode=require"),
            "postgres://host/db?sslmode=require"
        );
        let address = Address::read("postgres://me:secret@host/db", None).unwrap();
        assert!(!format!("{address:?} {address}").contains("secret"));
        for bad in ["mysql://me:secret@host/db", "postgres://me:secret@host/db?sslmode=maybe", "me:secret@host"] {
            let error = Address::read(bad, None).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn the_mode_of_tls_is_read() {
        let mode = |text: &str| Address::read(text, None).map(|address| address.config.get_ssl_mode());
        assert_eq!(mode("postgres://host/db").unwrap(), SslMode::Prefer);
        assert_eq!(mode("postgres://host/db?sslmode=disable").unwrap(), SslMode::Disable);
        assert_eq!(mode("postgres://host/db?connect_timeout=5&sslmode=verify-full").unwrap(), SslMode::Require);
        assert!(mode("postgres://host/db?sslrootcert=/nowhere.pem").is_err());
    }
}
