//! What the saving of a fix rests on.

use deadweight_weighing::Tier;

/// What the saving of a fix rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The data alone: at the capture, nothing uses what is saved.
    Data,
    /// What the program does, as far as the candidate does not say more of it.
    Behaviour(&'static str),
}

impl Basis {
    /// The tier, and what is taken for granted: nothing is likely without a reason.
    pub(crate) fn settle(self, assumes: Option<String>) -> (Tier, Option<String>) {
        match self {
            Self::Data => (Tier::Sure, assumes),
            Self::Behaviour(assumption) => (
                Tier::Likely,
                Some(assumes.unwrap_or_else(|| assumption.to_owned())),
            ),
        }
    }
}
