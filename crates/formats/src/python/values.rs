//! What is in rows, by sort: numbers, how full containers are, and what they are to others.

use deadweight_heap::{Array, Date, Implementation, Number, Numeric, Representation, Table};
use twox_hash::XxHash3_64;

use super::extent::Extent;
use super::layout::implementations;
use super::names::Names;
use super::payload::{Attributes, Contents, Keys, Payload};
use super::row::Row;
use super::sort::Sort;

/// An array of numpy's whose elements are references. It has no price: it is as long as it is made.
const OBJECTS: Implementation = Implementation(64);

/// A dictionary.
#[derive(Clone, Copy, Debug)]
pub(super) struct DictRow {
    pub(super) row: u32,
    pub(super) used: u32,
    pub(super) room: u32,
    pub(super) keys: Keys,
    /// Where its row begins in the file.
    pub(super) at: u64,
}

impl DictRow {
    pub(super) fn of(number: u32, at: u64, row: &Row) -> Option<Self> {
        let Payload::Dict { used, room, keys } = row.payload else {
            return None;
        };
        Some(Self {
            row: number,
            used: count(used),
            room: count(room),
            keys,
            at,
        })
    }
}

/// A function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) row: u32,
    pub(super) code: Option<u32>,
    pub(super) globals: Option<u32>,
    /// Its name with those of the classes and functions around it.
    pub(super) qualified: Option<u32>,
    pub(super) has_closure: bool,
    /// It has default values.
    pub(super) has_data: bool,
}

/// An instance, without what stands in a dictionary of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub(super) row: u32,
    pub(super) ty: u32,
    /// Attributes outside of dictionaries.
    pub(super) attributes: u32,
    pub(super) room: u32,
    pub(super) form: Attributes,
}

/// An object that has bytes, or a view on those of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes {
    pub(super) row: u32,
    pub(super) contents: Contents,
    pub(super) elements: Representation,
    /// The bytes are its own.
    pub(super) is_own: bool,
    /// It is a `memoryview`.
    pub(super) is_memoryview: bool,
    /// Bytes charged for the block in which they stand.
    pub(super) block: u64,
}

/// An array of references.
#[derive(Clone, Copy, Debug)]
pub(super) struct References {
    pub(super) row: u32,
    pub(super) slots: u32,
    pub(super) extent: Extent,
    /// The slots are its own.
    pub(super) is_own: bool,
}

/// All values of some rows, each list in the order of rows.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Objects and the rows to which their `__dict__` leads.
    pub(super) own_dicts: Vec<(u32, u32)>,
    pub(super) dicts: Vec<DictRow>,
    pub(super) instances: Vec<Instance>,
    pub(super) arrays: Vec<Array>,
    /// Deques that may get no longer than so much.
    pub(super) limited: Vec<(u32, u64)>,
    pub(super) sets: Vec<Table>,
    pub(super) numbers: Vec<Number>,
    pub(super) dates: Vec<Date>,
    pub(super) buffers: Vec<Bytes>,
    /// Arrays of references, where the dump says where these stand.
    pub(super) references: Vec<References>,
    /// Rows that say which columns an array has, and where they begin in the file.
    pub(super) places: Vec<(u32, u64)>,
    /// Views and what they refer to.
    pub(super) views: Vec<(u32, u32)>,
    /// What views of one object share, and that object.
    pub(super) managed: Vec<(u32, u32)>,
    /// Type objects and the types that they are.
    pub(super) types: Vec<(u32, u32)>,
    /// Modules with name and file.
    pub(super) modules: Vec<(u32, Option<u32>, Option<u32>)>,
    pub(super) functions: Vec<Function>,
    /// Code objects with file and line.
    pub(super) codes: Vec<(u32, u32, u64)>,
    /// Names of local variables with those of their functions.
    pub(super) locals: Vec<(Option<u32>, u32)>,
    /// Blocks that no object owns, with what they are called.
    pub(super) blocks: Vec<(u32, u32)>,
    /// Whether all bytes were read.
    pub(super) unseen: u64,
}

impl Values {
    /// The type that a type object is.
    pub(super) fn type_of(&self, row: u32) -> u32 {
        let at = self.types.binary_search_by_key(&row, |of| of.0);
        at.map_or(u32::MAX, |at| self.types[at].1)
    }

    /// The function in a row.
    pub(super) fn function(&self, row: u32) -> Option<&Function> {
        let at = self.functions.binary_search_by_key(&row, |function| function.row);
        at.ok().map(|at| &self.functions[at])
    }
}

