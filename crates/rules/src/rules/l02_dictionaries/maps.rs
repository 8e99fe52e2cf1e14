//! Maps that all have the same keys, where the runtime's maps are no records.

use deadweight_heap::{EdgeKind, Flags, Heap, Holders, Kind, Parts, Representation, Table, TextId, UNKNOWN};
use rustc_hash::FxHashMap;

use super::LEAST;
use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::{Basis, Candidate};

/// A map of fewer entries is a pair, which is another rule's.
const FEWEST_ENTRIES: u32 = 2;

/// No record has more fields.
const MOST_KEYS: usize = 1000;

/// Keys that are shown.
const EXAMPLES: usize = 8;

/// Candidates for maps of the same keys, by the holder that names them.
pub(super) fn maps(heap: &Heap) -> Vec<Candidate> {
    let holders = Holders::new(heap);
    let found = holders.group_all(heap.tables.len(), |at| {
        let table = &heap.tables[at];
        is_map(heap, table).then_some((table.object, table))
    });
    let found = found.into_iter().filter_map(|(holder, maps)| {
        let keys = common_keys(heap, &maps)?;
        Some(candidate(heap, holders.name(holder), &maps, &keys))
    });
    found.collect()
}

/// A map of the program with several entries that a record can replace.
fn is_map(heap: &Heap, table: &Table) -> bool {
    let ty = heap.objects.label[table.object as usize];
    let is_extended = heap.types.of_library(ty).is_some_and(|of| !of.whole);
    let has_entries = !table.set && table.used != UNKNOWN && table.used >= FEWEST_ENTRIES;
    has_entries
        && !is_extended
        && heap.in_program(table.object)
        && heap.layout.keeps_keys(table.implementation)
        && !heap.has_fields_beside_entries(table.object)
}

/// The keys of maps that are all whole texts, the most frequent first; `None` where they differ from map to map.
fn common_keys(heap: &Heap, maps: &[&Table]) -> Option<Vec<TextId>> {
    if maps.len() < LEAST {
        return None;
    }
    let mut counts: FxHashMap<TextId, u64> = FxHashMap::default();
    let mut entries = 0;
    for map in maps {
        entries += u64::from(map.used);
        let apart = (map.store != map.object).then_some(map.store);
        let of_store = apart.into_iter().flat_map(|store| heap.edges.of(store));
        let keys = heap.edges.of(map.object).chain(of_store);
        let mut shown = 0;
        for key in keys.filter(|edge| edge.via.kind() == EdgeKind::Key) {
            let is_text = heap.kind(key.to) == Kind::String && !heap.objects.has(key.to, Flags::INCOMPLETE);
            if !is_text {
                return None;
            }
            *counts.entry(heap.objects.label[key.to as usize]).or_default() += 1;
            shown += 1;
        }
        if shown != map.used || counts.len() > MOST_KEYS {
            return None;
        }
    }
    if counts.len() as u64 * maps.len() as u64 > 2 * entries {
        return None;
    }
    let mut keys: Vec<TextId> = counts.keys().copied().collect();
    keys.sort_unstable_by_key(|key| (std::cmp::Reverse(counts[key]), *key));
    Some(keys)
}

fn candidate(heap: &Heap, holder: String, maps: &[&Table], keys: &[TextId]) -> Candidate {
    let mut candidate = Candidate::at(holder)
        .assuming("no other key comes")
        .at_all_places();
    candidate.basis = Some(Basis::Behaviour("no other key comes"));
    let mut parts = Parts::default();
    let record = heap.layout.record_of(Representation::Any, keys.len() as u64);
    for map in maps {
        candidate.bytes_now += parts.claim_whole(heap, &mut candidate, map.object);
    }
    candidate.count = maps.len() as u64;
    candidate.overhead = candidate.count * record + heap.layout.shape(keys.len() as u64);
    candidate.title = format!("{} have the same keys", Count(candidate.count).of("map", "maps"));
    candidate.fix = "use a class or struct with a field for each key".into();
    let shown: Vec<_> = keys.iter().take(EXAMPLES).map(|&key| heap.texts.shown(key, 32)).collect();
    candidate.show("fields", shown);
    candidate.show("fields_at_most", keys.len() as u64);
    candidate.show("bytes_of_a_record", record);
    let entries: u64 = maps.iter().map(|map| u64::from(map.used)).sum();
    candidate.show("entries", entries);
    candidate
}
