//! What was predicted before a change, and what the change really did.

mod allocated;

pub use allocated::{AllocatedFix, AllocatedPlace, AllocatedProof, AllocatedSide, EachOperation, FixEach};

use deadweight_weighing::{External, Finding, Held, Process, RuntimeInfo, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The schema this version writes.
pub const SCHEMA: &str = "deadweight/proof/1";

/// Two weighings side by side: for each finding of the first what it promised, and what came. All sizes are whole
/// bytes. Savings are positive when memory went away.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Proof {
    /// Always `deadweight/proof/1`.
    pub schema: String,
    /// The program before the change.
    pub before: Side,
    /// The program after it.
    pub after: Side,
    /// Where the totals come from.
    pub basis: Basis,
    /// How many records each side holds; null when nothing could be counted on both.
    pub records: Option<Records>,
    /// What the fixes that were made promised together; what two of them would both free counts once.
    pub predicted: Saving,
    /// What is less than before, as counted, whatever the counts of records.
    pub counted: Saving,
    /// What is less than before, with the second side brought to the records of the first.
    pub measured: Saving,
    /// What of `measured` is the runtime's own: compiled code, feedback, caches, which differ between two runs of one
    /// program. 0 where a fix that was made frees some of it, or where more changed than two runs differ by.
    #[serde(default)]
    pub runtime: Saving,
    /// |predicted − m| / m, where m is `measured` without `runtime`, held and external together; null when no fix was made,
    /// nothing was saved, or the notes say that a part is not comparable.
    pub error: Option<f64>,
    /// Every finding of the first side, largest prediction first.
    pub fixes: Vec<Fix>,
    /// Places that grew though no finding promised it, largest first.
    pub grew: Vec<Place>,
    /// Places that shrank though no fix that was made frees bytes there, largest first.
    pub shrank: Vec<Place>,
    /// What is left of `measured` when `runtime` and the parts of the fixes are taken off; `grew` and `shrank` say where it is.
    pub unexplained: Saving,
    /// Findings of the second side alone, largest first.
    pub new: Vec<New>,
    /// Types that go by another name on the second side.
    pub renamed: Vec<Renamed>,
    /// What to know before believing the figures.
    pub notes: Vec<String>,
    /// What is made; null when a side does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "made")]
    pub allocated: Option<AllocatedProof>,
}

/// One of the two.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Side {
    /// What was weighed.
    pub source: Source,
    /// Who wrote it.
    pub runtime: RuntimeInfo,
    /// What the process said of itself.
    pub process: Option<Process>,
    /// Its live heap.
    pub held: Held,
    /// Outside of it.
    pub external: External,
}

/// Where totals come from.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// What both processes said of themselves.
    Process,
    /// The sums over both dumps.
    Dump,
    /// Nothing: a side does not say what it holds, and all figures of what is held are 0.
    Nothing,
}

/// What both sides hold, in counts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Records {
    /// What was counted, as the first side calls it: a type, or a place. Empty when the caller gave the counts.
    pub of: String,
    /// On the first side.
    pub before: u64,
    /// On the second.
    pub after: u64,
}

/// Bytes inside and outside the runtime's heap that are less than before; negative for more.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Saving {
    /// In the heap.
    pub held: i64,
    /// Outside.
    pub external: i64,
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The fix was made.
    Mended,
    /// It was made for a part of the objects.
    Partly,
    /// It is still there.
    Open,
    /// The rule does not find it any more, but its bytes are still there.
    Hidden,
    /// The second side does not say.
    Unknown,
}

impl Outcome {
    /// Whether the fix was made, at least for a part.
    #[must_use]
    pub fn is_made(self) -> bool {
        matches!(self, Self::Mended | Self::Partly)
    }
}