impl Contents {
    /// Those of an object that may have attributes: it is then more than its bytes, and none is equal to it.
    fn with_attributes(mut self, object: u32, row: &Row) -> Self {
        if let Some(seen) = &mut self.seen
            && !row.attributes.is_empty()
        {
            seen.hash ^= u64::from(object) + 1;
        }
        self
    }
}

/// A count as the model has it: one that is too large is cut, never taken for an unknown one.
pub(super) fn count(number: u64) -> u32 {
    number.min(u64::from(u32::MAX - 1)) as u32
}

impl Values {
    /// Notes what is in a row.
    pub(super) fn note(&mut self, bytes: &[u8], names: &Names, object: u32, row: &Row) {
        match row.payload {
            Payload::Nothing if row.sort == Sort::Tuple => {
                let items = row.elements.len() as u64;
                self.array(object, items, items, implementations::TUPLE);
            }
            Payload::List { room } => {
                self.array(object, row.elements.len() as u64, room, implementations::LIST);
            }
            Payload::Deque { slots, longest } => {
                self.limited.extend(longest.map(|longest| (object, longest)));
                self.array(object, row.elements.len() as u64, slots, implementations::DEQUE);
            }
            Payload::Set { items, slots } => self.sets.push(Table {
                object,
                store: object,
                used: count(items),
                capacity: count(room_of_slots(slots).max(items)),
                set: true,
                implementation: Implementation::USUAL,
            }),
            Payload::Integer {
                is_negative,
                ref magnitude,
            } => {
                let magnitude = bytes.get(magnitude.clone()).unwrap_or_default();
                self.numbers
                    .push(Number::new(object, integer(is_negative, magnitude)));
            }
            Payload::Float(value) => {
                self.numbers.push(Number::new(object, Numeric::of_float(value)));
            }
            Payload::Date(value) => self.dates.push(Date { object, value }),
            Payload::Instance { room, form } => {
                let attributes = row
                    .attributes
                    .iter()
                    .filter(|&&(name, _)| Some(name) != names.dict);
                self.instances.push(Instance {
                    row: object,
                    ty: row.ty,
                    attributes: attributes.count() as u32,
                    room: count(room),
                    form,
                });
            }
            Payload::Bytes(contents) => {
                let contents = contents.with_attributes(object, row);
                self.bytes(object, row, contents, Representation::Unsigned(1), true);
            }
            Payload::Numbers { contents, code, each } => {
                let contents = contents.with_attributes(object, row);
                self.bytes(object, row, contents, of_code(code, each), true);
            }
            Payload::Ndarray {
                contents,
                kind,
                each,
                is_own,
                extent,
            } => {
                if kind == b'O' {
                    // References: an array of objects, whose slots are all in use.
                    let slots = contents.bytes.checked_div(each).unwrap_or(0);
                    self.array(object, slots, slots, OBJECTS);
                    self.references.extend(extent.map(|extent| References {
                        row: object,
                        slots: count(slots),
                        extent,
                        is_own,
                    }));
                } else {
                    self.bytes(object, row, contents, of_kind(kind, each), is_own);
                }
            }
            Payload::View { bytes } => {
                let contents = Contents { bytes, seen: None };
                self.bytes(object, row, contents, Representation::Unsigned(1), false);
            }
            Payload::Type(ty) => self.types.push((object, ty)),
            Payload::Module { name, file } => self.modules.push((object, name, file)),
            Payload::Code { file, line } => self.codes.push((object, file, line)),
            Payload::Frame { function } => {
                let locals = row.attributes.iter().map(|&(name, _)| (function, name));
                self.locals.extend(locals);
            }
            Payload::Blocks(name) => self.blocks.push((object, name)),
            Payload::Nothing | Payload::Text { .. } | Payload::Dict { .. } | Payload::Places(_) => {}
        }
    }

    fn array(&mut self, object: u32, used: u64, room: u64, implementation: Implementation) {
        self.arrays.push(Array {
            object,
            store: object,
            used: count(used),
            capacity: count(room.max(used)),
            implementation,
        });
    }

