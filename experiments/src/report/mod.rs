//! How results are shown: tables on the terminal, and docs/cases.md.

mod numbers;
mod page;
mod spread;
mod terminal;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use deadweight_tools::machine;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::compare::Row;
use crate::manifest::Case;
use page::page;

pub use numbers::thousands;
pub use terminal::{print_healthy, print_proof, print_section, print_spread};

/// Everything a run found out, section by section.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Results {
    /// Cases, one section for each version.
    pub cases: Vec<Section>,
    /// What cases measured by commands of their own.
    pub figures: BTreeMap<String, Map<String, Value>>,
    /// All proofs.
    pub proofs: Vec<Row>,
    /// Healthy programs.
    pub healthy: Vec<HealthyRow>,
    /// What is not as it must be, one line each.
    #[serde(skip)]
    pub failures: Vec<String>,
}

/// One case on one version.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Section {
    /// The case's name.
    pub case: String,
    /// The shape of its input, where it is not the case's own.
    pub shape: Option<String>,
    /// Its title.
    pub title: String,
    /// What it is.
    pub description: String,
    /// Tables with their titles.
    pub tables: Vec<(String, Vec<Row>)>,
    /// More to know, one line each.
    pub notes: Vec<String>,
}

/// One healthy program on one version.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct HealthyRow {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The version.
    pub node: String,
    /// Bytes held.
    pub held: u64,
    /// The largest finding: its share, rule and holder.
    pub largest: Option<(f64, String)>,
}

/// Writes docs/cases.md: what was found out now and, from `kept`, what earlier runs found out of the rest.
///
/// # Errors
/// When a file cannot be read or written.
pub fn write(path: &Path, kept: &Path, results: &Results, cases: &[Case]) -> anyhow::Result<()> {
    let mut all: Results = match fs::read(kept) {
        Ok(text) => {
            serde_json::from_slice(&text).with_context(|| format!("{} is not as expected", kept.display()))?
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Results::default(),
        Err(error) => return Err(error).with_context(|| kept.display().to_string()),
    };
    all.take(results);
    for (path, text) in [
        (kept, serde_json::to_string(&all)?),
        (path, page(&all, cases, &machine::shown())?),
    ] {
        fs::write(path, text).with_context(|| format!("{} could not be written", path.display()))?;
    }
    Ok(())
}

impl Results {
    /// Takes over what `newer` has, in place of what was known of the same.
    fn take(&mut self, newer: &Self) {
        replace(&mut self.cases, &newer.cases, |section| {
            (section.case.clone(), section.shape.clone(), section.title.clone())
        });
        self.figures.extend(newer.figures.clone());
        replace(&mut self.proofs, &newer.proofs, |row| {
            (row.name.clone(), row.size, row.node.clone())
        });
        replace(&mut self.healthy, &newer.healthy, |row| {
            (row.name.clone(), row.node.clone())
        });
    }
}

fn replace<T: Clone, K: Ord>(known: &mut Vec<T>, newer: &[T], key: impl Fn(&T) -> K) {
    known.retain(|old| !newer.iter().any(|new| key(new) == key(old)));
    known.extend_from_slice(newer);
    known.sort_by_key(key);
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::compare::Bytes;

    pub fn row(name: &str, predicted: i64, measured: i64) -> Row {
        Row {
            name: name.into(),
            title: "it".into(),
            size: 20_000,
            node: "20.20.2".into(),
            findings: 1,
            predicted: Bytes {
                held: predicted,
                external: 0,
            },
            measured: Bytes {
                held: measured,
                external: 0,
            },
            bound: Some(0.05),
            published: Some("-50 %".into()),
            whole: 1_000,
            cpu: None,
        }
    }

    pub fn section(shape: Option<&str>, rows: Vec<Row>) -> Section {
        Section {
            case: "spark-round".into(),
            shape: shape.map(str::to_owned),
            title: format!("20,000{}", shape.unwrap_or_default()),
            description: "A round.".into(),
            tables: vec![("One fix each".into(), rows)],
            notes: vec!["statistics are the same".into()],
        }
    }

    #[test]
    fn earlier_results_stay_until_newer_ones_come() {
        let place = tempfile::tempdir().unwrap();
        let (page, kept) = (place.path().join("cases.md"), place.path().join("kept.json"));
        let results = |proofs: Vec<Row>| Results {
            proofs,
            ..Results::default()
        };
        write(
            &page,
            &kept,
            &results(vec![row("b", 101, 100), row("a", 102, 100)]),
            &[],
        )
        .unwrap();
        write(&page, &kept, &results(vec![row("b", 103, 100)]), &[]).unwrap();
        let all: Results = serde_json::from_slice(&fs::read(&kept).unwrap()).unwrap();
        let known: Vec<_> = all
            .proofs
            .iter()
            .map(|row| (row.name.as_str(), row.predicted.held))
            .collect();
        assert_eq!(known, [("a", 102), ("b", 103)]);
        assert!(fs::read_to_string(&page).unwrap().contains("2 rows"));
    }
}
