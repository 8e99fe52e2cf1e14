//! Memory that the process had and the dump does not show.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most of the process's memory is not in the dump. What the weighing says holds for the rest alone.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Unseen {
    /// What the dump was compared with.
    pub of: UnseenOf,
    /// The bytes of that.
    pub whole: u64,
    /// Of them, those that the dump shows, in the heap and outside of it.
    pub shown: u64,
    /// Of them, those that are the runtime's own: resident before the program's first line, or mapped from files.
    pub base: u64,
    /// Where the others may be.
    pub places: Vec<UnseenPlace>,
}

impl Unseen {
    /// The bytes that are not in the dump and not the runtime's own.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.whole.saturating_sub(self.shown).saturating_sub(self.base)
    }

    /// Whether they are most of all.
    #[must_use]
    pub fn is_most(&self) -> bool {
        self.bytes() > self.whole / 2
    }
}

/// What a dump is compared with.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum UnseenOf {
    /// What was resident at the capture.
    Resident,
    /// The most that was resident until the capture.
    ResidentPeak,
    /// What was in use as the program came to its end, garbage included.
    InUse,
    /// The most bytes that live objects had asked for until the capture.
    HeldPeak,
    /// The most that any process of the run had resident, captured or not, until its end.
    Run,
}

/// Where unseen memory may be.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct UnseenPlace {
    /// The place.
    pub what: String,
    /// The bytes there; null where nobody counted them.
    pub bytes: Option<u64>,
    /// How to capture it.
    pub how: String,
}
