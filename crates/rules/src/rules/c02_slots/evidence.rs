//! What is shown of nodes: their parts, the histogram of used slots, and what each further size gains.

use deadweight_heap::nodes::Nodes;
use deadweight_heap::{Allocator, Exact};
use deadweight_infer::SlotArray;
use serde_json::{Value, json};

use super::REFERENCE;
use crate::Candidate;
use crate::count::Count;
use crate::sizes::{Curve, Step};

pub(super) fn show(
    candidate: &mut Candidate,
    array: &SlotArray,
    fields: &[Option<&str>],
    nodes: &Nodes<'_>,
    curve: &Curve,
    chosen: &Step,
    allocator: &dyn Allocator,
) {
    let parts = array.parts().into_iter().zip(fields).map(|(part, field)| {
        let mut shown = json!({"offset": part.offset, "bytes": part.bytes});
        if let Some(field) = field {
            shown["field"] = json!(field);
        }
        shown
    });
    let parts: Vec<Value> = parts.collect();
    candidate.show("slots", array.slots);
    candidate.show("slot_bytes", nodes.slot_bytes);
    candidate.show("header_bytes", nodes.now.charged(0, 0, &Exact));
    candidate.show("parts", parts);
    candidate.show("used_slots", nodes.used.to_vec());
    candidate.show("best_sizes", chosen.sizes.clone());
    let steps: Vec<Value> = curve
        .steps
        .iter()
        .map(|step| json!({"sizes": step.sizes, "bytes": step.bytes, "saves": step.saves, "gain": step.gain}))
        .collect();
    candidate.show("sizes", steps);
    candidate.show("gains", plot(curve));
    let with_field = Nodes {
        then: nodes.then.with_size_field(REFERENCE),
        ..*nodes
    };
    if let Some(bytes) = with_field.bytes_with(&chosen.sizes, allocator) {
        candidate.show("size_field", bytes.saturating_sub(chosen.bytes));
    }
}

/// What each further size gains, as bars: the first is the longest.
fn plot(curve: &Curve) -> Vec<String> {
    const WIDTH: u64 = 40;
    let most = curve
        .steps
        .iter()
        .map(|step| step.gain.max(0).cast_unsigned())
        .max()
        .unwrap_or(0)
        .max(1);
    let line = |step: &Step| {
        let gain = step.gain.max(0).cast_unsigned();
        let bar = "█".repeat((u128::from(gain) * u128::from(WIDTH) / u128::from(most)) as usize);
        format!("{:<20} {bar} {}", list(&step.sizes), Count(gain))
    };
    curve.steps.iter().map(line).collect()
}

/// `2, 4, 6 or 16`.
pub(super) fn list(sizes: &[u64]) -> String {
    let texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_listed_as_people_say_them() {
        assert_eq!(list(&[2, 4, 16]), "2, 4 or 16");
        assert_eq!(list(&[16]), "16");
    }
}
