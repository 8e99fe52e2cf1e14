//! What stands in the columns of data frames: which values, and which objects hold them.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{EdgeKind, FrameColumn, Heap, Kind, Number, ObjectId, TextId, TypeId};

/// A value of which equal ones are one: whoever looks at it sees nothing but the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Text(TextId),
    Number((u8, u64)),
    Date(TypeId, u64),
}

/// An object in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InColumn {
    /// Its row.
    pub row: ObjectId,
    /// The first row of an equal value in the column: its own, when it is the first. `None` where it stands for nothing.
    pub first: Option<ObjectId>,
    /// Slots that refer to it.
    pub slots: u32,
}

/// What stands in one column, where all of it are values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnValues {
    /// The column.
    pub column: FrameColumn,
    /// The objects in it, in the order of their first slots.
    pub objects: Vec<InColumn>,
    /// Different values.
    pub values: u64,
    /// Of these, texts.
    pub texts: u64,
    /// Of these, numbers, which all are of one type.
    pub numbers: u64,
    /// Slots in which nothing stands.
    pub missing: u64,
}

impl Heap {
    /// What stands in each of these columns; those are left out in which something else than texts, numbers and dates stands,
    /// or numbers of several types, of which some may be equal. Columns of one array come together.
    #[must_use]
    pub fn column_values(&self, columns: &[FrameColumn]) -> Vec<ColumnValues> {
        let mut arrays: Vec<ObjectId> = columns.iter().map(|column| column.array).collect();
        arrays.sort_unstable();
        arrays.dedup();
        let wanted: FxHashSet<FrameColumn> = columns.iter().copied().collect();
        let found = arrays.par_iter().map(|&array| self.values_in(array, &wanted));
        found.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    fn values_in(&self, array: ObjectId, wanted: &FxHashSet<FrameColumn>) -> Vec<ColumnValues> {
        let columns = self.frame_columns.of(array);
        let mut slots: Vec<Vec<ObjectId>> = vec![Vec::new(); columns.len()];
        for edge in self.edges.of(array) {
            let Some(column) = self.frame_columns.at(array, edge.via) else {
                continue;
            };
            let at = columns.partition_point(|of| of.order() < column.order());
            slots[at].push(edge.to);
        }
        let all = columns.par_iter().zip(slots);
        let all = all.filter(|(column, _)| wanted.contains(column));
        all.filter_map(|(column, rows)| self.values_of(*column, &rows))
            .collect()
    }

    fn values_of(&self, column: FrameColumn, rows: &[ObjectId]) -> Option<ColumnValues> {
        let mut objects: Vec<InColumn> = Vec::new();
        let mut at: FxHashMap<ObjectId, usize> = FxHashMap::default();
        let mut firsts: FxHashMap<Value, ObjectId> = FxHashMap::default();
        let mut of_numbers: Option<TypeId> = None;
        let mut found = ColumnValues {
            column,
            objects: Vec::new(),
            values: 0,
            texts: 0,
            numbers: 0,
            // A slot without a reference has nothing in it.
            missing: u64::from(column.slots).saturating_sub(rows.len() as u64),
        };
        for &row in rows {
            if let Some(&known) = at.get(&row) {
                objects[known].slots += 1;
                found.missing += u64::from(objects[known].first.is_none());
                continue;
            }
            let first = if self.is_nothing(row) {
                found.missing += 1;
                None
            } else {
                let value = self.plain_value(row)?;
                if let Value::Number(_) = value {
                    let ty = self.objects.label[row as usize];
                    if *of_numbers.get_or_insert(ty) != ty {
                        return None;
                    }
                }
                Some(*firsts.entry(value).or_insert_with(|| {
                    found.values += 1;
                    found.texts += u64::from(matches!(value, Value::Text(_)));
                    found.numbers += u64::from(matches!(value, Value::Number(_)));
                    row
                }))
            };
            at.insert(row, objects.len());
            objects.push(InColumn { row, first, slots: 1 });
        }
        found.objects = objects;
        Some(found)
    }

    /// Whether a row stands for the absence of a value, a number that is none among them.
    fn is_nothing(&self, row: ObjectId) -> bool {
        let ty = self.objects.label[row as usize];
        match self.kind(row) {
            Kind::Number => self
                .number(row)
                .is_some_and(|number| number.value().known_key().is_none()),
            Kind::String => false,
            _ => self.types.is_absent(ty),
        }
    }

    fn plain_value(&self, row: ObjectId) -> Option<Value> {
        let label = self.objects.label[row as usize];
        match self.kind(row) {
            Kind::String => self.is_plain_text(row).then_some(Value::Text(label)),
            Kind::Number => {
                let number = self.number(row).map(Number::value)?;
                number.known_key().map(Value::Number)
            }
            Kind::Date => {
                let value = self.date(row)?.value;
                // What it refers to, a zone, is part of it.
                let mut refers = self
                    .edges
                    .of(row)
                    .filter(|edge| edge.via.kind() != EdgeKind::Weak);
                (!value.is_nan() && refers.next().is_none()).then(|| Value::Date(label, value.to_bits()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{EdgeKind, HeapBuilder};

    use super::*;

    /// A frame with one column in an array of its own, in which `fill` puts what it returns.
    fn column_of(fill: impl FnOnce(&mut HeapBuilder) -> Vec<Option<ObjectId>>) -> Option<ColumnValues> {
        let mut heap = HeapBuilder::new();
        let rows = fill(&mut heap);
        let array = heap.array(rows.len() as u32, &[]);
        for (slot, row) in (0..).zip(&rows) {
            if let Some(row) = *row {
                heap.edge(array, EdgeKind::Element, slot, row);
            }
        }
        let frame = heap.record("Frame", &[]);
        let name = heap.text("name");
        let column = FrameColumn {
            frame,
            name,
            array,
            first: 0,
            step: 1,
            slots: rows.len() as u32,
            is_own: true,
        };
        heap.frame_columns(vec![column]);
        heap.build().column_values(&[column]).pop()
    }

    #[test]
    fn equal_values_have_one_first() {
        let found = column_of(|heap| {
            let (a, again, b) = (heap.string("a"), heap.string("a"), heap.string("b"));
            let nothing = heap.object(Kind::Runtime, "absent", 0);
            heap.absent("absent");
            let none = heap.number(f64::NAN);
            [a, again, a, b, nothing, none]
                .map(Some)
                .into_iter()
                .chain([None])
                .collect()
        })
        .unwrap();
        let objects = found.objects.iter().map(|of| (of.row, of.first, of.slots));
        let objects: Vec<_> = objects.collect();
        assert_eq!(
            objects,
            [
                (0, Some(0), 2),
                (1, Some(0), 1),
                (2, Some(2), 1),
                (3, None, 1),
                (4, None, 1)
            ]
        );
        assert_eq!((found.values, found.texts, found.missing), (2, 2, 3));
    }

    #[test]
    fn what_is_no_value_is_not_compared() {
        let has = |fill: fn(&mut HeapBuilder) -> ObjectId| {
            column_of(|heap| vec![Some(heap.string("a")), Some(fill(heap))]).is_some()
        };
        assert!(has(|heap| heap.number(1.0)));
        assert!(has(|heap| heap.date(1.0)));
        assert!(!has(|heap| heap.record("Object", &[])));
        assert!(!has(|heap| heap.date(f64::NAN)));
        assert!(!has(|heap| heap.object(Kind::Runtime, "true", 0)));
        // A date with a zone.
        assert!(!has(|heap| {
            let (date, zone) = (heap.date(1.0), heap.string("UTC"));
            heap.edge(date, EdgeKind::Field, 0, zone);
            date
        }));
    }

    #[test]
    fn numbers_of_several_types_may_be_equal() {
        let of = |ty: &'static str| {
            column_of(|heap| {
                let (whole, other) = (heap.number(1.0), heap.number_of(ty, 1.0));
                vec![Some(whole), Some(other)]
            })
        };
        assert_eq!(of("number").unwrap().numbers, 1);
        assert_eq!(of("float"), None);
    }
}
