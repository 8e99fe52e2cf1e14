//! Findings that one edit fixes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Tier;

/// Findings that go by one edit: the same rule asks for the same fix in several fields of one type. A finding is in one
/// group at most, and a group has two findings or more.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Group {
    /// The rule's code.
    pub rule: String,
    /// The type whose fields the findings name.
    pub of: String,
    /// What to do, in one line; `…` where the findings' figures differ.
    pub fix: String,
    /// What the saving of each of them rests on.
    pub tier: Tier,
    /// Whether the bytes are outside the runtime's heap.
    pub external: bool,
    /// The sum of their `saves`.
    pub saves: u64,
    /// Their fingerprints, in the order of `findings`.
    pub findings: Vec<String>,
}
