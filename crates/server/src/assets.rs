//! The page and its files, which are part of the binary. Nothing is read from the disk, so no address can name a file
//! that is not the page's; only who works on the page has it read from a folder.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use lianzi_talk::Refusal;
use sha2::{Digest, Sha256};

use crate::words::HttpRefusal;

/// Every file of the page, by its path below `web/`.
pub const PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What is shown when the binary was built without the page.
const BARE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>lianzi</title>\
    <p>This server was built without its page. 此服务器未包含网页。</p></html>";

/// What the page may do: use its own files, the module among them, and talk to its own server.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page.
#[derive(Debug)]
struct Asset {
    bytes: &'static [u8],
    /// The same, compressed once for all who understand it, and sent without a copy.
    packed: Bytes,
    /// The same, compressed better, which browsers understand only where nobody can listen.
    brotli: Option<&'static [u8]>,
    /// Whether there is nothing but compressed bytes: every browser that has modules unpacks them.
    only_packed: bool,
    kind: &'static str,
    tag: String,
}

/// The module with which a page thinks by itself.
pub const MODULE: &str = "lianzi.wasm";

/// The same with threads, which a page loads instead where it may.
pub const THREADED: &str = "lianzi-threads.wasm";

/// What the names of the files end with that both load beside them: networks, a book and puzzles.
const BESIDE: [&str; 3] = [".network", ".book", ".puzzles"];

/// What `lianzi bench page` alone loads.
const BENCH: &str = "js/local/bench.js";

/// What the files of the place to train begin with.
const TRAINING: &str = "js/train/";

/// All files of the page.
#[derive(Debug)]
pub struct Assets {
    files: HashMap<&'static str, Asset>,
    /// Where they are read from instead, anew each time.
    folder: Option<PathBuf>,
}

impl Asset {
    fn new(name: &str, bytes: &'static [u8], only_packed: bool) -> Asset {
        let digest = Sha256::digest(bytes);
        let tag: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let packed = if only_packed { Bytes::from_static(bytes) } else { packed(bytes).into() };
        let brotli = PAGE.iter().find(|(other, _)| other.strip_suffix(".br") == Some(name)).map(|(_, bytes)| *bytes);
        Asset { bytes, packed, brotli, only_packed, kind: kind_of(name), tag: format!("\"{tag}\"") }
    }
}

/// The bytes compressed, or nothing where that does not help.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(bytes).and_then(|()| packer.finish()).unwrap_or_default();
    if packed.len() < bytes.len() { packed } else { Vec::new() }
}

impl Assets {
    /// The files in the binary, or those in this folder.
    pub fn new(folder: Option<PathBuf>) -> Assets {
        let bare = [("index.html", BARE.as_bytes())];
        // The real page comes later and takes the place of the bare one.
        let files = bare.into_iter().chain(PAGE.iter().copied().filter(|(name, _)| !name.ends_with(".br")));
        let named = |(name, bytes): (&'static str, _)| {
            let plain = name.strip_suffix(".gz").unwrap_or(name);
            (plain, Asset::new(plain, bytes, plain != name))
        };
        Assets { files: files.map(named).collect(), folder }
    }

    /// The file of this name, or the news that the browser has it already.
    pub fn answer(&self, name: &str, headers: &HeaderMap) -> Response {
        if let Some(folder) = &self.folder {
            return from_folder(folder, name);
        }
        let Some(asset) = self.files.get(name).or_else(|| self.files.get(format!("assets/{name}").as_str())) else {
            return missing();
        };
        let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == asset.tag.as_bytes());
        let about = [
            (header::ETAG, asset.tag.as_str()),
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            // A page that shares nothing with others may have threads that share memory.
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
            (header::VARY, "accept-encoding"),
        ];
        if known {
            return (StatusCode::NOT_MODIFIED, about).into_response();
        }
        let kind = (header::CONTENT_TYPE, asset.kind);
        if let Some(brotli) = asset.brotli.filter(|_| takes(headers, "br")) {
            return (about, [kind, (header::CONTENT_ENCODING, "br")], brotli).into_response();
        }
        if asset.only_packed || !asset.packed.is_empty() && takes(headers, "gzip") {
            return (about, [kind, (header::CONTENT_ENCODING, "gzip")], asset.packed.clone()).into_response();
        }
        (about, [kind], asset.bytes).into_response()
    }

    /// Whether the page can think by itself.
    pub fn has_module(&self) -> bool {
        self.files.contains_key(MODULE)
    }

    /// How many bytes a browser downloads that is to play without asking this server: the page, but not the place to train,
    /// which is loaded by who goes there, and one module; not what is loaded beside it, which stays the same for longer.
    pub fn download(&self) -> usize {
        let least = |asset: &Asset| match asset.brotli {
            Some(brotli) => brotli.len(),
            None if asset.packed.is_empty() => asset.bytes.len(),
            None => asset.packed.len(),
        };
        self.files
            .iter()
            .filter(|(name, _)| **name != MODULE || !self.files.contains_key(THREADED))
            .filter(|(name, _)| !name.starts_with(TRAINING) && !is_beside(name) && **name != BENCH)
            .map(|(_, asset)| least(asset))
            .sum()
    }

    /// How many bytes the page has, apart from what only a page that thinks by itself loads, or who trains.
    pub fn bytes(&self) -> usize {
        let later = |name: &str| {
            ["js/local/", TRAINING, MODULE, THREADED].iter().any(|part| name.starts_with(part)) || is_beside(name)
        };
        self.files.iter().filter(|(name, _)| !later(name)).map(|(_, asset)| asset.bytes.len()).sum()
    }
}

