//! The one example that makes a finding believable.

use serde_json::{Map, Value};

use crate::cut::{Cut, columns, cut};
use crate::figures::count;
use deadweight_weighing::harmless;

/// A value needs no more columns than this to be recognised.
const LONGEST: usize = 40;

/// A value cut to fewer columns than this cannot be recognised.
const SHORTEST: usize = 8;

/// The first of the evidence's `examples`, or its `example`, in at most `room` columns; nothing when that is too
/// few to be of use.
pub(super) fn example(evidence: &Map<String, Value>, room: usize) -> Option<String> {
    let examples = evidence.get("examples").and_then(Value::as_array);
    let first = examples
        .and_then(|examples| examples.first())
        .or_else(|| evidence.get("example"))?;
    let (value, copies) = match first {
        Value::Object(fields) => (fields.get("value")?, fields.get("copies").and_then(Value::as_u64)),
        other => (other, None),
    };
    let copies = copies.map_or_else(String::new, |copies| format!(" × {}", count(copies)));
    let left = room.checked_sub(columns(&copies))?;
    let value = match value {
        Value::String(text) => {
            let text = harmless(text);
            let left = left.saturating_sub(2).min(LONGEST);
            if columns(&text) > left && left < SHORTEST {
                return None;
            }
            format!("\"{}\"", cut(&text, left, Cut::End))
        }
        Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), count),
        Value::Bool(yes) => yes.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    (columns(&value) <= left).then(|| format!("{value}{copies}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(evidence: &Value) -> Option<String> {
        example(evidence.as_object().expect("an object"), 24)
    }

    #[test]
    fn the_first_example_is_reported() {
        let evidence = json!({"examples": [{"value": "a\nb", "copies": 1200}, {"value": "c", "copies": 2}]});
        assert_eq!(of(&evidence).as_deref(), Some("\"a\\nb\" × 1,200"));
        assert_eq!(of(&json!({"example": "x"})).as_deref(), Some("\"x\""));
        assert_eq!(of(&json!({"examples": [4096]})).as_deref(), Some("4,096"));
    }

    #[test]
    fn a_long_value_is_cut_and_a_hopeless_one_left_out() {
        let evidence = json!({"example": "abcdefghijklmnopqrstuvwxyz"});
        assert_eq!(of(&evidence).as_deref(), Some("\"abcdefghijklmnopqrstu…\""));
        assert_eq!(example(evidence.as_object().expect("an object"), 9), None);
    }

    #[test]
    fn what_has_no_short_form_is_left_out() {
        for evidence in [
            json!({}),
            json!({"examples": []}),
            json!({"examples": [{"other": 1}]}),
            json!({"examples": 3}),
        ] {
            assert_eq!(of(&evidence), None);
        }
    }
}
