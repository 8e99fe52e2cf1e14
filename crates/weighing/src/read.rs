//! Reading a weighing back: what diff, prove and check start from.

use serde::Deserialize;
use serde_json::error::Category;

use crate::harmless::harmless;
use crate::{SCHEMA, Weighing, sums, version_1};

/// What the name of every version of the schema starts with.
const FAMILY: &str = "deadweight/weighing/";

/// Why a file is not a weighing this version can read. Who opened the file puts its name before it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No JSON at all.
    #[error(
        "not JSON at byte {byte} (line {line}): {problem}; a weighing was expected, as `--format json` writes it"
    )]
    NotJson {
        /// Where reading stopped, from 0.
        byte: usize,
        /// Its line, from 1.
        line: usize,
        /// What was found there.
        problem: String,
    },
    /// Cut off.
    #[error("the JSON ends early, at byte {byte}: the weighing was not written to its end")]
    Truncated {
        /// The length of what is there.
        byte: usize,
    },
    /// JSON of another kind.
    #[error(
        "JSON, but no weighing: expected \"schema\": \"{SCHEMA}\" at the top; a dump must first be weighed with \
         `--format json`"
    )]
    NotAWeighing,
    /// A weighing of a version that is not known here.
    #[error(
        "a weighing of schema \"{found}\", but this version reads \"{SCHEMA}\" and before: weigh the dump again"
    )]
    OtherVersion {
        /// The schema it names, shortened.
        found: String,
    },
    /// Its figures contradict each other: somebody took findings out of it, or changed them.
    #[error("the weighing does not add up: {problem}")]
    NotSummed {
        /// Which figures.
        problem: String,
    },
    /// The right schema, but a field that does not fit it.
    #[error("does not fit its schema at byte {byte} (line {line}): {problem}")]
    Misfit {
        /// Where reading stopped, from 0.
        byte: usize,
        /// Its line, from 1.
        line: usize,
        /// What was expected.
        problem: String,
    },
}

/// Only what distinguishes one version from another, so that a later one is named and not blamed for its fields.
#[derive(Deserialize)]
struct Head {
    schema: Option<serde_json::Value>,
}

/// Reads a weighing back.
///
/// # Errors
/// When the bytes are no JSON, no weighing, or one of another version; the error says which.
pub fn read(bytes: &[u8]) -> Result<Weighing, ReadError> {
    let head: Head = serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        Category::Eof => ReadError::Truncated { byte: bytes.len() },
        Category::Data => ReadError::NotAWeighing,
        Category::Io | Category::Syntax => {
            let (byte, line, problem) = place(bytes, &error);
            ReadError::NotJson { byte, line, problem }
        }
    })?;
    let misfit = |error| {
        let (byte, line, problem) = place(bytes, &error);
        ReadError::Misfit { byte, line, problem }
    };
    let summed = |weighing: Weighing| match sums::off(&weighing) {
        Some(problem) => Err(ReadError::NotSummed { problem }),
        None => Ok(weighing),
    };
    match head.schema.as_ref().and_then(serde_json::Value::as_str) {
        Some(SCHEMA) => serde_json::from_slice(bytes).map_err(misfit).and_then(summed),
        Some(version_1::SCHEMA) => version_1::read(bytes).map_err(misfit).and_then(summed),
        Some(other) if other.starts_with(FAMILY) => {
            let found = shown(other, 60);
            Err(ReadError::OtherVersion { found })
        }
        _ => Err(ReadError::NotAWeighing),
    }
}

/// The byte and line where an error was met, and the error without them.
fn place(bytes: &[u8], error: &serde_json::Error) -> (usize, usize, String) {
    let before: usize = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .take(error.line().saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    let byte = (before + error.column().saturating_sub(1)).min(bytes.len());
    let whole = error.to_string();
    let message = whole
        .rsplit_once(" at line ")
        .map_or(whole.as_str(), |(message, _)| message);
    let problem = shown(message, 200);
    (byte, error.line(), problem)
}

/// What a file says of itself, safe to print and in at most so many characters.
fn shown(text: &str, most: usize) -> String {
    let text = harmless(text);
    if text.chars().count() <= most {
        return text;
    }
    let start: String = text.chars().take(most - 1).collect();
    format!("{}…", start.trim_end())
}
