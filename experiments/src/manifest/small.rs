//! `proof.toml` and `healthy.toml`: small programs.

use std::path::PathBuf;

use regex::Regex;
use serde::Deserialize;

use super::case::Runtime;
use super::machine::Machine;
use super::node_range::NodeRange;
use super::pattern::pattern;

/// One fix, before and after, at several sizes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Its folder's name.
    #[serde(skip)]
    pub name: String,
    /// Where it is.
    #[serde(skip)]
    pub folder: PathBuf,
    /// What it is written for.
    #[serde(default = "node")]
    pub runtime: Runtime,
    /// One line.
    pub title: String,
    /// Codes of rules: a pattern for the whole code.
    #[serde(deserialize_with = "pattern")]
    pub rule: Regex,
    /// Holders.
    #[serde(deserialize_with = "pattern")]
    pub holder: Regex,
    /// Only findings with this `evidence.variant`.
    pub variant: Option<String>,
    /// The prediction is the one of this alternative in the evidence.
    pub alternative: Option<String>,
    /// Whether it is an option instead of a finding.
    #[serde(default)]
    pub option: bool,
    /// How many items, smallest first.
    pub sizes: Vec<u64>,
    /// Only on these versions; on others the pattern does not cost anything.
    #[serde(default)]
    pub node: NodeRange,
    /// The Java virtual machines that it runs on; none for other runtimes.
    #[serde(default)]
    pub machines: Vec<Machine>,
    /// Largest error.
    #[serde(default = "proof_bound")]
    pub bound: f64,
}

fn node() -> Runtime {
    Runtime::Node
}

fn proof_bound() -> f64 {
    0.05
}

/// A program in which there is nothing to find.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Healthy {
    /// Its folder's name.
    #[serde(skip)]
    pub name: String,
    /// Where it is.
    #[serde(skip)]
    pub folder: PathBuf,
    /// One line.
    pub title: String,
    /// Program and arguments; `{count}` is filled in.
    pub command: Vec<String>,
    /// How many items.
    #[serde(default)]
    pub size: u64,
    /// Only on these versions.
    #[serde(default)]
    pub node: NodeRange,
    /// No finding may save more than this share of held bytes.
    #[serde(default = "healthy_share")]
    pub share: f64,
}

fn healthy_share() -> f64 {
    0.01
}