    fn bytes(&mut self, object: u32, row: &Row, contents: Contents, elements: Representation, is_own: bool) {
        if is_own && contents.seen.is_none() && contents.bytes > 0 {
            self.unseen = self.unseen.saturating_add(contents.bytes);
        }
        self.buffers.push(Bytes {
            row: object,
            contents,
            elements,
            is_own,
            is_memoryview: row.sort == Sort::View,
            // Bytes stand in a block beside their object, or in the object's.
            block: row
                .blocks
                .get(1)
                .or(row.blocks.first())
                .map_or(0, |block| block.charged),
        });
    }
}

/// How many items a set with so many slots has at most: it grows as soon as three in five of all but one are in use
/// (`set_add_entry`).
fn room_of_slots(slots: u64) -> u64 {
    let thirds = u128::from(slots.saturating_sub(1)) * 3;
    (thirds.saturating_sub(1) / 5) as u64
}

/// A whole number by its magnitude, the lowest byte first.
fn integer(is_negative: bool, magnitude: &[u8]) -> Numeric {
    let length = magnitude
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |last| last + 1);
    let digits = magnitude.get(..length).unwrap_or_default();
    let beyond = || Numeric::Beyond(XxHash3_64::oneshot_with_seed(is_negative.into(), digits));
    if digits.len() > 8 {
        return beyond();
    }
    let value = digits
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | u64::from(byte));
    if !is_negative {
        return Numeric::of_unsigned(value);
    }
    let negative = 0_i64.checked_sub_unsigned(value);
    negative.map_or_else(beyond, Numeric::Integer)
}

/// A width of so many bytes, where numbers have one.
fn width(each: u64) -> Option<u8> {
    u8::try_from(each)
        .ok()
        .filter(|each| matches!(each, 1 | 2 | 4 | 8))
}

/// What stands in an `array.array`, by its type code.
fn of_code(code: u8, each: u64) -> Representation {
    let Some(width) = width(each) else {
        return Representation::Unsigned(1);
    };
    match code {
        b'f' | b'd' => Representation::Float(width),
        b'b' | b'h' | b'i' | b'l' | b'q' => Representation::Integer(width),
        _ => Representation::Unsigned(width),
    }
}

/// What stands in an `ndarray`, by the kind of its type.
fn of_kind(kind: u8, each: u64) -> Representation {
    let Some(width) = width(each) else {
        return Representation::Unsigned(1);
    };
    match kind {
        b'f' => Representation::Float(width),
        b'i' | b'M' | b'm' => Representation::Integer(width),
        b'u' => Representation::Unsigned(width),
        b'b' => Representation::Boolean,
        _ => Representation::Unsigned(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_of_64_bits_are_exact_and_wider_ones_equal_to_their_like() {
        for (value, is_negative, magnitude) in [
            (Numeric::Integer(0), false, &[][..]),
            (Numeric::Integer(0), true, &[0, 0]),
            (Numeric::Integer(-5), true, &[5, 0, 0]),
            (Numeric::Integer(i64::MIN), true, &[0, 0, 0, 0, 0, 0, 0, 0x80]),
            (Numeric::Unsigned(u64::MAX), false, &[0xFF; 8]),
        ] {
            assert_eq!(integer(is_negative, magnitude), value, "{magnitude:?}");
        }
        let wide = [0, 0, 0, 0, 0, 0, 0, 0, 1];
        let below = integer(true, &[1, 0, 0, 0, 0, 0, 0, 0x80]);
        assert!(matches!(below, Numeric::Beyond(_)));
        assert!(matches!(integer(false, &wide), Numeric::Beyond(_)));
        assert_eq!(integer(false, &wide), integer(false, &[&wide[..], &[0]].concat()));
        assert_ne!(integer(false, &wide), integer(true, &wide));
    }

    #[test]
    fn a_set_has_room_for_as_many_as_do_not_make_it_grow() {
        let rooms = [0, 8, 32, 128, 512, u64::MAX].map(room_of_slots);
        assert_eq!(rooms, [0, 4, 18, 76, 306, 11_068_046_444_225_730_968]);
    }

    #[test]
    fn elements_are_as_wide_as_their_type_says() {
        assert_eq!(of_code(b'd', 8), Representation::Float(8));
        assert_eq!(of_code(b'L', 8), Representation::Unsigned(8));
        assert_eq!(of_code(b'h', 2), Representation::Integer(2));
        assert_eq!(of_code(b'h', 3), Representation::Unsigned(1));
        assert_eq!(of_kind(b'f', 2), Representation::Float(2));
        assert_eq!(of_kind(b'M', 8), Representation::Integer(8));
        assert_eq!(of_kind(b'c', 16), Representation::Unsigned(1));
    }
}
