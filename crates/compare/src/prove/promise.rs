//! What the fixes that were made promised together.

use serde_json::Value;

use super::{Draft, Options};
use crate::proof::Saving;

/// Decides which way was taken where a finding knows several: the one the caller names, else the one nearest to what
/// was measured.
pub(super) fn choose_ways(fixes: &mut [Draft<'_>], measured: Saving, options: &Options) {
    if let Some(way) = &options.way {
        for fix in fixes.iter_mut().filter(|fix| fix.is_made()) {
            fix.told.way = Some(way.clone());
        }
        return;
    }
    for at in 0..fixes.len() {
        // A finding's two sides, on the heap and outside, are mended in one way; the earlier has chosen for both.
        let twins = twins(fixes, at);
        if !fixes[at].is_made() || twins[0] != at {
            continue;
        }
        let mut best = (off(fixes, measured), None);
        let mut ways: Vec<String> = twins.iter().flat_map(|&twin| ways(&fixes[twin])).collect();
        ways.sort();
        ways.dedup();
        for way in ways {
            take(fixes, &twins, Some(&way));
            let off = off(fixes, measured);
            if off < best.0 {
                best = (off, Some(way));
            }
        }
        take(fixes, &twins, best.1.as_ref());
    }
}

/// The findings that were made of the same rule at the same place.
fn twins(fixes: &[Draft<'_>], of: usize) -> Vec<usize> {
    let place = |at: usize| (&fixes[at].finding.rule, &fixes[at].finding.holder);
    (0..fixes.len())
        .filter(|&at| at == of || (fixes[at].is_made() && place(at) == place(of)))
        .collect()
}

fn take(fixes: &mut [Draft<'_>], twins: &[usize], way: Option<&String>) {
    for &twin in twins {
        fixes[twin].told.way = way.cloned();
    }
}

fn off(fixes: &mut [Draft<'_>], measured: Saving) -> u64 {
    promise(fixes).sum().abs_diff(measured.sum())
}

/// Other ways to mend a finding, which stand in its evidence with what they save.
fn ways(fix: &Draft<'_>) -> Vec<String> {
    let evidence = fix.finding.evidence.iter();
    let ways = evidence.filter(|(_, way)| way.get("saves").is_some_and(Value::is_i64));
    ways.map(|(name, _)| name.clone()).collect()
}

/// Sets what each fix promises given the others, and gives the sum.
pub(super) fn promise(fixes: &mut [Draft<'_>]) -> Saving {
    let made: Vec<(String, f64)> = fixes
        .iter()
        .filter(|fix| fix.is_made())
        .map(|fix| (fix.finding.fingerprint.clone(), fix.share))
        .collect();
    let findings = fixes.iter().any(|fix| fix.is_made() && !fix.option);
    for fix in fixes.iter_mut() {
        let predicted = if fix.is_made() {
            one(fix, &made, findings)
        } else {
            Saving::default()
        };
        fix.told.predicted = predicted;
    }
    fixes.iter().map(|fix| fix.told.predicted).sum()
}

fn one(fix: &Draft<'_>, made: &[(String, f64)], findings: bool) -> Saving {
    let finding = fix.finding;
    if let Some(way) = &fix.told.way {
        return alternative(fix, way);
    }
    if fix.option {
        // What an option shares with each finding is not told: it is weighed alone, or after all of them.
        let bytes = if findings {
            finding.saves
        } else {
            finding.saves_alone
        };
        return split(fix, bytes.cast_signed());
    }
    let shared = finding.shared.iter().filter_map(|shared| {
        let (_, share) = made.iter().find(|(fingerprint, _)| *fingerprint == shared.with)?;
        Some(shared.bytes as f64 * share)
    });
    let alone = finding.saves_alone as f64 - shared.sum::<f64>();
    split(fix, (alone * fix.share).round() as i64)
}

/// Both sides of another way stand in the evidence of the finding on the heap.
fn alternative(fix: &Draft<'_>, way: &str) -> Saving {
    let side = |key: &str| {
        let way = fix.finding.evidence.get(way).filter(|_| !fix.finding.external);
        let bytes = way.and_then(|way| way.get(key)).and_then(Value::as_i64);
        (bytes.unwrap_or(0) as f64 * fix.share).round() as i64
    };
    Saving {
        held: side("saves"),
        external: side("saves_external"),
    }
}

/// A finding on the heap may put bytes outside: its evidence says how many.
fn split(fix: &Draft<'_>, bytes: i64) -> Saving {
    if fix.finding.external {
        return Saving {
            held: 0,
            external: bytes,
        };
    }
    let added = fix.finding.evidence.get("external_added").and_then(Value::as_i64);
    let added = (added.unwrap_or(0) as f64 * fix.share).round() as i64;
    Saving {
        held: bytes + added,
        external: -added,
    }
}
