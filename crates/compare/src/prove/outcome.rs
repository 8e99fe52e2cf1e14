//! What became of each finding of the first side.

use std::collections::{BTreeMap, BTreeSet};

use deadweight_rules::Weighing;
use deadweight_rules::weighing::{Finding, OTHERS};
use serde_json::Value;

use super::{Draft, Options};
use crate::align::Names;
use crate::places::Places;
use crate::proof::{Fix, Outcome, Saving};

/// A fix is made when less than this share of the finding is left, and open when more than the rest of it is.
const REST: f64 = 0.1;

/// A finding that is gone was mended if this share of its bytes went from where they were.
const WENT: f64 = 0.5;

/// Every finding of the first side.
pub(super) fn findings<'w>(
    before: &'w Weighing,
    after: &Weighing,
    names: &Names,
    places: Option<&Places>,
    scale: f64,
    options: &Options,
) -> Vec<Draft<'w>> {
    let listed = before.findings.iter().filter(|finding| finding.rule != OTHERS);
    let mut drafts: Vec<Draft<'w>> = listed.map(|finding| draft(finding, false)).collect();
    // What a finding shares with another that was mended went with that one. Findings share with those before them
    // in the ledger's order alone, so that judging again settles it.
    for _ in 0..3 {
        let made: Vec<String> = fingerprints(&drafts);
        for draft in &mut drafts {
            // A buffer of one size does not grow with the records.
            let largest = draft.finding.frees.first().and_then(|freed| {
                let places = places?;
                Some(places.all[&places.of(freed)?].scale)
            });
            let scale = largest.unwrap_or(scale);
            let left = remaining(draft.finding, &after.findings, names, scale);
            match &options.mended {
                Some(mended) => {
                    let is_made = mended.contains(&draft.finding.fingerprint);
                    let outcome = if is_made { Outcome::Mended } else { Outcome::Open };
                    set(draft, outcome, f64::from(u8::from(is_made)));
                    draft.told.remaining = left.unwrap_or(0);
                }
                None => judge(draft, left, folded(after, draft.finding, scale), places, &made),
            }
        }
        if fingerprints(&drafts) == made {
            break;
        }
    }
    drafts
}

fn fingerprints(drafts: &[Draft<'_>]) -> Vec<String> {
    let made = drafts.iter().filter(|draft| draft.is_made());
    made.map(|draft| draft.finding.fingerprint.clone()).collect()
}

/// The options of the first side. One is taken when the second side does not offer it any more and more bytes went
/// from where it frees some than the findings explain.
pub(super) fn taken_options<'w>(
    before: &'w Weighing,
    after: &Weighing,
    names: &Names,
    places: Option<&Places>,
    scale: f64,
    options: &Options,
    findings: &[Draft<'_>],
) -> Vec<Draft<'w>> {
    let mut explained: BTreeMap<_, i64> = BTreeMap::new();
    for draft in findings.iter().filter(|draft| draft.is_made()) {
        let given = draft.told.predicted.sum() as f64 / draft.finding.saves_alone.max(1) as f64;
        for freed in &draft.finding.frees {
            let name = places.and_then(|places| places.of(freed));
            *explained.entry(name).or_default() += (freed.bytes as f64 * given) as i64;
        }
    }
    let taken = |option: &Finding| {
        let (Some(places), false) = (places, options.mended.is_some()) else {
            let mended = options.mended.as_ref();
            return mended.is_some_and(|mended| mended.contains(&option.fingerprint));
        };
        if remaining(option, &after.options, names, scale).is_some() {
            return false;
        }
        let mut seen = BTreeSet::new();
        let went: i64 = option
            .frees
            .iter()
            .filter_map(|freed| places.of(freed))
            .filter(|name| seen.insert(name.clone()))
            .map(|name| {
                let explained = explained.get(&Some(name.clone())).copied().unwrap_or(0);
                places.all[&name].saved().sum() - explained
            })
            .sum();
        let sure = went.min(option.saves.cast_signed()) - places.unsure(option).cast_signed();
        option.saves > 0 && sure as f64 >= WENT * option.saves as f64
    };
    let mut drafts = Vec::new();
    for option in &before.options {
        let mut draft = draft(option, true);
        if taken(option) {
            set(&mut draft, Outcome::Mended, 1.0);
            drafts.push(draft);
        }
    }
    drafts
}

