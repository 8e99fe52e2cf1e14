//! How results are shown: tables on the terminal, and docs/cases.md.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::compare::{Row, median};
use super::manifest::Case;
use super::{figures, published};
use crate::machine;

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

/// Median and worst of some errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// How many.
    pub count: usize,
    /// The middle.
    pub median: f64,
    /// The largest.
    pub worst: f64,
}

/// The spread of errors; none of no rows.
pub fn spread<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<Spread> {
    let errors: Vec<f64> = rows.into_iter().map(Row::error).collect();
    Some(Spread {
        count: errors.len(),
        median: median(&errors)?,
        worst: errors.iter().copied().fold(0.0, f64::max),
    })
}

/// Prints a section.
pub fn print_section(section: &Section) {
    println!("\n{} · {}", section.case, section.title);
    for (title, rows) in &section.tables {
        println!("\n  {title}");
        println!(
            "  {:<24} {:>8} {:>10} {:>10} {:>8} {:>7}  published",
            "", "findings", "predicted", "measured", "error", "bound"
        );
        for row in rows {
            println!("  {}", line(row));
        }
    }
    for note in &section.notes {
        println!("  {note}");
    }
}

/// Prints one proof.
pub fn print_proof(row: &Row) {
    println!(
        "  {:<5} {:>8} {}",
        row.node.split('.').next().unwrap_or_default(),
        thousands(row.size),
        line(row)
    );
}

/// Prints one healthy program.
pub fn print_healthy(row: &HealthyRow) {
    let largest = row.largest.as_ref().map_or_else(
        || "nothing".to_owned(),
        |(share, what)| format!("{} {what}", percent(*share)),
    );
    println!(
        "  {:<5} {:<24} {:>10} held  largest finding: {largest}",
        row.node,
        row.name,
        megabytes(row.held.cast_signed())
    );
}

fn line(row: &Row) -> String {
    format!(
        "{:<24} {:>8} {:>10} {:>10} {:>8} {:>7}  {}",
        row.name,
        row.findings,
        megabytes(row.predicted.sum()),
        megabytes(row.measured.sum()),
        percent(row.error()),
        row.bound.map(percent).unwrap_or_default(),
        row.published.as_deref().unwrap_or_default()
    )
}

/// Prints the distribution of the proofs' errors.
pub fn print_spread(proofs: &[Row]) {
    let Some(all) = spread(proofs) else {
        return;
    };
    println!(
        "\nproofs: {} rows, median error {}, worst {}",
        all.count,
        percent(all.median),
        percent(all.worst)
    );
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

fn page(results: &Results, cases: &[Case], machine: &str) -> anyhow::Result<String> {
    let mut page = String::from("# Cases: predicted and measured\n\n");
    let mut say = |text: String| writeln!(page, "{text}").expect("a string takes all");
    say(format!(
        "Written by `cargo xtask cases --write`. {machine} Figures are MB (10^6 bytes) of heap and external memory \
         together, as the process itself reports them after garbage collection: *measured* is the program before the \
         fix less the program with it. *Predicted* is what `deadweight` says from the program before the fix alone. \
         The error is |predicted − measured| / measured. *CPU* is the user and system time of a whole run with the fix \
         against the run before it, the median of five pairs in turns, and in brackets \
         the time before the fix; pairs that disagree on the direction are noise."
    ));
    for case in cases {
        let sections: Vec<_> = results
            .cases
            .iter()
            .filter(|section| section.case == case.name)
            .collect();
        if sections.is_empty() {
            continue;
        }
        say(format!("\n## {}\n\n{}.", case.name, case.description));
        if !case.published.is_empty() {
            say("\n### What was published, and what is measured here\n".into());
            let figures = results.figures.get(&case.name).cloned().unwrap_or_default();
            let figures = figures::with_rows(figures, sections.iter().copied());
            let table = published::table(&case.published, &figures);
            for line in table.with_context(|| case.name.clone())? {
                say(line);
            }
        }
        for section in sections {
            say_section(section, &mut say);
        }
    }
    if let Some(all) = spread(&results.proofs) {
        say(format!(
            "\n## Proofs\n\nTiny programs, each before and after one fix: {} rows, **median error {}, worst {}**.\n",
            all.count,
            percent(all.median),
            percent(all.worst)
        ));
        proofs_by_node(&results.proofs, &mut say);
        say("| proof | what | items | Node.js | predicted | measured | error |".into());
        say("|---|---|---:|---|---:|---:|---:|".into());
        for row in &results.proofs {
            say(format!(
                "| {} | {} | {} | {} | {} | {} | {} |",
                row.name,
                row.title,
                thousands(row.size),
                row.node,
                megabytes(row.predicted.sum()),
                megabytes(row.measured.sum()),
                percent(row.error())
            ));
        }
    }
    if !results.healthy.is_empty() {
        say("\n## Healthy programs\n\nNothing is to be found in these.\n".into());
        say("| program | what | Node.js | held | largest finding |\n|---|---|---|---:|---|".into());
        for row in &results.healthy {
            let largest = row
                .largest
                .as_ref()
                .map(|(share, what)| format!("{} {what}", percent(*share)));
            say(format!(
                "| {} | {} | {} | {} | {} |",
                row.name,
                row.title,
                row.node,
                megabytes(row.held.cast_signed()),
                largest.unwrap_or_default()
            ));
        }
    }
    Ok(page)
}

fn say_section(section: &Section, say: &mut impl FnMut(String)) {
    say(format!("\n### {}\n\n{}", section.title, section.description));
    for (title, rows) in &section.tables {
        let timed = rows.iter().any(|row| row.cpu.is_some());
        say(format!("\n#### {title}\n"));
        let cpu = if timed { (" CPU |", "---:|") } else { ("", "") };
        say(format!(
            "| fix | what | predicted | of it external | measured | of it external | error | bound |{} published |",
            cpu.0
        ));
        say(format!("|---|---|---:|---:|---:|---:|---:|---:|{}---|", cpu.1));
        for row in rows {
            let cpu = timed.then(|| format!(" {} |", row.cpu.map(|cpu| cpu.shown()).unwrap_or_default()));
            say(format!(
                "| {} | {} | {} | {} | {} | {} | {} | {} |{} {} |",
                row.name,
                row.title,
                megabytes(row.predicted.sum()),
                megabytes(row.predicted.external),
                megabytes(row.measured.sum()),
                megabytes(row.measured.external),
                percent(row.error()),
                row.bound.map(percent).unwrap_or_default(),
                cpu.unwrap_or_default(),
                row.published.as_deref().unwrap_or_default()
            ));
        }
    }
    if !section.notes.is_empty() {
        say(String::new());
    }
    for note in &section.notes {
        say(format!("- {note}"));
    }
}

fn proofs_by_node(proofs: &[Row], say: &mut impl FnMut(String)) {
    let mut nodes: Vec<&str> = proofs.iter().map(|row| row.node.as_str()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    say("| Node.js | rows | median error | worst |\n|---|---:|---:|---:|".into());
    for node in nodes {
        if let Some(of) = spread(proofs.iter().filter(|row| row.node == node)) {
            say(format!(
                "| {node} | {} | {} | {} |",
                of.count,
                percent(of.median),
                percent(of.worst)
            ));
        }
    }
    say(String::new());
}

fn megabytes(bytes: i64) -> String {
    let megabytes = bytes as f64 / 1e6;
    if megabytes.abs() >= 100.0 {
        format!("{megabytes:.1}")
    } else {
        format!("{megabytes:.2}")
    }
}

fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{:.2} %", share * 100.0)
    } else {
        "no saving".into()
    }
}

