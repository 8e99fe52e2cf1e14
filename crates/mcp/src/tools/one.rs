//! What tools take that show one finding.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::budget::Budget;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// The weighing: its name in this session, such as w1, or a path.
    pub(super) weighing: String,
    /// The fingerprint, as `findings` lists it.
    pub(super) finding: String,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    pub(super) budget: Budget,
}
