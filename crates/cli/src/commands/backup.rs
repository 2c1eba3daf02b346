//! `backup`: a copy of what a server keeps.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lianzi_core::text;

use super::serve::default_folder;
use lianzi_console::{Console, line};

/// Copy the games and contests of a server to a new folder, while it runs
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi backup backups/monday\n  lianzi backup --data /srv/lianzi /mnt/backups/monday\n\nThe copy is a data folder itself. To restore it, stop the server, put the copy in the place of the folder, and start the server again; or look at it with: lianzi serve --data backups/monday"
)]
pub struct Backup {
    /// The folder to make
    #[arg(value_name = "FOLDER")]
    to: PathBuf,
    /// Where games are kept [default: a folder `lianzi` among this user's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Backup {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let data = self.data.map_or_else(default_folder, Ok)?;
        let copied = lianzi_server::back_up(&data, &self.to)?;
        let (to, kilobytes, contests) = (self.to.display(), copied.library.div_ceil(1000), copied.contests);
        let words = text!(
            "{to}: a library of {kilobytes} kB and {contests} contests",
            "{to}：对局库 {kilobytes} kB，比赛 {contests} 场"
        );
        line(words.said(console.language))?;
        Ok(ExitCode::SUCCESS)
    }
}
