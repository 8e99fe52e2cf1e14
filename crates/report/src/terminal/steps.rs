//! What each further size of nodes gains, as bars: where the gain is no longer worth a size.

use serde_json::{Map, Value};

use crate::figures::bytes;

/// Sizes that a person would try.
const MOST: usize = 4;

/// Columns of the longest bar.
const WIDEST: u64 = 24;

/// A line for each step of the evidence's `sizes`, with the sizes, a bar and the bytes gained; and one for what a field
/// costs that says which size a node has. Nothing when the evidence has none.
pub(super) fn steps(evidence: &Map<String, Value>) -> Vec<String> {
    let steps = evidence.get("sizes").and_then(Value::as_array);
    let steps: Vec<(String, u64)> = steps.into_iter().flatten().take(MOST).filter_map(step).collect();
    let Some(most) = steps.iter().map(|step| step.1).max().filter(|&most| most > 0) else {
        return Vec::new();
    };
    let widest = steps.iter().map(|step| step.0.len()).max().unwrap_or(0);
    let mut lines: Vec<String> = Vec::new();
    for (at, (sizes, gain)) in steps.iter().enumerate() {
        let bar = (u128::from(*gain) * u128::from(WIDEST)).div_ceil(u128::from(most)) as usize;
        let label = if at == 0 { "sizes" } else { "" };
        let more = if at == 0 { "saved" } else { "more" };
        let bar = "▪".repeat(bar);
        lines.push(format!(
            "{label:<5} {sizes:<widest$}  {bar} {} {more}",
            bytes(*gain)
        ));
    }
    if let Some(field) = evidence.get("size_field").and_then(Value::as_u64) {
        lines.push(match field {
            0 => "a field for the size costs nothing more than bits of the pointer".to_owned(),
            field => format!(
                "a field for the size instead of bits of the pointer costs {}",
                bytes(field)
            ),
        });
    }
    lines
}

/// Sizes in words, and what they gain.
fn step(step: &Value) -> Option<(String, u64)> {
    let sizes = step.get("sizes")?.as_array()?;
    let sizes: Vec<String> = sizes
        .iter()
        .map(|size| size.as_u64().map(|size| size.to_string()))
        .collect::<Option<_>>()?;
    let (last, others) = sizes.split_last()?;
    let gain = step.get("gain")?.as_u64()?;
    Some((format!("{} or {last}", others.join(", ")), gain))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(evidence: &Value) -> Vec<String> {
        steps(evidence.as_object().expect("an object"))
    }

    #[test]
    fn each_size_has_a_bar_as_long_as_its_gain() {
        let evidence = json!({
            "sizes": [
                {"sizes": [6, 16], "bytes": 60, "saves": 40, "gain": 40_000_000},
                {"sizes": [2, 8, 16], "bytes": 50, "saves": 50, "gain": 10_000_000},
            ],
            "size_field": 16_000_000,
        });
        assert_eq!(
            of(&evidence),
            [
                "sizes 6 or 16     ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪ 40.0 MB saved",
                "      2, 8 or 16  ▪▪▪▪▪▪ 10.0 MB more",
                "a field for the size instead of bits of the pointer costs 16.0 MB",
            ]
        );
    }

    #[test]
    fn other_evidence_has_none() {
        for evidence in [
            json!({}),
            json!({"sizes": 3}),
            json!({"sizes": []}),
            json!({"sizes": [{"sizes": ["a"], "gain": 3}, {"gain": -1}, 7]}),
            json!({"sizes": [{"sizes": [], "gain": 3}]}),
        ] {
            assert!(of(&evidence).is_empty(), "{evidence}");
        }
    }
}
