//! What was made while the program was watched, kept or not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Allocated, Finding};

/// What was made, whether or not it was kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Churned {
    /// Bytes made.
    pub bytes: u64,
    /// Objects made; null when the record has bytes alone.
    pub objects: Option<u64>,
    /// Bytes of those that were alive when the record ended; null when it does not say.
    #[serde(default)]
    pub kept_bytes: Option<u64>,
    /// Operations the program marked; 0 when it marked none.
    pub operations: u64,
    /// Claimed by the findings: the sum of their `saves`.
    #[serde(default)]
    pub dead: u64,
    /// How sure `bytes` is; null when every object was seen.
    #[serde(default)]
    pub sampled: Option<Sampled>,
    /// Findings of the T rules.
    pub findings: Vec<Finding>,
    /// Advice whose saving depends on what only the author knows; never counted in `dead`.
    #[serde(default)]
    pub options: Vec<Finding>,
    /// The lines that make most, whether or not they could do without.
    #[serde(default)]
    pub sites: Vec<ChurnSite>,
    /// How the source would read after a fix, where it is at hand.
    #[serde(default)]
    pub rewrites: Vec<Rewritten>,
    /// What was made where, for comparing two weighings; null in weighings made before there was such a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated: Option<Allocated>,
}

/// What was seen of what was made. The true figure lies between `low` and `high` with a probability of 95 %.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Sampled {
    /// Bytes from one sample to the next, on average; null when objects are counted.
    pub every_bytes: Option<u64>,
    /// Objects from one sample to the next, on average; null when bytes are counted.
    pub every_objects: Option<u64>,
    /// Windows of time in which every object was seen; null when objects were chosen one by one.
    #[serde(default)]
    pub windows: Option<u64>,
    /// Samples taken.
    pub samples: u64,
    /// Not fewer bytes than this.
    pub low: u64,
    /// Not more bytes than this.
    pub high: u64,
}

/// A line of the program that makes objects, itself or in what it calls.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct ChurnSite {
    /// `file:line`; empty for what no line of the program made.
    pub site: String,
    /// The function around it.
    pub function: String,
    /// Bytes made.
    pub bytes: u64,
    /// Not fewer than this, with a probability of 95 % when sampled.
    pub low: u64,
    /// Not more than this.
    pub high: u64,
    /// Objects made; null when they were not counted.
    pub objects: Option<u64>,
    /// Bytes of those that were alive when the record ended; null when it does not say.
    pub kept_bytes: Option<u64>,
    /// The types with most bytes; empty when the record names none.
    pub types: Vec<TypeShare>,
}

/// Bytes of one type.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct TypeShare {
    /// The type's name.
    pub name: String,
    /// Bytes made of it.
    pub bytes: u64,
}

/// How the source would read after a fix.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Rewritten {
    /// The finding or option it belongs to.
    pub fingerprint: String,
    /// The source file.
    pub file: String,
    /// The first line that changes, from 1.
    pub line: u32,
    /// The lines as they are.
    pub before: Vec<String>,
    /// The lines as they would be; comments before them name the conditions.
    pub after: Vec<String>,
    /// What has to hold for them to mean the same, each going on from "only if"; empty where they always do, null in
    /// weighings made before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<String>>,
}
