//! The page for a pull request.

use std::fmt::Write as _;

use deadweight_compare::Proof;
use deadweight_compare::proof::Outcome;

use super::words::{all, change, error, outcome, records, sides, signed};
use crate::figures::bytes;
use crate::harmless::harmless;

/// Rows of each table.
const ROWS: usize = 20;

pub(super) fn page(proof: &Proof) -> String {
    let mut page = String::from("### Deadweight: predicted and measured\n\n");
    let mut say = |line: &str| {
        page.push_str(line);
        page.push('\n');
    };
    say("| | bytes | |\n|---|---:|---|");
    for (name, saving) in [("predicted", proof.predicted), ("measured", proof.measured)] {
        say(&format!(
            "| {name} | {} | {} |",
            change(saving.sum()),
            sides(saving)
        ));
    }
    if proof.counted != proof.measured {
        say(&format!(
            "| as counted | {} | {} |",
            change(proof.counted.sum()),
            sides(proof.counted)
        ));
    }
    say(&format!("| **error** | **{}** | |", error(proof.error)));
    say(&format!(
        "| unexplained | {} | |",
        change(proof.unexplained.sum())
    ));
    if let Some(records) = records(proof) {
        say(&format!("\n{}.", cell(&records)));
    }
    if !proof.fixes.is_empty() {
        say("\n| finding | place | | predicted | measured | error |\n|---|---|---|---:|---:|---:|");
        let mut fixes: Vec<_> = proof.fixes.iter().collect();
        fixes.sort_by_key(|fix| fix.outcome == Outcome::Open);
        for fix in fixes.iter().take(ROWS) {
            let made = matches!(fix.outcome, Outcome::Mended | Outcome::Partly);
            let predicted = if made { fix.predicted.sum() } else { fix.promised };
            let measured = fix
                .measured
                .map_or_else(|| "–".to_owned(), |saving| signed(saving.sum()));
            say(&format!(
                "| {} | {} | {} | {} | {measured} | {} |",
                cell(&fix.rule),
                cell(&fix.holder),
                outcome(fix),
                signed(predicted),
                error(fix.error)
            ));
        }
        if fixes.len() > ROWS {
            say(&format!("\n{} more findings.", fixes.len() - ROWS));
        }
    }
    if !proof.grew.is_empty() {
        say("\n| grew instead | before | after |\n|---|---:|---:|");
        for place in proof.grew.iter().take(ROWS) {
            let name = if place.holder.is_empty() {
                format!("(runtime: {})", place.holds)
            } else {
                place.holder.clone()
            };
            say(&format!(
                "| {} | {} | {} |",
                cell(&name),
                bytes(all(place.before)),
                bytes(all(place.after))
            ));
        }
    }
    for note in &proof.notes {
        let _ = write!(page, "\n- {}", cell(note));
    }
    if !proof.notes.is_empty() {
        page.push('\n');
    }
    page
}

/// Text that stays in its cell and is nothing but text.
pub(crate) fn cell(text: &str) -> String {
    let mut cell = String::new();
    for c in harmless(text).chars() {
        match c {
            '<' => cell.push_str("&lt;"),
            '>' => cell.push_str("&gt;"),
            '&' => cell.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '@' | '#' | '!' | '~' | '$' => {
                // A number of the character means the same and starts nothing: no table, link or mention.
                let _ = write!(cell, "&#{};", c as u32);
            }
            _ => cell.push(c),
        }
    }
    cell
}
