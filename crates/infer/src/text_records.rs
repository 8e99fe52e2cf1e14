//! Records that hold texts by members of several words: an address with a length and a capacity beside it, as Rust's
//! `String` has, or those with room for a short text, as C++'s `std::string` has.

mod evidence;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;

use deadweight_heap::{Heap, ObjectId, RowSet, TextLength};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::gather::{Gathered, gather};
use crate::lengths::lengths_beside;
use crate::place::Place;
use crate::records::{RareField, sparse_records};
use evidence::{Evidence, OfMember};

/// An address and a length, as whoever shares a text keeps them, in words.
const VIEW: usize = 2;

/// Address, length and capacity, in words…
const PLAIN: usize = 3;
/// … and what a C++ string has, in which a short text takes the place of the capacity.
const IN_PLACE: usize = 4;
/// That capacity stands so many words behind the address.
const SHORT_AT: usize = 2;

/// Larger blocks are buffers.
const LARGEST: u64 = 64 << 10;

/// Fewer texts at one place of blocks are chance.
const FEWEST: u64 = 16;

/// So many of the blocks have such a member at that place: all but (one, in so many) of other kinds.
const OTHERS: usize = 16;

/// Blocks of one place in which texts of another stand.
#[derive(Debug)]
pub struct TextRecords {
    /// The place of the texts.
    pub texts: Place,
    /// The blocks, in the order of rows, with the bytes that each is shorter when every member is an address and a
    /// length.
    pub rows: Vec<(ObjectId, u32)>,
    /// Bytes of such a member now.
    pub member_bytes: u64,
    /// What it is then.
    pub view_bytes: u64,
    /// Texts in such members that are no copies: whoever owns the texts then has these.
    pub kept: u64,
}

/// A member at one place of blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Member {
    first: usize,
    words: usize,
}

impl Member {
    fn is_in(self, field: &RareField) -> bool {
        // What a longer text left of a short one behind the address says nothing.
        let start = self.first as u64 * 8;
        field.offset <= start && start < field.offset + field.bytes
    }
}

/// Blocks of one place and size.
#[derive(Default)]
struct Group {
    rows: Vec<ObjectId>,
    /// What each member shows.
    members: FxHashMap<Member, Evidence>,
    /// Whether one has a short text in place.
    have_short: bool,
}

impl Gathered for Group {
    fn append(&mut self, mut later: Self) {
        self.rows.append(&mut later.rows);
        for (member, later) in later.members {
            self.members.entry(member).or_default().append(later);
        }
        self.have_short |= later.have_short;
    }
}

/// The records that hold some texts. A member that holds texts of several places is that of the place with most. Members
/// that few of the records use are left out: these may better have none. So are those of which most texts are no `copies`. Where
/// the type of the values in arrays is known, all values of it get shorter, those that stand alone and those side by side.
#[must_use]
pub fn text_records(heap: &Heap, texts: &RowSet, copies: &RowSet) -> Vec<TextRecords> {
    let sparse = sparse_records(heap);
    let rare = sparse.iter().filter_map(|records| {
        Some((
            Place::sized(heap, *records.rows.first()?)?,
            records.fields.as_slice(),
        ))
    });
    let rare: FxHashMap<(Place, u64), &[RareField]> = rare.collect();
    let blocks = |row| {
        let key = Place::sized(heap, row).filter(|(_, requested)| (24..=LARGEST).contains(requested))?;
        (heap.edges.count(row) > 0 && !texts.has(row)).then_some((key, ()))
    };
    let mut groups = gather(heap, blocks, |group: &mut Group, row, ()| {
        see(heap, (texts, copies), group, row);
    });
    for (key, group) in &mut groups {
        if let Some(rare) = rare.get(key) {
            group
                .members
                .retain(|member, _| !rare.iter().any(|field| member.is_in(field)));
        }
    }
    let has_in_place = heap.layout.has_short_texts() || groups.values().any(|group| group.have_short);
    let mut by_place: BTreeMap<Place, Vec<(u64, Group)>> = BTreeMap::new();
    for ((place, requested), group) in groups {
        by_place.entry(place).or_default().push((requested, group));
    }
    let found: Vec<Vec<TextRecords>> = by_place
        .into_par_iter()
        .map(|(place, mut groups)| {
            groups.sort_unstable_by_key(|(requested, _)| *requested);
            // A library's chunks have room for more values when these are smaller.
            if place.is_of_library(heap) && place.element(heap).is_some() {
                return Vec::new();
            }
            if let Some(value) = place.element(heap).filter(|value| value.is_multiple_of(8)) {
                groups.retain(|(requested, _)| requested.is_multiple_of(value));
                let rare = rare.get(&(place, value)).copied().unwrap_or_default();
                let (values, mut group) = in_values(groups, value as usize / 8);
                group
                    .members
                    .retain(|member, _| !rare.iter().any(|field| member.is_in(field)));
                group.keep_known(heap, has_in_place);
                return records(heap, &group, |row| values[&row]);
            }
            for (_, group) in &mut groups {
                group.keep_known(heap, has_in_place);
            }
            groups.retain(|(requested, group)| !is_chunk(*requested, &group.known()));
            match array_words(&groups) {
                Some(words) => arrays(heap, &groups, words),
                None => groups
                    .iter()
                    .flat_map(|(_, group)| records(heap, group, |_| 1))
                    .collect(),
            }
        })
        .collect();
    found.into_iter().flatten().collect()
}

