//! Equal contents of buffers that are no text.

use deadweight_heap::{Buffer, Flags, Heap, HolderId, Holders, NONE, ObjectId, Parts, RowSet};
use deadweight_infer::{Backings, OnOne, Place, cut_up, holder_of, unused_room};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::FEWEST_BYTES;
use crate::count::Count;
use crate::{Candidate, Verdict, unknown_contents};

/// Of a raw block that is nearly empty less than one in so many bytes is in use.
const EMPTY_SHARE: u64 = 4;

/// Unknown contents are worth saying from so many bytes on, and one in so many of the bytes outside the heap.
const LEAST_UNSEEN: u64 = 64 << 10;
const UNSEEN_SHARE: u64 = 100;

/// Equal contents of buffers that are no text, at each place.
pub(super) fn of_buffers(heap: &Heap, is_text: &RowSet) -> Verdict {
    let backings = Backings::new(heap);
    let others = rooms_and_nodes(heap);
    let holders = Holders::new(heap);
    let mut places: FxHashMap<HolderId, At<'_, '_>> = FxHashMap::default();
    let mut unknown = (0_u64, 0_u64);
    for on_one in backings.iter() {
        let own = on_one[0];
        let is_left = own.zeros == own.bytes
            || is_text.has(own.object)
            || is_nearly_empty(heap, own)
            || others.has(own.object);
        if !own.is_backing || own.bytes == 0 || is_left {
            continue;
        }
        if own.hash == 0 {
            unknown.0 += 1;
            unknown.1 += own.bytes;
            continue;
        }
        let place = places.entry(holder_of(on_one, &holders)).or_default();
        place.buffers += 1;
        let value = place.values.entry((own.bytes, own.hash)).or_insert(Value {
            copies: 0,
            views: on_one.len() - 1,
        });
        value.copies += 1;
        if value.copies > 1 {
            place.redundant.push((on_one, value.views));
        }
    }
    let mut verdict = Verdict::default();
    let copies = places.values().flat_map(|place| &place.redundant);
    let blocks = copies.filter(|(copy, _)| copy[0].has_bytes_inside());
    let cut_up = cut_up(heap, blocks.map(|(copy, _)| copy[0].object));
    for (holder, place) in places {
        // Equal cells of a pool are no copies: each is another object's.
        let pools = place
            .redundant
            .iter()
            .filter(|(copy, _)| cut_up.has(copy[0].object));
        if pools.count() * 2 > place.redundant.len() {
            continue;
        }
        let both = [candidate(heap, &place, true), candidate(heap, &place, false)];
        let frees: u64 = both
            .iter()
            .map(|candidate| candidate.net().max(0).cast_unsigned())
            .sum();
        if frees < FEWEST_BYTES {
            continue;
        }
        for mut candidate in both {
            if candidate.net() > 0 {
                candidate.holder = holders.name(holder);
                verdict.candidates.push(candidate);
            }
        }
    }
    if unknown.1 >= LEAST_UNSEEN.max(heap.external_bytes() / UNSEEN_SHARE) {
        let unseen = unknown_contents(heap, unknown.0, unknown.1);
        verdict.not_measured.push(unseen);
    }
    verdict
}

/// Raw blocks that use less than half of their room, of which the rest is nobody's content, and those that a library's
/// container makes for itself: nobody can hand it another.
fn rooms_and_nodes(heap: &Heap) -> RowSet {
    let room = unused_room(heap);
    let rooms = room.places.iter().flat_map(|place| &place.blocks);
    let is_node = |&row: &ObjectId| {
        let place = heap.blocks.any().then(|| Place::of(heap, row)).flatten();
        place.is_some_and(|place| place.is_of_library(heap))
    };
    let rows = heap.rows().into_par_iter().with_min_len(16_384);
    let nodes: Vec<ObjectId> = rows.filter(is_node).collect();
    heap.row_set(rooms.map(|room| room.row).chain(nodes))
}

/// Whether hardly anything stands in a raw block: tables and rings of one size are equal while they are empty.
fn is_nearly_empty(heap: &Heap, buffer: &Buffer) -> bool {
    let is_known = buffer.words_used != u64::MAX && heap.blocks.requested(buffer.object).is_some();
    is_known && buffer.words_used.saturating_mul(8 * EMPTY_SHARE) < buffer.bytes
}

