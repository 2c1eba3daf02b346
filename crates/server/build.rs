//! Lists the files of the page, so that they become part of the binary. A page that is not there yet is no error.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What belongs to the page; sources of tests, settings of tools and the like do not.
const KINDS: [&str; 12] = ["html", "css", "js", "svg", "png", "ico", "webp", "woff2", "webmanifest", "ogg", "gz", "br"];

/// What a page thinks with by itself, if `web/build.sh` has built it: modules, alone and with threads, and the networks,
/// the book and the puzzles that they load.
const MODULES: [&str; 8] = [
    "lianzi.wasm.gz",
    "lianzi-threads.wasm.gz",
    "gomoku.network.gz",
    "standard.network.gz",
    "renju.network.gz",
    "connect6.network.gz",
    "connect4.book.gz",
    "all.puzzles.gz",
];

fn main() -> io::Result<()> {
    let manifest = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let web = Path::new(&manifest).join("../../web");
    let mut files = Vec::new();
    if web.is_dir() {
        let web = fs::canonicalize(&web)?;
        collect(&web, "", &mut files)?;
        // They may come later.
        MODULES.iter().for_each(|module| println!("cargo::rerun-if-changed={}", web.join(module).display()));
    }
    files.sort();
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let mut list = String::from("&[\n");
    let threads = files.iter().any(|(name, _)| name == MODULES[1]);
    for (name, path) in files {
        let path = match name.as_str() {
            "index.html" if threads => with_threads(&path, &out)?,
            name if name.ends_with(".js") => without_remarks(name, &path, &out)?,
            _ => path,
        };
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    list.push_str("]\n");
    write_news(&out.join("page.rs"), &list)
}

/// What stays the same is not written again, lest everything that uses it is built again.
fn write_news(path: &Path, text: &str) -> io::Result<()> {
    let same = fs::read_to_string(path).is_ok_and(|old| old == text);
    if same { Ok(()) } else { fs::write(path, text) }
}

/// A copy of the page that says that there is a module with threads.
fn with_threads(path: &Path, out: &Path) -> io::Result<PathBuf> {
    let page = fs::read_to_string(path)?;
    let copy = out.join("index.html");
    write_news(&copy, &page.replacen("<head>", "<head>\n<meta name=\"lianzi-threads\" content=\"yes\">", 1))?;
    Ok(copy)
}

/// A copy of a script whose types and other remarks are empty lines: no browser needs them, and a line keeps its number.
fn without_remarks(name: &str, path: &Path, out: &Path) -> io::Result<PathBuf> {
    let mut script = String::new();
    let mut inside = false;
    for line in fs::read_to_string(path)?.lines() {
        let text = line.trim();
        // A remark within a line of code stays, as does all that follows one on its line.
        let whole = text.starts_with("/**") && text.ends_with("*/");
        if !(inside || whole || text == "/**") {
            script.push_str(line);
        }
        script.push('\n');
        inside = (inside || text == "/**") && !text.ends_with("*/");
    }
    let copy = out.join(name.replace('/', "-"));
    write_news(&copy, &script)?;
    Ok(copy)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        let tool = name.starts_with('.') || name == "node_modules" || name.starts_with("test");
        if prefix.is_empty() && !tool {
            // Not the whole folder: the tools installed in it are no part of the page.
            println!("cargo::rerun-if-changed={}", path.display());
        }
        if path.is_dir() && !tool {
            collect(&path, &format!("{prefix}{name}/"), files)?;
        } else if KINDS.contains(&kind) && !tool && !name.contains(".test.") && !name.contains(".config.") {
            files.push((format!("{prefix}{name}"), path));
        }
    }
    Ok(())
}
