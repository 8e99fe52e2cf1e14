//! What several heaps of one run hold, each for itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The same contents in several processes or worker threads of one run, which all pay for them. The figures stand
/// beside the findings: these are about one heap, and none of them counts what is here.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct HeldAgain {
    /// Heaps that were compared.
    pub heaps: u64,
    /// Bytes that would go if each of the contents stood in one heap alone. What a heap itself holds twice counts once.
    pub bytes: u64,
    /// Whether `bytes` is an estimate from a sample, as it is for heaps of very many things.
    pub estimated: bool,
    /// Bytes that the programs hold in these heaps.
    pub held: u64,
    /// Of these, bytes whose contents the dumps show whole. No other contents are compared.
    pub known: u64,
    /// The most of `bytes` that can stand in pages which processes still share because one was forked from the other: these
    /// cost nothing as long as nobody writes there. Null where the system did not say.
    pub shared: Option<u64>,
    /// Where they are, the largest first.
    pub places: Vec<AgainAt>,
    /// Bytes at places that are not listed.
    pub elsewhere: u64,
}

/// A place whose contents several heaps hold.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct AgainAt {
    /// The place, named as in findings.
    pub holder: String,
    /// The type of what stands there.
    pub holds: String,
    /// How many heaps hold it, at most.
    pub heaps: u64,
    /// Bytes that would go if one of them alone held it.
    pub bytes: u64,
}
