//! What a result must be read with: games that tell nothing of strength, CPU time, and a machine that was too busy.

use std::collections::HashMap;

use lianzi_core::{Ending, GameRecord, Language, Limit, Stone, Text, text};
use serde::Serialize;
use serde_json::{Value, json};

use super::report::mover;
use super::standings::Judged;
use super::{Contest, Fixture};
use lianzi_cage::cpu;

/// The tag of a record that says how busy the machine was, when it had more to do than its cores can: `3.8/2`.
pub const LOAD: &str = "load";

/// The tag of a record that says how often the game was begun in vain, because the arena itself lacked something.
pub const AGAIN: &str = "begun-again";

/// What decided a game instead of its stones, when that says little of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A clock ran out.
    Time,
    /// A player did not start.
    Start,
}

/// The CPU time of some turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuUse {
    /// How many turns were measured.
    pub turns: u64,
    /// What they used, in microseconds.
    pub micros: u64,
}

/// What one game must be read with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// What decided it instead of stones.
    pub cause: Option<Cause>,
    /// What Black and White used.
    pub cpu: [CpuUse; 2],
    /// Whether the machine had more to do than it can.
    pub busy: bool,
    /// Whether it was begun again, because the arena lacked something.
    pub again: bool,
}

impl From<&GameRecord> for Circumstances {
    fn from(record: &GameRecord) -> Circumstances {
        let cause = match record.verdict.ending {
            Ending::Timeout { .. } => Some(Cause::Time),
            Ending::NotStarted { .. } => Some(Cause::Start),
            _ => None,
        };
        let mut cpu = [CpuUse::default(); 2];
        for (index, played) in record.moves.iter().enumerate().skip(record.opening) {
            if let Some(micros) = played.cpu_us {
                let side = &mut cpu[mover(record, index).index()];
                side.turns += 1;
                side.micros = side.micros.saturating_add(micros);
            }
        }
        Circumstances { cause, cpu, busy: record.tag(LOAD).is_some(), again: record.tag(AGAIN).is_some() }
    }
}

/// Whether the machine starved a player: it was too busy, and the clock on the wall ran out before the CPU time did. Who
/// sleeps away his time is not told apart; that costs him no less when the game is played again.
pub fn starved(record: &GameRecord) -> bool {
    let late = matches!(record.verdict.ending, Ending::Timeout { limit: Limit::Move });
    late && record.tag(LOAD).is_some()
}

/// The games that tell something of strength: not those that somebody did not start in, and none of two players who met
/// in games that were all decided by time.
pub fn telling<G: Judged>(games: &[(Fixture, G)]) -> Vec<(Fixture, &G)> {
    let started = || games.iter().filter(|(_, game)| game.circumstances().cause != Some(Cause::Start));
    let mut played: HashMap<[usize; 2], bool> = HashMap::new();
    for (fixture, game) in started() {
        *played.entry(meeting(fixture)).or_default() |= game.circumstances().cause.is_none();
    }
    let tells = |fixture: &Fixture| played.get(&meeting(fixture)) == Some(&true);
    started().filter(|(fixture, _)| tells(fixture)).map(|(fixture, game)| (*fixture, game)).collect()
}

/// The two players, whatever their colours.
fn meeting(fixture: &Fixture) -> [usize; 2] {
    let [black, white] = fixture.seats;
    [black.min(white), black.max(white)]
}

/// What all games of a contest must be read with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caveats {
    /// How many games there are.
    pub games: usize,
    /// How many were decided by time.
    pub by_time: usize,
    /// How many were decided by a player that did not start.
    pub not_started: usize,
    /// How many tell nothing of strength and are left out of Elo.
    pub left_out: usize,
    /// During how many the machine had more to do than it can.
    pub busy: usize,
    /// How many were begun again, because the arena lacked something.
    pub again: usize,
}

