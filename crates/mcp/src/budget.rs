//! Answers that fit into what the caller has room for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Bytes of JSON to a token, about.
const BYTES: usize = 4;

/// Tokens of an answer whose caller names no number.
const USUAL: u32 = 2_000;

/// The fewest and the most that a caller may name.
const LEAST: u32 = 300;
const MOST: u32 = 50_000;

/// Characters of one text, whatever room there is: longer ones are of no use to a reader.
const LONGEST: usize = 2_000;

/// Records of ours have no more fields.
const MOST_FIELDS: usize = 32;

/// Shorter texts are not cut for room.
const SHORT: usize = 80;

/// About how many tokens an answer may take, at four bytes each.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub(crate) struct Budget(#[schemars(range(min = 300, max = 50_000))] Option<u32>);

impl Budget {
    /// The bytes of JSON that the answer may have.
    pub(crate) fn bytes(self) -> usize {
        self.0.unwrap_or(USUAL).clamp(LEAST, MOST) as usize * BYTES
    }

    #[cfg(test)]
    pub(crate) fn of_tokens(tokens: u32) -> Self {
        Self(Some(tokens))
    }
}

/// The bytes that a value takes as JSON.
pub(crate) fn size(value: &impl Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Whatever cannot be written is an error of the answer, and met there.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// Makes every text of an answer harmless to print and short enough to read.
pub(crate) fn harmless(value: &mut Value) {
    match value {
        Value::String(text) => *text = line_by_line(text),
        Value::Array(values) => values.iter_mut().for_each(harmless),
        Value::Object(fields) => {
            let made = std::mem::take(fields).into_iter().map(|(key, mut value)| {
                harmless(&mut value);
                (deadweight_weighing::harmless(&key), value)
            });
            *fields = made.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Line ends of pages and of source stay.
fn line_by_line(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(deadweight_weighing::harmless).collect();
    lines.join("\n")
}

/// Shortens texts that are longer than anybody reads, and then takes off the ends of the longest lists and texts until a
/// value fits. What was cut is named in the order in which it is met.
pub(crate) fn fit(value: &mut Value, bytes: usize) -> Vec<String> {
    let mut cut = Vec::new();
    shorten(value, LONGEST);
    let mut first: Vec<(String, usize)> = Vec::new();
    while size(value) > bytes {
        let over = size(value) - bytes;
        let Some(longest) = longest(value, String::new()) else {
            break;
        };
        let before = take_from(value, &longest.path, over);
        if !first.iter().any(|(path, _)| *path == longest.path) {
            first.push((longest.path, before));
        }
    }
    for (path, before) in first {
        // What is within a list that was cut later may be gone.
        let Some(now) = value.pointer(&path).map(length) else {
            continue;
        };
        let name = path.trim_start_matches('/').replace('/', ".");
        cut.push(format!("{name}: {now} of {before} shown"));
    }
    cut
}

fn shorten(value: &mut Value, most: usize) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(most) {
                text.truncate(end);
                text.push('…');
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, most)),
        Value::Object(fields) => fields.values_mut().for_each(|value| shorten(value, most)),
        _ => {}
    }
}

/// A list or text that can be cut, and the bytes of it.
struct Longest {
    path: String,
    bytes: usize,
}

fn longest(value: &Value, path: String) -> Option<Longest> {
    match value {
        Value::String(text) => (text.len() > SHORT).then_some(Longest {
            bytes: text.len(),
            path,
        }),
        Value::Array(values) => {
            let own = Longest {
                bytes: size(value),
                path: path.clone(),
            };
            let inner = values
                .iter()
                .enumerate()
                .filter_map(|(i, value)| longest(value, format!("{path}/{i}")));
            let inner = inner.max_by_key(|inner| inner.bytes);
            // A list of one long text is cut within.
            match inner {
                Some(inner) if inner.bytes * 2 > own.bytes => Some(inner),
                _ => (!values.is_empty()).then_some(own),
            }
        }
        // One that is used as a table, and no record of ours.
        Value::Object(fields) if fields.len() > MOST_FIELDS => Some(Longest {
            bytes: size(value),
            path,
        }),
        Value::Object(fields) => {
            let inner = fields.iter().filter_map(|(key, value)| {
                let key = key.replace('~', "~0").replace('/', "~1");
                longest(value, format!("{path}/{key}"))
            });
            inner.max_by_key(|inner| inner.bytes)
        }
        _ => None,
    }
}

/// Takes off so many bytes, or half of it, whichever is less. What it had before.
fn take_from(value: &mut Value, path: &str, over: usize) -> usize {
    let Some(place) = value.pointer_mut(path) else {
        return 0;
    };
    let before = length(place);
    match place {
        Value::Array(values) => {
            let mut taken = 0;
            let half = before.div_ceil(2);
            while taken < over && before - values.len() < half {
                let Some(last) = values.pop() else { break };
                taken += size(&last) + 1;
            }
        }
        Value::Object(fields) => {
            let last: Vec<String> = fields.keys().skip(before / 2).cloned().collect();
            for key in last {
                fields.remove(&key);
            }
        }
        Value::String(text) => {
            let keep = text.len().saturating_sub(over + 4).max(text.len() / 2);
            let end = (0..=keep)
                .rev()
                .find(|&end| text.is_char_boundary(end))
                .unwrap_or(0);
            text.truncate(end);
            text.push('…');
        }
        _ => {}
    }
    before
}

fn length(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.len(),
        Value::Object(fields) => fields.len(),
        Value::String(text) => text.chars().count(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_left_as_it_is() {
        let mut value = json!({"rows": [1, 2, 3], "text": "short"});
        let before = value.clone();
        assert!(fit(&mut value, 1_000).is_empty());
        assert_eq!(value, before);
    }

    #[test]
    fn the_longest_list_is_cut_first_and_named() {
        let mut value = json!({
            "figures": {"bytes": 12},
            "rows": (0..200).map(|i| json!({"row": i, "text": "x".repeat(20)})).collect::<Vec<_>>(),
            "few": [1, 2],
        });
        let cut = fit(&mut value, 1_000);
        assert!(size(&value) <= 1_000);
        let left = value["rows"].as_array().unwrap().len();
        assert!(left > 10, "{left}");
        assert_eq!(cut, [format!("rows: {left} of 200 shown")]);
        assert_eq!(
            (&value["few"], &value["rows"][0]["row"]),
            (&json!([1, 2]), &json!(0))
        );
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        let mut value = json!({"page": "ä".repeat(1_500)});
        let cut = fit(&mut value, 400);
        assert!(size(&value) <= 400);
        let shown = value["page"].as_str().unwrap().chars().count();
        assert!(shown > 100);
        assert_eq!(cut, [format!("page: {shown} of 1500 shown")]);
    }

    #[test]
    fn what_acts_on_a_reader_is_written_out_everywhere() {
        let mut value = json!({"a\u{202e}b": ["x\u{1b}[2J", "two\nlines"]});
        harmless(&mut value);
        assert_eq!(value, json!({"a\\u{202e}b": ["x\\x1b[2J", "two\nlines"]}));
    }

    #[test]
    fn a_budget_has_bounds() {
        assert_eq!(Budget::default().bytes(), 8_000);
        assert_eq!(Budget::of_tokens(0).bytes(), 1_200);
        assert_eq!(Budget::of_tokens(u32::MAX).bytes(), 200_000);
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(Value::from),
            "\\PC{0,300}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                proptest::collection::vec((r"[a-z~/]{1,4}", inner), 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_answer_with_room_for_its_figures_fits(rows in proptest::collection::vec(any_value(), 0..30)) {
            let mut value = json!({"rows": rows});
            fit(&mut value, 1_200);
            prop_assert!(size(&value) <= 1_200);
        }
    }
}
