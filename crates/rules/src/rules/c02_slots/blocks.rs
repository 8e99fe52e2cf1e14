//! Nodes that each have a block.

use std::borrow::Cow;

use deadweight_heap::nodes::Form;
use deadweight_heap::{Heap, Presence};

use super::REFERENCE;
use super::nodes::{Places, candidate, header};
use crate::Candidate;
use crate::block_groups::BlockGroup;
use crate::slots::{self, Found};

/// Nodes of one size that each have a block; with whether their contents are in the dump.
pub(super) fn of_blocks(heap: &Heap, group: &BlockGroup) -> (Option<Candidate>, bool) {
    let is_address = |word| heap.blocks.is_address(word);
    // Most blocks are text, which a few of them tell.
    let sample = slots::sample(&group.rows).map(|&row| heap.blocks.content(row));
    let sample: Option<Vec<Cow<'_, [u8]>>> = sample.collect();
    if sample.is_some_and(|sample| !slots::may_be_slots(&sample, is_address)) {
        return (None, true);
    }
    let contents = group.rows.iter().filter_map(|&row| heap.blocks.content(row));
    let contents: Vec<Cow<'_, [u8]>> = contents.collect();
    if contents.len() < group.rows.len() {
        return (None, false);
    }
    let found = slots::find(&contents, group.is_typed, is_address);
    let found = found.filter(|found| group.is_typed || !is_table(found));
    let candidate = found.and_then(|found| {
        let header = header(&found, group.requested)?;
        let places = Places {
            holder: &group.holder,
            site: group.site.clone(),
            rows: &group.rows,
            node_bytes: None,
            now: Form::inline(header),
            then: Form::apart(header + REFERENCE),
            allocator: &*heap.allocator,
            assumes: if heap.coverage.requests == Presence::Absent {
                "nodes do not fill up later, nobody keeps the address of a slot, and nodes asked for all that they may use"
            } else {
                "nodes do not fill up later, and nobody keeps the address of a slot"
            },
        };
        candidate(heap, &places, &found)
    });
    (candidate, true)
}

/// Whether hardly any block uses less than a quarter of its slots: a table that doubles when it is full never does.
fn is_table(found: &Found) -> bool {
    const FEW: usize = 10;
    let few = found
        .used
        .iter()
        .filter(|&&used| used as usize * 4 <= found.array.slots)
        .count();
    few * FEW < found.used.len()
}
