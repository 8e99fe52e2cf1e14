//! The best a program has been: figures that only go down.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::measured::Measured;
use super::verdict::Pairs;

/// The schema this version writes.
const SCHEMA: &str = "deadweight/baseline/1";

/// The best figures so far. All sizes are whole bytes.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Always `deadweight/baseline/1`.
    pub schema: String,
    /// The heap; null when it was not measured.
    pub held: Option<u64>,
    /// Outside of it.
    pub external: Option<u64>,
    /// Allocated by each operation.
    pub bytes_per_operation: Option<u64>,
    /// Findings by fingerprint.
    pub findings: BTreeMap<String, Known>,
}

/// A finding that was there already.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The rule's code.
    pub rule: String,
    /// The place.
    pub holder: String,
    /// Which of the rule's fixes it is, where it knows several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// What it claimed at best.
    pub saves: u64,
}

/// Why a file is no baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// It is not JSON, or has other fields.
    #[error("not a baseline, line {line}: {problem}")]
    Unreadable {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// Another version's.
    #[error("a baseline of schema {0:?}, but this version reads \"{SCHEMA}\"")]
    OtherVersion(String),
}

impl Baseline {
    /// Reads one back.
    ///
    /// # Errors
    /// When it is no baseline, or another version's.
    pub fn parse(text: &[u8]) -> Result<Self, BaselineError> {
        let baseline: Self = serde_json::from_slice(text).map_err(|error| BaselineError::Unreadable {
            line: error.line(),
            problem: error.to_string(),
        })?;
        if baseline.schema == SCHEMA {
            Ok(baseline)
        } else {
            Err(BaselineError::OtherVersion(baseline.schema))
        }
    }

    /// As it is kept: indented, with a line end.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    pub(super) fn of(measured: &Measured<'_>) -> Self {
        let findings = measured
            .by_fingerprint()
            .into_iter()
            .map(|(fingerprint, finding)| {
                let known = Known {
                    rule: finding.rule.clone(),
                    holder: finding.holder.clone(),
                    variant: finding
                        .evidence
                        .get("variant")
                        .and_then(Value::as_str)
                        .map(str::to_owned),
                    saves: finding.saves,
                };
                (fingerprint.to_owned(), known)
            });
        Self {
            schema: SCHEMA.to_owned(),
            held: measured.held(),
            external: measured.external(),
            bytes_per_operation: measured.per_operation(),
            findings: findings.collect(),
        }
    }

    /// Which finding now is which of the baseline. A class by another name gives its findings other fingerprints: what
    /// is new by the same rule at a field of the same name is the one that is gone.
    pub(super) fn pairs<'b>(&'b self, now: &'b Self) -> Pairs<'b> {
        let mut pairs = Pairs::new();
        let mut gone: Vec<(&str, &Known)> = Vec::new();
        for (fingerprint, known) in &self.findings {
            if now.findings.contains_key(fingerprint) {
                pairs.insert(fingerprint, fingerprint);
            } else {
                gone.push((fingerprint, known));
            }
        }
        for (fingerprint, finding) in &now.findings {
            if pairs.contains_key(fingerprint.as_str()) {
                continue;
            }
            let same = |old: &Known| {
                (&old.rule, &old.variant, field(&old.holder))
                    == (&finding.rule, &finding.variant, field(&finding.holder))
            };
            let moved = gone.iter().position(|(_, old)| same(old));
            if let Some(at) = moved.filter(|_| field(&finding.holder).is_some()) {
                let (old, _) = gone.remove(at);
                pairs.insert(fingerprint, old);
            }
        }
        pairs
    }

    /// The better of the two, figure by figure: what is worse now stays as it was, and what is new does not come in.
    /// A finding of a rule that nobody could measure now is not gone.
    pub(super) fn ratchet(&self, now: &Self, is_measured: impl Fn(&str) -> bool) -> Self {
        let better = |old: Option<u64>, new: Option<u64>| match (old, new) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
        let pairs = self.pairs(now);
        let unseen = self.findings.iter().filter(|(fingerprint, known)| {
            !is_measured(&known.rule) && !pairs.values().any(|old| old == fingerprint)
        });
        let unseen = unseen.map(|(fingerprint, known)| (fingerprint.clone(), known.clone()));
        let unseen: Vec<(String, Known)> = unseen.collect();
        let findings = pairs.into_iter().filter_map(|(new, old)| {
            let (old, new_known) = (self.findings.get(old)?, now.findings.get(new)?);
            let saves = old.saves.min(new_known.saves);
            Some((
                new.to_owned(),
                Known {
                    saves,
                    ..new_known.clone()
                },
            ))
        });
        Self {
            schema: SCHEMA.to_owned(),
            held: better(self.held, now.held),
            external: better(self.external, now.external),
            bytes_per_operation: better(self.bytes_per_operation, now.bytes_per_operation),
            findings: findings.chain(unseen).collect(),
        }
    }
}

/// What follows the type: `.cid` of `Measurement.cid`. A shown list of fields has no dots of its own.
fn field(holder: &str) -> Option<&str> {
    holder.find('.').map(|at| &holder[at..])
}
