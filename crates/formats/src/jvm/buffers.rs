//! Arrays of numbers, and what stands in them.

use deadweight_heap::{Buffer, NONE, Representation};
use rayon::prelude::*;
use twox_hash::XxHash3_64;

use super::classes::representation;
use super::containers::Owners;
use super::cursor::type_bytes;
use super::decode::{Dump, Row};

/// Facts of all arrays of numbers that are no piece of another object, in their order.
pub(super) fn buffers(dump: &Dump<'_>, owners: &Owners) -> Vec<Buffer> {
    let rows = (0..dump.rows()).into_par_iter().with_min_len(4096);
    rows.filter(|&row| dump.is_of_numbers(row))
        .filter(|&row| owners.of(row).is_none() && !owners.shared_characters.has(row))
        .filter_map(|row| {
            let Row::Numbers { ty, at, count } = dump.row(row) else {
                return None;
            };
            let bytes = type_bytes(ty, dump.id_bytes)? * count as usize;
            let contents = at.and_then(|at| dump.bytes.get(at..at + bytes));
            let contents = contents.map_or((u64::MAX, u64::MAX, 0), seen);
            Some(Buffer {
                object: row,
                backing: NONE,
                bytes: bytes as u64,
                zeros: contents.0,
                words_used: contents.1,
                hash: contents.2,
                is_backing: true,
                elements: match representation(ty) {
                    Representation::Integer(1) => Representation::Unsigned(1),
                    other => other,
                },
                gives_way: false,
            })
        })
        .collect()
}

/// Bytes that are zero, words of eight that are not, and a hash.
fn seen(bytes: &[u8]) -> (u64, u64, u64) {
    let zeros = memchr::memchr_iter(0, bytes).count() as u64;
    let words = bytes.chunks(8).filter(|word| word.iter().any(|&byte| byte != 0));
    (zeros, words.count() as u64, XxHash3_64::oneshot(bytes).max(1))
}
