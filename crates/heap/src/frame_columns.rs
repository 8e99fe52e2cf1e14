//! Columns of data frames: tables of a library that keeps each column's values side by side, as slots of an array.

use crate::{EdgeKind, ObjectId, TextId, Via};

/// A column whose slots hold references. The library that keeps it could keep codes into a list of its values as well, and
/// a program that reads the column would not see the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameColumn {
    /// The row of the frame.
    pub frame: ObjectId,
    /// What the column is called.
    pub name: TextId,
    /// The row of the array that has its slots, maybe beside those of other columns.
    pub array: ObjectId,
    /// Its first slot.
    pub first: u32,
    /// How far its slots stand from one another.
    pub step: u32,
    /// How many slots it has, one at least.
    pub slots: u32,
    /// Whether nothing but the frame holds the array.
    pub is_own: bool,
}

impl FrameColumn {
    /// Which slots they are, as slots that other columns have as well are sorted.
    pub(crate) const fn order(&self) -> (ObjectId, u32, u32) {
        (self.array, self.first % self.step, self.first)
    }

    /// Whether a slot of its array is one of its own.
    #[must_use]
    pub const fn has(&self, slot: u32) -> bool {
        slot >= self.first
            && (slot - self.first).is_multiple_of(self.step)
            && (slot - self.first) / self.step < self.slots
    }
}

/// All columns of a heap, by array, and the arrays of all frames.
#[derive(Clone, Debug, Default)]
pub struct FrameColumns {
    columns: Vec<FrameColumn>,
    /// Arrays with the frames that have their columns in them, of numbers as well.
    arrays: Vec<(ObjectId, ObjectId)>,
}

impl FrameColumns {
    /// Those of a heap, and the arrays in which frames have columns of any sort, each with its frame. Of columns that have a
    /// slot in common, and of frames that have an array in common, the first one counts.
    #[must_use]
    pub fn new(mut all: Vec<FrameColumn>, mut arrays: Vec<(ObjectId, ObjectId)>) -> Self {
        arrays.sort_by_key(|&(array, _)| array);
        arrays.dedup_by_key(|&mut (array, _)| array);
        all.retain(|column| column.step > 0 && column.slots > 0);
        all.sort_by_key(FrameColumn::order);
        // All columns of one array stand at the same distances, or only the first of them is known.
        let mut step = 0;
        let mut known: Vec<FrameColumn> = Vec::with_capacity(all.len());
        for column in all {
            let last = known.last().filter(|last| last.array == column.array);
            let Some(last) = last else {
                step = column.step;
                known.push(column);
                continue;
            };
            let is_apart = last.first % step != column.first % step || !last.has(column.first);
            if column.step == step && is_apart {
                known.push(column);
            }
        }
        Self {
            columns: known,
            arrays,
        }
    }

    /// Each column, in the order of arrays and slots.
    pub fn iter(&self) -> impl Iterator<Item = &FrameColumn> {
        self.columns.iter()
    }

    /// The columns whose slots an array has.
    #[must_use]
    pub fn of(&self, array: ObjectId) -> &[FrameColumn] {
        let start = self.columns.partition_point(|column| column.array < array);
        let len = self.columns[start..].partition_point(|column| column.array == array);
        &self.columns[start..start + len]
    }

    /// The frame that has columns in an array.
    #[must_use]
    #[inline]
    pub fn frame_of(&self, array: ObjectId) -> Option<ObjectId> {
        if self.arrays.is_empty() {
            return None;
        }
        let at = self
            .arrays
            .binary_search_by_key(&array, |&(array, _)| array)
            .ok()?;
        Some(self.arrays[at].1)
    }

    /// The column in one of whose slots a reference stands.
    #[must_use]
    #[inline]
    pub fn at(&self, from: ObjectId, via: Via) -> Option<&FrameColumn> {
        if self.columns.is_empty() || via.kind() != EdgeKind::Element {
            return None;
        }
        self.with_slot(from, via.name())
    }

    fn with_slot(&self, array: ObjectId, slot: u32) -> Option<&FrameColumn> {
        let all = self.of(array);
        let step = all.first()?.step;
        let key = (array, slot % step, slot);
        let behind = all.partition_point(|column| column.order() <= key);
        all[..behind].last().filter(|column| column.has(slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: TextId, array: ObjectId, first: u32, step: u32, slots: u32) -> FrameColumn {
        FrameColumn {
            frame: 1,
            name,
            array,
            first,
            step,
            slots,
            is_own: true,
        }
    }

    fn name_at(all: &FrameColumns, array: ObjectId, slot: u32) -> Option<TextId> {
        let found = all.at(array, Via::new(EdgeKind::Element, slot));
        found.map(|column| column.name)
    }

    #[test]
    fn slots_are_those_of_the_column_that_has_them() {
        let all = FrameColumns::new(
            vec![
                column(12, 8, 200, 1, 100),
                column(10, 8, 0, 1, 100),
                // Column by column, and row by row.
                column(20, 9, 0, 3, 50),
                column(21, 9, 2, 3, 50),
            ],
            vec![(9, 1), (8, 1), (9, 2)],
        );
        let at = |array, slots: &[u32]| -> Vec<Option<TextId>> {
            slots.iter().map(|&slot| name_at(&all, array, slot)).collect()
        };
        assert_eq!(
            at(8, &[0, 99, 100, 200, 299, 300]),
            [Some(10), Some(10), None, Some(12), Some(12), None]
        );
        assert_eq!(
            at(9, &[0, 1, 2, 147, 149, 150]),
            [Some(20), None, Some(21), Some(20), Some(21), None]
        );
        assert_eq!(at(7, &[0]), [None]);
        assert_eq!(all.at(8, Via::new(EdgeKind::Field, 0)), None);
        assert_eq!(all.of(9).len(), 2);
        assert_eq!(
            [7, 8, 9].map(|array| all.frame_of(array)),
            [None, Some(1), Some(1)]
        );
    }

    #[test]
    fn of_columns_that_share_slots_the_first_counts() {
        let all = FrameColumns::new(
            vec![
                column(1, 8, 0, 1, 100),
                column(2, 8, 0, 1, 50),
                column(3, 8, 10, 2, 5),
                column(4, 8, 100, 0, 5),
            ],
            Vec::new(),
        );
        assert_eq!(all.iter().map(|column| column.name).collect::<Vec<_>>(), [1]);
        assert_eq!(name_at(&all, 8, 10), Some(1));
    }
}
