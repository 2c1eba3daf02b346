//! `csv`: Connect6 against another program through files in a folder.

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use lianzi_core::record::csv::printed_foul;
use lianzi_core::{Cell, Ending, Limit, Outcome, Rules, Speak, Stone, Text, Verdict, text};
use lianzi_engine::Stop;
use lianzi_game::clock::{Allowance, Control};
use lianzi_game::duration;
use lianzi_game::judge::{Answer, Deed, Ruling, ending_of, judge};
use lianzi_game::player::{Ask, Player, Seat};
use lianzi_players::PlayerSpec;
use lianzi_players::folder::{FILES, FolderGame, FolderState, Judging, Unread};

use lianzi_console::{Console, line, warn};

/// Play Connect6 against another program through black.csv, white.csv and log.txt in one folder
///
/// Exit code 0 when the game ended by the rules, 1 when the other side broke them, 2 when we could not go on.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi csv --color black --dir game &\n  lianzi csv --color white --dir game --player classic-connect6"
)]
pub struct Csv {
    /// The side we play
    #[arg(long, value_enum)]
    color: Color,
    /// The folder in which both programs write
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Who plays for us
    #[arg(long, value_name = "PLAYER", default_value = "strong")]
    player: PlayerSpec,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "connect6:15")]
    game: Rules,
    /// Also judge what only the document calls a foul: White's first time must be later than Black's
    #[arg(long)]
    strict: bool,
    /// What a turn may take by the clock in the files
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "5s")]
    limit: Duration,
    /// What our own turn may take [default: 4/5 of the limit]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// How long we wait for the other side's turn, by our own clock
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "60s")]
    wait: Duration,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Black,
    White,
}

/// How often the files are looked at.
const POLL: Duration = Duration::from_millis(20);

/// How long the files may stay odd: a program may be caught while it writes them.
const PATIENCE: Duration = Duration::from_secs(1);

impl Csv {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let own = match self.color {
            Color::Black => Stone::Black,
            Color::White => Stone::White,
        };
        if (self.game.line, self.game.first_turn, self.game.per_turn) != (6, 1, 2) {
            bail!(Text::fixed("csv is for Connect6, such as connect6:15", "csv 用于六子棋，例如 connect6:15"));
        }
        std::fs::create_dir_all(&self.dir).with_context(|| self.dir.display().to_string())?;
        let judging = Judging { limit: self.limit.as_secs(), strict: self.strict };
        let game = FolderGame::open(&self.dir, self.game, own, judging).map_err(|why| words(&why, console))?;
        let per_move = Some(self.time.unwrap_or(self.limit * 4 / 5));
        let control = Control { per_move, ..Control::default() };
        let Some(player) = self.player.player() else {
            bail!(Text::fixed("people play with lianzi play", "人类棋手请用 lianzi play"));
        };
        let log = self.dir.join("log.txt");
        let mut table = FolderSeat { game, own, player, control, wait: self.wait, log, console };
        table.refuse_finished_game()?;
        table.play()
    }
}

struct FolderSeat<'a> {
    game: FolderGame,
    own: Stone,
    player: Box<dyn Player>,
    control: Control,
    wait: Duration,
    log: PathBuf,
    console: &'a Console,
}

