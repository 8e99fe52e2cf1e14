//! The inspector of a running program of Node.js: found where it is open, opened where it is not.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::AttachError;
use super::protocol::inspectables;
use super::sockets;
use super::target::Target;

/// Where the inspector opens that nobody gave a port.
const USUAL_PORT: u16 = 9229;

/// How long a program that was asked may take to open it: it does so in a thread of its own, at once.
const PATIENCE: Duration = Duration::from_secs(5);

/// An inspector that is open.
pub(super) struct Inspector {
    /// The address of its WebSocket.
    pub url: String,
    /// Whether it was closed before.
    pub was_closed: bool,
}

impl Inspector {
    /// Finds the inspector, or has it opened.
    pub fn of(target: &Target) -> Result<Self, AttachError> {
        let sockets = sockets::sockets(target);
        let before = sockets::of(&sockets, target);
        // Other ports are services that would wonder at the question.
        let likely = |address: &&SocketAddr| has_inspector_option(target) || address.port() == USUAL_PORT;
        if let Some(url) = before.iter().filter(likely).find_map(inspected_at) {
            return Ok(Self {
                url,
                was_closed: false,
            });
        }
        ask(target)?;
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let new = &sockets::sockets(target) - &sockets;
            if let Some(url) = sockets::of(&new, target).iter().find_map(inspected_at) {
                return Ok(Self {
                    url,
                    was_closed: true,
                });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // A program may open its inspector itself, at any port; it stays as it is.
        if let Some(url) = before.iter().find_map(inspected_at) {
            return Ok(Self {
                url,
                was_closed: false,
            });
        }
        Err(closed(
            target,
            "it did not answer SIGUSR1: it handles that signal itself, runs with --disable-sigusr1, or was built without an \
             inspector",
        ))
    }
}

/// Whether the process was started with an option that concerns its inspector, such as a port for it.
fn has_inspector_option(target: &Target) -> bool {
    const OPTION: &[u8] = b"--inspect";
    let has = |name| {
        let text = std::fs::read(target.proc(name)).unwrap_or_default();
        text.windows(OPTION.len()).any(|word| word == OPTION)
    };
    has("cmdline") || has("environ")
}

/// Sends the signal at which Node.js opens its inspector, to a process that expects it.
fn ask(target: &Target) -> Result<(), AttachError> {
    if !target.catches(Signal::SIGUSR1 as i32) {
        return Err(closed(
            target,
            "it has no handler for SIGUSR1, which would end it; start it with --inspect, or with `deadweight run`",
        ));
    }
    let taken = sockets::listeners(target);
    let is_taken = taken.iter().any(|listener| listener.address.port() == USUAL_PORT);
    if is_taken && !has_inspector_option(target) {
        return Err(closed(
            target,
            "another process listens at port 9229, where it would open; start it with --inspect-port=0",
        ));
    }
    let pid = Pid::from_raw(target.pid.cast_signed());
    kill(pid, Signal::SIGUSR1).map_err(|error| AttachError::Process {
        pid: target.pid,
        what: "it cannot be sent a signal",
        source: io::Error::from(error),
    })
}

fn closed(target: &Target, why: &str) -> AttachError {
    AttachError::Inspector {
        pid: target.pid,
        why: why.to_owned(),
    }
}

/// The address of the inspector's WebSocket, where one of Node.js listens.
fn inspected_at(address: &SocketAddr) -> Option<String> {
    let all = inspectables(&reachable(*address).to_string());
    let node = all.into_iter().find(|one| one.kind == "node");
    node.and_then(|node| node.url)
}

/// The address at which a listener of all addresses is reached on its own machine.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