fn is_beside(name: &str) -> bool {
    BESIDE.iter().any(|end| name.ends_with(end))
}

/// Whether whoever asks understands answers that are compressed this way.
fn takes(headers: &HeaderMap, way: &str) -> bool {
    let taken = headers.get(header::ACCEPT_ENCODING).and_then(|taken| taken.to_str().ok()).unwrap_or_default();
    let named = |one: &str| one.trim().split(';').next().is_some_and(|name| name == way || name == "*");
    taken.split(',').any(|one| named(one) && !one.contains("q=0"))
}

/// A file as it stands in the folder now.
fn from_folder(folder: &Path, name: &str) -> Response {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    match std::fs::read(folder.join(name)) {
        Ok(bytes) if plain => {
            let about = [
                (header::CONTENT_TYPE, kind_of(name)),
                (header::CACHE_CONTROL, "no-store"),
                (header::CONTENT_SECURITY_POLICY, POLICY),
            ];
            (about, bytes).into_response()
        }
        _ => missing(),
    }
}

fn missing() -> Response {
    HttpRefusal(Refusal::missing("the page has no such file", "网页没有这个文件")).into_response()
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, kind)| kind) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "ogg" => "audio/ogg",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(assets: &Assets, name: &str, encoding: Option<&'static str>) -> Response {
        let mut headers = HeaderMap::new();
        if let Some(encoding) = encoding {
            headers.insert(header::ACCEPT_ENCODING, encoding.parse().unwrap());
        }
        assets.answer(name, &headers)
    }

    #[test]
    fn files_are_compressed_for_who_understands_it() {
        let assets = Assets::new(None);
        let encoding = |taken| {
            let answer = asked(&assets, "style.css", taken);
            answer.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap().to_string())
        };
        assert_eq!(encoding(Some("gzip, deflate, br")), Some("gzip".into()));
        assert_eq!((encoding(None), encoding(Some("br")), encoding(Some("gzip;q=0"))), (None, None, None));
        assert_eq!(encoding(Some("br, gzip")), Some("gzip".into()), "what is there once is sent so");
        // Without the tool that compresses best there is no such module.
        if assets.files.get(MODULE).is_some_and(|module| module.brotli.is_some()) {
            assert!(assets.download() < 900_000, "{} bytes are needed to play", assets.download());
        }
        let page = assets.files.iter().filter(|(name, _)| !name.ends_with(".wasm") && !is_beside(name));
        let packed: usize = page.map(|(_, asset)| asset.packed.len()).sum();
        assert!(packed < 250_000, "the whole page has {packed} compressed bytes");
    }

    #[test]
    fn a_folder_offers_its_own_files_only() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("js")).unwrap();
        std::fs::write(folder.path().join("js/main.js"), "1").unwrap();
        let assets = Assets::new(Some(folder.path().join("js")));
        assert_eq!(asked(&assets, "main.js", None).status(), StatusCode::OK);
        for foreign in ["../js/main.js", "/etc/passwd", "nothing.js", "./main.js"] {
            assert_eq!(asked(&assets, foreign, None).status(), StatusCode::NOT_FOUND, "{foreign}");
        }
    }
}
