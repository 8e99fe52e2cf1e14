//! How the findings of either ledger are judged: what is left of them, and what they share with others that were mended.

use deadweight_weighing::Finding;
use serde_json::Value;

use crate::overlaps::Overlaps;
use crate::proof::Outcome;

/// A fix is made when less than this share of the finding is left, and open when more than the rest of it is.
pub(crate) const REST: f64 = 0.1;

/// A finding that is gone was mended if this share of its bytes went from where they were.
pub(crate) const WENT: f64 = 0.5;

/// Findings that overlap are judged at most so often.
const ROUNDS: usize = 8;

/// What is less than this share of what changed is not reported.
pub(crate) const MATTERS: f64 = 0.002;

/// Bytes below which a change says nothing, whatever changed in all.
pub(crate) const LEAST: f64 = 1024.0;

/// The least change that is reported, in bytes, when `changed` bytes changed in all.
pub(crate) fn least(changed: i64) -> f64 {
    (MATTERS * changed.unsigned_abs() as f64).max(LEAST)
}

/// A finding on its way to the report of its fix.
pub(crate) trait Judged {
    fn finding(&self) -> &Finding;
    /// What became of it, and the part that was made, from 0 to 1.
    fn set(&mut self, outcome: Outcome, share: f64);
    /// Bytes that are still there.
    fn remain(&mut self, bytes: u64);
}

/// What the second side still finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    /// Bytes; none when it does not find it any more.
    pub(crate) bytes: Option<u64>,
    /// Bytes that the fix promised beside the others that were made.
    pub(crate) promised: f64,
    /// The share of these that is left.
    pub(crate) rest: f64,
}

/// Judges every finding: by hand where `mended` names those that were; else what is left says, unless `otherwise`, which
/// sees the bytes that went, knows better. `left` gives what the second side still finds of one.
pub(crate) fn settle<D: Judged>(
    drafts: &mut [D],
    mended: Option<&[String]>,
    left: impl Fn(usize, &D) -> Option<u64>,
    otherwise: impl Fn(&D, Left) -> Option<Outcome>,
) {
    let overlaps = Overlaps::new(drafts.iter().map(Judged::finding));
    let mut shares = vec![0.0; drafts.len()];
    // What a finding shares with another that was mended went with that one. Whether that one was depends on what it
    // shares in turn, so that all are judged again until nothing changes.
    for _ in 0..ROUNDS {
        let before = shares.clone();
        for (at, draft) in drafts.iter_mut().enumerate() {
            let bytes = left(at, draft);
            draft.remain(bytes.unwrap_or(0));
            let (outcome, share) = match mended {
                Some(mended) if mended.contains(&draft.finding().fingerprint) => (Outcome::Mended, 1.0),
                Some(_) => (Outcome::Open, 0.0),
                None => judge(draft, bytes, overlaps.with_others(at, &shares), &otherwise),
            };
            draft.set(outcome, share);
            shares[at] = share;
        }
        if shares == before {
            break;
        }
    }
}

fn judge<D: Judged>(
    draft: &D,
    bytes: Option<u64>,
    with_others: f64,
    otherwise: impl Fn(&D, Left) -> Option<Outcome>,
) -> (Outcome, f64) {
    let promised = (draft.finding().saves_alone as f64 - with_others).max(1.0);
    let rest = bytes.unwrap_or(0) as f64 / promised;
    if rest > 1.0 - REST {
        return (Outcome::Open, 0.0);
    }
    let left = Left {
        bytes,
        promised,
        rest,
    };
    match otherwise(draft, left) {
        Some(outcome) => (outcome, 0.0),
        None if rest <= REST => (Outcome::Mended, 1.0),
        None => (Outcome::Partly, 1.0 - rest),
    }
}

/// The place whose strings equal those of a finding.
pub(crate) fn equal_at(finding: &Finding) -> Option<&str> {
    finding.evidence.get("equal_at").and_then(Value::as_str)
}

/// The other places that hold the objects of a finding.
pub(crate) fn also_held_at(finding: &Finding) -> impl Iterator<Item = &str> {
    let places = finding.evidence.get("also_held_at").and_then(Value::as_array);
    places
        .into_iter()
        .flatten()
        .filter_map(|place| place["place"].as_str())
}

/// Whether two findings ask for the same sort of fix.
pub(crate) fn are_of_one_sort(first: &Finding, second: &Finding) -> bool {
    let variant = |finding: &Finding| {
        finding
            .evidence
            .get("variant")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    first.rule == second.rule && variant(first) == variant(second)
}
