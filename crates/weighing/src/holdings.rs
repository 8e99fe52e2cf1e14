//! What stands where, by which two weighings are compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::omitted::is_zero;

/// What stands where. Each byte of the heap and outside of it is in one place, or among those that are folded.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Holdings {
    /// Largest first: those that matter, and all where a finding frees something.
    pub places: Vec<Holding>,
    /// What stands at all other places.
    pub folded: Folded,
}

/// The objects of one type at one place, with their parts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Holding {
    /// The place: `Type.field`; empty for the runtime's own.
    pub holder: String,
    /// The type whose field the place hangs on; null for variables, allocation sites and the runtime's own.
    pub of: Option<String>,
    /// What stands there: the objects' type, `string`, or for the runtime's own their kind.
    pub holds: String,
    /// Whether no change of the program's data removes them by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub runtime: bool,
    /// Objects, parts not counted.
    pub count: u64,
    /// Bytes on the heap.
    pub bytes: u64,
    /// Bytes outside.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub external: u64,
    /// Bytes on the heap after all fixes, without what they add at places that are not there yet; null in weighings
    /// made before this was reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// The same for the bytes outside; null where there are none, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_left: Option<u64>,
    /// Bytes on the heap and outside that would go if all objects at the place went: their own and what they alone keep
    /// alive, nothing counted twice. A lower bound: what two objects of the place hold together and neither holds alone
    /// is not in it. Objects of one place may stand under those of another, so the figures of several places do not add
    /// up. Null where it was not asked for, and for the runtime's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retained: Option<u64>,
}

/// Places too small to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Folded {
    /// How many places.
    pub places: u64,
    /// Objects at them.
    pub count: u64,
    /// Their bytes on the heap.
    pub bytes: u64,
    /// Their bytes outside.
    pub external: u64,
    /// Bytes of the largest of them, on the heap and outside: what another weighing lists of no more may be among them.
    /// Null in weighings made before this was reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<u64>,
    /// Their bytes on the heap after all fixes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// Their bytes outside after all fixes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_left: Option<u64>,
}
