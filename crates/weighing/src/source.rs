//! What was weighed: the dump, and the runtime that wrote it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The dump.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Source {
    /// Its path as given.
    pub path: String,
    /// Its size in bytes, as stored.
    pub bytes: u64,
    /// Its format, such as `v8-heapsnapshot`.
    pub format: String,
}

/// The runtime.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct RuntimeInfo {
    /// Its name, such as `node`.
    pub name: String,
    /// Its version; empty when the dump does not say.
    pub version: String,
    /// Bytes of a reference in a field.
    pub word_bytes: u32,
    /// The allocator under it.
    pub allocator: String,
}
