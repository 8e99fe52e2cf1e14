//! What was made where, by which two records of allocations are compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::omitted::is_zero;

/// What was made where. Each byte is in one place, or among those that are folded.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Allocated {
    /// Largest first: those that matter, and all where a finding frees something.
    pub places: Vec<AllocatedAt>,
    /// What was made at all other places.
    pub folded: AllocatedElsewhere,
}

/// The objects of one type that one line made.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct AllocatedAt {
    /// The line, as `file:line`, or what is known of it; empty for what no line of the program made.
    pub site: String,
    /// The function around it.
    pub function: String,
    /// The objects' type; empty when it is not known.
    pub holds: String,
    /// Objects; null when they were not counted.
    pub count: Option<u64>,
    /// Their bytes.
    pub bytes: u64,
    /// The true figure is at most this many bytes off, with a probability of 95 %; 0 when every object was seen.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub margin: u64,
}

/// Places too small to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct AllocatedElsewhere {
    /// How many places.
    pub places: u64,
    /// Objects made there; null when they were not counted.
    pub count: Option<u64>,
    /// Their bytes.
    pub bytes: u64,
    /// The true figure is at most this many bytes off, with a probability of 95 %.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub margin: u64,
}
