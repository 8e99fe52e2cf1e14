//! Nodes that have a block each.

use deadweight_heap::{EdgeKind, HeapBuilder};

use super::*;
use crate::splitmix::splitmix;

/// Blocks of two words and of 16 slots for references, of which each uses those that its number gives.
fn heap_of(nodes: u64) -> (HeapBuilder, Vec<u32>) {
    let mut heap = HeapBuilder::new();
    let leaf = heap.block("leaf", &[1; 40]);
    let uses = |node: u64, slot: u64| splitmix(node * 16 + slot).is_multiple_of(4);
    for node in 0..nodes {
        let slots = (0..16).map(|slot| u64::from(uses(node, slot)) * HeapBuilder::address(leaf));
        let words = [splitmix(node), 3].into_iter().chain(slots);
        let row = heap.block("node", &words.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
        heap.edge(row, EdgeKind::Internal, 0, leaf);
    }
    let used = |node| (0..16).filter(|&slot| uses(node, slot)).count() as u32;
    (heap, (0..nodes).map(used).collect())
}

#[test]
fn the_slots_of_each_node_are_counted() {
    let (heap, used) = heap_of(200);
    let heap = heap.build();
    let seen = block_nodes(&heap, &RowSet::none(heap.objects.len()));
    assert_eq!((seen.nodes.len(), seen.unseen), (1, 0));
    let nodes = &seen.nodes[0];
    assert_eq!((nodes.holder.as_str(), nodes.rows.len()), ("node", 200));
    assert_eq!(
        (nodes.slots.array.slots, nodes.header, nodes.stride),
        (16, 16, None)
    );
    assert_eq!(nodes.slots.used, used);
}

#[test]
fn few_blocks_and_those_that_are_known_are_passed_over() {
    let seen = |nodes: u64, without: &[ObjectId]| {
        let heap = heap_of(nodes).0.build();
        let without = heap.row_set(without.iter().copied());
        block_nodes(&heap, &without).nodes.len()
    };
    let few = FEWEST_NODES as u64 - 1;
    assert_eq!(
        (seen(few, &[]), seen(few + 1, &[]), seen(few + 1, &[9])),
        (0, 1, 0)
    );
}

#[test]
fn what_cannot_be_looked_at_is_counted() {
    let (mut heap, _) = heap_of(200);
    heap.hide_contents();
    let heap = heap.build();
    let seen = block_nodes(&heap, &RowSet::none(heap.objects.len()));
    assert_eq!((seen.nodes.len(), seen.unseen), (0, 1));
}
