//! `--post`: weighings go to a server as they are made.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use deadweight_report::{Redaction, bytes};
use deadweight_weighing::Weighing;

use crate::redact;

/// A server that does not answer for so long is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Larger weighings are not posted, in bytes.
const LARGEST: usize = 4 << 20;

/// How often a weighing is sent, and how long after the first time: a server that restarts answers again by then.
const TRIES: [Duration; 3] = [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(4)];

/// Where weighings go.
pub struct Post<'a> {
    url: &'a str,
    /// One for the whole run, so that equal names have equal hashes.
    redaction: Redaction,
}

impl<'a> Post<'a> {
    pub fn new(url: &'a str) -> Self {
        Self {
            url,
            redaction: Redaction::default(),
        }
    }

    /// Sends weighings that a command made, once they have been reported.
    pub fn all(url: Option<&'a str>, weighings: &[Weighing]) -> anyhow::Result<()> {
        let post = url.map(Self::new);
        let posts = post
            .iter()
            .flat_map(|post| weighings.iter().map(|weighing| post.send(weighing)));
        posts.collect()
    }

    /// Sends a weighing without the program's texts.
    pub fn send(&self, weighing: &Weighing) -> anyhow::Result<()> {
        // It is redacted already where all output is.
        let redacted = match redact::asked() {
            Some(_) => weighing.clone(),
            None => self.redaction.weighing(weighing.clone()),
        };
        let body = serde_json::to_vec(&redacted)?;
        if body.len() > LARGEST {
            let (size, largest) = (bytes(body.len() as u64), bytes(LARGEST as u64));
            bail!("--post: the weighing of {size} is larger than {largest}, and was not sent");
        }
        let url = self.labelled();
        let mut result = Ok(());
        for wait in TRIES {
            std::thread::sleep(wait);
            result = send(&url, &body);
            // What a server refuses it refuses again.
            if !matches!(&result, Err(error) if is_passing(error)) {
                break;
            }
        }
        result.with_context(|| format!("--post {}: the weighing was not taken", self.url))
    }

    /// With the host and the time, unless the address names them.
    fn labelled(&self) -> String {
        let mut url = self.url.to_owned();
        let mut label = |name: &str, value: &str| {
            let (_, query) = self.url.split_once('?').unwrap_or_default();
            if !query.split('&').any(|pair| pair.split('=').next() == Some(name)) {
                let before = if url.contains('?') { "&" } else { "?" };
                url.extend([before, name, "=", value]);
            }
        };
        label("host", &host());
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        label("captured_at", &now.map_or(0, |now| now.as_secs()).to_string());
        url
    }
}

fn send(url: &str, body: &[u8]) -> Result<(), ureq::Error> {
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .build()
        .new_agent();
    let request = agent.post(url).header("content-type", "application/json");
    request.send(body).map(|_| ())
}

/// Whether another try may end otherwise.
fn is_passing(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::StatusCode(code) => *code >= 500 || *code == 429,
        ureq::Error::BadUri(_) => false,
        _ => true,
    }
}

/// This machine's name, in characters that an address takes as they are.
fn host() -> String {
    let name = rustix::system::uname();
    let name = name.nodename().to_string_lossy().into_owned();
    name.chars()
        .filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c))
        .collect()
}
