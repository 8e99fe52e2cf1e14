//! One fix: promised, and measured.

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use crate::cpu::Cpu;

/// A fix with what was promised and what came.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What it does; empty where the name says it.
    pub title: String,
    /// Size of the input.
    pub size: u64,
    /// The version of Node.js, another runtime with its version, or the allocator under a native program.
    pub node: String,
    /// How many findings it mends.
    pub findings: usize,
    /// What they promise.
    pub predicted: Bytes,
    /// What the process measured.
    pub measured: Bytes,
    /// The largest error; none where it is only shown.
    pub bound: Option<f64>,
    /// What was published.
    pub published: Option<String>,
    /// What the program held or made before the fix.
    pub whole: i64,
    /// What the fix costs in time, where it was measured.
    pub cpu: Option<Cpu>,
}

/// What a row calls what programs ran on: a version alone is one of Node.js.
pub fn platform(node: &str) -> String {
    if node.starts_with(|first: char| first.is_ascii_digit()) {
        format!("Node.js {node}")
    } else {
        node.to_owned()
    }
}

impl Row {
    /// What the programs ran on.
    pub fn platform(&self) -> String {
        platform(&self.node)
    }

    /// |predicted − measured| / measured. A saving that did not come at all is infinitely wrong.
    pub fn error(&self) -> f64 {
        let (predicted, measured) = (self.predicted.sum() as f64, self.measured.sum() as f64);
        if measured <= 0.0 {
            f64::INFINITY
        } else {
            (predicted - measured).abs() / measured
        }
    }
}
