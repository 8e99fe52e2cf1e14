//! What stayed unknown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that could not be measured.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Blind {
    /// The rule's code.
    pub rule: String,
    /// What the dump lacks.
    pub why: String,
    /// How to capture one that has it.
    pub how: String,
}
