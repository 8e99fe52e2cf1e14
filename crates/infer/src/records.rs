//! Records of which some fields are in use in few: optional values, texts that are mostly empty, large rare variants.

mod alike;
mod filled;
mod members;
mod swiss;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use deadweight_heap::{Heap, ObjectId, Presence, TextLength};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::groups::{BlockGroup, block_groups};
use crate::lengths::lengths_beside;
use crate::linked::refer_to_each_other;
use crate::slots;
use words::{Uses, Usual, goes_on, is_used};

/// Fewer records are no habit.
const FEWEST: usize = 100;

/// Smaller records have no room for rare fields, larger blocks are buffers.
const SIZES: std::ops::RangeInclusive<u64> = 48..=4096;

/// Rare is what is in use in at most one of so many records.
const RARE: usize = 4;
/// What is in use in nine of ten distinguishes records of no known type from tables: each is somebody.
const COMMON: (usize, usize) = (9, 10);

/// Words of C++'s `std::string`: its address, its length, and its capacity or the beginning of a short text.
const WORDS_OF_TEXT: usize = 4;

/// So many words that no record uses are more than padding and the ends of short texts in place.
pub(crate) const FEWEST_UNUSED: usize = 8;

/// More rare fields are slots.
const MOST_FIELDS: usize = 64;

/// What fewer records use than this may be what blocks before them had left there.
const FEWEST_USES: usize = 4;

/// Fewer records that use rare fields here and there are no evidence.
const FEWEST_APART: usize = 16;

/// A node of a tree begins with its colour and three links, one of a list with two.
const WORDS_OF_LINKS: usize = 4;

/// A field that is in use in few records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RareField {
    /// Bytes from the beginning of the record.
    pub offset: u64,
    /// Its bytes, as whole words.
    pub bytes: u64,
    /// Records that use it.
    pub used: u64,
}

/// Records of one kind and size with fields that are rarely in use.
#[derive(Debug)]
pub struct SparseRecords {
    /// The type, or else the function that allocates them.
    pub holder: String,
    /// Where that is.
    pub site: Option<String>,
    /// Bytes the program asked for, for each.
    pub requested: u64,
    /// The records, in the order of rows.
    pub rows: Vec<ObjectId>,
    /// The rare fields, in the order in which they stand; at most 64.
    pub fields: Vec<RareField>,
    /// Which of them each record uses, a bit each.
    pub used: Vec<u64>,
}

/// All such records of a heap, in the order of their first rows. Records that stand side by side in one block are not
/// looked at: of an array no value is a field.
#[must_use]
pub fn sparse_records(heap: &Heap) -> Arc<Vec<SparseRecords>> {
    heap.shared.get(|| {
        let groups = block_groups(heap, FEWEST).into_par_iter();
        let is_array =
            |group: &BlockGroup| group.is_of_library || group.values.is_some_and(|values| values > 1);
        let groups = groups.filter(|group| SIZES.contains(&group.requested) && !is_array(group));
        groups.filter_map(|group| of_group(heap, group)).collect()
    })
}

fn of_group(heap: &Heap, group: BlockGroup) -> Option<SparseRecords> {
    let contents = group.rows.iter().map(|&row| heap.blocks.content(row));
    let contents: Vec<Cow<'_, [u8]>> = contents.collect::<Option<_>>()?;
    let addresses: Vec<u64> = group
        .rows
        .iter()
        .map(|&row| heap.blocks.address(row).unwrap_or(0))
        .collect();
    let tables = contents.iter().filter(|content| swiss::is_table(content)).count();
    if tables * COMMON.1 >= contents.len() * COMMON.0 {
        return None;
    }
    let uses = Uses::of(&contents, &addresses);
    let mut fields = fields(&uses);
    let names = (0..uses.words()).map(|word| heap.blocks.field(group.rows[0], word as u64 * 8));
    fields = members::whole_members(&names.collect::<Vec<_>>(), fields);
    fields.retain(|field| {
        let is_text = uses.usual(field.start) == Usual::Zero && uses.count(field.start) > 0;
        let is_behind_text = field.len() == 1 && ends_text(heap, &contents, &addresses, field.start);
        let is_anothers = is_behind_text || is_text && goes_on(&contents, field.start);
        let most = field.clone().map(|word| uses.count(word)).max().unwrap_or(0);
        // What none uses is as it was asked for.
        let is_chance = (1..FEWEST_USES).contains(&most);
        !is_anothers && !is_chance && !is_link(&contents, &addresses, field)
    });
    if fields.is_empty() || fields.len() > MOST_FIELDS {
        return None;
    }
    let used: Vec<u64> = contents
        .par_iter()
        .zip(&addresses)
        .map(|(content, &address)| used_fields(&uses, &fields, content, address))
        .collect();
    // Where nobody knows who asked for blocks, those of one size are of many types.
    let is_one_kind = heap.coverage.requests != Presence::Absent;
    let is_typed = group.is_typed || group.values == Some(1);
    if !(is_typed || is_one_kind && are_records(&uses, &fields, &used)) {
        return None;
    }
    if !is_typed {
        let looked = alike::Looked::of(&contents, &addresses, &used);
        let is_address = |word| heap.blocks.is_address(word);
        if looked.are_alike(&uses, is_address) || filled::are_filled(&contents, is_address) {
            return None;
        }
    }
    // Slots are better kept together, and what refers to its like has another shape than a record.
    let is_object = is_typed || refer_to_each_other(heap, &group.rows);
    if slots::find(&contents, is_object, |word| heap.blocks.is_address(word)).is_some() {
        return None;
    }
    let fields = fields.into_iter().enumerate().map(|(bit, words)| RareField {
        offset: words.start as u64 * 8,
        bytes: words.len() as u64 * 8,
        used: used.iter().filter(|&&used| used >> bit & 1 != 0).count() as u64,
    });
    Some(SparseRecords {
        holder: group.holder,
        site: group.site,
        requested: group.requested,
        rows: group.rows,
        fields: fields.collect(),
        used,
    })
}

