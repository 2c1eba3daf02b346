//! A contest on its way to the database: its settings, its players, and the files they are made of.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lianzi_contest::Contest;
use lianzi_contest::circumstances::starved;
use lianzi_core::{GameRecord, Language, text};
use lianzi_game::clock::Control;
use lianzi_players::{Interface, Kind, PlayerSpec};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::QueueError;
use crate::files::{Bundle, Gathering, safe_join};
use crate::link::Link;
use crate::needs::{Needs, platform, speed, version};

/// The kind of a job that is a contest.
pub const CONTEST: &str = "contest";

/// All that a worker needs to know of a contest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ContestJob {
    /// What is played.
    pub contest: Contest,
    /// Who plays, in the contest's order.
    pub players: Vec<SentPlayer>,
    /// Whether games in which a busy machine starved a player are played again.
    pub again: bool,
    /// Whether the contest ends as soon as a player has crashed or could not start.
    pub stop_on_crash: bool,
    /// Whose it is, if the same contest of somebody else is another one.
    #[serde(default)]
    pub owner: String,
    /// What it needs of a machine.
    pub needs: Needs,
    /// How fast the machine is that times were chosen for; nothing if they do not matter.
    #[serde(default)]
    pub reference: Option<f64>,
}

/// How a contest is played, apart from what is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms<'a> {
    /// Whether games in which a busy machine starved a player are played again.
    pub again: bool,
    /// Whether the contest ends as soon as a player has crashed or could not start.
    pub stop_on_crash: bool,
    /// Whose it is, if the same contest of somebody else is another one.
    pub owner: &'a str,
}

/// A player as another machine can make it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SentPlayer {
    /// The player's text.
    pub spec: String,
    /// Its files.
    pub bundle: Bundle,
    cage: Option<bool>,
    threads: Option<u64>,
    memory: Option<u64>,
    cpu: Option<Duration>,
    move_time: Option<Duration>,
}

impl SentPlayer {
    /// Gathers what a player needs; what it cannot take along is a need.
    fn pack(player: &PlayerSpec, needs: &mut Needs) -> Result<(SentPlayer, Gathering), QueueError> {
        let mut files = Gathering::default();
        let mut sent =
            SentPlayer { spec: player.to_string(), move_time: player.limits.move_time, ..SentPlayer::default() };
        match &player.kind {
            Kind::Human => {
                return Err(QueueError::Unfit(text!(
                    "{player}: people do not play over a queue",
                    "{player}: 人类棋手不能通过队列对弈"
                )));
            }
            Kind::BuiltIn(..) => sent.cpu = player.cpu,
            Kind::Strategy(strategy) => {
                (sent.threads, sent.memory, sent.cpu) = (strategy.threads, strategy.memory, strategy.cpu);
                files.file(&strategy.file)?;
                strategy.dir.as_deref().map_or(Ok(()), |dir| files.folder(dir))?;
                needs.cage = true;
                needs.python |= strategy.interface != Interface::Library;
            }
            Kind::Program(program) => {
                (sent.cage, sent.threads) = (program.cage, program.threads);
                (sent.memory, sent.cpu) = (program.memory, program.cpu);
                for (n, word) in program.command.iter().enumerate() {
                    let path = Path::new(word);
                    // A bare name is looked for on the path, whatever lies here.
                    let bare = n == 0 && path.components().count() == 1;
                    if bare {
                        needs.programs.push(word.clone());
                    } else if path.is_file() {
                        files.file(path)?;
                    }
                }
                program.dir.as_deref().map_or(Ok(()), |dir| files.folder(dir))?;
                if program.is_caged() { needs.cage = true } else { needs.trust = true }
            }
        }
        sent.bundle = files.bundle().clone();
        if files.is_native() {
            needs.platform = Some(platform());
        }
        let same = |made: &PlayerSpec| {
            (&made.kind, &made.limits, made.seed, made.cpu) == (&player.kind, &player.limits, player.seed, player.cpu)
        };
        match sent.player(None) {
            Some(made) if same(&made) => Ok((sent, files)),
            _ => Err(QueueError::Unfit(text!(
                "{player}: this player cannot be sent elsewhere",
                "{player}: 此棋手无法发送到别处"
            ))),
        }
    }

