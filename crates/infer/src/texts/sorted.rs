//! The blocks of one place, sorted by what their first bytes are.

use deadweight_heap::{Heap, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};
use siphasher::sip128::SipHasher13;

use super::BlockText;
use super::behind::Behind;
use super::form::{Form, text};
use crate::gather::Gathered;

/// Nine in ten blocks of a place must be text…
pub(super) const SHARE: (u64, u64) = (9, 10);

/// … where shorter ones count neither way, if at least one in this many is longer.
const LONGER: u64 = 4;

/// Short texts stand for themselves where one in `LONGER` has this many characters.
const WORD: u64 = 3;

/// Blocks of this many sizes are no objects of one form.
pub(super) const SIZES: usize = 4;

/// Fewer blocks prove nothing.
pub(super) const FEWEST: u64 = 16;

/// The blocks of one place.
#[derive(Default)]
pub(super) struct Sorted {
    all: u64,
    /// Text to the end, or with nothing but zeros behind it.
    whole: Vec<BlockText>,
    /// Text with something else behind it: a string that was longer, or the first field of an object.
    begun: Vec<BlockText>,
    /// What is a string if the others are, and else a number or a flag.
    short: Vec<BlockText>,
    /// How many refer to others, by their sizes.
    referring: FxHashMap<u64, u64>,
    /// Sizes of those that begin with a text.
    text_sizes: FxHashSet<u64>,
    sizes: Vec<u64>,
    /// Those that may be texts behind a header.
    behind: Behind,
}

impl Sorted {
    pub fn add(
        &mut self,
        heap: &Heap,
        row: ObjectId,
        requested: u64,
        length: Option<u64>,
        hasher: &SipHasher13,
    ) {
        self.all += 1;
        self.add_size(requested);
        if heap.edges.of(row).next().is_some() {
            *self.referring.entry(requested).or_default() += 1;
        } else if let Some((text, form)) = text(heap, row, requested, length, hasher) {
            self.text_sizes.insert(requested);
            match form {
                Form::Whole => self.whole.push(text),
                Form::Begun => self.begun.push(text),
                Form::Short => self.short.push(text),
            }
        } else {
            self.behind.add(heap, row, requested);
        }
    }

    fn add_size(&mut self, requested: u64) {
        if self.sizes.len() < SIZES && !self.sizes.contains(&requested) {
            self.sizes.push(requested);
        }
    }

    /// How many of its blocks begin with a text that has something behind it, where hardly any does not.
    pub fn open(&self) -> u64 {
        let begun = self.begun.len() as u64;
        let are_texts = begun + self.whole.len() as u64;
        if begun >= FEWEST && are_texts * SHARE.1 >= self.all * SHARE.0 {
            begun
        } else {
            0
        }
    }

    /// Its strings.
    pub fn texts(mut self, heap: &Heap, hasher: &SipHasher13) -> Texts {
        if self.sizes.len() >= SIZES {
            self.whole.append(&mut self.begun);
        }
        let all = self.all - self.containers();
        let whole = self.whole.len() as u64;
        let longer = all - self.short.len() as u64;
        let are_longer = longer >= FEWEST && whole * SHARE.1 >= longer * SHARE.0 && whole * LONGER >= all;
        let are_strings = are_longer || self.are_short(heap, all);
        let mut texts = self.whole;
        if are_strings {
            texts.append(&mut self.short);
        } else {
            texts = closed_apart(heap, texts);
        }
        texts.extend(self.behind.texts(heap, all, hasher));
        // Runs, which the stable sort knows how to put together.
        texts.sort_by_key(|text| text.row);
        Texts { texts, are_strings }
    }

    /// Blocks that are no strings. A container that grows on the line that makes its strings is another object; one of
    /// their size may be the same object with a reference in use.
    fn containers(&self) -> u64 {
        let is_container = |(size, _): &(&u64, &u64)| !self.text_sizes.contains(size);
        let containers = self.referring.iter().filter(is_container);
        containers.map(|(_, count)| count).sum()
    }

    /// Whether nearly all its blocks end in the one zero that they have, and many have three characters before it: no
    /// numbers and flags are so.
    fn are_short(&self, heap: &Heap, all: u64) -> bool {
        let (mut closed, mut words) = (0, 0);
        let texts = self.short.iter().chain(&self.whole);
        for text in texts.filter(|text| text.bytes > 0 && is_closed(heap, text)) {
            closed += 1;
            words += u64::from(text.bytes >= WORD);
        }
        closed >= FEWEST && closed * SHARE.1 >= all * SHARE.0 && words * LONGER >= all
    }
}

/// What the blocks of a place are.
pub(super) struct Texts {
    pub texts: Vec<BlockText>,
    /// Whether nearly all of them are strings.
    pub are_strings: bool,
}

/// Whether a block was made for its text and the zero behind it.
fn is_closed(heap: &Heap, text: &BlockText) -> bool {
    heap.blocks.requested(text.row) == Some(text.bytes + 1)
}

/// Of the blocks of a place from which all sorts come, as from a wrapper of `malloc`, those that were made for a text each,
/// in many sizes. Objects that begin with a text are not.
fn closed_apart(heap: &Heap, mut texts: Vec<BlockText>) -> Vec<BlockText> {
    texts.retain(|text| is_closed(heap, text));
    let sizes: FxHashSet<u64> = texts.iter().map(|text| text.bytes).collect();
    if (texts.len() as u64) < FEWEST || sizes.len() < SIZES {
        texts.clear();
    }
    texts
}

impl Gathered for Sorted {
    fn append(&mut self, mut other: Self) {
        self.all += other.all;
        self.behind.append(other.behind);
        self.whole.append(&mut other.whole);
        self.begun.append(&mut other.begun);
        self.short.append(&mut other.short);
        self.text_sizes.extend(other.text_sizes);
        for (requested, count) in other.referring {
            *self.referring.entry(requested).or_default() += count;
        }
        for requested in other.sizes {
            self.add_size(requested);
        }
    }
}
