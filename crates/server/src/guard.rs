//! Keeps pages of other sites out. A browser says where a page came from; our page comes from us.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::words::Refusal;

/// Refuses connections and changes asked for by pages of other sites, and tells browsers to be careful with answers.
pub async fn guard(request: Request, next: Next) -> Response {
    let harmless = matches!(*request.method(), Method::GET | Method::HEAD) && !is_upgrade(request.headers());
    if !harmless && !same_origin(request.headers()) {
        return Refusal::forbidden("pages of other sites may not connect", "不接受其他网站页面的连接")
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
        for other in
            ["null", "http://localhost", "http://evil.example", "http://evil.example/localhost:8710", ""]
        {
            assert!(!ask(Some(other)), "{other}");
        }
    }
}
