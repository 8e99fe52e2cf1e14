//! The page for a pull request.

use std::fmt::Write as _;

use deadweight_compare::Proof;
use deadweight_compare::proof::{AllocatedProof, Basis, Outcome, Saving};

use super::words::{
    all, allocation_site, change, each, error, margin, not_made, outcome, predicted, records, sides, signed,
    way,
};
use crate::figures::bytes;
use deadweight_weighing::harmless;

/// Rows of each table.
const ROWS: usize = 20;

pub(super) fn page(proof: &Proof) -> String {
    let mut page = String::new();
    if proof.basis != Basis::Nothing {
        held(proof, &mut page);
    }
    if let Some(made) = &proof.allocated {
        if !page.is_empty() {
            page.push('\n');
        }
        what_is_made(made, &mut page);
    }
    for note in proof
        .notes
        .iter()
        .chain(proof.allocated.iter().flat_map(|made| &made.notes))
    {
        let _ = write!(page, "\n- {}", cell(note));
    }
    page.push('\n');
    page
}

fn held(proof: &Proof, page: &mut String) {
    page.push_str("### Deadweight: predicted and measured\n\n");
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
    if proof.runtime != Saving::default() {
        say(&format!(
            "| the runtime's own part | {} | {} |",
            change(proof.runtime.sum()),
            sides(proof.runtime)
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
            let rest = rest(fix.outcome, fix.promised, fix.remaining);
            let way = fix
                .way
                .as_ref()
                .map_or_else(String::new, |taken| format!(", {}", cell(&way(taken))));
            let measured = fix
                .measured
                .map_or_else(|| "–".to_owned(), |saving| signed(saving.sum()));
            say(&format!(
                "| {} | {} | {}{rest}{way} | {} | {measured} | {} |",
                cell(&fix.rule),
                cell(&fix.holder),
                outcome(fix.outcome),
                predicted(fix.outcome, fix.predicted.sum()),
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
}

fn what_is_made(made: &AllocatedProof, page: &mut String) {
    page.push_str("### Deadweight: what is made, predicted and measured\n\n");
    let mut say = |line: &str| {
        page.push_str(line);
        page.push('\n');
    };
    say("| | bytes | an operation |\n|---|---:|---:|");
    let by = |figure: Option<f64>| figure.map_or_else(|| "–".to_owned(), each);
    for (name, side, figure) in [
        ("before", &made.before, made.each.map(|each| each.before)),
        ("after, as counted", &made.after, made.each.map(|each| each.after)),
    ] {
        say(&format!("| {name} | {} | {} |", bytes(side.bytes), by(figure)));
    }
    for (name, figure, each) in [
        ("predicted", made.predicted, made.each.map(|each| each.predicted)),
        ("measured", made.measured, made.each.map(|each| each.measured)),
    ] {
        say(&format!("| {name} | {} | {} |", change(figure), by(each)));
    }
    let open = margin(made.measured, made.margin).unwrap_or_default();
    say(&format!("| **error** | **{}** | {open} |", error(made.error)));
    say(&format!("| unexplained | {} | |", change(made.unexplained)));
    if !made.fixes.is_empty() {
        say("\n| finding | line | | predicted | measured | error |\n|---|---|---|---:|---:|---:|");
        let mut fixes: Vec<_> = made.fixes.iter().collect();
        fixes.sort_by_key(|fix| fix.outcome == Outcome::Open);
        for fix in fixes.iter().take(ROWS) {
            let rest = rest(fix.outcome, fix.promised, fix.remaining);
            say(&format!(
                "| {} | {} | {}{rest} | {} | {} | {} |",
                cell(&fix.rule),
                cell(&format!("{} {}", fix.site, fix.function)),
                outcome(fix.outcome),
                predicted(fix.outcome, fix.predicted),
                fix.measured.map_or_else(|| "–".to_owned(), signed),
                error(fix.error)
            ));
        }
        if fixes.len() > ROWS {
            say(&format!("\n{} more findings.", fixes.len() - ROWS));
        }
    }
    if !made.grew.is_empty() {
        say("\n| makes more instead | before | after |\n|---|---:|---:|");
        for place in made.grew.iter().take(ROWS) {
            say(&format!(
                "| {} | {} | {} |",
                cell(&allocation_site(place)),
                bytes(place.before),
                bytes(place.after)
            ));
        }
    }
}

/// What there is to say of a fix that was not made, or not everywhere.
fn rest(outcome: Outcome, promised: i64, remaining: u64) -> String {
    not_made(outcome, promised, remaining).map_or_else(String::new, |rest| format!(", {rest}"))
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
