//! Blocks that end in room, and those that only look so.

use deadweight_heap::{EdgeKind, HeapBuilder};

use super::super::Capacity;
use super::super::tests::{filled, look};
use crate::Rule;

#[test]
fn blocks_whose_ends_were_never_used_are_cut_behind_what_stands_in_them() {
    let mut heap = HeapBuilder::new();
    for i in 0..20 {
        filled(&mut heap, "read_line", 4096, 100 + i);
    }
    for _ in 0..5 {
        filled(&mut heap, "read_line", 4096, 4000);
    }
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].holder.as_str(), found[0].count, found[0].unaffected),
        ("read_line", 20, 5)
    );
    let after: i64 = (100..120).map(|used: i64| (used + 8) / 8 * 8).sum();
    assert_eq!(found[0].net(), 20 * 4096 - after);
    assert_eq!(found[0].evidence["most_used_bytes"], 119);
}

#[test]
fn what_doubles_what_is_mostly_full_and_what_is_a_table_keeps_its_room() {
    let mut heap = HeapBuilder::new();
    for i in 0..40_usize {
        // Doubled when full: more than half is in use.
        filled(&mut heap, "push_back", 256 << (i % 4), (128 << (i % 4)) + 8 + i);
        filled(&mut heap, "line", 1024, if i == 0 { 100 } else { 900 });
        filled(&mut heap, "node", 248, 8);
        filled(&mut heap, "zeros", 4096, 0);
        let mut table = vec![0; 4096];
        (0..2_usize).for_each(|entry| table[(i * 7 % 50 + entry * 100) * 8] = 1);
        heap.block("table", &table);
    }
    for _ in 0..15 {
        filled(&mut heap, "few", 4096, 100);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn values_end_where_their_words_do() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        let mut content = vec![0; 512];
        content[..24].fill(0x80);
        heap.block("edges", &content);
    }
    assert_eq!(look(heap)[0].net(), 20 * (512 - 24));
}

