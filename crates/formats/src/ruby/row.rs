//! One row: a JSON object on one line, scanned into the columns of its piece.

use super::cursor::{Cursor, of};
use super::phrases::Value;
use super::rows::Piece;
use super::tag::Tag;
use crate::error::Malformed;

/// What a row says of itself beside numbers, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(pub u8);

impl Bits {
    /// The characters or slots are in the slot.
    pub(super) const EMBEDDED: u8 = 1;
    /// The characters or slots are another row's.
    pub(super) const SHARED: u8 = 2;
    /// In the interpreter's table of unique strings.
    pub(super) const UNIQUE: u8 = 4;
    /// The row has a text of its own.
    pub(super) const TEXT: u8 = 8;
    /// A class of a single object.
    pub(super) const SINGLETON: u8 = 16;
    /// The row has a class.
    pub(super) const CLASSED: u8 = 32;
    /// Instance variables are in a hash table.
    pub(super) const COMPLEX: u8 = 64;
    /// A hash has a default value or procedure.
    pub(super) const DEFAULT: u8 = 128;

    pub(super) fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    pub(super) fn set(&mut self, bit: u8) {
        self.0 |= bit;
    }
}

/// What stands in the columns that every row has.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) address: u64,
    pub(super) class: u64,
    pub(super) tag: Tag,
    pub(super) bits: Bits,
    pub(super) memsize: u64,
    pub(super) slot: u16,
    pub(super) count: u32,
    /// Whether it said its type.
    pub(super) typed: bool,
    /// Where the last of its keys stands in the file.
    pub(super) key_at: usize,
}

/// Scans the row at `start..end`, which leaves the line break out: what it says in words and its values take turns.
pub(super) fn scan(bytes: &[u8], start: usize, end: usize, piece: &mut Piece) -> Result<(), Malformed> {
    let mut cursor = Cursor {
        bytes,
        at: start,
        end,
    };
    let mut row = Row {
        address: 0,
        class: 0,
        tag: Tag::Internal,
        bits: Bits::default(),
        memsize: 0,
        slot: 0,
        // The largest number stands for what nobody knows.
        count: u32::MAX,
        typed: false,
        key_at: start,
    };
    let mut next = piece.phrases.read(&mut cursor, &mut row, Value::None)?;
    while next != Value::None {
        value(next, &mut cursor, &mut row, piece)?;
        next = piece.phrases.read(&mut cursor, &mut row, next)?;
    }
    if !row.typed {
        return Err(Malformed::new(start, "a row with a \"type\"", "one without"));
    }
    piece.push(&row);
    Ok(())
}

#[inline]
fn value(value: Value, cursor: &mut Cursor<'_>, row: &mut Row, piece: &mut Piece) -> Result<(), Malformed> {
    match value {
        Value::Address => row.address = cursor.address()?,
        Value::Class => {
            row.class = cursor.address()?;
            row.bits.set(Bits::CLASSED);
        }
        Value::References => cursor.references(&mut piece.references)?,
        Value::Memsize => row.memsize = cursor.bytes_of_one()?,
        Value::Slot => row.slot = cursor.number()?.min(u64::from(u16::MAX)) as u16,
        Value::Count => row.count = cursor.number()?.min(u64::from(u32::MAX - 1)) as u32,
        Value::Text => {
            let span = cursor.scalar()?;
            piece.text(span, of(cursor.bytes, span));
            row.bits.set(Bits::TEXT);
        }
        Value::Name => piece.names.push((piece.row(), cursor.string()?)),
        Value::Superclass => piece.superclasses.push((piece.row(), cursor.address()?)),
        Value::Struct => {
            let span = cursor.string()?;
            row.tag = Tag::of_struct(of(cursor.bytes, span));
            piece.structs.push((piece.row(), span));
        }
        Value::ShapeOf => piece.shape_of.push((piece.row(), cursor.number()? as u32)),
        Value::ShapeId => piece.shape_ids.push((piece.row(), cursor.number()? as u32)),
        Value::Parent => piece.parents.push((piece.row(), cursor.number()? as u32)),
        Value::EdgeName => piece.edge_names.push((piece.row(), cursor.string()?)),
        Value::File => piece.files.push((piece.row(), cursor.raw_path()?)),
        Value::Line => piece.lines.push((piece.row(), cursor.number()? as u32)),
        Value::Other => cursor.skip()?,
        Value::None => {}
    }
    Ok(())
}
