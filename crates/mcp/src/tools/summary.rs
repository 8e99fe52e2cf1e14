//! A weighing on one screen.

use deadweight_weighing::{External, Held, NotMeasured, OTHERS, Unseen};
use schemars::JsonSchema;
use serde::Serialize;

use super::row::Row;
use crate::desk::Desk;
use crate::session::{Weighed, findings};

/// Findings on it.
const LARGEST: usize = 5;

/// How much of a program's memory is dead weight, and the largest findings.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Summary {
    /// The name of the weighing in this session, by which other tools take it.
    pub weighing: String,
    /// The resource with the whole weighing, of the published schema.
    pub resource: String,
    /// What was weighed.
    pub source: String,
    /// The runtime and its version.
    pub runtime: String,
    /// The live heap, in bytes.
    pub held: Held,
    /// Memory outside of it, in bytes.
    pub external: External,
    /// Resident memory of the process, in bytes; null when nobody said it.
    pub rss: Option<u64>,
    /// What was made, kept or not; null when it was not recorded.
    pub made: Option<Made>,
    /// How many findings and options there are.
    pub findings: usize,
    /// The largest of them, for each list.
    pub largest: Vec<Row>,
    /// What could not be measured, and how to capture a dump that shows it.
    pub not_measured: Vec<NotMeasured>,
    /// Why the dump ends early; every figure is then a lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// Why sizes are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated: Option<String>,
    /// Memory of the process that the dump does not show, where that is most of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Unseen>,
}

/// What was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Made {
    /// Bytes.
    pub bytes: u64,
    /// Objects; null when they were not counted.
    pub objects: Option<u64>,
    /// Operations; 0 when nobody said how many.
    pub operations: u64,
    /// Bytes that the fixes avoid.
    pub dead: u64,
}

impl Summary {
    /// That of a weighing.
    pub(crate) fn of(desk: &Desk, weighed: &Weighed) -> Self {
        let weighing = &weighed.weighing;
        let all = || findings(weighing).filter(|(_, finding)| finding.rule != OTHERS);
        let mut largest: Vec<_> = all().collect();
        largest.sort_by_key(|(of, finding)| (*of as u8 > 1, std::cmp::Reverse(finding.saves)));
        largest.truncate(LARGEST);
        Self {
            weighing: weighed.id.clone(),
            resource: crate::resources::uri_of(&weighed.id),
            source: desk.settings.roots.without_roots(&weighing.source.path),
            runtime: format!("{} {}", weighing.runtime.name, weighing.runtime.version),
            held: weighing.held.clone(),
            external: weighing.external.clone(),
            rss: weighing.process.as_ref().and_then(|process| process.rss),
            made: weighing.churned.as_ref().map(|churned| Made {
                bytes: churned.bytes,
                objects: churned.objects,
                operations: churned.operations,
                dead: churned.dead,
            }),
            findings: all().count(),
            largest: largest
                .into_iter()
                .map(|(of, finding)| Row::of(desk, weighed, of, finding))
                .collect(),
            not_measured: weighing.not_measured.clone(),
            partial: weighing.partial.clone(),
            estimated: weighing.estimated.clone(),
            unseen: weighing.unseen.clone(),
        }
    }
}