impl Caveats {
    /// Counts them.
    pub fn of(games: &[(Fixture, impl Judged)]) -> Caveats {
        let count = |wanted: &dyn Fn(&Circumstances) -> bool| {
            games.iter().filter(|(_, game)| wanted(&game.circumstances())).count()
        };
        Caveats {
            games: games.len(),
            by_time: count(&|game| game.cause == Some(Cause::Time)),
            not_started: count(&|game| game.cause == Some(Cause::Start)),
            left_out: games.len() - telling(games).len(),
            busy: count(&|game| game.busy),
            again: count(&|game| game.again),
        }
    }

    /// A sentence for each.
    pub fn words(&self) -> Vec<Text> {
        let Caveats { games, by_time, not_started, left_out, busy, again } = *self;
        let mut said = Vec::new();
        if by_time > 0 && by_time == games {
            said.push(text!(
                "{by_time} of {games} decided by time: no measure of strength",
                "{games} 局中有 {by_time} 局由超时决定：不能衡量棋力"
            ));
        } else if by_time > 0 {
            let late = left_out.saturating_sub(not_started);
            said.push(text!(
                "{by_time} of {games} decided by time, {late} of them left out of Elo",
                "{games} 局中有 {by_time} 局由超时决定，其中 {late} 局不计入等级分"
            ));
        }
        if not_started > 0 {
            said.push(text!(
                "{not_started} of {games} decided by a player that did not start, left out of Elo",
                "{games} 局中有 {not_started} 局由无法启动的棋手决定，不计入等级分"
            ));
        }
        if busy > 0 {
            said.push(text!("the machine was busier than its cores allow during {busy} of {games} games: wall clocks measure its load there, CPU seconds and nodes do not", "{games} 局中有 {busy} 局进行时机器负载超过核数：此时按实际时间计时会受负载影响，CPU 秒与节点数则不会"));
        }
        if again > 0 {
            said.push(text!(
                "{again} of {games} begun again, because the arena itself lacked room, memory, files or processes: nobody's fault",
                "{games} 局中有 {again} 局因竞技场自身缺少磁盘、内存、文件或进程而重新开始：与棋手无关"
            ));
        }
        said
    }

    /// The same as fields of a summary.
    pub fn fields(&self) -> [(&'static str, Value); 6] {
        let words: Vec<String> = self.words().into_iter().map(|words| words.english.into_owned()).collect();
        [
            ("decided_by_time", json!(self.by_time)),
            ("not_started", json!(self.not_started)),
            ("left_out_of_elo", json!(self.left_out)),
            ("busy", json!(self.busy)),
            ("begun_again", json!(self.again)),
            ("warnings", json!(words)),
        ]
    }
}

/// What a player's turns have used of the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CpuRow {
    /// How many turns were measured.
    pub turns: u64,
    /// All of them, in seconds.
    pub seconds: f64,
    /// The mean of a turn, in seconds.
    pub per_turn: Option<f64>,
}

/// What each of `players` players has used, in their order.
pub fn cpu_rows(players: usize, games: &[(Fixture, impl Judged)]) -> Vec<CpuRow> {
    let mut rows = vec![CpuUse::default(); players];
    for (fixture, game) in games {
        let used = game.circumstances().cpu;
        for stone in Stone::BOTH {
            if let Some(row) = rows.get_mut(fixture.seat(stone)) {
                row.turns += used[stone.index()].turns;
                row.micros = row.micros.saturating_add(used[stone.index()].micros);
            }
        }
    }
    let row = |CpuUse { turns, micros }: CpuUse| {
        let seconds = micros as f64 / 1e6;
        CpuRow { turns, seconds, per_turn: (turns > 0).then(|| seconds / turns as f64) }
    };
    rows.into_iter().map(row).collect()
}

/// The same as a field of a summary.
pub fn cpu_field(contest: &Contest, rows: &[CpuRow]) -> Value {
    let row = |(row, entrant): (&CpuRow, &super::Entrant)| json!({"name": entrant.name, "turns": row.turns, "seconds": row.seconds, "per_turn": row.per_turn});
    rows.iter().zip(&contest.players).map(row).collect()
}

