//! `serve`: takes in weighings over HTTP, and shows the fleet as a page that can only read.

mod answers;
mod guard;
mod metrics;
mod page;
mod post;
mod queue;
mod upkeep;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post as posted};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::cluster::Backend;
use crate::dataset::{Place, Writer};
use crate::error::{Result, at};
use crate::questions::Price;
use crate::taken::Texts;
use answers::Answers;
use queue::Queue;

/// Posts that are read at a time; each may take as much memory as the largest weighing.
const POSTS: usize = 32;

/// How a server behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The largest weighing that is taken, in bytes.
    pub largest: usize,
    /// What who posts must know.
    pub token: Option<String>,
    /// Names by which it is called, besides the address that it listens at and those of loopback.
    pub names: Vec<String>,
    /// Whether what the program's texts say is stored.
    pub texts: Texts,
    /// Days that stay.
    pub retain: Option<u64>,
    /// What memory costs.
    pub price: Option<Price>,
}

/// What all requests share.
struct Server {
    settings: Settings,
    listens: SocketAddr,
    queue: Queue,
    answers: Answers,
    posts: Arc<Semaphore>,
    counts: Counts,
}

/// What came in since the start.
#[derive(Default)]
struct Counts {
    new: AtomicU64,
    known: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
}

impl Counts {
    fn add(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Serves until the process is asked to end. Posts that were begun are finished first.
///
/// # Errors
/// When the dataset cannot be opened or the connection is lost for good.
pub async fn serve(place: Place, backend: Backend, listener: TcpListener, settings: Settings) -> Result<()> {
    let listens = listener.local_addr().map_err(at("the address"))?;
    let writer = Writer::open(place.clone()).await?;
    tokio::spawn(upkeep::keep(place.clone(), settings.retain));
    let largest = settings.largest;
    let server = Arc::new(Server {
        listens,
        queue: Queue::start(writer),
        answers: Answers::new(place, backend),
        posts: Arc::new(Semaphore::new(POSTS)),
        counts: Counts::default(),
        settings,
    });
    let router = Router::new()
        .route("/", get(page::index))
        .route("/page.js", get(page::script))
        .route("/page.css", get(page::style))
        .route("/weighings", posted(post::post))
        .route("/metrics", get(metrics::metrics))
        .route("/health", get(|| async { "ok\n" }))
        .route("/api/fleet", get(answers::fleet))
        .route("/api/trend", get(answers::trend))
        .route("/api/who", get(answers::who))
        .route("/api/hosts", get(answers::hosts))
        .route("/api/weighing", get(answers::weighing))
        .layer(DefaultBodyLimit::max(largest))
        .layer(from_fn_with_state(Arc::clone(&server), guard::guard))
        .with_state(server);
    axum::serve(listener, router)
        .with_graceful_shutdown(asked_to_end())
        .await
        .map_err(at("the server"))
}

async fn asked_to_end() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut ended) = signal(SignalKind::terminate()) {
            tokio::select! { _ = interrupted => {}, _ = ended.recv() => {} }
            return;
        }
    }
    let _ = interrupted.await;
}
