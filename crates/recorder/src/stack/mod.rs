//! Call stacks without frame pointers, at a few nanoseconds a frame.
//!
//! 1. [`cache`]: a stack seen at this stack pointer before is compared word by word with the one there now. When all
//!    its return addresses (and the frame bases it was found by) stand where they stood, it is the same stack.
//! 2. [`walk`]: otherwise each return address says, by its [`rules`], where its caller's return address lies.
//! 3. [`cfi`]: a return address never seen before gets its rule from the object's call frame information.
//!
//! The comparison is exact, not a guess: given the same stack pointer and return address, the unwinding rule of that
//! address says where the next return address lies, and so on by induction. Rules that start at the frame pointer
//! are covered because the frame pointer's saved value is one of the compared words.

mod bounds;
mod cache;
mod cfi;
mod rules;
mod tree;
mod walk;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub use bounds::of_this_thread as bounds;
pub use cache::Cache;
pub use cfi::prepare;
pub use rules::forget as forget_rules;
pub use tree::TREE;

use crate::thread::{Thread, find_stack};

/// The most frames of one stack.
pub const MOST_FRAMES: usize = 32;

static DEPTH: AtomicUsize = AtomicUsize::new(24);

/// Sets how many frames are recorded, 1 to [`MOST_FRAMES`].
pub fn set_depth(frames: usize) {
    DEPTH.store(frames.clamp(1, MOST_FRAMES), Relaxed);
}

/// How many frames are recorded.
pub fn depth() -> usize {
    DEPTH.load(Relaxed)
}

/// Registers of the program where it called an allocation function.
#[derive(Clone, Copy)]
pub struct Caller {
    /// The stack pointer at the function's first instruction.
    pub stack_pointer: usize,
    /// The frame pointer register, whatever the program uses it for.
    pub frame_pointer: usize,
    /// Where the function returns to.
    pub return_address: usize,
}

/// The stack that led here, as a node of [`TREE`].
#[inline]
pub fn identify(caller: Caller, thread: &mut Thread) -> u32 {
    // SAFETY: the cache is this thread's own; its guard is set, so that no signal handler is in here too.
    if let Some(cache) = unsafe { thread.cache.as_ref() } {
        // SAFETY: the words compared lie between the stack pointer and an address that was on this stack when the
        // same stack pointer was seen, so they are on it now; for fibers, whose stacks come and go, that is looked at.
        if let Some(stack) = unsafe { cache.find(caller) } {
            return stack;
        }
    }
    unseen(caller, thread)
}

#[cold]
#[inline(never)]
fn unseen(caller: Caller, thread: &mut Thread) -> u32 {
    if thread.known == 0 {
        find_stack(thread);
        thread.cache = Cache::new();
        if !thread.cache.is_null() {
            crate::memory::keeping_errno(|| crate::thread::watch_end(thread.cache));
        }
    }
    let mut walk = walk::Walk::new();
    let foreign = !(thread.stack_low..thread.stack_high).contains(&caller.stack_pointer);
    // On a stack of its own making (a coroutine's) mostly nothing says where it ends: only the direct caller is taken.
    // Of fibers the collector knows it.
    let (end, frames, known) = if !foreign {
        (thread.stack_high, depth(), true)
    } else if let Some(end) = crate::gc::fiber_end(caller.stack_pointer) {
        (end, depth(), true)
    } else {
        (thread.stack_high, 1, false)
    };
    walk.run(caller, end, frames);
    let (stack, whole) = TREE.intern(walk.addresses());
    if !whole {
        crate::counts::LOST_STACKS.fetch_add(1, Relaxed);
    } else if known && let Some(cache) = std::ptr::NonNull::new(thread.cache) {
        // SAFETY: the cache is this thread's own, and its guard is set.
        unsafe { (*cache.as_ptr()).put(caller, &walk, stack, foreign) };
    }
    stack
}