fn see(heap: &Heap, (texts, copies): (&RowSet, &RowSet), group: &mut Group, row: ObjectId) {
    let content = heap.blocks.content(row).unwrap_or_default();
    let words = content.as_chunks::<8>().0;
    group.rows.push(row);
    for (at, to, length) in lengths_beside(heap, words).filter(is_sure) {
        let capacity = word(words, length.capacity_at);
        let ends_in_zero = heap.blocks.requested(to) == capacity.checked_add(1);
        let first = at.min(length.capacity_at).min(length.length_at);
        let is_in_place = ends_in_zero && length.capacity_at == at + SHORT_AT && at + IN_PLACE <= words.len();
        let member = Member {
            first,
            words: if is_in_place { IN_PLACE } else { PLAIN },
        };
        // A text has one such holder: what a block that was used before left in this one refers to others' texts.
        let is_held_once = texts.has(to) && !heap.referrers.are_several(to);
        if let Some(place) = Place::of(heap, to).filter(|_| is_held_once) {
            let evidence = group.members.entry(member).or_default();
            evidence.see(heap, place, to, (at, length), words, copies.has(to));
        } else if !texts.has(to) {
            group.members.entry(member).or_default().see_other();
        }
    }
    let address = heap.blocks.address(row).unwrap_or(0);
    group.have_short |= (0..words.len())
        .any(|first| TextLength::is_short_in_place(words, first, address) && word(words, first + 1) > 0);
}

/// Whether a word is the capacity beyond doubt. Right behind the address stands what a program that keeps no capacity has as
/// its length, and any small number may follow.
fn is_sure((at, _, length): &(usize, ObjectId, TextLength)) -> bool {
    length.length_at == at + 1
}

impl Group {
    /// Leaves out what may be an address beside two numbers of the record's own, and of each member the fourth word where
    /// that may be another field: nobody says that it is none, and no program without short texts in place has it.
    fn keep_known(&mut self, heap: &Heap, has_in_place: bool) {
        let Some(&row) = self.rows.first() else { return };
        let of = |member| OfMember::of(heap, row, member);
        // What a C++ string is long stands behind another one: no record has two such rows of its own words.
        let firsts: FxHashSet<usize> = self
            .members
            .iter()
            .filter(|(member, evidence)| member.words == IN_PLACE && evidence.texts() >= FEWEST)
            .map(|(member, _)| member.first)
            .collect();
        let is_beside = |member: Member| {
            let before = member.first.checked_sub(IN_PLACE);
            let next = [before, Some(member.first + IN_PLACE)];
            member.words == IN_PLACE && next.iter().flatten().any(|first| firsts.contains(first))
        };
        for (member, evidence) in std::mem::take(&mut self.members) {
            let is_whole = match of(member) {
                OfMember::One => true,
                OfMember::Several => false,
                OfMember::Unknown => has_in_place || is_beside(member),
            };
            let has_form = has_in_place || is_beside(member);
            let words = if is_whole { member.words } else { PLAIN };
            let member = Member { words, ..member };
            if evidence.is_known(of(member), has_form) {
                self.members.entry(member).or_default().append(evidence);
            }
        }
    }

