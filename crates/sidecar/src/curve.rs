//! What a process held over time, as its recorder noted it.

use serde::{Deserialize, Serialize};

/// The schema of a curve that this version writes and reads.
pub const CURVE_SCHEMA: &str = "deadweight/curve/1";

/// The file. A recorder thins its points itself; a reader thins them again.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct CurveFile {
    /// [`CURVE_SCHEMA`].
    pub schema: String,
    /// What was counted.
    pub of: Counted,
    /// The highest moment of all, also where `points` no longer has it.
    pub highest: HeldAt,
    /// What was held at the capture.
    pub captured: HeldAt,
    /// Moments in order of time. The process may have gone on after the capture.
    pub points: Vec<HeldAt>,
}

/// What a recorder counts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    /// The managed heap in use right after a full garbage collection, and what it keeps outside.
    Collected,
    /// The bytes of live blocks, as the program requested them.
    Live,
}

/// What was held at one time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct HeldAt {
    /// Milliseconds since the recorder began, before the program's first line.
    pub ms: u64,
    /// The bytes.
    pub bytes: u64,
}
