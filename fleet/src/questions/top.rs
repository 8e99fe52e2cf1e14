//! `top`: the dead weight of all services, and the findings that cost most over all.

use std::collections::HashMap;

use serde::Serialize;

use super::hosts::{LATEST, latest, recent_findings};
use super::rows::Rows;
use super::{Price, first_of, quoted};
use crate::engine::Engine;
use crate::error::Result;

/// What a fleet could do without, by the latest weighing of each host.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Top {
    /// Hosts count that were weighed since this day.
    pub since: String,
    /// The last day with a weighing.
    pub until: String,
    /// The price, when one is given.
    pub price: Option<Price>,
    /// Most dead weight first.
    pub services: Vec<ServiceRow>,
    /// Largest saving over all hosts first.
    pub findings: Vec<TopFinding>,
}

/// A service.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct ServiceRow {
    /// Its name.
    pub service: String,
    /// Hosts.
    pub hosts: u64,
    /// Bytes on the heap and outside, of all hosts together.
    pub bytes: u64,
    /// Of them dead weight.
    pub dead: u64,
    /// Of it what follows from the data alone; of weighings that say it.
    pub dead_sure: u64,
    /// What the dead weight costs a month; null without a price.
    pub a_month: Option<f64>,
}

/// A finding over all hosts that have it.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct TopFinding {
    /// Its name in every weighing.
    pub fingerprint: String,
    /// The rule.
    pub rule: String,
    /// The place.
    pub holder: String,
    /// What its bytes are a part of: `held` or `external`.
    pub of: String,
    /// Services that have it.
    pub services: u64,
    /// One of them.
    pub service: String,
    /// Hosts that have it.
    pub hosts: u64,
    /// Bytes that its fix saves on all of them together.
    pub saves: u64,
    /// What that costs a month; null without a price.
    pub a_month: Option<f64>,
    /// What to do, as one of the hosts has it.
    pub fix: String,
    /// The version that it was first seen in, of all that is stored of the service.
    pub since_version: String,
    /// When it was first seen.
    pub since: String,
}

/// Asks it.
///
/// # Errors
/// When the dataset cannot be read.
pub async fn top(
    engine: &Engine,
    days: u64,
    limit: usize,
    service: Option<&str>,
    price: Option<Price>,
) -> Result<Top> {
    latest(engine, days, service).await?;
    recent_findings(engine, days)?;
    Ok(Top {
        since: first_of(engine, days).to_string(),
        until: engine.last_day().to_string(),
        price,
        services: services(engine, price).await?,
        findings: findings(engine, days, limit, service, price).await?,
    })
}

async fn services(engine: &Engine, price: Option<Price>) -> Result<Vec<ServiceRow>> {
    let rows = engine
        .sql(&format!(
            "SELECT service, count(*) AS hosts, sum(bytes) AS bytes, sum(dead) AS dead,
                    coalesce(sum(dead_sure), 0) AS dead_sure
             FROM {LATEST} GROUP BY service ORDER BY dead DESC, service"
        ))
        .await?;
    let rows = Rows::new(rows);
    let (hosts, bytes) = (rows.numbers("hosts")?, rows.numbers("bytes")?);
    let (dead, dead_sure) = (rows.numbers("dead")?, rows.numbers("dead_sure")?);
    let names = rows.texts("service")?.into_iter().enumerate();
    Ok(names
        .map(|(at, service)| ServiceRow {
            service,
            hosts: hosts[at],
            bytes: bytes[at],
            dead: dead[at],
            dead_sure: dead_sure[at],
            a_month: price.map(|price| price.a_month(dead[at] as f64)),
        })
        .collect())
}

async fn findings(
    engine: &Engine,
    days: u64,
    limit: usize,
    service: Option<&str>,
    price: Option<Price>,
) -> Result<Vec<TopFinding>> {
    let from = first_of(engine, days);
    // The row of those that are too small to list is no finding that anybody could mend.
    let rows = engine
        .sql(&format!(
            "SELECT f.fingerprint, f.rule, f.of, min(f.holder) AS holder, min(f.service) AS service,
                    count(DISTINCT f.service) AS services, count(*) AS hosts, sum(f.saves) AS saves, min(f.fix) AS fix
             FROM (SELECT id, fingerprint, rule, of, holder, service, saves, fix FROM found
                   WHERE day >= DATE '{from}' AND of <> 'made' AND rule <> 'others') AS f
             JOIN (SELECT id FROM {LATEST}) AS l ON f.id = l.id
             GROUP BY f.fingerprint, f.rule, f.of
             ORDER BY saves DESC, f.fingerprint LIMIT {limit}"
        ))
        .await?;
    let rows = Rows::new(rows);
    let column = |name: &str| rows.texts(name);
    let (rules, holders, of) = (column("rule")?, column("holder")?, column("of")?);
    let (of_service, fixes) = (column("service")?, column("fix")?);
    let (services, hosts, saves) = (
        rows.numbers("services")?,
        rows.numbers("hosts")?,
        rows.numbers("saves")?,
    );
    let fingerprints = column("fingerprint")?;
    let mut first = first_seen(engine, &fingerprints, service).await?;
    let found = fingerprints.into_iter().enumerate();
    Ok(found
        .map(|(at, fingerprint)| {
            let (since_version, since) = first.remove(&fingerprint).unwrap_or_default();
            TopFinding {
                fingerprint,
                rule: rules[at].clone(),
                holder: holders[at].clone(),
                of: of[at].clone(),
                services: services[at],
                service: of_service[at].clone(),
                hosts: hosts[at],
                saves: saves[at],
                a_month: price.map(|price| price.a_month(saves[at] as f64)),
                fix: fixes[at].clone(),
                since_version,
                since,
            }
        })
        .collect())
}

/// The version and the time at which each was first seen.
pub(super) async fn first_seen(
    engine: &Engine,
    fingerprints: &[String],
    service: Option<&str>,
) -> Result<HashMap<String, (String, String)>> {
    if fingerprints.is_empty() {
        return Ok(HashMap::new());
    }
    let list: Vec<String> = fingerprints
        .iter()
        .map(|fingerprint| quoted(fingerprint))
        .collect();
    let list = list.join(", ");
    let of = service
        .map(|service| format!("AND service = {}", quoted(service)))
        .unwrap_or_default();
    let rows = engine
        .sql(&format!(
            "SELECT fingerprint, min(captured_at) AS since, first_value(version ORDER BY captured_at, id) AS version
             FROM findings WHERE fingerprint IN ({list}) {of} GROUP BY fingerprint"
        ))
        .await?;
    let rows = Rows::new(rows);
    let (since, versions) = (rows.texts("since")?, rows.texts("version")?);
    let each = rows
        .texts("fingerprint")?
        .into_iter()
        .zip(versions.into_iter().zip(since));
    Ok(each.collect())
}
