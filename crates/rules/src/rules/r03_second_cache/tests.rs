//! What the whole rule finds.

use deadweight_heap::{EdgeKind, HeapBuilder, ObjectId};
use deadweight_infer::splitmix;
use serde_json::json;

use super::*;
use crate::Candidate;

const NODES: u64 = 200;

/// Bytes as random as a hash, the same for one seed.
fn random(seed: u64, bytes: usize) -> Vec<u8> {
    let mut state = seed << 32;
    let mut word = || {
        state += 1;
        splitmix(state)
    };
    (0..bytes.div_ceil(8))
        .flat_map(|_| word().to_le_bytes())
        .take(bytes)
        .collect()
}

fn payload(node: u64) -> Vec<u8> {
    random(node, 100)
}

fn key(node: u64) -> Vec<u8> {
    random(node + 1_000_000, 32)
}

/// A block of bytes and references.
fn block(heap: &mut HeapBuilder, site: &str, parts: &[&[u8]], to: &[ObjectId]) -> ObjectId {
    let mut content = parts.concat();
    content.resize(content.len().next_multiple_of(8), 0);
    for &to in to {
        content.extend(HeapBuilder::address(to).to_le_bytes());
    }
    let row = heap.block(site, &content);
    for &to in to {
        heap.edge(row, EdgeKind::Internal, 0, to);
    }
    row
}

/// Nodes with their payloads.
fn live(heap: &mut HeapBuilder) {
    for node in 0..NODES {
        let payload = heap.block("payload", &payload(node));
        block(heap, "leaf", &[&key(node)], &[payload]);
    }
}

/// Nodes in serialised form, in entries of a table.
fn cache(heap: &mut HeapBuilder, nodes: std::ops::Range<u64>, own: impl Fn(u64) -> Vec<u8>) {
    let entries: Vec<ObjectId> = nodes
        .map(|node| {
            let serial = heap.block("serial", &[b"LEAF", &payload(node)[..], &key(node)].concat());
            block(heap, "entry", &[&own(node)], &[serial])
        })
        .collect();
    let table = block(heap, "table", &[], &entries);
    block(heap, "store", &[], &[table, 0]);
}

fn look(heap: HeapBuilder) -> Vec<Candidate> {
    let verdict = SecondCache.look(&heap.build());
    assert!(verdict.not_measured.is_empty());
    verdict.candidates
}

#[test]
fn the_second_cache_goes_with_its_entries_and_its_table() {
    let mut heap = HeapBuilder::new();
    live(&mut heap);
    cache(&mut heap, 0..NODES, key);
    let found = look(heap);
    assert_eq!(found.len(), 1, "{found:#?}");
    let found = &found[0];
    assert_eq!(found.holder, "serial");
    assert_eq!(found.net().cast_unsigned(), NODES * (136 + 40) + NODES * 8);
    assert_eq!(found.count, 2 * NODES + 1);
    assert_eq!(found.evidence["copies_bytes"], json!(NODES * 136));
    assert_eq!(found.evidence["contained_in"][0]["holder"], "payload");
    assert!(found.assumes.is_some());
}

#[test]
fn entries_with_contents_of_their_own_stay() {
    let mut heap = HeapBuilder::new();
    live(&mut heap);
    cache(&mut heap, 0..NODES, |node| random(node + 2_000_000, 32));
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].net().cast_unsigned(), NODES * 136);
}

#[test]
fn what_is_mostly_elsewhere_is_silent() {
    let mut heap = HeapBuilder::new();
    live(&mut heap);
    // Half of the cached nodes are no longer in the tree.
    cache(&mut heap, NODES / 2..NODES / 2 * 3, key);
    assert!(look(heap).is_empty());
}

#[test]
fn what_its_own_entries_repeat_is_silent() {
    let mut heap = HeapBuilder::new();
    cache(&mut heap, 0..NODES, |node| payload(node)[..96].to_vec());
    assert!(look(heap).is_empty());
}

#[test]
fn equal_payloads_of_two_caches_are_named_once() {
    let mut heap = HeapBuilder::new();
    for node in 0..NODES {
        let first = heap.block("first", &payload(node));
        block(
            &mut heap,
            "first entry",
            &[&random(node + 3_000_000, 32)],
            &[first],
        );
        let second = heap.block("second", &payload(node));
        block(
            &mut heap,
            "second entry",
            &[&random(node + 4_000_000, 32)],
            &[second],
        );
    }
    let found = look(heap);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].net().cast_unsigned(), NODES * 100);
}

#[test]
fn nodes_and_random_data_are_silent() {
    let mut heap = HeapBuilder::new();
    live(&mut heap);
    for node in 0..NODES {
        heap.block("random", &random(node + 5_000_000, 512));
    }
    assert!(look(heap).is_empty());
}

#[test]
fn texts_of_one_form_are_silent() {
    let mut heap = HeapBuilder::new();
    for line in 0..NODES {
        let text = |number: u64| {
            format!(
                "2024-05-01 12:00:00 INFO  the request number {number} has been handled by the worker of the pool"
            )
        };
        heap.block("log", text(line * 7919).as_bytes());
        heap.block("report", text(line * 104_729 + 1).as_bytes());
    }
    assert!(look(heap).is_empty());
}

#[test]
fn what_was_read_out_of_a_file_is_silent_beside_it() {
    let mut heap = HeapBuilder::new();
    for file in 0..10 {
        let values: Vec<Vec<u8>> = (0..20).map(|value| random(file * 20 + value, 100)).collect();
        for value in &values {
            heap.block("value", value);
        }
        heap.block("file", &values.join(&b"\n"[..]));
    }
    assert!(look(heap).is_empty());
}

#[test]
fn what_is_left_of_freed_blocks_is_silent() {
    let mut heap = HeapBuilder::new();
    live(&mut heap);
    for node in 0..NODES {
        let mut stale = random(node + 6_000_000, 30);
        stale.extend(&payload(node)[10..]);
        heap.block("fresh", &stale);
    }
    assert!(look(heap).is_empty());
}

#[test]
fn numbers_that_count_up_are_silent() {
    let mut heap = HeapBuilder::new();
    let numbers = |from: u64| {
        (from..from + 32)
            .flat_map(|n| (n as u32).to_le_bytes())
            .collect::<Vec<u8>>()
    };
    for block in 0..NODES {
        heap.block("rows", &numbers(block * 32));
        heap.block("ids", &numbers(block * 32));
    }
    assert!(look(heap).is_empty());
}

#[test]
fn a_dump_without_contents_says_so() {
    let mut heap = HeapBuilder::new();
    live(&mut heap);
    heap.hide_contents()
        .coverage(|coverage| coverage.contents = Presence::Absent);
    assert_eq!(SecondCache.look(&heap.build()).not_measured.len(), 1);
    assert!(
        SecondCache
            .look(&HeapBuilder::new().build())
            .not_measured
            .is_empty()
    );
}
