//! Copies of records at each place, with all that they hold alone.

use deadweight_heap::{Flags, Heap, HolderId, Holders, Kind, ObjectId, RowSet, UniqueOwners};
use rustc_hash::FxHashMap;

use super::FEWEST;
use super::digests::{Digest, Digests};
use super::finding::candidate;
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
    members.sort_unstable_by_key(|m| {
        (
            std::cmp::Reverse(m.digest.height),
            m.holder,
            m.digest.value,
            m.row,
        )
    });
    let same = |a: &Member, b: &Member| a.holder == b.holder && a.digest.value == b.digest.value;
    let mut copies: FxHashMap<HolderId, u64> = FxHashMap::default();
    for group in members.chunk_by(same) {
        *copies.entry(group[0].holder).or_default() += group.len() as u64 - 1;
    }
    let enough = |holder: HolderId| copies.get(&holder).is_some_and(|&copies| copies >= FEWEST);
    if !copies.values().any(|&copies| copies >= FEWEST) {
        return Vec::new();
    }
    let owners = heap.unique_owners(RowSet::of(heap.objects.len(), |id| is_value(heap, id)));
    let mut gone = vec![false; heap.objects.len()];
    let mut places: FxHashMap<HolderId, Place> = FxHashMap::default();
    for group in members.chunk_by(same).filter(|group| enough(group[0].holder)) {
        let mut left = group
            .iter()
            .map(|member| member.row)
            .filter(|&row| !gone[row as usize]);
        let Some(first) = left.next() else { continue };
        let redundant: Vec<ObjectId> = left.collect();
        if redundant.is_empty() {
            continue;
        }
        let place = places.entry(group[0].holder).or_default();
        let mut freed = 0;
        for &copy in &redundant {
            freed += vanish(heap, &owners, copy, &mut gone, &mut place.claims);
        }
        let count = redundant.len() as u64;
        let each = freed / count;
        place.copies += count;
        place.now += freed + each;
        place.values.push((first, each, count));
    }
    places.retain(|_, place| place.copies >= FEWEST);
    for place in places.values_mut() {
        claim_backing(heap, place);
    }
    for at in 0..digests.all {
        let id = digests.row(at);
        if digests.is_candidate(at)
            && !gone[id as usize]
            && let Some(place) = places.get_mut(&holders.of(id))
        {
            place.unaffected += 1;
        }
    }
    places
        .into_iter()
        .map(|(holder, place)| candidate(heap, holders.name(holder), place))
        .collect()
}

/// Claims the strings whose characters nothing but claimed ones show.
fn claim_backing(heap: &Heap, place: &mut Place) {
    let backing = heap.backing();
    if backing.is_empty() {
        return;
    }
    let gone: Vec<ObjectId> = place.claims.iter().map(|&(row, _)| row).collect();
    for (behind, _) in backing.freed_with(heap, &gone) {
        // One that a single string shows is claimed with that.
        if backing.is_shown_by_several(behind) {
            let bytes = heap.bytes(behind);
            place.claims.push((behind, bytes));
            place.now += bytes;
        }
    }
}

/// Those whose digest occurs more than once, at places a person can change.
fn members(digests: &Digests<'_>, holders: &Holders<'_>) -> Vec<Member> {
    // Two bits a slot, by hash: most heaps have few equals, and the rest need no room.
    let slots = (digests.known.len().max(1) * 8).next_power_of_two();
    let slot = |digest: &Digest| digest.value as usize & (slots - 1);
    let mut once = vec![0_u64; slots.div_ceil(64)];
    let mut twice = vec![0_u64; slots.div_ceil(64)];
    for digest in digests.known.iter().filter(|digest| digest.value != 0) {
        let (word, bit) = (slot(digest) / 64, 1 << (slot(digest) % 64));
        twice[word] |= once[word] & bit;
        once[word] |= bit;
    }
    let repeats =
        |digest: &Digest| digest.value != 0 && twice[slot(digest) / 64] >> (slot(digest) % 64) & 1 == 1;
    let mut members = Vec::new();
    for (&at, &digest) in digests.numbers.iter().zip(&digests.known) {
        if repeats(&digest) {
            let row = digests.row(at as usize);
            let holder = holders.of(row);
            if holders.is_known(holder) {
                members.push(Member { holder, digest, row });
            }
        }
    }
    members
}

/// Whether a row is a value of the program's, which goes with a copy that alone holds it.
fn is_value(heap: &Heap, id: ObjectId) -> bool {
    let kind = heap.kind(id);
    heap.in_program(id)
        && matches!(
            kind,
            Kind::String | Kind::Number | Kind::Date | Kind::Record | Kind::Array | Kind::Table
        )
}

/// Claims an object with all it holds alone. Each row has one owner, so the walk is a tree, and ends.
fn vanish(
    heap: &Heap,
    owners: &UniqueOwners,
    copy: ObjectId,
    gone: &mut [bool],
    claims: &mut Vec<(ObjectId, u64)>,
) -> u64 {
    let mut freed = 0;
    let mut open = vec![copy];
    gone[copy as usize] = true;
    while let Some(id) = open.pop() {
        let mut pieces = heap.parts_of(id);
        pieces.push(id);
        for &row in &pieces {
            let bytes = heap.bytes(row);
            if bytes > 0 && !heap.objects.has(row, Flags::EXTERNAL) {
                claims.push((row, bytes));
                freed += bytes;
            }
            for edge in heap.edges.of(row) {
                if is_value(heap, edge.to)
                    && owners.of(edge.to) == Some(id)
                    && !std::mem::replace(&mut gone[edge.to as usize], true)
                {
                    open.push(edge.to);
                }
            }
        }
    }
    freed
}
