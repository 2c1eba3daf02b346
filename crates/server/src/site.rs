//! The page as a folder of static files, which any web host serves: it thinks by itself, keeps its games in the browser,
//! and opens without a network once it was there.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::assets::{MODULE, PAGE, THREADED};

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// How many files.
    pub files: usize,
    /// How many bytes they have.
    pub bytes: usize,
}

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The program was built without the module.
    #[error("without module")]
    NoModule,
    /// A file cannot be written.
    #[error("{0}")]
    Io(String, #[source] io::Error),
}

/// The page itself, which is what a visitor of the folder gets.
const INDEX: &str = "index.html";

/// Where the service worker stands among the sources, and in a site.
const WORKER: [&str; 2] = ["js/local/sw.js", "sw.js"];

/// Writes the page to this folder, which is made if it is not there.
pub fn write_site(to: &Path) -> Result<Site, SiteError> {
    let files = files().ok_or(SiteError::NoModule)?;
    for (name, bytes) in &files {
        let path = to.join(name);
        let failed = |error| SiteError::Io(path.display().to_string(), error);
        fs::create_dir_all(path.parent().unwrap_or(to)).map_err(failed)?;
        fs::write(&path, bytes).map_err(failed)?;
    }
    Ok(Site { files: files.len(), bytes: files.iter().map(|(_, bytes)| bytes.len()).sum() })
}

/// All files of a site; nothing without the module.
fn files() -> Option<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for &(name, bytes) in PAGE {
        match name {
            INDEX => files.push((name.into(), index(&String::from_utf8_lossy(bytes)).into_bytes())),
            // Hosts compress by themselves.
            name if name == WORKER[0] || name.ends_with(".br") => {}
            name => match name.strip_suffix(".gz") {
                Some(plain) => {
                    let mut unpacked = Vec::new();
                    GzDecoder::new(bytes).read_to_end(&mut unpacked).ok()?;
                    files.push((format!("assets/{plain}"), unpacked));
                }
                None => files.push((format!("assets/{name}"), bytes.to_vec())),
            },
        }
    }
    files.iter().find(|(name, _)| name.strip_prefix("assets/") == Some(MODULE))?;
    files.push(("manifest.webmanifest".into(), manifest().into_bytes()));
    let listed = list(&files);
    files.push(("files.js".into(), listed.into_bytes()));
    let (_, worker) = PAGE.iter().find(|(name, _)| *name == WORKER[0])?;
    files.push((WORKER[1].into(), worker.to_vec()));
    Some(files)
}

/// The page, which knows that there is no server and names its files from where it stands.
fn index(page: &str) -> String {
    // First of all: scripts that do not wait for the rest of the page look at it.
    let head = "<head>\n<meta name=\"lianzi-server\" content=\"none\">\n\
        <link rel=\"manifest\" href=\"manifest.webmanifest\">";
    page.replace("\"/assets/", "\"assets/").replacen("<head>", head, 1)
}

/// What a browser must know to install the page.
fn manifest() -> String {
    let icon = json!({"src": "assets/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"});
    let manifest = json!({
        "name": "Lianzi 连子", "short_name": "Lianzi", "start_url": "./", "scope": "./", "display": "standalone",
        "description": "Gomoku, Connect6 and Connect Four: play, study and compare.",
        "background_color": "#f4efe6", "theme_color": "#f4efe6", "icons": [icon],
    });
    format!("{manifest:#}\n")
}

/// What the service worker keeps, at once and when there is time: names, with hashes as browsers check them.
fn list(files: &[(String, Vec<u8>)]) -> String {
    let page = files.iter().find(|(name, _)| name == INDEX).map(|(_, bytes)| ("./", bytes));
    let all = page.into_iter().chain(files.iter().map(|(name, bytes)| (name.as_str(), bytes)));
    let hash = |bytes| format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(bytes)));
    let hashes = all.map(|(name, bytes)| (name, hash(bytes)));
    let (later, files): (Vec<_>, Vec<_>) = hashes.partition(|(name, _)| name.strip_prefix("assets/") == Some(THREADED));
    let [files, later] = [files, later].map(|hashes| hashes.into_iter().collect::<Value>());
    format!("self.site = {};\n", json!({"files": files, "later": later}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_names_its_files_from_where_it_stands() {
        let page = index("<html><head><link href=\"/assets/a.css\"></head><script src=\"/assets/js/b.js\"></script>");
        assert!(page.contains("href=\"assets/a.css\"") && page.contains("src=\"assets/js/b.js\""), "{page}");
        assert!(page.contains("lianzi-server") && !page.contains("\"/"), "{page}");
    }

    #[test]
    fn every_file_has_its_own_hash() {
        let list = |style: &[u8]| list(&[(INDEX.into(), b"page".to_vec()), ("a.css".into(), style.to_vec())]);
        let page = "sha256-NmAxWprz3yVdjxmrB35Hl4IrQUiKDioEvGr3EhPCMnQ=";
        for style in [b"x", b"y"] {
            assert!(list(style).contains(&format!("\"./\":{page:?}")), "{}", list(style));
            assert!(list(style).contains(&format!("\"index.html\":{page:?}")), "{}", list(style));
        }
        assert_ne!(list(b"x"), list(b"y"));
    }

    #[test]
    fn a_site_is_whole_or_says_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        match write_site(folder.path()) {
            Err(error) => assert!(matches!(error, SiteError::NoModule), "{error}"),
            Ok(site) => {
                let listed = fs::read_to_string(folder.path().join("files.js")).unwrap();
                let listed: serde_json::Value =
                    serde_json::from_str(listed.trim().trim_start_matches("self.site = ").trim_end_matches(';'))
                        .unwrap();
                let [names, later] = ["files", "later"].map(|when| listed[when].as_object().unwrap());
                for name in names.keys().filter(|name| *name != "./").chain(later.keys()) {
                    assert!(folder.path().join(name).is_file(), "{name}");
                }
                // The list itself and the worker are not in it; the browser keeps those.
                assert_eq!(names.len() + later.len() + 1, site.files);
            }
        }
    }
}
