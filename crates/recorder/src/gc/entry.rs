//! The interposed functions of the collector.

use std::ffi::c_void;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};

use super::{collection, is_on, is_pending, real, tally, write_pending};
use crate::TABLE;
use crate::entry::{caller, entry};
use crate::stack::{Caller, identify};
use crate::table::Block;
use crate::thread::{INSIDE, Thread, current};

entry!("GC_malloc", gc_malloc(_size: usize) -> *mut c_void, 1, malloc_from);
entry!("GC_malloc_atomic", gc_malloc_atomic(_size: usize) -> *mut c_void, 1, malloc_atomic_from);
entry!("GC_malloc_uncollectable", gc_malloc_uncollectable(_size: usize) -> *mut c_void, 1, uncollectable_from);
entry!("GC_malloc_atomic_uncollectable", gc_malloc_atomic_uncollectable(_size: usize) -> *mut c_void, 1, atomic_uncollectable_from);
entry!("GC_malloc_ignore_off_page", gc_malloc_ignore_off_page(_size: usize) -> *mut c_void, 1, ignore_off_page_from);
entry!("GC_malloc_atomic_ignore_off_page", gc_malloc_atomic_ignore_off_page(_size: usize) -> *mut c_void, 1, atomic_ignore_off_page_from);
entry!("GC_realloc", gc_realloc(_block: *mut c_void, _size: usize) -> *mut c_void, 2, realloc_from);

/// Whether the collector was asked to report its collections.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// The time in which this thread's calls are its recorder's.
struct Inside(*mut Thread);

impl Inside {
    /// Nothing when this thread is inside already, or nothing is recorded.
    #[inline(always)]
    fn enter() -> Option<Self> {
        let thread = current();
        // SAFETY: the thread's own state.
        unsafe {
            if !is_on() || (*thread).guard & INSIDE != 0 {
                return None;
            }
            (*thread).guard |= INSIDE;
        }
        compiler_fence(SeqCst);
        Some(Self(thread))
    }

    #[inline(always)]
    fn stack(&self, caller: Caller) -> u32 {
        // SAFETY: the thread's own state, and the guard keeps its signal handlers out.
        identify(caller, unsafe { &mut *self.0 })
    }
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        compiler_fence(SeqCst);
        // SAFETY: the thread's own state.
        unsafe { (*self.0).guard &= !INSIDE };
    }
}

/// Allocates and records. The guard is not held meanwhile: the collector may run finalizers, which allocate.
#[inline(always)]
fn recorded(
    size: usize,
    caller: Caller,
    function: Option<unsafe extern "C-unwind" fn(usize) -> *mut c_void>,
) -> *mut c_void {
    let Some(function) = function else {
        return std::ptr::null_mut();
    };
    // SAFETY: the real function with the program's own argument.
    let block = unsafe { function(size) };
    if !block.is_null()
        && let Some(inside) = Inside::enter()
    {
        if !WATCHED.load(Relaxed) && !WATCHED.swap(true, Relaxed) {
            collection::watch();
        }
        let stack = inside.stack(caller);
        TABLE.insert(made(block, size, stack, 0), false);
        drop(inside);
        if is_pending() {
            write_pending();
        }
    }
    block
}

/// A block for the table, which in place of its order has the bytes of the blocks it moved away from.
fn made(block: *mut c_void, size: usize, stack: u32, left: u64) -> Block {
    Block {
        address: block as u64,
        requested: size as u64,
        stack,
        sequence: left,
    }
}

macro_rules! allocating {
    ($($from:ident: $real:ident;)*) => {
        $(
            unsafe extern "C-unwind" fn $from(size: usize, sp: usize, fp: usize, ra: usize) -> *mut c_void {
                recorded(size, caller(sp, fp, ra), real::$real::get())
            }
        )*
    };
}

allocating! {
    malloc_from: malloc;
    malloc_atomic_from: malloc_atomic;
    uncollectable_from: malloc_uncollectable;
    atomic_uncollectable_from: malloc_atomic_uncollectable;
    ignore_off_page_from: malloc_ignore_off_page;
    atomic_ignore_off_page_from: malloc_atomic_ignore_off_page;
}

/// A block that changes its size stays the same block, made where it was first made. When it has to move, the collector
/// makes another one, which is charged besides.
unsafe extern "C-unwind" fn realloc_from(
    block: *mut c_void,
    size: usize,
    sp: usize,
    fp: usize,
    ra: usize,
) -> *mut c_void {
    let Some(realloc) = real::realloc::get() else {
        return std::ptr::null_mut();
    };
    let Some(inside) = Inside::enter() else {
        // SAFETY: the real function with the program's own arguments.
        return unsafe { realloc(block, size) };
    };
    // Forgotten first: while it is moved, a collection may find its old place dead.
    let before = (!block.is_null())
        .then(|| TABLE.remove(block as u64, false))
        .flatten();
    if size == 0
        && let Some(before) = before
    {
        tally::bury(&before);
    }
    let bytes = before.map_or(0, |_| tally::size(block));
    // SAFETY: the real function with the program's own arguments.
    let moved = unsafe { realloc(block, size) };
    if !moved.is_null() {
        let (stack, left) = match before {
            Some(before) if moved == block => (before.stack, before.sequence),
            Some(before) => (before.stack, before.sequence + bytes),
            None => (inside.stack(caller(sp, fp, ra)), 0),
        };
        TABLE.insert(made(moved, size, stack, left), false);
    } else if size > 0
        && let Some(before) = before
    {
        TABLE.insert(before, false);
    }
    moved
}

#[cfg_attr(not(test), unsafe(export_name = "GC_free"))]
unsafe extern "C-unwind" fn gc_free(block: *mut c_void) {
    let Some(free) = real::free::get() else { return };
    if !block.is_null()
        && let Some(_inside) = Inside::enter()
        && let Some(freed) = TABLE.remove(block as u64, false)
    {
        tally::bury(&freed);
    }
    // SAFETY: the real function with the program's own argument.
    unsafe { free(block) };
}
