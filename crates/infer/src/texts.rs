//! Raw blocks that are strings: text from the first byte on, or behind a header that says how long it is.

mod behind;
mod form;
mod sorted;
#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, RandomState};

use deadweight_heap::{Heap, ObjectId, TextHeader, beginning};
use siphasher::sip128::SipHasher13;

use crate::gather::gather;
use crate::lengths::known_lengths;
use crate::place::Place;
pub(crate) use form::is_text;
use sorted::{Sorted, Texts};

/// A string in a block of its own.
#[derive(Clone, Copy, Debug)]
pub struct BlockText {
    /// The block.
    pub row: ObjectId,
    /// Stands for the text: equal for equal ones.
    pub text: u128,
    /// Bytes of the text.
    pub bytes: u64,
    /// What stands before the text in its block.
    pub header: Option<TextHeader>,
}

impl BlockText {
    /// Its beginning, on one line.
    #[must_use]
    pub fn shown(&self, heap: &Heap) -> String {
        const LIMIT: usize = 60;
        let content = heap.blocks.content(self.row).unwrap_or_default();
        let start = self.header.map_or(0, |header| usize::from(header.bytes));
        let end = content.len().min(start + self.bytes as usize);
        let text = content.get(start..end).unwrap_or_default();
        // Of wide characters only those of one byte are text.
        let unit = self.header.map_or(1, |header| usize::from(header.unit));
        let text: Vec<u8> = text.iter().step_by(unit).copied().collect();
        match unit {
            1 => beginning(&String::from_utf8_lossy(&text), LIMIT),
            _ => beginning(&text.into_iter().map(char::from).collect::<String>(), LIMIT),
        }
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
        let Texts { texts, are_strings } = sorted.texts(heap, &hasher);
        if !are_strings {
            found.uncompared += open;
        }
        if !texts.is_empty() {
            found.places.push((place, texts));
        }
    }
    found.places.sort_unstable_by_key(|(_, texts)| texts[0].row);
    found
}
