//! One piece of input: a weighing, or a weighing in an envelope that says of what it is.

use chrono::{DateTime, Utc};
use deadweight_weighing::ReadError;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::labels::{LabelError, Labels, time};
use crate::taken::{Taken, Texts};

/// Labels that are given beside a weighing. What stands in its envelope comes before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The service.
    pub service: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The host.
    pub host: Option<String>,
    /// When it was captured.
    pub captured_at: Option<DateTime<Utc>>,
}

/// Input as it came.
#[derive(Clone, Debug)]
pub struct Item {
    /// The file, or the number of the line.
    pub name: String,
    /// What is known of it otherwise.
    pub given: Given,
    /// What is in it.
    pub content: Vec<u8>,
}

/// Why a piece of input was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// It is no weighing.
    #[error(transparent)]
    NoWeighing(#[from] ReadError),
    /// Its labels.
    #[error(
        "{0}; give it as an option, or in an envelope: {{\"service\": …, \"version\": …, \"host\": …, \"captured_at\": …, \"weighing\": …}}"
    )]
    Labels(#[from] LabelError),
    /// An envelope with something else in it.
    #[error("an envelope that cannot be read: {0}")]
    Envelope(serde_json::Error),
    /// It could not be read at all.
    #[error("{0}")]
    Unread(String),
}

/// A piece of input that was not taken.
#[derive(Debug)]
pub struct Bad {
    /// The file, or the number of the line.
    pub name: String,
    /// Why.
    pub why: Why,
}

/// What the top of the JSON has: an envelope has a weighing, and a weighing its schema.
#[derive(Deserialize)]
struct Envelope<'j> {
    service: Option<String>,
    version: Option<String>,
    host: Option<String>,
    captured_at: Option<At>,
    #[serde(borrow)]
    weighing: Option<&'j RawValue>,
    #[serde(borrow)]
    schema: Option<&'j RawValue>,
}

/// A time as a number or a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum At {
    Seconds(f64),
    Text(String),
}

/// Only what distinguishes an envelope whose labels cannot be read.
#[derive(Deserialize)]
struct Head<'j> {
    #[serde(borrow)]
    weighing: Option<&'j RawValue>,
}

impl Item {
    /// The weighing in it.
    ///
    /// # Errors
    /// When there is none, or it is not known of what it is.
    pub fn taken(&self, texts: &Texts) -> Result<Taken, Why> {
        let content = &self.content[..];
        let envelope: Option<Envelope<'_>> = match serde_json::from_slice(content) {
            Ok(envelope) => Some(envelope),
            Err(error) => {
                let head: Option<Head<'_>> = serde_json::from_slice(content).ok();
                if head.is_some_and(|head| head.weighing.is_some()) {
                    return Err(Why::Envelope(error));
                }
                None
            }
        };
        let inside = envelope.and_then(|envelope| {
            envelope
                .weighing
                .filter(|_| envelope.schema.is_none())
                .zip(Some(envelope))
        });
        let Some((weighing, envelope)) = inside else {
            let given = &self.given;
            let labels = given.labels(given.captured_at);
            // What is no weighing is more than a missing label.
            if labels.is_err() {
                deadweight_weighing::read(content)?;
            }
            return Ok(Taken::read(labels?, content, texts)?);
        };
        let at = match envelope.captured_at {
            None => self.given.captured_at,
            Some(At::Seconds(seconds)) => Some(time(&seconds.to_string())?),
            Some(At::Text(text)) => Some(time(&text)?),
        };
        let given = Given {
            service: envelope.service.or_else(|| self.given.service.clone()),
            version: envelope.version.or_else(|| self.given.version.clone()),
            host: envelope.host.or_else(|| self.given.host.clone()),
            captured_at: at,
        };
        let labels = given.labels(at)?;
        Ok(Taken::read(labels, weighing.get().as_bytes(), texts)?)
    }
}

impl Given {
    /// These as labels.
    ///
    /// # Errors
    /// When one is missing or cannot be one.
    pub fn labels(&self, captured_at: Option<DateTime<Utc>>) -> Result<Labels, LabelError> {
        Labels::checked(
            self.service.as_deref(),
            self.version.as_deref(),
            self.host.as_deref(),
            captured_at,
        )
    }
}
