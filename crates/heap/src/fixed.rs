//! Rows that no change of a program frees, whatever they are.

use rayon::prelude::*;

use crate::{Flags, Heap, ObjectId, Objects, RowSet};

/// What a reader knows of such rows; `None` where its dumps have none, which is how all dumps of a live heap are.
#[derive(Debug, Default)]
pub struct Fixed {
    /// Dead at capture: nothing reaches them, and the next collection takes them. They have no bytes here, for they
    /// are not held; [`Heap::dead`] has the sum. Their reader leaves out their references, which keep nothing alive.
    pub dead: Option<RowSet>,
    /// Immortal, or shared with other processes: they are held, as the runtime's, and no fix frees them.
    pub shared: Option<RowSet>,
    /// The runtime's own table of texts.
    pub interned: Option<Interned>,
}

/// The runtime's own table of texts that it has once, into which programs can put theirs. It stays as large as it has become.
#[derive(Debug)]
pub struct Interned {
    /// The row of the table.
    pub table: ObjectId,
    /// The texts that are in it, by the numbers of [`crate::Texts`].
    pub texts: RowSet,
}

/// What was dead at capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dead {
    /// Rows.
    pub objects: u64,
    /// Their bytes inside the runtime's heap.
    pub bytes: u64,
    /// Their bytes outside.
    pub external: u64,
}

impl Fixed {
    /// Takes the dead rows' bytes out of the columns.
    pub(crate) fn take_dead(&self, objects: &mut Objects) -> Dead {
        let mut dead = Dead::default();
        let count = objects.len() as u32;
        let rows = self.dead.iter().flat_map(RowSet::rows);
        for row in rows.take_while(|&row| row < count) {
            dead.objects += 1;
            if objects.has(row, Flags::EXTERNAL) {
                dead.external += objects.bytes(row);
            } else {
                dead.bytes += objects.bytes(row);
            }
            objects.set_bytes(row, 0);
        }
        dead
    }

    /// Whether no fix frees a row.
    pub(crate) fn has(&self, row: u32) -> bool {
        let mut sets = self.dead.iter().chain(&self.shared);
        sets.any(|set| set.has(row))
    }

    /// Adds the parts of its rows: a part goes with its owner.
    pub(crate) fn spread(&self, objects: &Objects) {
        for set in self.dead.iter().chain(&self.shared) {
            let rows = (0..objects.len() as u32).into_par_iter().with_min_len(16_384);
            rows.filter(|&row| objects.has(row, Flags::PART) && set.has(objects.owner(row)))
                .for_each(|row| {
                    set.insert(row);
                });
        }
    }
}

impl Heap {
    /// What was dead at capture, and is in no other sum.
    #[must_use]
    pub const fn dead(&self) -> Dead {
        self.dead
    }

    /// Whether a row was dead at capture.
    #[must_use]
    pub fn is_dead(&self, row: u32) -> bool {
        self.fixed.dead.as_ref().is_some_and(|dead| dead.has(row))
    }

    /// Whether a row is immortal, or shared with other processes.
    #[must_use]
    #[inline]
    pub fn is_shared(&self, row: u32) -> bool {
        self.fixed.shared.as_ref().is_some_and(|shared| shared.has(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeapBuilder;

    #[test]
    fn the_dead_are_told_apart_and_in_no_sum() {
        let mut heap = HeapBuilder::new();
        let live = heap.record("Live", &[]);
        let list = heap.array(4, &[]);
        let buffer = heap.buffer(100, 0, 0);
        heap.variable("live", live);
        heap.dead(list).dead(buffer);
        let heap = heap.build();
        let store = heap.arrays[0].store;
        assert!(heap.is_dead(list) && heap.is_dead(store) && !heap.is_dead(live));
        // The backing of a buffer is nobody's part.
        let dead = Dead {
            objects: 3,
            bytes: 32 + 48 + 96,
            external: 0,
        };
        assert_eq!(heap.dead(), dead);
        let shape = 72;
        assert_eq!((heap.held_bytes(), heap.external_bytes()), (16 + shape, 100));
        assert!(!heap.in_program(list) && heap.in_program(live));
    }

    #[test]
    fn the_shared_are_held_as_the_runtimes() {
        let mut heap = HeapBuilder::new();
        let none = heap.record("NoneType", &[]);
        let list = heap.array(4, &[none]);
        heap.variable("all", list).shared(none).shared(list);
        let heap = heap.build();
        let store = heap.arrays[0].store;
        assert!([none, list, store].iter().all(|&row| heap.is_shared(row)));
        assert!([none, list, store].iter().all(|&row| heap.is_runtime(row)));
        assert!(!heap.in_program(list));
        let shape = 72;
        assert_eq!(heap.held_bytes(), 16 + 32 + 48 + shape);
        assert_eq!(heap.dead(), Dead::default());
    }
}
