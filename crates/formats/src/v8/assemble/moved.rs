//! Bytes of small typed arrays that the recorder's look moved out of the heap.
//!
//! V8 keeps the bytes of a typed array of up to 64 bytes in the heap, in a store of its own, until somebody asks for
//! its buffer. Listing the objects of a heap asks for all of them. The program's own heap has them inside, so here they
//! are put back: the bytes count as the store that they were in.

use deadweight_heap::{Kind, NONE, ObjectId};
use rustc_hash::FxHashMap;

use super::super::graph::Graph;
use super::super::layout::V8Layout;
use super::super::probe::Probe;
use crate::Sidecar;

/// `v8_flags.typed_array_max_size_in_heap`; `tests/program.rs` finds the same limit on real runtimes.
const MOST_IN_HEAP: u64 = 64;

/// What is put back, by the row that is charged for the bytes.
#[derive(Debug, Default)]
pub(super) struct Moved(FxHashMap<u32, Store>);

/// The bytes of one typed array.
#[derive(Clone, Copy, Debug)]
struct Store {
    /// The buffer object in front of them.
    buffer: u32,
    bytes: u64,
}

impl Moved {
    /// Finds the arrays when the recorder says that bytes were moved.
    ///
    /// A small array that the program itself made on a buffer looks the same afterwards. As long as at least half of
    /// the bytes of all that look so were moved, all are put back; the recorder's figure is exact in sum, and a program
    /// mostly makes its small arrays in one way.
    pub(super) fn find(
        graph: &Graph,
        kinds: &[Kind],
        owners: &[ObjectId],
        probe: &Probe,
        sidecar: &Sidecar,
    ) -> Self {
        let Some(moved) = sidecar.moved.filter(|&moved| moved > 0) else {
            return Self::default();
        };
        let found: FxHashMap<u32, Store> = probe
            .counts
            .iter()
            .filter_map(|(&view, &bytes)| {
                let bytes = u64::from(bytes);
                if kinds[view as usize] != Kind::Buffer || !(1..=MOST_IN_HEAP).contains(&bytes) {
                    return None;
                }
                let buffer = graph.internal(view, graph.known.buffer)?;
                let backing = graph.internal(buffer, graph.known.backing_store)?;
                // A buffer that somebody else knows was asked for before.
                (owners[buffer as usize] == view && owners[backing as usize] == NONE)
                    .then_some((backing, Store { buffer, bytes }))
            })
            .collect();
        let found = Self(found);
        if moved.saturating_mul(2) < found.external() {
            return Self::default();
        }
        found
    }

    /// Makes each store a piece of the buffer object in front of it.
    pub(super) fn own(&self, owners: &mut [ObjectId]) {
        for (&backing, store) in &self.0 {
            owners[backing as usize] = store.buffer;
        }
    }

    /// Whether the bytes of this row were moved.
    pub(super) fn has(&self, backing: u32) -> bool {
        self.0.contains_key(&backing)
    }

    /// Rows with the bytes of the stores that they were.
    pub(super) fn stores(&self, layout: V8Layout) -> impl Iterator<Item = (u32, u64)> {
        self.0.iter().map(move |(&backing, store)| {
            let words = store.bytes.div_ceil(layout.word);
            (backing, layout.fixed_array(words))
        })
    }

    /// Bytes outside the heap that are put back.
    pub(super) fn external(&self) -> u64 {
        self.0.values().map(|store| store.bytes).sum()
    }
}
