//! Copies of records at each place, with all that they hold alone.

use deadweight_heap::{Heap, HolderId, Holders, ObjectId, RowSet};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::FEWEST;
use super::digests::{Digest, Digests, PIECE};
use super::finding::candidate;
use super::vanish::Walk;
use crate::Candidate;

/// One record, array or table that may have equals.
struct Member {
    holder: HolderId,
    digest: Digest,
    row: ObjectId,
}

#[derive(Default)]
pub(super) struct Place {
    pub(super) claims: Vec<(ObjectId, u64)>,
    pub(super) copies: u64,
    pub(super) now: u64,
    /// Values that repeat, with their first object, its bytes with all it holds alone, and their copies.
    pub(super) values: Vec<(ObjectId, u64, u64)>,
    pub(super) unaffected: u64,
}

pub(super) fn at_holders(heap: &Heap, digests: &Digests<'_>) -> Vec<Candidate> {
    let holders = Holders::new(heap);
    let mut members = members(digests, &holders);
    // Outer before inner: a copy inside a copy goes with it. Within one value the first row stays.
    members.par_sort_unstable_by_key(|m| {
        (
            std::cmp::Reverse(m.digest.height),
            m.holder,
            m.digest.value,
            m.row,
        )
    });
    let mut copies: FxHashMap<HolderId, u64> = FxHashMap::default();
    for group in members.chunk_by(Member::is_equal) {
        *copies.entry(group[0].holder).or_default() += group.len() as u64 - 1;
    }
    members.retain(|member| copies[&member.holder] >= FEWEST);
    if members.is_empty() {
        return Vec::new();
    }
    let mut walk = Walk::new(heap);
    for group in members.chunk_by(Member::is_equal) {
        let mut left = group.iter().map(|member| member.row);
        let _stays = left.find(|&row| !walk.gone.has(row));
        for copy in left {
            walk.vanish(copy, |_, _| ());
        }
    }
    // What goes when all of these fixes are made.
    let gone_with_all = heap.row_set(walk.rewind());
    let mut all: FxHashMap<HolderId, u64> = FxHashMap::default();
    for row in heap.rows().filter(|&row| digests.is_candidate(row)) {
        let holder = holders.of(row);
        if copies.get(&holder).is_some_and(|&copies| copies >= FEWEST) {
            *all.entry(holder).or_default() += 1;
        }
    }
    // Each fix as if it were the only one: what another frees as well is settled when they are booked.
    members.sort_by_key(|member| member.holder);
    let mut candidates = Vec::new();
    for members in members.chunk_by(|a, b| a.holder == b.holder) {
        let holder = members[0].holder;
        let mut place = Place::default();
        for group in members.chunk_by(Member::is_equal) {
            place.keep_one_of(group, &gone_with_all, &mut walk);
        }
        let is_here = |row: &ObjectId| holders.of(*row) == holder && digests.is_candidate(*row);
        let gone = walk.rewind().iter().filter(|&row| is_here(row)).count();
        place.unaffected = all[&holder] - gone as u64;
        if place.copies >= FEWEST {
            candidates.push(candidate(heap, holders.name(holder), place));
        }
    }
    candidates
}

impl Member {
    fn is_equal(&self, other: &Self) -> bool {
        self.holder == other.holder && self.digest.value == other.digest.value
    }
}

impl Place {
    /// Lets all go of some equal members but one, which no other fix takes where there is such a one.
    fn keep_one_of(&mut self, group: &[Member], gone_with_all: &RowSet, walk: &mut Walk<'_>) {
        let left = group.iter().map(|member| member.row);
        let left: Vec<ObjectId> = left.filter(|&row| !walk.gone.has(row)).collect();
        let stays = left.iter().find(|&&row| !gone_with_all.has(row));
        let Some(&stays) = stays.or(left.first()) else {
            return;
        };
        let count = left.len() as u64 - 1;
        if count == 0 {
            return;
        }
        let mut freed = 0;
        for &copy in left.iter().filter(|&&row| row != stays) {
            freed += walk.vanish(copy, |row, bytes| self.claims.push((row, bytes)));
        }
        let each = freed / count;
        self.copies += count;
        self.now += freed + each;
        self.values.push((stays, each, count));
    }
}

/// Those whose digest occurs more than once, at places a person can change.
fn members(digests: &Digests<'_>, holders: &Holders<'_>) -> Vec<Member> {
    // Two bits a slot, by hash: most heaps have few equals, and the rest need no room.
    let slots = ((digests.seen as usize).max(1) * 8).next_power_of_two();
    let slot = |digest: &Digest| (digest.value as usize & (slots - 1)) as u32;
    let [once, twice] = [RowSet::none(slots), RowSet::none(slots)];
    let rows = digests.heights.len();
    let pieces = || (0..rows.div_ceil(PIECE)).into_par_iter();
    let of_piece = |piece: usize| {
        let first = (piece * PIECE) as ObjectId;
        digests
            .compared
            .within(first..(first + PIECE as ObjectId).min(rows as ObjectId))
    };
    pieces().for_each(|piece| {
        for row in of_piece(piece) {
            let slot = slot(&digests.of(row));
            if !once.insert(slot) {
                twice.insert(slot);
            }
        }
    });
    let member = |row: ObjectId| {
        if digests.heap.is_of_library(row) {
            return None;
        }
        let digest = digests.of(row);
        let holder = twice.has(slot(&digest)).then(|| holders.of(row))?;
        let is_known = holders.is_known(holder);
        is_known.then_some(Member { holder, digest, row })
    };
    pieces()
        .flat_map_iter(|piece| of_piece(piece).filter_map(member))
        .collect()
}
