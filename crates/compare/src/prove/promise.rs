//! What the fixes that were made promised together.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Draft, Options, slots};
use crate::overlaps::with_earlier;
use crate::proof::Saving;

/// Lists the ways to mend each finding: those in its evidence, and the sizes of slots that a caller names.
pub(super) fn know_ways(fixes: &mut [Draft<'_>], allocator: &str, options: &Options) {
    let allocator = deadweight_allocators::by_name(allocator);
    let sizes = options.way.as_deref().and_then(slots::sizes);
    let on_heap: Vec<(String, String)> = fixes
        .iter()
        .filter(|fix| !fix.finding.external)
        .map(|fix| (fix.finding.rule.clone(), fix.finding.holder.clone()))
        .collect();
    for fix in fixes {
        // What a way saves on both sides stands with the finding on the heap, if there is one.
        let place = (fix.finding.rule.clone(), fix.finding.holder.clone());
        if fix.finding.external && on_heap.contains(&place) {
            continue;
        }
        fix.ways = named(fix);
        fix.ways.extend(steps(fix));
        let Some(allocator) = &allocator else { continue };
        fix.moved = slots::moved(fix.finding, &**allocator);
        let priced = sizes
            .as_ref()
            .and_then(|sizes| slots::saves_with(fix.finding, sizes, &**allocator));
        if let (Some(way), Some(held)) = (&options.way, priced) {
            fix.ways.insert(way.clone(), Saving { held, external: 0 });
        }
    }
}

/// Decides which way was taken where a finding knows several: the one the caller names, else the one nearest to what
/// was measured. Says when no finding knows the one that is named.
pub(super) fn choose_ways(fixes: &mut [Draft<'_>], measured: Saving, options: &Options) -> Option<String> {
    if let Some(way) = &options.way {
        let mut known = false;
        for at in 0..fixes.len() {
            let twins = twins(fixes, at);
            if fixes[at].is_made() && twins.iter().any(|&twin| fixes[twin].ways.contains_key(way)) {
                fixes[at].report.way = Some(way.clone());
                known = true;
            }
        }
        return (!known).then(|| format!("no finding that was mended can be mended the way {way}"));
    }
    for at in 0..fixes.len() {
        if !fixes[at].is_made() {
            continue;
        }
        // A finding's two sides, on the heap and outside, are mended in one way; the earlier has chosen for both.
        let twins = twins(fixes, at);
        if twins[0] != at || twins.iter().all(|&twin| fixes[twin].ways.is_empty()) {
            continue;
        }
        let mut best = (off(fixes, measured), None);
        let mut ways: Vec<String> = twins
            .iter()
            .flat_map(|&twin| fixes[twin].ways.keys().cloned())
            .collect();
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
    None
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
        fixes[twin].report.way = way.cloned();
    }
}

fn off(fixes: &mut [Draft<'_>], measured: Saving) -> u64 {
    let off = measured - promise(fixes);
    off.held.unsigned_abs() + off.external.unsigned_abs()
}

/// Ways that stand in the evidence by name, with what they save on both sides.
fn named(fix: &Draft<'_>) -> BTreeMap<String, Saving> {
    let evidence = fix.finding.evidence.iter();
    let side = |way: &Value, key: &str| way.get(key).and_then(Value::as_i64);
    let named = evidence.filter_map(|(name, way)| {
        let saving = Saving {
            held: side(way, "saves")?,
            external: side(way, "saves_external").unwrap_or(0),
        };
        Some((name.clone(), saving))
    });
    named.collect()
}

/// The other steps of a curve of sizes, by these.
fn steps(fix: &Draft<'_>) -> BTreeMap<String, Saving> {
    let list = |name: &str| fix.finding.evidence.get(name);
    let steps = list("sizes").and_then(Value::as_array).into_iter().flatten();
    let others = steps.filter(|step| step.get("sizes") != list("best_sizes"));
    let priced = others.filter_map(|step| {
        let sizes: Vec<u64> = serde_json::from_value(step.get("sizes")?.clone()).ok()?;
        let held = step.get("saves")?.as_i64()?;
        Some((slots::way(&sizes), Saving { held, external: 0 }))
    });
    priced.collect()
}

/// Sets what each fix promises given the others, and gives the sum.
pub(super) fn promise(fixes: &mut [Draft<'_>]) -> Saving {
    let made: BTreeMap<String, f64> = fixes
        .iter()
        .filter(|fix| fix.is_made())
        .map(|fix| (fix.finding.fingerprint.clone(), fix.share))
        .collect();
    let findings = fixes.iter().any(|fix| fix.is_made() && !fix.option);
    for at in 0..fixes.len() {
        let predicted = match &fixes[at].report.way {
            _ if !fixes[at].is_made() => Saving::default(),
            Some(way) => alternative(fixes, at, way),
            None => one(&fixes[at], &made, findings),
        };
        fixes[at].report.predicted = predicted;
    }
    fixes.iter().map(|fix| fix.report.predicted).sum()
}

fn one(fix: &Draft<'_>, made: &BTreeMap<String, f64>, findings: bool) -> Saving {
    let finding = fix.finding;
    if fix.option {
        // What an option shares with each finding is not reported: it is weighed alone, or after all of them.
        let bytes = if findings {
            finding.saves
        } else {
            finding.saves_alone
        };
        return split(fix, bytes.cast_signed());
    }
    let alone = finding.saves_alone as f64 - with_earlier(finding, made);
    split(fix, (alone * fix.share).round() as i64)
}

/// What another way saves. What it saves on both sides stands with the finding on the heap: where what is outside has
/// a finding of its own, each of the two gets its side.
fn alternative(fixes: &[Draft<'_>], at: usize, way: &str) -> Saving {
    let is_external = fixes[at].finding.external;
    let twins = twins(fixes, at);
    let beyond = || {
        let mut twins = twins.iter().map(|&twin| &fixes[twin]);
        twins.find(|twin| twin.is_made() && twin.finding.external != is_external)
    };
    let (saving, has_both) = match (fixes[at].ways.get(way), beyond()) {
        (Some(saving), other) => (*saving, other.is_none()),
        (None, other) => (
            other
                .and_then(|other| other.ways.get(way).copied())
                .unwrap_or_default(),
            false,
        ),
    };
    let made = |bytes: i64, is_own: bool| {
        let bytes = if has_both || is_own { bytes } else { 0 };
        (bytes as f64 * fixes[at].share).round() as i64
    };
    Saving {
        held: made(saving.held, !is_external),
        external: made(saving.external, is_external),
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
