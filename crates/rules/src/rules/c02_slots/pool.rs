//! Nodes that a pool cuts out of larger blocks.

use deadweight_heap::nodes::Form;
use deadweight_heap::{Heap, ObjectId, Rounded};

use super::REFERENCE;
use super::nodes::{Places, candidate, header};
use crate::Candidate;
use crate::pooled::Pool;
use crate::slots;

/// Pools have no headers, and keep addresses even.
const POOL: Rounded = Rounded { name: "pool", to: 8 };

/// Nodes that a pool cuts out of larger blocks.
pub(super) fn in_pool(heap: &Heap, pool: &Pool) -> (Option<Candidate>, bool) {
    let contents = pool.contents(heap);
    let block = |&(row, start): &(ObjectId, u64)| {
        let content: &[u8] = contents.get(&row)?;
        content.get(start as usize..(start + pool.stride) as usize)
    };
    let blocks: Vec<&[u8]> = pool.nodes.iter().filter_map(block).collect();
    if blocks.len() < pool.nodes.len() {
        return (None, false);
    }
    let found = slots::find(&blocks, false, |word| heap.blocks.is_address(word));
    let candidate = found.and_then(|found| {
        // A pool may round nodes up: what is behind the last byte in use is no part of them.
        let used = |block: &&[u8]| block.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let bytes = blocks.iter().map(used).max().unwrap_or(0).next_multiple_of(8) as u64;
        let end = found.array.end().max(bytes);
        let rows: Vec<ObjectId> = pool.nodes.iter().map(|node| node.0).collect();
        let places = Places {
            holder: &pool.holder,
            site: pool.site.clone(),
            rows: &rows,
            node_bytes: Some(pool.stride),
            now: Form::inline(header(&found, pool.stride)?),
            then: Form::apart(header(&found, end)? + REFERENCE),
            allocator: &POOL,
            assumes: "nodes do not fill up later, nobody keeps the address of a slot, and the pool takes what is asked \
                      for and gives unused pieces back",
        };
        let mut candidate = candidate(heap, &places, &found)?;
        candidate.show("pool_stride_bytes", pool.stride);
        Some(candidate)
    });
    (candidate, true)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;
    use serde_json::json;

    use super::super::FEWEST_NODES;
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
}