/// A warning if the machine has more to do than it can now.
pub fn busy_words(language: Language) -> Option<String> {
    let cpu::Load { wanted, cores } = cpu::busy()?;
    let words = text!(
        "the machine is busy: a load of {wanted:.1} on {cores} cores; wall clocks measure that load, so limit players by nodes= or cpu= instead",
        "机器繁忙：{cores} 个核，负载 {wanted:.1}；按实际时间计时会受负载影响，请改用 nodes= 或 cpu= 限制棋手"
    );
    Some(words.said(language))
}

/// The tag's value if the machine has more to do than it can now.
pub(super) fn load() -> Option<String> {
    cpu::busy().map(|load| format!("{:.1}/{}", load.wanted, load.cores))
}

#[cfg(test)]
mod tests {
    use lianzi_core::record::Move;
    use lianzi_core::{Cell, Limit, Outcome, StartFault, Verdict};

    use super::*;
    use crate::GameId;

    fn game(n: usize, seats: [usize; 2], verdict: Verdict) -> (Fixture, GameRecord) {
        let mut record = GameRecord::new("connect4".parse().unwrap());
        record.moves = ["d1", "a1", "e1"].map(|name| Move::from(name.parse::<Cell>().unwrap())).into();
        record.opening = 1;
        record.moves[1].cpu_us = Some(30_000);
        record.verdict = verdict;
        (Fixture { id: GameId { encounter: 0, game: n }, round: 0, seats, opening: 0 }, record)
    }

    fn late() -> Verdict {
        Verdict::fault(Stone::White, Ending::Timeout { limit: Limit::Move })
    }

    fn absent() -> Verdict {
        Verdict::fault(Stone::White, Ending::NotStarted { fault: StartFault::Unloadable, how: "gone".into() })
    }

    fn won() -> Verdict {
        Verdict::by_stones(Outcome::Win(Stone::Black))
    }

    #[test]
    fn a_match_decided_by_time_measures_nothing() {
        let games = [game(0, [0, 1], late()), game(1, [1, 0], late())];
        assert!(telling(&games).is_empty());
        let said = Caveats::of(&games).words();
        assert_eq!(said[0].english, "2 of 2 decided by time: no measure of strength");
        assert!(said[0].chinese.contains("不能衡量棋力"));
    }

    #[test]
    fn single_time_losses_count_and_failed_starts_never_do() {
        let games =
            [game(0, [0, 1], late()), game(1, [1, 0], won()), game(2, [0, 1], absent()), game(3, [0, 2], late())];
        let ids: Vec<usize> = telling(&games).iter().map(|(fixture, _)| fixture.id.game).collect();
        assert_eq!(ids, [0, 1], "the two who met by time alone are left out");
        let caveats = Caveats { games: 4, by_time: 2, not_started: 1, left_out: 2, busy: 0, again: 0 };
        assert_eq!(Caveats::of(&games), caveats);
        let said = caveats.words();
        assert_eq!(said[0].english, "2 of 4 decided by time, 1 of them left out of Elo");
        assert!(said[1].english.starts_with("1 of 4 decided by a player that did not start"));
    }

    #[test]
    fn a_busy_machine_and_cpu_time_are_told() {
        let mut games = [game(0, [0, 1], won()), game(1, [1, 0], won())];
        games[1].1.set_tag(LOAD, "3.8/2");
        assert!(Caveats::of(&games).words()[0].english.contains("during 1 of 2 games"));
        let rows = cpu_rows(2, &games);
        assert_eq!((rows[0].turns, rows[0].seconds, rows[0].per_turn), (1, 0.03, Some(0.03)));
        assert_eq!(Caveats::of(&games[..1]).words(), []);
    }

    #[test]
    fn only_a_busy_machine_starves_players() {
        let mut record = GameRecord::from_position(&lianzi_core::Position::new(lianzi_core::Rules::gomoku(15)));
        record.verdict = lianzi_core::Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Move });
        assert!(!starved(&record));
        record.set_tag(LOAD, "14.0/2");
        assert!(starved(&record));
        record.verdict = lianzi_core::Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Cpu });
        assert!(!starved(&record), "its own time is its own affair");
    }
}
