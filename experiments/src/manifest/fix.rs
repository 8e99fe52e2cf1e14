//! What a case expects: of each fix, of findings, of other figures.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use super::node_range::NodeRange;
use super::pattern::{optional_pattern, pattern};

/// A variant with a fix.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fix {
    /// Short.
    pub name: String,
    /// One line.
    pub title: Option<String>,
    /// The findings it mends.
    pub rules: Vec<String>,
    /// Only those at holders like this.
    #[serde(default, deserialize_with = "optional_pattern")]
    pub holder: Option<Regex>,
    /// Only those with this `evidence.variant`.
    pub variant: Option<String>,
    /// The prediction is the one of this alternative in the evidence.
    pub alternative: Option<String>,
    /// The prediction is the one for slots of these sizes, from what the finding of half-empty nodes says of them.
    pub sizes: Option<Vec<u64>>,
    /// The largest error, where it is not the case's.
    pub bound: Option<f64>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// What was published of it.
    pub published: Option<String>,
    /// The variant it builds on, where that is not `before`: a step of the chain.
    pub from: Option<String>,
    /// The program it is compared with, where that is not the case's own; it is weighed, too.
    pub before: Option<Vec<String>>,
    /// Only on these versions.
    #[serde(default)]
    pub node: NodeRange,
}

/// A finding that must be there, or must not.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Codes of rules: a pattern for the whole code.
    #[serde(deserialize_with = "pattern")]
    pub rule: Regex,
    /// Holders.
    #[serde(deserialize_with = "pattern")]
    pub holder: Regex,
    /// What in its evidence is the same as in what the program prints: a path for a path.
    #[serde(default)]
    pub agrees: BTreeMap<String, String>,
    /// Only on these versions.
    #[serde(default)]
    pub node: NodeRange,
}

/// A figure that native programs print, of which a fix must leave less.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub figure: String,
    /// The program as it was.
    pub before: Vec<String>,
    /// And with the fix.
    pub command: Vec<String>,
    /// The share that must go; what is negative may come.
    pub less: f64,
    /// Whether it is a time: the median of several runs in turns, and with `--full` only.
    #[serde(default)]
    pub is_time: bool,
}