    /// The members with enough texts, each with the place of most, in order; of those that overlap the first.
    fn known(&self) -> Vec<(Member, Place)> {
        let mut known: Vec<(Member, Place)> = Vec::new();
        let enough = self
            .members
            .iter()
            .filter(|(_, evidence)| evidence.texts() >= FEWEST && Evidence::is_repeated([*evidence]));
        known.extend(enough.filter_map(|(&member, evidence)| {
            let most = evidence
                .places
                .iter()
                .max_by_key(|&(&place, &count)| (count, std::cmp::Reverse(place)));
            Some((member, *most?.0))
        }));
        known.sort_unstable();
        let mut end = 0;
        known.retain(|(member, _)| {
            let is_apart = member.first >= end;
            end = end.max(member.first + member.words);
            is_apart
        });
        known
    }
}

/// Blocks of values of so many words each as one group, with how many values each block has room for. Members have their places
/// within a value.
fn in_values(groups: Vec<(u64, Group)>, words: usize) -> (FxHashMap<ObjectId, usize>, Group) {
    let (mut values, mut all) = (FxHashMap::default(), Group::default());
    for (requested, mut group) in groups {
        let count = requested as usize / 8 / words;
        values.extend(group.rows.iter().map(|&row| (row, count)));
        for (mut member, evidence) in std::mem::take(&mut group.members) {
            member.first %= words;
            if member.first + member.words <= words {
                all.members.entry(member).or_default().append(evidence);
            }
        }
        all.append(group);
    }
    (values, all)
}

/// Whether a block without a known type may be a chunk of a `std::deque` of such values: it stays as large as it is.
fn is_chunk(requested: u64, known: &[(Member, Place)]) -> bool {
    /// Bytes of a chunk in libstdc++, of values that are smaller than it.
    const CHUNK: u64 = 512;
    let fills = |step: usize| {
        let bytes = step as u64 * 8;
        CHUNK / bytes > 1 && CHUNK / bytes * bytes == requested
    };
    // Few values of each may have been filled.
    let firsts = || known.iter().map(|(member, _)| member.first);
    firsts().any(|first| firsts().any(|other| other > first && fills(other - first)))
}

/// Records of one place, by the place of the texts that they hold. Each block has so many `values`, of which the first stands for
/// all.
fn records(heap: &Heap, group: &Group, values: impl Fn(ObjectId) -> usize) -> Vec<TextRecords> {
    let mut found: BTreeMap<(Place, usize), (FxHashMap<ObjectId, u32>, u64)> = BTreeMap::new();
    for (member, texts) in group.known() {
        let holds = |&row: &ObjectId| {
            with_words(heap, row, |words, address| {
                is_member(heap, words, address, member)
            })
        };
        let rows: Vec<ObjectId> = group.rows.iter().copied().filter(holds).collect();
        if (group.rows.len() - rows.len()) * OTHERS > group.rows.len() {
            continue;
        }
        let (of_place, kept) = found.entry((texts, member.words)).or_default();
        *kept += group.members.get(&member).map_or(0, Evidence::kept);
        for row in rows {
            *of_place.entry(row).or_default() += shorter(member.words, values(row));
        }
    }
    let found = found.into_iter();
    found
        .map(|((texts, words), (rows, kept))| TextRecords::of(texts, words, rows, kept))
        .collect()
}

