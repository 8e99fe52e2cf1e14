//! A fix, what it saves, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::omitted::is_zero;
use crate::{Line, Tier};

/// The rule name of the row that stands for findings too small to list.
pub const OTHERS: &str = "others";

/// How exact a figure is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Follows from the dump alone.
    Exact,
    /// Takes something for granted, named in `assumes`.
    Estimate,
}

/// One fix at one place.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Finding {
    /// The rule's code, or `others` for the row of those too small to list.
    pub rule: String,
    /// The place a person changes: `Type.field`.
    pub holder: String,
    /// Where the objects were allocated; null when the dump does not say.
    pub site: Option<String>,
    /// Objects the fix changes or removes; for `others` the number of findings.
    pub count: u64,
    /// Objects at the same place that the fix would leave as they are.
    pub unaffected: u64,
    /// Bytes of the objects concerned as they are.
    pub bytes_now: u64,
    /// Their bytes after this fix alone.
    pub bytes_after: u64,
    /// Saved when all fixes before it in the weighing's order are made first.
    pub saves: u64,
    /// Saved when only this fix is made.
    pub saves_alone: u64,
    /// Whether the bytes are outside the runtime's heap.
    pub external: bool,
    /// Exact, or an estimate.
    pub confidence: Confidence,
    /// What the saving rests on; `likely` for all findings of a weighing of version 1, which does not say it.
    pub tier: Tier,
    /// What the figure or the saving takes for granted; never null where `tier` is `likely`.
    pub assumes: Option<String>,
    /// The same on every run and machine: made of rule, holder, variant of the fix, and site.
    pub fingerprint: String,
    /// What is there, in one line.
    pub title: String,
    /// What to do, in one line.
    pub fix: String,
    /// Figures and examples, by rule.
    pub evidence: Map<String, Value>,
    /// Where the fix frees bytes when it is made alone, largest first: places of `holdings`, or of `churned.allocated` for
    /// what is made. What they sum to beyond `saves_alone` the fix adds at places that are not known before it is
    /// made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frees: Vec<Freed>,
    /// What fixes before it in the weighing's order free as well: `saves_alone` without these is `saves`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<Shared>,
    /// How one of the objects concerned is reached from a root, root first; empty where no way was looked for (in large
    /// heaps it is when asked for), the dump has no references, or nothing in the heap refers to the object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Step>,
    /// Where in the source it is changed; null where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
}

/// What findings of these tiers save, inside the heap or outside of it.
#[must_use]
pub fn saved_by(findings: &[Finding], external: bool, tiers: &[Tier]) -> u64 {
    let of = findings.iter().filter(|finding| finding.external == external);
    let of = of.filter(|finding| tiers.contains(&finding.tier));
    of.map(|finding| finding.saves).sum()
}

impl Shared {
    /// The fingerprints of all earlier findings that free these bytes, in the weighing's order.
    pub fn earlier(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.with).chain(&self.also).map(String::as_str)
    }
}

/// A step from a root to an object.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Step {
    /// How the object before refers to this one: the name of a field or variable, `[]` for an element, `{}` for a table's
    /// value, `{keys}` for its key; empty for the root, and where it has no name.
    pub via: String,
    /// The object's type; where it has none, what allocated it, or its kind in brackets.
    pub object: String,
    /// Steps between the one before and this one that are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: u64,
}

/// Bytes that a fix frees at a place.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Freed {
    /// The place, as in `holdings`; empty for the runtime's own, and for all places that are not listed.
    pub holder: String,
    /// What stands there, as in `holdings`; empty for all places that are not listed.
    pub holds: String,
    /// The line, as in `churned.allocated`, whose function is the holder; null for places of `holdings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Freed; negative where the fix makes what stays larger.
    pub bytes: i64,
}

/// Bytes that several fixes free, and only the first of them can.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Shared {
    /// The fingerprint of the first earlier finding that frees them.
    pub with: String,
    /// Those of the other earlier findings that free the same bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Freed by it already; negative where it adds to what the later fix removes.
    pub bytes: i64,
}
