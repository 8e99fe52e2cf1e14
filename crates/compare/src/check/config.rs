//! `deadweight.toml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use deadweight_weighing::Rulebook;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::figure::{Bytes, Share};

/// What a program must keep to.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The most of the held bytes that may be dead weight.
    pub dead_share: Option<Limit<f64>>,
    /// The most of the held bytes that may be dead weight by the data alone.
    pub dead_sure_share: Option<Limit<f64>>,
    /// The most bytes the heap may hold.
    pub held: Option<Limit<u64>>,
    /// The most bytes outside the heap.
    pub external: Option<Limit<u64>>,
    /// The most bytes that one operation may allocate.
    pub bytes_per_operation: Option<Limit<u64>>,
    /// The most bytes that may be made in all, kept or not.
    pub churned: Option<Limit<u64>>,
    /// The rules whose findings may be there.
    pub findings: Option<Limit<Vec<String>>>,
    /// What the findings of single rules may claim together.
    pub rules: BTreeMap<String, Limit<u64>>,
    /// What records may take.
    pub records: Vec<Records>,
    /// Where the baseline is kept, relative to the file.
    pub baseline: Option<PathBuf>,
    /// By which share a figure may be above its baseline.
    pub tolerance: f64,
    /// Findings that are known and accepted.
    pub suppressions: Vec<Suppression>,
}

/// A limit and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit<T> {
    /// The most that is allowed.
    pub most: T,
    /// Its line, from 1.
    pub line: usize,
}

/// The most bytes per record at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    /// The place, or the type of the records.
    pub holder: String,
    /// The most bytes of one.
    pub bytes: Limit<u64>,
}

/// A finding that is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The rule's code.
    pub rule: String,
    /// The place; all places when none is given.
    pub holder: Option<String>,
    /// Why it stays.
    pub reason: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Why a file is no configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ConfigError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    budget: Budget,
    #[serde(default)]
    baseline: BaselineTable,
    #[serde(default)]
    suppress: Vec<Spanned<Suppress>>,
    /// Options of `deadweight run`, which reads them itself.
    #[serde(default, rename = "run")]
    _run: IgnoredAny,
    /// Containers of programs on the JVM, which weighing reads.
    #[serde(default, rename = "jvm")]
    _jvm: IgnoredAny,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Budget {
    dead_share: Option<Spanned<Share>>,
    dead_sure_share: Option<Spanned<Share>>,
    held: Option<Spanned<Bytes>>,
    external: Option<Spanned<Bytes>>,
    bytes_per_operation: Option<Spanned<Bytes>>,
    churned: Option<Spanned<Bytes>>,
    findings: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    rules: BTreeMap<String, Spanned<Bytes>>,
    #[serde(default)]
    records: Vec<RecordBudget>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordBudget {
    holder: String,
    bytes: Spanned<Bytes>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct BaselineTable {
    file: Option<PathBuf>,
    tolerance: Option<Share>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suppress {
    rule: String,
    holder: Option<String>,
    reason: String,
}

/// Figures of two runs of one program differ by up to about this.
const TOLERANCE: f64 = 0.02;

impl Config {
    /// Whether it asks for nothing: whatever is weighed would pass.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let limits = [
            self.dead_share.is_some(),
            self.dead_sure_share.is_some(),
            self.held.is_some(),
            self.external.is_some(),
            self.bytes_per_operation.is_some(),
            self.churned.is_some(),
            self.findings.is_some(),
            !self.rules.is_empty(),
            !self.records.is_empty(),
            self.baseline.is_some(),
        ];
        !limits.contains(&true)
    }

    /// Reads a configuration that names rules of the book.
    ///
    /// # Errors
    /// When it is no TOML, has keys that mean nothing, names rules that do not exist, or suppresses without a reason.
    pub fn parse(text: &str, book: &Rulebook) -> Result<Self, ConfigError> {
        let line = |at: usize| 1 + text.get(..at).map_or(0, |before| before.matches('\n').count());
        let wrong = |at: usize, problem: String| ConfigError {
            line: line(at),
            problem,
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            wrong(at, error.message().to_owned())
        })?;
        let of_bytes = |limit: Option<Spanned<Bytes>>| {
            limit.map(|limit| Limit {
                line: line(limit.span().start),
                most: limit.into_inner().0,
            })
        };
        let of_share = |limit: Option<Spanned<Share>>| {
            limit.map(|limit| Limit {
                line: line(limit.span().start),
                most: limit.into_inner().0,
            })
        };
        let known = |rule: &str| book.page(rule).is_some();
        let mut rules = BTreeMap::new();
        for (rule, limit) in file.budget.rules {
            if !known(&rule) {
                return Err(wrong(limit.span().start, no_rule(&rule)));
            }
            if let Some(limit) = of_bytes(Some(limit)) {
                rules.insert(rule.to_uppercase(), limit);
            }
        }
        let mut findings = None;
        if let Some(allowed) = file.budget.findings {
            let at = allowed.span().start;
            let allowed = allowed.into_inner();
            if let Some(rule) = allowed.iter().find(|rule| !known(rule)) {
                return Err(wrong(at, no_rule(rule)));
            }
            findings = Some(Limit {
                most: allowed.iter().map(|rule| rule.to_uppercase()).collect(),
                line: line(at),
            });
        }
        let mut suppressions = Vec::new();
        for suppress in file.suppress {
            let at = suppress.span().start;
            let Suppress { rule, holder, reason } = suppress.into_inner();
            if !known(&rule) {
                return Err(wrong(at, no_rule(&rule)));
            }
            if reason.trim().is_empty() {
                return Err(wrong(at, format!("the suppression of {rule} gives no reason")));
            }
            suppressions.push(Suppression {
                rule: rule.to_uppercase(),
                holder,
                reason,
                line: line(at),
            });
        }
        let records = file.budget.records.into_iter().filter_map(|records| {
            let bytes = of_bytes(Some(records.bytes))?;
            Some(Records {
                holder: records.holder,
                bytes,
            })
        });
        Ok(Self {
            dead_share: of_share(file.budget.dead_share),
            dead_sure_share: of_share(file.budget.dead_sure_share),
            held: of_bytes(file.budget.held),
            external: of_bytes(file.budget.external),
            bytes_per_operation: of_bytes(file.budget.bytes_per_operation),
            churned: of_bytes(file.budget.churned),
            findings,
            rules,
            records: records.collect(),
            baseline: file.baseline.file,
            tolerance: file.baseline.tolerance.map_or(TOLERANCE, |share| share.0),
            suppressions,
        })
    }
}

fn no_rule(rule: &str) -> String {
    format!("there is no rule {rule:?}; `deadweight rules` lists them")
}
