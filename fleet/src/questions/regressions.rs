//! `regressions`: services whose dead weight grew with their latest version.

use serde::Serialize;

use super::first_of;
use super::versions::{Version, findings, since, versions};
use super::welch::{Interval, difference};
use crate::engine::Engine;
use crate::error::Result;

/// How many new findings of a regression are named.
const NAMED: usize = 3;

/// What became of the dead weight of each service with its latest version.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Regressions {
    /// Weighings since this day were compared.
    pub since: String,
    /// How probable it is that no interval is wrong.
    pub confidence: f64,
    /// Services that were compared.
    pub compared: u64,
    /// Services that could not be: they have no two versions of two hosts or more.
    pub not_compared: Vec<String>,
    /// Those whose dead weight a host is more than before, most first.
    pub worse: Vec<Regression>,
    /// Those whose dead weight a host is less than before, most first.
    pub better: Vec<Regression>,
}

/// A service in two versions.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Regression {
    /// Its name.
    pub service: String,
    /// The version before.
    pub before: String,
    /// The latest version.
    pub after: String,
    /// When it was first seen.
    pub since: String,
    /// Hosts of the version before.
    pub hosts_before: u64,
    /// Hosts of the latest version.
    pub hosts_after: u64,
    /// Dead weight of a host before, in bytes.
    pub dead_before: f64,
    /// Dead weight of a host after, in bytes.
    pub dead_after: f64,
    /// What it grew by.
    pub grew: Interval,
    /// The largest findings that no host of the version before had.
    pub new: Vec<NewFinding>,
}

/// A finding that came with a version.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct NewFinding {
    /// Its name in every weighing.
    pub fingerprint: String,
    /// The rule.
    pub rule: String,
    /// The place.
    pub holder: String,
    /// Hosts that have it.
    pub hosts: u64,
    /// Bytes that its fix saves a host of the version.
    pub saves: f64,
    /// What to do.
    pub fix: String,
}

/// Asks it. Each service's interval is wider than `confidence` asks for, so that all of them together hold with it
/// (Bonferroni).
///
/// # Errors
/// When the dataset cannot be read.
pub async fn regressions(
    engine: &Engine,
    days: u64,
    service: Option<&str>,
    confidence: f64,
) -> Result<Regressions> {
    let from = first_of(engine, days);
    since(engine, from, service)?;
    let mut pairs: Vec<(String, Version, Version)> = Vec::new();
    let mut not_compared = Vec::new();
    for (service, mut versions) in versions(engine, from, service).await? {
        versions.retain(|version| version.dead.hosts >= 2);
        match (versions.pop(), versions.pop()) {
            (Some(after), Some(before)) => pairs.push((service, before, after)),
            _ => not_compared.push(service),
        }
    }
    let each = 1.0 - (1.0 - confidence) / pairs.len().max(1) as f64;
    let mut answer = Regressions {
        since: from.to_string(),
        confidence,
        compared: pairs.len() as u64,
        not_compared,
        worse: Vec::new(),
        better: Vec::new(),
    };
    for (service, before, after) in pairs {
        let Some(grew) = difference(after.dead, before.dead, each) else {
            continue;
        };
        if grew.low <= 0.0 && grew.high >= 0.0 {
            continue;
        }
        let is_worse = grew.low > 0.0;
        let new = if is_worse {
            new(engine, from, &service, &before, &after).await?
        } else {
            Vec::new()
        };
        let to = if is_worse {
            &mut answer.worse
        } else {
            &mut answer.better
        };
        to.push(Regression {
            service,
            before: before.name,
            after: after.name,
            since: after.since,
            hosts_before: before.dead.hosts,
            hosts_after: after.dead.hosts,
            dead_before: before.dead.mean,
            dead_after: after.dead.mean,
            grew,
            new,
        });
    }
    let by_size =
        |one: &Regression, other: &Regression| other.grew.measured.abs().total_cmp(&one.grew.measured.abs());
    answer.worse.sort_by(by_size);
    answer.better.sort_by(by_size);
    Ok(answer)
}

async fn new(
    engine: &Engine,
    from: chrono::NaiveDate,
    service: &str,
    before: &Version,
    after: &Version,
) -> Result<Vec<NewFinding>> {
    let mut found = findings(engine, from, service, before, after).await?;
    found.retain(|finding| finding.before.hosts == 0);
    found.sort_by(|one, other| other.after.saves.mean.total_cmp(&one.after.saves.mean));
    let named = found.into_iter().take(NAMED);
    Ok(named
        .map(|finding| NewFinding {
            fingerprint: finding.fingerprint,
            rule: finding.rule,
            holder: finding.holder,
            hosts: finding.after.hosts,
            saves: finding.after.saves.mean,
            fix: finding.fix,
        })
        .collect())
}
