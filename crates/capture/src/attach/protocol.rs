//! A conversation with an inspector: commands and answers as JSON, over a WebSocket.

use std::borrow::Cow;
use std::net::TcpStream;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, Utf8Bytes, WebSocket};

use super::AttachError;

/// How long to wait for a connection, and for a list of what can be inspected.
const PATIENCE: Duration = Duration::from_secs(5);

/// One of the things that can be inspected at an address.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Inspectable {
    #[serde(rename = "webSocketDebuggerUrl")]
    pub url: Option<String>,
    #[serde(rename = "type", default)]
    pub kind: String,
    #[serde(default)]
    pub title: String,
}

/// What can be inspected at `host:port`; empty where nobody speaks the protocol.
pub(super) fn inspectables(authority: &str) -> Vec<Inspectable> {
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        // A proxy of the network has nothing to do with what is on this machine.
        .proxy(None)
        .build()
        .new_agent();
    let ask = || -> Option<Vec<Inspectable>> {
        let mut answer = agent.get(format!("http://{authority}/json/list")).call().ok()?;
        let text = answer.body_mut().read_to_string().ok()?;
        serde_json::from_str(&text).ok()
    };
    ask().unwrap_or_default()
}

/// A connection.
pub(super) struct Client {
    socket: WebSocket<TcpStream>,
    url: String,
    last: u64,
}

/// What comes: the answer to a command, or an event.
#[derive(Deserialize)]
struct Incoming<'a> {
    id: Option<u64>,
    result: Option<Value>,
    error: Option<Refusal>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<Piece<'a>>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
}

/// The only event that is listened to is a piece of a snapshot.
#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow)]
    chunk: Option<Cow<'a, str>>,
}

impl Client {
    /// Connects to `ws://host:port/…`.
    pub fn connect(url: &str) -> Result<Self, AttachError> {
        let failed = |why: String| AttachError::Protocol {
            at: url.to_owned(),
            why,
        };
        let authority = url
            .strip_prefix("ws://")
            .and_then(|rest| rest.split('/').next())
            .ok_or_else(|| failed("expected an address that starts with ws://".to_owned()))?;
        let stream = TcpStream::connect(authority).map_err(|error| failed(error.to_string()))?;
        let limits = stream
            .set_read_timeout(Some(PATIENCE))
            .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
        limits.map_err(|error| failed(error.to_string()))?;
        // The answers are as long as they are: a snapshot comes in pieces, but a piece has no bound.
        let config = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None);
        let (socket, _) = tungstenite::client::client_with_config(url, stream, Some(config))
            .map_err(|error| failed(error.to_string()))?;
        Ok(Self {
            socket,
            url: url.to_owned(),
            last: 0,
        })
    }

    /// Sends a command and waits for its answer, of which each piece may take as long as `patience`. `piece` gets the
    /// pieces of a snapshot that come before it.
    pub fn call(
        &mut self,
        method: &str,
        parameters: &Value,
        patience: Duration,
        mut piece: impl FnMut(&str) -> std::io::Result<()>,
    ) -> Result<Value, AttachError> {
        self.last += 1;
        let command = json!({ "id": self.last, "method": method, "params": parameters });
        let sent = self.socket.send(Message::text(command.to_string()));
        sent.map_err(|error| self.failed(method, error))?;
        let waits = self.socket.get_ref().set_read_timeout(Some(patience));
        waits.map_err(|error| self.failed(method, error))?;
        loop {
            let text = self.next(method)?;
            let incoming: Incoming<'_> =
                serde_json::from_str(text.as_str()).map_err(|error| self.failed(method, error))?;
            if incoming.id == Some(self.last) {
                return match incoming.error {
                    Some(refusal) => Err(self.failed(method, refusal.message)),
                    None => Ok(incoming.result.unwrap_or_default()),
                };
            }
            let is_piece = incoming.method.as_deref() == Some("HeapProfiler.addHeapSnapshotChunk");
            if let Some(chunk) = incoming
                .params
                .and_then(|params| params.chunk)
                .filter(|_| is_piece)
            {
                piece(&chunk).map_err(|error| self.failed(method, error))?;
            }
        }
    }

    fn next(&mut self, method: &str) -> Result<Utf8Bytes, AttachError> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Ok(text),
                Ok(Message::Close(_)) => return Err(self.failed(method, "it hung up")),
                Ok(_) => {}
                Err(error) => return Err(self.failed(method, error)),
            }
        }
    }

    fn failed(&self, method: &str, why: impl std::fmt::Display) -> AttachError {
        AttachError::Protocol {
            at: self.url.clone(),
            why: format!("{method}: {why}"),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Whoever listens waits for a farewell.
        let _ = self.socket.close(None);
        let _ = self.socket.flush();
    }
}
