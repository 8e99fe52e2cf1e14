//! Records whose types declare their fields, and arrays of numbers, with the bytes that a dump would have of them.

use crate::declared::bytes_of;
use crate::{
    Buffer, EdgeKind, Endian, Field, HeapBuilder, Implementation, Kind, NONE, Numeric, ObjectId, Record,
    Representation, TypeId, Value,
};

/// Bytes of a reference in the bytes of these records.
pub(super) const REFERENCE: u8 = 8;

impl HeapBuilder {
    /// A class that declares fields beside those that it inherits.
    pub fn class(&mut self, name: &str, base: Option<TypeId>, fields: &[(&str, Representation)]) -> TypeId {
        let id = self.parts.types.named(name);
        let mut all = base.map_or(Vec::new(), |base| self.parts.types.declared(base).to_vec());
        let width = |of: Representation| of.bytes(u64::from(REFERENCE)) as u32;
        let mut offset = all
            .last()
            .map_or(0, |last| last.offset + width(last.representation));
        for &(name, representation) in fields {
            all.push(Field {
                name: self.text(name),
                offset,
                representation,
                declared_by: id,
            });
            offset += width(representation);
        }
        self.parts.types.declare(id, all);
        id
    }

    /// A record of a class with declared fields, and what stands in them.
    ///
    /// # Panics
    /// When there are not as many values as fields, or when one is not of its field's sort.
    pub fn instance(&mut self, class: TypeId, values: &[Value]) -> ObjectId {
        let fields = self.parts.types.declared(class).to_vec();
        assert_eq!(fields.len(), values.len(), "a value for each field");
        let placed: Vec<_> = fields.iter().map(Field::placed).collect();
        let bytes = bytes_of(&*self.parts.layout, &placed);
        let id = self.row(Kind::Record, class, bytes);
        let mut stored = Vec::new();
        for (field, &value) in fields.iter().zip(values) {
            let word = self.word(field.representation, value);
            let width = field.representation.bytes(u64::from(REFERENCE));
            self.write(&mut stored, word, width);
            if let Value::Reference(to, _) = value {
                self.edge(id, EdgeKind::Field, field.name, to);
            }
        }
        self.blocks.stored.insert(id, (stored, self.endian));
        let count = fields.len() as u32;
        self.add_record(
            id,
            Record {
                object: id,
                shape: NONE,
                used: count,
                available: count,
                dictionary: 0,
                implementation: Implementation::USUAL,
            },
        );
        id
    }

    /// Takes what stands in the fields of a record out of the dump.
    pub fn forget(&mut self, record: ObjectId) -> &mut Self {
        self.blocks.stored.remove(&record);
        self
    }

    /// An array of numbers that stand side by side, 16 bytes before them.
    pub fn numbers(&mut self, elements: Representation, values: &[i64]) -> ObjectId {
        let width = elements.bytes(u64::from(REFERENCE));
        let mut stored = Vec::new();
        for &value in values {
            self.write(&mut stored, value.cast_unsigned(), width);
        }
        let bytes = stored.len() as u64;
        let id = self.object(Kind::Buffer, "numbers", (16 + bytes).next_multiple_of(8));
        self.blocks.stored.insert(id, (stored, self.endian));
        self.parts.buffers.push(Buffer {
            object: id,
            backing: NONE,
            bytes,
            zeros: u64::MAX,
            words_used: u64::MAX,
            hash: 0,
            is_backing: false,
            elements,
            gives_way: false,
        });
        self.fact(id, self.parts.buffers.len() - 1);
        id
    }

    /// From here on, the most significant byte of a number stands first.
    pub fn big_endian(&mut self) -> &mut Self {
        self.endian = Endian::Big;
        self
    }

    fn word(&mut self, of: Representation, value: Value) -> u64 {
        match (of, value) {
            (_, Value::Nothing) => 0,
            (_, Value::Boolean(value)) => u64::from(value),
            (_, Value::Reference(to, within)) => {
                self.blocks.named.insert(to);
                Self::address(to) + within
            }
            (Representation::Float(4), Value::Number(number)) => {
                u64::from((number.nearest() as f32).to_bits())
            }
            (Representation::Float(_), Value::Number(number)) => number.nearest().to_bits(),
            (_, Value::Number(Numeric::Integer(value))) => value.cast_unsigned(),
            (_, Value::Number(Numeric::Unsigned(value))) => value,
            (_, Value::Number(number)) => panic!("{number} does not stand in {of:?}"),
        }
    }

    fn write(&self, stored: &mut Vec<u8>, word: u64, width: u64) {
        let width = width as usize;
        match self.endian {
            Endian::Little => stored.extend(&word.to_le_bytes()[..width]),
            Endian::Big => stored.extend(&word.to_be_bytes()[8 - width..]),
        }
    }
}
