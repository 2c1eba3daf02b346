//! Keeps pages of other sites out. A browser says where a page came from; our page comes from us.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use lianzi_talk::Refusal;

use crate::words::HttpRefusal;

/// The names under which a server is asked, besides `localhost`.
pub type Names = Arc<[String]>;

/// Refuses connections and changes asked for by pages of other sites, and tells browsers to be careful with answers.
/// A server is asked as `localhost`, by number, or by one of its names.
pub async fn guard(State(names): State<Names>, request: Request, next: Next) -> Response {
    if !is_known(request.headers(), &names) {
        return HttpRefusal(Refusal::forbidden(
            "this server does not go by that name: ask for it as localhost or by its number, or start it with --host NAME",
            "此服务器没有这个名称：请用 localhost 或其地址数字访问，或以 --host 名称 启动",
        ))
        .into_response();
    }
    let harmless = matches!(*request.method(), Method::GET | Method::HEAD) && !is_upgrade(request.headers());
    if !harmless && !same_origin(request.headers()) {
        return HttpRefusal(Refusal::forbidden("pages of other sites may not connect", "不接受其他网站页面的连接"))
            .into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    headers.contains_key(header::UPGRADE)
}

/// Whether the host that is asked for is `localhost`, a number or one of these names. The name of another site that
/// was made to lead here would pass as our own origin.
fn is_known(headers: &HeaderMap, names: &[String]) -> bool {
    let Some(host) = headers.get(header::HOST) else { return true };
    let host = host.to_str().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let ours = |own: &str| name.eq_ignore_ascii_case(own);
    ours("localhost") || name.parse::<IpAddr>().is_ok() || names.iter().any(|own| ours(own))
}

/// Whether the page that asks, if it is one, came from the host that is asked. Programs send no origin.
fn same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    matches!((origin, host), (Some((_, from)), Some(host)) if from.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_name_that_leads_here_is_refused() {
        let ask = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
            is_known(&headers, &["board.example".into()])
        };
        for own in ["localhost:8710", "LOCALHOST", "127.0.0.1:8710", "127.0.0.1", "[::1]:8710", "board.example:80"] {
            assert!(ask(own), "{own}");
        }
        for other in ["evil.example:8710", "localhost.evil.example", "127.0.0.1.evil.example:80", "", ":8710"] {
            assert!(!ask(other), "{other}");
        }
    }

    #[test]
    fn only_the_own_origin_is_accepted() {
        let ask = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:8710"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
            }
            same_origin(&headers)
        };
        assert!(ask(None) && ask(Some("http://localhost:8710")) && ask(Some("https://LOCALHOST:8710")));
        for other in ["null", "http://localhost", "http://evil.example", "http://evil.example/localhost:8710", ""] {
            assert!(!ask(Some(other)), "{other}");
        }
    }
}
