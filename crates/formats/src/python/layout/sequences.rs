//! Lists, tuples, deques and arrays of numbers.

use deadweight_heap::Allocator;

use super::{COLLECTED, PythonLayout, SIZED, WORD};

/// Entries of a block of a deque (`BLOCKLEN`), and where the first entry goes (`CENTER`): half of a block is before it.
const DEQUE_BLOCK: u64 = 64;
const DEQUE_FIRST: u64 = 32;

impl PythonLayout {
    /// Room of a list to which so many were appended one by one (`list_resize`).
    #[must_use]
    pub fn appended(count: u64) -> u64 {
        let mut room = 0_u64;
        while room < count {
            let needed = room + 1;
            room = (needed + needed / 8 + 6) & !3;
        }
        room
    }
}

impl<A: Allocator> PythonLayout<A> {
    /// A `tuple`; all empty ones are one object.
    #[must_use]
    pub fn tuple(&self, count: u64) -> u64 {
        if count == 0 {
            return 0;
        }
        self.charge(&[self
            .tuple_without_items()
            .saturating_add(WORD.saturating_mul(count))])
    }

    /// Since 3.14 a tuple keeps its hash (`ob_hash`).
    pub(super) fn tuple_without_items(&self) -> u64 {
        let hash = if self.minor >= 14 { WORD } else { 0 };
        COLLECTED + SIZED + hash
    }

    /// A named tuple, or an instance of another class that is based on `tuple`: it has one place more (`PyType_GenericAlloc`).
    #[must_use]
    pub fn named_tuple(&self, count: u64) -> u64 {
        self.charge(&[(self.tuple_without_items() + WORD).saturating_add(WORD.saturating_mul(count))])
    }

    /// A `list` with room for exactly so many, as slices and `sorted` make it.
    #[must_use]
    pub fn list(&self, room: u64) -> u64 {
        self.charge(&[COLLECTED + SIZED + 2 * WORD, WORD.saturating_mul(room)])
    }

    /// A `deque` to which so many were appended. Since 3.11 it keeps up to 16 free blocks of its own.
    #[must_use]
    pub fn deque(&self, count: u64) -> u64 {
        let free = if self.minor >= 11 { 16 * WORD + WORD } else { 0 };
        // Two blocks, two places in these, a state, the longest it may get, and a reference for weak ones.
        let object = COLLECTED + SIZED + 7 * WORD + free;
        let beyond = count.saturating_sub(DEQUE_FIRST).div_ceil(DEQUE_BLOCK);
        let block = self.charge(&[(2 + DEQUE_BLOCK) * WORD]);
        self.charge(&[object]) + block.saturating_mul(1 + beyond)
    }

    /// An `array.array` made of so many numbers. Since 3.10 the collector looks at it.
    #[must_use]
    pub fn numbers(&self, each: u64, count: u64) -> u64 {
        let collected = if self.minor >= 10 { COLLECTED } else { 0 };
        // The items, the room, what they are, weak references, and how many views there are.
        let object = collected + SIZED + 5 * WORD;
        self.charge(&[object, each.saturating_mul(count)])
    }
}
