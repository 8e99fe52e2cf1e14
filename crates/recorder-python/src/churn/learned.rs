//! What blocks are that are no objects: told by which call of the allocator in the interpreter's code made them.
//!
//! The items of a list, the table of a set or a dict are blocks without a type. The recorder makes a few lists, sets and
//! dicts when it begins, looks at where these have their blocks, and learns to which address the calls returned that made
//! them. Calls that it has not learned make blocks of unknown type.

use crate::layout::{library, object};
use crate::raw::{Address, word};

/// What a block is before anything of it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// It may be an object.
    Object,
    /// It is no object.
    Unknown,
    ListItems,
    SetTable,
    DictTable,
    Buffer,
    DequeBlock,
}

/// How many there are.
pub const CLASSES: usize = 7;

impl Class {
    /// By its number, as the recorder gives it.
    pub fn of(number: u32) -> Option<Self> {
        [
            Self::ListItems,
            Self::SetTable,
            Self::DictTable,
            Self::Buffer,
            Self::DequeBlock,
        ]
        .into_iter()
        .find(|class| *class as u32 == number)
    }

    /// Name and kind; `None` for what has a type of its own or none.
    pub fn written(self) -> Option<(&'static [u8], &'static str)> {
        Some(match self {
            Self::Object | Self::Unknown => return None,
            Self::ListItems => (b"list items", "array"),
            Self::SetTable => (b"set table", "table"),
            Self::DictTable => (b"dict table", "table"),
            Self::Buffer => (b"bytearray buffer", "buffer"),
            Self::DequeBlock => (b"deque block", "array"),
        })
    }

    /// Where an object has its block of this class.
    ///
    /// # Safety
    /// The address is that of such an object.
    unsafe fn block(self, at: Address) -> Address {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Self::Object | Self::Unknown => 0,
                Self::ListItems => word(at + object::LIST_ITEMS),
                Self::SetTable => word(at + object::SET_TABLE),
                Self::DictTable => word(at + object::DICT_KEYS),
                Self::Buffer => word(at + object::BYTEARRAY_BLOCK),
                Self::DequeBlock => word(at + library::DEQUE_LEFT),
            }
        }
    }
}

/// Calls of the allocators that are kept while something is learned.
const KEPT: usize = 1 << 12;
/// Places in the table of return addresses.
const PLACES: usize = 1 << 9;

#[derive(Default)]
pub struct Learned {
    /// Return addresses with what their calls make.
    known: Vec<(Address, Class)>,
    /// The same by address, open addressing.
    table: Vec<(Address, Class)>,
    /// The last calls: the block, and where the call returned to.
    calls: Vec<(Address, Address)>,
    has_noted: bool,
    pub is_learning: bool,
    /// Whether calls return to who makes the block, and not to a function before the allocator.
    pub is_told: bool,
}

impl Learned {
    /// What a call made that returned there.
    #[inline]
    pub fn class(&self, from: Address) -> Option<Class> {
        let mut place = (from >> 1).wrapping_mul(0x9E37_79B9) >> 7;
        loop {
            let (known, class) = *self.table.get(place % PLACES)?;
            if known == from {
                return Some(class);
            }
            if known == 0 {
                return None;
            }
            place += 1;
        }
    }

    pub fn note(&mut self, block: Address, from: Address) {
        if self.calls.len() == KEPT {
            self.calls.drain(..KEPT / 2);
        }
        self.calls.push((block, from));
        self.has_noted = true;
    }

    /// Whether calls of the allocators arrive here at all.
    pub fn has_noted(&self) -> bool {
        self.has_noted
    }

    /// Where the last call returned to.
    pub fn last_call(&self) -> Address {
        self.calls.last().map_or(0, |&(_, from)| from)
    }

    /// Forgets the calls, and says whether there were any.
    pub fn forget_calls(&mut self) -> bool {
        !std::mem::take(&mut self.calls).is_empty()
    }

    /// Learns which call made the block of an object.
    ///
    /// # Safety
    /// The object has a block of that class.
    pub unsafe fn learn(&mut self, at: Address, class: Class) {
        // SAFETY: the caller's promise.
        let block = unsafe { class.block(at) };
        let call = self.calls.iter().rev().find(|(made, _)| *made == block);
        if let Some(&(_, from)) = call
            && block != 0
            && !self.known.contains(&(from, class))
        {
            self.known.push((from, class));
        }
        self.calls.clear();
    }

    /// Begins to answer. A call that makes several things, as where the compiler left a function of its own before
    /// the allocator, tells nothing.
    pub fn end(&mut self) {
        self.is_learning = false;
        self.calls = Vec::new();
        self.table = vec![(0, Class::Unknown); PLACES];
        if !self.is_told {
            return;
        }
        for &(from, class) in &self.known {
            let is_sole = self.known.iter().all(|&(other, of)| other != from || of == class);
            if !is_sole || self.known.len() > PLACES / 2 {
                continue;
            }
            let mut place = (from >> 1).wrapping_mul(0x9E37_79B9) >> 7;
            while self.table[place % PLACES].0 != 0 && self.table[place % PLACES].0 != from {
                place += 1;
            }
            self.table[place % PLACES] = (from, class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_makes_two_things_tells_nothing() {
        let mut learned = Learned {
            is_told: true,
            known: vec![
                (0x1000, Class::ListItems),
                (0x2000, Class::SetTable),
                (0x2000, Class::DictTable),
            ],
            ..Learned::default()
        };
        learned.end();
        assert_eq!(learned.class(0x1000), Some(Class::ListItems));
        assert_eq!(learned.class(0x2000), None);
        assert_eq!(learned.class(0x3000), None);
    }
}
