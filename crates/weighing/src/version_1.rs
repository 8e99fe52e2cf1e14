//! Weighings of version 1, which stay readable.
//!
//! The types that version 2 changed stand here as they were, so that errors name the byte in the file as it is. Version
//! 1 does not say what a saving rests on: every finding counts as likely, and none of the dead weight as sure.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    Allocated, ChurnSite, Confidence, Freed, Holdings, NotMeasured, Process, Rewritten, RuntimeInfo, Sampled,
    Shared, Source, Step, Tier,
};

/// The name of the version.
pub(crate) const SCHEMA: &str = "deadweight/weighing/1";

/// What every finding assumes of which it is not said what it rests on.
const UNSAID: &str = "what a weighing of version 1 does not say";

/// Reads a weighing of version 1 as one of today.
pub(crate) fn read(bytes: &[u8]) -> serde_json::Result<crate::Weighing> {
    serde_json::from_slice::<Weighing>(bytes).map(Into::into)
}

#[derive(Deserialize)]
struct Weighing {
    source: Source,
    runtime: RuntimeInfo,
    process: Option<Process>,
    held: Held,
    external: External,
    findings: Vec<Finding>,
    options: Vec<Finding>,
    not_measured: Vec<NotMeasured>,
    churned: Option<Churned>,
    holdings: Option<Holdings>,
    partial: Option<String>,
}

#[derive(Deserialize)]
struct Held {
    bytes: u64,
    content: u64,
    runtime: u64,
    dead: u64,
    objects: u64,
}

#[derive(Deserialize)]
struct External {
    bytes: u64,
    dead: u64,
}

#[derive(Deserialize)]
struct Finding {
    rule: String,
    holder: String,
    site: Option<String>,
    count: u64,
    good: u64,
    bytes_now: u64,
    bytes_after: u64,
    saves: u64,
    saves_alone: u64,
    external: bool,
    confidence: Confidence,
    assumes: Option<String>,
    fingerprint: String,
    title: String,
    fix: String,
    evidence: Map<String, Value>,
    #[serde(default)]
    frees: Vec<Freed>,
    #[serde(default)]
    shared: Vec<Shared>,
    #[serde(default)]
    path: Vec<Step>,
}

#[derive(Deserialize)]
struct Churned {
    bytes: u64,
    objects: Option<u64>,
    kept_bytes: Option<u64>,
    operations: u64,
    #[serde(default)]
    dead: u64,
    sampled: Option<Sampled>,
    findings: Vec<Finding>,
    #[serde(default)]
    options: Vec<Finding>,
    #[serde(default)]
    sites: Vec<ChurnSite>,
    #[serde(default)]
    rewrites: Vec<Rewritten>,
    made: Option<Allocated>,
}

impl From<Weighing> for crate::Weighing {
    fn from(old: Weighing) -> Self {
        Self {
            schema: crate::SCHEMA.to_owned(),
            source: old.source,
            runtime: old.runtime,
            process: old.process,
            held: crate::Held {
                bytes: old.held.bytes,
                content: old.held.content,
                runtime: old.held.runtime,
                dead: old.held.dead,
                dead_sure: None,
                objects: old.held.objects,
            },
            external: crate::External {
                bytes: old.external.bytes,
                dead: old.external.dead,
                dead_sure: None,
            },
            findings: all(old.findings),
            groups: Vec::new(),
            options: all(old.options),
            not_measured: old.not_measured,
            churned: old.churned.map(Into::into),
            holdings: old.holdings,
            partial: old.partial,
            estimated: None,
            unseen: None,
            garbage: None,
            curve: None,
            again: None,
        }
    }
}

impl From<Finding> for crate::Finding {
    fn from(old: Finding) -> Self {
        Self {
            rule: old.rule,
            holder: old.holder,
            site: old.site,
            count: old.count,
            unaffected: old.good,
            bytes_now: old.bytes_now,
            bytes_after: old.bytes_after,
            saves: old.saves,
            saves_alone: old.saves_alone,
            external: old.external,
            confidence: old.confidence,
            tier: Tier::Likely,
            assumes: Some(match old.assumes {
                Some(assumes) => format!("{assumes}; {UNSAID}"),
                None => UNSAID.to_owned(),
            }),
            fingerprint: old.fingerprint,
            title: old.title,
            fix: old.fix,
            evidence: old.evidence,
            frees: old.frees,
            shared: old.shared,
            path: old.path,
            line: None,
        }
    }
}

impl From<Churned> for crate::Churned {
    fn from(old: Churned) -> Self {
        Self {
            bytes: old.bytes,
            objects: old.objects,
            kept_bytes: old.kept_bytes,
            operations: old.operations,
            dead: old.dead,
            sampled: old.sampled,
            findings: all(old.findings),
            options: all(old.options),
            sites: old.sites,
            rewrites: old.rewrites,
            allocated: old.made,
        }
    }
}

fn all(findings: Vec<Finding>) -> Vec<crate::Finding> {
    findings.into_iter().map(Into::into).collect()
}
