//! What is read from an object's slot: Ruby 3.1 to 3.4, whose strings and arrays have the same first five words.

use crate::interpreter::{Interpreter, Value};

/// Bytes of the smallest slot; hidden owners of shared contents have one of these.
pub const SLOT: u64 = 40;

pub const CLASS: u8 = 0x02;
pub const STRING: u8 = 0x05;
pub const ARRAY: u8 = 0x07;
const HASH: u8 = 0x08;
const DATA: u8 = 0x0c;
/// From here on the interpreter's own: code, environments, included modules, what was moved.
pub const INTERNAL: u8 = 0x1a;

/// A string that has its characters elsewhere, and an array that has its elements within (`FL_USER1` of both).
const STRING_APART: usize = 1 << 13;
const ARRAY_WITHIN: usize = 1 << 13;
/// A string's characters elsewhere, and the mark of those that are another's (`FL_USER2`).
const STRING_OWN: usize = STRING_APART | 1 << 14;
/// Instance variables are kept in a table beside the slot (`FL_EXIVAR`).
const VARIABLES: usize = 1 << 10;
/// How many elements an array has within: `FL_USER3` and the next, of which there are two in Ruby 3.1, and seven since
/// slots come in several sizes.
const ARRAY_LENGTH: usize = 3 << 15;
const ARRAY_LENGTH_BITS: u32 = 15;
const ARRAY_LENGTH_POOLED: usize = 0x7f << 15;

/// # Safety
/// `object` is the address of a slot of at least five words, as all are.
unsafe fn word(object: Value, index: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe { *(object as *const usize).add(index) }
}

/// # Safety
/// `object` is the address of a slot.
pub unsafe fn tag(object: Value) -> u8 {
    // SAFETY: the caller's promise.
    unsafe { (word(object, 0) & 0x1f) as u8 }
}

/// # Safety
/// `object` is the address of a slot.
pub unsafe fn class(object: Value) -> Value {
    // SAFETY: the caller's promise.
    unsafe { word(object, 1) }
}

/// Whether it is a string or array whose contents lie in a buffer of their own.
///
/// # Safety
/// `object` is the address of a slot.
pub unsafe fn is_apart(object: Value) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let flags = word(object, 0);
        match tag(object) {
            STRING => flags & STRING_APART != 0,
            ARRAY => flags & ARRAY_WITHIN == 0,
            _ => false,
        }
    }
}

/// Whether `from` shares its contents with `owner`. Where `from` had them before `owner` was made, nothing was copied:
/// the buffer only went to another object.
///
/// # Safety
/// Both are addresses of slots.
pub unsafe fn shares(from: Value, owner: Value) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let root = if tag(from) == STRING { 4 } else { 3 };
        // Embedded contents have other things in that word.
        is_apart(from) && word(from, root) == owner
    }
}

/// Whether it is an array or hash of Ruby 3.1 that has never held anything: what is removed leaves its mark in the slot.
///
/// # Safety
/// `object` is the address of a slot.
pub unsafe fn is_unused(object: Value) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        match tag(object) {
            ARRAY => {
                let flags = word(object, 0);
                flags & ARRAY_WITHIN != 0
                    && flags & ARRAY_LENGTH == 0
                    && (2..5).all(|index| word(object, index) == 0)
            }
            HASH => word(object, 2) == 0,
            _ => false,
        }
    }
}

/// How many elements an array has; none of what is no array.
///
/// # Safety
/// `object` is the address of a slot.
pub unsafe fn entries(interpreter: &Interpreter, object: Value) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        if tag(object) != ARRAY {
            return 0;
        }
        let flags = word(object, 0);
        let within = if interpreter.has_equal_slots {
            ARRAY_LENGTH
        } else {
            ARRAY_LENGTH_POOLED
        };
        let length = if flags & ARRAY_WITHIN == 0 {
            word(object, 2)
        } else {
            (flags & within) >> ARRAY_LENGTH_BITS
        };
        length as u64
    }
}

/// Slot and what belongs to it, in bytes. Of an extension's object that dies only the slot: its own function would report
/// more, but may look at objects that are gone.
///
/// # Safety
/// `object` is the address of an object that is whole.
pub unsafe fn bytes(interpreter: &Interpreter, object: Value, dies: bool) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match tag(object) {
            0 | INTERNAL.. => SLOT,
            DATA if dies => SLOT,
            STRING if interpreter.has_equal_slots && is_slot_alone(object) => SLOT,
            _ => (interpreter.memsize)(object) as u64,
        }
    }
}

/// Whether a string has nothing but its slot: characters within, or of another, and no instance variables.
///
/// # Safety
/// `object` is the address of a string's slot.
unsafe fn is_slot_alone(object: Value) -> bool {
    // SAFETY: the caller's promise.
    let flags = unsafe { word(object, 0) };
    flags & STRING_OWN != STRING_APART && flags & VARIABLES == 0
}

/// Whether objects of that tag hold others.
pub fn is_collection(tag: u8) -> bool {
    matches!(tag, ARRAY | HASH)
}

/// The model's kind of a tag.
pub fn kind(tag: u8) -> &'static str {
    match tag {
        0x01 | 0x09 => "record",
        STRING => "string",
        ARRAY => "array",
        HASH => "table",
        0x04 | 0x0a | 0x0e | 0x0f => "number",
        _ => "opaque",
    }
}
