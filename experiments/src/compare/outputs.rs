//! What two programs print.

use regex::Regex;
use serde_json::Value;

/// What two variants print that is not the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Paths whose values differ and must not.
    pub wrong: Vec<String>,
    /// The estimate that is farthest off, with its relative error.
    pub worst_estimate: Option<(String, f64)>,
}

/// Compares what two variants print. Numbers at paths like `estimates` may differ.
pub fn outputs(reference: &Value, other: &Value, estimates: Option<&Regex>) -> Difference {
    let mut difference = Difference::default();
    descend(
        String::new(),
        Some(reference),
        Some(other),
        estimates,
        &mut difference,
    );
    difference
}

fn descend(
    path: String,
    reference: Option<&Value>,
    other: Option<&Value>,
    estimates: Option<&Regex>,
    difference: &mut Difference,
) {
    match (reference, other) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let keys: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
            for key in keys {
                descend(
                    format!("{path}/{key}"),
                    a.get(key),
                    b.get(key),
                    estimates,
                    difference,
                );
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for at in 0..a.len().max(b.len()) {
                descend(
                    format!("{path}/{at}"),
                    a.get(at),
                    b.get(at),
                    estimates,
                    difference,
                );
            }
        }
        (Some(Value::Number(a)), Some(Value::Number(b)))
            if estimates.is_some_and(|like| like.is_match(&path)) =>
        {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            let error = if (a - b).abs() > 0.0 {
                (a - b).abs() / b.abs()
            } else {
                0.0
            };
            if difference
                .worst_estimate
                .as_ref()
                .is_none_or(|(_, worst)| error > *worst)
            {
                difference.worst_estimate = Some((path, error));
            }
        }
        (a, b) => {
            if a != b {
                difference.wrong.push(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::like;
    use super::*;

    #[test]
    fn outputs_must_be_the_same_but_for_estimates() {
        let reference = json!({"count": 3, "size": {"p50": 100, "count": 3}, "list": [1, 2]});
        let other = json!({"count": 3, "size": {"p50": 104, "count": 3}, "list": [1, 2]});
        let same = outputs(&reference, &other, Some(&like("/p50$")));
        assert_eq!(same.wrong, Vec::<String>::new());
        let (path, error) = same.worst_estimate.expect("an estimate");
        assert_eq!(path, "/size/p50");
        assert!((error - 4.0 / 104.0).abs() < 1e-12);
        assert_eq!(outputs(&reference, &other, None).wrong, ["/size/p50"]);
        let longer = json!({"count": 3, "size": {"p50": 100, "count": 3}, "list": [1, 2, 3], "new": null});
        assert_eq!(outputs(&reference, &longer, None).wrong, ["/list/2", "/new"]);
    }
}
