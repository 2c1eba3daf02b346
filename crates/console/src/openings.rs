//! The openings that a user names.

use anyhow::{Context, anyhow, bail};
use lianzi_contest::Openings;
use lianzi_contest::opening::read_openings;
use lianzi_core::{Rules, Speak, text};

use crate::Console;

/// The openings a user names: a file, `random` or `none`.
pub fn openings(name: &str, rules: &Rules, console: &Console) -> anyhow::Result<Openings> {
    match name {
        "none" => Ok(Openings::None),
        "random" => Ok(Openings::Balanced),
        file => {
            let text = std::fs::read_to_string(file).with_context(|| file.to_string())?;
            let list = read_openings(&text, rules);
            let list = list.map_err(|bad| anyhow!("{file}: {}", bad.words(console.language)))?;
            if list.is_empty() {
                bail!(text!("{file}: the file holds no opening", "{file}: 文件中没有开局"));
            }
            Ok(Openings::List(list))
        }
    }
}
