//! What the rule finds, and what it leaves alone.

use deadweight_heap::{HeapBuilder, NONE};
use serde_json::json;

use super::*;
use crate::Candidate;

#[test]
fn mostly_zero_buffers_are_claimed_down_to_their_words() {
    let mut heap = HeapBuilder::new();
    for _ in 0..3 {
        let counts = heap.buffer(80_000, 80_000 - 80, 7);
        let histogram = heap.record("Histogram", &[("counts", counts)]);
        heap.variable("all", histogram);
    }
    let full = heap.buffer(80_000, 0, 8);
    let histogram = heap.record("Histogram", &[("counts", full)]);
    heap.variable("all", histogram);
    let found = Zeros.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Histogram.counts");
    assert!(found[0].external);
    assert_eq!((found[0].count, found[0].unaffected), (3, 1));
    assert_eq!(found[0].net(), 3 * (80_000 - 10 * 16));
    assert_eq!(
        found[0].evidence["dropped"],
        json!({"saves": 0, "saves_external": 240_000})
    );
    assert!(found[0].title.contains("not RSS"));
    // A table of the runtime's would take more than the pairs that are priced.
    let fix = "store only the non-zero words, each with its index, in one buffer";
    assert_eq!(found[0].fix, fix);
}

#[test]
fn hardly_anything_is_more_than_nothing() {
    let title = |used: u64| {
        let mut heap = HeapBuilder::new();
        let mut content = vec![0; 65_536];
        content[40_000..40_000 + used as usize].fill(1);
        let block = heap.block("table", &content);
        heap.buffer_fact(block, NONE, 65_536)
            .change_buffer(block, |buffer| {
                (buffer.zeros, buffer.words_used) = (65_536 - used, used.div_ceil(8));
                buffer.is_backing = true;
            });
        Zeros.look(&heap.build()).candidates[0].title.clone()
    };
    assert_eq!(title(0), "1 buffer is 100 % zeros");
    assert_eq!(title(8), "1 buffer is 99.9 % zeros");
}

#[test]
fn what_stands_at_the_front_alone_needs_no_indices() {
    let mut heap = HeapBuilder::new();
    for used in [400, 4096, 4096] {
        let mut content = vec![0; 4096];
        content[..used].fill(b'x');
        let block = heap.block("line", &content);
        heap.buffer_fact(block, NONE, 4096)
            .change_buffer(block, |buffer| {
                (buffer.zeros, buffer.words_used) = (4096 - used as u64, used as u64 / 8);
                buffer.is_backing = true;
            });
    }
    let found = Zeros.look(&heap.build()).candidates;
    assert_eq!((found[0].count, found[0].net()), (1, 4096 - 408));
    assert!(
        found[0]
            .fix
            .starts_with("allocate each only as large as the part in use")
    );
}

#[test]
fn what_the_allocator_adds_is_no_part_of_the_contents() {
    let mut heap = HeapBuilder::new();
    let block = heap.block("table", &[0; 4096]);
    heap.resize(block, 4352)
        .buffer_fact(block, NONE, 4096)
        .change_buffer(block, |buffer| {
            (buffer.zeros, buffer.words_used, buffer.is_backing) = (4096, 0, true);
        });
    let found = Zeros.look(&heap.build()).candidates;
    assert_eq!(found[0].title, "1 buffer is 100 % zeros");
}

/// An array has a header, which is no part of what a window on all of it shows.
#[test]
fn a_window_on_all_of_an_array_makes_it_no_pool() {
    let found = |shown: u64| {
        let mut heap = HeapBuilder::new();
        let array = heap.block("array", &[0; 4096]);
        heap.resize(array, 4112)
            .buffer_fact(array, array, 4096)
            .change_buffer(array, |buffer| {
                (buffer.zeros, buffer.words_used, buffer.is_backing) = (4084, 2, true);
            });
        let window = heap.object(deadweight_heap::Kind::Buffer, "window", 56);
        heap.buffer_fact(window, array, shown);
        let record = heap.record("Chunk", &[("data", window)]);
        heap.variable("all", record);
        Zeros.look(&heap.build()).candidates.len()
    };
    assert_eq!((found(4096), found(4000)), (1, 0));
}

