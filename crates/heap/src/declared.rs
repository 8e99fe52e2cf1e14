//! Fields that types declare, and what stands in them. Values are read where the dump has them, when someone asks.

use std::borrow::Cow;

use crate::{Fields, Heap, Layout, Numeric, ObjectId, RecordShape, Representation, TextId, TypeId, Value};

/// A field of the records of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: TextId,
    /// Where it stands in the bytes that the dump has of such a record ([`crate::Blocks::stored`]).
    pub offset: u32,
    /// What it holds.
    pub representation: Representation,
    /// The type that declares it: the record's own, or one that it inherits from.
    pub declared_by: TypeId,
}

/// The order of bytes within a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// The least one first.
    Little,
    /// The least one last.
    Big,
}

/// Bytes that a dump has of a row.
#[derive(Clone, Debug)]
pub struct Stored<'a> {
    /// The bytes.
    pub bytes: Cow<'a, [u8]>,
    /// How numbers stand in them.
    pub endian: Endian,
    /// Bytes of a reference in them, which may be more than it takes in memory.
    pub reference: u8,
}

impl Stored<'_> {
    /// The word of so many bytes at an offset.
    fn word(&self, offset: u64, bytes: u64) -> Option<u64> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(bytes).ok()?)?;
        let place = self.bytes.get(start..end).filter(|place| place.len() <= 8)?;
        let add = |word: u64, &byte: &u8| word << 8 | u64::from(byte);
        Some(match self.endian {
            Endian::Big => place.iter().fold(0, add),
            Endian::Little => place.iter().rev().fold(0, add),
        })
    }

    /// The number or truth value at an offset; `None` for a reference, which only the heap can follow.
    fn scalar(&self, offset: u64, of: Representation) -> Option<Value> {
        let bytes = of.bytes(u64::from(self.reference));
        let word = self.word(offset, bytes)?;
        let number = match of {
            Representation::Boolean => return Some(Value::Boolean(word != 0)),
            Representation::Unsigned(_) => Numeric::of_unsigned(word),
            Representation::Integer(bytes) => {
                let unused = 64_u32
                    .checked_sub(8 * u32::from(bytes))
                    .filter(|&bits| bits < 64)?;
                Numeric::Integer((word << unused).cast_signed() >> unused)
            }
            Representation::Float(4) => Numeric::of_float(f64::from(f32::from_bits(word as u32))),
            Representation::Float(8) => Numeric::of_float(f64::from_bits(word)),
            // No number, or of a width that none has.
            Representation::Any | Representation::Reference | Representation::Float(_) => return None,
        };
        Some(Value::Number(number))
    }
}

impl Field {
    /// The field beside the type that declares it, with what it holds.
    pub(crate) const fn placed(&self) -> (TypeId, Fields) {
        (self.declared_by, self.representation.times(1))
    }
}

/// The fields of one row, whose bytes are looked for once for all of them.
#[derive(Debug)]
pub struct FieldValues<'h> {
    heap: &'h Heap,
    stored: Option<Stored<'h>>,
}

impl FieldValues<'_> {
    /// What stands in a field; `None` when the dump does not have it, or when it refers to what is no object.
    #[must_use]
    pub fn get(&self, field: &Field) -> Option<Value> {
        if !field.representation.refers() {
            let stored = self.stored.as_ref()?;
            return stored.scalar(u64::from(field.offset), field.representation);
        }
        match self.address(field)? {
            0 => Some(Value::Nothing),
            address => {
                let (to, within) = self.heap.blocks.locate(address)?;
                Some(Value::Reference(to, within))
            }
        }
    }

    /// Whether a field of references has none; `None` when the dump does not have it.
    #[must_use]
    pub fn is_nothing(&self, field: &Field) -> Option<bool> {
        Some(self.address(field)? == 0)
    }

    /// The address in a field of references.
    fn address(&self, field: &Field) -> Option<u64> {
        let stored = self.stored.as_ref()?;
        stored.word(u64::from(field.offset), u64::from(stored.reference))
    }
}

impl Heap {
    /// What stands in the fields of a row.
    #[must_use]
    pub fn field_values(&self, row: ObjectId) -> FieldValues<'_> {
        FieldValues {
            heap: self,
            stored: self.blocks.stored(row),
        }
    }

    /// What stands in one field of a row.
    #[must_use]
    pub fn field_value(&self, row: ObjectId, field: &Field) -> Option<Value> {
        self.field_values(row).get(field)
    }

    /// The least and the largest of the numbers that a buffer holds, as wide as its elements are; `None` where one of
    /// them is unknown, or where there is none.
    #[must_use]
    pub fn element_range(&self, buffer: ObjectId) -> Option<(Numeric, Numeric)> {
        let elements = self.buffer(buffer)?.elements;
        let stored = self.blocks.stored(buffer)?;
        let each = elements.bytes(u64::from(stored.reference)).max(1);
        let mut range = None;
        for at in 0..stored.bytes.len() as u64 / each {
            let Some(Value::Number(number)) = stored.scalar(at * each, elements) else {
                return None;
            };
            let (least, most) = range.unwrap_or((number, number));
            let is_less = |a: Numeric, b: Numeric| Some(a.order(b)?.is_lt());
            range = Some((
                if is_less(number, least)? { number } else { least },
                if is_less(most, number)? { number } else { most },
            ));
        }
        range
    }
}

