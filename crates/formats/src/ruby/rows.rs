//! All rows of a dump, in columns: the file is cut at line breaks and scanned on all threads.

use std::ops::Range;

use memchr::{memchr, memmem};
use siphasher::sip128::SipHasher13;

use super::cursor::Span;
use super::in_order;
use super::phrases::Phrases;
use super::row::{self, Bits, Row};
use super::tag::Tag;
use crate::error::Malformed;
use crate::secret::secret_hasher;

/// Bytes of a piece that one thread scans at once: its columns stay at hand until they are put behind those before it.
const PIECE: usize = 1 << 20;

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
    /// Hashes of these, with a key of this run, as texts come from strangers. They are wide enough to distinguish all texts
    /// apart: texts are not read again, which would pass over the whole file.
    pub(super) hashes: Vec<u128>,
    /// The same for all pieces of a file.
    key: SipHasher13,
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
    /// What rows said before.
    pub(super) phrases: Phrases,
}

impl Piece {
    pub(super) fn new(key: SipHasher13) -> Self {
        Self {
            key,
            ..Self::default()
        }
    }

    /// The row that is being scanned.
    pub(super) fn row(&self) -> u32 {
        self.address.len() as u32
    }

    /// Ends the row that is being scanned.
    pub(super) fn push(&mut self, row: &Row) {
        self.address.push(row.address);
        self.class.push(row.class);
        self.tag.push(row.tag);
        self.bits.push(row.bits);
        self.memsize.push(row.memsize);
        self.slot.push(row.slot);
        self.count.push(row.count);
        self.reference_ends.push(self.references.len() as u32);
    }

    /// The text of a row, hashed while its bytes are at hand.
    pub(super) fn text(&mut self, span: Span, text: &[u8]) {
        self.texts.push((self.row(), span));
        self.hashes.push(self.key.hash(text).as_u128());
    }

    /// Puts the rows of a piece behind these, which leaves it empty. `share` of the file, from 0 to 1, is then read.
    pub(super) fn append(&mut self, piece: &mut Self, share: f64) {
        let (rows, references) = (self.row(), self.references.len() as u32);
        for end in &mut piece.reference_ends {
            *end = end.wrapping_add(references);
        }
        move_behind(&mut self.address, &mut piece.address, share);
        move_behind(&mut self.class, &mut piece.class, share);
        move_behind(&mut self.tag, &mut piece.tag, share);
        move_behind(&mut self.bits, &mut piece.bits, share);
        move_behind(&mut self.memsize, &mut piece.memsize, share);
        move_behind(&mut self.slot, &mut piece.slot, share);
        move_behind(&mut self.count, &mut piece.count, share);
        move_behind(&mut self.reference_ends, &mut piece.reference_ends, share);
        move_behind(&mut self.references, &mut piece.references, share);
        move_behind(&mut self.hashes, &mut piece.hashes, share);
        move_shifted(&mut self.texts, &mut piece.texts, rows, share);
        move_shifted(&mut self.names, &mut piece.names, rows, share);
        move_shifted(&mut self.superclasses, &mut piece.superclasses, rows, share);
        move_shifted(&mut self.structs, &mut piece.structs, rows, share);
        move_shifted(&mut self.shape_of, &mut piece.shape_of, rows, share);
        move_shifted(&mut self.shape_ids, &mut piece.shape_ids, rows, share);
        move_shifted(&mut self.parents, &mut piece.parents, rows, share);
        move_shifted(&mut self.edge_names, &mut piece.edge_names, rows, share);
        move_shifted(&mut self.files, &mut piece.files, rows, share);
        move_shifted(&mut self.lines, &mut piece.lines, rows, share);
    }

    /// The references of a row, as positions in `references`.
    pub(super) fn range(&self, row: usize) -> Range<usize> {
        self.range_of(row..row + 1)
    }

