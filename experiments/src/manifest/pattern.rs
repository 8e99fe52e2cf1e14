//! Patterns in manifests.

use regex::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A pattern.
pub(super) fn pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    let text = String::deserialize(deserializer)?;
    Regex::new(&text).map_err(D::Error::custom)
}

/// A pattern that may be left out.
pub(super) fn optional_pattern<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Regex>, D::Error> {
    pattern(deserializer).map(Some)
}