fn draft(finding: &Finding, option: bool) -> Draft<'_> {
    Draft {
        finding,
        option,
        share: 0.0,
        ways: BTreeMap::new(),
        moved: None,
        told: Fix {
            rule: finding.rule.clone(),
            holder: finding.holder.clone(),
            site: finding.site.clone(),
            fingerprint: finding.fingerprint.clone(),
            title: finding.title.clone(),
            fix: finding.fix.clone(),
            external: finding.external,
            outcome: Outcome::Open,
            way: None,
            promised: finding.saves_alone.cast_signed(),
            predicted: Saving::default(),
            measured: None,
            error: None,
            remaining: 0,
        },
    }
}

fn set(draft: &mut Draft<'_>, outcome: Outcome, share: f64) {
    draft.told.outcome = outcome;
    draft.share = share;
}

fn judge(draft: &mut Draft<'_>, left: Option<u64>, folded: u64, places: Option<&Places>, made: &[String]) {
    let shared = draft
        .finding
        .shared
        .iter()
        .filter(|shared| made.contains(&shared.with));
    let shared: i64 = shared.map(|shared| shared.bytes).sum();
    let promised = (draft.finding.saves_alone.cast_signed() - shared).max(1) as f64;
    draft.told.remaining = left.unwrap_or(0);
    let rest = left.unwrap_or(0) as f64 / promised;
    if rest > 1.0 - REST {
        return set(draft, Outcome::Open, 0.0);
    }
    let went = places.and_then(|places| went(draft.finding, places));
    let is_gone = left.is_none();
    let least =
        |went: f64| went - places.map_or(0.0, |places| places.unsure(draft.finding) as f64) / promised;
    match went {
        // What is gone under its name may still be there under none.
        Some(went) if is_gone && went >= WENT * (1.0 - rest) && least(went) < WENT * (1.0 - rest) => {
            set(draft, Outcome::Unknown, 0.0);
        }
        // A rule may lose sight of a finding for what another change did: its bytes say whether it was mended.
        Some(went) if went < WENT * (1.0 - rest) => set(draft, Outcome::Hidden, 0.0),
        None if is_gone && folded as f64 > REST * promised => set(draft, Outcome::Unknown, 0.0),
        _ if rest <= REST => set(draft, Outcome::Mended, 1.0),
        _ => set(draft, Outcome::Partly, 1.0 - rest),
    }
}

/// The share of what a finding frees that went from the places where it frees it.
fn went(finding: &Finding, places: &Places) -> Option<f64> {
    let (mut freed, mut went) = (0.0, 0.0);
    let mut seen: Vec<_> = Vec::new();
    for part in finding.frees.iter().filter(|part| part.bytes > 0) {
        let Some(name) = places.of(part) else { continue };
        freed += part.bytes as f64;
        if seen.contains(&name) {
            continue;
        }
        let saved = places.all[&name].saved();
        let saved = if finding.external {
            saved.external
        } else {
            saved.held
        };
        let most: i64 = finding
            .frees
            .iter()
            .filter(|other| places.of(other).as_ref() == Some(&name))
            .map(|other| other.bytes)
            .sum();
        went += (saved.max(0)).min(most) as f64;
        seen.push(name);
    }
    (freed > 0.0).then(|| went / freed)
}

/// What the second side's findings of the same fix would save, brought to the records of the first.
fn remaining(finding: &Finding, after: &[Finding], names: &Names, scale: f64) -> Option<u64> {
    let same = after.iter().filter(|other| is_same(finding, other, names));
    let left: Vec<u64> = same.map(|other| other.saves_alone).collect();
    (!left.is_empty()).then(|| (left.iter().sum::<u64>() as f64 * scale).round() as u64)
}

/// What the second side may not list.
fn folded(after: &Weighing, finding: &Finding, scale: f64) -> u64 {
    let rows = after
        .findings
        .iter()
        .filter(|other| other.rule == OTHERS && other.external == finding.external);
    (rows.map(|row| row.saves_alone).sum::<u64>() as f64 * scale) as u64
}

/// Whether two findings, one of each side, ask for the same fix at the same place.
pub(super) fn is_same(first: &Finding, second: &Finding, names: &Names) -> bool {
    let variant = |finding: &Finding| {
        finding
            .evidence
            .get("variant")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    first.fingerprint == second.fingerprint
        || (first.rule == second.rule
            && first.external == second.external
            && variant(first) == variant(second)
            && first.holder == names.place(&second.holder)
            // Lines move when code changes: the place is what stays. Without one, the site is all there is.
            && (!first.holder.is_empty() || first.site == second.site))
}
