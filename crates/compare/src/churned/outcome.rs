//! What became of each finding about what is made.

use std::collections::BTreeMap;

use deadweight_weighing::{Churned, Finding, OTHERS};

use super::Draft;
use super::table::Table;
use crate::judging::{Left, REST, WENT, are_of_one_sort, settle};
use crate::overlaps::with_earlier;
use crate::proof::{AllocatedFix, Outcome};
use crate::prove::Options;

/// Every finding of the first side and the options that were taken; and the fingerprints of those of the second side
/// that are one of them.
pub(super) fn fixes<'w>(
    before: &'w Churned,
    after: &Churned,
    table: Option<&Table>,
    scale: f64,
    options: &Options,
) -> (Vec<Draft<'w>>, Vec<String>) {
    let (left, mut matched) = remaining(&before.findings, &after.findings, table, scale);
    let (left_options, others) = remaining(&before.options, &after.options, table, scale);
    matched.extend(others);
    let folded: u64 = after
        .findings
        .iter()
        .filter(|finding| finding.rule == OTHERS)
        .map(|finding| (finding.saves_alone as f64 * scale) as u64)
        .sum();
    let findings = before
        .findings
        .iter()
        .zip(left)
        .map(|(finding, left)| (finding, left, false));
    let offered = before
        .options
        .iter()
        .zip(left_options)
        .map(|(option, left)| (option, left, true));
    let listed = findings
        .chain(offered)
        .filter(|(finding, ..)| finding.rule != OTHERS);
    let (mut drafts, left): (Vec<Draft<'w>>, Vec<Option<u64>>) = listed
        .map(|(finding, left, option)| (draft(finding, option, table), left))
        .unzip();
    settle(
        &mut drafts,
        options.mended.as_deref(),
        |at, _| left[at],
        |draft, left| otherwise(draft.finding, left, folded, table),
    );
    // An option that nobody took is advice, and no promise.
    drafts.retain(|draft| !draft.report.option || draft.is_made());
    (drafts, matched)
}

fn draft<'w>(finding: &'w Finding, option: bool, table: Option<&Table>) -> Draft<'w> {
    let home = table.and_then(|table| Some(&table.lines[table.home(0, finding)?]));
    Draft {
        finding,
        share: 0.0,
        report: AllocatedFix {
            rule: finding.rule.clone(),
            function: finding.holder.clone(),
            site: finding.site.clone().unwrap_or_default(),
            sites_after: home.map(|row| row.after.clone()).unwrap_or_default(),
            fingerprint: finding.fingerprint.clone(),
            title: finding.title.clone(),
            fix: finding.fix.clone(),
            option,
            outcome: Outcome::Open,
            promised: finding.saves_alone.cast_signed(),
            predicted: 0,
            measured: None,
            margin: 0,
            error: None,
            each: None,
            remaining: 0,
        },
    }
}

/// What the bytes that are not made any more say of a finding, where that is another thing than what is left of it.
fn otherwise(finding: &Finding, left: Left, folded: u64, table: Option<&Table>) -> Option<Outcome> {
    match table.and_then(|table| went(finding, table)) {
        // Samples may leave more open than a fix promised.
        Some((_, open)) if open >= WENT * left.promised => Some(Outcome::Unknown),
        // Nor is a part of it mended when it is no larger than what samples leave open of it all.
        Some((_, open)) if left.rest > REST && open >= (1.0 - left.rest) * left.promised => {
            Some(Outcome::Open)
        }
        // A rule may lose sight of a finding for what another change did: its bytes say whether it was mended.
        Some((went, _)) if went < WENT * (1.0 - left.rest) => Some(Outcome::Hidden),
        None if left.bytes.is_none() && (folded as f64 > REST * left.promised || table.is_some()) => {
            Some(Outcome::Unknown)
        }
        _ => None,
    }
}

/// The share of what a finding frees that is not made any more where it frees it, and what sampling leaves open of it,
/// in bytes.
fn went(finding: &Finding, table: &Table) -> Option<(f64, f64)> {
    let (mut freed, mut went, mut open) = (0.0, 0.0, 0.0);
    for (line, holds, bytes) in table.frees(finding) {
        let row = &table.lines[line];
        freed += bytes;
        went += row.saved(holds).clamp(0.0, bytes);
        open += row.open(holds);
    }
    (freed > 0.0).then(|| (went / freed, open.sqrt()))
}

/// Whether a finding of each side are at the same place.
type Same<'s> = &'s dyn Fn(&Finding, &Finding) -> bool;

/// For each finding of the first side what those of the second that ask for the same fix at the same place would save,
/// brought to the operations of the first; and the fingerprints of these.
fn remaining(
    before: &[Finding],
    after: &[Finding],
    table: Option<&Table>,
    scale: f64,
) -> (Vec<Option<u64>>, Vec<String>) {
    let mut left: Vec<Option<u64>> = vec![None; before.len()];
    let mut matched = Vec::new();
    let listed = |finding: &&Finding| finding.rule != OTHERS;
    let mut open: Vec<&Finding> = after.iter().filter(listed).collect();
    // Surest first: one line, one line whose name moved with its function, and any line of the function, as a fix may
    // have left a part on a new one.
    let on_line = |first: &Finding, second: &Finding| {
        table.is_some_and(|table| {
            let home = table.home(0, first);
            home.is_some() && home == table.home(1, second)
        })
    };
    let by_name = |first: &Finding, second: &Finding| {
        let lines = table.is_none() || first.frees.is_empty() || second.frees.is_empty();
        lines && first.fingerprint == second.fingerprint
    };
    let in_function = |first: &Finding, second: &Finding| {
        let of = |side: usize, finding: &Finding| {
            let table = table?;
            Some(&table.lines[table.home(side, finding)?])
        };
        let (Some(was), Some(is)) = (of(0, first), of(1, second)) else {
            return false;
        };
        is.before.is_none() && was.function == is.function && was.after.is_empty()
    };
    let ways: [Same<'_>; 3] = [&on_line, &by_name, &in_function];
    for is_there in ways {
        open.retain(|second| {
            let mut same: Vec<usize> = (0..before.len())
                .filter(|&at| are_of_one_sort(&before[at], second) && is_there(&before[at], second))
                .collect();
            // Of several the one with its very name, else the largest that has none yet.
            same.sort_by_key(|&at| {
                let first = &before[at];
                (
                    first.fingerprint != second.fingerprint,
                    left[at].is_some(),
                    std::cmp::Reverse(first.saves_alone),
                )
            });
            let Some(&at) = same.first() else {
                return true;
            };
            let bytes = (second.saves_alone as f64 * scale).round() as u64;
            left[at] = Some(left[at].unwrap_or(0) + bytes);
            matched.push(second.fingerprint.clone());
            false
        });
    }
    (left, matched)
}

/// Sets what each fix promises given the others, and gives the sum.
pub(super) fn promise(fixes: &mut [Draft<'_>]) -> i64 {
    let mended: BTreeMap<String, f64> = fixes
        .iter()
        .filter(|fix| fix.is_made())
        .map(|fix| (fix.finding.fingerprint.clone(), fix.share))
        .collect();
    for fix in fixes.iter_mut().filter(|fix| fix.is_made()) {
        let alone = fix.finding.saves_alone as f64 - with_earlier(fix.finding, &mended);
        fix.report.predicted = (alone.max(0.0) * fix.share).round() as i64;
    }
    fixes.iter().map(|fix| fix.report.predicted).sum()
}
