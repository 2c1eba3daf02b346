//! `lab`: the experiments of the documents, repeated.

use std::process::ExitCode;
use std::thread;

use anyhow::bail;
use clap::Args;
use lianzi_core::Text;
use serde_json::json;

use crate::experiments::{ALL, Effort, Experiment, Lab};
use lianzi_console::{Console, line};

/// Repeat the experiments of the documents, their figures beside ours
#[derive(Args)]
#[command(after_help = "Examples:\n  lianzi lab\n  lianzi lab modules --quick\n  lianzi lab all --quick --json")]
pub struct LabArgs {
    /// The experiment, or `all`; without it, what there is
    name: Option<String>,
    /// About a minute instead of as long as the result is worth
    #[arg(long)]
    quick: bool,
    /// How much work exactly
    #[arg(long, hide = true, value_enum, conflicts_with = "quick")]
    budget: Option<Effort>,
    /// Where random numbers start: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games at once [default: one for each processor]; it changes no result but times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Print JSON, one object per experiment
    #[arg(long)]
    json: bool,
}

impl LabArgs {
    /// Does it.
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        match self.name.as_deref() {
            None => self.list(console),
            Some("all") => self.all(console),
            Some(name) => match ALL.iter().find(|experiment| experiment.name == name) {
                Some(experiment) => self.one(experiment, console),
                None => bail!(unknown(name)),
            },
        }
    }

    fn list(&self, console: &Console) -> anyhow::Result<ExitCode> {
        for Experiment { name, document, what, time: [quick, full], .. } in &ALL {
            let what = what.words(console.language);
            line(match self.json {
                true => json!({ "experiment": name, "document": document, "what": what, "quick": quick, "full": full })
                    .to_string(),
                false => format!("{name:<12} {document:<24} {quick:>5} / {full:<6} {what}"),
            })?;
        }
        if !self.json {
            line(console.pick(
                "\nTimes are CPU time with --quick / in full, about. `lianzi lab all` does everything.",
                "\n时间为 --quick / 完整实验的大约 CPU 时间。`lianzi lab all` 运行全部实验。",
            ))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Everything, also when one experiment cannot be done.
    fn all(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let mut code = ExitCode::SUCCESS;
        for experiment in &ALL {
            if let Err(error) = self.one(experiment, console) {
                code = console.fail(&error);
            }
        }
        Ok(code)
    }

    fn one(&self, experiment: &Experiment, console: &Console) -> anyhow::Result<ExitCode> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let budget = self.budget.unwrap_or(if self.quick { Effort::Quick } else { Effort::Full });
        let concurrency = self.concurrency.map_or(processors, usize::from);
        let lab = Lab { console, budget, seed: self.seed, concurrency };
        if !self.json {
            let what = experiment.what.words(console.language);
            line(format!("## {} ({})\n{what}\n", experiment.name, experiment.document))?;
        }
        let mut report = (experiment.run)(&lab)?;
        report.settings.insert(0, ("command", self.command(experiment, budget)));
        line(match self.json {
            true => report.json(experiment.name, experiment.document).to_string(),
            false => report.words(console),
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// How to do the same again.
    fn command(&self, experiment: &Experiment, budget: Effort) -> String {
        let how = match budget {
            Effort::Tiny => " --budget tiny",
            Effort::Quick => " --quick",
            Effort::Full => "",
        };
        format!("lianzi lab {}{how} --seed {}", experiment.name, self.seed)
    }
}

fn unknown(name: &str) -> Text {
    let names: Vec<&str> = ALL.iter().map(|experiment| experiment.name).collect();
    let name = lianzi_core::shorten(name);
    Text::new(
        format!("there is no experiment '{name}'; the experiments are all, {}", names.join(", ")),
        format!("没有名为“{name}”的实验；可选 all、{}", names.join("、")),
    )
}
