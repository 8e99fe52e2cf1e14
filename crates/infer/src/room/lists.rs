//! Small blocks that are lists of references, filled from their beginning on, and no objects.

use deadweight_heap::Heap;

use crate::records::FEWEST_UNUSED;

/// What small blocks of one place hold.
#[derive(Default)]
pub(super) struct Lists {
    /// Whether one is anything else.
    pub are_others: bool,
    /// The fewest and the most references of those that have any.
    counts: Option<(usize, usize)>,
    /// Words that none uses at the ends of all.
    unused: Option<usize>,
}

impl Lists {
    /// Looks at a block.
    pub fn see(&mut self, heap: &Heap, content: &[u8]) {
        if self.are_others {
            return;
        }
        let (words, rest) = content.as_chunks::<8>();
        let refers = |word: &[u8; 8]| heap.blocks.is_address(u64::from_le_bytes(*word));
        let count = words.iter().take_while(|word| refers(word)).count();
        let is_list = words[count..].iter().all(|&word| word == [0; 8]) && rest.iter().all(|&byte| byte == 0);
        self.are_others = !is_list || words.is_empty();
        if count > 0 {
            self.add(count, count, words.len() - count);
        }
    }

    /// Whether all are lists. Objects with references alone use their fields in all of them, or here and there: lists have
    /// several lengths, or more room behind them than any object has for what nobody needs.
    pub fn are_lists(&self) -> bool {
        let are_several = self.counts.is_some_and(|(fewest, most)| fewest < most);
        !self.are_others && (are_several || self.unused.is_some_and(|unused| unused >= FEWEST_UNUSED))
    }

    /// Whether none has any reference, nor anything else.
    pub fn are_empty(&self) -> bool {
        !self.are_others && self.counts.is_none()
    }

    pub fn append(&mut self, later: &Self) {
        self.are_others |= later.are_others;
        if let Some((fewest, most)) = later.counts {
            self.add(fewest, most, later.unused.unwrap_or(0));
        }
    }

    fn add(&mut self, fewest: usize, most: usize, unused: usize) {
        self.unused = Some(self.unused.map_or(unused, |known| known.min(unused)));
        let (least, largest) = self.counts.unwrap_or((fewest, most));
        self.counts = Some((least.min(fewest), largest.max(most)));
    }
}
