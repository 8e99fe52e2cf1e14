//! Long arrays of whole numbers, read by all threads.
//!
//! The array is cut into pieces of equal length. The commas before a piece give the index of the first number that
//! starts in it, so pieces can be read apart whether or not the writer broke the lines.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::{memchr, memchr_iter};
use rayon::prelude::*;

use crate::error::Malformed;
use crate::progress;

/// How the array is cut: for each piece the byte range in which its rows start, and its rows.
#[derive(Debug)]
pub(super) struct Cut {
    pub pieces: Vec<Piece>,
    pub rows: usize,
}

/// One piece of the array.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Where the first number of the first row starts.
    pub start: usize,
    /// The end of the whole array.
    pub end: usize,
    /// Numbers between `start` and the first row's first number.
    pub skip: usize,
    /// The rows that start in this piece.
    pub rows: Range<usize>,
}

/// Bytes of a piece.
pub(super) const PIECE: usize = 1 << 20;

/// Where an array of numbers stands, and what was counted when its end was looked for.
#[derive(Clone, Debug)]
pub(super) struct NumberArray {
    pub range: Range<usize>,
    /// Commas in each [`PIECE`] bytes.
    pub commas: Vec<u32>,
}

impl NumberArray {
    /// Finds the end of an array that starts at `start`, after its bracket; `None` when it has none. Each thread takes
    /// the next piece that no other has, up to the one where the array ends: this is the first look at most of the file,
    /// and bringing it in takes longer than searching it.
    pub(super) fn find(bytes: &[u8], start: usize) -> Option<Self> {
        let bytes = &bytes[start..];
        let (next, last) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let each = |_| {
            let mut found = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let rest = bytes.get(at * PIECE..).filter(|rest| !rest.is_empty());
                let Some(rest) = rest.filter(|_| at <= last.load(Ordering::Relaxed)) else {
                    return found;
                };
                let piece = &rest[..PIECE.min(rest.len())];
                let (end, commas) = look(piece);
                if end.is_some() {
                    last.fetch_min(at, Ordering::Relaxed);
                }
                found.push((at, commas, end));
                progress::add(piece.len());
            }
        };
        let threads = (0..rayon::current_num_threads()).into_par_iter().with_max_len(1);
        let mut pieces: Vec<(usize, u32, Option<usize>)> = threads.flat_map_iter(each).collect();
        pieces.sort_unstable();
        let last = pieces.iter().position(|(_, _, end)| end.is_some())?;
        let (at, _, end) = pieces[last];
        Some(Self {
            range: start..start + at * PIECE + end?,
            commas: pieces[..=last].iter().map(|&(_, commas, _)| commas).collect(),
        })
    }

    #[cfg(test)]
    pub(super) fn all(bytes: &[u8]) -> Self {
        let commas = bytes.chunks(PIECE).map(|piece| look(piece).1).collect();
        Self {
            range: 0..bytes.len(),
            commas,
        }
    }
}

/// The place of the bracket that ends the array, and the commas before it.
fn look(piece: &[u8]) -> (Option<usize>, u32) {
    // So few bytes that they are still at hand for the second look.
    const NEAR: usize = 64 << 10;
    let mut commas = 0;
    for (i, near) in piece.chunks(NEAR).enumerate() {
        let end = memchr(b']', near);
        let count = memchr_iter(b',', &near[..end.unwrap_or(near.len())]).count();
        commas += count as u32;
        if let Some(end) = end {
            return (Some(i * NEAR + end), commas);
        }
    }
    (None, commas)
}

/// Cuts an array into pieces of rows of `width` numbers.
pub(super) fn cut(bytes: &[u8], array: &NumberArray, width: usize, what: &str) -> Result<Cut, Malformed> {
    cut_counted(bytes, array.range.clone(), &array.commas, width, what, PIECE)
}

/// Cuts an array into pieces of so many bytes.
#[cfg(test)]
pub(super) fn cut_at(
    bytes: &[u8],
    array: Range<usize>,
    width: usize,
    what: &str,
    piece: usize,
) -> Result<Cut, Malformed> {
    let count = |bytes: &[u8]| memchr_iter(b',', bytes).count() as u32;
    let commas: Vec<u32> = bytes[array.clone()].chunks(piece).map(count).collect();
    cut_counted(bytes, array, &commas, width, what, piece)
}

fn cut_counted(
    bytes: &[u8],
    array: Range<usize>,
    commas: &[u32],
    width: usize,
    what: &str,
    piece: usize,
) -> Result<Cut, Malformed> {
    let all = &bytes[array.clone()];
    if all.trim_ascii().is_empty() {
        return Ok(Cut {
            pieces: Vec::new(),
            rows: 0,
        });
    }
    let bounds: Vec<usize> = (0..all.len()).step_by(piece).collect();
    let numbers = commas.iter().map(|&count| count as usize).sum::<usize>() + 1;
    if numbers % width != 0 {
        return Err(Malformed::new(
            array.end,
            format!("a multiple of {width} numbers in {what}"),
            format!("{numbers}"),
        ));
    }
    let mut pieces = Vec::with_capacity(bounds.len());
    let mut before = 0;
    for (i, (&bound, &count)) in bounds.iter().zip(commas).enumerate() {
        let count = count as usize;
        // The numbers that start in a piece follow its commas; the array's first number follows none.
        let first = if i == 0 { 0 } else { before + 1 };
        let next = before + count + 1;
        let rows = first.div_ceil(width)..next.div_ceil(width);
        before += count;
        if rows.is_empty() {
            continue;
        }
        let skip = rows.start * width - first;
        let start = if i == 0 {
            array.start
        } else {
            let piece = &all[bound..];
            array.start + bound + memchr_iter(b',', piece).next().map_or(0, |comma| comma + 1)
        };
        pieces.push(Piece {
            start,
            end: array.end,
            skip,
            rows,
        });
    }
    Ok(Cut {
        pieces,
        rows: numbers / width,
    })
}

