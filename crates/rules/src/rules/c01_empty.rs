//! # C01 · empty containers
//!
//! ## What it is
//! Arrays, maps, sets and records that were made in case something comes, and nothing came.
//!
//! ## Why it costs
//! An empty container has a header, and often a store with its first slots. A table of a few words is paid for in each
//! of a million records.
//!
//! ## How it is found
//! Containers whose number of entries is known to be none and that refer to nothing, from 16 at one holder. A record
//! counts only when its slots explain its bytes: a larger one holds state that the dump does not show. A container of a library's
//! class is one at the program's place, and what its class keeps in it is no finding of its own.
//!
//! ## How the saving is computed
//! The bytes of the containers with their stores, and the shape of a record that nothing else is laid out by. What gives
//! a table its default goes with it where nothing else refers to it: in Ruby a block with the variables it closes over, in
//! Python the function of a `defaultdict`. With a container of a library's class goes all that it alone holds: of a `WeakSet`
//! in Python a function, its cells and two sets.
//! Where containers are the values of a table, their entries go, too: the node of each, the keys that nothing else refers
//! to, and what a table takes less that was filled with the other entries alone. A table that has other room than one that
//! was filled entry by entry keeps it.
//!
//! ## How to fix it
//! Leave the field empty until something comes, or let all share one empty container that nobody writes to. In a table, leave
//! the key out, unless the keys are data themselves, as the nodes of a graph are: then share one empty container.
//!
//! - JavaScript: `field = undefined` and `(this.items ??= []).push(x)`; or one `Object.freeze([])`.
//! - Ruby: `@items ||= []` where it is first written, `(@items ||= {})[key] ||= []` in place of `Hash.new { … }`;
//!   `EMPTY = [].freeze` for readers.
//! - Java: `List.of()`, `Collections.emptyMap()`, or null until it is written.
//! - Python: `self.items = ()`, which is one object for all, and a list when something comes; or `self.items = None`.
//! - C++, Rust: a pointer to the container, or a vector, which allocates nothing until it is written.
//!
//! ## When not to
//! When all of them are about to be filled, or the object serves as an identity of its own.

mod entries;

use deadweight_heap::{Heap, HolderId, Holders, Kind, NONE, ObjectId};
use deadweight_weighing::NotMeasured;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use entries::{Entries, OfTables, of_values};

use crate::alone::Alone;
use crate::count::Count;
use crate::{Basis, Candidate, Code, Rule, Verdict};

/// Fewer at one holder are no habit.
const FEWEST: usize = 16;

/// One in so many held bytes of which it is not known is worth saying.
const UNSEEN_SHARE: u64 = 100;

/// The rule.
pub struct Empty;

impl Rule for Empty {
    fn code(&self) -> Code {
        Code("C01")
    }

    fn source(&self) -> &'static str {
        include_str!("c01_empty.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Data
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if let Some(blind) = Verdict::of_blocks(heap) {
            return blind;
        }
        let holders = Holders::new(heap);
        let alone = Alone::of_empty(heap);
        let empty = holders.group_all(containers_len(heap), |at| {
            let (id, kind) = container(heap, at)?;
            let is_empty = || heap.is_empty_container(id) || heap.is_empty_container_of_library(id);
            (!alone.has(id) && is_empty()).then_some((id, (kind, id)))
        });
        let mut places: FxHashMap<HolderId, Place> = FxHashMap::default();
        let mut kinds = [false; KINDS.len()];
        for (holder, empty) in empty {
            for &(kind, _) in &empty {
                kinds[kind] = true;
            }
            if empty.len() >= FEWEST {
                let seen = [0; KINDS.len()];
                let entries = of_values(heap, &empty);
                places.insert(holder, Place { empty, seen, entries });
            }
        }
        let not_measured = not_measured(heap);
        if places.is_empty() {
            return Verdict {
                candidates: Vec::new(),
                not_measured,
            };
        }
        let seen = holders.group_all(containers_len(heap), |at| {
            let (id, kind) = container(heap, at)?;
            kinds[kind].then_some((id, kind as u8))
        });
        for (holder, seen) in seen {
            if let Some(place) = places.get_mut(&holder) {
                for kind in seen {
                    place.seen[usize::from(kind)] += 1;
                }
            }
        }
        let entries = Entries::of(heap, places.values().map(|place| &place.entries));
        let candidates = places.into_iter().map(|(holder, place)| {
            let mut found = candidate(heap, holders.name(holder), &place, &alone);
            without_entries(&place, &entries, &mut found);
            found
        });
        Verdict {
            candidates: candidates.collect(),
            not_measured,
        }
    }
}

const KINDS: [(&str, &str, Kind); 4] = [
    ("arrays", "array", Kind::Array),
    ("tables", "table", Kind::Table),
    ("records", "record", Kind::Record),
    // Of a library's class: a queue around a list.
    ("containers", "container", Kind::Record),
];

struct Place {
    empty: Vec<(usize, ObjectId)>,
    /// Containers here, empty or not, by kind.
    seen: [u64; KINDS.len()],
    /// Entries of tables that have them for values.
    entries: OfTables,
}

