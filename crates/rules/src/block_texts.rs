//! Raw blocks that are strings: text from the first byte on, at places of allocation where nearly all blocks are such.

use std::hash::{BuildHasher, RandomState};

use deadweight_heap::{Heap, ObjectId};
use memchr::memchr;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use siphasher::sip128::SipHasher13;

use crate::block_groups::Place;

/// Shorter text may be a number or the beginning of something else.
const SHORTEST: usize = 8;

/// Longer blocks are files and buffers, which are compared as a whole.
const LARGEST: u64 = 64 << 10;

/// Nine in ten blocks of a place must be text.
const SHARE: (u64, u64) = (9, 10);

/// Blocks of so many sizes are no objects of one form.
const SIZES: usize = 4;

/// Fewer blocks prove nothing.
const FEWEST: u64 = 16;

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 14;

/// A string in a block of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockText {
    pub row: ObjectId,
    /// Stands for the text: equal for equal ones.
    pub text: u128,
    /// Bytes of the text.
    pub bytes: u64,
}

/// The strings of each place, both in the order of rows. Empty where the dump has no contents.
pub(crate) fn block_texts(heap: &Heap) -> Vec<(Place, Vec<BlockText>)> {
    if !heap.blocks.any() {
        return Vec::new();
    }
    // With a key of its own in every run, no program can make different texts equal.
    let key = || RandomState::new().hash_one(());
    let hasher = SipHasher13::new_with_keys(key(), key());
    let rows = heap.objects.len();
    let pieces: Vec<FxHashMap<Place, Sorted>> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut places: FxHashMap<Place, Sorted> = FxHashMap::default();
            for row in (piece * PIECE..((piece + 1) * PIECE).min(rows)).map(|row| row as ObjectId) {
                let place = Place::of(heap, row).filter(|place| matches!(place, Place::Site(_)));
                if let (Some(place), Some(requested)) = (place, heap.blocks.requested(row)) {
                    let look = look(heap, row, requested, &hasher);
                    places.entry(place).or_default().add(requested, look);
                }
            }
            places
        })
        .collect();
    let mut places: FxHashMap<Place, Sorted> = FxHashMap::default();
    for (place, sorted) in pieces.into_iter().flatten() {
        places.entry(place).or_default().append(sorted);
    }
    let mut found: Vec<(Place, Vec<BlockText>)> = places
        .into_iter()
        .filter_map(|(place, sorted)| Some((place, sorted.texts()?)))
        .collect();
    found.sort_unstable_by_key(|(_, texts)| texts[0].row);
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
    sizes: Vec<u64>,
}

impl Sorted {
    fn add(&mut self, requested: u64, look: Option<Look>) {
        self.all += 1;
        if self.sizes.len() < SIZES && !self.sizes.contains(&requested) {
            self.sizes.push(requested);
        }
        match look {
            Some(Look { text, is_whole: true }) => self.whole.push(text),
            Some(Look {
                text,
                is_whole: false,
            }) => self.begun.push(text),
            None => {}
        }
    }

    /// Adds blocks that come after these.
    fn append(&mut self, mut other: Self) {
        self.all += other.all;
        self.whole.append(&mut other.whole);
        self.begun.append(&mut other.begun);
        for requested in other.sizes {
            if self.sizes.len() < SIZES && !self.sizes.contains(&requested) {
                self.sizes.push(requested);
            }
        }
    }

    /// Its strings, when that is what its blocks are.
    fn texts(mut self) -> Option<Vec<BlockText>> {
        if self.sizes.len() >= SIZES {
            self.whole.append(&mut self.begun);
            // Two runs, which the stable sort knows how to put together.
            self.whole.sort_by_key(|text| text.row);
        }
        let are_texts = self.all >= FEWEST && self.whole.len() as u64 * SHARE.1 >= self.all * SHARE.0;
        are_texts.then_some(self.whole)
    }
}

/// A block that begins with a text.
#[derive(Clone, Copy)]
struct Look {
    text: BlockText,
    /// Whether nothing stands behind it.
    is_whole: bool,
}

fn look(heap: &Heap, row: ObjectId, requested: u64, hasher: &SipHasher13) -> Option<Look> {
    if requested < SHORTEST as u64 || requested > LARGEST || heap.edges.of(row).next().is_some() {
        return None;
    }
    let content = heap.blocks.content(row)?;
    // Most blocks are no text from their first bytes on.
    if !content
        .first_chunk::<SHORTEST>()
        .copied()
        .is_some_and(may_begin_text)
    {
        return None;
    }
    let end = memchr(0, &content).unwrap_or(content.len());
    let (text, rest) = content.split_at(end);
    if !is_text(text) {
        return None;
    }
    let text = BlockText {
        row,
        text: hasher.hash(text).into(),
        bytes: text.len() as u64,
    };
    Some(Look {
        text,
        is_whole: rest.iter().fold(0, |any, byte| any | byte) == 0,
    })
}

/// Whether bytes are UTF-8 as people write it.
fn is_text(bytes: &[u8]) -> bool {
    // Without a way out of the loop, many bytes are looked at at a time.
    !bytes.iter().fold(false, |any, &byte| any | is_control(byte)) && std::str::from_utf8(bytes).is_ok()
}

fn is_control(byte: u8) -> bool {
    byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r'))
}

fn may_begin_text(bytes: [u8; SHORTEST]) -> bool {
    !bytes.iter().fold(false, |any, &byte| any | is_control(byte))
}
