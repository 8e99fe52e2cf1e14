//! Raw blocks that are strings: text from the first byte on, at places of allocation where nearly all blocks are such.

use std::hash::{BuildHasher, Hasher, RandomState};

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

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
    let hashers = [RandomState::new(), RandomState::new()];
    let looked: Vec<(Place, u64, Option<Look>)> = heap
        .rows()
        .into_par_iter()
        .with_min_len(4096)
        .filter_map(|row| {
            let requested = heap.blocks.requested(row)?;
            let place = Place::of(heap, row).filter(|place| matches!(place, Place::Site(_)))?;
            Some((place, requested, look(heap, row, requested, &hashers)))
        })
        .collect();
    let mut places: FxHashMap<Place, Sorted> = FxHashMap::default();
    for (place, requested, look) in looked {
        places.entry(place).or_default().add(requested, look);
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

    /// Its strings, when that is what its blocks are.
    fn texts(mut self) -> Option<Vec<BlockText>> {
        if self.sizes.len() >= SIZES {
            self.whole.append(&mut self.begun);
            self.whole.sort_unstable_by_key(|text| text.row);
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

fn look(heap: &Heap, row: ObjectId, requested: u64, hashers: &[RandomState; 2]) -> Option<Look> {
    if requested < SHORTEST as u64 || requested > LARGEST || heap.edges.of(row).next().is_some() {
        return None;
    }
    let content = heap.blocks.content(row)?;
    let end = content
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(content.len());
    let (text, rest) = content.split_at(end);
    if text.len() < SHORTEST || !is_text(text) {
        return None;
    }
    let half = |hasher: &RandomState| {
        let mut hasher = hasher.build_hasher();
        hasher.write(text);
        u128::from(hasher.finish())
    };
    let text = BlockText {
        row,
        text: half(&hashers[0]) << 64 | half(&hashers[1]),
        bytes: text.len() as u64,
    };
    Some(Look {
        text,
        is_whole: rest.iter().all(|&byte| byte == 0),
    })
}

/// Whether bytes are UTF-8 as people write it.
fn is_text(bytes: &[u8]) -> bool {
    let is_control = |&byte: &u8| byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r'));
    !bytes.iter().any(is_control) && std::str::from_utf8(bytes).is_ok()
}
