//! One connection to a game: messages in, states and thoughts out.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::ws::{Message, WebSocket};
use lianzi_core::Text;
use lianzi_talk::Refusal;
use lianzi_talk::advice::PageQuestion;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use crate::Hall;
use crate::analysis::Thoughts;
use crate::bounds::{Bounds, SENDING};
use crate::doors::Guest;
use crate::room::{Action, Command, Event, Handle};
use crate::secret::Credentials;
use crate::words::log;

/// How many messages of searches may wait to be sent.
const WAITING: usize = 64;

/// Somebody connected.
struct Connection {
    id: u64,
    room: Handle,
    credentials: Arc<Credentials>,
    thoughts: Thoughts,
}

/// Talks to a page until it goes away.
pub async fn talk(hall: Arc<Hall>, guest: Guest, game: String, credentials: Credentials, mut socket: WebSocket) {
    let id = hall.connections.fetch_add(1, Ordering::Relaxed);
    let credentials = Arc::new(credentials);
    let (room, (first, mut events)) = match hall.enter(&game, (id, guest.visitor), &credentials).await {
        Ok(entered) => entered,
        Err(refusal) => {
            send(&mut socket, error(&refusal.words)).await;
            return;
        }
    };
    let (say, mut said) = mpsc::channel(WAITING);
    let thoughts = Thoughts::new(&hall, id, guest.visitor, say);
    let mut connection = Connection { id, room, credentials, thoughts };
    let mut alive = send(&mut socket, first.message(&connection.credentials)).await;
    let Bounds { pulse, silence, .. } = hall.bounds;
    let (mut pulse, mut heard) = (tokio::time::interval(pulse), Instant::now());
    while alive {
        alive = tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(message)) => connection.hear(message, &mut socket).await,
                    // Gone, or too large a message: nothing that follows can be understood.
                    Some(Err(_)) | None => false,
                }
            }
            event = events.recv() => connection.tell(event, &mut socket).await,
            Some(message) = said.recv() => send(&mut socket, message).await,
            _ = pulse.tick() => heard.elapsed() < silence && ping(&mut socket).await,
        };
    }
    connection.leave().await;
}

impl Connection {
    /// The searches end with the connection, and the room is told.
    async fn leave(mut self) {
        self.thoughts.stop();
        self.room.send(Command::Leave(self.id)).await;
    }

    async fn tell(&self, event: Result<Event, RecvError>, socket: &mut WebSocket) -> bool {
        match event {
            Ok(Event::State(state)) => send(socket, state.message(&self.credentials)).await,
            Ok(Event::Thinking(message) | Event::Said(message)) => send(socket, message.to_string()).await,
            Ok(Event::Trouble(why)) => send(socket, error(&why)).await,
            Ok(Event::Closed(why)) => {
                send(socket, error(&why)).await;
                false
            }
            // The states that were skipped were older than those that follow.
            Err(RecvError::Lagged(_)) => true,
            Err(RecvError::Closed) => false,
        }
    }

    /// Does what a message asks; false when the connection is over.
    async fn hear(&mut self, message: Message, socket: &mut WebSocket) -> bool {
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return false,
            Message::Ping(_) | Message::Pong(_) => return true,
            Message::Binary(_) => return send(socket, error(&not_understood().words)).await,
        };
        match self.answer(text.as_str()).await {
            Ok(Some(answer)) => send(socket, answer.to_string()).await,
            Ok(None) => true,
            Err(refusal) => {
                log(&refusal, Some(self.id));
                send(socket, error(&refusal.words)).await
            }
        }
    }

    async fn answer(&mut self, text: &str) -> Result<Option<Value>, Refusal> {
        if let Ok(action) = serde_json::from_str::<Action>(text) {
            return self.act(action).await.map(|()| None);
        }
        match serde_json::from_str::<PageQuestion>(text).map_err(|_| not_understood())? {
            PageQuestion::Ping => return Ok(Some(json!({"type": "pong"}))),
            PageQuestion::Analyse { moves: None, .. } => self.thoughts.stop(),
            PageQuestion::Analyse { moves: Some(moves), lines } => {
                let record = self.record().await?;
                self.thoughts.analyse(&record, &moves, lines.unwrap_or(1))?;
            }
            PageQuestion::Hint => {
                let record = self.record().await?;
                self.thoughts.hint(&record)?;
            }
            PageQuestion::Try { moves, turn } => {
                let record = self.record().await?;
                self.thoughts.try_turn(&record, &moves, &turn)?;
            }
            PageQuestion::Review => {
                let record = self.record().await?;
                self.thoughts.review(&record)?;
            }
        }
        Ok(None)
    }

    async fn act(&self, action: Action) -> Result<(), Refusal> {
        let act = |answer| Command::Act(Arc::clone(&self.credentials), action, answer);
        self.room.ask(act).await.unwrap_or_else(|| Err(Refusal::no_game()))
    }

    async fn record(&self) -> Result<lianzi_core::GameRecord, Refusal> {
        self.room.ask(Command::Consult).await.unwrap_or_else(|| Err(Refusal::no_game()))
    }
}

/// Sends a message; false when the other end is gone or takes nothing any more.
async fn send(socket: &mut WebSocket, text: String) -> bool {
    matches!(timeout(SENDING, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

async fn ping(socket: &mut WebSocket) -> bool {
    matches!(timeout(SENDING, socket.send(Message::Ping(Vec::new().into()))).await, Ok(Ok(())))
}

fn error(words: &Text) -> String {
    json!({"type": "error", "en": words.english, "zh": words.chinese}).to_string()
}

fn not_understood() -> Refusal {
    Refusal::bad("this message cannot be understood", "无法理解此消息")
}
