//! Which words are zero in the same blocks.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::words;
use crate::splitmix::splitmix;

/// In which blocks a word is not zero: sums of two numbers of 64 bits for each of these blocks. That two words with
/// different blocks have the same sums happens once in 10³⁸ times.
pub type Signature = (u64, u64);

/// The signature of a word that is always zero.
const NEVER: Signature = (0, 0);

/// Blocks that one thread takes at a time.
const PIECE: usize = 4096;

/// Blocks whose contents are asked for before the first of them is looked at.
const AHEAD: usize = 16;

/// The words of blocks of one size.
#[derive(Debug, Default)]
pub struct Clusters {
    /// Both halves of each word's signature, each in a column of its own: so several words are added to at a time.
    first: Vec<u64>,
    second: Vec<u64>,
    /// The signature of a word that is never zero.
    all: Signature,
}

impl Clusters {
    /// Of blocks of one size; `None` when there is none.
    pub fn of(blocks: &[impl AsRef<[u8]> + Sync]) -> Option<Self> {
        let pieces = blocks.par_chunks(PIECE).enumerate();
        let pieces = pieces.map(|(piece, blocks)| {
            let mut found = Self::default();
            for (ahead, blocks) in (piece * PIECE..).step_by(AHEAD).zip(blocks.chunks(AHEAD)) {
                ask_for(blocks);
                for (index, block) in (ahead..).zip(blocks) {
                    found.add(mark(index as u64), block.as_ref());
                }
            }
            found
        });
        // Sums, which are the same in any order.
        let found = pieces.reduce(Self::default, Self::with);
        (found.words() > 0).then_some(found)
    }

    fn add(&mut self, mark: Signature, block: &[u8]) {
        let words = words(block);
        self.make_room(words.len());
        self.all = sum(self.all, mark);
        for ((first, second), word) in self.first.iter_mut().zip(&mut self.second).zip(words) {
            // All bits of the mark, or none, without a branch.
            let bits = u64::from(word != 0).wrapping_neg();
            *first = first.wrapping_add(mark.0 & bits);
            *second = second.wrapping_add(mark.1 & bits);
        }
    }

    fn with(mut self, other: Self) -> Self {
        self.make_room(other.words());
        self.all = sum(self.all, other.all);
        for (own, more) in [(&mut self.first, other.first), (&mut self.second, other.second)] {
            for (sum, more) in own.iter_mut().zip(more) {
                *sum = sum.wrapping_add(more);
            }
        }
        self
    }

    fn make_room(&mut self, words: usize) {
        if self.words() < words {
            self.first.resize(words, 0);
            self.second.resize(words, 0);
        }
    }

    /// Words of a block.
    pub fn words(&self) -> usize {
        self.first.len()
    }

    /// A word's signature; nothing behind the last one.
    pub fn signature(&self, word: usize) -> Option<Signature> {
        Some((*self.first.get(word)?, *self.second.get(word)?))
    }

    /// Whether a word is zero in some blocks and not in others.
    pub fn varies(&self, word: usize) -> bool {
        let signature = self.signature(word);
        signature.is_some_and(|signature| signature != NEVER && signature != self.all)
    }

    /// Whether a word is zero in all blocks.
    pub fn is_never_used(&self, word: usize) -> bool {
        self.signature(word) == Some(NEVER)
    }

    /// The same with some signatures in place of others.
    pub fn with_same(&self, same: &FxHashMap<Signature, Signature>) -> Self {
        let signatures = self.first.iter().copied().zip(self.second.iter().copied());
        let signatures = signatures.map(|signature| same.get(&signature).copied().unwrap_or(signature));
        let (first, second) = signatures.unzip();
        Self {
            first,
            second,
            all: self.all,
        }
    }

    /// Words that vary together, each list ascending, in the order of their first words.
    pub fn varying(&self) -> Vec<Vec<usize>> {
        let mut lists: Vec<Vec<usize>> = Vec::new();
        let mut at: FxHashMap<Signature, usize> = FxHashMap::default();
        for word in (0..self.words()).filter(|&word| self.varies(word)) {
            let signature = (self.first[word], self.second[word]);
            let list = *at.entry(signature).or_insert_with(|| {
                lists.push(Vec::new());
                lists.len() - 1
            });
            lists[list].push(word);
        }
        lists
    }
}

/// Touches blocks that are about to be looked at. They lie apart from each other, so that memory takes long for each; but it
/// finds several at a time where nothing waits for the first.
fn ask_for(blocks: &[impl AsRef<[u8]>]) {
    /// Bytes that memory gives at a time.
    const LINE: usize = 64;
    /// Those behind come without being asked for.
    const LINES: usize = 4;
    let mut any = 0;
    for block in blocks.iter().map(AsRef::as_ref) {
        for line in 0..LINES {
            any |= block.get(line * LINE).copied().unwrap_or(0);
        }
    }
    std::hint::black_box(any);
}

fn sum(a: Signature, b: Signature) -> Signature {
    (a.0.wrapping_add(b.0), a.1.wrapping_add(b.1))
}

/// Two numbers for a block, spread over all bits.
fn mark(block: u64) -> Signature {
    let spread = |seed: u64| splitmix(block.wrapping_add(seed));
    (spread(1), spread(1 << 63))
}
