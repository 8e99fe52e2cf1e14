//! Blocks as their allocator sees them: what was asked for, and what stands in it.

use std::borrow::Cow;

use crate::{ObjectId, Stored};

/// What a dump shows of raw blocks.
pub trait Blocks: Send + Sync + std::fmt::Debug {
    /// Whether any row is a block.
    fn any(&self) -> bool;

    /// Bytes the program asked for or, where the dump does not say ([`crate::Coverage::requests`]), bytes that it may
    /// use; `None` when the row is no block of its own.
    fn requested(&self, object: ObjectId) -> Option<u64>;

    /// These bytes as they stood; `None` when the dump does not have them, or when they are too large to be
    /// put together in memory.
    fn content(&self, object: ObjectId) -> Option<Cow<'_, [u8]>>;

    /// The bytes of a row whose type declares its fields, or of an array of numbers, as the dump has them: not always as
    /// they stood in memory.
    fn stored(&self, object: ObjectId) -> Option<Stored<'_>> {
        let _ = object;
        None
    }

    /// Goes over the words of eight bytes that are not zero, in order, with the number of each; `false` when the dump
    /// does not have the contents. Other than [`Self::content`] it needs no room for stretches of zeros.
    fn each_used_word(&self, object: ObjectId, look: &mut dyn FnMut(u64, u64)) -> bool {
        let Some(content) = self.content(object) else {
            return false;
        };
        used_words(0, &content, look);
        true
    }

    /// How many bytes of a block are on pages that nobody ever touched, as far as the dump shows: they are held, but not
    /// resident.
    fn untouched(&self, object: ObjectId) -> u64 {
        let _ = object;
        0
    }

    /// Where a block begins; `None` when the dump does not say.
    fn address(&self, object: ObjectId) -> Option<u64> {
        let _ = object;
        None
    }

    /// The block at or around an address, and how many bytes behind its beginning that is.
    fn locate(&self, address: u64) -> Option<(ObjectId, u64)>;

    /// Whether a word of a block is an address of something the program holds: of a block, or of what is mapped from
    /// a file.
    fn is_address(&self, word: u64) -> bool;

    /// The field at so many bytes behind a block's beginning, as the program's source names it: `children_[]`,
    /// `header.next`. `None` when nobody said.
    fn field(&self, object: ObjectId, offset: u64) -> Option<&str> {
        let _ = (object, offset);
        None
    }
}

/// The words of a stretch that are not zero, numbered from `first` on.
pub fn used_words(first: u64, stretch: &[u8], look: &mut dyn FnMut(u64, u64)) {
    for (index, word) in (first..).zip(stretch.as_chunks::<8>().0) {
        let word = u64::from_le_bytes(*word);
        if word != 0 {
            look(index, word);
        }
    }
}

/// A heap without raw blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBlocks;

impl Blocks for NoBlocks {
    fn any(&self) -> bool {
        false
    }
    fn requested(&self, _: ObjectId) -> Option<u64> {
        None
    }
    fn content(&self, _: ObjectId) -> Option<Cow<'_, [u8]>> {
        None
    }
    fn locate(&self, _: u64) -> Option<(ObjectId, u64)> {
        None
    }
    fn is_address(&self, _: u64) -> bool {
        false
    }
}
