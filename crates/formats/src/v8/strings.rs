//! The table of strings: where each stands in the file.

use std::ops::Range;

use deadweight_heap::Spans;
use memchr::memchr;
use rayon::prelude::*;

use super::outline::string_end;
use crate::error::Malformed;
use crate::progress;

const PIECE: usize = 1 << 20;

/// Offset and length of each string's inside, escapes as they are. Pieces begin after a line break: a line break
/// inside a JSON string is always escaped, so a raw one stands between two strings.
pub(super) fn scan(bytes: &[u8], array: Range<usize>) -> Result<Spans, Malformed> {
    let mut starts = vec![array.start];
    let mut at = array.start + PIECE;
    while at < array.end {
        let Some(line) = memchr(b'\n', &bytes[at..array.end]) else {
            break;
        };
        starts.push(at + line + 1);
        at += line + 1 + PIECE;
    }
    let pieces: Vec<Range<usize>> = starts
        .iter()
        .enumerate()
        .map(|(i, &start)| start..starts.get(i + 1).copied().unwrap_or(array.end))
        .collect();
    let found: Vec<Spans> = pieces
        .into_par_iter()
        .map(|piece| scan_piece(bytes, piece))
        .collect::<Result<_, _>>()?;
    Ok(Spans::join(found))
}

fn scan_piece(bytes: &[u8], piece: Range<usize>) -> Result<Spans, Malformed> {
    progress::add(2 * piece.len());
    let mut spans = Spans::default();
    let mut at = piece.start;
    while at < piece.end {
        match bytes[at] {
            b',' | b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            b'"' => {
                let end = string_end(&bytes[..piece.end], at + 1)?;
                let len = u32::try_from(end - at - 1)
                    .map_err(|_| Malformed::new(at, "a string of less than 4 GiB", "a longer one"))?;
                spans.push((at + 1) as u64, len);
                at = end + 1;
            }
            _ => return Err(Malformed::at(bytes, at, "a string")),
        }
    }
    Ok(spans)
}
