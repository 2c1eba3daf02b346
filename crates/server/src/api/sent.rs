//! What a request carries: all of it within a time and a size. A large one takes a place, of which there are few.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use lianzi_core::text;
use lianzi_talk::Refusal;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::Hall;
use crate::bounds::{self, MESSAGE};
use crate::doors::Guest;
use crate::visitor::Place;
use crate::words::{HttpRefusal, broken};

/// The body of a request of at most so many bytes.
pub struct Sent<const MOST: usize = { bounds::REQUEST }> {
    bytes: Bytes,
    /// Held until the request is answered.
    _place: Option<Place>,
}

/// The body of an upload.
pub type Upload = Sent<{ bounds::UPLOAD }>;

impl<const MOST: usize> Sent<MOST> {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The body as the type it should have.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_slice(&self.bytes).map_err(|error| {
            let why = lianzi_core::shorten(&error.to_string());
            Refusal::from(text!("the request cannot be understood: {why}", "无法理解请求：{why}"))
        })
    }
}

impl<const MOST: usize> FromRequest<Arc<Hall>> for Sent<MOST> {
    type Rejection = HttpRefusal;

    async fn from_request(request: Request, hall: &Arc<Hall>) -> Result<Sent<MOST>, HttpRefusal> {
        let (mut parts, body) = request.into_parts();
        let guest = Guest::from_request_parts(&mut parts, hall).await?;
        let small = length(&parts.headers).is_some_and(|length| length <= MESSAGE);
        let place = if small { None } else { hall.uploads.take(guest.visitor) };
        if !small && place.is_none() {
            // Browsers read no answer before they have sent all.
            let _ = timeout(hall.bounds.body, discard(body, MOST)).await;
            return Err(too_many().into());
        }
        let read = timeout(hall.bounds.body, whole(body, if small { MESSAGE } else { MOST }));
        let bytes = read.await.map_err(|_| too_slow())??;
        Ok(Sent { bytes, _place: place })
    }
}

impl FromRequestParts<Arc<Hall>> for Guest {
    type Rejection = HttpRefusal;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Hall>) -> Result<Guest, HttpRefusal> {
        let guest = parts.extensions.get().cloned();
        Ok(guest.ok_or_else(|| broken("a request came through no door"))?)
    }
}

/// How long the body says it is; nothing if it does not.
fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Lets a body pass by without keeping it.
async fn discard(body: Body, most: usize) {
    let (mut parts, mut seen) = (body.into_data_stream(), 0);
    while let Some(Ok(part)) = parts.next().await {
        seen += part.len();
        if seen > most {
            return;
        }
    }
}

async fn whole(body: Body, most: usize) -> Result<Bytes, Refusal> {
    // If it broke off instead of being too large, nobody hears this.
    to_bytes(body, most).await.map_err(|_| {
        let most = most >> 20;
        let words = text!("the upload cannot be taken; at most {most} MiB are", "无法接收上传内容；最多 {most} MiB");
        Refusal::too_large(words)
    })
}

fn too_many() -> Refusal {
    Refusal::busy("too many uploads at once; try again in a minute", "同时上传过多；请一分钟后再试")
}

fn too_slow() -> Refusal {
    let words = text!("the request took too long to arrive; try again", "请求传送过慢；请重试");
    Refusal { status: 408, words }
}
