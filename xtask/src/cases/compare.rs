//! Predictions against measurements. Nothing here runs anything.

use std::fmt;

use deadweight_weighing::Finding;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cpu::Cpu;

/// Bytes inside and outside the runtime's heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Bytes {
    /// On the heap.
    pub held: i64,
    /// Outside.
    pub external: i64,
}

impl Bytes {
    /// Both.
    pub fn sum(self) -> i64 {
        self.held + self.external
    }
}

impl std::ops::Sub for Bytes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            held: self.held - other.held,
            external: self.external - other.external,
        }
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, bytes| Self {
            held: sum.held + bytes.held,
            external: sum.external + bytes.external,
        })
    }
}

/// Which findings a fix mends.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// Codes of rules.
    pub rules: Rules<'a>,
    /// Holders; all when none is given.
    pub holder: Option<&'a Regex>,
    /// The `variant` in the evidence.
    pub variant: Option<&'a str>,
}

/// Codes of rules.
#[derive(Clone, Copy, Debug)]
pub enum Rules<'a> {
    /// A pattern for the whole code.
    Like(&'a Regex),
    /// These.
    Among(&'a [String]),
}

impl Selection<'_> {
    /// Whether the fix mends a finding.
    pub fn takes(&self, finding: &Finding) -> bool {
        let rule = match self.rules {
            Rules::Like(pattern) => is_rule(pattern, &finding.rule),
            Rules::Among(codes) => codes.contains(&finding.rule),
        };
        let variant = |wanted| finding.evidence.get("variant").and_then(Value::as_str) == Some(wanted);
        rule && self.holder.is_none_or(|holder| holder.is_match(&finding.holder))
            && self.variant.is_none_or(variant)
    }

    /// Those it mends.
    pub fn of<'f>(&self, findings: &'f [Finding]) -> Vec<&'f Finding> {
        findings.iter().filter(|finding| self.takes(finding)).collect()
    }
}

/// Whether a pattern is one for the whole of a code.
pub fn is_rule(pattern: &Regex, code: &str) -> bool {
    pattern.find_iter(code).any(|found| found.len() == code.len())
}

/// What findings promise together, each when all before it in the ledger's order are mended.
pub fn predicted(findings: &[&Finding]) -> Bytes {
    let one = |finding: &Finding| {
        let bytes = finding.saves.cast_signed();
        if finding.external {
            Bytes {
                held: 0,
                external: bytes,
            }
        } else {
            split(finding, bytes)
        }
    };
    findings.iter().map(|finding| one(finding)).sum()
}

/// A finding on the heap may put bytes outside: its evidence says how many.
fn split(finding: &Finding, bytes: i64) -> Bytes {
    let added = finding
        .evidence
        .get("external_added")
        .and_then(Value::as_i64)
        .unwrap_or(0);
    Bytes {
        held: bytes + added,
        external: -added,
    }
}

/// A fix with what was promised and what came.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What it does; empty where the name says it.
    pub title: String,
    /// Size of the input.
    pub size: u64,
    /// The version of Node.js, or the allocator under a native program.
    pub node: String,
    /// How many findings it mends.
    pub findings: usize,
    /// What they promise.
    pub predicted: Bytes,
    /// What the process measured.
    pub measured: Bytes,
    /// The largest error; none where it is only shown.
    pub bound: Option<f64>,
    /// What was published.
    pub published: Option<String>,
    /// What the program held or made before the fix.
    pub whole: i64,
    /// What the fix costs in time, where it was measured.
    pub cpu: Option<Cpu>,
}

impl Row {
    /// What the programs ran on.
    pub fn platform(&self) -> String {
        if self.node.starts_with(|first: char| first.is_ascii_digit()) {
            format!("Node.js {}", self.node)
        } else {
            self.node.clone()
        }
    }

