//! docs/cases.md.

use std::fmt::Write as _;

use anyhow::Context;

use super::numbers::{megabytes, percent, thousands};
use super::spread::spread;
use super::{Results, Section};
use crate::compare::{Row, platform};
use crate::manifest::Case;
use crate::{figures, published};

/// The whole page.
pub(super) fn page(results: &Results, cases: &[Case], machine: &str) -> anyhow::Result<String> {
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
        say("| proof | what | items | runs on | predicted | measured | error |".into());
        say("|---|---|---:|---|---:|---:|---:|".into());
        for row in &results.proofs {
            say(format!(
                "| {} | {} | {} | {} | {} | {} | {} |",
                row.name,
                row.title,
                thousands(row.size),
                row.platform(),
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
    say("| runs on | rows | median error | worst |\n|---|---:|---:|---:|".into());
    for node in nodes {
        if let Some(of) = spread(proofs.iter().filter(|row| row.node == node)) {
            say(format!(
                "| {} | {} | {} | {} |",
                platform(node),
                of.count,
                percent(of.median),
                percent(of.worst)
            ));
        }
    }
    say(String::new());
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::cpu::Cpu;
    use crate::report::HealthyRow;
    use crate::report::tests::{row, section};

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
            "| d01-arrays | it | 20,000 | Node.js 20.20.2 | 2.02 | 2.00 | 1.00 % |",
            "| cache | A cache | 20 | 5.00 | 0.40 % C03 at Cache.entries |",
            "- statistics are the same",
        ] {
            assert!(page.contains(expected), "{expected} is not in\n{page}");
        }
    }
}
