//! The finding at one place.

use deadweight_heap::{Heap, HolderId, Holders};
use deadweight_infer::UNITS_AT_MOST;
use serde_json::json;

use super::LEAST_WASTE;
use super::pins::Pin;
use super::places::{Place, others};
use crate::also_held::at_others;
use crate::count::Count;
use crate::{Basis, Candidate};

/// What copying out views of buffers rests on.
const UNSHARED: &str = "the views do not overlap, and nobody writes through one to be read by another";

/// What copying out texts rests on where strings that may be changed share their characters.
const CUT_AGAIN: &str =
    "nothing is cut out of the copies later, or copied from them, which would make them share again";

/// A single buffer counts from here: below it may be a pool that is being filled.
const ONE_LARGE: u64 = 1 << 20;

/// Fewer smaller buffers than these are no habit.
const SEVERAL: u64 = 4;

pub(super) fn candidate(
    heap: &Heap,
    holders: &Holders<'_>,
    holder: HolderId,
    external: bool,
    mut place: Place,
) -> Candidate {
    let waste = |pin: &Pin| waste(heap, pin);
    place
        .pins
        .sort_unstable_by_key(|pin| (std::cmp::Reverse(waste(pin)), pin.row));
    let total: u64 = place.pins.iter().map(waste).sum();
    let texts = place.pins.iter().any(|pin| pin.text);
    let objects: u64 = place.pins.iter().map(|pin| objects_of_copies(heap, pin)).sum();
    let mut candidate = Candidate::at(holders.name(holder));
    let estimated: u64 = place.pins.iter().map(|pin| pin.estimated).sum();
    let wide: u64 = place.pins.iter().map(|pin| pin.wide).sum();
    if place.pins.iter().any(|pin| pin.assumed) {
        candidate = candidate.assuming(format!(
            "slices whose length the dump does not show have at most {UNITS_AT_MOST} characters"
        ));
    } else if estimated > 0 {
        candidate = candidate.assuming(format!(
            "the {} whose length was recorded stand for {} more",
            Count(place.known as u64).of("slice", "slices"),
            Count(estimated)
        ));
    } else if wide > 0 {
        candidate = candidate.assuming(format!(
            "the copies of {} have two bytes a character, as their texts do: those of Latin letters alone may have one",
            Count(wide).of("slice", "slices")
        ));
    } else if !texts {
        candidate = candidate.assuming(UNSHARED);
    } else if !heap.layout.strings_are_immutable() {
        candidate = candidate.assuming(CUT_AGAIN);
    }
    if place.pins.iter().any(|pin| !pin.text) {
        candidate.basis = Some(Basis::Behaviour(UNSHARED));
    }
    candidate.external = external;
    candidate.count = place.pins.len() as u64;
    candidate.unaffected = place.unaffected;
    let mut windows = 0;
    for pin in &place.pins {
        windows += pin.windows;
        let now = heap.bytes(pin.row);
        candidate.bytes_now += now;
        let grown = pin.slices.iter();
        let grown: u64 = grown
            .map(|&(slice, copy)| copy.saturating_sub(heap.bytes(slice)))
            .sum();
        // Copies of views that stay are charged where the pinned bytes were.
        candidate.claim(pin.row, now - (pin.copies - grown));
        for &row in &pin.beside {
            candidate.bytes_now += heap.bytes(row);
            candidate.claim(row, heap.bytes(row));
        }
        for &(slice, copy) in &pin.slices {
            let slice_now = heap.bytes(slice);
            candidate.bytes_now += slice_now;
            if copy > slice_now {
                candidate.add_to(slice, copy - slice_now);
            } else if copy < slice_now {
                candidate.claim(slice, slice_now - copy);
            }
        }
    }
    let pinned: u64 = place.pins.iter().map(|pin| heap.bytes(pin.row)).sum();
    let what = if texts {
        ("text", "texts")
    } else {
        ("buffer", "buffers")
    };
    candidate.title = format!(
        "{} {} {}",
        Count(windows).of("slice", "slices"),
        if windows == 1 { "pins" } else { "pin" },
        Count(place.pins.len() as u64).of(what.0, what.1)
    );
    candidate.fix = "copy what is kept, so that the rest can go".into();
    let others = others(holders, holder, &place.pins);
    if !others.is_empty() {
        candidate.fix.push_str(&at_others(&others));
        let also: Vec<_> = others
            .iter()
            .take(5)
            .map(|(place, slices)| json!({"place": place, "slices": slices}))
            .collect();
        candidate.show("also_pinned_from", also);
    }
    candidate.show("slices", windows);
    if estimated > 0 {
        candidate.show("slices_of_estimated_length", estimated);
    }
    candidate.show("pinned_bytes", pinned);
    candidate.show("copies_bytes", pinned - total);
    if objects > 0 {
        candidate.show("objects_of_copies_bytes", objects);
    }
    let examples: Vec<_> = place
        .pins
        .iter()
        .take(3)
        .map(|pin| json!({"pinned_bytes": heap.bytes(pin.row), "slices": pin.windows, "copies_bytes": pin.copies}))
        .collect();
    candidate.show("examples", examples);
    candidate
}

/// Whether what is pinned at a place is worth a finding.
pub(super) fn is_waste(heap: &Heap, place: &Place) -> bool {
    let waste = |pin: &Pin| waste(heap, pin);
    let total: u64 = place.pins.iter().map(waste).sum();
    let texts = place.pins.iter().any(|pin| pin.text);
    let several = place.pins.len() as u64 >= SEVERAL || place.pins.iter().any(|pin| waste(pin) >= ONE_LARGE);
    let objects: u64 = place.pins.iter().map(|pin| objects_of_copies(heap, pin)).sum();
    total >= LEAST_WASTE && (texts || several) && total >= objects.saturating_mul(2)
}

/// Bytes that go when what is pinned becomes copies.
fn waste(heap: &Heap, pin: &Pin) -> u64 {
    heap.bytes(pin.row).saturating_sub(pin.copies)
}

/// Bytes of the objects inside the heap that copies of views need beside the one that is there.
fn objects_of_copies(heap: &Heap, pin: &Pin) -> u64 {
    pin.own
        .map_or(0, |own| heap.bytes(own).saturating_mul(pin.windows - 1))
}
