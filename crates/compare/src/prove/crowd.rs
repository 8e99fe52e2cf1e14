//! Findings that free bytes at the very same places: what went there may be that of some of them alone.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use super::promise::promise;
use crate::judging::{Judged, equal_at};
use crate::places::{Name, Places, SAME, is_field_of};
use crate::proof::{Outcome, Saving};

/// The rule, the side, and the places.
type Crowd<'w> = (&'w str, bool, BTreeSet<Name>);

/// Takes back what was said of findings of one rule at the same places where less went than they promise together: a
/// rule may lose sight of all of them when one was mended. Those whose fields still hold something were not. Which of the
/// others were mended bytes do not show: they are unknown, and a note says so.
pub(super) fn tell_apart(fixes: &mut [Draft<'_>], places: &Places) -> Vec<String> {
    let mut crowds: BTreeMap<Crowd<'_>, Vec<usize>> = BTreeMap::new();
    for (at, fix) in fixes.iter().enumerate() {
        if fix.report.outcome != Outcome::Mended || fix.moved.is_some() || !fix.ways.is_empty() {
            continue;
        }
        let freed = fix.frees().iter().filter(|freed| freed.bytes > 0);
        let freed: Option<BTreeSet<Name>> = freed.map(|freed| places.of(freed)).collect();
        if let Some(freed) = freed.filter(|freed| !freed.is_empty()) {
            let crowd = (fix.finding.rule.as_str(), fix.finding.external, freed);
            crowds.entry(crowd).or_default().push(at);
        }
    }
    let mut notes = Vec::new();
    for ((rule, external, freed), mut crowd) in crowds {
        if crowd.len() < 2 || is_enough(fixes, &crowd, &freed, external, places) {
            continue;
        }
        for &at in &crowd {
            if still_holds(&fixes[at], &freed, places) {
                fixes[at].set(Outcome::Hidden, 0.0);
            }
        }
        crowd.retain(|&at| fixes[at].is_made());
        if crowd.len() < 2 || is_enough(fixes, &crowd, &freed, external, places) {
            continue;
        }
        for &at in &crowd {
            fixes[at].set(Outcome::Unknown, 0.0);
        }
        let holders: Vec<&str> = crowd
            .iter()
            .map(|&at| fixes[at].finding.holder.as_str())
            .collect();
        notes.push(format!(
            "cannot tell which of {} findings of {rule} were mended ({}): they free bytes at the same places, and less went \
             than all of them promise; name the mended ones with --mended",
            crowd.len(),
            holders.join(", ")
        ));
    }
    notes
}

/// Whether what went from the places, less what other fixes promise of it, is nearer to what all of these promise
/// together than to what they do without the smallest.
fn is_enough(
    fixes: &mut [Draft<'_>],
    crowd: &[usize],
    freed: &BTreeSet<Name>,
    external: bool,
    places: &Places,
) -> bool {
    let side = |saving: Saving| if external { saving.external } else { saving.held };
    let freed = &with_equal(fixes, crowd, freed, places);
    promise(fixes);
    let own: Vec<i64> = crowd.iter().map(|&at| side(fixes[at].report.predicted)).collect();
    let others = fixes
        .iter()
        .enumerate()
        .filter(|(at, fix)| fix.is_made() && fix.finding.external == external && !crowd.contains(at));
    let of_others: f64 = others
        .map(|(_, fix)| {
            let given = fix.given(side(fix.report.predicted));
            let here = fix
                .frees()
                .iter()
                .filter(|part| places.of(part).is_some_and(|name| freed.contains(&name)));
            here.map(|part| part.bytes as f64 * given).sum::<f64>()
        })
        .sum();
    let went: i64 = freed.iter().map(|name| side(places.saved(name))).sum();
    let smallest = own.iter().copied().min().unwrap_or(0).max(0) as f64;
    let all = own.iter().sum::<i64>() as f64;
    // How many records there are of is known within a hundredth: what saves less than that does not show.
    went as f64 - of_others + (smallest / 2.0).max(SAME / 2.0 * all) >= all
}

/// The places with those that hold equals of what goes: the table of a fix keeps the object that it meets first, and where
/// that is one of these, its equal went from the other place.
fn with_equal(
    fixes: &[Draft<'_>],
    crowd: &[usize],
    freed: &BTreeSet<Name>,
    places: &Places,
) -> BTreeSet<Name> {
    let equal = crowd.iter().filter_map(|&at| equal_at(fixes[at].finding));
    let equal = equal.map(|holder| (holder.to_owned(), String::new()));
    let equal = equal.filter(|name| places.all.get(name).is_some_and(|both| both.count[1] > 0));
    freed.iter().cloned().chain(equal).collect()
}

/// Whether something stands where the finding is, or in it, though the bytes that it frees are elsewhere.
fn still_holds(fix: &Draft<'_>, freed: &BTreeSet<Name>, places: &Places) -> bool {
    let holder = fix.finding.holder.as_str();
    let mut there = places.all.iter().filter(|(_, both)| both.count[1] > 0);
    !holder.is_empty()
        && there.any(|(name, _)| (name.0 == holder || is_field_of(&name.0, holder)) && !freed.contains(name))
}
