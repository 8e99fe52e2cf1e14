//! What containers alone hold beside their entries: it goes with them.

use deadweight_heap::{EdgeKind, Flags, Heap, ObjectId, ReferenceCounts, RowSet};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// More is below no container beside its entries: the walk has come to what is no piece of it.
const MOST: usize = 256;

/// What is referred to more often than this is nobody's alone.
const SHARED: u32 = 16;

/// What containers hold alone beside their entries: what makes the values of absent keys, and of a library's container all
/// that its class has made for it.
#[derive(Default)]
pub(crate) struct Alone {
    below: FxHashMap<ObjectId, Vec<ObjectId>>,
    within: FxHashSet<ObjectId>,
}

impl Alone {
    /// Of all empty containers.
    pub(crate) fn of_empty(heap: &Heap) -> Self {
        let arrays = heap.arrays.par_iter().map(|array| array.object);
        let tables = heap.tables.par_iter().map(|table| table.object);
        let with_more = arrays
            .chain(tables)
            .filter(|&id| has_more(heap, id) && heap.is_empty_container(id));
        let records = heap.records.par_iter().map(|record| record.object);
        let of_library = records.filter(|&id| heap.is_empty_container_of_library(id));
        Self::of(heap, with_more.chain(of_library).collect())
    }

    /// Of these tables.
    pub(crate) fn of_tables(heap: &Heap, tables: impl Iterator<Item = ObjectId>) -> Self {
        Self::of(heap, tables.filter(|&id| has_more(heap, id)).collect())
    }

    fn of(heap: &Heap, asked: Vec<ObjectId>) -> Self {
        if asked.is_empty() {
            return Self::default();
        }
        let counts = heap.reference_counts(RowSet::of(heap.objects.len(), |_| true));
        let walk = Walk { heap, counts };
        let below = asked.into_par_iter().map(|id| (id, walk.below(id)));
        let below: FxHashMap<ObjectId, Vec<ObjectId>> = below.collect();
        let within = below.values().flatten().copied().collect();
        Self { below, within }
    }

    /// Whether a row goes with such a container.
    pub(crate) fn has(&self, row: ObjectId) -> bool {
        self.within.contains(&row)
    }

    /// The rows that go with a container.
    pub(crate) fn below(&self, container: ObjectId) -> &[ObjectId] {
        self.below.get(&container).map_or(&[], Vec::as_slice)
    }
}

/// Whether anything stands beside a container's entries. Its store is its own: what stands beside that is a default, a lock, a
/// queue.
fn has_more(heap: &Heap, container: ObjectId) -> bool {
    let is_more = |to: ObjectId| heap.is_for_program(to) && !heap.objects.has(to, Flags::PART);
    let mut beside = heap.edges.of(container).filter(|edge| !is_entry(edge.via.kind()));
    beside.any(|edge| is_more(edge.to))
}

/// Whether a reference leads to what a container is there for.
fn is_entry(via: EdgeKind) -> bool {
    matches!(via, EdgeKind::Element | EdgeKind::Key | EdgeKind::Value)
}

struct Walk<'h> {
    heap: &'h Heap,
    /// How many references keep each row alive.
    counts: ReferenceCounts,
}

impl Walk<'_> {
    /// The rows to which no way leads but through this one, and none through its entries.
    fn below(&self, row: ObjectId) -> Vec<ObjectId> {
        let counts = &self.counts;
        let met = self.met(row, counts);
        let mut known: FxHashMap<ObjectId, u32> = FxHashMap::default();
        let own = self.beside_entries(row);
        for to in own.chain(met.iter().flat_map(|&from| self.kept_by(from))) {
            *known.entry(to).or_default() += 1;
        }
        // What the walk did not come to counted no references of its own.
        let is_met: FxHashSet<ObjectId> = met.iter().copied().collect();
        let mut stays: FxHashSet<ObjectId> = FxHashSet::default();
        let is_held = |known: &FxHashMap<ObjectId, u32>, to: ObjectId| {
            known.get(&to).copied().unwrap_or_default() < counts.of(to)
        };
        let mut held: Vec<ObjectId> = met.iter().copied().filter(|&to| is_held(&known, to)).collect();
        // What something else holds stays, and so does all that it holds.
        while let Some(from) = held.pop() {
            if stays.insert(from) {
                for to in self.kept_by(from) {
                    if let Some(count) = known.get_mut(&to).filter(|_| is_met.contains(&to)) {
                        *count -= 1;
                        held.push(to);
                    }
                }
            }
        }
        met.into_iter().filter(|to| !stays.contains(to)).collect()
    }

    /// What may be the row's alone, in the order in which a walk from it meets it.
    fn met(&self, row: ObjectId, counts: &ReferenceCounts) -> Vec<ObjectId> {
        let mut found = vec![row];
        let mut seen: FxHashSet<ObjectId> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&from) = found.get(next) {
            let kept: Vec<ObjectId> = if next == 0 {
                self.beside_entries(row).collect()
            } else {
                self.kept_by(from).collect()
            };
            next += 1;
            for to in kept {
                let may_go = found.len() <= MOST && counts.of(to) <= SHARED && self.is_freed(to);
                if may_go && seen.insert(to) {
                    found.push(to);
                }
            }
        }
        found.split_off(1)
    }

    /// Whether the bytes of a row come back once nothing refers to it.
    fn is_freed(&self, row: ObjectId) -> bool {
        let has = |flag| self.heap.objects.has(row, flag);
        let never = [Flags::PART, Flags::EXTERNAL, Flags::ENGINE, Flags::RECORDER];
        !never.into_iter().any(has) && !self.heap.is_dead(row) && !self.heap.is_shared(row)
    }

    /// What an object and its pieces keep alive, its own pieces left out.
    fn kept_by(&self, row: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.kept(row, |_| true)
    }

    /// The same of a container, without its entries.
    fn beside_entries(&self, container: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.kept(container, |via| !is_entry(via))
    }

    fn kept(&self, row: ObjectId, counts: impl Fn(EdgeKind) -> bool) -> impl Iterator<Item = ObjectId> {
        let mut pieces = self.heap.parts_of(row);
        pieces.push(row);
        let edges = pieces.into_iter().flat_map(|piece| self.heap.edges.of(piece));
        let kept = edges.filter(move |edge| {
            let via = edge.via.kind();
            via != EdgeKind::Weak && counts(via) && edge.to != row && self.heap.owner(edge.to) != row
        });
        kept.map(|edge| edge.to)
    }
}
