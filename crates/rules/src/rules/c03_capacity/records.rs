//! Records with free slots.

use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{Heap, NONE, ObjectId, Record, UNKNOWN, in_pieces};
use rustc_hash::FxHashMap;

use crate::rules::l01_shapes::shape_index;

/// Records of one shape that must have free slots.
const FEWEST_RECORDS: u32 = 100;

/// Free slots of a record; none when unknown.
pub(super) fn free_slots(used: u32, available: u32) -> u32 {
    if used == UNKNOWN || available == UNKNOWN {
        0
    } else {
        available.saturating_sub(used)
    }
}

/// How many records of each shape have free slots.
pub(super) struct Wide {
    /// By row of `heap.shapes`.
    known: Vec<AtomicU32>,
    /// Of shapes of which nothing else is known.
    others: FxHashMap<ObjectId, u32>,
}

impl Wide {
    pub(super) fn of(heap: &Heap) -> Self {
        let known: Vec<AtomicU32> = heap.shapes.iter().map(|_| AtomicU32::new(0)).collect();
        let others = in_pieces(&heap.records, |records| {
            let mut others: FxHashMap<ObjectId, u32> = FxHashMap::default();
            for record in records {
                let free = free_slots(record.used, record.available);
                if free == 0 || record.shape == NONE || !heap.in_program(record.object) {
                    continue;
                }
                if let Some(shape) = shape_index(heap, record) {
                    known[shape as usize].fetch_add(1, Ordering::Relaxed);
                } else {
                    *others.entry(record.shape).or_default() += 1;
                }
            }
            others
        });
        let mut wide = Self {
            known,
            others: FxHashMap::default(),
        };
        for (shape, count) in others.into_iter().flatten() {
            *wide.others.entry(shape).or_default() += count;
        }
        wide
    }

    /// Whether any shape has enough records.
    pub(super) fn any(&self) -> bool {
        let known = self.known.iter().map(|count| count.load(Ordering::Relaxed));
        known
            .chain(self.others.values().copied())
            .any(|count| count >= FEWEST_RECORDS)
    }

    /// Whether the shape of a record has enough.
    pub(super) fn has(&self, heap: &Heap, record: &Record) -> bool {
        let count = match shape_index(heap, record) {
            Some(shape) => self.known[shape as usize].load(Ordering::Relaxed),
            None => self.others.get(&record.shape).copied().unwrap_or(0),
        };
        count >= FEWEST_RECORDS
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Kind};

    use super::super::tests::look;
    use crate::Candidate;

    #[test]
    fn free_slots_of_records_count_in_the_row_and_then_in_its_parts() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for i in 0..100 {
            let record = heap.record("Wide", &[("x", x)]);
            heap.resize(record, 16 + 8 * 3);
            let slots = heap.object(Kind::Opaque, "slots", 32);
            heap.part(record, slots);
            heap.change_record(record, |record| record.available = 5);
            heap.variable(if i < 50 { "some" } else { "all" }, record);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "Wide");
        // Two of the free slots are in the record, and two beside it, behind a header of two words.
        assert_eq!(found.iter().map(Candidate::net).sum::<i64>(), 100 * (4 * 8 + 16));
    }

    #[test]
    fn fields_in_a_store_beside_the_record_move_into_it() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for _ in 0..100 {
            let fields = ["a", "b", "c", "d", "e"].map(|name| (name, x));
            let record = heap.record("Wide", &fields);
            // Two slots in the record, six beside it of which three are in use.
            heap.resize(record, 16 + 8 * 2);
            let slots = heap.object(Kind::Opaque, "slots", 16 + 8 * 6);
            heap.part(record, slots);
            heap.change_record(record, |record| record.available = 8);
            heap.variable("all", record);
        }
        let found = look(heap);
        assert_eq!((found.len(), found[0].count), (1, 100));
        assert_eq!(found[0].net(), 100 * (3 * 8 + 16));
        assert_eq!(found[0].overhead_rows.bytes(), 100 * 3 * 8);
        assert_eq!(found[0].bytes_now, 100 * (32 + 64));
    }

    #[test]
    fn a_piece_of_another_size_is_not_where_the_fields_are() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for _ in 0..100 {
            let record = heap.record("Wide", &[("x", x)]);
            heap.resize(record, 16 + 8 * 3);
            let elements = heap.object(Kind::Opaque, "elements", 80);
            heap.part(record, elements);
            heap.change_record(record, |record| record.available = 5);
            heap.variable("all", record);
        }
        assert_eq!(look(heap)[0].net(), 100 * 2 * 8);
    }
}
