//! The stacks a thread has seen lately.

use std::ptr::{self, NonNull};

use super::Caller;
use super::rules::generation;
use super::walk::Walk;
use crate::memory;

/// Words that one entry compares.
pub const CHECKS: usize = 40;
const ENTRIES: usize = 512;

#[repr(C)]
struct Entry {
    stack_pointer: usize,
    return_address: usize,
    /// The frame pointer register, when `needs_frame_pointer`.
    frame_pointer: usize,
    stack: u32,
    generation: u16,
    checks: u8,
    needs_frame_pointer: bool,
    /// One past the last word that is compared, when the stack is a fiber's; else 0.
    fiber_top: usize,
    /// Bytes above the stack pointer.
    offsets: [u32; CHECKS],
    values: [usize; CHECKS],
}

/// Two-way associative, by stack pointer and return address.
pub struct Cache {
    entries: [Entry; ENTRIES],
}

#[inline]
fn place(caller: Caller) -> usize {
    let key = (caller.stack_pointer as u64 >> 3) ^ (caller.return_address as u64) << 20;
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % ENTRIES
}

impl Entry {
    #[inline]
    unsafe fn holds(&self, caller: Caller, generation: u16) -> bool {
        if self.stack_pointer != caller.stack_pointer
            || self.return_address != caller.return_address
            || self.generation != generation
            || (self.needs_frame_pointer && self.frame_pointer != caller.frame_pointer)
        {
            return false;
        }
        // Another fiber's stack may lie where one ended, and be shorter.
        if self.fiber_top != 0
            && crate::gc::fiber_end(caller.stack_pointer).is_none_or(|end| end < self.fiber_top)
        {
            return false;
        }
        let start = caller.stack_pointer as *const u8;
        let checks = usize::from(self.checks).min(CHECKS);
        self.offsets[..checks]
            .iter()
            .zip(&self.values[..checks])
            .all(|(offset, value)| {
                // SAFETY: the caller vouches that this word is on the stack; the program may hold anything there.
                unsafe { ptr::read_volatile(start.add(*offset as usize).cast::<usize>()) == *value }
            })
    }
}

impl Cache {
    /// An empty cache, or null when there is no memory.
    pub fn new() -> *mut Self {
        memory::map(size_of::<Self>()).map_or(ptr::null_mut(), |start| start.as_ptr().cast())
    }

    /// Gives a cache back.
    ///
    /// # Safety
    /// It came from [`Cache::new`] and is no longer used; null is allowed.
    pub unsafe fn free(cache: *mut Self) {
        if let Some(cache) = NonNull::new(cache) {
            // SAFETY: the caller vouches for it.
            unsafe { memory::unmap(cache.cast(), size_of::<Self>()) };
        }
    }

    /// The stack seen here before, if it is still the same.
    ///
    /// # Safety
    /// The stack pointer is this thread's, and the entries were put for the same stack.
    #[inline]
    pub unsafe fn find(&self, caller: Caller) -> Option<u32> {
        let generation = generation();
        let first = place(caller);
        [first, first ^ 1].into_iter().find_map(|at| {
            let entry = &self.entries[at];
            // SAFETY: passed on to the caller.
            unsafe { entry.holds(caller, generation) }.then_some(entry.stack)
        })
    }

    /// Keeps a stack that was just walked.
    #[cold]
    pub fn put(&mut self, caller: Caller, walk: &Walk, stack: u32, fiber: bool) {
        let Some(checks) = walk.checks() else { return };
        let first = place(caller);
        if self.entries[first].stack_pointer != 0 {
            self.entries.swap(first, first ^ 1);
        }
        let entry = &mut self.entries[first];
        entry.stack_pointer = caller.stack_pointer;
        entry.return_address = caller.return_address;
        entry.frame_pointer = caller.frame_pointer;
        entry.needs_frame_pointer = walk.needs_frame_pointer;
        entry.stack = stack;
        entry.generation = generation();
        let top = checks.iter().map(|(slot, _)| slot + size_of::<usize>()).max();
        entry.fiber_top = if fiber {
            top.unwrap_or(caller.stack_pointer)
        } else {
            0
        };
        entry.checks = checks.len() as u8;
        for (at, (slot, value)) in checks.iter().enumerate() {
            entry.offsets[at] = (slot - caller.stack_pointer) as u32;
            entry.values[at] = *value;
        }
    }
}