impl FolderSeat<'_> {
    fn refuse_finished_game(&mut self) -> anyhow::Result<()> {
        if let Ok(FolderState::Over(_)) = self.game.look(PATIENCE) {
            let folder = self.log.parent().unwrap_or(Path::new("")).display().to_string();
            let files = FILES.join(", ");
            bail!(text!(
                "{folder}: a finished game lies here; remove {files} or name another folder",
                "{folder}：这里有一局已结束的棋；请删除 {files} 或换一个文件夹"
            ));
        }
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<ExitCode> {
        let rules = self.game.record().rules;
        let seat = Seat { rules: &rules, stone: self.own, control: &self.control, seed: 1 };
        self.player.sit(&seat).map_err(|fault| {
            let verdict = Verdict::fault(self.own, ending_of(&fault, &Allowance::default()));
            anyhow!(verdict.words(&rules, self.console.language))
        })?;
        self.log(&format!("{} begins: {rules}", self.own))?;
        self.tell_of_waiting();
        loop {
            let standing = self.await_change()?;
            match standing {
                FolderState::Ours => self.take_turn()?,
                FolderState::Over(verdict) => return self.end(&verdict),
                FolderState::Foul(verdict) => return self.accuse(&verdict),
                FolderState::Theirs | FolderState::Unsettled => {
                    unreachable!("we wait as long as the other is to move")
                }
            }
        }
    }

    /// To a person, silence of a minute looks like a fault.
    fn tell_of_waiting(&self) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let (folder, wait) = (self.log.parent().unwrap_or(Path::new("")).display(), self.wait.as_secs_f64());
        let words = text!(
            "playing in {folder}; each turn of the other side may take {wait} s",
            "在 {folder} 中对局；对方每手最多等待 {wait} 秒"
        );
        eprintln!("{}", self.console.say(words));
    }

    /// Polls until there is something to do. Our own clock ends the wait when nothing comes.
    fn await_change(&mut self) -> anyhow::Result<FolderState> {
        let start = Instant::now();
        loop {
            match self.game.look(PATIENCE) {
                Ok(FolderState::Theirs | FolderState::Unsettled) => {}
                Ok(standing) => return Ok(standing),
                Err(why) => return self.give_up_on(&why),
            }
            if start.elapsed() > self.wait {
                let ending = Ending::Timeout { limit: Limit::Move };
                return Ok(FolderState::Foul(Verdict::fault(self.own.other(), ending)));
            }
            thread::sleep(POLL);
        }
    }

    fn give_up_on(&self, why: &Unread) -> anyhow::Result<FolderState> {
        match why {
            Unread::Garbled(error) => {
                let said = error.words(self.console.language);
                Ok(FolderState::Foul(Verdict::fault(self.own.other(), Ending::Garbled { said })))
            }
            Unread::Io(..) => Err(words(why, self.console)),
        }
    }

    fn take_turn(&mut self) -> anyhow::Result<()> {
        let position = self.game.record().position();
        let start = Instant::now();
        let due = self.control.per_move.map(|time| start + time);
        let limits = lianzi_engine::Limits { move_time: self.control.per_move, lines: 1, ..Default::default() };
        let interrupt = Stop::default();
        let deadline = due.map(|due| due + self.control.margin);
        let ask = Ask { position: &position, limits, due, deadline, interrupt: &interrupt };
        let reply = self.player.take_turn(&ask, &mut |_| {});
        let taken = start.elapsed();
        let deed = reply.map_or_else(Deed::Failed, |reply| Deed::Turn(reply.turn));
        // Our own player is judged like any other before anything is written.
        match judge(&position, &Default::default(), taken, &deed) {
            Ruling::End(verdict) => bail!(verdict.words(position.rules(), self.console.language)),
            Ruling::Place { cells, .. } => {
                self.game.place(&cells, taken).map_err(|why| words(&why, self.console))?;
                self.log(&format!("{} places {}", self.own, names(&cells)))
            }
        }
    }

    fn end(&mut self, verdict: &Verdict) -> anyhow::Result<ExitCode> {
        self.player.leave(verdict);
        let rules = self.game.record().rules;
        let printed = match verdict.outcome {
            Some(Outcome::Win(winner)) if winner == self.own => "you are winner",
            Some(Outcome::Win(_)) => "you are loser",
            _ => "nobody wins",
        };
        line(printed)?;
        line(verdict.words(&rules, self.console.language))?;
        self.log(printed)?;
        Ok(ExitCode::SUCCESS)
    }

    fn accuse(&mut self, verdict: &Verdict) -> anyhow::Result<ExitCode> {
        self.player.leave(verdict);
        let own_words = verdict.words(&self.game.record().rules, self.console.language);
        let printed = printed_foul(verdict).unwrap_or(&own_words).to_string();
        warn(&printed);
        if printed != own_words {
            warn(&own_words);
        }
        self.log(&printed)?;
        Ok(ExitCode::from(1))
    }

    /// Adds a line; both programs may write to the same log.
    fn log(&self, message: &str) -> anyhow::Result<()> {
        let now = jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S%.6f %Z").to_string();
        let file = OpenOptions::new().create(true).append(true).open(&self.log);
        let written = file.and_then(|mut file| file.write_all(format!("[{now}] {message}\n").as_bytes()));
        written.with_context(|| self.log.display().to_string())
    }
}

fn names(cells: &[Cell]) -> String {
    cells.iter().map(|&cell| Answer::from(cell).to_string()).collect::<Vec<_>>().join(" ")
}

fn words(why: &Unread, console: &Console) -> anyhow::Error {
    match why {
        Unread::Io(path, error) => anyhow!("{}: {}", path.display(), console.language.system(error)),
        Unread::Garbled(error) => anyhow!(error.words(console.language)),
    }
}
