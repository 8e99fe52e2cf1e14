//! A finding in a list.

use deadweight_weighing::{Finding, Tier};
use schemars::JsonSchema;
use serde::Serialize;

use crate::desk::Desk;
use crate::session::{Of, Weighed};

/// A finding in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// Its fingerprint, by which other tools take it; the same in each run.
    pub finding: String,
    /// The list it stands in.
    pub of: Of,
    /// The rule's code.
    pub rule: String,
    /// The place a person changes.
    pub holder: String,
    /// Bytes saved when all fixes before it are made first.
    pub saves: u64,
    /// Bytes saved when only this fix is made.
    pub saves_alone: u64,
    /// What the saving rests on.
    pub tier: Tier,
    /// Whether the bytes are outside the runtime's heap.
    pub external: bool,
    /// What is there.
    pub title: String,
    /// What to do.
    pub fix: String,
    /// Where in the source it is changed: `file:line`, relative to a folder of this server where it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

impl Row {
    /// The row of a finding.
    pub(crate) fn of(desk: &Desk, weighed: &Weighed, of: Of, finding: &Finding) -> Self {
        Self {
            finding: finding.fingerprint.clone(),
            of,
            rule: finding.rule.clone(),
            holder: finding.holder.clone(),
            saves: finding.saves,
            saves_alone: finding.saves_alone,
            tier: finding.tier,
            external: finding.external,
            title: finding.title.clone(),
            fix: finding.fix.clone(),
            line: line(desk, weighed, finding),
        }
    }
}

/// Where a finding is changed: as found in the roots, else as the weighing names it.
pub(crate) fn line(desk: &Desk, weighed: &Weighed, finding: &Finding) -> Option<String> {
    let place = weighed.places.get(&finding.fingerprint);
    let found = place.and_then(|place| place.line.as_ref());
    let found = found.map(|(file, line)| format!("{}:{line}", desk.settings.roots.shown(file)));
    found
        .or_else(|| finding.line.as_ref().map(deadweight_weighing::Line::place))
        .or_else(|| finding.site.clone())
}
