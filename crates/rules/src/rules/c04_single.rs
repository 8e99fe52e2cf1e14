//! # C04 · maps of one entry
//!
//! ## What it is
//! Maps and hashes that hold a single key and its value.
//!
//! ## Why it costs
//! A map is made for many entries: a header, room for the first several, often a table of bins. One pair needs two
//! slots.
//!
//! ## How it is found
//! Maps whose number of entries is known to be one, from 16 at one holder, where they are more than half of all maps
//! that are not empty. Sets are passed over, and so are maps of a class that extends one of the runtime's: its methods
//! are the program's reason for it, and a pair has none.
//!
//! ## How the saving is computed
//! The bytes of each map with its store, and with what it alone holds for keys that are absent, less a record of two fields that holds the pair. Where the runtime has maps of one
//! entry that take no other, the evidence has what these would save as well (`map_of_one`).
//!
//! ## How to fix it
//! Keep the key and the value in a small object of two fields, which is what the saving is computed with, and make a
//! map when a second entry comes. Two fields of the owner are less where nearly all owners have such a map, and more
//! where many do not, or where they are the fields for which the owner grows out of its slot.
//!
//! - JavaScript: an object or array of two, or two fields.
//! - Ruby: a `Struct` of two or `[key, value]`; two instance variables only where the object has three at most with them
//!   (before 3.2; later its slot shows it).
//! - Java: a record of two fields. `Map.of(key, value)` has two more, which all immutable maps have: it is the way where
//!   other code takes any map.
//! - Python: a class of two `__slots__`; a tuple `(key, value)` takes 16 bytes more.
//! - C++, Rust: a pair, or an enum of one pair or a map; a sorted small vector.
//!
//! ## When not to
//! When more entries are about to come, or code elsewhere takes any map.

use deadweight_heap::{Heap, Holders, ObjectId, Representation, Table};
use serde_json::json;

use crate::alone::Alone;
use crate::count::Count;
use crate::maps::is_replaceable;
use crate::{Basis, Candidate, Code, Rule, Verdict};

/// Fewer at one holder are no habit.
const FEWEST: usize = 16;

/// The rule.
pub struct SingleEntries;

impl Rule for SingleEntries {
    fn code(&self) -> Code {
        Code("C04")
    }

    fn source(&self) -> &'static str {
        include_str!("c04_single.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("no second entry comes")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if let Some(blind) = Verdict::of_blocks(heap) {
            return blind;
        }
        let holders = Holders::new(heap);
        let maps = holders.group_all(heap.tables.len(), |at| {
            let table = &heap.tables[at];
            // Empty ones are another rule's; those of unknown size count as many.
            let is_map = table.used > 0 && is_replaceable(heap, table);
            is_map.then_some((table.object, table))
        });
        let places = maps.into_iter().map(|(holder, maps)| (holder, Place::of(&maps)));
        let places: Vec<_> = places.filter(|(_, place)| place.is_habit()).collect();
        let maps = places.iter().flat_map(|(_, place)| &place.single);
        let alone = Alone::of_tables(heap, maps.copied());
        let candidates = places
            .iter()
            .map(|(holder, place)| candidate(heap, holders.name(*holder), place, &alone));
        candidates.collect::<Vec<_>>().into()
    }
}

/// Maps of one holder that are not empty.
struct Place {
    single: Vec<ObjectId>,
    others: u64,
}

impl Place {
    fn of(maps: &[&Table]) -> Self {
        let single = maps.iter().filter(|table| table.used == 1);
        let single: Vec<ObjectId> = single.map(|table| table.object).collect();
        let others = (maps.len() - single.len()) as u64;
        Self { single, others }
    }

    fn is_habit(&self) -> bool {
        self.single.len() >= FEWEST && self.single.len() as u64 > self.others
    }
}

