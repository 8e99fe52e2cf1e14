//! The two ways in which clients speak with the server: standard input and output, and HTTP on this machine.

use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use crate::Settings;
use crate::server::Server;

/// Bytes of one message: arguments are names and figures.
const MOST: usize = 1 << 20;

/// Connections at a time.
const CONNECTIONS: usize = 64;

/// Why the server ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The system has no threads left.
    #[error("the server could not be started: {0}")]
    Runtime(io::Error),
    /// Nobody who speaks the protocol was there.
    #[error("the client does not speak the protocol: {0}")]
    Initialize(Box<ServerInitializeError>),
    /// An address that other machines could reach.
    #[error("{0} is no loopback address; whoever reaches the server weighs as you")]
    NotLoopback(SocketAddr),
    /// Somebody else has the port.
    #[error("{0} cannot be listened on: {1}")]
    Listen(SocketAddr, io::Error),
}

/// Serves one client on standard input and output, until the client closes it.
///
/// # Errors
/// When the client does not speak the protocol.
pub fn serve_stdio(settings: Settings) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let (input, output) = stdio();
        let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MOST);
        let running = Server::new(settings).serve(transport).await;
        match running {
            Ok(running) => {
                // It ends with the client, or with this process.
                let _ = running.waiting().await;
                Ok(())
            }
            // Who says nothing wants nothing.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Initialize(Box::new(error))),
        }
    });
    // What is being weighed for a client that is gone is of no use.
    runtime.shutdown_background();
    served
}

/// Serves clients by HTTP at a loopback address until this process ends. `ready` gets the address at which clients find it:
/// it has a secret in it, as other users of the machine reach the port, too.
///
/// # Errors
/// When the address is not one of this machine alone, or cannot be listened on.
pub fn serve_http(
    settings: Settings,
    address: SocketAddr,
    secret: Option<&str>,
    ready: impl FnOnce(&str),
) -> Result<(), ServeError> {
    if !address.ip().is_loopback() {
        return Err(ServeError::NotLoopback(address));
    }
    runtime()?.block_on(async {
        let failed = |error| ServeError::Listen(address, error);
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let path = format!("/mcp/{}", secret.map_or_else(made_up, str::to_owned));
        ready(&format!("http://{address}{path}"));
        listen(Server::new(settings), &listener, address, &path).await;
        Ok(())
    })
}

/// A name that nobody guesses: 128 bits of the keys that the system gives for hash tables.
fn made_up() -> String {
    let part = || RandomState::new().hash_one(0);
    // Keys of one thread follow each other: each part comes from a thread of its own.
    let parts = [0; 2].map(|_| std::thread::spawn(part).join().unwrap_or_default());
    format!("{:016x}{:016x}", parts[0], parts[1])
}

async fn listen(server: Server, listener: &TcpListener, address: SocketAddr, path: &str) {
    let port = address.port();
    // A page of another site that leads its own name here is turned away by the name (DNS rebinding), and every page by
    // its origin: at this one there are no pages.
    let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(hosts.iter().map(|host| format!("http://{host}")))
        .with_allowed_hosts(hosts)
        .with_max_request_body_bytes(MOST);
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let path: Arc<str> = path.into();
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, for a moment.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        let (service, path) = (service.clone(), Arc::clone(&path));
        tokio::spawn(async move {
            let answer = service_fn(move |request: Request<Incoming>| {
                let (service, path) = (service.clone(), Arc::clone(&path));
                async move {
                    if !is_same(request.uri().path(), &path) {
                        let mut none = Response::new(Empty::<Bytes>::new().boxed());
                        *none.status_mut() = StatusCode::NOT_FOUND;
                        return Ok::<_, Infallible>(none);
                    }
                    Ok(service.handle(request).await)
                }
            });
            // A client that is gone needs no answer.
            let _ = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), answer)
                .await;
            drop(place);
        });
    }
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn is_same(given: &str, expected: &str) -> bool {
    let differ = |(a, b): (u8, u8)| a ^ b;
    given.len() == expected.len()
        && given
            .bytes()
            .zip(expected.bytes())
            .map(differ)
            .fold(0, |all, one| all | one)
            == 0
}

/// One thread for messages; tools have threads of their own.
fn runtime() -> Result<Runtime, ServeError> {
    Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(16)
        .build()
        .map_err(ServeError::Runtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_compared_whole() {
        assert_ne!(made_up(), made_up());
        assert!(is_same("/mcp/a", "/mcp/a"));
        for other in ["/mcp/b", "/mcp/", "/mcp/a/", ""] {
            assert!(!is_same(other, "/mcp/a"));
        }
    }
}
