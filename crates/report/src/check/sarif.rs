//! SARIF 2.1.0 for code scanning.

use std::collections::BTreeMap;

use deadweight_compare::check::{Broken, Check, help, location_of};
use deadweight_weighing::Rulebook;
use serde_json::Value;
use serde_sarif::sarif::{
    ArtifactLocation, Location, Message, MultiformatMessageString, PhysicalLocation, PropertyBag, Region,
    ReportingDescriptor, Result as Found, ResultLevel, Run, SCHEMA_URL, Sarif, Tool, ToolComponent, Version,
};

use super::Names;
use super::lines::{sentence, stale_sentence, unseen_sentence};

/// The rule of a suppression that accepts nothing any more.
const STALE: &str = "suppress";

/// The rule of memory that a dump does not show.
const UNSEEN: &str = "unseen";

pub(super) fn log(check: &Check, names: Names<'_>, book: &Rulebook) -> Sarif {
    let mut rules: BTreeMap<String, ReportingDescriptor> = BTreeMap::new();
    let mut results = Vec::new();
    for unseen in &check.unseen {
        rules
            .entry(UNSEEN.to_owned())
            .or_insert_with(|| descriptor(UNSEEN, book));
        let result = Found::builder()
            .rule_id(UNSEEN)
            .level(ResultLevel::Warning)
            .message(message(&unseen_sentence(unseen)))
            .locations(vec![at(names.config, 1)]);
        results.push(result.build());
    }
    for broken in &check.broken {
        let rule = rule(broken);
        rules
            .entry(rule.clone())
            .or_insert_with(|| descriptor(&rule, book));
        let site = broken.finding.as_ref().and_then(location_of);
        let place = match (site, broken.line) {
            (Some(site), _) => at(&site.file, site.line),
            (None, Some(line)) => at(names.config, line as u64),
            (None, None) => at(names.baseline, 1),
        };
        let result = Found::builder()
            .rule_id(rule)
            .level(ResultLevel::Error)
            .message(message(&sentence(broken)))
            .locations(vec![place]);
        results.push(match &broken.finding {
            // Code scanning knows a finding again by this, wherever its line has moved.
            Some(finding) => {
                let print = BTreeMap::from([("deadweight/v1".to_owned(), finding.fingerprint.clone())]);
                let tier = Value::from(finding.tier.name());
                let properties = PropertyBag::builder()
                    .additional_properties(BTreeMap::from([("tier".to_owned(), tier)]))
                    .build();
                result.partial_fingerprints(print).properties(properties).build()
            }
            None => result.build(),
        });
    }
    for stale in &check.stale {
        rules
            .entry(STALE.to_owned())
            .or_insert_with(|| descriptor(STALE, book));
        let result = Found::builder()
            .rule_id(STALE)
            .level(ResultLevel::Warning)
            .message(message(&stale_sentence(stale)))
            .locations(vec![at(names.config, stale.line as u64)]);
        results.push(result.build());
    }
    let driver = ToolComponent::builder()
        .name("deadweight")
        .version(env!("CARGO_PKG_VERSION"))
        .information_uri(env!("CARGO_PKG_REPOSITORY"))
        .rules(rules.into_values().collect::<Vec<_>>())
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .results(results)
        .build();
    Sarif::builder()
        .version(Version::V2_1_0.to_string())
        .schema(SCHEMA_URL)
        .runs(vec![run])
        .build()
}

/// The rule of the finding to mend, else the budget.
fn rule(broken: &Broken) -> String {
    match &broken.finding {
        Some(finding) => finding.rule.clone(),
        None => broken.key.clone(),
    }
}

fn descriptor(rule: &str, book: &Rulebook) -> ReportingDescriptor {
    let (title, text) = match (book.page(rule), help(rule)) {
        _ if rule == UNSEEN => (
            "memory that a dump does not show".to_owned(),
            "Most of the process's memory is not in the dump, so no budget covers it.".to_owned(),
        ),
        (Some(page), _) => (page.title.clone(), page.markdown.clone()),
        (None, Some(help)) => (help.title.to_owned(), help.text.to_owned()),
        (None, None) => (rule.to_owned(), String::new()),
    };
    let described = |text: &str| {
        MultiformatMessageString::builder()
            .text(text)
            .markdown(text)
            .build()
    };
    ReportingDescriptor::builder()
        .id(rule)
        .short_description(described(&title))
        .help(described(if text.is_empty() { &title } else { &text }))
        .build()
}

fn message(text: &str) -> Message {
    Message::builder().text(text).build()
}

fn at(file: &str, line: u64) -> Location {
    let artifact = ArtifactLocation::builder().uri(uri(file)).build();
    let region = Region::builder()
        .start_line(i64::try_from(line).unwrap_or(1))
        .build();
    let place = PhysicalLocation::builder()
        .artifact_location(artifact)
        .region(region)
        .build();
    Location::builder().physical_location(place).build()
}

/// A path as a relative or absolute reference: what has a meaning in a URI is written as its byte.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char);
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}
