//! Arrays of numbers with what stands in them, and the windows on them.

use deadweight_heap::{Buffer, NONE, Representation, RowSet};
use rayon::prelude::*;
use twox_hash::XxHash3_64;

use super::classes::representation;
use super::containers::{Instance, Owners};
use super::cursor::type_bytes;
use super::decode::{Dump, Row};
use super::known::Role;

/// Rows that one thread takes at a time, at least.
const PIECE: usize = 4096;

/// Facts of all windows and of all arrays of numbers that are no piece of another object, in their order.
pub(super) fn buffers(dump: &Dump<'_>, owners: &Owners) -> Vec<Buffer> {
    let rows = || (0..dump.rows()).into_par_iter().with_min_len(PIECE);
    let seen = RowSet::none(dump.rows() as usize);
    rows()
        .filter_map(|row| array_of(dump, dump.instance_of(row, Role::Window)?))
        .for_each(|array| {
            seen.insert(array);
        });
    rows()
        .filter_map(|row| match dump.instance_of(row, Role::Window) {
            Some(of) => window(dump, of),
            None => array(dump, owners, row, seen.has(row)),
        })
        .collect()
}

/// The array on which a window looks.
fn array_of(dump: &Dump<'_>, of: Instance<'_>) -> Option<u32> {
    dump.slot(of, 0).filter(|&array| dump.is_of_numbers(array))
}

/// What a window shows: not from its position to its limit, which its methods move, but all that these can be moved over.
fn window(dump: &Dump<'_>, of: Instance<'_>) -> Option<Buffer> {
    let array = array_of(dump, of)?;
    let Row::Numbers { ty, count, .. } = dump.row(array) else {
        return None;
    };
    let shown = dump.count(of, 1).unwrap_or(count).min(count);
    Some(Buffer {
        object: of.row,
        backing: array,
        bytes: type_bytes(ty, dump.id_bytes)? as u64 * u64::from(shown),
        zeros: u64::MAX,
        words_used: u64::MAX,
        hash: 0,
        is_backing: false,
        elements: elements(ty),
        gives_way: false,
    })
}

fn array(dump: &Dump<'_>, owners: &Owners, row: u32, is_seen: bool) -> Option<Buffer> {
    if !dump.is_of_numbers(row) || owners.of(row).is_some() || owners.shared_characters.has(row) {
        return None;
    }
    let Row::Numbers { ty, at, count } = dump.row(row) else {
        return None;
    };
    let bytes = type_bytes(ty, dump.id_bytes)? * count as usize;
    let contents = at.and_then(|at| dump.bytes.get(at..at + bytes));
    let contents = contents.map_or((u64::MAX, u64::MAX, 0), contents_of);
    Some(Buffer {
        object: row,
        backing: if is_seen { row } else { NONE },
        bytes: bytes as u64,
        zeros: contents.0,
        words_used: contents.1,
        hash: contents.2,
        is_backing: true,
        elements: elements(ty),
        gives_way: false,
    })
}

const fn elements(ty: u8) -> Representation {
    match representation(ty) {
        Representation::Integer(1) => Representation::Unsigned(1),
        other => other,
    }
}

/// Bytes that are zero, words of eight that are not, and a hash.
fn contents_of(bytes: &[u8]) -> (u64, u64, u64) {
    let zeros = memchr::memchr_iter(0, bytes).count() as u64;
    let words = bytes.chunks(8).filter(|word| word.iter().any(|&byte| byte != 0));
    (zeros, words.count() as u64, XxHash3_64::oneshot(bytes).max(1))
}
