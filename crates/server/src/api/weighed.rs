//! Large answers: each counts until it is sent or its connection has ended, for somebody may ask and never read.

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use lianzi_talk::Refusal;

use super::Shared;
use crate::bounds::MESSAGE;
use crate::doors::Guest;
use crate::visitor::Place;
use crate::words::{HttpRefusal, broken};

/// The bytes of an answer, with their places.
struct Weighed {
    bytes: Bytes,
    _place: Place,
}

impl AsRef<[u8]> for Weighed {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Lets an answer pass, if there is room for it. The places go with the bytes and not with the body, which is done as
/// soon as they wait to be sent.
pub async fn weigh(State(hall): Shared, guest: Guest, request: Request, next: Next) -> Response {
    let (head, body) = next.run(request).await.into_parts();
    let size = body.size_hint().lower() as usize;
    if size <= MESSAGE {
        return Response::from_parts(head, body);
    }
    let Some(place) = hall.answers.take_many(guest.visitor, size) else {
        return HttpRefusal(too_many()).into_response();
    };
    match to_bytes(body, usize::MAX).await {
        Ok(bytes) => {
            let bytes = Bytes::from_owner(Weighed { bytes, _place: place });
            Response::from_parts(head, Body::from(bytes))
        }
        Err(error) => HttpRefusal(broken(error)).into_response(),
    }
}

fn too_many() -> Refusal {
    Refusal::busy(
        "too many answers wait to be read; read those that were asked for, or try again in a minute",
        "等待读取的回答过多；请先读取已请求的内容，或一分钟后再试",
    )
}
