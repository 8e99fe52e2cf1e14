//! How many records of the program each type has.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Heap, TypeId, in_pieces};

/// How many records of the program each type has.
#[derive(Debug)]
pub struct Population(Vec<u32>);

impl Heap {
    /// How many records of the program each type has: counted once, on all threads.
    #[must_use]
    pub fn population(&self) -> Arc<Population> {
        self.shared.get(|| Population::of(self))
    }
}

impl Population {
    fn of(heap: &Heap) -> Self {
        let counts: Vec<AtomicU32> = (0..heap.types.len()).map(|_| AtomicU32::new(0)).collect();
        in_pieces(&heap.records, |records| {
            // Records of one type mostly stand side by side: one addition for each run of them.
            let mut run = (None, 0);
            let count = |(ty, seen): (Option<TypeId>, u32)| {
                if let Some(count) = ty.and_then(|ty| counts.get(ty as usize)) {
                    count.fetch_add(seen, Ordering::Relaxed);
                }
            };
            for record in records {
                let ty = heap.record_type(record);
                if run.0 != ty {
                    count(std::mem::replace(&mut run, (ty, 0)));
                }
                run.1 += 1;
            }
            count(run);
        });
        Self(counts.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// Records of that type.
    #[must_use]
    pub fn count(&self, ty: TypeId) -> u32 {
        self.0.get(ty as usize).copied().unwrap_or(0)
    }
}