    /// The player, with its files in this folder or where they were.
    pub fn player(&self, folder: Option<&Path>) -> Option<PlayerSpec> {
        let mut player: PlayerSpec = self.spec.parse().ok()?;
        player.limits.move_time = self.move_time;
        let place = |path: &Path| -> Option<PathBuf> {
            let (Some(folder), Some(text)) = (folder, path.to_str()) else { return Some(path.into()) };
            match self.bundle.paths.get(text) {
                Some(name) => safe_join(folder, name),
                None => Some(path.into()),
            }
        };
        match &mut player.kind {
            Kind::Human => return None,
            Kind::BuiltIn(..) => player.cpu = self.cpu,
            Kind::Strategy(strategy) => {
                (strategy.threads, strategy.memory, strategy.cpu) = (self.threads, self.memory, self.cpu);
                strategy.file = place(&strategy.file)?;
                strategy.dir = strategy.dir.as_deref().and_then(place);
            }
            Kind::Program(program) => {
                (program.cage, program.threads) = (self.cage, self.threads);
                (program.memory, program.cpu) = (self.memory, self.cpu);
                for word in &mut program.command {
                    *word = place(Path::new(word))?.to_str()?.into();
                }
                program.dir = program.dir.as_deref().and_then(place);
            }
        }
        Some(player)
    }

    /// The same player on a machine that is so many times slower than the one that times were chosen for.
    fn slower(mut self, factor: f64) -> SentPlayer {
        self.cpu = self.cpu.map(|time| time.mul_f64(factor));
        self.move_time = self.move_time.map(|time| time.mul_f64(factor));
        self
    }
}

/// A contest that is filed.
#[derive(Clone, Debug)]
pub struct Filed {
    /// The job's number.
    pub job: i64,
    /// Whether it was there already, and what became of it: open, paused, cancelled, done.
    pub state: String,
}

impl ContestJob {
    /// Gathers a contest of these players.
    fn pack(
        contest: &Contest,
        players: &[PlayerSpec],
        terms: Terms<'_>,
    ) -> Result<(ContestJob, Vec<Gathering>), QueueError> {
        let Terms { again, stop_on_crash, owner } = terms;
        let mut needs = Needs::default();
        let packed = players.iter().map(|player| SentPlayer::pack(player, &mut needs));
        let (players, files): (Vec<_>, Vec<_>) = packed.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let (contest, owner) = (contest.clone(), owner.to_string());
        let job = ContestJob { contest, players, again, stop_on_crash, owner, needs, reference: None };
        Ok((job, files))
    }

    /// Files a contest of these players, or finds the same one, whoever filed it.
    pub fn file(link: &Link, contest: &Contest, players: &[PlayerSpec], terms: Terms<'_>) -> Result<Filed, QueueError> {
        let (mut job, files) = ContestJob::pack(contest, players, terms)?;
        // What it needs follows from where it was tried; it is the same contest elsewhere.
        let print = print(CONTEST, &ContestJob { needs: Needs::default(), ..job.clone() })?;
        if let Some(filed) = find(link, &print)? {
            return Ok(filed);
        }
        files.iter().try_for_each(|files| files.put(link))?;
        let timed = contest.control.nodes.is_none() && contest.control.depth.is_none();
        job.reference = timed.then(speed);
        let hashes: Vec<Vec<u8>> =
            files.iter().flat_map(|files| &files.bundle().files).filter_map(|file| bytes(&file.hash)).collect();
        let (game, title) = (contest.game.to_string(), contest.title(Language::English));
        file(link, &print, CONTEST, &game, &title, &body(&job)?, &hashes)
    }

    /// Which games say nothing and are played again.
    pub fn void(&self) -> fn(&GameRecord) -> bool {
        if self.again { starved } else { |_| false }
    }

    /// The same contest for a machine of this speed: who computes more slowly gets more time.
    pub fn scaled(mut self, speed: impl FnOnce() -> f64) -> ContestJob {
        let Some(reference) = self.reference else { return self };
        let factor = (reference / speed().max(1.0)).clamp(0.1, 10.0);
        let Control { per_move, per_game, .. } = &mut self.contest.control;
        *per_move = per_move.map(|time| time.mul_f64(factor));
        *per_game = per_game.map(|(time, more)| (time.mul_f64(factor), more.mul_f64(factor)));
        self.players = self.players.into_iter().map(|player| player.slower(factor)).collect();
        self
    }
}

/// What tells a job from all others: all of it, and what our engines play.
pub(crate) fn print(kind: &str, job: &impl Serialize) -> Result<Vec<u8>, QueueError> {
    let text = format!("{kind} {} {}", version(), body(job)?);
    Ok(Sha256::digest(text.as_bytes()).to_vec())
}

pub(crate) fn body(job: &impl Serialize) -> Result<String, QueueError> {
    serde_json::to_string(job).map_err(|error| QueueError::Refused(error.to_string()))
}

pub(crate) fn find(link: &Link, print: &[u8]) -> Result<Option<Filed>, QueueError> {
    let rows = link.query("SELECT id, state FROM lianzi.jobs WHERE fingerprint = $1", &[&print])?;
    Ok(rows.first().map(|row| Filed { job: row.get(0), state: row.get(1) }))
}

