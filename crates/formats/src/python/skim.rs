//! Where rows begin. They follow one another without an index, so that one thread passes over all of them first; all
//! threads read them afterwards, each some rows that stand side by side.

use std::ops::Range;

use super::cursor::Cursor;
use super::outline::Outline;
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

/// All rows in stretches.
pub(super) fn stretches(bytes: &[u8], outline: &Outline) -> Result<Vec<Stretch>, Malformed> {
    let rows_at = outline.rows_at();
    let mut cursor = Cursor::new(&bytes[..rows_at.end], rows_at.start);
    let mut found = Vec::new();
    let mut first = 0;
    while first < outline.rows {
        let (start, next) = (cursor.at, first.saturating_add(PIECE).min(outline.rows));
        for _ in first..next {
            skip(&mut cursor)?;
        }
        found.push(Stretch {
            rows: first..next,
            at: start..cursor.at,
        });
        first = next;
    }
    if cursor.at != rows_at.end {
        let expected = format!("the header behind {} rows", outline.rows);
        return Err(Malformed::new(cursor.at, expected, "more rows"));
    }
    Ok(found)
}

/// Where a row begins.
pub(super) fn place(bytes: &[u8], stretches: &[Stretch], row: u32) -> Option<usize> {
    let stretch = stretches.get((row / PIECE) as usize)?;
    let mut cursor = Cursor::new(&bytes[..stretch.at.end], stretch.at.start);
    for _ in stretch.rows.start..row {
        skip(&mut cursor).ok()?;
    }
    Some(cursor.at)
}

/// A piece of a payload.
#[derive(Clone, Copy)]
enum Item {
    Bytes(u64),
    Varint,
    Text,
    Contents,
}

use Item::{Bytes, Contents, Text, Varint};

/// The pieces of each sort's payload.
const fn payload(sort: Sort) -> &'static [Item] {
    match sort {
        Sort::Other | Sort::Tuple | Sort::Function => &[],
        Sort::Str => &[Varint, Bytes(2), Text],
        Sort::Int => &[Bytes(1), Text],
        Sort::Float | Sort::Date => &[Bytes(8)],
        Sort::List | Sort::Deque | Sort::Type | Sort::View | Sort::Blocks | Sort::Frame => &[Varint],
        Sort::Dict | Sort::OrderedDict | Sort::Set => &[Varint, Varint, Bytes(1)],
        Sort::Instance => &[Varint, Bytes(1)],
        Sort::Module | Sort::Keys => &[Varint, Varint],
        Sort::Code => &[Varint, Varint, Varint],
        Sort::Bytes => &[Contents, Bytes(1), Varint],
        Sort::Numbers => &[Contents, Bytes(1), Varint, Varint],
        Sort::Ndarray => &[Contents, Bytes(1), Varint, Bytes(1)],
    }
}

/// Passes over a row. What indices say is checked where rows are read.
fn skip(cursor: &mut Cursor<'_>) -> Result<(), Malformed> {
    let sort = Sort::read(cursor)?;
    cursor.u8()?;
    cursor.skip_varints(2)?;
    let blocks = cursor.varint()?;
    cursor.skip_varints(blocks.saturating_mul(2))?;
    for item in payload(sort) {
        match *item {
            Bytes(bytes) => {
                cursor.skip(bytes)?;
            }
            Varint => cursor.skip_varints(1)?,
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
    // Attributes, elements, entries and others: how many numbers each has.
    for numbers in [2, 1, 2, 1] {
        let count = cursor.varint()?;
        cursor.skip_varints(count.saturating_mul(numbers))?;
    }
    Ok(())
}
