//! Whether a player can start at all, found out before the first game: a program that is not there must not lose games.

use std::path::PathBuf;

use lianzi_core::{Fault, Rules, Speak, StartFault, Stone, Text, Verdict, known_reason, text};

use super::folder::FolderPlayer;
use super::{Kind, PlayerSpec, Program, Protocol};
use lianzi_cage::{Cages, on_path};
#[cfg(unix)]
use lianzi_game::clock::Control;
use lianzi_game::player::Seat;

/// Why a player does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoStart {
    /// There is no such program.
    Missing(PathBuf),
    /// The file may not be run.
    NotExecutable(PathBuf),
    /// The system or the program itself says why not.
    Refused(StartFault, String),
}

impl Speak for NoStart {
    fn text(&self) -> Text {
        match self {
            NoStart::Missing(path) => text!(
                "it cannot start, because there is no program {path}; check the path",
                "无法启动：没有程序 {path}；请检查路径",
                path = path.display()
            ),
            NoStart::NotExecutable(path) => text!(
                "it cannot start, because {path} may not be run; chmod +x {path} allows it",
                "无法启动：{path} 没有执行权限；请运行 chmod +x {path}",
                path = path.display()
            ),
            // Programs and systems say it in their own words; only what we say ourselves has two languages.
            NoStart::Refused(fault, how) => {
                let how = known_reason(how);
                match fault {
                    StartFault::Unloadable => text!("it cannot start: {how}", "无法启动：{how}"; how),
                    StartFault::MissingFunction => text!(
                        "it cannot start, because it lacks what every player needs: {how}",
                        "无法启动：缺少必需的功能：{how}"; how
                    ),
                }
            }
        }
    }
}

impl PlayerSpec {
    /// Starts a player from outside as for a game of these rules, and ends it again. Our own engines always start.
    pub fn try_out(&self, rules: &Rules, control: &Control, cages: &Cages) -> Result<(), NoStart> {
        match &self.kind {
            Kind::Human | Kind::BuiltIn(..) => return Ok(()),
            Kind::Program(program) => {
                find(program)?;
                if program.protocol == Protocol::Csv {
                    let player = FolderPlayer::new((**program).clone(), Some(cages.clone()));
                    return player.try_start(rules).map_err(refused);
                }
            }
            Kind::Strategy(_) => {}
        }
        let Some(mut player) = self.player_with(cages) else { return Ok(()) };
        let seat = Seat { rules, stone: Stone::Black, control, seed: 0 };
        let seated = player.sit(&seat).map_err(refused);
        player.leave(&Verdict::UNFINISHED);
        seated
    }
}

fn refused(fault: Fault) -> NoStart {
    match fault {
        Fault::NotStarted(fault, how) => NoStart::Refused(fault, how),
        Fault::Crashed(how) | Fault::Garbled(how) | Fault::Shortage(how) => {
            NoStart::Refused(StartFault::Unloadable, how)
        }
        fault => NoStart::Refused(StartFault::Unloadable, format!("{fault:?}")),
    }
}

/// Finds the program as the system will, so that a wrong path is told in plain words. Whatever else is wrong with it
/// shows when it is tried.
#[cfg(unix)]
fn find(program: &Program) -> Result<(), NoStart> {
    use std::os::unix::fs::PermissionsExt;
    let name = &program.command[0];
    let file = on_path(name).ok_or_else(|| NoStart::Missing(name.into()))?;
    match std::fs::metadata(&file) {
        Ok(found) if found.permissions().mode() & 0o111 == 0 => Err(NoStart::NotExecutable(file)),
        _ => Ok(()),
    }
}

/// Other systems find programs in ways of their own.
#[cfg(not(unix))]
fn find(_: &Program) -> Result<(), NoStart> {
    Ok(())
}
