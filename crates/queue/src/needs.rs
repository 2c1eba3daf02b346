//! What a job needs of the machine that plays it, and how fast that machine is.

use std::time::Duration;

use lianzi_cage::{Cages, on_path};
use lianzi_classic::catalog;
use lianzi_core::{Speak, Text, text};
use lianzi_engine::signature::{ROWS, signature};
use serde::{Deserialize, Serialize};

/// What our engines play, in short: two programs with the same text play the same. The list of signatures is kept true by a test.
pub fn version() -> String {
    use sha2::{Digest, Sha256};
    let play = Sha256::digest(include_str!("../../../data/signatures.txt"));
    format!("{}-{}", env!("CARGO_PKG_VERSION"), crate::hex(&play[..4]))
}

/// What a job needs of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needs {
    /// Foreign code is locked in.
    pub cage: bool,
    /// Strategies are written in Python.
    pub python: bool,
    /// Programs run with all rights of whoever runs the worker.
    pub trust: bool,
    /// Programs that are not sent along but must be there.
    pub programs: Vec<String>,
    /// The system and processor that code sent along was tried on: `linux-x86_64-v3`.
    pub platform: Option<String>,
}

impl Needs {
    /// Why this machine cannot play it.
    pub fn unmet(&self, cages: &Cages, trust: bool) -> Option<Text> {
        if self.trust && !trust {
            return Some(Text::fixed(
                "it starts programs outside a cage, which only a worker with --trust does",
                "它要在隔离之外运行程序；只有带 --trust 的工作进程才这样做",
            ));
        }
        if self.cage
            && let Err(none) = cages.check()
        {
            return Some(none.text());
        }
        if self.python
            && let Err(none) = cages.python()
        {
            return Some(none.text());
        }
        if let Some(missing) = self.programs.iter().find(|name| on_path(name).is_none()) {
            return Some(text!("there is no program {missing} here", "此处没有程序 {missing}"));
        }
        let here = platform();
        match &self.platform {
            Some(wanted) if !runs(&here, wanted) => {
                Some(text!("its programs need {wanted}, and this is {here}", "其程序需要 {wanted}，而此处是 {here}"))
            }
            _ => None,
        }
    }
}

/// The system and the processor, with what the latter can do.
pub fn platform() -> String {
    let level = level();
    format!("{}-{}-v{level}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The levels of x86-64; other processors have one.
fn level() -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
        {
            return 4;
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("fma") {
            return 3;
        }
        if is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("popcnt") {
            return 2;
        }
    }
    1
}

/// Whether code for one platform runs on another: the same, or one that can do more.
fn runs(here: &str, wanted: &str) -> bool {
    let split = |text: &str| text.rsplit_once("-v").map(|(base, level)| (base.to_string(), level.parse::<u32>().ok()));
    match (split(here), split(wanted)) {
        (Some((here, Some(has))), Some((wanted, Some(needs)))) => here == wanted && has >= needs,
        _ => here == wanted,
    }
}

/// Nodes a CPU second that our engines look at here, on the positions of `bench signature`.
pub fn speed() -> f64 {
    let before = lianzi_cage::cpu::thread_time();
    let nodes: u64 = ROWS.iter().filter_map(|&row| signature(row, catalog::engine)).map(|found| found.nodes).sum();
    let used = lianzi_cage::cpu::thread_time().saturating_sub(before);
    nodes as f64 / used.max(Duration::from_millis(1)).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_runs_where_it_was_tried_or_better() {
        assert!(runs("linux-x86_64-v3", "linux-x86_64-v3") && runs("linux-x86_64-v4", "linux-x86_64-v2"));
        assert!(!runs("linux-x86_64-v2", "linux-x86_64-v3") && !runs("linux-aarch64-v1", "linux-x86_64-v1"));
    }

    #[test]
    fn what_is_lacking_is_told() {
        let cages = Cages::new("/nowhere/lianzi".as_ref(), &std::env::temp_dir(), true);
        let told = |needs: Needs| needs.unmet(&cages, false).map(|text| text.english.into_owned()).unwrap_or_default();
        assert_eq!(told(Needs::default()), "");
        assert!(told(Needs { cage: true, ..Needs::default() }).contains("cage"));
        assert!(told(Needs { trust: true, ..Needs::default() }).contains("--trust"));
        assert!(
            told(Needs { programs: vec!["no-such-program".into()], ..Needs::default() }).contains("no-such-program")
        );
        assert!(told(Needs { platform: Some("plan9-vax-v1".into()), ..Needs::default() }).contains("plan9-vax-v1"));
    }
}
