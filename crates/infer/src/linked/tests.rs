//! Nodes of slots alone, from one place or several.

use deadweight_heap::{EdgeKind, HeapBuilder, RowSet};

use crate::nodes::block_nodes;
use crate::splitmix::splitmix;

/// A tree of nodes of 16 references and nothing else, allocated at the places that `site` gives; or with references to
/// other objects in place of children.
fn tree(nodes: u64, is_tree: bool, site: impl Fn(u64) -> &'static str) -> Vec<(String, usize, usize)> {
    let mut heap = HeapBuilder::new();
    let value = heap.block("value", &[1; 40]);
    let first = value + 1;
    let mut children = vec![Vec::new(); nodes as usize];
    for node in 1..nodes {
        let mut parent = splitmix(node) % node;
        let slot = splitmix(node * 3) % 16;
        while children[parent as usize].iter().any(|&(taken, _)| taken == slot) {
            parent = (parent + 1) % node;
        }
        let to = if is_tree { first + node as u32 } else { value };
        children[parent as usize].push((slot, to));
    }
    for (node, children) in (0..).zip(&children) {
        let mut block = vec![0; 128];
        for &(slot, to) in children {
            let at = slot as usize * 8;
            block[at..at + 8].copy_from_slice(&HeapBuilder::address(to).to_le_bytes());
        }
        let row = heap.block(site(node), &block);
        for &(slot, to) in children {
            heap.edge(row, EdgeKind::Internal, slot as u32, to);
        }
    }
    let heap = heap.build();
    let seen = block_nodes(&heap, &RowSet::none(heap.objects.len()));
    let found = seen.nodes.into_iter();
    found
        .map(|nodes| (nodes.holder, nodes.rows.len(), nodes.slots.array.slots))
        .collect()
}

#[test]
fn nodes_of_references_alone_are_known_by_their_references_to_each_other() {
    assert_eq!(
        tree(2000, true, |_| "new_node"),
        [("new_node".to_owned(), 2000, 16)]
    );
    assert!(tree(2000, false, |_| "buckets").is_empty());
}

#[test]
fn nodes_of_several_places_are_one_tree() {
    let found = tree(3000, true, |node| ["insert", "split"][(node % 3).min(1) as usize]);
    assert_eq!(found, [("split".to_owned(), 3000, 16)]);
}
