//! `rollout`: what was promised of a version, and what came.

use serde::Serialize;

use super::first_of;
use super::versions::{FindingOf, Version, findings, since, versions};
use super::welch::{Interval, difference};
use crate::engine::Engine;
use crate::error::{Error, Result};

/// Two versions of a service as two populations of hosts.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Rollout {
    /// The service.
    pub service: String,
    /// The version before.
    pub before: String,
    /// The version after.
    pub after: String,
    /// Hosts of the version before.
    pub hosts_before: u64,
    /// Hosts of the version after.
    pub hosts_after: u64,
    /// Bytes of a host before, on the heap and outside.
    pub bytes_before: f64,
    /// Bytes of a host after.
    pub bytes_after: f64,
    /// What the findings that are gone promised a host: what their fixes were to save.
    pub promised: f64,
    /// How much less a host holds. A fix is proved by its bytes, and not by its finding being gone.
    pub came: Interval,
    /// How much less of it is dead weight.
    pub dead: Interval,
    /// What follows.
    pub verdict: Verdict,
    /// Every finding of either version, the largest of the version before first.
    pub findings: Vec<Promised>,
}

/// Whether what came is what was promised.
#[derive(Clone, Copy, Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The promise lies within the interval of what came.
    Kept,
    /// Less came than was promised: something else may have grown.
    Less,
    /// More came than was promised.
    More,
    /// No finding is gone, so nothing was promised.
    NothingPromised,
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// No host of the version after has it.
    Gone,
    /// Hosts of both versions have it.
    Open,
    /// No host of the version before had it.
    New,
}

/// A finding in both versions.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Promised {
    /// Its name in every weighing.
    pub fingerprint: String,
    /// The rule.
    pub rule: String,
    /// What its bytes are a part of: `held` or `external`.
    pub of: String,
    /// The place.
    pub holder: String,
    /// What became of it.
    pub fate: Fate,
    /// Bytes that its fix was to save a host of the version before.
    pub before: f64,
    /// Bytes that its fix would save a host of the version after.
    pub after: f64,
    /// Hosts of the version before that had it.
    pub hosts_before: u64,
    /// Hosts of the version after that have it.
    pub hosts_after: u64,
}

/// Asks it of two versions, or of the last two.
///
/// # Errors
/// When the dataset cannot be read, or the versions have no two hosts each.
pub async fn rollout(
    engine: &Engine,
    days: u64,
    service: &str,
    between: Option<(&str, &str)>,
    confidence: f64,
) -> Result<Rollout> {
    let from = first_of(engine, days);
    since(engine, from, Some(service))?;
    let all = versions(engine, from, Some(service))
        .await?
        .remove(service)
        .unwrap_or_default();
    let (before, after) = chosen(service, all, between)?;
    let few = || {
        Error::Question(format!(
            "{service} has {} hosts in version {} and {} in version {}: both need two or more",
            before.bytes.hosts, before.name, after.bytes.hosts, after.name
        ))
    };
    let came = difference(before.bytes, after.bytes, confidence).ok_or_else(few)?;
    let dead = difference(before.dead, after.dead, confidence).ok_or_else(few)?;
    let mut findings: Vec<Promised> = findings(engine, from, service, &before, &after)
        .await?
        .into_iter()
        .map(promised)
        .collect();
    findings.sort_by(|one, other| {
        let largest = other
            .before
            .max(other.after)
            .total_cmp(&one.before.max(one.after));
        largest.then_with(|| one.fingerprint.cmp(&other.fingerprint))
    });
    let gone = findings.iter().filter(|finding| finding.fate == Fate::Gone);
    let promised: f64 = gone.clone().map(|finding| finding.before).sum();
    let verdict = if gone.count() == 0 {
        Verdict::NothingPromised
    } else if promised > came.high {
        Verdict::Less
    } else if promised < came.low {
        Verdict::More
    } else {
        Verdict::Kept
    };
    Ok(Rollout {
        service: service.to_owned(),
        hosts_before: before.bytes.hosts,
        hosts_after: after.bytes.hosts,
        bytes_before: before.bytes.mean,
        bytes_after: after.bytes.mean,
        before: before.name,
        after: after.name,
        promised,
        came,
        dead,
        verdict,
        findings,
    })
}

fn chosen(service: &str, mut all: Vec<Version>, between: Option<(&str, &str)>) -> Result<(Version, Version)> {
    let names: Vec<String> = all.iter().map(|version| version.name.clone()).collect();
    let Some((before, after)) = between else {
        all.retain(|version| version.bytes.hosts >= 2);
        return match (all.pop(), all.pop()) {
            (Some(after), Some(before)) => Ok((before, after)),
            _ => Err(Error::Question(format!(
                "{service} has no two versions of two hosts or more; it has: {}",
                names.join(", ")
            ))),
        };
    };
    let mut find = |name: &str| {
        let at = all.iter().position(|version| version.name == name);
        at.map(|at| all.swap_remove(at)).ok_or_else(|| {
            Error::Question(format!(
                "{service} has no version {name}; it has: {}",
                names.join(", ")
            ))
        })
    };
    Ok((find(before)?, find(after)?))
}

fn promised(of: FindingOf) -> Promised {
    let fate = match (of.before.hosts, of.after.hosts) {
        (0, _) => Fate::New,
        (_, 0) => Fate::Gone,
        _ => Fate::Open,
    };
    Promised {
        fingerprint: of.fingerprint,
        rule: of.rule,
        of: of.of,
        holder: of.holder,
        fate,
        before: of.before.saves.mean,
        after: of.after.saves.mean,
        hosts_before: of.before.hosts,
        hosts_after: of.after.hosts,
    }
}
