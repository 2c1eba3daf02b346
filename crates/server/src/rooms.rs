//! Which rooms are open: at most one for each game, opened when somebody comes.

use std::collections::HashMap;
use std::sync::Arc;

use lianzi_core::Text;
use lianzi_talk::Refusal;
use tokio::sync::Mutex;

use crate::Hall;
use crate::bounds::Most;
use crate::room::{Command, Handle, Joined, Room};
use crate::secret::{Credentials, is_id};
use crate::visitor::{Place, Places, Visitor};

/// The open rooms.
pub struct Rooms {
    places: Arc<Places>,
    open: Mutex<HashMap<String, (Handle, Place)>>,
}

impl Hall {
    /// The room of a game, opened if it is not and the visitor may open one more.
    async fn room(self: &Arc<Hall>, id: &str, visitor: Visitor) -> Result<Handle, Refusal> {
        if !is_id(id) {
            return Err(Refusal::no_game());
        }
        let mut open = self.rooms.open.lock().await;
        if let Some((handle, _)) = open.get(id) {
            return Ok(handle.clone());
        }
        let place = self.rooms.places.take(visitor).ok_or_else(too_many)?;
        self.hold(id).await?;
        let reopened = match self.game(id).await {
            Ok(stored) => Room::reopen(Arc::clone(self), stored),
            Err(refusal) => Err(refusal),
        };
        if reopened.is_err() {
            self.let_go(id).await;
        }
        let handle = reopened?;
        open.insert(id.into(), (handle.clone(), place));
        Ok(handle)
    }

    /// Goes into the room of a game.
    pub async fn enter(
        self: &Arc<Hall>,
        id: &str,
        (connection, visitor): (u64, Visitor),
        credentials: &Arc<Credentials>,
    ) -> Result<(Handle, Joined), Refusal> {
        // A room may close at the very moment somebody comes; then it is opened again.
        for _ in 0..5 {
            let room = self.room(id, visitor).await?;
            let join = |answer| Command::Join(connection, Arc::clone(credentials), answer);
            if let Some(joined) = room.ask(join).await {
                return Ok((room, joined));
            }
            self.rooms.closed(id, &room).await;
        }
        Err(Refusal::busy("the game cannot be opened just now; try again", "暂时无法打开此局；请重试"))
    }

    /// Deletes a game; everybody in its room is told.
    pub async fn delete(self: &Arc<Hall>, id: &str) -> Result<(), Refusal> {
        let mut open = self.rooms.open.lock().await;
        if let Some((room, _)) = open.remove(id) {
            let why = Text::fixed("this game was deleted", "此局已被删除");
            room.ask(|done| Command::Close(why, done)).await;
        }
        let id = id.to_string();
        let deleted = self.library(move |library| library.delete(&id)).await?;
        if deleted { Ok(()) } else { Err(Refusal::no_game()) }
    }

    /// Closes all rooms; their games are in the library then.
    pub async fn close_rooms(&self) {
        let open: Vec<Handle> = self.rooms.open.lock().await.drain().map(|(_, (room, _))| room).collect();
        for room in open {
            let why = Text::fixed("the server stops; your game is kept", "服务器停止；你的对局已保存");
            room.ask(|done| Command::Close(why, done)).await;
        }
    }
}

impl Rooms {
    /// No rooms yet; so many may be open.
    pub fn new(most: Most) -> Rooms {
        Rooms { places: Places::new(most), open: Mutex::default() }
    }

    /// How many are open.
    pub async fn count(&self) -> usize {
        self.open.lock().await.len()
    }

    /// A room has closed itself.
    pub async fn closed(&self, id: &str, room: &Handle) {
        let mut open = self.open.lock().await;
        if open.get(id).is_some_and(|(other, _)| other.same(room)) {
            open.remove(id);
        }
    }
}

fn too_many() -> Refusal {
    Refusal::busy(
        "too many games are open; close some pages and try again in a minute",
        "打开的对局过多；请关闭一些页面，一分钟后再试",
    )
}
