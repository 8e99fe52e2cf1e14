//! Raw blocks that are strings: text from the first byte on, at places of allocation where nearly all blocks are such.

use std::hash::{BuildHasher, RandomState};

use deadweight_heap::{Heap, ObjectId, beginning};
use memchr::memchr;
use rustc_hash::{FxHashMap, FxHashSet};
use siphasher::sip128::SipHasher13;

use crate::gather::{Gathered, gather};
use crate::lengths::known_lengths;
use crate::place::Place;

/// Shorter text may be a number or the beginning of something else, unless it stands among strings.
const SHORTEST: usize = 8;

/// Longer blocks are files and buffers, which are compared as a whole.
const LARGEST: u64 = 64 << 10;

/// Nine in ten blocks of a place must be text…
const SHARE: (u64, u64) = (9, 10);

/// … where shorter ones count neither way, if at least one in so many is longer.
const LONGER: u64 = 4;

/// Blocks of so many sizes are no objects of one form.
const SIZES: usize = 4;

/// Fewer blocks prove nothing.
const FEWEST: u64 = 16;

/// A string in a block of its own.
#[derive(Clone, Copy, Debug)]
pub struct BlockText {
    /// The block.
    pub row: ObjectId,
    /// Stands for the text: equal for equal ones.
    pub text: u128,
    /// Bytes of the text.
    pub bytes: u64,
}

impl BlockText {
    /// Its beginning, on one line.
    #[must_use]
    pub fn shown(&self, heap: &Heap) -> String {
        const LIMIT: usize = 60;
        let content = heap.blocks.content(self.row).unwrap_or_default();
        let text = String::from_utf8_lossy(&content[..content.len().min(self.bytes as usize)]);
        beginning(&text, LIMIT)
    }
}

/// The strings of a heap.
#[derive(Debug, Default)]
pub struct BlockTexts {
    /// Those of each place of allocation, both in the order of rows.
    pub places: Vec<(Place, Vec<BlockText>)>,
    /// Blocks that begin with a text of which nobody says where it ends, at places of nothing else: they are not compared.
    pub uncompared: u64,
}

/// Looks for strings in all blocks of the program. Nothing is found where the dump has no contents.
#[must_use]
pub fn block_texts(heap: &Heap) -> BlockTexts {
    if !heap.blocks.any() {
        return BlockTexts::default();
    }
    // With a key of its own in every run, no program can make different texts equal.
    let key = || RandomState::new().hash_one(());
    let hasher = SipHasher13::new_with_keys(key(), key());
    let of_site = |row| Place::sized(heap, row).filter(|(place, _)| !place.is_type());
    let lengths = known_lengths(heap);
    let places = gather(heap, of_site, |sorted: &mut Sorted, row, requested| {
        sorted.add(heap, row, requested, lengths.get(&row).copied(), &hasher);
    });
    let mut found = BlockTexts::default();
    for (place, sorted) in places {
        let open = sorted.open();
        match sorted.texts() {
            Some(texts) => found.places.push((place, texts)),
            None => found.uncompared += open,
        }
    }
    found.places.sort_unstable_by_key(|(_, texts)| texts[0].row);
    found
}

/// The blocks of one place.
#[derive(Default)]
struct Sorted {
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
}

impl Sorted {
    fn add(&mut self, heap: &Heap, row: ObjectId, requested: u64, length: Option<u64>, hasher: &SipHasher13) {
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
        }
    }

    fn add_size(&mut self, requested: u64) {
        if self.sizes.len() < SIZES && !self.sizes.contains(&requested) {
            self.sizes.push(requested);
        }
    }

    /// How many of its blocks begin with a text that has something behind it, where hardly any does not.
    fn open(&self) -> u64 {
        let begun = self.begun.len() as u64;
        let are_texts = begun + self.whole.len() as u64;
        if begun >= FEWEST && are_texts * SHARE.1 >= self.all * SHARE.0 {
            begun
        } else {
            0
        }
    }

    /// Its strings, when that is what its blocks are.
    fn texts(mut self) -> Option<Vec<BlockText>> {
        if self.sizes.len() >= SIZES {
            self.whole.append(&mut self.begun);
            // Two runs, which the stable sort knows how to put together.
            self.whole.sort_by_key(|text| text.row);
        }
        // A container that grows on the line that makes its strings is another object; one of their size may be the
        // same object with a reference in use.
        let is_container = |(size, _): &(&u64, &u64)| !self.text_sizes.contains(size);
        let containers: u64 = self
            .referring
            .iter()
            .filter(is_container)
            .map(|(_, count)| count)
            .sum();
        let all = self.all - containers;
        let texts = self.whole.len() as u64;
        let longer = all - self.short.len() as u64;
        let are_texts = longer >= FEWEST && texts * SHARE.1 >= longer * SHARE.0 && texts * LONGER >= all;
        if !self.short.is_empty() {
            self.whole.append(&mut self.short);
            self.whole.sort_by_key(|text| text.row);
        }
        are_texts.then_some(self.whole)
    }
}

impl Gathered for Sorted {
    fn append(&mut self, mut other: Self) {
        self.all += other.all;
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

/// How a text stands in its block.
#[derive(Clone, Copy)]
enum Form {
    /// Nothing stands behind it.
    Whole,
    /// Something does.
    Begun,
    /// It is whole, and too short to judge what it is.
    Short,
}

/// The text of a block, from its first byte on.
fn text(
    heap: &Heap,
    row: ObjectId,
    requested: u64,
    length: Option<u64>,
    hasher: &SipHasher13,
) -> Option<(BlockText, Form)> {
    if requested > LARGEST {
        return None;
    }
    let content = heap.blocks.content(row)?;
    // What a longer text left is no part of one whose length is known.
    let length = length.filter(|&length| length > 0);
    let content = match length {
        Some(length) => &content[..content.len().min(length as usize)],
        None => &content[..],
    };
    // Most blocks are no text from their first bytes on.
    let first = content
        .first_chunk::<SHORTEST>()
        .filter(|_| content.len() > SHORTEST);
    if first.is_some_and(|first| !may_begin_text(*first)) {
        return None;
    }
    let end = memchr(0, content).unwrap_or(content.len());
    let (text, rest) = content.split_at(end);
    if !is_text(text) {
        return None;
    }
    // Who says how long it is has no zero in it.
    if length.is_some() && !rest.is_empty() {
        return None;
    }
    let is_whole = rest.iter().fold(0, |any, byte| any | byte) == 0;
    let form = match (is_whole, text.len() >= SHORTEST || length.is_some()) {
        (true, true) => Form::Whole,
        (false, true) => Form::Begun,
        (true, false) if requested <= SHORTEST as u64 => Form::Short,
        (_, false) => return None,
    };
    let text = BlockText {
        row,
        text: hasher.hash(text).into(),
        bytes: text.len() as u64,
    };
    Some((text, form))
}

/// Whether bytes are UTF-8 as people write it.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    // Without a way out of the loop, many bytes are looked at at a time.
    !bytes.iter().fold(false, |any, &byte| any | is_control(byte)) && std::str::from_utf8(bytes).is_ok()
}

fn is_control(byte: u8) -> bool {
    byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r'))
}

fn may_begin_text(bytes: [u8; SHORTEST]) -> bool {
    !bytes.iter().fold(false, |any, &byte| any | is_control(byte))
}
