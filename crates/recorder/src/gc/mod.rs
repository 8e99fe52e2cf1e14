//! Programs that allocate through the Boehm collector (`libgc`), as Crystal's do: what they make, by who makes it.
//!
//! Each block made is kept in the table of live blocks until the collector finds it dead. It says so by an event at
//! the end of marking, when the world stands still and nothing is swept yet: what stands in dead blocks can still be
//! read. There they are added up by stack and by their first word, which is the type of an object of Crystal.
//!
//! The record is written at the program's end, after one more collection, so that what is left in the table is what
//! is alive. It is in `docs/formats/churn.md`.

mod collection;
mod entry;
mod real;
mod tally;
mod write;

use std::ffi::c_void;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed},
};

use crate::table::Block;
use crate::thread::{INSIDE, OWNS_LOCKS, current};
use crate::{TABLE, memory, settings};

static ON: AtomicBool = AtomicBool::new(false);
/// Asked for by a signal; written by the next allocation, because nothing may be collected in a signal handler.
static PENDING: AtomicBool = AtomicBool::new(false);
static EXIT_WRITTEN: AtomicBool = AtomicBool::new(false);
/// Where the collector keeps the end of the stack that runs: Crystal sets it when it changes from fiber to fiber.
static STACK_BOTTOM: AtomicUsize = AtomicUsize::new(0);

/// Stacks of fibers are no larger than this, in bytes.
const LARGEST_FIBER: usize = 64 << 20;

/// Whether the program is one of Crystal's, or uses the collector and is to record what it makes.
pub fn is_wanted() -> bool {
    let churn = std::env::var("DEADWEIGHT_CHURN_BYTES").is_ok_and(|bytes| !matches!(&*bytes, "" | "0"));
    real::resolve() && (is_crystal() || churn)
}

/// Begins to record. Nothing else is recorded any more.
pub fn begin() {
    STACK_BOTTOM.store(symbol(c"GC_stackbottom") as usize, Relaxed);
    forget_others();
    ON.store(true, Relaxed);
}

/// Empties the table of what was allocated otherwise before the program began.
fn forget_others() {
    let mut others: Vec<u64> = Vec::new();
    let visit = |blocks: &[Block]| -> Result<(), ()> {
        others.extend(blocks.iter().map(|block| block.address));
        Ok(())
    };
    let _ = TABLE.for_each_region(visit);
    for address in others {
        TABLE.remove(address, false);
    }
}

fn symbol(name: &std::ffi::CStr) -> *mut c_void {
    // SAFETY: a lookup by name.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// Whether the program was made by Crystal's compiler, which exports its functions.
fn is_crystal() -> bool {
    !symbol(c"__crystal_malloc64").is_null() || !symbol(c"__crystal_malloc").is_null()
}

/// Whether blocks of the collector are recorded.
#[inline]
pub fn is_on() -> bool {
    ON.load(Relaxed)
}

/// Stops for good: a forked child goes on with its parent's blocks, which are not its own.
pub fn stop() {
    ON.store(false, Relaxed);
}

/// Where the stack of the fiber ends on which `stack_pointer` lies; nothing when it lies on none that is known.
#[inline]
pub fn fiber_end(stack_pointer: usize) -> Option<usize> {
    let place = STACK_BOTTOM.load(Relaxed) as *const usize;
    if place.is_null() {
        return None;
    }
    // SAFETY: a variable of the collector, which lives as long as it.
    let bottom = unsafe { place.read_volatile() };
    (stack_pointer < bottom && bottom - stack_pointer <= LARGEST_FIBER).then_some(bottom)
}

/// Lets the next allocation write a record.
pub fn ask() {
    PENDING.store(true, Relaxed);
}

#[inline]
fn is_pending() -> bool {
    PENDING.load(Relaxed)
}

#[cold]
fn write_pending() {
    if PENDING.swap(false, AcqRel) {
        memory::keeping_errno(|| record(collection::run()));
    }
}

/// Writes the last record, once, if the program's end was asked for.
pub fn at_exit() {
    let wanted = settings::get().is_some_and(|settings| settings.at_exit);
    if !wanted || EXIT_WRITTEN.swap(true, Acquire) {
        return;
    }
    // A program that ends inside of its allocator cannot be asked to collect.
    // SAFETY: the thread's own state.
    if unsafe { (*current()).guard } & (INSIDE | OWNS_LOCKS) != 0 {
        return;
    }
    record(collection::run());
}

/// Writes a record; a failure leaves none. `survivors`: whether the table holds what is alive and nothing else.
fn record(survivors: bool) {
    let thread = current();
    // SAFETY: the thread's own state.
    unsafe { (*thread).guard |= INSIDE };
    let _ = std::panic::catch_unwind(|| write::record(survivors));
    // SAFETY: as above.
    unsafe { (*thread).guard &= !INSIDE };
}
