//! What lasts, and how much of it there may be: games and contests, of one visitor and in all.

use lianzi_core::text;
use lianzi_store::{ContestCounts, Hash, Library, StoreError};
use lianzi_talk::Refusal;

use crate::Hall;
use crate::bounds::{DAY_MS, IDLE_MS};
use crate::visitor::Visitor;

impl Hall {
    /// What the library knows a visitor by.
    pub(crate) fn mark(&self, visitor: Visitor) -> Hash {
        visitor.mark(&self.keeper)
    }

    /// Whether one more game of this visitor may be kept.
    pub(crate) async fn may_keep(&self, visitor: Hash) -> Result<(), Refusal> {
        let since = crate::now() - DAY_MS;
        let ask = move |library: &Library| Ok((library.games_of(&visitor, since)?, library.bytes()?));
        let (own, bytes) = self.library(ask).await?;
        let (most, each) = (self.bounds.library.all as u64, self.bounds.library.each);
        if bytes >= most {
            return Err(Refusal::busy(
                "the library is full; whoever runs the server can make room",
                "对局库已满；服务器管理者可腾出空间",
            ));
        }
        let games = self.bounds.games_a_day;
        if own.count < games && own.bytes < each {
            return Ok(());
        }
        let mebibytes = each >> 20;
        Err(Refusal::much(text!(
            "a visitor keeps at most {games} games and {mebibytes} MiB a day; come back tomorrow",
            "每位访客每天最多保存 {games} 局、{mebibytes} MiB；请明天再来"
        )))
    }

    /// Makes sure that one more game fits among those that go on. Games that nobody began are forgotten first, and then
    /// those in which nothing happens rest.
    pub(crate) async fn make_room(&self) -> Result<(), Refusal> {
        let most = self.bounds.live_games;
        if self.library(move |library| room_for_one(library, most)).await? {
            return Ok(());
        }
        Err(Refusal::busy(
            "there are too many games under way; delete one or try again later",
            "进行中的对局过多；请删除一局或稍后再试",
        ))
    }

    /// Whether this visitor may start one more contest.
    pub(crate) async fn may_contest(&self, visitor: Hash) -> Result<(), Refusal> {
        if !self.contests_fit() {
            return Err(Refusal::busy(
                "the contests have filled their room on the disk; whoever runs the server can remove some",
                "比赛占用的磁盘空间已满；服务器管理者可删除一些",
            ));
        }
        let since = crate::now() - DAY_MS;
        let counts = self.library(move |library| library.count_contests(&visitor, since)).await?;
        let ContestCounts { all, running, running_own, own } = counts;
        let (most, kept) = (self.bounds.contests, self.bounds.contests_kept);
        if running >= most.all || all >= kept.all {
            return Err(Refusal::busy(
                "there are too many contests already; whoever runs the server can stop some",
                "比赛已经过多；服务器管理者可停止一些",
            ));
        }
        if running_own < most.each && own < kept.each {
            return Ok(());
        }
        let (each, daily) = (most.each, kept.each);
        Err(Refusal::much(text!(
            "a visitor has at most {each} contests at once and starts {daily} a day; stop one or come back tomorrow",
            "每位访客同时最多 {each} 场比赛，每天最多发起 {daily} 场；请停止一场或明天再来"
        )))
    }
}

fn room_for_one(library: &Library, most: usize) -> Result<bool, StoreError> {
    let long_ago = crate::now() - IDLE_MS;
    for make_room in [<Library>::forget_unbegun, <Library>::rest] {
        if library.live_games()? < most {
            return Ok(true);
        }
        make_room(library, long_ago)?;
    }
    Ok(library.live_games()? < most)
}
