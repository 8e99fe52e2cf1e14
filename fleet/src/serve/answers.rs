//! The questions behind the page, as JSON.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Server;
use crate::cluster::Backend;
use crate::dataset::{Place, State as Log};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::questions::{self, json_rows};
use crate::tables::Table;

/// Rows of a list.
const ROWS: usize = 500;

/// What answers need.
pub(super) struct Answers {
    place: Place,
    backend: Backend,
    log: tokio::sync::Mutex<Option<Log>>,
}

impl Answers {
    pub(super) fn new(place: Place, backend: Backend) -> Self {
        Self {
            place,
            backend,
            log: tokio::sync::Mutex::new(None),
        }
    }

    /// An engine for one question, at the latest version.
    pub(super) async fn engine(&self) -> Result<Engine> {
        let mut known = self.log.lock().await;
        let mut log = match known.take() {
            Some(log) => log,
            None => Log::read(&self.place).await?,
        };
        log.refresh(&self.place).await?;
        *known = Some(log.clone());
        drop(known);
        Engine::of(&self.place, log, &self.backend).await
    }
}

/// What a question may be about.
#[derive(Debug, Default, Deserialize)]
pub(super) struct About {
    service: Option<String>,
    host: Option<String>,
    days: Option<u64>,
    fingerprint: Option<String>,
    id: Option<String>,
}

impl About {
    /// A thousand days at most.
    fn days(&self, otherwise: u64) -> u64 {
        self.days.unwrap_or(otherwise).clamp(1, 1_000)
    }
}

pub(super) async fn fleet(State(server): State<Arc<Server>>, Query(about): Query<About>) -> Response {
    let price = server.settings.price;
    let answer = async {
        let engine = server.answers.engine().await?;
        questions::top(&engine, about.days(7), 30, about.service.as_deref(), price).await
    };
    answered(answer.await)
}

pub(super) async fn trend(State(server): State<Arc<Server>>, Query(about): Query<About>) -> Response {
    let price = server.settings.price;
    let answer = async {
        let engine = server.answers.engine().await?;
        questions::trend(&engine, about.days(90), about.service.as_deref(), price).await
    };
    answered(answer.await)
}

pub(super) async fn who(State(server): State<Arc<Server>>, Query(about): Query<About>) -> Response {
    let answer = async {
        let engine = server.answers.engine().await?;
        let fingerprint = about.fingerprint.as_deref().unwrap_or_default();
        questions::who(&engine, about.days(7), fingerprint).await
    };
    answered(answer.await)
}

/// The latest weighings of a service, or of one of its hosts.
pub(super) async fn hosts(State(server): State<Arc<Server>>, Query(about): Query<About>) -> Response {
    let answer = async {
        let engine = server.answers.engine().await?;
        let service = about.service.as_deref().unwrap_or_default();
        engine.register("recent", Table::Weighings, |part| {
            part.service.is_none() || part.service.as_deref() == Some(service)
        })?;
        let host = about
            .host
            .as_deref()
            .map(|host| format!("AND host = {}", questions::quoted(host)));
        let rows = engine
            .sql(&format!(
                "SELECT id, version, host, captured_at, held + external AS bytes, dead + external_dead AS dead, findings
                 FROM recent WHERE service = {} {} ORDER BY captured_at DESC, id LIMIT {ROWS}",
                questions::quoted(service),
                host.unwrap_or_default()
            ))
            .await?;
        json_rows(&rows)
    };
    answered(answer.await)
}

/// One weighing: its row, its findings, and what it holds by type.
pub(super) async fn weighing(State(server): State<Arc<Server>>, Query(about): Query<About>) -> Response {
    let answer = async {
        let engine = server.answers.engine().await?;
        let id = questions::quoted(about.id.as_deref().unwrap_or_default());
        for table in Table::ALL {
            let is_of = |service: &Option<String>| {
                about.service.is_none() || service.is_none() || *service == about.service
            };
            engine.register(table.name(), table, |part| is_of(&part.service))?;
        }
        let rows = json_rows(
            &engine
                .sql(&format!("SELECT * FROM weighings WHERE id = {id}"))
                .await?,
        )?;
        let weighing = rows.into_iter().next();
        let weighing = weighing.ok_or_else(|| Error::Question("no weighing has that id".to_owned()))?;
        let findings = format!("SELECT * FROM findings WHERE id = {id} ORDER BY rank LIMIT {ROWS}");
        let holdings =
            format!("SELECT * FROM holdings WHERE id = {id} ORDER BY bytes + external DESC LIMIT {ROWS}");
        Ok::<Value, Error>(json!({
            "weighing": weighing,
            "findings": json_rows(&engine.sql(&findings).await?)?,
            "holdings": json_rows(&engine.sql(&holdings).await?)?,
        }))
    };
    answered(answer.await)
}

fn answered<A: Serialize>(answer: Result<A>) -> Response {
    match answer {
        Ok(answer) => Json(answer).into_response(),
        Err(error) => failed(&error),
    }
}

/// What went wrong, without where the dataset is.
pub(super) fn failed(error: &Error) -> Response {
    let (status, why) = match error {
        Error::Empty(_) => (StatusCode::NOT_FOUND, "there are no weighings yet".to_owned()),
        Error::Question(why) => (StatusCode::NOT_FOUND, why.clone()),
        error => {
            eprintln!("deadweight fleet: {error}");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                "the dataset could not be read".to_owned(),
            )
        }
    };
    (status, Json(json!({"error": why}))).into_response()
}
