//! A stripped dump against the dump it was made of.

use std::fs;
use std::path::Path;

use deadweight_formats::heapprofile::ProfileFacts;
use deadweight_formats::{Input, Sidecar, open_any, strip};
use deadweight_rules::{Options, weigh, weigh_churn};
use deadweight_weighing::{Finding, Source as Origin, Weighing};

pub fn stripped(path: &Path) -> Vec<u8> {
    let mut out = Vec::new();
    strip(path, &mut out).unwrap();
    out
}

fn weighed(path: &Path) -> Weighing {
    let input = open_any(path, &Sidecar::default(), &ProfileFacts::default()).unwrap();
    let source = |format: &str| Origin {
        path: String::new(),
        bytes: 0,
        format: format.to_owned(),
    };
    match input {
        Input::Held(dump) => weigh(&dump.heap, source(dump.format), &Options::all()),
        Input::Churned(record) => weigh_churn(&record.churn, source(record.format), &Options::all()),
    }
}

/// All of a finding but its words.
fn figures(finding: &Finding) -> String {
    format!(
        "{} count {} good {:?} now {} after {} saves {} alone {} external {}",
        finding.rule,
        finding.count,
        finding.unaffected,
        finding.bytes_now,
        finding.bytes_after,
        finding.saves,
        finding.saves_alone,
        finding.external
    )
}

fn all_figures(findings: &[Finding]) -> Vec<String> {
    let mut figures: Vec<String> = findings.iter().map(figures).collect();
    figures.sort();
    figures
}

pub fn same_figures(path: &Path) -> Weighing {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("stripped");
    fs::write(&copy, stripped(path)).unwrap();
    let (before, after) = (weighed(path), weighed(&copy));
    assert_eq!(
        all_figures(&before.findings),
        all_figures(&after.findings),
        "{}",
        path.display()
    );
    assert_eq!(before.held, after.held, "{}", path.display());
    assert_eq!(before.external, after.external, "{}", path.display());
    assert_eq!(
        all_figures(&before.options),
        all_figures(&after.options),
        "{}",
        path.display()
    );
    assert_eq!(before.not_measured.len(), after.not_measured.len());
    assert_eq!(before.partial.is_some(), after.partial.is_some());
    let made = |weighing: &Weighing| {
        let churned = weighing.churned.as_ref()?;
        let sites: Vec<_> = churned
            .sites
            .iter()
            .map(|site| (site.bytes, site.low, site.high))
            .collect();
        Some((
            churned.bytes,
            churned.objects,
            all_figures(&churned.findings),
            sites,
        ))
    };
    assert_eq!(made(&before), made(&after), "{}", path.display());
    before
}
