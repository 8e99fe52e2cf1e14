//! Which findings a fix is of, and what they promise.

use deadweight_weighing::Finding;
use regex::Regex;
use serde_json::Value;

use super::bytes::Bytes;

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{finding, like};
    use super::*;

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
}
