//! Tables on the terminal.

use super::numbers::{megabytes, percent, thousands};
use super::spread::spread;
use super::{HealthyRow, Section};
use crate::compare::Row;

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
        short(&row.node),
        thousands(row.size),
        line(row)
    );
}

/// The major version, with the options of a Java virtual machine behind it.
fn short(platform: &str) -> String {
    let (version, options) = platform.split_once(" -").unwrap_or((platform, ""));
    let major = version.split('.').next().unwrap_or_default();
    if options.is_empty() {
        major.to_owned()
    } else {
        format!("{major} -{options}")
    }
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
