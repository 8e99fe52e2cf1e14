//! What the process said of its own memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Totals the process reported, in bytes; null where it did not.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Process {
    /// Live bytes of the heap.
    pub heap_used: Option<u64>,
    /// Bytes that live objects asked for, where the process counts these and not what its allocator charges.
    #[serde(default)]
    pub heap_asked: Option<u64>,
    /// Bytes of the heap, free room included.
    pub heap_total: Option<u64>,
    /// Bytes outside the heap.
    pub external: Option<u64>,
    /// Resident bytes.
    pub rss: Option<u64>,
    /// The most bytes that were ever resident, as the kernel noted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rss_peak: Option<u64>,
    /// The most bytes that live objects ever had asked for, where the recorder counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap_peak: Option<u64>,
}
