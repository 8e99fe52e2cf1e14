//! Nodes with slots, each in a block of its own or cut out of larger blocks by a pool.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use deadweight_heap::{Heap, ObjectId, RowSet};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::groups::{BlockGroup, small_groups};
use crate::linked::{linked, refer_to_each_other};
use crate::place::commonest_site;
use crate::pools::{Pool, pools};
use crate::slots::{self, FEWEST_NODES, Slots};

/// Blocks of other sizes are not looked at: too small for slots, or no nodes.
const SIZES: std::ops::RangeInclusive<u64> = 48..=65_536;

/// Nodes of one kind and size.
#[derive(Debug)]
pub struct Nodes {
    /// The type, or else the function that allocates them or the blocks they are cut out of.
    pub holder: String,
    /// Where that is.
    pub site: Option<String>,
    /// The block of each node, several times where a pool cuts several out of one.
    pub rows: Vec<ObjectId>,
    /// Bytes from one node to the next, of a pool's nodes.
    pub stride: Option<u64>,
    /// Bytes of a node beside its slots.
    pub header: u64,
    /// The same without what a pool leaves behind a node that no node uses.
    pub header_in_use: u64,
    /// Their slots, and how many are in use in each node.
    pub slots: Slots,
}

/// What a search for nodes finds.
#[derive(Debug, Default)]
pub struct NodesSeen {
    /// In the order in which their first blocks stand in the heap.
    pub nodes: Vec<Nodes>,
    /// Groups of equal blocks that could not be looked at, as contents are missing.
    pub unseen: u64,
}

/// Contents are not in the dump.
struct NoContents;

/// Nodes that pools cut out of larger blocks.
#[must_use]
pub fn pooled_nodes(heap: &Heap) -> NodesSeen {
    let pools = pools(heap, FEWEST_NODES);
    NodesSeen::of(pools.into_par_iter().map(|pool| in_pool(heap, pool)))
}

/// Nodes that have a block each. Groups with one of the blocks `without` are passed over.
#[must_use]
pub fn block_nodes(heap: &Heap, without: &RowSet) -> NodesSeen {
    let mut groups = small_groups(heap, FEWEST_NODES);
    groups.retain(|group| {
        SIZES.contains(&group.requested)
            && !group.rows.iter().any(|&row| without.has(row))
            && !group.is_of_library
    });
    // Nodes that several places allocate first, and each place by itself where together they show nothing.
    let sets = linked(heap, &groups);
    let together: Vec<BlockGroup> = sets.iter().map(|set| joined(heap, &groups, set)).collect();
    let together = NodesSeen::of(together.into_par_iter().map(|group| in_blocks(heap, group)));
    let known = heap.row_set(together.nodes.iter().flat_map(|nodes| nodes.rows.iter().copied()));
    let alone = groups.into_par_iter().filter(|group| !known.has(group.rows[0]));
    let mut seen = NodesSeen::of(alone.map(|group| in_blocks(heap, group)));
    seen.nodes.extend(together.nodes);
    seen.nodes.sort_by_key(|nodes| nodes.rows[0]);
    seen
}

/// Several groups as one, under the name of the first.
fn joined(heap: &Heap, groups: &[BlockGroup], set: &[usize]) -> BlockGroup {
    let rows = set.iter().flat_map(|&group| groups[group].rows.iter().copied());
    let mut rows: Vec<ObjectId> = rows.collect();
    rows.sort_unstable();
    BlockGroup {
        site: commonest_site(heap, rows.iter().copied()),
        rows,
        ..groups[set[0]].clone()
    }
}

impl NodesSeen {
    fn of(looked: impl ParallelIterator<Item = Result<Option<Nodes>, NoContents>>) -> Self {
        let looked: Vec<_> = looked.collect();
        Self {
            unseen: looked.iter().filter(|seen| seen.is_err()).count() as u64,
            nodes: looked
                .into_iter()
                .filter_map(|seen| seen.ok().flatten())
                .collect(),
        }
    }
}

fn in_blocks(heap: &Heap, group: BlockGroup) -> Result<Option<Nodes>, NoContents> {
    if group.rows.len() < FEWEST_NODES {
        return Ok(None);
    }
    let is_address = |word| heap.blocks.is_address(word);
    // Most blocks are text, which a few of them show.
    let sample = slots::sample(&group.rows).map(|&row| heap.blocks.content(row));
    let sample: Option<Vec<Cow<'_, [u8]>>> = sample.collect();
    if sample.is_some_and(|sample| !slots::may_be_slots(&sample, is_address)) {
        return Ok(None);
    }
    let contents = group.rows.iter().map(|&row| heap.blocks.content(row));
    let contents: Vec<Cow<'_, [u8]>> = contents.collect::<Option<_>>().ok_or(NoContents)?;
    let is_object = group.is_typed || refer_to_each_other(heap, &group.rows);
    let found = slots::find(&contents, is_object, is_address);
    let found = found.filter(|slots| is_object || !is_table(slots));
    let Some((slots, header)) = found.and_then(|slots| slots.with_header(group.requested)) else {
        return Ok(None);
    };
    Ok(Some(Nodes {
        holder: group.holder,
        site: group.site,
        rows: group.rows,
        stride: None,
        header,
        header_in_use: header,
        slots,
    }))
}

/// Whether hardly any block uses less than a quarter of its slots: a table that doubles when it is full never does.
fn is_table(slots: &Slots) -> bool {
    const FEW: usize = 10;
    let is_few = |used: &&u32| **used as usize * 4 <= slots.array.slots;
    slots.used.iter().filter(is_few).count() * FEW < slots.used.len()
}

fn in_pool(heap: &Heap, pool: Pool) -> Result<Option<Nodes>, NoContents> {
    let rows: Vec<ObjectId> = pool.nodes.iter().map(|node| node.0).collect();
    let blocks = rows.chunk_by(|a, b| a == b).map(|same| same[0]);
    let contents = blocks.map(|row| Some((row, heap.blocks.content(row)?)));
    let contents: FxHashMap<ObjectId, Cow<'_, [u8]>> = contents.collect::<Option<_>>().ok_or(NoContents)?;
    let node = |&(row, start): &(ObjectId, u64)| {
        let content: &[u8] = contents.get(&row)?;
        content.get(start as usize..(start + pool.stride) as usize)
    };
    let nodes = pool.nodes.iter().map(node).collect::<Option<Vec<&[u8]>>>();
    let nodes = nodes.ok_or(NoContents)?;
    let found = slots::find(&nodes, false, |word| heap.blocks.is_address(word));
    Ok(found.and_then(|slots| {
        let (slots, header) = slots.with_header(pool.stride)?;
        // A pool may round nodes up: what is behind the last byte in use is no part of them.
        let used = |node: &&[u8]| {
            node.iter()
                .rposition(|&byte| byte != 0)
                .map_or(0, |last| last + 1)
        };
        let bytes = nodes.iter().map(used).max().unwrap_or(0).next_multiple_of(8) as u64;
        let end = slots.array.end().max(bytes);
        let (slots, header_in_use) = slots.with_header(end)?;
        Some(Nodes {
            holder: pool.holder,
            site: pool.site,
            rows,
            stride: Some(pool.stride),
            header,
            header_in_use,
            slots,
        })
    }))
}
