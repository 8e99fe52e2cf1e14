//! # C02 · half-empty nodes
//!
//! ## What it is
//! Nodes with room for as many children as any may have, while most have few: a radix tree's 16 slots with three in
//! use.
//!
//! ## Why it costs
//! Each node pays for all its slots. In trees over hashed keys most nodes stand near the leaves and use two or three.
//!
//! ## How it is found
//! Without types or debug information, from the contents alone. Of at least 64 blocks of one type (or, without one, of
//! one place of allocation) and one size, words of eight bytes that are zero in the same blocks belong together and are
//! one slot. A few blocks may differ: a child that is not loaded yet has a hash and no reference. Of the blocks that use
//! either of two words, and of those that leave either free, one in 64 or, where that shows a larger array, one in eight may
//! differ; words of slots that are filled independently differ in most. Nodes of one size that several places allocate
//! are looked at together when they refer to each other.
//!
//! Slots of one form at even distances are an array, also when its parts stand in two parallel
//! arrays. Parallel arrays that all blocks fill from the beginning on, and none beyond the middle, are recognized by their ends:
//! stretches of eight words or more, of one length and at one distance, that no block uses. At least four slots of several words or eight of one are needed, and half of their words must be references
//! to what the program holds or as random as hashes, so that text and numbers are not taken for slots; a word at an end
//! of an array of references that seldom is one is a mask or a count. Blocks of no known type that are slots and
//! nothing else are nodes when half of their references lead to others of them; else they are left out: they are the
//! buffers of vectors and the buckets of tables, whose owner decides how many there are. So are hashes without references
//! that blocks have from their beginning on: random data of some length, and blocks of no known type that do not refer to
//! each other, where nine in ten use more than a quarter of their slots: tables that double when they are full.
//!
//! Two words or more at an end of an array that the very same blocks use, sixteen at least, are a reference of several
//! words beside the slots, such as that of a `shared_ptr`. Nodes of a container of a library, such as Rust's `BTreeMap`,
//! are left out: their size is not the program's to choose.
//!
//! Nodes that a pool cut out of larger blocks are found by the references to them, which lead to places at one distance
//! from each other. Cells of a table, whose address nobody keeps, are no nodes.
//!
//! ## How the saving is computed
//! The histogram of used slots is exact: a slot in which anything stands is in use, so that nodes which differ cost what
//! they need. For one, two and three sizes besides the largest, dynamic programming finds
//! those that cost least: what is not slots stays in the node with a reference to the slots, which go into a block of
//! their own, of the smallest size that holds those in use; both are charged as the heap's allocator charges. A further
//! size is taken as long as it gains at least 2 % of what the nodes take now. `sizes` in the evidence has each step and
//! its gain. Which size a node has is stored in the unused low bits of the reference; `size_field` says what a field for
//! it would cost instead. A finding must save a tenth of the nodes and at least 4 KiB.
//!
//! ## How to fix it
//! Keep a mask that says which slots are in use, and an array of those alone; the number of bits below a slot's own is its index.
//!
//! - C++: `remedies/cpp` has it as a header: `deadweight::sparse_array`, with the size in the pointer's low bits.
//! - Rust: a boxed slice beside a mask, or an enum with a variant for each size.
//! - Java, C#: node classes for 4, 16, 48 and 256 children, as in adaptive radix trees.
//!
//! ## When not to
//! When nodes fill up later, or when a search must not follow one more reference.

mod evidence;
mod nodes;
#[cfg(test)]
mod tests;

use deadweight_heap::Heap;
use deadweight_infer::{Nodes, NodesSeen, block_nodes, pooled_nodes};
use deadweight_weighing::NotMeasured;
use rayon::prelude::*;

use crate::count::Count;
use crate::{Basis, Candidate, Code, Rule, Verdict};

use nodes::candidate;

/// The reference from a node to its slots.
const REFERENCE: u64 = 8;

/// The rule.
pub struct Slots;

impl Rule for Slots {
    fn code(&self) -> Code {
        Code("C02")
    }

    fn source(&self) -> &'static str {
        include_str!("c02_slots.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("nodes do not fill up later")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let candidates = |seen: &NodesSeen| -> Vec<Option<Candidate>> {
            let nodes = seen.nodes.par_iter();
            nodes.map(|nodes| candidate(heap, nodes)).collect()
        };
        let pooled = pooled_nodes(heap);
        let of_pools = candidates(&pooled);
        // The blocks of a pool whose nodes were found are no nodes themselves.
        let found = pooled.nodes.iter().zip(&of_pools);
        let found = found.filter(|(_, candidate)| candidate.is_some());
        let rows = found.flat_map(|(Nodes { rows, .. }, _)| rows.iter().copied());
        let blocks = block_nodes(heap, &heap.row_set(rows));
        let all = of_pools.into_iter().chain(candidates(&blocks)).flatten();
        let mut verdict = Verdict::from(all.collect::<Vec<_>>());
        let unseen = pooled.unseen + blocks.unseen;
        if unseen > 0 {
            verdict.not_measured.push(NotMeasured::new(format!(
                    "the contents of {} of equal blocks are not in the dump, so half-empty nodes are not seen",
                    Count(unseen).of("group", "groups")
                ), heap.runtime.recapture.clone()));
        }
        verdict
    }
}
