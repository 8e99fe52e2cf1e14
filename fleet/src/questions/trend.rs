//! `trend`: dead weight by day.

use serde::Serialize;

use super::rows::Rows;
use super::{Price, first_of, quoted};
use crate::engine::Engine;
use crate::error::Result;
use crate::tables::Table;

/// Dead weight by day.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Trend {
    /// The service; null for all of them.
    pub service: Option<String>,
    /// The price, when one is given.
    pub price: Option<Price>,
    /// The days on which something was weighed, in their order.
    pub days: Vec<Day>,
}

/// A day. Of each host that was weighed on it the mean of its weighings counts, so that hosts that are weighed more often
/// count no more than others.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Day {
    /// The day, in UTC.
    pub day: String,
    /// Hosts that were weighed.
    pub hosts: u64,
    /// Weighings.
    pub weighings: u64,
    /// Bytes on the heap and outside, of these hosts together.
    pub bytes: f64,
    /// Of them dead weight.
    pub dead: f64,
    /// Dead weight of one host, on average.
    pub dead_a_host: f64,
    /// What the dead weight would cost a month; null without a price.
    pub a_month: Option<f64>,
}

/// Asks it.
///
/// # Errors
/// When the dataset cannot be read.
pub async fn trend(engine: &Engine, days: u64, service: Option<&str>, price: Option<Price>) -> Result<Trend> {
    let from = first_of(engine, days);
    engine.register("recent", Table::Weighings, |part| {
        part.last_day >= from
            && (service.is_none() || part.service.is_none() || part.service.as_deref() == service)
    })?;
    let of = service
        .map(|service| format!("AND service = {}", quoted(service)))
        .unwrap_or_default();
    let rows = engine
        .sql(&format!(
            "SELECT CAST(day AS VARCHAR) AS day, count(*) AS hosts, sum(weighings) AS weighings, sum(bytes) AS bytes,
                    sum(dead) AS dead
             FROM (SELECT day, service, host, count(*) AS weighings, avg(held + external) AS bytes,
                          avg(dead + external_dead) AS dead
                   FROM recent WHERE day >= DATE '{from}' {of} GROUP BY day, service, host)
             GROUP BY day ORDER BY day"
        ))
        .await?;
    let rows = Rows::new(rows);
    let (hosts, weighings) = (rows.numbers("hosts")?, rows.numbers("weighings")?);
    let (bytes, dead) = (rows.reals("bytes")?, rows.reals("dead")?);
    let days = rows.texts("day")?.into_iter().enumerate();
    let days = days.map(|(at, day)| Day {
        day,
        hosts: hosts[at],
        weighings: weighings[at],
        bytes: bytes[at],
        dead: dead[at],
        dead_a_host: dead[at] / hosts[at].max(1) as f64,
        a_month: price.map(|price| price.a_month(dead[at])),
    });
    Ok(Trend {
        service: service.map(str::to_owned),
        price,
        days: days.collect(),
    })
}
