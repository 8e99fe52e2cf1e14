//! `POST /weighings`: one weighing, acknowledged once it is durable.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, body};
use serde::Deserialize;
use serde_json::json;

use super::{Counts, Server};
use crate::ingest::{Given, Item};
use crate::labels::time;

/// Who sends more slowly is not waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Labels in the address. Those in headers and in an envelope have the same names.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Labels {
    service: Option<String>,
    version: Option<String>,
    host: Option<String>,
    captured_at: Option<String>,
}

pub(super) async fn post(
    State(server): State<Arc<Server>>,
    Query(labels): Query<Labels>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match take(&server, labels, &headers, body).await {
        Ok((id, is_new)) => {
            Counts::add(if is_new {
                &server.counts.new
            } else {
                &server.counts.known
            });
            let status = if is_new {
                StatusCode::CREATED
            } else {
                StatusCode::OK
            };
            (status, Json(json!({"id": id, "new": is_new}))).into_response()
        }
        Err(refusal) => {
            let failed = refusal.status.is_server_error();
            Counts::add(if failed {
                &server.counts.failed
            } else {
                &server.counts.refused
            });
            let answer = Json(json!({"error": refusal.why}));
            if failed {
                return (refusal.status, [(header::RETRY_AFTER, "5")], answer).into_response();
            }
            (refusal.status, answer).into_response()
        }
    }
}

struct Refusal {
    status: StatusCode,
    why: String,
}

fn refuse<T>(status: StatusCode, why: &(impl ToString + ?Sized)) -> Result<T, Refusal> {
    Err(Refusal {
        status,
        why: why.to_string(),
    })
}

async fn take(
    server: &Arc<Server>,
    labels: Labels,
    headers: &HeaderMap,
    body: Body,
) -> Result<(String, bool), Refusal> {
    if let Some(token) = &server.settings.token {
        let sent = text(headers, header::AUTHORIZATION.as_str());
        let sent = sent.as_deref().and_then(|sent| sent.strip_prefix("Bearer "));
        if !sent.is_some_and(|sent| is_equal(sent.as_bytes(), token.as_bytes())) {
            return refuse(StatusCode::UNAUTHORIZED, "the secret of this server is needed");
        }
    }
    // A page of another site may send text without being asked for, but not this type.
    let of = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    if of
        .split(';')
        .next()
        .is_none_or(|of| !of.trim().eq_ignore_ascii_case("application/json"))
    {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Content-Type: application/json is needed",
        );
    }
    let Ok(permit) = Arc::clone(&server.posts).try_acquire_owned() else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "too many posts at once");
    };
    let largest = server.settings.largest;
    let content = match tokio::time::timeout(PATIENCE, body::to_bytes(body, largest)).await {
        Ok(Ok(content)) => content,
        Ok(Err(_)) => {
            return refuse(
                StatusCode::PAYLOAD_TOO_LARGE,
                &format!("larger than {largest} bytes, or not sent to its end"),
            );
        }
        Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "it was not sent within 30 s"),
    };
    let named = |given: Option<String>, header: &str| given.or_else(|| text(headers, header));
    let captured_at = named(labels.captured_at, "deadweight-captured-at").map(|text| time(&text));
    let captured_at = match captured_at.transpose() {
        Ok(captured_at) => captured_at,
        Err(error) => return refuse(StatusCode::BAD_REQUEST, &error),
    };
    let item = Item {
        name: String::new(),
        given: Given {
            service: named(labels.service, "deadweight-service"),
            version: named(labels.version, "deadweight-version"),
            host: named(labels.host, "deadweight-host"),
            captured_at,
        },
        content: content.into(),
    };
    let texts = server.settings.texts.clone();
    let read = tokio::task::spawn_blocking(move || item.taken(&texts)).await;
    let taken = match read {
        Ok(Ok(taken)) => taken,
        Ok(Err(why)) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, &why),
        Err(_) => return refuse(StatusCode::INTERNAL_SERVER_ERROR, "it could not be read"),
    };
    drop(permit);
    let id = taken.id.clone();
    match server.queue.append(taken).await {
        Ok(is_new) => Ok((id, is_new)),
        Err(error) => {
            eprintln!("deadweight fleet: a weighing was not written: {error}");
            refuse(
                StatusCode::SERVICE_UNAVAILABLE,
                "it was not written; send it again",
            )
        }
    }
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?;
    // Names need not be ASCII.
    std::str::from_utf8(value.as_bytes()).ok().map(str::to_owned)
}

/// Takes as long whatever the first byte is that differs.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differs = one
        .iter()
        .zip(other)
        .fold(0, |differs, (one, other)| differs | (one ^ other));
    one.len() == other.len() && differs == 0
}
