//! What is not as it must be.

use std::fmt;

use deadweight_weighing::Finding;
use regex::Regex;

use super::row::Row;
use super::selection::{Rules, Selection};

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

/// Findings at the places of what a fix mended that were not there before: advice that leads to more advice.
pub fn check_closed(mended: &[&Finding], before: &[Finding], after: &[Finding]) -> Vec<Failure> {
    let is_there = |holder: &str| mended.iter().any(|finding| finding.holder == holder);
    let was_found = |finding: &Finding| {
        before
            .iter()
            .any(|other| other.rule == finding.rule && other.holder == finding.holder)
    };
    after
        .iter()
        .filter(|finding| is_there(&finding.holder) && !was_found(finding))
        .map(|finding| unwanted(finding, "it is new where the advice was followed"))
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

#[cfg(test)]
mod tests {
    use super::super::bytes::Bytes;
    use super::super::tests::{finding, like};
    use super::*;

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
    fn what_is_new_where_advice_was_followed_is_a_failure() {
        let before = [
            finding("C01", "Node.children", 1000),
            finding("L05", "Node.parent", 9),
        ];
        let after = [
            finding("L05", "Node.children", 8),
            finding("L05", "Node.parent", 9),
        ];
        let failures = check_closed(&[&before[0]], &before, &after);
        assert_eq!(failures.len(), 1);
        let text = failures[0].to_string();
        assert!(
            text.starts_with("unwanted: L05 at Node.children (8 bytes)"),
            "{text}"
        );
        assert_eq!(check_closed(&[&before[1]], &before, &after), []);
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
}
