//! What holds texts by several words, and holds views of them with the fix.

use std::fmt::Write as _;

use deadweight_heap::{Heap, ObjectId, Request};
use deadweight_infer::TextRecords;
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::Candidate;
use crate::count::Count;

/// A text with room for a short one in place, as C++ has it, in bytes…
const IN_PLACE: u64 = 32;
/// … and what a node of its hash set has beside that: a link and a hash.
const NODE: u64 = 16;
/// A bucket of that set.
const BUCKET: u64 = 8;
/// Two counts of references stand before a text that several share in Rust.
const COUNTS: u64 = 16;

/// What holds the texts gets shorter where a member of several words becomes an address and a length. Somebody has to own the
/// texts then.
pub(super) fn shorten<'r>(
    heap: &Heap,
    records: impl Iterator<Item = &'r TextRecords>,
    candidate: &mut Candidate,
) {
    let records: Vec<&TextRecords> = records.collect();
    let mut shorter: FxHashMap<ObjectId, u32> = FxHashMap::default();
    for &(row, bytes) in records.iter().flat_map(|records| &records.rows) {
        *shorter.entry(row).or_default() += bytes;
    }
    let Some(largest) = records
        .iter()
        .max_by_key(|records| (records.rows.len(), records.member_bytes))
    else {
        return;
    };
    let mut rows: Vec<(ObjectId, u32)> = shorter.into_iter().collect();
    rows.sort_unstable();
    let freed: u64 = rows
        .iter()
        .map(|&(row, bytes)| candidate.shorten(heap, row, bytes))
        .sum();
    // Of what is there now that is the part concerned.
    candidate.bytes_now += freed;
    let holders = Count(rows.len() as u64).of("block", "blocks");
    write!(
        candidate.fix,
        ", and hold it by its address and length: {} bytes where {} were, in {holders}",
        largest.view_bytes, largest.member_bytes
    )
    .expect("a text takes what is written");
    // A text that what was there before refers to as well is in no member: where most of those that stay are in members, all are.
    let in_members: u64 = records.iter().map(|records| records.kept).sum();
    let kept = if in_members * 2 >= candidate.unaffected {
        candidate.unaffected
    } else {
        in_members
    };
    candidate.overhead += kept
        * if largest.member_bytes == IN_PLACE {
            heap.allocator.charge(Request::with(IN_PLACE + NODE, true)) + BUCKET
        } else {
            COUNTS
        };
    candidate.show(
        "holders",
        json!({
            "blocks": rows.len(),
            "member_bytes": largest.member_bytes,
            "view_bytes": largest.view_bytes,
            "save_bytes": freed,
        }),
    );
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::super::tests::look;

    #[test]
    fn records_that_hold_texts_by_several_words_get_shorter_with_the_fix() {
        let records = |members: u64| {
            let mut heap = HeapBuilder::new();
            for at in 0..40_u64 {
                let mut words = vec![at * 7];
                for member in 0..members {
                    let own = heap.block(
                        ["first", "second"][member as usize % 2],
                        b"a text that is the same in all of them",
                    );
                    words.extend([38, HeapBuilder::address(own), 38]);
                }
                let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
                let record = heap.block("record", &words);
                for member in 0..members as u32 {
                    heap.edge(
                        record,
                        deadweight_heap::EdgeKind::Internal,
                        member,
                        record - 1 - member,
                    );
                }
            }
            look(heap)
        };
        let found = records(1);
        assert_eq!(found[0].net(), 39 * 38 + 40 * 8 - 16);
        assert_eq!(found[0].evidence["holders"]["save_bytes"], 40 * 8);
        assert_eq!(
            found[0].fix,
            "keep one copy of each text, found in a table, and hold it by its address and length: 16 bytes where 24 were, \
             in 40 blocks"
        );
        // Each place has the members that hold its texts.
        let nets: Vec<i64> = records(2).iter().map(crate::Candidate::net).collect();
        assert_eq!(nets, [39 * 38 + 40 * 8 - 16, 40 * 38 + 40 * 8]);
    }
}
