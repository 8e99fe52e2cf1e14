//! Which stack asked for a block that is alive, for the clone that writes a dump.

use std::sync::atomic::Ordering;

use super::hooks::RECORD;
use super::record::Record;
use super::stacks::{FrameAt, NONE, Stack};
use crate::raw::Address;

/// The record of the process as it was when the clone was made.
#[derive(Clone, Copy)]
pub struct Made(&'static Record);

impl Made {
    /// `None` where nothing is recorded. Only for the clone, in which nothing is recorded any more.
    pub fn of_process() -> Option<Self> {
        // SAFETY: the pointer is null or came from a box that is never dropped; the clone has no other thread.
        unsafe { RECORD.load(Ordering::Relaxed).as_ref() }.map(Self)
    }

    /// Code objects to which the record has a reference of its own.
    pub fn codes(self) -> impl Iterator<Item = Address> {
        self.0.stacks.codes.iter().copied()
    }

    /// Whether a code object is one of these.
    pub fn has_code(self, code: Address) -> bool {
        self.0.stacks.codes.contains(&code)
    }

    /// The number of the stack that made the object of a block; 0 where nobody saw it. `is_reused` says that the block may have
    /// come from a free list of the interpreter.
    pub fn stack(self, block: Address, is_reused: bool) -> u32 {
        if self.0.sampled.is_some() || is_reused && self.0.reused.is_none() {
            return NONE;
        }
        self.0.stack_of(block)
    }

    pub fn frames(self) -> &'static [FrameAt] {
        &self.0.stacks.frames
    }

    /// All stacks by their numbers. That of number 0 is of no stack.
    pub fn stacks(self) -> &'static [Stack] {
        &self.0.stacks.all
    }
}
