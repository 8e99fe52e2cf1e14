//! What really changed, split between the fixes that were made.

use std::collections::{BTreeMap, BTreeSet};

use deadweight_weighing::{Freed, Shared};

use super::Draft;
use super::replaced::{Shares, moved_in, slot_blocks, what_stays};
use crate::places::{Name, Places};
use crate::proof::Saving;

/// What comes anew is a fix's own when it has about the bytes that the fix adds.
const NEARLY: f64 = 0.1;

/// Sets what each fix that was made did, and gives the places it did it at.
///
/// The change of a place belongs to the fixes that free bytes there. Each gets what it promised of it, and what came
/// more or less is split as their promises are.
pub(super) fn split(fixes: &mut [Draft<'_>], places: &Places, is_runtime_apart: bool) -> Vec<Name> {
    let mut shares = Shares::new();
    let mut elsewhere: Vec<(usize, f64)> = Vec::new();
    // What a fix puts in the place of what it takes away, as far as it is not seen where that was.
    let mut added: Vec<(usize, bool, f64)> = Vec::new();
    let mut apart: Vec<(usize, u64, f64)> = Vec::new();
    for (at, fix) in fixes.iter().enumerate().filter(|(_, fix)| fix.is_made()) {
        let mut given = fix.given(fix.report.predicted.sum());
        if let Some(moved) = fix.moved {
            // All slots go from the nodes, and come back fewer in blocks of their own.
            let goes = moved.bytes as f64 * fix.share;
            apart.push((at, moved.blocks, goes - fix.report.predicted.sum() as f64));
            given = fix.given(goes.round() as i64);
        }
        let overlapped = overlapped(fixes, at, given);
        for freed in fix.frees() {
            let bytes = freed.bytes as f64 * overlapped.given(freed);
            match places.of(freed) {
                Some(name) => add(shares.entry(name).or_default(), at, bytes),
                None => add(&mut elsewhere, at, bytes),
            }
        }
        // Arrays and pools outside the heap, for what was on it; or the other way round.
        let beyond = if fix.finding.external {
            fix.report.predicted.held
        } else {
            fix.report.predicted.external
        };
        let beyond = (-beyond).max(0) as f64;
        let stated: i64 = fix.finding.frees.iter().map(|freed| freed.bytes).sum();
        let more = stated.saturating_sub(fix.finding.saves_alone.cast_signed());
        let more = more as f64 * given - beyond;
        for (external, bytes) in [(fix.finding.external, more), (!fix.finding.external, beyond)] {
            if bytes > 0.0 && fix.moved.is_none() {
                added.push((at, external, bytes));
            }
        }
    }
    let mut measured: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    // What came back where it was freed: fixes put new objects in the place of the old ones.
    let mut back: BTreeMap<(usize, bool), f64> = BTreeMap::new();
    let mut give = |at: usize, bytes: f64, external: bool| {
        let (held, outside) = measured.entry(at).or_default();
        *(if external { outside } else { held }) += bytes;
    };
    let mut found = Vec::new();
    for (name, parts) in &shares {
        let mut saved = places.saved(name);
        // What holds the objects now is what the fix costs.
        if let Some(went) = places.gathered.get(name) {
            saved = saved + places.part(&went.holders);
            found.extend(
                went.objects
                    .iter()
                    .chain(&went.holders)
                    .map(|(name, _)| name.clone()),
            );
        }
        for external in [false, true] {
            let change = if external { saved.external } else { saved.held } as f64;
            let here: Vec<_> = parts
                .iter()
                .filter(|(at, _)| fixes[*at].finding.external == external)
                .collect();
            // Nobody frees anything on this side of the place: it belongs to who changes the other.
            let all: Vec<_> = if here.is_empty() {
                parts.iter().map(|(at, bytes)| (*at, 0.0, bytes.abs())).collect()
            } else {
                here.iter()
                    .map(|(at, bytes)| (*at, *bytes, bytes.abs()))
                    .collect()
            };
            let promised: f64 = all.iter().map(|(_, bytes, _)| bytes).sum();
            let weights: f64 = all.iter().map(|(.., weight)| weight).sum();
            let number = all.len() as f64;
            for (at, bytes, weight) in all {
                let part = if weights > 0.0 {
                    weight / weights
                } else {
                    1.0 / number
                };
                let came = bytes + (change - promised) * part;
                give(at, came, external);
                *back.entry((at, external)).or_default() += bytes - came;
            }
        }
    }
    let mut less = |at: usize, external: bool, came: f64| {
        let mut wanted = added.iter_mut();
        if let Some((.., wanted)) = wanted.find(|(other, side, _)| (*other, *side) == (at, external)) {
            *wanted = (*wanted - came.max(0.0)).max(0.0);
        }
    };
    for ((at, external), bytes) in back {
        less(at, external, bytes);
    }
    let gathered = found.clone();
    for (at, name, external, bytes) in moved_in(fixes, places, &shares) {
        if gathered.contains(&name) {
            continue;
        }
        give(at, bytes, external);
        less(at, external, -bytes);
        if !found.contains(&name) {
            found.push(name);
        }
    }
    for (at, blocks, bytes) in apart {
        let others = places
            .all
            .iter()
            .filter(|(name, _)| !shares.contains_key(*name) && !found.contains(*name));
        if let Some((name, both)) = slot_blocks(others, blocks, bytes) {
            give(at, both.saved().held as f64, false);
            found.push(name.clone());
        }
    }
    for (at, name) in what_stays(fixes, places, &shares, &found) {
        let came = places.all[&name].saved().held as f64;
        give(at, came, false);
        less(at, false, -came);
        found.push(name);
    }
    // Places that are not listed, and what a fix adds anew, can only be looked for among all other places.
    for external in [false, true] {
        let side = |saving: Saving| if external { saving.external } else { saving.held };
        let folded = side(crate::places::difference(places.folded[0], places.folded[1]));
        let others = |found: &[Name]| {
            let others = places.all.iter();
            let others = others.filter(|(name, _)| !shares.contains_key(*name) && !found.contains(name));
            let others = others.filter(|(name, _)| !is_runtime_apart || !name.0.is_empty());
            let others = others.map(|(name, both)| (name.clone(), side(both.saved())));
            others.collect::<Vec<(Name, i64)>>()
        };
        let all = others(&found);
        let shrank = all.iter().map(|(_, saved)| (*saved).max(0)).sum::<i64>() + folded.max(0);
        let wanted: f64 = elsewhere
            .iter()
            .filter(|(at, _)| fixes[*at].finding.external == external)
            .map(|(_, bytes)| bytes)
            .sum();
        let part = share_of(shrank as f64, wanted);
        for (at, bytes) in &elsewhere {
            if fixes[*at].finding.external == external {
                give(*at, bytes * part, external);
            }
        }
        // What is new is taken first; of what has grown only as much as is missing then.
        let added: Vec<(usize, f64)> = added
            .iter()
            .filter(|(_, of, bytes)| *of == external && *bytes > 0.0)
            .map(|(at, _, bytes)| (*at, *bytes))
            .collect();
        let wanted: f64 = added.iter().map(|(_, bytes)| bytes).sum();
        let is_new = |name: &Name| !name.0.is_empty() && places.all[name].count[0] == 0;
        let new: Vec<&(Name, i64)> = all
            .iter()
            .filter(|(name, saved)| *saved < 0 && is_new(name))
            .collect();
        let came = -new.iter().map(|(_, saved)| saved).sum::<i64>() as f64;
        if wanted > 0.0 && (came - wanted).abs() <= NEARLY * wanted {
            for (at, bytes) in &added {
                give(*at, -came * bytes / wanted, external);
            }
            found.extend(new.into_iter().map(|(name, _)| name.clone()));
            continue;
        }
        let grew = -all.iter().map(|(_, saved)| (*saved).min(0)).sum::<i64>() - folded.min(0);
        let part = share_of(grew as f64, wanted);
        for (at, bytes) in &added {
            give(*at, -bytes * part, external);
        }
    }
    for (at, (held, external)) in measured {
        let saving = Saving {
            held: held.round() as i64,
            external: external.round() as i64,
        };
        let report = &mut fixes[at].report;
        report.measured = Some(saving);
        report.error = report.predicted.error(saving);
    }
    shares.into_keys().chain(found).collect()
}

/// Two runs of one unchanged program of Node.js were seen to differ by up to 105 kB of the runtime's own.
const NOISE: u64 = 128 << 10;

/// Whether the runtime's own change can be set apart. No fix that was made may free the runtime's bytes, or so many at unlisted
/// places that they may be the runtime's. The change must be within what two runs differ by, or small beside the rest.
pub(super) fn is_runtime_apart(fixes: &[Draft<'_>], places: &Places, measured: Saving) -> bool {
    let runtime = places.of_runtime();
    let (own, rest) = (
        runtime.sum().unsigned_abs(),
        (measured - runtime).sum().unsigned_abs(),
    );
    let is_little = own <= NOISE || own as f64 <= NEARLY * rest as f64;
    let kinds = places.all.keys().filter(|name| name.0.is_empty()).count();
    let mut made = fixes.iter().filter(|fix| fix.is_made());
    let is_elsewhere = |fix: &Draft<'_>| {
        let is_listed = |freed: &&Freed| !(freed.holder.is_empty() && freed.holds.is_empty());
        let listed = fix.frees().iter().filter(is_listed);
        let has_rest = listed.clone().count() < fix.frees().len();
        // A finding lists the places where it frees most: at each of the others it frees no more than at the least of these.
        let least = listed.clone().map(|freed| freed.bytes.unsigned_abs()).min();
        let most = least.map_or(u64::MAX, |least| least.saturating_mul(kinds as u64));
        listed.clone().all(|freed| !freed.holder.is_empty())
            && (!has_rest || most as f64 <= NEARLY * own as f64)
    };
    is_little && made.all(is_elsewhere)
}

/// A place as a finding lists it: its holder and what stands there.
type Listed<'f> = (&'f str, &'f str);

fn listed(freed: &Freed) -> Listed<'_> {
    (&freed.holder, &freed.holds)
}

