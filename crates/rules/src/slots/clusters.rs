//! Which words are zero in the same blocks.

use rustc_hash::FxHashMap;

use super::words;

/// In which blocks a word is not zero: a sum of a number of 128 bits for each of these blocks. That two words with
/// different blocks have one sum happens once in 10³⁸ times.
pub type Signature = u128;

/// The words of blocks of one size.
#[derive(Debug)]
pub struct Clusters {
    /// Each word's signature.
    pub signatures: Vec<Signature>,
    /// The signature of a word that is never zero.
    all: Signature,
}

impl Clusters {
    /// Of blocks of one size; `None` when there is none.
    pub fn of<'b>(blocks: impl Iterator<Item = &'b [u8]>) -> Option<Self> {
        let mut signatures: Vec<Signature> = Vec::new();
        let mut all = 0;
        for (index, block) in blocks.enumerate() {
            let words = words(block);
            signatures.resize(signatures.len().max(words.len()), 0);
            let mark = mark(index as u64);
            all = mark.wrapping_add(all);
            for (signature, word) in signatures.iter_mut().zip(words) {
                *signature = signature.wrapping_add(if word == 0 { 0 } else { mark });
            }
        }
        (!signatures.is_empty()).then_some(Self { signatures, all })
    }

    /// Whether a word is zero in some blocks and not in others.
    pub fn varies(&self, word: usize) -> bool {
        let signature = self.signatures[word];
        signature != 0 && signature != self.all
    }

    /// Words that vary together, each list ascending, in the order of their first words.
    pub fn varying(&self) -> Vec<Vec<usize>> {
        let mut lists: Vec<Vec<usize>> = Vec::new();
        let mut at: FxHashMap<Signature, usize> = FxHashMap::default();
        for word in (0..self.signatures.len()).filter(|&word| self.varies(word)) {
            let list = *at.entry(self.signatures[word]).or_insert_with(|| {
                lists.push(Vec::new());
                lists.len() - 1
            });
            lists[list].push(word);
        }
        lists
    }
}

/// A number for a block, spread over all bits (the finaliser of `SplitMix64`, twice).
fn mark(block: u64) -> u128 {
    let spread = |seed: u64| {
        let mut z = block.wrapping_add(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    u128::from(spread(1)) << 64 | u128::from(spread(1 << 63))
}
