//! The web board: HTTP and WebSocket around live games, the library, the engines and contests.
//!
//! Four kinds of things live in a server. A *room* is one live game, a task that owns it and takes orders one after
//! another; there are no locks around games. The *pool* is where engines think, in turns, so that nobody waits for
//! somebody else's long thoughts. The *library* keeps every game after every change, so that neither a page that is
//! loaded again nor a server that is started again loses a stone. *Contests* run on threads of their own, one game at
//! a time.
//!
//! The key decision: whoever is connected gets the whole state after every change. Sending differences was rejected;
//! a state is a few kilobytes, and a client that missed everything is right after one message.
//!
//! Nothing from a page is trusted: messages are parsed into types and bounded, secrets are kept as hashes, players
//! are chosen by name and never by command line, and pages of other sites cannot connect. docs/web.md is the
//! contract between page and server.

mod analysis;
mod api;
mod assets;
mod backup;
mod bounds;
mod class;
mod contests;
mod doors;
mod explore;
mod guard;
mod onlooker;
mod players;
mod pool;
mod quota;
mod room;
mod rooms;
mod secret;
mod site;
mod socket;
mod turns;
mod visitor;
mod words;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lianzi_core::Text;
use lianzi_game::live::Leaving;
use lianzi_queue::Address;
use lianzi_store::{Library, Postgres, Sqlite, StoreError, StoredGame};
use lianzi_talk::Refusal;
use lianzi_talk::train::Trainer;
use lianzi_train::School;
use tokio::net::TcpListener;

pub use assets::THREADED;
pub use backup::{Copied, back_up};
pub use bounds::{Bounds, Most};
pub use explore::explore_folder;
pub use players::NamedPlayer;
pub use site::{Site, SiteError, write_site};

use assets::Assets;
use class::Class;
use contests::Contests;
use players::Players;
use pool::Pool;
use rooms::Rooms;
use turns::Turns;
use visitor::Places;
use words::{broken, library_refusal};

/// How long a server that stops waits for players to leave.
const LEAVE: Duration = Duration::from_secs(2);

/// What stands in a server's folder: the library, the contests, the class and the secret of whoever runs it.
const LIBRARY: &str = "games.sqlite";
const CONTESTS: &str = "contests";
const CLASS: &str = "class";
const KEEPER: &str = "keeper.token";

