//! What is really made less, split between the fixes that were made.

use std::collections::BTreeMap;

use super::Draft;
use super::table::{LineId, Table};

/// What fixes promise of a line, by fix.
type Parts = BTreeMap<usize, f64>;

/// Sets what each fix that was made did, and gives the lines it did it at.
///
/// The change of a line belongs to the fixes that spare bytes there: of each type each gets what it promised of it, and
/// what came more or less is split as their promises are. What a line makes of other types, and what the function makes
/// on lines that are new, is what they make instead.
pub(super) fn split(fixes: &mut [Draft<'_>], table: &Table) -> Vec<LineId> {
    let mut of_types: BTreeMap<(LineId, &str), Parts> = BTreeMap::new();
    let mut of_lines: BTreeMap<LineId, Parts> = BTreeMap::new();
    for (at, fix) in fixes.iter().enumerate().filter(|(_, fix)| fix.is_made()) {
        let given = fix.report.predicted as f64 / fix.finding.saves_alone.max(1) as f64;
        for (line, holds, bytes) in table.frees(fix.finding) {
            let bytes = bytes * given;
            *of_types.entry((line, holds)).or_default().entry(at).or_default() += bytes;
            *of_lines.entry(line).or_default().entry(at).or_default() += bytes;
        }
    }
    // New lines belong to those who changed their function.
    let mut touched: BTreeMap<LineId, Parts> = of_lines.clone();
    for (id, row) in table
        .lines
        .iter()
        .enumerate()
        .filter(|(_, row)| row.before.is_none())
    {
        let mut parts = Parts::new();
        for (&line, shares) in &of_lines {
            if table.lines[line].function == row.function {
                for (&at, bytes) in shares {
                    *parts.entry(at).or_default() += bytes;
                }
            }
        }
        if !parts.is_empty() {
            touched.insert(id, parts);
        }
    }
    let mut came: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (&line, all) in &touched {
        let row = &table.lines[line];
        for holds in row.types.keys() {
            let own = of_types.get(&(line, holds.as_str()));
            let (change, open) = (row.saved(holds), row.open(holds));
            let parts = own.unwrap_or(all);
            let promised: f64 = own.map_or(0.0, |own| own.values().sum());
            let weights: f64 = parts.values().map(|bytes| bytes.abs()).sum();
            for (&at, bytes) in parts {
                let part = if weights > 0.0 {
                    bytes.abs() / weights
                } else {
                    1.0 / parts.len() as f64
                };
                let own = if own.is_some() { *bytes } else { 0.0 };
                let sum = came.entry(at).or_default();
                sum.0 += own + (change - promised) * part;
                // Who takes a part of a change takes that part of what is open of it.
                sum.1 += open * part;
            }
        }
    }
    for (at, (bytes, open)) in came {
        let report = &mut fixes[at].report;
        let measured = bytes.round() as i64;
        report.measured = Some(measured);
        report.margin = open.sqrt().round() as u64;
        report.error = super::error(report.predicted, measured);
    }
    touched.into_keys().collect()
}