struct Value {
    copies: u64,
    /// Views on the copy that stays.
    views: usize,
}

#[derive(Default)]
struct At<'a, 'h> {
    values: FxHashMap<(u64, u64), Value>,
    buffers: u64,
    /// Copies that go, with the number of their views that can be replaced.
    redundant: Vec<(OnOne<'a, 'h>, usize)>,
}

fn candidate(heap: &Heap, place: &At<'_, '_>, external: bool) -> Candidate {
    let mut candidate = Candidate::at("").assuming(
        "the copies are never written to and not compared by identity, and equal hashes mean equal bytes",
    );
    candidate.external = external;
    candidate = candidate.at_all_places();
    let mut rows = Vec::new();
    for &(copy, views) in &place.redundant {
        let backing = copy[0].backing;
        if backing != NONE && heap.objects.has(backing, Flags::EXTERNAL) == external {
            rows.push(backing);
        }
        if !external {
            // The backing's own object comes first, then its views.
            for buffer in copy.iter().take(1 + views) {
                rows_of(heap, buffer, &mut rows);
            }
        }
    }
    rows.sort_unstable();
    rows.dedup();
    for row in rows {
        let bytes = heap.bytes(row);
        if bytes > 0 {
            candidate.claim(row, bytes);
        }
    }
    let copies = place.redundant.len() as u64;
    candidate.count = copies;
    candidate.unaffected = place.buffers - copies;
    candidate.bytes_now = candidate.net().max(0).cast_unsigned();
    let are_blocks = || {
        let mut copies = place.redundant.iter();
        copies.all(|(copy, _)| copy[0].has_bytes_inside())
    };
    candidate.title = if external || are_blocks() {
        let (one, many) = if external {
            ("buffer", "buffers")
        } else {
            ("block", "blocks")
        };
        format!(
            "{} hold {}",
            Count(place.buffers).of(one, many),
            Count(place.values.len() as u64).of("value", "values")
        )
    } else {
        format!(
            "the objects of {} whose bytes another holds too",
            Count(copies).of("buffer", "buffers")
        )
    };
    candidate.fix = "keep one copy of each value, found by its hash".into();
    candidate.show("buffers", place.buffers);
    candidate.show("values", place.values.len());
    let mut top: Vec<_> = place
        .values
        .iter()
        .filter(|(_, value)| value.copies > 1)
        .collect();
    top.sort_unstable_by_key(|((bytes, hash), value)| {
        (std::cmp::Reverse(bytes.saturating_mul(value.copies - 1)), *hash)
    });
    let examples: Vec<_> = top
        .iter()
        .take(3)
        .map(|((bytes, hash), value)| {
            json!({"hash": format!("{hash:016x}"), "copies": value.copies, "bytes_each": bytes})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

/// The rows of a buffer's object with its parts, those outside the runtime's heap excluded.
fn rows_of(heap: &Heap, buffer: &Buffer, rows: &mut Vec<ObjectId>) {
    if !heap.objects.has(buffer.object, Flags::EXTERNAL) {
        rows.push(buffer.object);
        rows.extend(Parts::default().held(heap, buffer.object));
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::super::EqualBuffers;
    use super::super::tests::look;
    use super::*;
    use crate::Rule;

    fn held(heap: &mut HeapBuilder, bytes: u64, zeros: u64, hash: u64) {
        let icon = heap.buffer(bytes, zeros, hash);
        let record = heap.record("Page", &[("icon", icon)]);
        heap.variable("pages", record);
    }

    #[test]
    fn copies_are_claimed_outside_and_their_objects_inside() {
        let mut heap = HeapBuilder::new();
        for hash in [1, 1, 1, 2] {
            held(&mut heap, 4096, 0, hash);
        }
        let found = EqualBuffers.look(&heap.build()).candidates;
        assert_eq!(found.len(), 2);
        let net = |external: bool| found.iter().find(|c| c.external == external).map(Candidate::net);
        assert_eq!(net(true), Some(2 * 4096));
        assert_eq!(net(false), Some(2 * 96));
        assert!(
            found
                .iter()
                .all(|c| c.holder == "Page.icon" && c.count == 2 && c.unaffected == 2)
        );
    }

    #[test]
    fn views_vanish_with_their_copy_as_far_as_the_first_has_as_many() {
        let mut heap = HeapBuilder::new();
        for views in [1, 2] {
            let bytes = heap.buffer(4096, 0, 5);
            for _ in 0..views {
                let view = heap.view(bytes, 4096);
                let record = heap.record("Page", &[("icon", view)]);
                heap.variable("pages", record);
            }
        }
        let found = EqualBuffers.look(&heap.build()).candidates;
        assert_eq!(
            found.iter().find(|c| !c.external).map(Candidate::net),
            Some(2 * 96)
        );
    }

    #[test]
    fn zeros_few_bytes_and_other_places_are_left_alone() {
        let mut heap = HeapBuilder::new();
        for _ in 0..3 {
            held(&mut heap, 4096, 4096, 9);
            held(&mut heap, 64, 0, 3);
        }
        held(&mut heap, 5000, 0, 4);
        let elsewhere = heap.buffer(5000, 0, 4);
        heap.variable("elsewhere", elsewhere);
        let verdict = EqualBuffers.look(&heap.build());
        assert!(verdict.candidates.is_empty() && verdict.not_measured.is_empty());
    }

    #[test]
    fn unknown_contents_are_said_to_be_unknown() {
        let mut heap = HeapBuilder::new();
        held(&mut heap, 128 << 10, 0, 0);
        assert_eq!(EqualBuffers.look(&heap.build()).not_measured.len(), 1);
    }

    /// Blocks of 64 numbers that are the same in all and `used` of which are not zero, to each of which references lead
    /// at `places` of its words.
    fn arenas(places: u64, used: u64) -> Vec<Candidate> {
        let mut heap = HeapBuilder::new();
        for _ in 0..8 {
            let arena = heap.block("more_cells", &15_u64.to_le_bytes().repeat(64));
            heap.buffer_fact(arena, NONE, 512).change_buffer(arena, |buffer| {
                (buffer.hash, buffer.zeros, buffer.is_backing) = (7, 0, true);
                buffer.words_used = used;
            });
            let words = (0..places).map(|at| HeapBuilder::address(arena) + at * 16);
            let words: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
            let owner = heap.block("owner", &words);
            for at in 0..places {
                heap.edge(owner, deadweight_heap::EdgeKind::Internal, at as u32, arena);
            }
        }
        look(heap)
    }

    #[test]
    fn equal_cells_of_pools_are_no_copies() {
        assert_eq!(arenas(2, 64)[0].count, 7);
        assert!(arenas(32, 64).is_empty());
    }

    #[test]
    fn blocks_that_are_equal_because_they_are_empty_are_no_copies() {
        assert_eq!(arenas(1, 16)[0].count, 7);
        assert!(arenas(1, 15).is_empty());
    }

    #[test]
    fn what_stands_in_the_room_of_blocks_is_nobodys_content() {
        let found = |make: &dyn Fn(&mut HeapBuilder, &[u8]) -> ObjectId, used: usize| {
            let mut heap = HeapBuilder::new();
            let mut content = vec![0; 512];
            content[..used].fill(0x80);
            for _ in 0..20 {
                let block = make(&mut heap, &content);
                heap.buffer_fact(block, NONE, 512).change_buffer(block, |buffer| {
                    (buffer.hash, buffer.is_backing) = (7, true);
                });
            }
            EqualBuffers.look(&heap.build()).candidates.len()
        };
        let reserve = |heap: &mut HeapBuilder, content: &[u8]| heap.array_block("reserve", 8, content);
        assert_eq!(found(&reserve, 512), 1);
        assert_eq!(found(&reserve, 256), 0, "C03 cuts them");
        let chunk = |heap: &mut HeapBuilder, content: &[u8]| heap.node_of_library("std::deque", content);
        assert_eq!(found(&chunk, 512), 0, "nobody hands a container another");
    }
}
