//! From addresses to rows.

use rustc_hash::FxHashMap;

/// Objects stand at multiples of this.
const STEP: u64 = 8;

/// Bytes of the address space that one word covers.
const WORD: u64 = STEP * u64::BITS as u64;

/// Words of one leaf, few enough that a dump whose addresses lie far apart, as only a made-up one's do, costs at most a
/// kilobyte for a row.
const WORDS: usize = 64;

/// Which addresses of a part of the address space are a row's.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    taken: u64,
    /// How many addresses stand in the words before it.
    before: u32,
}

/// The row of each address: leaves of the address space with a bit for each address, so that neighbours are found in one
/// place and little is gone through.
#[derive(Debug)]
pub(super) struct Addresses {
    leaves: FxHashMap<u64, u32>,
    words: Vec<Word>,
    /// In the order of the bits.
    rows: Vec<u32>,
}

impl Addresses {
    pub(super) fn new(addresses: &[u64]) -> Self {
        let mut found = Self {
            leaves: FxHashMap::default(),
            words: Vec::new(),
            rows: Vec::new(),
        };
        let mut last = (u64::MAX, 0);
        for &address in addresses.iter().filter(|&&address| may_be_one(address)) {
            let word = address / WORD;
            let leaf = word / WORDS as u64;
            if leaf != last.0 {
                let words = &mut found.words;
                let at = *found.leaves.entry(leaf).or_insert_with(|| {
                    words.resize(words.len() + WORDS, Word::default());
                    (words.len() / WORDS - 1) as u32
                });
                last = (leaf, at);
            }
            found.words[last.1 as usize * WORDS + word as usize % WORDS].taken |= bit(address);
        }
        let mut before = 0;
        for word in &mut found.words {
            word.before = before;
            before += word.taken.count_ones();
        }
        found.rows = vec![u32::MAX; before as usize];
        for (row, &address) in (0..).zip(addresses) {
            // An address that comes twice is the first row's.
            if let Some(place) = found.place(address)
                && found.rows[place] == u32::MAX
            {
                found.rows[place] = row;
            }
        }
        found
    }

    /// The row at an address.
    pub(super) fn row(&self, address: u64) -> Option<u32> {
        self.place(address).map(|place| self.rows[place])
    }

    /// Where in `rows` the row of an address stands.
    #[inline]
    fn place(&self, address: u64) -> Option<usize> {
        let word = address / WORD;
        let leaf = *self.leaves.get(&(word / WORDS as u64))?;
        let word = self.words[leaf as usize * WORDS + word as usize % WORDS];
        let before = word.taken & (bit(address) - 1);
        let is_taken = word.taken & bit(address) != 0 && may_be_one(address);
        is_taken.then_some((word.before + before.count_ones()) as usize)
    }
}

/// Whether an object can have the address.
fn may_be_one(address: u64) -> bool {
    address != 0 && address.is_multiple_of(STEP)
}

/// The bit of an address in its word.
fn bit(address: u64) -> u64 {
    1 << (address / STEP % u64::from(u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_of_an_address_is_found() {
        let addresses = Addresses::new(&[0x7000, 0, 0x7028, 0x7028, 0xffff_ffff_ffff_fff8, 0x7001]);
        assert_eq!(addresses.row(0x7000), Some(0));
        assert_eq!(addresses.row(0x7028), Some(2));
        assert_eq!(addresses.row(0xffff_ffff_ffff_fff8), Some(4));
        for unknown in [0, 0x7001, 0x7008, 0x9000] {
            assert_eq!(addresses.row(unknown), None, "{unknown:x}");
        }
    }
}