pub(crate) fn file(
    link: &Link,
    print: &[u8],
    kind: &str,
    game: &str,
    title: &str,
    body: &str,
    hashes: &[Vec<u8>],
) -> Result<Filed, QueueError> {
    let ask = "SELECT lianzi.file_job($1, $2, $3, $4, $5, $6, $7)";
    link.query(ask, &[&print, &kind, &game, &title, &version(), &body, &hashes])?;
    find(link, print)?.ok_or_else(|| QueueError::Refused("the job that was filed is gone".into()))
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    (0..hex.len() / 2).map(|n| u8::from_str_radix(hex.get(2 * n..2 * n + 2)?, 16).ok()).collect()
}

/// Why a job that was found cannot be gone on with.
pub fn stopped(filed: &Filed) -> Option<QueueError> {
    let job = filed.job;
    (filed.state == "cancelled").then(|| {
        QueueError::Unfit(text!(
            "job {job} is this contest, and it was cancelled; lianzi queue resume ADDRESS {job} lets it go on, lianzi queue remove ADDRESS {job} forgets it",
            "此比赛即作业 {job}，已被取消；lianzi queue resume 地址 {job} 继续，lianzi queue remove 地址 {job} 删除"
        ))
    })
}

#[cfg(test)]
mod tests {
    use lianzi_contest::Entrant;

    use super::*;

    #[test]
    fn who_is_sent_is_made_the_same_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.py");
        std::fs::write(&file, "def ai(): pass").unwrap();
        let spec = format!("py:{}@memory=100,cpu=2s,name=x", file.display());
        let mut needs = Needs::default();
        let player: PlayerSpec = spec.parse().unwrap();
        let (sent, _) = SentPlayer::pack(&player.confined(3), &mut needs).unwrap();
        assert_eq!((needs.cage, needs.python, needs.trust, &needs.platform), (true, true, false, &None));
        let made = sent.player(Some(Path::new("/cache"))).unwrap();
        let Kind::Strategy(strategy) = &made.kind else { panic!("{made:?}") };
        assert_eq!(
            (strategy.file.to_str(), strategy.threads, strategy.memory),
            (Some("/cache/0/s.py"), Some(3), Some(100 << 20))
        );
        assert_eq!((made.name.as_str(), strategy.cpu), ("x", Some(Duration::from_secs(2))));
        let slow = sent.slower(1.5).player(None).unwrap();
        let Kind::Strategy(strategy) = &slow.kind else { panic!("{slow:?}") };
        assert_eq!(strategy.cpu, Some(Duration::from_secs(3)));
    }

    #[test]
    fn a_slower_machine_gives_more_time() {
        let control = Control {
            per_move: Some(Duration::from_secs(2)),
            per_game: Some((Duration::from_secs(60), Duration::from_secs(1))),
            ..Control::default()
        };
        let two = Entrant::all(["random", "greedy"].map(|name| (name.to_string(), name.to_string())));
        let two = [two[0].clone(), two[1].clone()];
        let contest = Contest { control, ..Contest::of_two("connect4".parse().unwrap(), two, 1) };
        let specs = ["random", "greedy"].map(|name| name.parse().unwrap());
        let (job, _) = ContestJob::pack(&contest, &specs, Terms::default()).unwrap();
        let job = ContestJob { reference: Some(900.0), ..job };
        let times = |job: ContestJob| (job.contest.control.per_move, job.contest.control.per_game);
        let seconds = |move_, game, more| {
            let of = Duration::from_secs_f64;
            (Some(of(move_)), Some((of(game), of(more))))
        };
        assert_eq!(times(job.clone().scaled(|| 450.0)), seconds(4.0, 120.0, 2.0));
        assert_eq!(times(job.clone().scaled(|| 1800.0)), seconds(1.0, 30.0, 0.5));
        // A measurement gone wrong must not stop a contest, nor last for ever.
        assert_eq!(times(job.clone().scaled(|| 0.0)), seconds(20.0, 600.0, 10.0));
        let by_nodes = ContestJob { reference: None, ..job };
        assert_eq!(times(by_nodes.scaled(|| unreachable!("nodes need no measure"))), seconds(2.0, 60.0, 1.0));
    }

    #[test]
    fn programs_outside_a_cage_need_trust() {
        let mut needs = Needs::default();
        SentPlayer::pack(&"gtp:gnugo --mode gtp".parse().unwrap(), &mut needs).unwrap();
        assert_eq!((needs.trust, needs.cage, needs.programs.as_slice()), (true, false, &["gnugo".to_string()][..]));
        assert!(SentPlayer::pack(&"human".parse().unwrap(), &mut Needs::default()).is_err());
        assert!(SentPlayer::pack(&"so:/nowhere.so".parse().unwrap(), &mut Needs::default()).is_err());
    }
}