/// Whether what stands at the front of records in a field are the addresses of others of them: trees and lists of the library
/// have links there, which nobody can move.
fn is_link(contents: &[Cow<'_, [u8]>], addresses: &[u64], field: &std::ops::Range<usize>) -> bool {
    if field.end > WORDS_OF_LINKS {
        return false;
    }
    let known: FxHashSet<u64> = addresses
        .iter()
        .copied()
        .filter(|&address| address != 0)
        .collect();
    let words = contents.iter().flat_map(|content| {
        let words = content.as_chunks::<8>().0;
        field
            .clone()
            .filter_map(|word| Some(u64::from_le_bytes(*words.get(word)?)))
    });
    let mut used = words.filter(|&word| word != 0).peekable();
    used.peek().is_some() && used.all(|word| known.contains(&word))
}

/// Whether a word is the last of a text of C++ in nearly all records: long ones leave it as it was, and short ones may end
/// before it.
fn ends_text(heap: &Heap, contents: &[Cow<'_, [u8]>], addresses: &[u64], word: usize) -> bool {
    let Some(first) = (word + 1).checked_sub(WORDS_OF_TEXT) else {
        return false;
    };
    let is_text = |(content, &address): (&Cow<'_, [u8]>, &u64)| {
        let words = content.as_chunks::<8>().0;
        let is_long = || {
            // A block may be shorter in the dump than it was asked for.
            let own = words.get(first..word)?;
            let capacity = u64::from_le_bytes(*own.get(2)?);
            let mut texts = lengths_beside(heap, own);
            texts
                .find(|(at, _, length)| *at == 0 && length.capacity_at == 2)
                .filter(|(_, to, _)| heap.blocks.requested(*to) == capacity.checked_add(1))
        };
        TextLength::is_short_in_place(words, first, address) || is_long().is_some()
    };
    let texts = contents
        .iter()
        .zip(addresses)
        .filter(|&record| is_text(record))
        .count();
    texts * COMMON.1 >= contents.len() * COMMON.0
}

/// Rare words that follow each other and are in use together are a field.
fn fields(uses: &Uses) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for word in (0..uses.words()).filter(|&word| uses.count(word) * RARE <= uses.records()) {
        match found.last_mut() {
            Some(last) if last.end == word && uses.belongs_to(word, last) => last.end += 1,
            _ => found.push(word..word + 1),
        }
    }
    found.retain(|field| {
        let is_in_use = field.clone().any(|word| uses.count(word) > 0);
        (is_in_use || field.len() >= FEWEST_UNUSED) && !uses.is_tail(field) && !uses.is_of_text(field)
    });
    found
}

fn used_fields(uses: &Uses, fields: &[std::ops::Range<usize>], content: &[u8], address: u64) -> u64 {
    let bits = fields.iter().enumerate().map(|(bit, words)| {
        let any = words
            .clone()
            .any(|word| is_used(content, address, word, uses.usual(word)));
        u64::from(any) << bit
    });
    bits.fold(0, |all, bit| all | bit)
}

/// Whether blocks of no known type are records: each has something in common words, and rare fields come by themselves.
/// What is filled from its beginning on is a buffer, and what differs as a whole may be of another type. One with most of
/// the rare fields in use had another use before, which left something all over it.
fn are_records(uses: &Uses, fields: &[std::ops::Range<usize>], used: &[u64]) -> bool {
    let is_common = |word: usize| uses.count(word) * COMMON.1 >= uses.records() * COMMON.0;
    let all = match fields.len() {
        MOST_FIELDS => u64::MAX,
        few => (1 << few) - 1,
    };
    let any = used.iter().filter(|&&used| used != 0).count();
    // A prefix of the fields is one less than a power of two.
    let apart = used
        .iter()
        .filter(|&&used| used != all && used & used.wrapping_add(1) != 0)
        .filter(|used| used.count_ones() as usize * 2 <= fields.len())
        .count();
    (0..uses.words()).any(is_common) && apart >= FEWEST_APART && apart * 2 >= any
}