    /// |predicted − measured| / measured. A saving that did not come at all is infinitely wrong.
    pub fn error(&self) -> f64 {
        let (predicted, measured) = (self.predicted.sum() as f64, self.measured.sum() as f64);
        if measured <= 0.0 {
            f64::INFINITY
        } else {
            (predicted - measured).abs() / measured
        }
    }
}

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A finding that must be there is not.
    Missing {
        /// What was looked for.
        wanted: String,
    },
    /// A finding is there that must not be.
    Unwanted {
        /// Its rule.
        rule: String,
        /// Its holder.
        holder: String,
        /// What it claims to save.
        saves: u64,
        /// Why it must not be there.
        why: String,
    },
    /// A prediction is too far off.
    Error {
        /// The fix.
        name: String,
        /// Promised.
        predicted: i64,
        /// Measured.
        measured: i64,
        /// The error.
        error: f64,
        /// Its bound.
        bound: f64,
    },
    /// Something else that the case demands.
    Demand(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { wanted } => write!(out, "missing: no finding of {wanted}"),
            Self::Unwanted {
                rule,
                holder,
                saves,
                why,
            } => {
                write!(out, "unwanted: {rule} at {holder} ({saves} bytes): {why}")
            }
            Self::Error {
                name,
                predicted,
                measured,
                error,
                bound,
            } => write!(
                out,
                "error: {name}: predicted {predicted}, measured {measured}: off by {:.2} %, more than {:.2} %",
                error * 100.0,
                bound * 100.0
            ),
            Self::Demand(what) => write!(out, "{what}"),
        }
    }
}

/// Whether a prediction is within its bound.
pub fn check_error(row: &Row) -> Option<Failure> {
    let bound = row.bound?;
    let error = row.error();
    (error > bound || error.is_nan()).then(|| Failure::Error {
        name: format!("{} at {} on {}", row.name, row.size, row.platform()),
        predicted: row.predicted.sum(),
        measured: row.measured.sum(),
        error,
        bound,
    })
}

/// Whether a finding that must be there is.
pub fn check_must_find(rule: &Regex, holder: &Regex, findings: &[Finding]) -> Option<Failure> {
    let selection = Selection {
        rules: Rules::Like(rule),
        holder: Some(holder),
        variant: None,
    };
    selection.of(findings).is_empty().then(|| Failure::Missing {
        wanted: format!("{} at a holder like {}", rule.as_str(), holder.as_str()),
    })
}

/// Findings that must not be there.
pub fn check_must_not_find(rule: &Regex, holder: &Regex, findings: &[Finding]) -> Vec<Failure> {
    let selection = Selection {
        rules: Rules::Like(rule),
        holder: Some(holder),
        variant: None,
    };
    let found = selection.of(findings);
    found
        .into_iter()
        .map(|finding| unwanted(finding, "the case says it is none"))
        .collect()
}

/// Findings of a healthy program that claim more than a share of what it holds.
pub fn check_healthy(findings: &[Finding], held: u64, share: f64) -> Vec<Failure> {
    let most = share * held as f64;
    findings
        .iter()
        .filter(|finding| finding.saves as f64 > most)
        .map(|finding| {
            unwanted(
                finding,
                &format!("more than {} % of a healthy heap", share * 100.0),
            )
        })
        .collect()
}

fn unwanted(finding: &Finding, why: &str) -> Failure {
    Failure::Unwanted {
        rule: finding.rule.clone(),
        holder: finding.holder.clone(),
        saves: finding.saves,
        why: why.to_owned(),
    }
}

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

