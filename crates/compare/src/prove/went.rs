//! What went from the places where a finding frees bytes.

use std::collections::BTreeMap;

use deadweight_weighing::Finding;

use super::Draft;
use super::outcome::Second;
use crate::judging::also_held_at;
use crate::places::{Both, Name, Places, SAME, difference};
use crate::proof::Saving;

/// Bytes that other findings save at a place, as the ledger grants them, and that the second side does not find any more.
pub(super) fn gone_beside(finding: &Finding, second: &Second<'_, '_>, places: &Places, at: &Name) -> i64 {
    let others = second.before.findings.iter().filter(|other| {
        let is_other = other.fingerprint != finding.fingerprint && other.external == finding.external;
        is_other && second.remaining(other, 1.0).is_none()
    });
    let here = others.map(|other| {
        let frees = other.frees.iter();
        let here = frees.filter(|freed| places.of(freed).as_ref() == Some(at));
        let part = other.saves as f64 / other.saves_alone.max(1) as f64;
        (here.map(|freed| freed.bytes).sum::<i64>() as f64 * part) as i64
    });
    here.sum()
}

/// The share of what a finding frees that went from the places where it frees it. Where most of that is at folded places, what
/// these have less together may say that more of it went.
pub(super) fn went(draft: &Draft<'_>, places: &Places) -> Option<f64> {
    let mut freed: BTreeMap<Name, i64> = BTreeMap::new();
    let mut unlisted = 0;
    for part in draft.frees().iter().filter(|part| part.bytes > 0) {
        match places.of(part) {
            Some(name) => *freed.entry(name).or_default() += part.bytes,
            None => unlisted += part.bytes,
        }
    }
    let side = |saving: Saving| {
        if draft.finding.external {
            saving.external
        } else {
            saving.held
        }
    };
    let saved = |name: &Name| side(places.saved(name));
    let all: i64 = freed.values().sum();
    // Which of the places that hold an object names it, the order of the heap decides.
    let also = also_held_at(draft.finding).map(|holder| (holder.to_owned(), String::new()));
    let also = also.filter(|name| places.all.contains_key(name) && !freed.contains_key(name));
    let names: Vec<Name> = freed.keys().cloned().chain(also).collect();
    let went: i64 = if have_changed_places(names.iter().map(|name| &places.all[name])) {
        names.iter().map(saved).sum::<i64>().clamp(0, all)
    } else {
        freed.iter().map(|(name, most)| saved(name).clamp(0, *most)).sum()
    };
    let share = (all > 0).then(|| went as f64 / all as f64)?;
    if unlisted <= all {
        return Some(share);
    }
    let folded = side(difference(places.folded[0], places.folded[1])).clamp(0, unlisted);
    Some(share.max((went + folded) as f64 / (all + unlisted) as f64))
}

/// Whether as many objects as before stand at these places together, but not at each: of an object that two places hold,
/// only which of them names it has changed.
fn have_changed_places<'p>(places: impl Iterator<Item = &'p Both> + Clone) -> bool {
    let differ = |[before, after]: [u64; 2]| before.abs_diff(after) as f64 > SAME * before.max(after) as f64;
    let both = places.clone().fold([0, 0], |sum, both| {
        [sum[0] + both.count[0], sum[1] + both.count[1]]
    });
    !differ(both) && places.map(|both| both.count).any(differ)
}
