//! What an invitation needs: addresses that a friend can reach, and a code to scan.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::header;
use axum::response::IntoResponse;
use lianzi_talk::Refusal;
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Deserialize;

use super::Answer;
use super::games::bad_query;

/// The longest text of a code: an address with a secret in it is shorter.
const LONGEST: usize = 500;
/// The empty edge of a code, in modules, without which scanners do not find it.
const EDGE: i32 = 4;

/// What the code says.
#[derive(Deserialize)]
pub struct QrQuery {
    text: String,
}

/// A text as a code to scan, drawn in SVG.
pub async fn qr(query: Result<Query<QrQuery>, QueryRejection>) -> Answer {
    let Query(QrQuery { text }) = query.map_err(|_| bad_query())?;
    let long = || Refusal::bad("this text is too long for a code", "文字太长，无法生成二维码");
    if text.len() > LONGEST {
        return Err(long().into());
    }
    let code = QrCode::encode_text(&text, QrCodeEcc::Medium).map_err(|_| long())?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn(&code)).into_response())
}

fn drawn(code: &QrCode) -> String {
    let side = code.size() + 2 * EDGE;
    let mut dark = String::new();
    for (x, y) in (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y))) {
        if code.get_module(x, y) {
            // Writing to a text cannot fail.
            let _ = write!(dark, "M{},{}h1v1h-1z", x + EDGE, y + EDGE);
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><path d=\"{dark}\" fill=\"#000\"/></svg>"
    )
}

/// Addresses under which others may reach a server that listens here; none if it listens on this machine only.
pub fn addresses(listening: SocketAddr) -> Vec<String> {
    let url = |ip: IpAddr| format!("http://{}", SocketAddr::new(ip, listening.port()));
    let ip = listening.ip();
    if ip.is_loopback() {
        return Vec::new();
    }
    if !ip.is_unspecified() {
        return vec![url(ip)];
    }
    // A machine that does not tell its addresses offers none.
    let found = if_addrs::get_if_addrs().unwrap_or_default();
    let mut found: Vec<IpAddr> = found.iter().map(|face| face.ip()).filter(|ip| is_reachable(*ip)).collect();
    found.retain(|found| ip.is_ipv6() || found.is_ipv4());
    // Numbers of four parts are easier to write down.
    found.sort_by_key(|ip| (ip.is_ipv6(), *ip));
    found.dedup();
    found.into_iter().map(url).collect()
}

/// Whether an address of this machine means anything to another one.
fn is_reachable(ip: IpAddr) -> bool {
    let local = match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    !ip.is_loopback() && !local
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_this_machine_only_offers_no_address() {
        assert!(addresses("127.0.0.1:80".parse().unwrap()).is_empty());
        assert_eq!(addresses("192.168.1.5:8710".parse().unwrap()), ["http://192.168.1.5:8710"]);
        let all = addresses("0.0.0.0:8710".parse().unwrap());
        assert!(all.iter().all(|url| url.ends_with(":8710") && !url.contains("127.0.0.1")), "{all:?}");
    }

    #[test]
    fn a_code_is_square_and_has_an_edge() {
        let code = QrCode::encode_text("http://192.168.1.5:8710/#/g/0123456789abcdef", QrCodeEcc::Medium).unwrap();
        let svg = drawn(&code);
        assert!(svg.starts_with("<svg") && svg.contains(&format!("viewBox=\"0 0 {0} {0}\"", code.size() + 8)));
        // The finder in the corner begins after the edge.
        assert!(svg.contains("M4,4h1v1h-1z") && !svg.contains("M3,"));
    }
}
