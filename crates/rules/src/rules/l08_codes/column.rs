//! One column, and what it would be as codes.

use deadweight_heap::{ColumnValues, Heap, NONE, ObjectId, Representation};

/// Fewer rows are not worth a change.
const LEAST: u32 = 1000;

/// Rows for each different value, at least: values are few then, and go on to be.
const ROWS_A_VALUE: u64 = 4;

/// A column that could be codes.
pub(super) struct Coded {
    pub(super) values: ColumnValues,
    /// Columns whose slots its array has, itself included.
    pub(super) columns: u64,
    /// The row that is charged for its slots, maybe with those of others.
    pub(super) store: ObjectId,
    /// What its slots are charged of an array that has others as well.
    pub(super) share: u64,
    /// Whether the array has its slots alone.
    is_whole: bool,
    /// What the codes take, with all that belongs to them.
    pub(super) takes: u64,
}

impl Coded {
    /// `None` for a column that is better as it is, or another type's.
    pub(super) fn of(heap: &Heap, values: ColumnValues) -> Option<Self> {
        let column = values.column;
        let present = u64::from(column.slots) - values.missing;
        let are_few = values.values > 0 && values.values * ROWS_A_VALUE <= present;
        if column.slots < LEAST || !are_few || values.numbers == values.values {
            return None;
        }
        let are_texts = values.texts * 2 > values.values;
        let takes = heap
            .layout
            .coded_column(column.slots.into(), values.values, are_texts)?;
        let array = heap.array(column.array)?;
        let used = u64::from(array.used);
        let store = if array.store == NONE {
            array.object
        } else {
            array.store
        };
        let charge = |slots| {
            heap.allocator
                .charged(heap.layout.elements(Representation::Reference, slots))
        };
        let rest = used.saturating_sub(column.slots.into());
        let share = charge(used).saturating_sub(charge(rest));
        Some(Self {
            columns: heap.frame_columns.of(column.array).len() as u64,
            store,
            share: share.min(heap.bytes(store)),
            is_whole: rest == 0,
            takes,
            values,
        })
    }

    /// Whether the array goes with the column.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }
}
