//! What fixes put in the place of what they take away, at places that the findings do not name.

use std::collections::BTreeMap;

use super::Draft;
use crate::places::{Both, Name, Places, SAME, is_field_of};

/// Blocks of slots take at most this much more or less than is promised of them.
const ABOUT: f64 = 2.0;

/// What is left of a place that is gone has about these bytes elsewhere.
const NEARLY: f64 = 0.1;

/// Places with the fixes that free bytes there, each with how many.
pub(super) type Shares = BTreeMap<Name, Vec<(usize, f64)>>;

/// Records that have grown while there are as many of them, each with the fixes that take objects out of their fields: what
/// was in such an object is now in the record. Several fixes share what came as they share what was promised.
pub(super) fn moved_in(
    fixes: &[Draft<'_>],
    places: &Places,
    shares: &Shares,
) -> Vec<(usize, Name, bool, f64)> {
    let mut moved = Vec::new();
    for (name, both) in places.all.iter().filter(|(name, _)| !shares.contains_key(*name)) {
        let as_many = both.count[0].abs_diff((both.count[1] as f64 * both.scale).round() as u64) as f64
            <= SAME * both.count[0] as f64;
        if name.0.is_empty() || both.holds.is_empty() || both.count[0] == 0 || !as_many {
            continue;
        }
        let saved = both.saved();
        for (external, came) in [(false, saved.held), (true, saved.external)] {
            if came >= 0 {
                continue;
            }
            let made = fixes.iter().enumerate().filter(|(_, fix)| fix.is_made());
            let of_fields: Vec<(usize, f64)> = made
                .filter(|(_, fix)| fix.finding.external == external && fix.moved.is_none())
                .filter(|(_, fix)| {
                    let mut frees = fix.finding.frees.iter().filter(|freed| freed.bytes > 0);
                    frees.any(|freed| is_field_of(&freed.holder, &both.holds))
                })
                .map(|(at, fix)| (at, fix.report.predicted.sum().max(1) as f64))
                .collect();
            let all: f64 = of_fields.iter().map(|(_, promised)| promised).sum();
            for (at, promised) in of_fields {
                moved.push((at, name.clone(), external, came as f64 * promised / all));
            }
        }
    }
    moved
}

/// New places with what fixes leave of those that are gone, each with its fix: as many objects as the finding says will
/// stay, or all of them, with the bytes that nobody promised to free.
pub(super) fn what_stays(
    fixes: &[Draft<'_>],
    places: &Places,
    shares: &Shares,
    found: &[Name],
) -> Vec<(usize, Name)> {
    let near = |a: f64, b: f64, off: f64| (a - b).abs() <= off * a.max(b);
    let mut stay: Vec<(usize, Name)> = Vec::new();
    for (name, parts) in shares {
        let (&[(at, promised)], Some(both)) = (parts.as_slice(), places.all.get(name)) else {
            continue;
        };
        let finding = fixes[at].finding;
        let is_known = places.gathered.contains_key(name);
        if name.0.is_empty() || finding.external || fixes[at].moved.is_some() || is_known {
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
pub(super) fn slot_blocks<'p>(
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