/// Twenty blocks with room for eight values, of which one is there; its last half is zeros.
fn vectors(make: impl Fn(&mut HeapBuilder, &[u8])) -> crate::Candidate {
    let mut heap = HeapBuilder::new();
    let mut content = vec![0; 8 * 80];
    content[..40].fill(0x80);
    for _ in 0..20 {
        make(&mut heap, &content);
    }
    let mut found = look(heap);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn blocks_of_values_are_cut_behind_whole_ones() {
    let typed = vectors(|heap, content| {
        heap.array_block("reserve", 80, content);
    });
    assert_eq!(typed.net(), 20 * (640 - 80));
    assert_eq!(typed.title, "20 blocks use 12.5 % of their room");
    // Who holds them knows it as well.
    let held = vectors(|heap, content| {
        let block = heap.block("reserve", content);
        let begin = HeapBuilder::address(block);
        let words = [begin, begin + 80, begin + 640].map(u64::to_le_bytes).concat();
        let vector = heap.block("vector", &words);
        heap.edge(vector, EdgeKind::Internal, 0, block);
    });
    assert_eq!(held.net(), 20 * (640 - 80));
    let unknown = vectors(|heap, content| {
        heap.block("reserve", content);
    });
    assert_eq!(unknown.net(), 20 * (640 - 40));
    for (found, are_known) in [(&typed, true), (&held, true), (&unknown, false)] {
        let assumed = found.assumes.as_deref().unwrap_or_default();
        assert_eq!(assumed.contains("does not end in zeros"), !are_known);
        assert_eq!(found.evidence["ends_are_known"], are_known);
    }
}

#[test]
fn what_its_holder_says_is_full_has_no_room() {
    let mut heap = HeapBuilder::new();
    let mut content = vec![0; 640];
    content[..40].fill(0x80);
    for _ in 0..20 {
        let block = heap.block("reserve", &content);
        let begin = HeapBuilder::address(block);
        let words = [begin, begin + 640, begin + 640].map(u64::to_le_bytes).concat();
        let vector = heap.block("vector", &words);
        heap.edge(vector, EdgeKind::Internal, 0, block);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn blocks_that_a_container_makes_of_one_size_are_no_matter_of_asking_for_less() {
    let mut heap = HeapBuilder::new();
    for at in 0..100_u64 {
        let mut content = vec![0; 512];
        content[..4].copy_from_slice(&(at as u32 + 1).to_le_bytes());
        let chunk = heap.node_of_library("deque", &content);
        // Where it begins, where the first value is, and its end.
        let begin = HeapBuilder::address(chunk);
        let words = [begin, begin, begin + 512].map(u64::to_le_bytes).concat();
        let holder = heap.block("holder", &words);
        heap.edge(holder, EdgeKind::Internal, 0, chunk);
    }
    let found = look(heap);
    assert_eq!((found.len(), found[0].net()), (1, 100 * (512 - 8)));
    assert!(
        found[0].fix.contains("in a container whose blocks"),
        "{}",
        found[0].fix
    );
}

/// What 200 blocks of 512 bytes save, of which so many percent are full and so many hold one text of 40 bytes.
fn mixed(full: usize, little: usize) -> (Vec<crate::Candidate>, i64) {
    let mut heap = HeapBuilder::new();
    let mut saves = 0;
    for at in 0..200_usize {
        let (used, saved) = match at * 37 % 100 {
            place if place < full => (512, 0),
            place if place < full + little => (40, 512 - 48),
            _ => (0, 512),
        };
        filled(&mut heap, "reserve", 512, used);
        saves += saved;
    }
    (look(heap), saves)
}

#[test]
fn room_is_weighed_block_by_block_whatever_stands_in_the_others() {
    for full in [0, 1, 25, 50, 75, 88] {
        for little in [10, 25, 50, 75, 99, 100] {
            if full + little > 100 {
                continue;
            }
            let (found, saves) = mixed(full, little);
            assert_eq!(found.len(), 1, "{full} {little}");
            assert_eq!(found[0].net(), saves, "{full} {little}");
            let affected = 200 - 2 * full as u64;
            assert_eq!((found[0].count, found[0].unaffected), (affected, 200 - affected));
        }
    }
    assert!(mixed(95, 5).0.is_empty(), "less than a tenth of the place");
    assert!(mixed(50, 0).0.is_empty(), "blocks that nobody began are E01's");
}

#[test]
fn objects_of_which_some_are_short_are_no_buffers() {
    let mut heap = HeapBuilder::new();
    for at in 0..200_usize {
        // A header, and links at places of their own in half of them.
        let mut content = vec![0; 512];
        content[..16].fill(7);
        if at % 2 == 0 {
            content[300 + at % 20 * 8..][..8].fill(9);
        }
        heap.block("new_node", &content);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn small_lists_of_references_are_cut_and_objects_are_not() {
    let lists = |counts: [usize; 2], room: usize, strange: bool| {
        let mut heap = HeapBuilder::new();
        let file = heap.block("file", b"a name of a file");
        for at in 0..100 {
            let mut words = vec![HeapBuilder::address(file); counts[at % 2]];
            words.resize(room, 0);
            if strange && at == 50 {
                words[9] = 7;
            }
            let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
            heap.block("list", &words);
        }
        look(heap)
    };
    let found = lists([1, 3], 16, false);
    assert_eq!((found.len(), found[0].count, found[0].unaffected), (1, 100, 0));
    assert_eq!(found[0].net(), 50 * (120 + 104));
    assert_eq!(lists([2, 16], 16, false).len(), 1);
    assert_eq!(lists([2, 2], 16, false).len(), 1);
    assert!(lists([2, 2], 9, false).is_empty(), "two fields of an object");
    assert!(lists([1, 3], 16, true).is_empty(), "a number among them");
}

#[test]
fn a_single_block_counts_when_hardly_any_of_it_is_used() {
    let mut heap = HeapBuilder::new();
    filled(&mut heap, "index", 100_000, 10_000);
    filled(&mut heap, "growing", 100_000, 30_000);
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].net(), 100_000 - 10_008);
}

#[test]
fn without_requests_blocks_have_room_for_what_they_may_use() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        filled(&mut heap, "read_line", 4096, 100);
    }
    heap.hide_requests();
    let found = look(heap);
    assert_eq!(found[0].net(), 20 * (4096 - 104));
    assert!(
        found[0]
            .assumes
            .as_ref()
            .unwrap()
            .contains("all that they may use")
    );
}

#[test]
fn without_contents_unused_room_is_not_measured() {
    let mut heap = HeapBuilder::new();
    for _ in 0..20 {
        filled(&mut heap, "read_line", 4096, 100);
    }
    heap.hide_contents();
    let verdict = Capacity.look(&heap.build());
    assert!(verdict.candidates.is_empty());
    assert_eq!(verdict.not_measured.len(), 1);
}

/// What was left in a block by whoever had it before.
fn left_over(content: &mut [u8]) {
    for (at, byte) in content.iter_mut().enumerate() {
        *byte = b'a' + (at % 7) as u8;
    }
}

/// A holder of three addresses: of a block, of the end of what is in it, and of its own end.
fn vector(heap: &mut HeapBuilder, block: deadweight_heap::ObjectId, used: u64, room: u64) {
    let begin = HeapBuilder::address(block);
    let words = [begin, begin + used, begin + room];
    let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    let holder = heap.block("new_row", &words);
    heap.edge(holder, EdgeKind::Internal, 0, block);
}

#[test]
fn vectors_know_their_ends_whatever_was_left_behind_them() {
    for bytes in [160_usize, 640] {
        let mut heap = HeapBuilder::new();
        let mut content = vec![0; bytes];
        left_over(&mut content);
        for at in 0..40_u64 {
            let block = heap.array_block("reserve", 4, &content);
            vector(&mut heap, block, at % 3 * 4, bytes as u64);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1, "{bytes}");
        assert_eq!(found[0].count, 40);
        let used: i64 = (0..40).map(|at| at % 3 * 4).sum();
        assert_eq!(found[0].net(), 40 * i64::try_from(bytes).unwrap() - used);
        // Where nobody says of what the blocks are arrays, the second address may be where somebody reads.
        let mut heap = HeapBuilder::new();
        for at in 0..40_u64 {
            let block = heap.block("reserve", &content);
            vector(&mut heap, block, at % 3 * 4, bytes as u64);
        }
        assert!(look(heap).is_empty(), "{bytes}");
    }
}

#[test]
fn small_arrays_of_values_are_cut_and_small_tables_are_not() {
    let mut heap = HeapBuilder::new();
    for at in 0..40_u8 {
        let mut content = vec![0; 128];
        content[0] = at + 1;
        heap.array_block("numbers", 4, &content);
    }
    let own = heap.block("other", &[1; 64]);
    for at in 0..40_usize {
        // Buckets, of which one or two refer to something.
        let mut content = vec![0; 104];
        let address = HeapBuilder::address(own).to_le_bytes();
        content[at % 13 * 8..][..8].copy_from_slice(&address);
        let table = heap.array_block("buckets", 8, &content);
        heap.edge(table, EdgeKind::Internal, 0, own);
    }
    let found = look(heap);
    let holders: Vec<&str> = found.iter().map(|found| found.holder.as_str()).collect();
    assert_eq!(holders, ["numbers"]);
}

#[test]
fn deques_know_their_ends() {
    let mut heap = HeapBuilder::new();
    let mut content = vec![0; 512];
    left_over(&mut content);
    for at in 0..20_u64 {
        let chunk = heap.node_of_library("std::deque", &content);
        let begin = HeapBuilder::address(chunk);
        let map = heap.block(
            "map",
            &[0, 0, 0, begin]
                .into_iter()
                .flat_map(u64::to_le_bytes)
                .collect::<Vec<u8>>(),
        );
        let node = HeapBuilder::address(map) + 24;
        let iterator = |at: u64| [begin + at, begin, begin + 512, node];
        let words = [HeapBuilder::address(map), 8]
            .into_iter()
            .chain(iterator(0))
            .chain(iterator(at * 4));
        let words: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        let holder = heap.block("new_row", &words);
        heap.edge(holder, EdgeKind::Internal, 0, chunk);
        heap.edge(holder, EdgeKind::Internal, 0, map);
    }
    let found = look(heap);
    assert_eq!(found.len(), 1);
    let used: i64 = (1..20).map(|at| at * 4).sum();
    assert_eq!((found[0].count, found[0].net()), (20, 20 * 512 - used));
}

/// Rows that count the values in their block, as Rust's `Vec` does: room for eight of 24 bytes, each with a reference.
fn counted(lengths: impl Fn(u64) -> u64, is_left_over: impl Fn(u64) -> bool) -> Vec<crate::Candidate> {
    let mut heap = HeapBuilder::new();
    let text = heap.block("text", &[1; 64]);
    for at in 0..40_u64 {
        let length = lengths(at);
        let mut content = vec![0; 8 * 24];
        if is_left_over(at) {
            left_over(&mut content);
        }
        for value in 0..length as usize {
            let words = [24, HeapBuilder::address(text), 7];
            let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
            content[value * 24..][..24].copy_from_slice(&words);
        }
        let block = heap.block("reserve", &content);
        heap.edge(block, EdgeKind::Internal, 0, text);
        let words = [8, HeapBuilder::address(block), length];
        let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let holder = heap.block("new_row", &words);
        heap.edge(holder, EdgeKind::Internal, 0, block);
    }
    look(heap)
}

#[test]
fn vectors_that_are_counted_in_values_have_room_as_well() {
    let found = counted(|at| at % 4, |at| at % 8 == 7);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holder.as_str(), found[0].count), ("reserve", 40));
    let used: i64 = (0..40).map(|at| at % 4 * 24).sum();
    assert_eq!(found[0].net(), 40 * 192 - used);
}

#[test]
fn numbers_beside_an_address_count_nothing_where_contents_do_not_agree() {
    // What stands there ends elsewhere, or always at the same length.
    assert!(counted(|at| at % 4, |at| at % 4 > 1).is_empty());
    assert!(counted(|_| 2, |_| false).is_empty());
}
