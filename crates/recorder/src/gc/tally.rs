//! What dead blocks add up to, by who made them and by their first word.

use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};

use super::real;
use crate::spin::SpinLock;
use crate::table::Block;

/// So many different first words of one stack are told apart. A stack that makes objects has one or two types; what
/// stands first in buffers differs, and means nothing.
pub const WORDS: usize = 4;

/// Sums of blocks.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    /// Blocks.
    pub count: u64,
    /// Bytes the program asked for.
    pub requested: u64,
    /// Bytes the collector set aside for them, those they moved away from included.
    pub bytes: u64,
    /// Bytes that are set aside for them now.
    pub held: u64,
    /// Bytes set aside for the largest.
    pub largest: u64,
    /// Blocks in which nothing stands behind the first word.
    pub blank: u64,
    /// Bytes set aside for those.
    pub blank_bytes: u64,
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.requested += other.requested;
        self.bytes += other.bytes;
        self.held += other.held;
        self.largest = self.largest.max(other.largest);
        self.blank += other.blank;
        self.blank_bytes += other.blank_bytes;
    }
}

/// What one stack made.
#[derive(Clone, Copy, Default)]
pub struct Allocated {
    /// By first word, as far as there is room.
    pub words: [Option<(u32, Tally)>; WORDS],
    /// The others.
    pub other: Tally,
}

impl Allocated {
    /// Adds one block.
    pub fn add(&mut self, seen: &Seen) {
        let free = |place: &&mut Option<(u32, Tally)>| place.is_none_or(|(word, _)| word == seen.word);
        match self.words.iter_mut().find(free) {
            Some(place) => place
                .get_or_insert((seen.word, Tally::default()))
                .1
                .add(&seen.tally),
            None => self.other.add(&seen.tally),
        }
    }
}

/// What one block turned out to be.
pub struct Seen {
    word: u32,
    tally: Tally,
}

/// Bytes the collector has set aside for a block; 0 when it cannot be asked.
pub fn size(block: *const c_void) -> u64 {
    // SAFETY: a block of the collector that was not given back.
    real::size::get().map_or(0, |size| unsafe { size(block) } as u64)
}

/// Looks at a block of the collector that was not swept yet.
pub fn look(block: &Block) -> Seen {
    let address = block.address as *const u8;
    let held = size(address.cast());
    // SAFETY: the block is the collector's, alive or not swept yet, and so is every byte of its size.
    let (word, is_blank) = unsafe {
        let holds = block.requested.min(held) as usize;
        let word = if holds >= 4 {
            address.cast::<u32>().read_volatile()
        } else {
            0
        };
        (word, nothing_behind(address, holds))
    };
    let blank = u64::from(is_blank);
    let bytes = held + block.sequence;
    Seen {
        word,
        tally: Tally {
            count: 1,
            requested: block.requested,
            bytes,
            held,
            largest: held,
            blank,
            blank_bytes: blank * bytes,
        },
    }
}

/// Whether only zeros stand behind the first word.
///
/// # Safety
/// So many bytes can be read there.
unsafe fn nothing_behind(address: *const u8, bytes: usize) -> bool {
    // SAFETY: the caller's promise.
    let rest = unsafe { std::slice::from_raw_parts(address, bytes) };
    rest.get(4..)
        .is_none_or(|rest| rest.iter().all(|byte| *byte == 0))
}

/// Stacks are numbered without gaps: a number is spread by one multiplication.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }
}

/// Sums by stack.
pub type Sums = HashMap<u32, Allocated, BuildHasherDefault<Spread>>;

/// The dead.
pub struct Dead {
    lock: SpinLock,
    sums: UnsafeCell<Option<Sums>>,
}

// SAFETY: the sums are reached under the lock alone.
unsafe impl Sync for Dead {}

/// All that died so far.
pub static DEAD: Dead = Dead {
    lock: SpinLock::new(),
    sums: UnsafeCell::new(None),
};

impl Dead {
    /// Works on the sums.
    pub fn with<T>(&self, work: impl FnOnce(&mut Sums) -> T) -> T {
        self.lock.lock();
        let result = self.unlocked(work);
        self.lock.unlock();
        result
    }

    /// The same, unless somebody else is at it.
    pub fn try_with<T>(&self, work: impl FnOnce(&mut Sums) -> T) -> Option<T> {
        if !self.lock.try_lock() {
            return None;
        }
        let result = self.unlocked(work);
        self.lock.unlock();
        Some(result)
    }

    fn unlocked<T>(&self, work: impl FnOnce(&mut Sums) -> T) -> T {
        // SAFETY: the lock is held.
        work(unsafe { &mut *self.sums.get() }.get_or_insert_with(Sums::default))
    }
}

/// Counts a block that is given back by the program itself.
pub fn bury(block: &Block) {
    let seen = look(block);
    DEAD.with(|sums| sums.entry(block.stack).or_default().add(&seen));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(word: u32) -> Seen {
        let tally = Tally {
            count: 1,
            bytes: 32,
            largest: 32,
            ..Tally::default()
        };
        Seen { word, tally }
    }

    #[test]
    fn a_few_first_words_are_told_apart() {
        let mut allocated = Allocated::default();
        for word in [7, 7, 1, 2, 3, 4, 5, 7] {
            allocated.add(&seen(word));
        }
        let counts = allocated
            .words
            .map(|word| word.map(|(word, tally)| (word, tally.count)));
        assert_eq!(counts, [Some((7, 3)), Some((1, 1)), Some((2, 1)), Some((3, 1))]);
        assert_eq!((allocated.other.count, allocated.other.bytes), (2, 64));
    }

    #[test]
    fn blank_blocks_hold_nothing_behind_their_first_word() {
        // SAFETY: the length is the slice's own.
        let blank = |bytes: &[u8]| unsafe { nothing_behind(bytes.as_ptr(), bytes.len()) };
        assert!(blank(&[]) && blank(&[1, 2, 3, 4]) && blank(&[9, 0, 0, 0, 0, 0, 0]));
        assert!(!blank(&[0, 0, 0, 0, 0, 1]));
    }
}