/// Bytes of a record with declared fields, which stand from the root of its types down, each beside the type that declares
/// it.
pub(crate) fn bytes_of(layout: &dyn Layout, fields: &[(TypeId, Fields)]) -> u64 {
    priced(fields, |shape| layout.record(shape))
}

/// The price of a record with declared fields, as [`bytes_of`] takes them.
pub(crate) fn priced(fields: &[(TypeId, Fields)], price: impl Fn(&RecordShape<'_>) -> u64) -> u64 {
    let types: Vec<Vec<Fields>> = fields
        .chunk_by(|a, b| a.0 == b.0)
        .map(|fields| fields.iter().map(|(_, field)| *field).collect())
        .collect();
    below(&price, &types, None)
}

fn below(
    price: &dyn Fn(&RecordShape<'_>) -> u64,
    types: &[Vec<Fields>],
    inherited: Option<&RecordShape<'_>>,
) -> u64 {
    let fields = types.first().map_or(&[][..], Vec::as_slice);
    let shape = RecordShape { inherited, fields };
    if types.len() > 1 {
        below(price, &types[1..], Some(&shape))
    } else {
        price(&shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeapBuilder;
    use crate::Representation::{Boolean, Float, Integer, Reference, Unsigned};

    #[test]
    fn values_are_read_as_they_stand() {
        let mut heap = HeapBuilder::new();
        let name = heap.string("name");
        let base = heap.class("Base", None, &[("id", Integer(8)), ("open", Boolean)]);
        let class = heap.class(
            "Item",
            Some(base),
            &[
                ("price", Float(8)),
                ("name", Reference),
                ("none", Reference),
                ("count", Unsigned(8)),
                ("level", Integer(1)),
                ("ratio", Float(4)),
            ],
        );
        let lost = i64::MAX - 1;
        let values = [
            Value::Number(Numeric::Integer(lost)),
            Value::Boolean(true),
            Value::Number(Numeric::Float(0.1)),
            Value::Reference(name, 0),
            Value::Nothing,
            Value::Number(Numeric::Unsigned(u64::MAX)),
            Value::Number(Numeric::Integer(-3)),
            Value::Number(Numeric::Float(0.25)),
        ];
        let item = heap.instance(class, &values);
        heap.big_endian();
        let again = heap.instance(class, &values);
        let heap = heap.build();
        for row in [item, again] {
            let fields = heap.types.declared(heap.objects.label[row as usize]);
            let read: Vec<_> = fields
                .iter()
                .map(|field| heap.field_value(row, field).unwrap())
                .collect();
            assert_eq!(read, values);
            // Nine bytes of the base; price, three references and a word, a byte and four.
            assert_eq!(heap.bytes(row), 16 + 16 + 8 + 8 + 8 + 8 + 8);
        }
        let names = heap.edges.of(item).map(|edge| edge.to).collect::<Vec<_>>();
        assert!(names.contains(&name));
    }

    #[test]
    fn a_record_without_a_field_costs_what_its_holes_leave() {
        let mut heap = HeapBuilder::new();
        let class = heap.class(
            "Item",
            None,
            &[("a", Integer(4)), ("b", Integer(8)), ("c", Integer(4))],
        );
        let zero = Value::Number(Numeric::Integer(0));
        let item = heap.instance(class, &[zero; 3]);
        let (a, b) = (heap.text("a"), heap.text("b"));
        let heap = heap.build();
        let record = heap.record(item).unwrap();
        assert_eq!(heap.bytes(item), 40);
        // Where `a` was, `c` cannot go: each stands where it is declared.
        assert_eq!(heap.reshaped(record, &[a], &[]).freed(), 8);
        assert_eq!(heap.reshaped(record, &[b], &[]).freed(), 16);
        // The narrower `b` takes the hole behind `a`.
        assert_eq!(heap.reshaped(record, &[b], &[Integer(2).times(1)]).freed(), 8);
        assert_eq!(heap.reshaped(record, &[], &[Integer(4).times(1)]).added(), 0);
    }

    #[test]
    fn the_range_of_an_array_of_numbers() {
        let mut heap = HeapBuilder::new();
        let small = heap.numbers(Integer(4), &[1, -2, 255, 0]);
        let large = heap.numbers(Unsigned(8), &[7, -1]);
        let none = heap.numbers(Integer(2), &[]);
        let heap = heap.build();
        let range = |row| heap.element_range(row);
        assert_eq!(range(small), Some((Numeric::Integer(-2), Numeric::Integer(255))));
        assert_eq!(
            range(large),
            Some((Numeric::Integer(7), Numeric::Unsigned(u64::MAX)))
        );
        assert_eq!(range(none), None);
        assert_eq!(heap.buffer(small).unwrap().bytes, 16);
    }
}
