//! All rows of a dump, in columns: the file is cut at line breaks and scanned on all threads.

use memchr::{memchr, memmem};
use rayon::prelude::*;

use super::row::{self, Bits, Span};
use super::tag::Tag;
use crate::error::Malformed;

/// Bytes of a piece that one thread scans at once.
const PIECE: usize = 4 << 20;

/// Rows of one piece of the file, and of all of it once the pieces are put together.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Where each object stands; 0 for a row without an address.
    pub(super) address: Vec<u64>,
    /// The address of its class, 0 when it says none.
    pub(super) class: Vec<u64>,
    pub(super) tag: Vec<Tag>,
    pub(super) bits: Vec<Bits>,
    /// What the interpreter charges: the slot and what was allocated besides.
    pub(super) memsize: Vec<u64>,
    /// Bytes of the slot, 0 when the dump does not say.
    pub(super) slot: Vec<u16>,
    /// Length of an array, entries of a hash, instance variables of an object, bytes of a string.
    pub(super) count: Vec<u32>,
    /// Where the references of each row end.
    pub(super) reference_ends: Vec<u32>,
    pub(super) references: Vec<u64>,
    /// Texts of strings and symbols, digits of numbers.
    pub(super) texts: Vec<(u32, Span)>,
    /// Names of classes, modules and roots.
    pub(super) names: Vec<(u32, Span)>,
    pub(super) superclasses: Vec<(u32, u64)>,
    pub(super) structs: Vec<(u32, Span)>,
    pub(super) shape_of: Vec<(u32, u32)>,
    pub(super) shape_ids: Vec<(u32, u32)>,
    pub(super) parents: Vec<(u32, u32)>,
    pub(super) edge_names: Vec<(u32, Span)>,
    pub(super) files: Vec<(u32, Span)>,
    pub(super) lines: Vec<(u32, u32)>,
}

impl Piece {
    /// The row that is being scanned.
    pub(super) fn row(&self) -> u32 {
        self.address.len() as u32
    }

    pub(super) fn begin(&mut self) {
        self.class.push(0);
        self.tag.push(Tag::Internal);
        self.bits.push(Bits::default());
        self.memsize.push(0);
        self.slot.push(0);
        self.count.push(u32::MAX);
    }

    pub(super) fn end(&mut self, address: u64) {
        self.address.push(address);
        self.reference_ends.push(self.references.len() as u32);
    }

    pub(super) fn tag(&mut self, tag: Tag) {
        *self.tag.last_mut().expect("a row has begun") = tag;
    }

    pub(super) fn class(&mut self, class: u64) {
        *self.class.last_mut().expect("a row has begun") = class;
        self.set(Bits::CLASSED, true);
    }

    pub(super) fn set(&mut self, bit: u8, on: bool) {
        if on {
            self.bits.last_mut().expect("a row has begun").0 |= bit;
        }
    }

    pub(super) fn set_memsize(&mut self, bytes: u64) {
        *self.memsize.last_mut().expect("a row has begun") = bytes;
    }

    pub(super) fn set_slot(&mut self, bytes: u64) {
        *self.slot.last_mut().expect("a row has begun") = bytes.min(u64::from(u16::MAX)) as u16;
    }

    pub(super) fn set_count(&mut self, count: u64) {
        // The largest number stands for what nobody knows.
        *self.count.last_mut().expect("a row has begun") = count.min(u64::from(u32::MAX - 1)) as u32;
    }

    pub(super) fn text(&mut self, span: Span) {
        self.texts.push((self.row(), span));
        self.set(Bits::TEXT, true);
    }

    /// The references of a row, as positions in `references`.
    pub(super) fn range(&self, row: usize) -> std::ops::Range<usize> {
        let start = if row == 0 { 0 } else { self.reference_ends[row - 1] };
        start as usize..self.reference_ends[row] as usize
    }

    pub(super) fn len(&self) -> usize {
        self.address.len()
    }
}

/// The rows of a file.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) all: Piece,
    /// Why the file ends early.
    pub(super) partial: Option<String>,
}

/// Scans a file.
pub(super) fn scan(bytes: &[u8]) -> Result<Rows, Malformed> {
    let start = bytes
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(0);
    let (end, partial) = whole_rows(bytes, start)?;
    let cuts = cuts(bytes, start, end);
    let pieces: Vec<Result<Piece, Malformed>> = cuts
        .par_windows(2)
        .map(|cut| piece(bytes, cut[0], cut[1]))
        .collect();
    let pieces: Vec<Piece> = pieces.into_iter().collect::<Result<_, _>>()?;
    let rows: usize = pieces.iter().map(Piece::len).sum();
    let references: usize = pieces.iter().map(|piece| piece.references.len()).sum();
    if rows >= u32::MAX as usize - 1 || references >= u32::MAX as usize {
        return Err(Malformed::new(
            0,
            "fewer than 2^32 objects and references",
            format!("{rows} and {references}"),
        ));
    }
    Ok(Rows {
        all: join(pieces),
        partial,
    })
}

