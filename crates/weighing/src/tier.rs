//! What a saving rests on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a saving rests on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// It follows from the data alone: at the capture, nothing uses what is saved.
    Sure,
    /// It rests on how the program behaves, as `assumes` says.
    Likely,
}

impl Tier {
    /// Each, the surer first.
    pub const ALL: [Self; 2] = [Self::Sure, Self::Likely];

    /// Its name, as JSON has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Likely => "likely",
        }
    }
}
