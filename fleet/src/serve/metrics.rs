//! `GET /metrics`: the fleet as `OpenMetrics`.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use super::Server;
use super::answers::failed;
use crate::error::Error;
use crate::questions::{Top, top};

/// Findings that have a figure of their own.
const FINDINGS: usize = 20;

/// Hosts that were not weighed for longer are not counted.
const DAYS: u64 = 7;

pub(super) async fn metrics(State(server): State<Arc<Server>>) -> Response {
    let top = match server.answers.engine().await {
        Ok(engine) => top(&engine, DAYS, FINDINGS, None, None).await.map(Some),
        Err(Error::Empty(_)) => Ok(None),
        Err(error) => Err(error),
    };
    let top = match top {
        Ok(top) => top,
        Err(error) => return failed(&error),
    };
    let mut text = String::new();
    if let Some(top) = &top {
        fleet(&mut text, top);
    }
    let counts = &server.counts;
    family(
        &mut text,
        "deadweight_posts",
        "counter",
        "Weighings that were posted since the start, by what became of them.",
    );
    for (result, count) in [
        ("new", &counts.new),
        ("known", &counts.known),
        ("refused", &counts.refused),
        ("failed", &counts.failed),
    ] {
        sample(
            &mut text,
            "deadweight_posts_total",
            &[("result", result)],
            count.load(Ordering::Relaxed),
        );
    }
    text.push_str("# EOF\n");
    let of = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, of)], text).into_response()
}

fn fleet(text: &mut String, top: &Top) {
    let about = [
        ("deadweight_hosts", "Hosts that were weighed within a week."),
        (
            "deadweight_held_bytes",
            "Bytes on the heap and outside, of the latest weighing of each host.",
        ),
        ("deadweight_dead_bytes", "Dead weight of them."),
        (
            "deadweight_dead_sure_bytes",
            "Dead weight that follows from the data alone.",
        ),
    ];
    for (name, help) in about {
        family(text, name, "gauge", help);
        for row in &top.services {
            let value = match name {
                "deadweight_hosts" => row.hosts,
                "deadweight_held_bytes" => row.bytes,
                "deadweight_dead_bytes" => row.dead,
                _ => row.dead_sure,
            };
            sample(text, name, &[("service", &row.service)], value);
        }
    }
    let name = "deadweight_finding_saves_bytes";
    family(
        text,
        name,
        "gauge",
        "What the fix of a finding saves on all hosts that have it, of the largest findings.",
    );
    for finding in &top.findings {
        let labels = [
            ("fingerprint", finding.fingerprint.as_str()),
            ("rule", &finding.rule),
            ("place", &finding.holder),
            ("service", &finding.service),
            ("of", &finding.of),
        ];
        sample(text, name, &labels, finding.saves);
    }
}

fn family(text: &mut String, name: &str, of: &str, help: &str) {
    let unit = if name.ends_with("_bytes") {
        format!("# UNIT {name} bytes\n")
    } else {
        String::new()
    };
    let _ = write!(text, "# TYPE {name} {of}\n{unit}# HELP {name} {help}\n");
}

fn sample(text: &mut String, name: &str, labels: &[(&str, &str)], value: u64) {
    let labels: Vec<String> = labels
        .iter()
        .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
        .collect();
    let _ = writeln!(text, "{name}{{{}}} {value}", labels.join(","));
}

/// A value of a label as the format wants it: texts of a program cannot end it.
fn escaped(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\r', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_label() {
        let mut text = String::new();
        sample(&mut text, "a", &[("place", "x\"} 1\nb{c=\"\\")], 7);
        assert_eq!(text, "a{place=\"x\\\"} 1\\nb{c=\\\"\\\\\"} 7\n");
    }
}