/// Where the last whole row ends. A dump that was cut off ends within a row.
pub(super) fn whole_rows(bytes: &[u8], start: usize) -> Result<(usize, Option<String>), Malformed> {
    let trimmed = bytes
        .iter()
        .rposition(|byte| !byte.is_ascii_whitespace())
        .map_or(0, |at| at + 1);
    let last = memmem::rfind(&bytes[start..trimmed], b"\n{").map_or(start, |at| start + at + 1);
    let mut probe = Piece::default();
    let cut_off = match row::scan(bytes, last, trimmed, &mut probe) {
        Ok(()) => return Ok((trimmed, None)),
        Err(error) => error,
    };
    // A last row that ends as rows do is not cut off but wrong.
    let ends_well = bytes[last..trimmed].ends_with(b"}") && bytes.len() > trimmed;
    if last == start || ends_well {
        return Err(cut_off);
    }
    Ok((
        last,
        Some(format!("the dump ends within a row, at byte {}", bytes.len())),
    ))
}

/// Cuts a file where rows begin.
fn cuts(bytes: &[u8], start: usize, end: usize) -> Vec<usize> {
    let mut cuts = vec![start];
    let mut at = start + PIECE;
    while at < end {
        let Some(next) = memmem::find(&bytes[at..end], b"\n{") else {
            break;
        };
        cuts.push(at + next + 1);
        at += next + 1 + PIECE;
    }
    cuts.push(end);
    cuts
}

fn piece(bytes: &[u8], start: usize, end: usize) -> Result<Piece, Malformed> {
    let mut piece = Piece::default();
    let mut at = start;
    while at < end {
        let line = line_end(bytes, at, end);
        let last = at + bytes[at..line].trim_ascii_end().len();
        if last > at {
            row::scan(bytes, at, last, &mut piece)?;
        }
        at = line + 1;
    }
    Ok(piece)
}

/// Where the line break of the row at `at` stands. A path may hold a line break, and paths are written as they are: a
/// row ends where the next one begins.
pub(super) fn line_end(bytes: &[u8], at: usize, end: usize) -> usize {
    let mut line = at + memchr(b'\n', &bytes[at..end]).unwrap_or(end - at);
    while line < end
        && !(is_end(bytes, at, line)
            && bytes
                .get(line + 1)
                .is_none_or(|&byte| byte == b'{' || byte.is_ascii_whitespace()))
    {
        line += 1 + memchr(b'\n', &bytes[line + 1..end]).unwrap_or(end - line - 1);
    }
    line
}

fn is_end(bytes: &[u8], start: usize, line: usize) -> bool {
    let row = bytes[start..line].trim_ascii_end();
    row.is_empty() || row.ends_with(b"}")
}

fn join(pieces: Vec<Piece>) -> Piece {
    let mut all = Piece::default();
    let rows = pieces.iter().map(Piece::len).sum();
    all.address.reserve_exact(rows);
    all.class.reserve_exact(rows);
    all.tag.reserve_exact(rows);
    all.bits.reserve_exact(rows);
    all.memsize.reserve_exact(rows);
    all.slot.reserve_exact(rows);
    all.count.reserve_exact(rows);
    all.reference_ends.reserve_exact(rows);
    all.references
        .reserve_exact(pieces.iter().map(|piece| piece.references.len()).sum());
    all.texts
        .reserve_exact(pieces.iter().map(|piece| piece.texts.len()).sum());
    for piece in pieces {
        let base = all.address.len() as u32;
        let references = all.references.len() as u32;
        all.address.extend(piece.address);
        all.class.extend(piece.class);
        all.tag.extend(piece.tag);
        all.bits.extend(piece.bits);
        all.memsize.extend(piece.memsize);
        all.slot.extend(piece.slot);
        all.count.extend(piece.count);
        all.reference_ends
            .extend(piece.reference_ends.iter().map(|end| end + references));
        all.references.extend(piece.references);
        shift(&mut all.texts, piece.texts, base);
        shift(&mut all.names, piece.names, base);
        shift(&mut all.superclasses, piece.superclasses, base);
        shift(&mut all.structs, piece.structs, base);
        shift(&mut all.shape_of, piece.shape_of, base);
        shift(&mut all.shape_ids, piece.shape_ids, base);
        shift(&mut all.parents, piece.parents, base);
        shift(&mut all.edge_names, piece.edge_names, base);
        shift(&mut all.files, piece.files, base);
        shift(&mut all.lines, piece.lines, base);
    }
    all
}

fn shift<T>(all: &mut Vec<(u32, T)>, piece: Vec<(u32, T)>, base: u32) {
    all.extend(piece.into_iter().map(|(row, value)| (row + base, value)));
}
