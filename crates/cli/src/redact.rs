//! `--redact`: one redaction for the whole process, so that equal texts are equal in all that it reports.

use std::sync::OnceLock;

use deadweight_heap::Churn;
use deadweight_report::Redaction;
use deadweight_weighing::HeldAgain;

static REDACTION: OnceLock<Redaction> = OnceLock::new();

/// From now on every weighing is redacted before anything else sees it.
pub fn begin() {
    REDACTION.get_or_init(Redaction::default);
}

/// The redaction, if it was asked for.
pub fn asked() -> Option<&'static Redaction> {
    REDACTION.get()
}

/// What several heaps hold, as it may be shown.
pub fn held_again(again: &mut HeldAgain) {
    if let Some(redaction) = REDACTION.get() {
        redaction.held_again(again);
    }
}

/// A record of allocations as it may be shown.
pub fn churn(churn: &mut Churn) {
    if let Some(redaction) = REDACTION.get() {
        redaction.churn(churn);
    }
}
