//! What was made before a change and after it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{New, Outcome, Renamed};

/// For each finding about what is made: what it promised, and what came. Savings are in
/// bytes over all operations of the first side, positive when less is made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct AllocatedProof {
    /// The program before the change.
    pub before: AllocatedSide,
    /// The program after it.
    pub after: AllocatedSide,
    /// What the second side's figures are taken times: its operations brought to those of the first; 1 when either does
    /// not say them.
    pub scale: f64,
    /// What the fixes that were made promised together; what two of them would both spare counts once.
    pub predicted: i64,
    /// What is less than before, as counted, whatever the numbers of operations.
    pub counted: i64,
    /// What is less than before, with the second side brought to the operations of the first.
    pub measured: i64,
    /// `measured` is at most this many bytes off, with a probability of 95 %; 0 when both sides saw every object.
    pub margin: u64,
    /// Objects that are fewer than before, brought to the operations of the first side; null when a side did not count.
    pub objects: Option<i64>,
    /// |predicted − measured| / measured; null when no fix was made, nothing was saved, or less than sampling leaves open.
    pub error: Option<f64>,
    /// The same by operation; null when a side does not say how many there were.
    pub each: Option<EachOperation>,
    /// Every finding of the first side about what is made, largest prediction first, and the options that were taken.
    pub fixes: Vec<AllocatedFix>,
    /// Lines that make more though no finding promised it, largest first.
    pub grew: Vec<AllocatedPlace>,
    /// Lines that make less though no fix that was made spares anything there, largest first.
    pub shrank: Vec<AllocatedPlace>,
    /// What is left of `measured` when the parts of the fixes are taken off; `grew` and `shrank` say where it is.
    pub unexplained: i64,
    /// Findings of the second side alone, largest first.
    pub new: Vec<New>,
    /// Functions that the second side has under another name, or in another file.
    pub moved: Vec<Renamed>,
    /// What to know before believing the figures.
    pub notes: Vec<String>,
}

/// What one side made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct AllocatedSide {
    /// Bytes charged.
    pub bytes: u64,
    /// They are at most this many off, with a probability of 95 %; 0 when every object was seen.
    pub margin: u64,
    /// Objects; null when they were not counted.
    pub objects: Option<u64>,
    /// Operations; 0 when it does not say.
    pub operations: u64,
    /// Claimed by its findings.
    pub dead: u64,
}

/// Bytes an operation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EachOperation {
    /// Made before.
    pub before: f64,
    /// Made after.
    pub after: f64,
    /// What the fixes that were made promised together.
    pub predicted: f64,
    /// What is less than before.
    pub measured: f64,
}

/// A finding of the first side about what is made, with what came of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct AllocatedFix {
    /// The rule's code.
    pub rule: String,
    /// The function, as the first side calls it.
    pub function: String,
    /// Its line on the first side.
    pub site: String,
    /// The lines of the second side that do its work; empty when none is left.
    pub sites_after: Vec<String>,
    /// The finding's.
    pub fingerprint: String,
    /// What was there.
    pub title: String,
    /// What was to be done.
    pub fix: String,
    /// Whether it is an option, which is listed only when it was taken.
    pub option: bool,
    /// What became of it.
    pub outcome: Outcome,
    /// What the finding said it would spare alone.
    pub promised: i64,
    /// What was predicted for the part that was made, given the other fixes that were; 0 when none was.
    pub predicted: i64,
    /// What is really made less at its line and on lines that are new in its function; null when it was not made, or a
    /// weighing lacks the table of what was made.
    pub measured: Option<i64>,
    /// `measured` is at most this many bytes off, with a probability of 95 %.
    pub margin: u64,
    /// |predicted − measured| / measured; null where there is no measurement.
    pub error: Option<f64>,
    /// The same by operation; null when a side does not say how many there were.
    pub each: Option<FixEach>,
    /// What the second side still finds there, brought to the operations of the first.
    pub remaining: u64,
}

/// Bytes an operation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct FixEach {
    /// What the finding said it would spare alone.
    pub promised: f64,
    /// What was predicted for the part that was made.
    pub predicted: f64,
    /// What is made less.
    pub measured: Option<f64>,
}

/// A line that makes more or less than before.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct AllocatedPlace {
    /// The function, as the side that has it calls it; empty for what no line of the program made.
    pub function: String,
    /// Its line on the first side; null when it is new.
    pub before_site: Option<String>,
    /// Its lines on the second; empty when it is gone.
    pub after_sites: Vec<String>,
    /// The type that changed most.
    pub holds: String,
    /// Objects before; null when they were not counted.
    pub count_before: Option<u64>,
    /// Objects after, as counted.
    pub count_after: Option<u64>,
    /// Bytes before.
    pub before: u64,
    /// Bytes after, brought to the operations of the first side.
    pub after: u64,
    /// `before - after`; negative for a line that makes more.
    pub saved: i64,
    /// `saved` is at most this many bytes off, with a probability of 95 %.
    pub margin: u64,
}
