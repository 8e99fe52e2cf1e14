//! `who`: which hosts have a finding, and which lack it.

use serde::Serialize;

use super::hosts::{LATEST, latest, recent_findings};
use super::quoted;
use super::rows::Rows;
use super::top::first_seen;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// The hosts of the services that ever had a finding, by the latest weighing of each.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Who {
    /// Its name in every weighing.
    pub fingerprint: String,
    /// The rule.
    pub rule: String,
    /// The place.
    pub holder: String,
    /// What to do.
    pub fix: String,
    /// The version that it was first seen in.
    pub since_version: String,
    /// When it was first seen.
    pub since: String,
    /// By service and version, in the order in which the versions were captured.
    pub versions: Vec<Having>,
    /// Hosts that have it and so lack the fix, largest saving first.
    pub hosts: Vec<Host>,
}

/// A version of a service.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Having {
    /// The service.
    pub service: String,
    /// The version.
    pub version: String,
    /// Hosts that run it.
    pub hosts: u64,
    /// Of these, hosts that have the finding.
    pub having: u64,
}

/// A host that has the finding.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Host {
    /// The service.
    pub service: String,
    /// The version.
    pub version: String,
    /// The host.
    pub host: String,
    /// When it was weighed.
    pub captured_at: String,
    /// Bytes that the fix saves there.
    pub saves: u64,
    /// The weighing.
    pub id: String,
}

/// Asks it of a fingerprint, or of how one begins.
///
/// # Errors
/// When the dataset cannot be read, or not one finding has a fingerprint that begins so.
pub async fn who(engine: &Engine, days: u64, prefix: &str) -> Result<Who> {
    let prefix: String = prefix.chars().filter(char::is_ascii_alphanumeric).collect();
    let rows = engine
        .sql(&format!(
            "SELECT fingerprint, min(rule) AS rule, min(holder) AS holder, min(fix) AS fix
             FROM findings WHERE starts_with(fingerprint, {}) GROUP BY fingerprint ORDER BY fingerprint LIMIT 6",
            quoted(&prefix)
        ))
        .await?;
    let rows = Rows::new(rows);
    let fingerprints = rows.texts("fingerprint")?;
    let [fingerprint] = &fingerprints[..] else {
        return Err(Error::Question(if fingerprints.is_empty() {
            format!("no finding has a fingerprint that begins with {prefix:?}")
        } else {
            format!(
                "several findings begin with {prefix:?}: {} …",
                fingerprints.join(", ")
            )
        }));
    };
    let (rule, holder, fix) = (rows.texts("rule")?, rows.texts("holder")?, rows.texts("fix")?);
    latest(engine, days, None).await?;
    recent_findings(engine, days)?;
    let is_it = format!("fingerprint = {}", quoted(fingerprint));
    let rows = engine
        .sql(&format!(
            "SELECT l.service, l.version, l.host, l.captured_at, l.id, coalesce(f.saves, 0) AS saves,
                    CASE WHEN f.id IS NULL THEN 0 ELSE 1 END AS having
             FROM {LATEST} AS l
             LEFT JOIN (SELECT id, max(saves) AS saves FROM found WHERE {is_it} GROUP BY id) AS f ON f.id = l.id
             WHERE l.service IN (SELECT service FROM findings WHERE {is_it})
             ORDER BY saves DESC, l.service, l.host"
        ))
        .await?;
    let rows = Rows::new(rows);
    let column = |name: &str| rows.texts(name);
    let (services, versions, hosts) = (column("service")?, column("version")?, column("host")?);
    let (captured, ids) = (column("captured_at")?, column("id")?);
    let (saves, having) = (rows.numbers("saves")?, rows.numbers("having")?);
    let mut by_version: Vec<Having> = Vec::new();
    let mut order: Vec<usize> = (0..services.len()).collect();
    order.sort_by(|one, other| {
        (&services[*one], &captured[*one]).cmp(&(&services[*other], &captured[*other]))
    });
    for at in order {
        let is_one = |of: &&mut Having| of.service == services[at] && of.version == versions[at];
        if let Some(of) = by_version.iter_mut().find(is_one) {
            of.hosts += 1;
            of.having += having[at];
        } else {
            by_version.push(Having {
                service: services[at].clone(),
                version: versions[at].clone(),
                hosts: 1,
                having: having[at],
            });
        }
    }
    let with = (0..services.len()).filter(|&at| having[at] > 0);
    let hosts = with.map(|at| Host {
        service: services[at].clone(),
        version: versions[at].clone(),
        host: hosts[at].clone(),
        captured_at: captured[at].clone(),
        saves: saves[at],
        id: ids[at].clone(),
    });
    let hosts = hosts.collect();
    let first = first_seen(engine, std::slice::from_ref(fingerprint), None).await?;
    let (since_version, since) = first.into_values().next().unwrap_or_default();
    Ok(Who {
        fingerprint: fingerprint.clone(),
        rule: rule.concat(),
        holder: holder.concat(),
        fix: fix.concat(),
        since_version,
        since,
        versions: by_version,
        hosts,
    })
}
