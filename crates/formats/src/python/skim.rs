//! Where rows begin. They follow one another without an index, so that one thread after the other passes over the next of
//! them, and then reads them, while others pass over those behind.

use std::ops::Range;

use super::cursor::Cursor;
use super::outline::{Outline, WITH_EXTENTS, WITH_STACKS};
use super::row::flag;
use super::sort::Sort;
use crate::error::Malformed;

/// Rows that one task takes at once.
pub(super) const PIECE: u32 = 1 << 14;

/// Rows that stand side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) rows: Range<u32>,
    pub(super) at: Range<usize>,
}

/// Passes over all rows, and gives them in stretches.
pub(super) struct Skim<'s> {
    cursor: Cursor<'s>,
    first: u32,
    rows: u32,
    /// The version of the format.
    version: u32,
}

impl<'s> Skim<'s> {
    pub(super) fn new(bytes: &'s [u8], outline: &Outline) -> Self {
        let rows_at = outline.rows_at();
        Self {
            cursor: Cursor::new(&bytes[..rows_at.end], rows_at.start),
            first: 0,
            rows: outline.rows,
            version: outline.version,
        }
    }

    fn stretch(&mut self) -> Result<Stretch, Malformed> {
        let start = self.cursor.at;
        let rows = self.first..self.first.saturating_add(PIECE).min(self.rows);
        for _ in rows.clone() {
            skip(&mut self.cursor, self.version)?;
        }
        if rows.end == self.rows && self.cursor.at != self.cursor.bytes.len() {
            let expected = format!("the header behind {} rows", self.rows);
            return Err(Malformed::new(self.cursor.at, expected, "more rows"));
        }
        self.first = rows.end;
        let at = start..self.cursor.at;
        Ok(Stretch { rows, at })
    }
}

impl Iterator for Skim<'_> {
    type Item = Result<Stretch, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let stretch = (self.first < self.rows).then(|| self.stretch());
        if let Some(Err(_)) = stretch {
            self.first = self.rows;
        }
        stretch
    }
}

/// A piece of a payload.
#[derive(Clone, Copy)]
enum Item {
    Bytes(u64),
    Varint,
    Text,
    Contents,
    /// A count of groups, and in each so many varints.
    Groups(u64),
}

use Item::{Bytes, Contents, Groups, Text, Varint};

/// The pieces of each sort's payload.
const fn payload(sort: Sort, version: u32) -> &'static [Item] {
    match sort {
        Sort::Other | Sort::Tuple | Sort::Function => &[],
        Sort::Str => &[Varint, Bytes(2), Text],
        Sort::Int => &[Bytes(1), Text],
        Sort::Float | Sort::Date => &[Bytes(8)],
        Sort::Deque if version >= 2 => &[Varint, Varint],
        Sort::List | Sort::Deque | Sort::Type | Sort::View | Sort::Blocks | Sort::Frame => &[Varint],
        Sort::Dict | Sort::OrderedDict | Sort::Set => &[Varint, Varint, Bytes(1)],
        Sort::Instance => &[Varint, Bytes(1)],
        Sort::Module | Sort::Keys => &[Varint, Varint],
        Sort::Code => &[Varint, Varint, Varint],
        Sort::Bytes => &[Contents, Bytes(1), Varint],
        Sort::Numbers => &[Contents, Bytes(1), Varint, Varint],
        Sort::Ndarray if version >= WITH_EXTENTS => {
            &[Contents, Bytes(1), Varint, Bytes(1), Groups(2), Varint]
        }
        Sort::Ndarray => &[Contents, Bytes(1), Varint, Bytes(1)],
        Sort::Places => &[Groups(1)],
    }
}

/// Passes over a row. What indices say is checked where rows are read.
fn skip(cursor: &mut Cursor<'_>, version: u32) -> Result<(), Malformed> {
    let sort = Sort::read(cursor)?;
    let has_stack = cursor.u8()? & flag::STACK != 0 && version >= WITH_STACKS;
    cursor.skip_varints(2)?;
    let blocks = cursor.varint()?;
    cursor.skip_varints(blocks.saturating_mul(2))?;
    for item in payload(sort, version) {
        match *item {
            Bytes(bytes) => {
                cursor.skip(bytes)?;
            }
            Varint => cursor.skip_varints(1)?,
            Groups(numbers) => {
                let count = cursor.varint()?;
                cursor.skip_varints(count.saturating_mul(numbers))?;
            }
            Text => {
                cursor.text()?;
            }
            Contents => {
                cursor.skip_varints(1)?;
                if cursor.u8()? != 0 {
                    cursor.skip_varints(2)?;
                    cursor.skip(8)?;
                }
            }
        }
    }
    // Most rows refer to nothing: there are no attributes, elements, entries and others.
    if !cursor.pass_four_zeros() {
        // How many numbers each of these has.
        for numbers in [2, 1, 2, 1] {
            let count = cursor.varint()?;
            cursor.skip_varints(count.saturating_mul(numbers))?;
        }
    }
    cursor.skip_varints(u64::from(has_stack))
}
