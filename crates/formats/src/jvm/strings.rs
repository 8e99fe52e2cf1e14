//! The texts of strings, as spans of the file.

use std::hash::Hasher;
use std::sync::Arc;

use deadweight_heap::{Encoding, Endian, Spans, TextId, Texts, firsts};
use rayon::prelude::*;
use siphasher::sip128::Hasher128;

use super::containers::{Instance, coder};
use super::decode::{Dump, Row};
use super::known::Role;
use crate::mapped::MappedFile;
use crate::secret::secret_hasher;

/// The empty text.
pub(super) const NO_TEXT: TextId = 0;

/// The characters of one string.
struct Seen {
    row: u32,
    at: u64,
    bytes: u32,
    is_wide: bool,
    hash: u128,
}

/// Where the characters of a string stand, and whether they have two bytes each.
pub(super) fn characters(dump: &Dump<'_>, of: Instance<'_>) -> Option<(std::ops::Range<usize>, bool)> {
    let array = dump.slot(of, 0)?;
    match dump.row(array) {
        Row::Numbers {
            ty: 8,
            at: Some(at),
            count,
        } => Some((at..at + count as usize, coder(dump, of, 1))),
        Row::Numbers {
            ty: 5,
            at: Some(at),
            count,
        } => Some((at..at + 2 * count as usize, true)),
        _ => None,
    }
}

/// The text of each string, and the table of them: equal ones have one id.
pub(super) fn texts(dump: &Dump<'_>, file: &Arc<MappedFile>) -> (Texts, Vec<(u32, TextId)>) {
    let hash = secret_hasher();
    let rows = (0..dump.rows()).into_par_iter().with_min_len(4096);
    let seen: Vec<Seen> = rows
        .filter_map(|row| {
            let of = dump.instance_of(row, Role::String)?;
            let (span, is_wide) = characters(dump, of)?;
            let characters = dump.bytes.get(span.clone())?;
            let mut hasher = hash;
            hasher.write(characters);
            hasher.write_u8(u8::from(is_wide));
            Some(Seen {
                row,
                at: span.start as u64,
                bytes: u32::try_from(span.len()).ok()?,
                is_wide,
                hash: hasher.finish128().as_u128(),
            })
        })
        .collect();
    let first = firsts(seen.iter().map(|seen| seen.hash).collect());
    let mut spans = Spans::default();
    spans.push(0, 0);
    let mut ids = vec![NO_TEXT; seen.len()];
    let mut wide = 0;
    for is_wide in [false, true] {
        if is_wide {
            wide = spans.len() as TextId;
        }
        for (at, text) in seen.iter().enumerate() {
            if text.is_wide == is_wide && first[at] as usize == at {
                ids[at] = spans.len() as TextId;
                spans.push(text.at, text.bytes);
            }
        }
    }
    for at in 0..seen.len() {
        ids[at] = ids[first[at] as usize];
    }
    // Arrays of characters are written as all numbers are; bytes stay in the order of the machine.
    let endian = if of_characters(dump) {
        Endian::Big
    } else {
        Endian::Little
    };
    let bytes: Arc<dyn AsRef<[u8]> + Send + Sync> = file.clone();
    let texts = Texts::new(bytes, spans, Encoding::Units { wide, endian });
    let of_rows = seen.iter().zip(ids).map(|(seen, id)| (seen.row, id)).collect();
    (texts, of_rows)
}

/// Whether strings have arrays of characters, as before JDK 9.
pub(super) fn of_characters(dump: &Dump<'_>) -> bool {
    dump.classes
        .named("java.lang.String")
        .is_some_and(|class| dump.classes.all[class as usize].slots[1].is_none())
}