/// 200000 as `200,000`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
pub mod tests {
    use super::super::compare::Bytes;
    use super::super::cpu::Cpu;
    use super::*;

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

    fn story() -> Case {
        toml::from_str(
            r#"
            name = "spark-round"
            runtime = "node"
            description = "A round"
            sizes = { quick = 1, test = 2, full = 3 }
            before = { command = ["node", "before.js"] }
            [[published]]
            claim = "classes halve it"
            published = "-50 %"
            ours = "{/rows/class/measured MB} of {/whole MB}"
            like = "yes"
            "#,
        )
        .unwrap()
    }

    #[test]
    fn the_spread_of_errors() {
        let rows = [row("a", 101, 100), row("b", 100, 100), row("c", 96, 100)];
        assert_eq!(
            spread(&rows),
            Some(Spread {
                count: 3,
                median: 0.01,
                worst: 0.04
            })
        );
        assert_eq!(spread(&[]), None);
    }

    #[test]
    fn the_page_has_every_table() {
        let results = Results {
            cases: vec![section(
                None,
                vec![Row {
                    cpu: Some(Cpu {
                        before: 2.0,
                        after: 3.0,
                        change: 0.5,
                        is_clear: true,
                    }),
                    ..row("class", 101_000_000, 100_000_000)
                }],
            )],
            figures: [(
                "spark-round".to_owned(),
                Map::from_iter([("whole".to_owned(), 380_000_000.into())]),
            )]
            .into(),
            proofs: vec![row("d01-arrays", 2_020_000, 2_000_000)],
            healthy: vec![HealthyRow {
                name: "cache".into(),
                title: "A cache".into(),
                node: "20".into(),
                held: 5_000_000,
                largest: Some((0.004, "C03 at Cache.entries".into())),
            }],
            failures: vec![],
        };
        let page = page(&results, &[story()], "Machine: 2 cores.").unwrap();
        for expected in [
            "| class | it | 101.0 | 0.00 | 100.0 | 0.00 | 1.00 % | 5.00 % | +50 % (2.00 s) | -50 % |",
            "| classes halve it | -50 % | 100 MB of 380 MB | yes |  |  |",
            "1 rows, **median error 1.00 %, worst 1.00 %**",
            "| d01-arrays | it | 20,000 | 20.20.2 | 2.02 | 2.00 | 1.00 % |",
            "| cache | A cache | 20 | 5.00 | 0.40 % C03 at Cache.entries |",
            "- statistics are the same",
        ] {
            assert!(page.contains(expected), "{expected} is not in\n{page}");
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

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(200_000), "200,000");
        assert_eq!(thousands(1_500_000), "1,500,000");
    }
}
