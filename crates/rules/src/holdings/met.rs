//! The places that one piece of the heap has, with what stands at each.

use deadweight_heap::{Flags, Heap, HolderId, Holders, Kind, NONE, ObjectId, Recent, TypeId};
use rustc_hash::FxHashMap;

/// One row of the table, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Place(HolderId, TypeId),
    Runtime(Kind),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) count: u64,
    /// Rows with bytes inside the heap, parts too.
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) external: u64,
}

/// What all places come to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// Bytes inside the heap.
    pub held: u64,
    /// Of those, the bytes of the runtime's own rows.
    pub runtime: u64,
    /// Rows with bytes inside the heap.
    pub objects: u64,
    /// Bytes outside the heap.
    pub external: u64,
}

impl Totals {
    pub(super) fn add(&mut self, key: Key, sums: Sums) {
        self.held += sums.bytes;
        self.objects += sums.rows;
        self.external += sums.external;
        if matches!(key, Key::Runtime(_)) {
            self.runtime += sums.bytes;
        }
    }
}

/// The places that one thread met, in the order in which it met them.
pub(super) struct Met<'h> {
    heap: &'h Heap,
    holders: Holders<'h>,
    ids: FxHashMap<Key, u32>,
    pub(super) places: Vec<(Key, Sums)>,
    recent: Recent<Key>,
}

impl Key {
    /// A number that keys mostly differ in.
    fn word(self) -> u32 {
        match self {
            Self::Place(holder, ty) => holder.wrapping_mul(31) ^ ty,
            Self::Runtime(kind) => kind as u32,
        }
    }
}

impl<'h> Met<'h> {
    pub(super) fn new(heap: &'h Heap, holders: Holders<'h>) -> Self {
        Self {
            heap,
            holders,
            ids: FxHashMap::default(),
            places: Vec::new(),
            recent: Recent::none(),
        }
    }

    /// Counts a row of the heap at its place.
    pub(super) fn meet(&mut self, id: ObjectId) -> u32 {
        let heap = self.heap;
        let key = self.key(id);
        let (places, ids) = (&mut self.places, &mut self.ids);
        let at = self.recent.get(key, key.word(), || {
            *ids.entry(key).or_insert_with(|| {
                places.push((key, Sums::default()));
                (places.len() - 1) as u32
            })
        });
        let sums = &mut self.places[at as usize].1;
        let bytes = heap.bytes(id);
        if heap.objects.has(id, Flags::EXTERNAL) {
            sums.external += bytes;
        } else {
            sums.bytes += bytes;
            sums.rows += u64::from(bytes > 0);
        }
        sums.count += u64::from(!heap.objects.has(id, Flags::PART));
        at
    }

    fn key(&mut self, id: ObjectId) -> Key {
        let owner = self.heap.owner(id);
        if self.heap.is_runtime(id) {
            return Key::Runtime(self.heap.kind(owner));
        }
        let holder = self.holders.of(owner);
        let string = self.heap.kind(owner) == Kind::String;
        let label = self.heap.objects.label.get(owner as usize);
        Key::Place(holder, label.copied().filter(|_| !string).unwrap_or(NONE))
    }
}
