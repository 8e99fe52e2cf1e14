//! What stands in each word of records, beside what usually does.

use rayon::prelude::*;

/// Words belong to one field when of the uses of the rarer one so many are of both: (seven, in eight).
const TOGETHER: (usize, usize) = (7, 8);

/// Rust marks a missing `String` or `Vec` by a capacity that none has.
pub(super) const NONE_OF_RUST: u64 = 1 << 63;

/// What stands in a word of most records where nothing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usual {
    Zero,
    NoneOfRust,
    /// A reference to so many bytes from the record's own beginning: a text of C++ that is empty or short.
    Own(u64),
}

/// In which records each word holds other than it usually does.
pub(super) struct Uses {
    records: usize,
    usual: Vec<Usual>,
    counts: Vec<usize>,
    /// Records that use a word and the last one before it that any record uses.
    with_before: Vec<usize>,
}

impl Uses {
    pub fn of(contents: &[impl AsRef<[u8]> + Sync], addresses: &[u64]) -> Self {
        let words = contents.first().map_or(0, |first| first.as_ref().len() / 8);
        let usual: Vec<Usual> = (0..words)
            .into_par_iter()
            .map(|word| usual(contents, addresses, word))
            .collect();
        let counts = in_pieces(contents, addresses, &usual, |used, counts| {
            counts
                .iter_mut()
                .zip(used)
                .for_each(|(count, &used)| *count += usize::from(used));
        });
        let ever: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
        let with_before = in_pieces(contents, addresses, &usual, |used, counts| {
            let mut before = false;
            for (word, &used) in used.iter().enumerate().filter(|&(word, _)| ever[word]) {
                counts[word] += usize::from(used && before);
                before = used;
            }
        });
        Self {
            records: contents.len(),
            usual,
            counts,
            with_before,
        }
    }

    pub fn records(&self) -> usize {
        self.records
    }

    pub fn words(&self) -> usize {
        self.usual.len()
    }

    pub fn usual(&self, word: usize) -> Usual {
        self.usual[word]
    }

    /// Records that use a word.
    pub fn count(&self, word: usize) -> usize {
        self.counts[word]
    }

    /// Whether a word is in use together with those before it in a field. One that nobody uses is their end, unless it
    /// is the place of a text of which none is long: that begins a field.
    pub fn belongs_to(&self, word: usize, field: &std::ops::Range<usize>) -> bool {
        if self.counts[word] == 0 {
            return !matches!(self.usual[word], Usual::Own(_));
        }
        let counts = field.clone().rev().map(|word| self.counts[word]);
        match counts.into_iter().find(|&count| count > 0) {
            Some(before) => {
                let rarer = self.counts[word].min(before);
                self.with_before[word] * TOGETHER.1 >= rarer * TOGETHER.0
            }
            None => matches!(self.usual[word - 1], Usual::Own(_)),
        }
    }

    /// Whether a field is nothing but the place of a text whose length others use: a text that is in use.
    pub fn is_of_text(&self, words: &std::ops::Range<usize>) -> bool {
        matches!(self.usual[words.end - 1], Usual::Own(_))
    }

    /// Whether words are the end of an array within the record that is filled from its beginning on: each is in use less
    /// often than the one before it, down to less than half.
    pub fn is_tail(&self, words: &std::ops::Range<usize>) -> bool {
        let counts = &self.counts[words.clone()];
        let falls = counts.windows(2).all(|pair| pair[1] <= pair[0]);
        let last = counts.iter().rev().copied().find(|&count| count > 0).unwrap_or(0);
        let steps = counts
            .windows(2)
            .filter(|pair| pair[1] < pair[0] && pair[1] > 0)
            .count();
        falls && steps >= 2 && last * 2 < counts[0]
    }
}

/// Sums over all records of what `see` adds for each, which is given the words that it uses.
fn in_pieces(
    contents: &[impl AsRef<[u8]> + Sync],
    addresses: &[u64],
    usual: &[Usual],
    see: impl Fn(&[bool], &mut [usize]) + Sync,
) -> Vec<usize> {
    const PIECE: usize = 4096;
    let pieces = contents.par_chunks(PIECE).zip(addresses.par_chunks(PIECE));
    let sums = pieces.map(|(contents, addresses)| {
        let (mut sums, mut used) = (vec![0; usual.len()], vec![false; usual.len()]);
        for (content, &address) in contents.iter().zip(addresses) {
            for (word, (used, &usual)) in used.iter_mut().zip(usual).enumerate() {
                *used = is_used(content.as_ref(), address, word, usual);
            }
            see(&used, &mut sums);
        }
        sums
    });
    sums.reduce(
        || vec![0; usual.len()],
        |mut all, more| {
            all.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            all
        },
    )
}

/// Whether what stands at a word goes on from the word before it, as a text does: that has no zero byte where this is in use,
/// and has one elsewhere.
pub(super) fn goes_on(contents: &[impl AsRef<[u8]>], word: usize) -> bool {
    let Some(before) = word.checked_sub(1) else {
        return false;
    };
    // Records, and those of them in which the word before is full: with the word in use, and without.
    let (mut used, mut free) = ((0, 0), (0, 0));
    for content in contents.iter().map(AsRef::as_ref) {
        let is_full = word_at(content, before)
            .to_le_bytes()
            .iter()
            .all(|&byte| byte != 0);
        let count = if word_at(content, word) == 0 {
            &mut free
        } else {
            &mut used
        };
        *count = (count.0 + 1, count.1 + usize::from(is_full));
    }
    used.1 * 10 >= used.0 * 9 && free.1 * 2 <= free.0
}

/// Whether a word of a record holds other than it usually does.
pub(super) fn is_used(content: &[u8], address: u64, word: usize, usual: Usual) -> bool {
    let value = word_at(content, word);
    match usual {
        Usual::Zero => value != 0,
        Usual::NoneOfRust => value != NONE_OF_RUST,
        Usual::Own(offset) => value.wrapping_sub(address) != offset,
    }
}

/// What half of the records or more have at a word and may stand for nothing; zero where there is no such value.
fn usual(contents: &[impl AsRef<[u8]>], addresses: &[u64], word: usize) -> Usual {
    let sort = |content: &[u8], address: u64| {
        let value = word_at(content, word);
        let offset = value.wrapping_sub(address);
        if value == NONE_OF_RUST {
            Usual::NoneOfRust
        } else if address != 0 && offset > 0 && offset < content.len() as u64 {
            Usual::Own(offset)
        } else {
            Usual::Zero
        }
    };
    // Whoever has half of all wins when each other takes one away.
    let (mut winner, mut lead) = (Usual::Zero, 0_usize);
    for (content, &address) in contents.iter().zip(addresses) {
        let next = sort(content.as_ref(), address);
        if lead == 0 {
            (winner, lead) = (next, 1);
        } else if next == winner {
            lead += 1;
        } else {
            lead -= 1;
        }
    }
    winner
}

fn word_at(content: &[u8], word: usize) -> u64 {
    let bytes = content.as_chunks::<8>().0.get(word);
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