/// The middle of some figures; of an even number the lower one.
pub fn median<T: Copy + PartialOrd>(figures: &[T]) -> Option<T> {
    let mut sorted = figures.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
pub mod tests {
    use deadweight_weighing::Confidence;
    use serde_json::json;

    use super::*;

    /// A finding with nothing to show.
    pub fn finding(rule: &str, holder: &str, saves: u64) -> Finding {
        Finding {
            rule: rule.into(),
            holder: holder.into(),
            site: None,
            count: 100,
            good: 0,
            bytes_now: saves,
            bytes_after: 0,
            saves,
            saves_alone: saves + 10,
            external: false,
            confidence: Confidence::Exact,
            assumes: None,
            fingerprint: String::new(),
            title: String::new(),
            fix: String::new(),
            evidence: serde_json::Map::new(),
            frees: Vec::new(),
            shared: Vec::new(),
            path: Vec::new(),
        }
    }

    fn like(pattern: &str) -> Regex {
        Regex::new(pattern).expect("a pattern")
    }

    fn row(predicted: i64, measured: i64, bound: f64) -> Row {
        Row {
            name: "intern".into(),
            title: String::new(),
            size: 1000,
            node: "20.20.2".into(),
            findings: 1,
            predicted: Bytes {
                held: predicted,
                external: 0,
            },
            measured: Bytes {
                held: measured,
                external: 0,
            },
            bound: Some(bound),
            published: None,
            whole: 10_000,
            cpu: None,
        }
    }

    #[test]
    fn a_missing_finding_is_a_failure() {
        let findings = [finding("D01", "Measurement.cid", 1000)];
        assert_eq!(check_must_find(&like("D01"), &like(r"\.cid$"), &findings), None);
        let failure = check_must_find(&like("L01|L02"), &like(r"\.cid$"), &findings).expect("a failure");
        assert!(
            failure
                .to_string()
                .starts_with("missing: no finding of L01|L02 at a holder like"),
            "{failure}"
        );
        assert!(check_must_find(&like("D01"), &like(r"\.provider$"), &findings).is_some());
        assert!(
            check_must_find(&like("D"), &like("."), &findings).is_some(),
            "half a code is no rule"
        );
    }

    #[test]
    fn an_unwanted_finding_is_a_failure() {
        let findings = [
            finding("D01", "Measurement.cid", 1000),
            finding("L04", "Chain.id", 5),
        ];
        assert_eq!(check_must_not_find(&like("C04"), &like(".*"), &findings), []);
        let failures = check_must_not_find(&like("L04"), &like(".*"), &findings);
        assert_eq!(failures.len(), 1);
        assert!(
            failures[0]
                .to_string()
                .starts_with("unwanted: L04 at Chain.id (5 bytes)"),
            "{}",
            failures[0]
        );
    }

    #[test]
    fn a_large_finding_in_a_healthy_program_is_a_failure() {
        let findings = [
            finding("D01", "Cache.keys", 101),
            finding("C01", "Node.children", 100),
        ];
        let failures = check_healthy(&findings, 10_000, 0.01);
        assert_eq!(failures.len(), 1);
        assert!(
            failures[0].to_string().contains("D01 at Cache.keys"),
            "{}",
            failures[0]
        );
    }

    #[test]
    fn an_error_beyond_its_bound_is_a_failure() {
        assert_eq!(check_error(&row(1019, 1000, 0.02)), None);
        assert_eq!(check_error(&row(981, 1000, 0.02)), None);
        let failure = check_error(&row(1021, 1000, 0.02)).expect("a failure");
        assert_eq!(
            failure.to_string(),
            "error: intern at 1000 on Node.js 20.20.2: predicted 1021, measured 1000: off by 2.10 %, more than 2.00 %"
        );
        assert!(check_error(&row(979, 1000, 0.02)).is_some());
        assert!(
            check_error(&row(1000, -5, 0.02)).is_some(),
            "a saving that is a loss"
        );
        assert!(check_error(&row(0, 0, 0.02)).is_some(), "no saving at all");
        assert_eq!(
            check_error(&Row {
                bound: None,
                ..row(5, 1000, 0.0)
            }),
            None
        );
    }

    #[test]
    fn a_fix_takes_findings_by_rule_holder_and_variant() {
        let mut dates = finding("L03", "Round.start_at", 300);
        dates.evidence.insert("variant".into(), json!("date"));
        let mut boxes = finding("L03", "Round.start_at", 200);
        boxes.evidence.insert("variant".into(), json!("box"));
        let findings = [dates, boxes, finding("D01", "Round.cid", 100)];
        let codes = ["L03".to_owned()];
        let all = Selection {
            rules: Rules::Among(&codes),
            holder: None,
            variant: None,
        };
        assert_eq!(predicted(&all.of(&findings)).sum(), 500);
        let dates = Selection {
            variant: Some("date"),
            ..all
        };
        assert_eq!(predicted(&dates.of(&findings)).sum(), 300);
        let holder = like("cid");
        let elsewhere = Selection {
            holder: Some(&holder),
            ..all
        };
        assert!(elsewhere.of(&findings).is_empty());
    }

    #[test]
    fn external_bytes_are_kept_apart() {
        let mut external = finding("L04", "Block.hash", 40);
        external.external = true;
        let held = finding("L04", "Block.hash", 100);
        let both = [&held, &external];
        assert_eq!(
            predicted(&both),
            Bytes {
                held: 100,
                external: 40
            }
        );

        let mut columns = finding("L06", "Reading", 100);
        columns.evidence.insert("external_added".into(), json!(60));
        assert_eq!(
            predicted(&[&columns]),
            Bytes {
                held: 160,
                external: -60
            }
        );
    }

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

    #[test]
    fn medians() {
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median(&[4, 1, 2, 3]), Some(2));
        assert_eq!(median::<u64>(&[]), None);
    }
}