#[test]
fn the_place_is_that_of_the_view() {
    let mut heap = HeapBuilder::new();
    let bytes = heap.buffer(8192, 8192, 1);
    let view = heap.view(bytes, 8192);
    let record = heap.record("Histogram", &[("counts", view)]);
    heap.variable("all", record);
    let found = Zeros.look(&heap.build()).candidates;
    assert_eq!(found[0].holder, "Histogram.counts");
    assert_eq!(found[0].net(), 8192);
    // The object of the buffer and the view on it go, too.
    assert_eq!((found[1].external, found[1].net()), (false, 2 * 96));
}

#[test]
fn small_and_half_full_buffers_are_left_alone() {
    let mut heap = HeapBuilder::new();
    let small = heap.buffer(1000, 1000, 1);
    let half = heap.buffer(8192, 6144, 1);
    heap.variable("small", small).variable("half", half);
    let verdict = Zeros.look(&heap.build());
    assert!(verdict.candidates.is_empty() && verdict.not_measured.is_empty());
}

#[test]
fn a_pool_that_is_being_filled_is_left_alone() {
    let mut heap = HeapBuilder::new();
    let pool = heap.buffer(65_536, 65_000, 1);
    let view = heap.view(pool, 12);
    heap.variable("view", view);
    assert!(Zeros.look(&heap.build()).candidates.is_empty());
}

#[test]
fn unknown_contents_are_said_to_be_unknown() {
    let mut heap = HeapBuilder::new();
    let buffer = heap.buffer(8192, 0, 0);
    heap.change_buffer(buffer, |b| (b.zeros, b.words_used) = (u64::MAX, u64::MAX));
    heap.variable("b", buffer);
    let verdict = Zeros.look(&heap.build());
    assert!(verdict.candidates.is_empty());
    assert_eq!(verdict.not_measured.len(), 1);
}

/// Raw blocks of so many bytes in which nothing stands.
fn empty_blocks(count: usize, bytes: usize) -> Vec<Candidate> {
    let mut heap = HeapBuilder::new();
    for _ in 0..count {
        let block = heap.block("reserve", &vec![0; bytes]);
        heap.buffer_fact(block, NONE, bytes as u64)
            .change_buffer(block, |buffer| {
                (buffer.zeros, buffer.words_used, buffer.is_backing) = (bytes as u64, 0, true);
            });
    }
    Zeros.look(&heap.build()).candidates
}

#[test]
fn many_small_buffers_in_which_nothing_stands_go_as_a_whole() {
    let found = empty_blocks(100, 512);
    assert_eq!((found[0].count, found[0].net()), (100, 100 * 512));
    assert!(empty_blocks(15, 512).is_empty() && empty_blocks(100, 248).is_empty());
    assert!(empty_blocks(300, 248).is_empty(), "it may be a lock");
    let found = empty_blocks(1, 4096);
    assert_eq!(
        (
            &found[0].evidence["untouched_bytes"],
            &found[0].evidence["resident_bytes"]
        ),
        (&json!(0), &json!(4096))
    );
}

/// Records with a buffer of 32 bytes each, of which the first has so many words that are not zero.
fn small_counters(used: u64, bytes: u64) -> Vec<Candidate> {
    let mut heap = HeapBuilder::new();
    for i in 0..300 {
        let used = if i == 0 { used } else { 0 };
        let counts = heap.buffer(bytes, bytes - used * 8, 0);
        heap.change_buffer(counts, |buffer| buffer.words_used = used);
        let record = heap.record("Edge", &[("counts", counts)]);
        heap.variable("all", record);
    }
    Zeros.look(&heap.build()).candidates
}

#[test]
fn small_buffers_count_where_no_value_ever_came() {
    let found = small_counters(0, 32);
    assert_eq!((found[0].holder.as_str(), found[0].count), ("Edge.counts", 300));
    assert!(small_counters(1, 32).is_empty());
    assert!(small_counters(0, 0).is_empty(), "empty arrays are C01's");
}
