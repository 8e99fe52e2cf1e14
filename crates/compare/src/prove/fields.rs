//! Findings of several fields of one type, which a runtime charges together, and findings of one of these fields.

use deadweight_weighing::Finding;
use serde_json::Value;

use crate::align::Names;

/// The fields that a finding at a type names, as places of the first side.
fn listed<'f>(finding: &'f Finding, names: &Names) -> impl Iterator<Item = String> + use<'f> {
    let ty = names.place(&finding.holder);
    let fields = finding.evidence.get("fields").and_then(Value::as_array);
    let fields = fields.into_iter().flatten();
    fields.filter_map(move |field| Some(format!("{ty}.{}", field.get("field")?.as_str()?)))
}

/// How many fields a finding names; 0 for one at a field.
pub(super) fn count(finding: &Finding) -> usize {
    let fields = finding.evidence.get("fields").and_then(Value::as_array);
    fields.map_or(0, Vec::len)
}

/// Whether one of two findings, one of each side, is at a field that the other names.
pub(super) fn overlap(first: &Finding, second: &Finding, names: &Names) -> bool {
    let place = names.place(&second.holder);
    listed(first, names).any(|field| field == place)
        || listed(second, names).any(|field| field == first.holder)
}

/// What the second side's finding would save of what the first's did. Where the second is of several fields and the first
/// of one of them, that is one field's share.
pub(super) fn saves_of(first: &Finding, second: &Finding, saves: u64) -> u64 {
    match (count(first), count(second)) {
        (0, fields @ 1..) => saves / fields as u64,
        _ => saves,
    }
}