/// How a server is to run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens; port 0 takes any free one.
    pub addr: SocketAddr,
    /// The folder with the library and the contests.
    pub data: PathBuf,
    /// The database that has the library instead, shared by any number of servers.
    pub store: Option<Address>,
    /// Players besides people and our engines.
    pub players: Vec<NamedPlayer>,
    /// How many engines think at once.
    pub cores: usize,
    /// Names under which the page is reached besides `localhost`, for instance behind a proxy on this machine.
    pub hosts: Vec<String>,
    /// Whether a proxy on this machine says in `X-Forwarded-For` whom it asks for.
    pub proxied: bool,
    /// Whether everybody may search everybody's games, or each browser only those it knows.
    pub public_library: bool,
    /// A folder whose files take the place of the page's, for people who work on the page.
    pub page: Option<PathBuf>,
    /// The lessons that pages are taught.
    pub school: School,
    /// Whether learners keep their progress here.
    pub class: bool,
    /// How much there may be of everything.
    pub bounds: Bounds,
}

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The system refused.
    #[error("{0}")]
    Io(String, #[source] std::io::Error),
    /// The library cannot be opened or copied.
    #[error("{0}")]
    Library(String, #[source] Text),
}

impl ServeError {
    fn library(path: &Path, error: &StoreError) -> ServeError {
        ServeError::Library(path.display().to_string(), words::library_words(error))
    }

    fn io(path: &Path, error: io::Error) -> ServeError {
        ServeError::Io(path.display().to_string(), error)
    }
}

/// What all parts of a server share.
pub(crate) struct Hall {
    library: Arc<Library>,
    pool: Pool,
    /// Players that still think or leave when the server ends.
    leaving: Leaving,
    players: Players,
    rooms: Rooms,
    contests: Contests,
    trainer: Trainer,
    class: Option<Class>,
    assets: Assets,
    bounds: Bounds,
    proxied: bool,
    public_library: bool,
    /// Where it listens.
    addr: SocketAddr,
    /// The secret of whoever runs the server.
    keeper: String,
    /// Uploads that are sent or read, and answers that are not sent yet.
    uploads: Arc<Places>,
    answers: Arc<Places>,
    /// The turns of records that are read, and of questions of training.
    reading: Turns,
    training: Turns,
    /// The number of the next connection.
    connections: AtomicU64,
}

/// A server that listens already, so that its address is known, but answers only when it is run.
pub struct Server {
    listener: TcpListener,
    addr: SocketAddr,
    names: guard::Names,
    keeper: PathBuf,
    hall: Arc<Hall>,
}

impl Server {
    /// Opens the port, and only when it has it the library: whoever starts a second server by mistake touches nothing.
    pub async fn open(config: Config) -> Result<Server, ServeError> {
        let listening = |error| ServeError::Io(config.addr.to_string(), error);
        let listener = TcpListener::bind(config.addr).await.map_err(listening)?;
        let addr = listener.local_addr().map_err(listening)?;
        std::fs::create_dir_all(&config.data).map_err(|error| ServeError::io(&config.data, error))?;
        let library = open_library(&config).await?;
        let keeper = config.data.join(KEEPER);
        let secret = secret::kept(&keeper).map_err(|error| ServeError::io(&keeper, error))?;
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let bounds = config.bounds.within_files(files.unwrap_or(u64::MAX));
        let pool = Pool::new(config.cores).map_err(|error| ServeError::Io("threads".into(), error))?;
        let contests = Contests::new(config.data.join(CONTESTS), config.cores, config.store.clone(), &bounds);
        let folder = config.data.join(CLASS);
        let class = config
            .class
            .then(|| Class::open(folder.clone(), bounds.learners).map_err(|error| ServeError::io(&folder, error)));
        let hall = Hall {
            library,
            pool,
            leaving: Leaving::default(),
            players: Players::new(config.players),
            rooms: Rooms::new(bounds.rooms),
            contests,
            trainer: Trainer::new(config.school),
            class: class.transpose()?,
            assets: Assets::new(config.page),
            uploads: Places::new(bounds.uploads),
            answers: Places::new(bounds.answers),
            reading: Turns::new(bounds.readings),
            training: Turns::new(bounds.readings),
            bounds,
            proxied: config.proxied,
            public_library: config.public_library,
            addr,
            keeper: secret,
            connections: AtomicU64::new(1),
        };
        let hall = Arc::new(hall);
        hall.resume_contests().await;
        Ok(Server { listener, addr, names: config.hosts.into(), keeper, hall })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Where the secret of whoever runs the server is kept: it stops any contest and deletes any game.
    pub fn keeper(&self) -> &Path {
        &self.keeper
    }

    /// How many bytes the page has, with all its files.
    pub fn page_bytes(&self) -> usize {
        self.hall.assets.bytes()
    }

    /// What the server has to do just now; it can be asked while it runs.
    pub fn load(&self) -> Load {
        Load(Arc::clone(&self.hall))
    }

    /// Answers until `stop` is done. Then every game is in the library.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        tracing::info!(addr = %self.addr, "listening");
        // Engines are built to learn what they play; the first visitor should not wait for that.
        let hall = Arc::clone(&self.hall);
        drop(tokio::task::spawn_blocking(move || hall.players.listed().len()));
        let routes = api::routes(Arc::clone(&self.hall), self.names);
        tokio::select! {
            () = doors::receive(self.listener, routes, Arc::clone(&self.hall)) => {}
            () = stop => {}
        }
        self.hall.close_rooms().await;
        self.hall.contests.close().await;
        let leaving = self.hall.leaving.clone();
        // Whoever has not left by then is killed with the server or beyond us.
        let _ = tokio::task::spawn_blocking(move || leaving.wait(LEAVE)).await;
        if let Err(refusal) = self.hall.library(|library| library.settle()).await {
            tracing::error!("the library keeps its log: {}", refusal.words.english);
        }
        tracing::info!("stopped");
        Ok(())
    }
}

/// The library, in the server's folder or in a database.
async fn open_library(config: &Config) -> Result<Arc<Library>, ServeError> {
    let Some(address) = config.store.clone() else {
        let file = config.data.join(LIBRARY);
        let library = Sqlite::open(&file).map_err(|error| ServeError::library(&file, &error))?;
        return Ok(Arc::new(library));
    };
    let shown = address.to_string();
    let opened = tokio::task::spawn_blocking(move || Postgres::open(&address)).await;
    let opened = opened.map_err(|error| ServeError::Io(shown.clone(), io::Error::other(error)))?;
    let library = opened.map_err(|error| ServeError::Library(shown, words::library_words(&error)))?;
    Ok(Arc::new(library))
}

/// What a server has to do.
pub struct Load(Arc<Hall>);

impl Load {
    /// How many searches run or wait for their turn.
    pub fn searches(&self) -> usize {
        self.0.pool.load()
    }

    /// How many games are open.
    pub async fn rooms(&self) -> usize {
        self.0.rooms.count().await
    }
}

/// Runs a server until `stop` is done; `announce` learns the address as soon as it is known.
pub async fn serve(
    config: Config,
    announce: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let server = Server::open(config).await?;
    announce(server.addr());
    server.run(stop).await
}

impl Hall {
    /// Asks the library, where waiting for the disk holds nobody up.
    async fn library<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Library) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let library = Arc::clone(&self.library);
        let answer = tokio::task::spawn_blocking(move || ask(library.as_ref())).await;
        answer.map_err(broken)?.map_err(library_refusal)
    }

    /// The game of this name.
    async fn game(&self, id: &str) -> Result<StoredGame, Refusal> {
        if !secret::is_id(id) {
            return Err(Refusal::no_game());
        }
        let id = id.to_string();
        self.library(move |library| library.get(&id)).await?.ok_or_else(Refusal::no_game)
    }

    /// Takes a game for this process alone, so that it may be played here.
    async fn hold(&self, id: &str) -> Result<(), Refusal> {
        let wanted = id.to_string();
        if self.library(move |library| library.hold(&wanted)).await? {
            return Ok(());
        }
        // It is held elsewhere, unless there is none.
        self.game(id).await?;
        Err(Refusal::busy("another process of this server has the game; try again", "此局正在另一个服务进程中；请重试"))
    }

    /// Gives a game back, so that another process may take it.
    async fn let_go(&self, id: &str) {
        let held = id.to_string();
        if let Err(refusal) = self.library(move |library| library.release(&held)).await {
            tracing::warn!(game = %id, "not given back: {}", refusal.words.english);
        }
    }

    /// Keeps a game.
    async fn keep(&self, game: StoredGame) -> Result<(), Refusal> {
        self.library(move |library| library.put(&game, now())).await
    }

    /// Whether this is the secret of whoever runs the server. Hashes are compared, so that time tells nothing.
    fn is_keeper(&self, token: &str) -> bool {
        lianzi_store::hash(token) == lianzi_store::hash(&self.keeper)
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// How many bytes a browser downloads from a server that is to play by itself.
pub fn download() -> usize {
    Assets::new(None).download()
}
