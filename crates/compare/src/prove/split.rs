//! What really changed, split between the fixes that were made.

use std::collections::BTreeMap;

use super::Draft;
use crate::places::{Both, Name, Places};
use crate::proof::Saving;

/// Blocks of slots take at most this much more or less than is promised of them.
const ABOUT: f64 = 2.0;

/// Counts this close are the same.
const SAME: f64 = 0.01;

/// What is left of a place that is gone has about these bytes elsewhere.
const NEARLY: f64 = 0.1;

/// Sets what each fix that was made did, and gives the places it did it at.
///
/// The change of a place belongs to the fixes that free bytes there. Each gets what it promised of it, and what came
/// more or less is split as their promises are.
pub(super) fn split(fixes: &mut [Draft<'_>], places: &Places) -> Vec<Name> {
    let mut shares: BTreeMap<Name, Vec<(usize, f64)>> = BTreeMap::new();
    let mut elsewhere: Vec<(usize, f64)> = Vec::new();
    let mut added: Vec<(usize, f64)> = Vec::new();
    let mut apart: Vec<(usize, u64, f64)> = Vec::new();
    for (at, fix) in fixes.iter().enumerate().filter(|(_, fix)| fix.is_made()) {
        let alone = fix.finding.saves_alone.max(1) as f64;
        let mut given = fix.report.predicted.sum() as f64 / alone;
        if let Some(moved) = fix.moved {
            // All slots go from the nodes, and come back fewer in blocks of their own.
            let goes = moved.bytes as f64 * fix.share;
            apart.push((at, moved.blocks, goes - fix.report.predicted.sum() as f64));
            given = goes / alone;
        }
        let mut freed_in_all = 0;
        for freed in &fix.finding.frees {
            freed_in_all += freed.bytes;
            let bytes = freed.bytes as f64 * given;
            match places.of(freed) {
                Some(name) => add(shares.entry(name).or_default(), at, bytes),
                None => add(&mut elsewhere, at, bytes),
            }
        }
        let more = freed_in_all.saturating_sub(fix.finding.saves_alone.cast_signed());
        if more > 0 && fix.moved.is_none() {
            add(&mut added, at, more as f64 * given);
        }
    }
    let mut measured: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    let mut give = |at: usize, bytes: f64, external: bool| {
        let (held, outside) = measured.entry(at).or_default();
        *(if external { outside } else { held }) += bytes;
    };
    for (name, parts) in &shares {
        let saved = places.all[name].saved();
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
            for (at, bytes, weight) in all {
                let part = if weights > 0.0 { weight / weights } else { 0.0 };
                let came = bytes + (change - promised) * part;
                give(at, came, external);
            }
        }
    }
    let mut found = Vec::new();
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
        give(at, places.all[&name].saved().held as f64, false);
        found.push(name);
    }
    // Places that are not listed, and what a fix adds anew, can only be looked for among all other places.
    let others = places
        .all
        .iter()
        .filter(|(name, _)| !shares.contains_key(*name) && !found.contains(name));
    let others: Vec<Saving> = others.map(|(_, both)| both.saved()).collect();
    let folded = crate::places::difference(places.folded[0], places.folded[1]);
    let shrank: Saving = others
        .iter()
        .copied()
        .chain([folded])
        .map(|saved| clamp(saved, 1))
        .sum();
    let grew: Saving = others
        .iter()
        .copied()
        .chain([folded])
        .map(|saved| clamp(saved, -1))
        .sum();
    for (parts, pool, sign) in [(&elsewhere, shrank, 1.0), (&added, grew, -1.0)] {
        for external in [false, true] {
            let side: Vec<_> = parts
                .iter()
                .filter(|(at, _)| fixes[*at].finding.external == external)
                .collect();
            let wanted: f64 = side.iter().map(|(_, bytes)| bytes).sum();
            let there = if external { pool.external } else { pool.held }.unsigned_abs() as f64;
            let part = if wanted > 0.0 {
                (there / wanted).min(1.0)
            } else {
                0.0
            };
            for (at, bytes) in side {
                let came = sign * bytes * part;
                give(*at, came, external);
            }
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

/// New places with what fixes leave of those that are gone, each with its fix: as many objects as the finding says will
/// stay, or all of them, with the bytes that nobody promised to free.
fn what_stays(
    fixes: &[Draft<'_>],
    places: &Places,
    shares: &BTreeMap<Name, Vec<(usize, f64)>>,
    found: &[Name],
) -> Vec<(usize, Name)> {
    let near = |a: f64, b: f64, off: f64| (a - b).abs() <= off * a.max(b);
    let mut stay: Vec<(usize, Name)> = Vec::new();
    for (name, parts) in shares {
        let (&[(at, promised)], Some(both)) = (parts.as_slice(), places.all.get(name)) else {
            continue;
        };
        let finding = fixes[at].finding;
        if name.0.is_empty() || finding.external || fixes[at].moved.is_some() {
            continue;
        }
        let left = both.bytes[0].held as f64 - promised;
        // Something small may have come in their stead, such as the counts of shared pointers.
        if both.after().held as f64 * ABOUT > left {
            continue;
        }
        let is_left = |is: &Both| {
            let count = is.count[1] as f64 * is.scale;
            let objects = [finding.unaffected, finding.unaffected + finding.count];
            is.count[0] == 0
                && objects.iter().any(|&objects| near(count, objects as f64, SAME))
                && near(-is.saved().held as f64, left, NEARLY)
        };
        let others = places.all.iter().filter(|(other, _)| {
            let is_taken = shares.contains_key(*other) || found.contains(other);
            !is_taken && stay.iter().all(|(_, taken)| taken != *other) && !other.0.is_empty()
        });
        let mut others = others.filter(|(_, is)| is_left(is));
        if let Some((other, _)) = others.next() {
            stay.push((at, other.clone()));
        }
    }
    stay
}

/// The new place at which slots have blocks of their own: one for each node that uses any, of about the bytes that are
/// promised. Its bytes are then taken as they are.
fn slot_blocks<'p>(
    others: impl Iterator<Item = (&'p Name, &'p Both)>,
    blocks: u64,
    bytes: f64,
) -> Option<(&'p Name, &'p Both)> {
    let about = |both: &Both| {
        let came = -both.saved().held as f64;
        came <= bytes * ABOUT && came * ABOUT >= bytes
    };
    let as_many = |both: &Both| (both.count[1] as f64 * both.scale).round() as u64;
    others
        .filter(|(name, both)| !name.0.is_empty() && both.count[0] == 0 && about(both))
        .filter(|(_, both)| as_many(both) as f64 <= blocks as f64 * (1.0 + SAME))
        .min_by_key(|(name, both)| (as_many(both).abs_diff(blocks), *name))
}

fn add(parts: &mut Vec<(usize, f64)>, at: usize, bytes: f64) {
    match parts.iter_mut().find(|(other, _)| *other == at) {
        Some((_, sum)) => *sum += bytes,
        None => parts.push((at, bytes)),
    }
}

fn clamp(saved: Saving, sign: i64) -> Saving {
    let side = |bytes: i64| if bytes.signum() == sign { bytes } else { 0 };
    Saving {
        held: side(saved.held),
        external: side(saved.external),
    }
}
