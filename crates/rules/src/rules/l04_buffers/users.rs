//! Which views use which buffers.

use deadweight_heap::{Buffer, EdgeKind, Flags, Heap, Kind, NONE, ObjectId};
use rustc_hash::FxHashMap;

use super::super::r01_slices::OfViews;

/// How many views use each backing and each buffer object beneath them.
pub(super) struct Users {
    pub(super) of_backing: FxHashMap<ObjectId, u32>,
    pub(super) of_buffer: FxHashMap<ObjectId, u32>,
    /// What the runtime keeps for views.
    pub(super) runtime: OfViews,
}

impl Users {
    pub(super) fn of(heap: &Heap) -> Self {
        let mut users = Self {
            of_backing: FxHashMap::default(),
            of_buffer: FxHashMap::default(),
            runtime: OfViews::new(heap),
        };
        for buffer in &heap.buffers {
            if !buffer.is_backing && buffer.backing != NONE {
                *users.of_backing.entry(buffer.backing).or_default() += 1;
            }
            for beneath in beneath(heap, buffer.object) {
                *users.of_buffer.entry(beneath).or_default() += 1;
            }
        }
        users
    }

    /// Bytes a view spans. One whose length the dump does not say has an even share of the buffer it stands in: of
    /// a pool cut into many slices that is the most it can be on average.
    pub(super) fn bytes_of(&self, heap: &Heap, buffer: &Buffer) -> u64 {
        let views = self.of_backing.get(&buffer.backing).copied().unwrap_or(0);
        if buffer.bytes != u64::MAX || views == 0 {
            return buffer.bytes;
        }
        heap.bytes(buffer.backing) / u64::from(views)
    }
}

/// The buffer objects that a view shows a window of.
pub(super) fn beneath(heap: &Heap, view: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
    heap.edges.of(view).filter_map(move |edge| {
        let to = edge.to;
        let is_buffer = heap.objects.kind.get(to as usize) == Some(&Kind::Buffer);
        let is_whole = is_buffer && to != view && !heap.objects.has(to, Flags::PART);
        (is_whole && edge.via.kind() == EdgeKind::Internal).then_some(to)
    })
}

pub(super) fn is_beneath_a_view(heap: &Heap, id: ObjectId) -> bool {
    heap.referrers
        .of(id)
        .is_some_and(|(from, via)| via.kind() == EdgeKind::Internal && heap.kind(from) == Kind::Buffer)
}