/// How many things [`container`] knows.
fn containers_len(heap: &Heap) -> usize {
    heap.arrays.len() + heap.tables.len() + heap.records.len()
}

/// The container at a place among arrays, tables and records, with the index of its kind, when it is one of the program.
fn container(heap: &Heap, at: usize) -> Option<(ObjectId, usize)> {
    let tables = heap.arrays.len();
    let records = tables + heap.tables.len();
    let (id, kind) = if at < tables {
        (heap.arrays[at].object, 0)
    } else if at < records {
        (heap.tables[at - tables].object, 1)
    } else {
        (heap.records[at - records].object, 2)
    };
    if kind == 2 && heap.is_container_of_library(id) {
        return Some((id, 3));
    }
    (heap.kind(id) == KINDS[kind].2 && heap.in_program(id)).then_some((id, kind))
}

/// Arrays and tables in which nothing is seen, and which may be full of what the dump does not show.
fn not_measured(heap: &Heap) -> Vec<NotMeasured> {
    let arrays_and_tables = heap.arrays.len() + heap.tables.len();
    let hidden = (0..arrays_and_tables).into_par_iter().with_min_len(4096);
    let hidden = hidden.filter_map(|at| {
        let (id, _) = container(heap, at)?;
        heap.may_be_empty(id).then(|| (1_u64, heap.whole_bytes(id)))
    });
    let (count, bytes) = hidden.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    if bytes == 0 || bytes <= heap.held_bytes() / UNSEEN_SHARE {
        return Vec::new();
    }
    vec![NotMeasured::new(
        format!(
            "whether {} ({} bytes) {} empty is not in the dump",
            Count(count).of("container", "containers"),
            Count(bytes),
            if count == 1 { "is" } else { "are" }
        ),
        heap.runtime.recapture.clone(),
    )]
}

/// Claims the shape that goes with its only record. Gives its bytes.
fn shape_of_its_own(heap: &Heap, id: ObjectId, candidate: &mut Candidate) -> u64 {
    let shape = heap.record(id).map_or(NONE, |record| record.shape);
    let alone = heap.shape(shape).is_some_and(|shape| shape.instances == 1);
    if alone {
        candidate.claim_whole(heap, shape)
    } else {
        0
    }
}

/// Claims the entries of which the containers are the values. Where the keys are data themselves, the entries stay.
fn without_entries(place: &Place, entries: &Entries<'_>, candidate: &mut Candidate) {
    if place.entries.is_empty() {
        return;
    }
    let saves = candidate.net();
    let bytes = entries.claim(&place.entries, candidate);
    candidate.bytes_now += bytes;
    candidate.show("bytes_of_entries", bytes);
    candidate.show("shared", json!({ "saves": saves }));
    candidate.fix = format!(
        "leave the key out until the first entry comes; where the keys are data themselves, share one empty container, which \
         frees {} bytes",
        Count(saves.unsigned_abs())
    );
    candidate.assumes =
        Some("no code compares them by identity, and a key that is absent says the same".into());
    candidate.basis = Some(Basis::Behaviour("a key that is absent says the same"));
}

fn candidate(heap: &Heap, holder: String, place: &Place, alone: &Alone) -> Candidate {
    let mut candidate = Candidate::at(holder)
        .assuming("no code compares them by identity, and one that is shared is never filled");
    candidate = candidate.at_all_places();
    let mut counts = [0_u64; KINDS.len()];
    let mut types: FxHashMap<&str, (u64, u64)> = FxHashMap::default();
    for &(kind, id) in &place.empty {
        counts[kind] += 1;
        let mut bytes = candidate.claim_whole(heap, id) + shape_of_its_own(heap, id, &mut candidate);
        for &row in alone.below(id) {
            bytes += candidate.claim_whole(heap, row);
        }
        candidate.bytes_now += bytes;
        let of_type = types.entry(heap.type_name(id)).or_default();
        *of_type = (of_type.0 + 1, of_type.1 + bytes);
    }
    candidate.count = place.empty.len() as u64;
    let present = || (0..KINDS.len()).filter(|&kind| counts[kind] > 0);
    candidate.unaffected = present()
        .map(|kind| place.seen[kind].saturating_sub(counts[kind]))
        .sum();
    let names: Vec<_> = present()
        .map(|kind| Count(counts[kind]).of(KINDS[kind].1, KINDS[kind].0))
        .collect();
    candidate.title = format!("{} are empty", names.join(", "));
    candidate.fix = "create it when the first entry comes, or share one empty container".into();
    for kind in present() {
        candidate.show(&format!("empty_{}", KINDS[kind].0), counts[kind]);
    }
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_unstable_by_key(|&(name, (_, bytes))| (std::cmp::Reverse(bytes), name));
    let examples: Vec<_> = types
        .iter()
        .take(3)
        .map(|(name, (count, bytes))| json!({"type": name, "count": count, "bytes_each": bytes / count}))
        .collect();
    candidate.show("examples", examples);
    candidate
}

#[cfg(test)]
mod tests;