fn candidate(heap: &Heap, holder: String, place: &Place, alone: &Alone) -> Candidate {
    let mut candidate = Candidate::at(holder)
        .assuming("no second entry comes")
        .at_all_places();
    for &map in &place.single {
        for row in std::iter::once(map).chain(alone.below(map).iter().copied()) {
            candidate.bytes_now += candidate.claim_whole(heap, row);
        }
    }
    let count = place.single.len() as u64;
    let pair = heap.layout.record_of(Representation::Any, 2);
    candidate.overhead = count * pair;
    candidate.count = count;
    candidate.unaffected = place.others;
    candidate.title = format!("{} of one entry", Count(count).of("map", "maps"));
    let said = heap.layout.wording().fields;
    let said = said.map(|said| format!(" in {said}")).unwrap_or_default();
    candidate.fix = format!(
        "keep key and value in a small object of two fields{said}; make a map when a second entry comes"
    );
    candidate.show("bytes_of_a_pair", pair);
    if let Some(one) = heap.layout.map_of_one() {
        let now = candidate.claims.bytes();
        let saves = now.saturating_sub(count * one);
        candidate.show("map_of_one", json!({"bytes_each": one, "saves": saves}));
    }
    let each: Vec<_> = place
        .single
        .iter()
        .take(3)
        .map(|&map| json!(heap.whole_bytes(map)))
        .collect();
    candidate.show("bytes_each", each);
    candidate
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{EdgeKind, HeapBuilder, UNKNOWN};

    use super::*;

    fn maps(heap: &mut HeapBuilder, field: &str, count: usize, entries: usize) -> Vec<ObjectId> {
        let x = heap.string("x");
        (0..count)
            .map(|_| {
                let map = heap.map(4, &vec![(x, x); entries]);
                let node = heap.record("Node", &[(field, map)]);
                heap.variable("nodes", node);
                map
            })
            .collect()
    }

    #[test]
    fn the_map_goes_and_a_pair_comes() {
        let mut heap = HeapBuilder::new();
        let found = maps(&mut heap, "attributes", 20, 1);
        maps(&mut heap, "attributes", 3, 2);
        let heap = heap.build();
        let now = heap.whole_bytes(found[0]);
        let pair = heap.layout.record_of(Representation::Any, 2);
        let candidates = SingleEntries.look(&heap).candidates;
        assert_eq!(candidates.len(), 1);
        let has_maps_of_one = heap.layout.map_of_one().is_some();
        assert_eq!(candidates[0].evidence.contains_key("map_of_one"), has_maps_of_one);
        assert_eq!(candidates[0].holder, "Node.attributes");
        assert_eq!((candidates[0].count, candidates[0].unaffected), (20, 3));
        assert_eq!(candidates[0].net(), 20 * (now.cast_signed() - pair.cast_signed()));
        assert!(candidates[0].assumes.is_some());
        assert!(candidates[0].fix.contains("object of two fields in `fields`; "));
    }

    /// What makes the values of absent keys goes with the map, unless something else has it, too; the entry stays.
    #[test]
    fn what_the_map_alone_has_for_absent_keys_goes_with_it() {
        let net = |shared: bool| {
            let mut heap = HeapBuilder::new();
            let name = heap.text("default");
            let common = heap.record("Proc", &[]);
            for map in maps(&mut heap, "attributes", 20, 1) {
                let own = if shared { common } else { heap.record("Proc", &[]) };
                heap.resize(own, 72);
                heap.edge(map, EdgeKind::Field, name, own);
            }
            SingleEntries.look(&heap.build()).candidates[0].net()
        };
        assert_eq!(net(false) - net(true), 20 * 72);
    }

    /// A pair has no methods.
    #[test]
    fn maps_of_a_class_of_the_programs_own_stay() {
        let mut heap = HeapBuilder::new();
        maps(&mut heap, "attributes", 20, 1);
        heap.library("Map", false, &[]);
        assert!(SingleEntries.look(&heap.build()).candidates.is_empty());
    }

    /// Nor has it the fields that a class adds.
    #[test]
    fn maps_with_fields_beside_their_entry_stay() {
        let mut heap = HeapBuilder::new();
        for map in maps(&mut heap, "attributes", 20, 1) {
            heap.resize(map, 40);
        }
        assert!(SingleEntries.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn few_empty_unknown_and_mixed_ones_are_passed_over() {
        let mut heap = HeapBuilder::new();
        maps(&mut heap, "few", 15, 1);
        maps(&mut heap, "empty", 40, 0);
        maps(&mut heap, "mixed", 20, 1);
        maps(&mut heap, "mixed", 20, 2);
        for map in maps(&mut heap, "unknown", 20, 1) {
            heap.change_table(map, |table| table.used = UNKNOWN);
        }
        for set in maps(&mut heap, "sets", 20, 1) {
            heap.change_table(set, |table| table.set = true);
        }
        assert!(SingleEntries.look(&heap.build()).candidates.is_empty());
    }
}