/// Reads numbers one after another.
#[derive(Debug)]
pub(super) struct Numbers<'b> {
    bytes: &'b [u8],
    at: usize,
    end: usize,
}

impl<'b> Numbers<'b> {
    /// The numbers of a piece, from its first row on.
    pub(super) fn of(bytes: &'b [u8], piece: &Piece) -> Result<Self, Malformed> {
        let mut numbers = Self {
            bytes,
            at: piece.start,
            end: piece.end,
        };
        for _ in 0..piece.skip {
            numbers.next()?;
        }
        Ok(numbers)
    }

    /// The next number; the comma after it is consumed.
    #[inline]
    pub(super) fn next(&mut self) -> Result<u64, Malformed> {
        let bytes = &self.bytes[..self.end];
        let mut at = self.at;
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let first = at;
        let mut value = 0_u64;
        while at < bytes.len() {
            let digit = bytes[at].wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        if at == first {
            return Err(self.fail(first));
        }
        if at - first > 19 {
            let found = String::from_utf8_lossy(&bytes[first..at.min(first + 24)]).into_owned();
            return Err(Malformed::new(
                first,
                "a whole number of at most 19 digits",
                found,
            ));
        }
        while at < bytes.len() && bytes[at] != b',' {
            if !bytes[at].is_ascii_whitespace() {
                return Err(self.fail(at));
            }
            at += 1;
        }
        self.at = at + 1;
        Ok(value)
    }

    /// Where the next number is looked for.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    #[cold]
    fn fail(&self, at: usize) -> Malformed {
        Malformed::at(self.bytes, at, "a whole number")
    }
}

/// Splits a column into the parts the pieces write.
pub(super) fn split<'c, T>(mut column: &'c mut [T], pieces: &[Piece]) -> Vec<&'c mut [T]> {
    let mut parts = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (part, rest) = column.split_at_mut(piece.rows.len());
        parts.push(part);
        column = rest;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, width: usize) -> Vec<u64> {
        let bytes = text.as_bytes();
        let cut = cut(bytes, &NumberArray::all(bytes), width, "test").unwrap();
        let mut all = Vec::new();
        for piece in &cut.pieces {
            let mut numbers = Numbers::of(bytes, piece).unwrap();
            for _ in 0..piece.rows.len() * width {
                all.push(numbers.next().unwrap());
            }
        }
        all
    }

    #[test]
    fn pieces_meet_wherever_they_are_cut() {
        // Rows of three numbers of many lengths, longer in all than several pieces.
        let numbers: Vec<u64> = (0..900_000_u64)
            .map(|i| i.wrapping_mul(7919) % 1_000_003)
            .collect();
        let text = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        assert!(text.len() > 4 * PIECE);
        assert_eq!(read(&text, 3), numbers);
        let broken = numbers
            .chunks(3)
            .map(|row| format!("{},{},{}", row[0], row[1], row[2]));
        assert_eq!(read(&broken.collect::<Vec<_>>().join("\n,"), 3), numbers);
    }

    #[test]
    fn what_is_no_number_is_named_with_its_place() {
        let bytes = b"1,2,x";
        let cut = cut(bytes, &NumberArray::all(bytes), 3, "test").unwrap();
        let mut numbers = Numbers::of(bytes, &cut.pieces[0]).unwrap();
        numbers.next().unwrap();
        numbers.next().unwrap();
        assert_eq!(numbers.next().unwrap_err().offset, 4);
    }

    #[test]
    fn the_first_bracket_ends_the_array_however_many_pieces_there_are() {
        for (commas, after) in [(0, 0), (5, 3 * PIECE), (3 * PIECE + 7, 0), (2 * PIECE, 5 * PIECE)] {
            let mut bytes = vec![b'['];
            bytes.resize(1 + commas, b',');
            bytes.push(b']');
            bytes.resize(bytes.len() + after, b',');
            assert!(NumberArray::find(&bytes[..=commas], 1).is_none());
            bytes.extend_from_slice(b"],]");
            let found = NumberArray::find(&bytes, 1).unwrap();
            assert_eq!(found.range, 1..1 + commas);
            assert_eq!(found.commas.len(), 1 + commas / PIECE);
            assert_eq!(found.commas.iter().sum::<u32>() as usize, commas);
        }
    }

    #[test]
    fn a_broken_row_is_an_error() {
        assert!(super::cut(b"1,2,3,4", &NumberArray::all(b"1,2,3,4"), 3, "test").is_err());
    }
}
