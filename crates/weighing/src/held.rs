//! The sums: the live heap, and memory outside of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The live heap.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Held {
    /// All bytes the runtime charges for live objects.
    pub bytes: u64,
    /// What the program needs.
    pub content: u64,
    /// Code, metadata, and what the engine and its own library hold.
    pub runtime: u64,
    /// Claimed by the findings.
    pub dead: u64,
    /// Of it, what findings claim whose tier is `sure`; null in a weighing of version 1, which does not say it.
    pub dead_sure: Option<u64>,
    /// Live objects, parts included.
    pub objects: u64,
}

/// Memory outside the heap.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct External {
    /// All bytes the dump shows there.
    pub bytes: u64,
    /// Claimed by the external findings.
    pub dead: u64,
    /// Of it, what findings claim whose tier is `sure`; null in a weighing of version 1, which does not say it.
    pub dead_sure: Option<u64>,
}