    /// The references of some rows, as positions in `references`.
    pub(super) fn range_of(&self, rows: Range<usize>) -> Range<usize> {
        let end = |rows: usize| rows.checked_sub(1).map_or(0, |last| self.reference_ends[last]);
        end(rows.start) as usize..end(rows.end) as usize
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
    let all = in_order::scanned(bytes, &cuts, secret_hasher())?;
    if let Some(at) = second_dump(bytes, &all, start, end) {
        let expected = "no roots behind the objects: one dump alone";
        return Err(Malformed::new(at, expected, "the roots of another"));
    }
    let (rows, references) = (all.len(), all.references.len());
    if rows >= u32::MAX as usize - 1 || references >= u32::MAX as usize {
        return Err(Malformed::new(
            0,
            "fewer than 2^32 objects and references",
            format!("{rows} and {references}"),
        ));
    }
    Ok(Rows { all, partial })
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
    if let Some(at) = behind(bytes, last, trimmed) {
        return Err(Malformed::at(bytes, at, "a row, or the end of the file"));
    }
    Ok((
        last,
        Some(format!("the dump ends within a row, at byte {}", bytes.len())),
    ))
}

/// Where something stands behind the last row that is no row: zeros, or a line behind a row that is whole.
fn behind(bytes: &[u8], last: usize, end: usize) -> Option<usize> {
    /// Line breaks that the paths of one row have at most.
    const BREAKS: usize = 64;
    if let Some(zero) = memchr(0, &bytes[last..end]) {
        return Some(last + zero);
    }
    let breaks = memchr::memchr_iter(b'\n', &bytes[last..end]).take(BREAKS);
    let mut breaks = breaks.map(|at| last + at);
    let ends = |at: &usize| {
        let row = bytes[last..*at].trim_ascii_end();
        row.ends_with(b"}") && row::scan(bytes, last, last + row.len(), &mut Piece::default()).is_ok()
    };
    let line = breaks.find(ends)?;
    let rest = &bytes[line..end];
    Some(line + rest.len() - rest.trim_ascii_start().len())
}

/// Where a second dump begins: the roots stand before all objects.
fn second_dump(bytes: &[u8], all: &Piece, start: usize, end: usize) -> Option<usize> {
    let first = all.tag.iter().position(|&tag| tag != Tag::Root)?;
    if !all.tag[first..].contains(&Tag::Root) {
        return None;
    }
    let is_root = |line: usize| bytes[line..end].starts_with(b"{\"type\":\"ROOT\"");
    let breaks = memchr::memchr_iter(b'\n', &bytes[start..end]).map(|at| start + at + 1);
    let mut lines = std::iter::once(start).chain(breaks).filter(|&line| line < end);
    lines.by_ref().find(|&line| !is_root(line))?;
    Some(lines.find(|&line| is_root(line)).unwrap_or(end))
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

/// Scans the rows of one piece of the file.
pub(super) fn piece(bytes: &[u8], start: usize, end: usize, piece: &mut Piece) -> Result<(), Malformed> {
    let mut at = start;
    while at < end {
        let line = line_end(bytes, at, end);
        let last = at + bytes[at..line].trim_ascii_end().len();
        if last > at {
            row::scan(bytes, at, last, piece)?;
        }
        at = line + 1;
    }
    Ok(())
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

fn move_behind<T>(all: &mut Vec<T>, piece: &mut Vec<T>, share: f64) {
    make_room(all, piece.len(), share);
    all.append(piece);
}

/// Where the rows of the piece are known by their numbers, these go on from `rows`.
fn move_shifted<T>(all: &mut Vec<(u32, T)>, piece: &mut Vec<(u32, T)>, rows: u32, share: f64) {
    for (row, _) in piece.iter_mut() {
        *row = row.wrapping_add(rows);
    }
    move_behind(all, piece, share);
}

/// Room for so many more, and for all that may come if the rest of the file is as what was read of it.
fn make_room<T>(all: &mut Vec<T>, more: usize, share: f64) {
    /// Columns grow by an eighth at least, so that they do not grow again and again.
    const LEAST: usize = 8;
    let len = all.len() + more;
    if len > all.capacity() {
        let expected = (len as f64 / share * 1.01) as usize;
        all.reserve_exact(expected.max(len + len / LEAST) - all.len());
    }
}
