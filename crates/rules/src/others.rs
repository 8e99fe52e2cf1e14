//! The row that stands for findings too small to list, so that rows still add up.

use crate::count::Count;
use crate::fingerprint::Identity;
use deadweight_weighing::{Confidence, Finding, OTHERS, Tier};

/// One row for all of `small`; nothing when there are none.
///
/// `ledger`, `tier` and `external` say which row it is, where a weighing has several.
pub(crate) fn others<'a>(
    small: impl Iterator<Item = &'a Finding>,
    ledger: &str,
    tier: Tier,
    external: bool,
) -> Option<Finding> {
    let rows: Vec<&Finding> = small.collect();
    if rows.is_empty() {
        return None;
    }
    let sum = |of: fn(&Finding) -> u64| rows.iter().map(|finding| of(finding)).sum::<u64>();
    let exact = rows.iter().all(|row| row.confidence == Confidence::Exact);
    let count = rows.len() as u64;
    Some(Finding {
        rule: OTHERS.to_owned(),
        holder: String::new(),
        site: None,
        count,
        unaffected: 0,
        bytes_now: sum(|f| f.bytes_now),
        bytes_after: sum(|f| f.bytes_after),
        saves: sum(|f| f.saves),
        saves_alone: sum(|f| f.saves_alone),
        external,
        confidence: if exact {
            Confidence::Exact
        } else {
            Confidence::Estimate
        },
        tier,
        assumes: (!exact || tier == Tier::Likely)
            .then(|| "what the findings assume that are each too small to list".to_owned()),
        fingerprint: Identity {
            rule: OTHERS,
            holder: ledger,
            // Baselines know the rows of before there were tiers, which count as likely.
            variant: match tier {
                Tier::Sure => tier.name(),
                Tier::Likely => "",
            },
            site: None,
            external,
        }
        .fingerprint(),
        title: format!("{}, too small to list", Count(count).of("other", "others")),
        fix: "list them with --all".to_owned(),
        evidence: serde_json::Map::new(),
        frees: Vec::new(),
        shared: Vec::new(),
        path: Vec::new(),
        line: None,
    })
}
