//! What it finds in nodes of a pool.

use deadweight_heap::HeapBuilder;
use deadweight_infer::FEWEST_NODES;
use serde_json::json;

use super::super::tests::{Random, assert_saves, look, node, put, used_slots};

/// Blocks that are cut into nodes of 784 bytes, to each of which `refers` has references lead.
fn pool_of(refers: bool, mut fill: impl FnMut(&mut Random, &mut [u8], u64)) -> HeapBuilder {
    let mut heap = HeapBuilder::new();
    let leaf = heap.block("leaf", &[1; 40]);
    let mut random = Random(7);
    for _ in 0..FEWEST_NODES {
        let mut chunk = vec![0; 5 * 784];
        for node in chunk.chunks_mut(784) {
            fill(&mut random, node, HeapBuilder::address(leaf));
        }
        let chunk = heap.block("chunk", &chunk);
        let nodes: Vec<u64> = (0..5)
            .map(|node| HeapBuilder::address(chunk) + node * 784)
            .collect();
        let index = nodes
            .iter()
            .flat_map(|node| node.to_le_bytes())
            .collect::<Vec<u8>>();
        let index = heap.block("index", &index);
        for at in (0..5).filter(|_| refers) {
            heap.edge(index, deadweight_heap::EdgeKind::Internal, at, chunk);
        }
    }
    heap
}

#[test]
fn nodes_of_a_pool_are_found_by_the_references_to_them() {
    let mut expected = vec![0_u64; 17];
    let heap = pool_of(true, |random, block, leaf| {
        node(random, block, leaf);
        expected[used_slots(block)] += 1;
    });
    let found = look(heap);
    assert_eq!(found.len(), 1);
    let evidence = &found[0].evidence;
    assert_eq!(
        (
            &evidence["slots"],
            &evidence["slot_bytes"],
            &evidence["pool_stride_bytes"]
        ),
        (&json!(16), &json!(48), &json!(784))
    );
    assert_eq!(
        (found[0].holder.as_str(), found[0].bytes_now),
        ("chunk", 320 * 784)
    );
    assert_saves(&found[0], &expected);
}

#[test]
fn cells_of_tables_are_no_nodes() {
    // Rows of 14 cells with a word of tags before them, of which a table of open addressing leaves many empty.
    let cells = |random: &mut Random, block: &mut [u8], leaf: u64| {
        put(block, 0, random.next() | 1);
        for cell in 0..14 {
            if random.below(3) > 0 {
                (0..6).for_each(|word| put(block, 2 + cell * 6 + word, random.next()));
                put(block, 2 + cell * 6, leaf);
            }
        }
    };
    assert!(look(pool_of(false, cells)).is_empty());
}
