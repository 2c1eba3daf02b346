//! `convert`: changes a record's format, and says what the new format does not keep.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use lianzi_core::record::{Document, Format, GameRecord};
use lianzi_core::{Speak, Text, text};

use lianzi_console::files::{self, Reading, format_of_name, write_document};
use lianzi_console::{Console, warn};

/// Change the format of a recorded game
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi convert game.psq game.sgf\n  lianzi convert game.json folder --to csv\n  lianzi convert games.txt games.sgf --game connect6   # all of them\n  lianzi convert games.sgf third.psq --number 3"
)]
pub struct Convert {
    /// The file to read; - is standard input
    input: PathBuf,
    /// The file to write, or a folder for csv; - is standard output
    output: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// The format to write [default: by the name of the output]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

impl Convert {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let format = self.format()?;
        let records = self.records(console)?;
        let document = format.write(&records).map_err(|error| {
            let only_one = records.len() > 1 && format.write(&records[..1]).is_ok();
            let hint = if only_one { console.say(choose(records.len())) } else { String::new() };
            anyhow!("{}{hint}", error.words(console.language))
        })?;
        self.refuse_to_replace()?;
        write_document(&self.output, &document)?;
        report_losses(format, &document, &records, console);
        Ok(ExitCode::SUCCESS)
    }

    fn format(&self) -> Result<Format, Text> {
        let format = self.to.or_else(|| format_of_name(&self.output));
        format.ok_or(Text::fixed(
            "the name of the output does not say its format; add --to FORMAT",
            "输出文件名看不出格式；请加 --to 格式",
        ))
    }

    fn records(&self, console: &Console) -> anyhow::Result<Vec<GameRecord>> {
        if self.number.is_some() {
            return Ok(vec![self.reading.load_one(&self.input, self.number, console)?]);
        }
        let games = self.reading.load(&self.input, console)?;
        games.into_iter().map(|game| files::whole(game, &self.input, console)).collect()
    }

    fn refuse_to_replace(&self) -> anyhow::Result<()> {
        let exists = self.output != Path::new("-") && self.output.is_file() || files::csv_pair(&self.output).is_some();
        if exists && !self.force {
            let file = self.output.display();
            bail!(text!("{file}: the file exists; add --force to replace it", "{file}: 文件已存在；加 --force 可覆盖"));
        }
        Ok(())
    }
}

fn choose(count: usize) -> Text {
    text!("; choose a game with --number 1 to {count}", "；请用 --number 选择 1 到 {count} 中的一局")
}

/// Reads back what was written and names what is missing. RenLib cannot be written, the others can all be read.
fn report_losses(format: Format, document: &Document, records: &[GameRecord], console: &Console) {
    let rules = records.first().map(|record| record.rules);
    let kept = format.read(document, rules).unwrap_or_default();
    let kept: Vec<GameRecord> = kept.into_iter().map(|loaded| loaded.record).collect();
    let lost = losses(records, &kept, console);
    if !lost.is_empty() {
        let words = console.pick("does not keep", "不保存");
        warn(format!("lianzi: {format} {words}: {}", lost.join(console.pick(", ", "、"))));
    }
}

fn losses(before: &[GameRecord], after: &[GameRecord], console: &Console) -> Vec<String> {
    type Part = fn(&GameRecord) -> String;
    let parts: [(Text, Part); 9] = [
        (Text::fixed("the order of the moves", "着法顺序"), |r| {
            format!("{:?}", r.moves.iter().map(|m| m.cell).collect::<Vec<_>>())
        }),
        (Text::fixed("the rules", "规则"), |r| r.rules.to_string()),
        (Text::fixed("the opening rule", "开局规则"), |r| r.opening_rule().to_string()),
        (Text::fixed("how the sides were found", "黑白的协商过程"), |r| {
            format!("{:?}", r.negotiated.as_ref().map(|found| &found.acts).filter(|acts| !acts.is_empty()))
        }),
        (Text::fixed("names", "棋手名"), |r| format!("{:?}", r.sides.each_ref().map(|side| &side.name))),
        (Text::fixed("times", "用时"), |r| format!("{:?}", r.moves.iter().map(|m| m.time_ms).collect::<Vec<_>>())),
        (Text::fixed("evaluations", "评估"), |r| format!("{:?}", r.moves.iter().map(|m| m.eval).collect::<Vec<_>>())),
        (Text::fixed("comments, tags and variations", "注释、附加信息与变化"), |r| {
            format!(
                "{:?}",
                (&r.comment, &r.tags, &r.variations, r.moves.iter().map(|m| (&m.comment, &m.tags)).collect::<Vec<_>>())
            )
        }),
        (Text::fixed("how the game ended", "终局方式"), |r| format!("{:?}", r.verdict)),
    ];
    let differs = |part: &Part| before.iter().map(part).ne(after.iter().map(part));
    parts.into_iter().filter(|(_, part)| differs(part)).map(|(name, _)| console.say(name)).collect()
}
