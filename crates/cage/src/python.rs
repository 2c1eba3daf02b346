//! The Python interpreter: found outside the cage, because what stands on the path may be a script that picks one.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::NoCage;
use super::shortage::is_shortage;

/// The script that speaks for a strategy.
pub const HARNESS: &str = include_str!("harness.py");

/// Says where the interpreter is and what it reads.
const WHERE: &str = "
import json, os, sys, sysconfig
paths = sys.path + [sysconfig.get_path(name) for name in ('stdlib', 'platstdlib', 'purelib', 'platlib')]
paths += [sysconfig.get_config_var('LIBDIR'), os.path.join(sys.prefix, 'pyvenv.cfg')]
print(json.dumps([sys.executable, sorted({os.path.realpath(p) for p in paths if p and os.path.exists(p)})]))
";

/// An interpreter and what it needs to read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Python {
    /// The program itself.
    pub program: PathBuf,
    /// Its libraries.
    pub readable: Vec<PathBuf>,
}

impl Python {
    /// Asks `python3`, and `python` where that is its name, who it really is.
    pub(super) fn find() -> Result<Python, NoCage> {
        Python::ask("python3").or_else(|why| Python::ask("python").map_err(|_| why))
    }

    fn ask(name: &str) -> Result<Python, NoCage> {
        let mut command = Command::new(name);
        command.args(["-I", "-c", WHERE]).stdin(Stdio::null());
        let output = command.output().map_err(|error| {
            let why = format!("{name}: {error}");
            if is_shortage(&error) { NoCage::Shortage(why) } else { NoCage::Python(why) }
        })?;
        let said = String::from_utf8_lossy(&output.stdout);
        serde_json::from_str(said.trim()).map_err(|_| {
            let errors = String::from_utf8_lossy(&output.stderr);
            NoCage::Python(format!("{name}: {}", errors.lines().last().unwrap_or("no answer")))
        })
    }
}
