//! The page and its files, which are part of the binary. Nothing is read from the disk, so no address can name a file
//! that is not the page's.

use std::collections::HashMap;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::words::Refusal;

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
    kind: &'static str,
    /// Whether the bytes are compressed.
    packed: bool,
    tag: String,
}

/// The module with which a page thinks by itself.
pub const MODULE: &str = "lianzi.wasm";

/// All files of the page.
#[derive(Debug)]
pub struct Assets {
    files: HashMap<&'static str, Asset>,
}

impl Default for Assets {
    fn default() -> Assets {
        let bare = [("index.html", BARE.as_bytes())];
        // The real page comes later and takes the place of the bare one.
        let files = bare.into_iter().chain(PAGE.iter().copied());
        let named = |(name, bytes): (&'static str, _)| {
            let plain = name.strip_suffix(".gz").unwrap_or(name);
            (plain, Asset::new(plain, bytes, plain != name))
        };
        Assets { files: files.map(named).collect() }
    }
}

impl Asset {
    fn new(name: &str, bytes: &'static [u8], packed: bool) -> Asset {
        let digest = Sha256::digest(bytes);
        let tag: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Asset { bytes, kind: kind_of(name), packed, tag: format!("\"{tag}\"") }
    }
}

impl Assets {
    /// The file of this name, or the news that the browser has it already.
    pub fn answer(&self, name: &str, headers: &HeaderMap) -> Response {
        let Some(asset) = self.files.get(name).or_else(|| self.files.get(format!("assets/{name}").as_str())) else {
            return Refusal::missing("the page has no such file", "网页没有这个文件").into_response();
        };
        let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == asset.tag.as_bytes());
        let about = [
            (header::ETAG, asset.tag.as_str()),
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            // A page that shares nothing with others may have threads that share memory.
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
        ];
        if known {
            return (StatusCode::NOT_MODIFIED, about).into_response();
        }
        let mut answer = (about, [(header::CONTENT_TYPE, asset.kind)], asset.bytes).into_response();
        if asset.packed {
            // Every browser that has modules unpacks it.
            answer.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        answer
    }

    /// Whether the page can think by itself.
    pub fn has_module(&self) -> bool {
        self.files.contains_key(MODULE)
    }

    /// How many bytes the page has, apart from what only a page that thinks by itself loads.
    pub fn bytes(&self) -> usize {
        let own = |name: &str| name.starts_with("js/local/") || name == MODULE;
        self.files.iter().filter(|(name, _)| !own(name)).map(|(_, asset)| asset.bytes.len()).sum()
    }
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
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "ogg" => "audio/ogg",
        _ => "application/octet-stream",
    }
}
