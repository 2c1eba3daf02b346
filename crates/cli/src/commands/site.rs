//! `site`: the page without a server.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lianzi_core::text;
use lianzi_server::{SiteError, write_site};

use lianzi_console::{Console, line};

/// Write the page as a folder of static files that any web host serves: it plays and thinks without a server
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi site public\n  python3 -m http.server --directory public 8000\n\nGames are played, analysed and kept in the visitor's browser; after the first visit the page opens without a network too. What needs a server, friends by link and contests, is not shown. The host must send .wasm files as application/wasm, as all do, and browsers want https anywhere but on this machine."
)]
pub struct SiteArgs {
    /// The folder to write to
    #[arg(value_name = "FOLDER")]
    to: PathBuf,
}

impl SiteArgs {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let to = self.to.display();
        let site = match write_site(&self.to) {
            Ok(site) => site,
            Err(SiteError::NoModule) => anyhow::bail!(
                console.pick(
                    "this program was built without the module that a page thinks with: run web/build.sh and build the program again",
                    "此程序未包含网页所需的引擎模块：请先运行 web/build.sh，再重新编译"
                )
            ),
            Err(SiteError::Io(path, error)) => anyhow::bail!("{path}: {}", console.language.system(&error)),
        };
        let (files, kilobytes) = (site.files, site.bytes.div_ceil(1000));
        let words = text!("{to}: {files} files, {kilobytes} kB", "{to}：{files} 个文件，{kilobytes} kB");
        line(words.said(console.language))?;
        Ok(ExitCode::SUCCESS)
    }
}
