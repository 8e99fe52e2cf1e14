//! The hosts of each version of a service as populations.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::quoted;
use super::rows::Rows;
use super::welch::Population;
use crate::engine::Engine;
use crate::error::Result;
use crate::tables::Table;

/// A version of a service: of each host the mean of its weighings.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) name: String,
    /// When it was first seen, of all that is stored: two versions that are older than what is compared keep their order.
    pub(super) since: String,
    /// Bytes on the heap and outside.
    pub(super) bytes: Population,
    /// Dead weight.
    pub(super) dead: Population,
}

/// A finding in two versions: the saving of each host, 0 where it is not found.
#[derive(Clone, Debug)]
pub(super) struct FindingOf {
    pub(super) fingerprint: String,
    pub(super) rule: String,
    pub(super) of: String,
    pub(super) holder: String,
    pub(super) fix: String,
    pub(super) before: Found,
    pub(super) after: Found,
}

/// A finding in one version.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// Hosts that had it.
    pub(super) hosts: u64,
    pub(super) saves: Population,
}

/// Makes the tables `recent` and `found` of what is since that day.
pub(super) fn since(engine: &Engine, from: NaiveDate, service: Option<&str>) -> Result<()> {
    let wanted = |part: &crate::dataset::Part| {
        let is_of = service.is_none() || part.service.is_none() || part.service.as_deref() == service;
        part.last_day >= from && is_of
    };
    engine.register("recent", Table::Weighings, wanted)?;
    engine.register("found", Table::Findings, wanted)
}

/// The versions of each service, in the order in which they were first seen.
pub(super) async fn versions(
    engine: &Engine,
    from: NaiveDate,
    service: Option<&str>,
) -> Result<BTreeMap<String, Vec<Version>>> {
    let of = service
        .map(|service| format!("AND service = {}", quoted(service)))
        .unwrap_or_default();
    let rows = engine
        .sql(&format!(
            "SELECT v.service, v.version, v.hosts, f.since, v.bytes, v.bytes_variance, v.dead, v.dead_variance
             FROM (SELECT service, version, count(*) AS hosts, avg(bytes) AS bytes, var_samp(bytes) AS bytes_variance,
                          avg(dead) AS dead, var_samp(dead) AS dead_variance
                   FROM (SELECT service, version, host, avg(held + external) AS bytes, avg(dead + external_dead) AS dead
                         FROM recent WHERE day >= DATE '{from}' {of} GROUP BY service, version, host)
                   GROUP BY service, version) AS v
             JOIN (SELECT service, version, min(captured_at) AS since FROM weighings GROUP BY service, version) AS f
             ON v.service = f.service AND v.version = f.version
             ORDER BY v.service, f.since, v.version"
        ))
        .await?;
    let rows = Rows::new(rows);
    let (services, names, since) = (
        rows.texts("service")?,
        rows.texts("version")?,
        rows.texts("since")?,
    );
    let hosts = rows.numbers("hosts")?;
    let population = |mean: &[f64], variance: &[f64], at: usize| Population {
        hosts: hosts[at],
        mean: mean[at],
        variance: variance[at],
    };
    let (bytes, bytes_variance) = (rows.reals("bytes")?, rows.reals("bytes_variance")?);
    let (dead, dead_variance) = (rows.reals("dead")?, rows.reals("dead_variance")?);
    let mut versions = BTreeMap::<String, Vec<Version>>::new();
    for (at, service) in services.into_iter().enumerate() {
        versions.entry(service).or_default().push(Version {
            name: names[at].clone(),
            since: since[at].clone(),
            bytes: population(&bytes, &bytes_variance, at),
            dead: population(&dead, &dead_variance, at),
        });
    }
    Ok(versions)
}

/// All findings of two versions.
pub(super) async fn findings(
    engine: &Engine,
    from: NaiveDate,
    service: &str,
    before: &Version,
    after: &Version,
) -> Result<Vec<FindingOf>> {
    let these = format!(
        "day >= DATE '{from}' AND service = {} AND version IN ({}, {})",
        quoted(service),
        quoted(&before.name),
        quoted(&after.name)
    );
    let rows = engine
        .sql(&format!(
            "SELECT f.version, f.fingerprint, f.rule, f.of, min(f.holder) AS holder, min(f.fix) AS fix,
                    count(*) AS hosts, sum(f.saves / n.weighings) AS total, sum(power(f.saves / n.weighings, 2)) AS squares
             FROM (SELECT version, host, fingerprint, rule, of, min(holder) AS holder, min(fix) AS fix,
                          CAST(sum(saves) AS DOUBLE) AS saves
                   FROM found WHERE {these} AND of <> 'made' AND rule <> 'others'
                   GROUP BY version, host, fingerprint, rule, of) AS f
             JOIN (SELECT version, host, CAST(count(*) AS DOUBLE) AS weighings
                   FROM recent WHERE {these} GROUP BY version, host) AS n
             ON f.version = n.version AND f.host = n.host
             GROUP BY f.version, f.fingerprint, f.rule, f.of"
        ))
        .await?;
    let rows = Rows::new(rows);
    let column = |name: &str| rows.texts(name);
    let (rules, of, holders, fixes) = (column("rule")?, column("of")?, column("holder")?, column("fix")?);
    let (hosts, totals, squares) = (
        rows.numbers("hosts")?,
        rows.reals("total")?,
        rows.reals("squares")?,
    );
    let fingerprints = column("fingerprint")?;
    let mut findings = BTreeMap::<(String, String), FindingOf>::new();
    for (at, version) in column("version")?.into_iter().enumerate() {
        let is_before = version == before.name;
        let all = if is_before { before } else { after }.bytes.hosts;
        let nothing = |hosts| Found {
            hosts: 0,
            saves: Population {
                hosts,
                ..Population::default()
            },
        };
        let key = (fingerprints[at].clone(), of[at].clone());
        let finding = findings.entry(key).or_insert_with(|| FindingOf {
            fingerprint: fingerprints[at].clone(),
            rule: rules[at].clone(),
            of: of[at].clone(),
            holder: holders[at].clone(),
            fix: fixes[at].clone(),
            before: nothing(before.bytes.hosts),
            after: nothing(after.bytes.hosts),
        });
        let found = Found {
            hosts: hosts[at],
            saves: of_sums(all, totals[at], squares[at]),
        };
        *(if is_before {
            &mut finding.before
        } else {
            &mut finding.after
        }) = found;
    }
    Ok(findings.into_values().collect())
}

/// A population by the sum of its values and of their squares; the values that are not in the sums are 0.
fn of_sums(hosts: u64, total: f64, squares: f64) -> Population {
    let mean = total / hosts.max(1) as f64;
    let variance = (squares - hosts as f64 * mean * mean) / hosts.saturating_sub(1).max(1) as f64;
    Population {
        hosts,
        mean,
        variance: variance.max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_give_the_population_of_the_values() {
        let values = [3.0, 0.0, 5.0, 0.0];
        let of = of_sums(4, 8.0, 34.0);
        let as_known = Population::of(&values);
        assert!((of.variance - as_known.variance).abs() < 1e-9);
        assert_eq!((of.hosts, of.mean), (as_known.hosts, as_known.mean));
    }
}
