//! Connections: how many there may be, and how long a slow one may take.
//!
//! Whoever cannot be let in is told so in words. A head or a body that does not come ends its connection, and one that
//! is used for requests alone ends after a while: a browser connects again by itself. Only those who watch a game stay.

use std::io::ErrorKind;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, Request, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use lianzi_talk::Refusal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::Hall;
use crate::bounds::{Bounds, MESSAGE, Most};
use crate::visitor::{Place, Places, Visitor};
use crate::words::HttpRefusal;

/// How long somebody who is turned away may take to hear it, and how many may be at it.
const FAREWELL: Duration = Duration::from_secs(1);
const FAREWELLS: Most = Most { all: 64, each: 64 };

/// Whoever sent a request, with the places of the connection.
#[derive(Clone)]
pub struct Guest {
    /// Who it is.
    pub visitor: Visitor,
    /// The connection's place, and that of whom a proxy asks for, as long as somebody talks over it.
    _places: (Arc<Place>, Option<Arc<Place>>),
}

/// A connection, and who may ask over it.
struct Door {
    visitor: Visitor,
    place: Arc<Place>,
    /// Where there are places for those whom a proxy asks for, if this is one.
    named: Option<Arc<Places>>,
    /// The place of the one whom it asked for last.
    held: Mutex<Option<Arc<Place>>>,
}

impl Door {
    /// Who sends a request with this head, if there is a place for whom a proxy asks for. It is held until the answer
    /// is sent, which is when the next request comes or the connection ends.
    fn guest(&self, head: &HeaderMap) -> Option<Guest> {
        let Some(named) = &self.named else {
            return Some(Guest { visitor: self.visitor, _places: (Arc::clone(&self.place), None) });
        };
        let visitor = Visitor::behind_proxy(head).unwrap_or(self.visitor);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        *held = None;
        *held = Some(Arc::new(named.take(visitor)?));
        Some(Guest { visitor, _places: (Arc::clone(&self.place), held.clone()) })
    }
}

/// Lets everybody in for whom there is room; never done.
pub async fn receive(listener: TcpListener, routes: Router, hall: Arc<Hall>) {
    let [places, named] = [(); 2].map(|()| Places::new(hall.bounds.connections));
    let farewells = Places::new(FAREWELLS);
    let routes = TowerToHyperService::new(routes);
    loop {
        let (stream, from) = match listener.accept().await {
            Ok((stream, from)) => (stream, from.ip()),
            Err(error) if is_theirs(error.kind()) => continue,
            Err(error) => {
                // No files left, most likely: some connection will end.
                tracing::error!("nobody can connect: {error}");
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        let visitor = Visitor::from(from);
        let proxied = hall.proxied && is_loopback(from);
        let each = if proxied { usize::MAX } else { hall.bounds.connections.each };
        match places.take_within(visitor, 1, each) {
            Some(place) => {
                let named = proxied.then(|| Arc::clone(&named));
                let door = Door { visitor, place: Arc::new(place), named, held: Mutex::default() };
                tokio::spawn(attend(stream, routes.clone(), door, hall.bounds.clone()));
            }
            None => turn_away(stream, farewells.take(visitor)),
        }
    }
}

/// A proxy that is listened to stands on this machine.
fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Errors of a connection that was never made.
fn is_theirs(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}

/// Answers the requests of one connection.
async fn attend(stream: TcpStream, routes: TowerToHyperService<Router>, door: Door, bounds: Bounds) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        let answer = door.guest(request.headers()).map(|guest| {
            request.extensions_mut().insert(guest);
            routes.call(request)
        });
        async move {
            match answer {
                Some(answer) => answer.await,
                None => Ok(no_place()),
            }
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(bounds.head).max_buf_size(MESSAGE);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // How it ends is the other side's affair.
    if timeout(bounds.connection, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(bounds.body, connection).await;
    }
}

/// What somebody behind a proxy is told who has too many connections already; with it this one ends.
fn no_place() -> Response {
    let mut answer = HttpRefusal(too_many()).into_response();
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

fn too_many() -> Refusal {
    Refusal::busy("too many connections; close some pages, or try again later", "连接过多；请关闭一些页面，或稍后再试")
}

/// Says that there is no room; not even that if too many are told so already.
fn turn_away(mut stream: TcpStream, place: Option<Place>) {
    let Some(place) = place else { return };
    let refusal = too_many();
    tracing::info!("refused: {}", refusal.words.english);
    let words = serde_json::to_string(&refusal.words).unwrap_or_default();
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{words}",
        words.len()
    );
    tokio::spawn(async move {
        let _place = place;
        let told = async {
            // A request that was not read would make the system drop the answer.
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        };
        let _ = timeout(FAREWELL, told).await;
    });
}
