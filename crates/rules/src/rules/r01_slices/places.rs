//! Where the windows stand: one place for each text and buffer.

use deadweight_heap::{Flags, Heap, HolderId, Holders, ObjectId};
use deadweight_infer::SliceCopies;
use rustc_hash::FxHashMap;

use super::finding::{candidate, is_waste};
use super::pins::Pin;
use crate::Candidate;

#[derive(Default)]
pub(super) struct Place {
    pub(super) pins: Vec<Pin>,
    pub(super) unaffected: u64,
    /// Slices that stand for those of unknown length here.
    pub(super) known: usize,
}

pub(super) fn at_holders(
    heap: &Heap,
    copies: &SliceCopies<'_>,
    pins: Vec<Pin>,
    small: Vec<Pin>,
    unaffected: &[(ObjectId, bool)],
) -> Vec<Candidate> {
    let mut places: FxHashMap<(HolderId, bool), Place> = FxHashMap::default();
    let mut names: FxHashMap<HolderId, String> = FxHashMap::default();
    for mut pin in pins {
        let external = heap.objects.has(pin.row, Flags::EXTERNAL);
        let holder = stand_most(&copies.holders, &mut names, &mut pin);
        let place = places.entry((holder, external)).or_default();
        place.pins.push(pin);
    }
    // Where nothing is worth a finding for itself, there is none.
    places.retain(|_, place| is_waste(heap, place));
    if places.is_empty() {
        return Vec::new();
    }
    for mut pin in small {
        let holder = stand_most(&copies.holders, &mut names, &mut pin);
        if let Some(place) = places.get_mut(&(holder, false)) {
            place.pins.push(pin);
        }
    }
    for &(window, external) in unaffected {
        if let Some(place) = places.get_mut(&(copies.holders.of(window), external)) {
            place.unaffected += 1;
        }
    }
    places
        .into_iter()
        .map(|((holder, external), mut place)| {
            place.known = copies.mean(holder).map_or(0, |mean| mean.slices);
            candidate(heap, &copies.holders, holder, external, place)
        })
        .collect()
}

/// Where most windows on what is pinned stand; of several such places the first by name, so that every dump of a
/// program says the same.
fn stand_most(holders: &Holders<'_>, names: &mut FxHashMap<HolderId, String>, pin: &mut Pin) -> HolderId {
    let first = holders.of(pin.window);
    let mut stand: FxHashMap<HolderId, u64> = FxHashMap::default();
    for &(slice, _) in &pin.slices {
        *stand.entry(holders.of(slice)).or_default() += 1;
    }
    if stand.len() < 2 {
        return first;
    }
    for &holder in stand.keys() {
        names.entry(holder).or_insert_with(|| holders.name(holder));
    }
    pin.stand = stand.into_iter().collect();
    pin.stand
        .sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| names[&a.0].cmp(&names[&b.0])));
    pin.stand[0].0
}

/// The other places where windows on what is pinned at one stand, with how many there are, the most first.
pub(super) fn others(holders: &Holders<'_>, holder: HolderId, pins: &[Pin]) -> Vec<(String, u64)> {
    let mut others: FxHashMap<HolderId, u64> = FxHashMap::default();
    for &(at, windows) in pins.iter().flat_map(|pin| &pin.stand) {
        if at != holder {
            *others.entry(at).or_default() += windows;
        }
    }
    let mut others: Vec<_> = others
        .into_iter()
        .map(|(at, windows)| (holders.name(at), windows))
        .collect();
    others.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    others
}