/// A finding of the first side, with what came of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Fix {
    /// The rule's code.
    pub rule: String,
    /// The place, as the first side calls it.
    pub holder: String,
    /// Where the objects were allocated.
    pub site: Option<String>,
    /// The finding's.
    pub fingerprint: String,
    /// What was there.
    pub title: String,
    /// What was to be done.
    pub fix: String,
    /// Whether the bytes are outside the heap.
    pub external: bool,
    /// What became of it.
    pub outcome: Outcome,
    /// Which way of mending it was taken, when the finding knows several and it was not the first.
    pub way: Option<String>,
    /// What the finding said it would save alone.
    pub promised: i64,
    /// What was predicted for the part that was made, given the other fixes that were; 0 when none was.
    pub predicted: Saving,
    /// What really went away at the places it frees, with what it puts there instead; null when it was not made, or
    /// a weighing lacks the table of places.
    pub measured: Option<Saving>,
    /// |predicted − measured| / measured; null where there is no measurement.
    pub error: Option<f64>,
    /// What the second side's report says that the same fix would still save there, all fixes before it made first;
    /// brought to the records of the first.
    pub remaining: u64,
}

/// A place whose bytes changed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Place {
    /// The place, as the side that has it calls it; empty for the runtime's own.
    pub holder: String,
    /// What stands there.
    pub holds: String,
    /// Objects before.
    pub count_before: u64,
    /// Objects after, as counted.
    pub count_after: u64,
    /// Bytes before.
    pub before: Amount,
    /// Bytes after, brought to the records of the first side.
    pub after: Amount,
    /// `before - after`; negative for a place that grew.
    pub saved: Saving,
}

/// Bytes inside and outside the runtime's heap.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Amount {
    /// In the heap.
    pub held: u64,
    /// Outside.
    pub external: u64,
}

/// A finding that only the second side has.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct New {
    /// The rule's code.
    pub rule: String,
    /// The place.
    pub holder: String,
    /// What is there.
    pub title: String,
    /// What its fix would save.
    pub saves: u64,
    /// Whether the bytes are outside the heap.
    pub external: bool,
}

impl New {
    /// Findings, each with the name of its place, the largest first.
    pub(crate) fn listed<'f>(findings: impl Iterator<Item = (&'f Finding, String)>) -> Vec<Self> {
        let mut new: Vec<Self> = findings
            .map(|(finding, holder)| Self {
                rule: finding.rule.clone(),
                holder,
                title: finding.title.clone(),
                saves: finding.saves,
                external: finding.external,
            })
            .collect();
        new.sort_by(|a, b| {
            let by_size = b.saves.cmp(&a.saves);
            by_size.then_with(|| (&a.rule, &a.holder).cmp(&(&b.rule, &b.holder)))
        });
        new
    }
}

/// A type with two names.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Renamed {
    /// On the first side.
    pub before: String,
    /// On the second.
    pub after: String,
}

impl Saving {
    /// Both.
    #[must_use]
    pub fn sum(self) -> i64 {
        self.held.saturating_add(self.external)
    }

    /// |self − measured| / measured; none when nothing was saved.
    #[must_use]
    pub fn error(self, measured: Self) -> Option<f64> {
        let (predicted, measured) = (self.sum() as f64, measured.sum() as f64);
        // Six digits are more than was ever measured, and read back as written.
        (measured > 0.0).then(|| ((predicted - measured).abs() / measured * 1e6).round() / 1e6)
    }
}

impl std::ops::Add for Saving {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            held: self.held + other.held,
            external: self.external + other.external,
        }
    }
}

impl std::ops::Sub for Saving {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            held: self.held - other.held,
            external: self.external - other.external,
        }
    }
}

impl std::iter::Sum for Saving {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, saving| sum + saving)
    }
}

/// The schema of proofs as it stands in `docs/proof.schema.json`: indented, with a line end.
#[must_use]
pub fn schema() -> String {
    // The alternate form is indented; a schema is a JSON value and always has one.
    format!("{:#}\n", schemars::schema_for!(Proof).to_value())
}