/// Which part of what a finding frees is its own, where fixes before it free some of it as well.
struct Overlapped<'f> {
    /// The places at which those free bytes.
    places: BTreeSet<Listed<'f>>,
    /// The part at these places, and at all others.
    there: f64,
    elsewhere: f64,
}

impl Overlapped<'_> {
    fn given(&self, freed: &Freed) -> f64 {
        if self.places.contains(&listed(freed)) {
            self.there
        } else {
            self.elsewhere
        }
    }
}

/// Takes what earlier fixes freed off the places at which they freed it. Only what is left over comes off all places. `given`
/// is the part of the finding that the fix frees.
fn overlapped<'f>(fixes: &'f [Draft<'_>], at: usize, given: f64) -> Overlapped<'f> {
    let (finding, share) = (fixes[at].finding, fixes[at].share);
    let earlier: BTreeSet<&str> = finding.shared.iter().flat_map(Shared::earlier).collect();
    let earlier = fixes
        .iter()
        .filter(|fix| fix.is_made() && earlier.contains(&*fix.finding.fingerprint));
    let places = earlier.flat_map(|fix| fix.frees().iter().map(listed));
    let mut overlapped = Overlapped {
        places: places.collect(),
        there: given,
        elsewhere: given,
    };
    let sum = |of: &dyn Fn(&Freed) -> bool| {
        let of = fixes[at].frees().iter().filter(|freed| of(freed));
        of.map(|freed| freed.bytes as f64).sum::<f64>()
    };
    let is_there = |freed: &Freed| overlapped.places.contains(&listed(freed));
    let (there, elsewhere) = (sum(&is_there), sum(&|freed| !is_there(freed)));
    // What several fixes add to at one place, such as a table of all their texts, differs from what each adds alone there only.
    if elsewhere > 0.0 && (there < 0.0 || there > 0.0 && given < share) {
        let all = given * (there + elsewhere);
        overlapped.there = ((all - share * elsewhere) / there).max(0.0);
        overlapped.elsewhere = (all - overlapped.there * there) / elsewhere;
    }
    overlapped
}

fn add(parts: &mut Vec<(usize, f64)>, at: usize, bytes: f64) {
    match parts.iter_mut().find(|(other, _)| *other == at) {
        Some((_, sum)) => *sum += bytes,
        None => parts.push((at, bytes)),
    }
}

/// How much of what is wanted is there, at most all of it.
fn share_of(there: f64, wanted: f64) -> f64 {
    if wanted > 0.0 {
        (there / wanted).min(1.0)
    } else {
        0.0
    }
}
