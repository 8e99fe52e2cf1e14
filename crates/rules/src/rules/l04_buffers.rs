//! # L04 · tiny buffers
//!
//! ## What it is
//! Many buffers of up to 64 bytes: ids, hashes, keys, addresses, each behind an object of its own.
//!
//! ## Why it costs
//! The object that shows a few bytes is several times larger than they are. Where each buffer also owns its memory, an
//! allocation's rounding and header are added.
//!
//! ## How it is found
//! Buffers of 1 to 64 bytes, grouped by the holder that names them, at least 256; arrays of numbers are buffers, too.
//! Lists of arrays of numbers of one length are left to C05.
//!
//! A view whose length the dump does not say counts with its share of the buffer it stands in, and the finding is
//! then an estimate.
//!
//! ## How the saving is computed
//! The finding predicts a *pool*: the view goes, with what serves it alone; the record that held it keeps one
//! reference, to the pool, and gains a slot for the offset, with an object for it where a runtime has each number as one;
//! the bytes stand without a gap in memory outside the heap. A
//! second finding, of external bytes, says what rounding goes there. Where bytes move out of the heap instead, the
//! saving is less those bytes.
//! The evidence has each way with its bytes per object: `pool`; `packed_portable`, whole numbers of three bytes, which
//! fit a slot on every build of a runtime; and `packed`, where whole-number slots of the
//! record hold the bytes themselves instead of the reference. Buffers that no record holds are not packed.
//!
//! ## How to fix it
//! For a few bytes, pack them into fields; for more, or when they must be passed on as bytes, put them into a pool.
//!
//! - JavaScript: three `| 0` fields for 12 bytes; or one `Uint8Array` of 1,000 ids and `(pool, offset)`.
//! - Java, C#, Go: `long` fields or an array inside the struct. Ruby: a packed `String` of all ids.
//!
//! ## When not to
//! When the objects are handed to libraries that want buffers all the time, each call makes the view again. A pool
//! lives as long as its last id: keep ids that live and die together in one.

mod users;
mod weigh;

use deadweight_heap::{Buffer, EdgeKind, Heap, HolderId, Holders, Places};
use rustc_hash::FxHashMap;

use users::{Users, is_beneath_a_view};
use weigh::weigh_group;

use super::c05_nested::flat_numbers;
use crate::{Basis, Code, Rule, Verdict};

/// Larger buffers are worth an object.
const TINY: u64 = 64;
/// Whole bytes that fit a small integer on every build: a library that must run on all of them packs so many.
const PORTABLE: u64 = 3;
/// Fewer than this are no pattern.
const LEAST: usize = 256;

/// The rule.
pub struct TinyBuffers;

impl Rule for TinyBuffers {
    fn code(&self) -> Code {
        Code("L04")
    }

    fn source(&self) -> &'static str {
        include_str!("l04_buffers.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("the program reads the bytes from a pool, and rarely needs a buffer for each")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let holders = Holders::new(heap);
        let mut groups: FxHashMap<HolderId, Group> = FxHashMap::default();
        let users = Users::of(heap);
        let flat = flat_numbers(heap, &holders);
        for buffer in &heap.buffers {
            let id = buffer.object;
            let is_other = flat.has(id) || is_beneath_a_view(heap, id);
            if heap.buffer(id).is_none() || !heap.in_program(id) || is_other {
                continue;
            }
            let group = groups.entry(holders.of(id)).or_default();
            let bytes = users.bytes_of(heap, buffer);
            if (1..=TINY).contains(&bytes) && heap.bytes(id) > 0 {
                group.assumed |= buffer.bytes == u64::MAX;
                group.tiny.push(Buffer { bytes, ..*buffer });
            } else {
                group.others += 1;
            }
        }
        groups.retain(|_, group| group.tiny.len() >= LEAST);
        if groups.is_empty() {
            return Verdict::default();
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_unstable_by_key(|(holder, _)| *holder);
        let owners = further_owners(heap, &groups);
        groups
            .iter()
            .flat_map(|(holder, group)| weigh_group(heap, &holders.name(*holder), group, &users, &owners))
            .collect::<Vec<_>>()
            .into()
    }
}

#[derive(Default)]
struct Group {
    tiny: Vec<Buffer>,
    /// A length is not in the dump, and was taken from the room there is.
    assumed: bool,
    others: u64,
}

/// References of records to a tiny buffer beside the one that names it: each record gains an offset too.
fn further_owners(heap: &Heap, groups: &[(HolderId, Group)]) -> Places {
    let tiny = groups.iter().flat_map(|(_, group)| &group.tiny);
    let tiny = heap.row_set(tiny.map(|buffer| buffer.object));
    heap.places_of(&tiny, |reference| {
        reference.via.kind() == EdgeKind::Field
            && heap.record(reference.from).is_some()
            && heap.referrers.of(reference.to) != Some((reference.from, reference.via))
    })
}

#[cfg(test)]
mod tests;
