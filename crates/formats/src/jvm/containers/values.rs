//! Numbers and moments in objects of the library.

use deadweight_heap::Numeric;
use rustc_hash::FxHashMap;

use super::Instance;
use crate::jvm::cursor::OBJECT;
use crate::jvm::decode::{Dump, Row};
use crate::jvm::known::Role;

/// The type of the numbers in the arrays of a container, by the container's number among the known classes and the field.
pub(in crate::jvm) type OfNumbers = FxHashMap<(u16, usize), u8>;

/// Notes the type of the numbers in the arrays of a container.
pub(super) fn note_numbers(dump: &Dump<'_>, of: Instance<'_>, of_numbers: &mut OfNumbers) {
    for slot in [0, 2] {
        if let Some(Row::Numbers { ty, .. }) = dump.slot(of, slot).map(|array| dump.row(array)) {
            of_numbers.insert((of.class.known, slot), ty);
        }
    }
}

/// Whether a string has two bytes a character.
pub(in crate::jvm) fn coder(dump: &Dump<'_>, of: Instance<'_>, slot: usize) -> bool {
    of.class.slots[slot].is_some_and(|at| dump.bytes.get(of.at + at as usize) == Some(&1))
}

pub(super) fn boxed(dump: &Dump<'_>, of: Instance<'_>) -> Option<Numeric> {
    let offset = of.class.slots[0]?;
    let field = of.class.fields.iter().find(|field| field.offset == offset)?;
    let bits = dump.number(field.ty, of.at + offset as usize);
    Some(match field.ty {
        6 => Numeric::of_float(f64::from(f32::from_bits(bits as u32))),
        7 => Numeric::of_float(f64::from_bits(bits)),
        8 => Numeric::Integer(i64::from((bits as u8).cast_signed())),
        9 => Numeric::Integer(i64::from((bits as u16).cast_signed())),
        10 => Numeric::Integer(i64::from((bits as u32).cast_signed())),
        11 => Numeric::Integer(bits.cast_signed()),
        OBJECT => return None,
        _ => Numeric::Unknown,
    })
}

/// Milliseconds since 1970.
pub(super) fn moment(dump: &Dump<'_>, of: Instance<'_>) -> Option<f64> {
    let first = dump.number(11, of.at + of.class.slots[0]? as usize).cast_signed();
    if of.class.role == Role::Date {
        return Some(first as f64);
    }
    let nanoseconds = dump.count(of, 1)?;
    Some(first as f64 * 1e3 + f64::from(nanoseconds) / 1e6)
}