impl TextRecords {
    fn of(texts: Place, words: usize, rows: impl IntoIterator<Item = (ObjectId, u32)>, kept: u64) -> Self {
        let mut rows: Vec<(ObjectId, u32)> = rows.into_iter().collect();
        rows.sort_unstable();
        Self {
            texts,
            rows,
            member_bytes: words as u64 * 8,
            view_bytes: VIEW as u64 * 8,
            kept,
        }
    }
}

/// Bytes by which so many members of so many words are longer than views.
fn shorter(words: usize, members: usize) -> u32 {
    u32::try_from((words - VIEW) * members * 8).unwrap_or(u32::MAX)
}

/// Whether blocks of one place are arrays of such members: they have several sizes, each a multiple of the member that all
/// begin with.
fn array_words(groups: &[(u64, Group)]) -> Option<usize> {
    let mut firsts = groups.iter().flat_map(|(_, group)| group.known());
    let words = firsts.find(|(member, _)| member.first == 0)?.0.words;
    let is_multiple = |&(requested, _): &(u64, Group)| requested % (words as u64 * 8) == 0;
    let is_whole = |(_, group): &(u64, Group)| {
        group
            .known()
            .iter()
            .all(|(member, _)| member.words == words && member.first % words == 0)
    };
    (groups.len() > 1 && groups.iter().all(is_multiple) && groups.iter().all(is_whole)).then_some(words)
}

/// Arrays of members of so many words, of all sizes.
fn arrays(heap: &Heap, groups: &[(u64, Group)], words: usize) -> Vec<TextRecords> {
    let evidence = || groups.iter().flat_map(|(_, group)| group.members.values());
    let mut counts: BTreeMap<Place, u64> = BTreeMap::new();
    for (place, count) in evidence().flat_map(|evidence| &evidence.places) {
        *counts.entry(*place).or_default() += count;
    }
    let Some((&texts, _)) = counts.iter().max_by_key(|&(_, count)| *count) else {
        return Vec::new();
    };
    if !Evidence::is_repeated(evidence()) {
        return Vec::new();
    }
    let first = Member { first: 0, words };
    let holds = |&row: &ObjectId| with_words(heap, row, |of, address| is_member(heap, of, address, first));
    let (mut rows, mut all) = (Vec::new(), 0);
    for (requested, group) in groups {
        let members = *requested as usize / 8 / words;
        all += group.rows.len();
        let held = group.rows.iter().copied().filter(holds);
        rows.extend(held.map(|row| (row, shorter(words, members))));
    }
    if (all - rows.len()) * OTHERS > all {
        return Vec::new();
    }
    let kept = evidence().map(Evidence::kept).sum();
    vec![TextRecords::of(texts, words, rows, kept)]
}

fn with_words(heap: &Heap, row: ObjectId, holds: impl Fn(&[[u8; 8]], u64) -> bool) -> bool {
    let content: Cow<'_, [u8]> = heap.blocks.content(row).unwrap_or_default();
    holds(content.as_chunks::<8>().0, heap.blocks.address(row).unwrap_or(0))
}

/// Whether such a member stands in a block: with a text in a block of its own, a short one in place, or none.
fn is_member(heap: &Heap, words: &[[u8; 8]], address: u64, member: Member) -> bool {
    let Some(own) = words.get(member.first..member.first + member.words) else {
        return false;
    };
    if member.words == IN_PLACE && TextLength::is_short_in_place(words, member.first, address) {
        return true;
    }
    let mut held = lengths_beside(heap, &own[..PLAIN]).filter(is_sure);
    if held.next().is_some() {
        return true;
    }
    // An empty text has no block: length and capacity are zero, and its address leads nowhere.
    let others = own[..PLAIN].iter().map(|word| u64::from_le_bytes(*word));
    let in_use: Vec<u64> = others.filter(|&word| word != 0).collect();
    in_use.len() <= 1 && in_use.iter().all(|&word| !heap.blocks.is_address(word))
}

fn word(words: &[[u8; 8]], at: usize) -> u64 {
    words.get(at).map_or(0, |word| u64::from_le_bytes(*word))
}
