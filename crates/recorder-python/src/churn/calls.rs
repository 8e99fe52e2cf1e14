//! What the recorder calls, holding the interpreter's lock.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::File;
use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use super::beside::Beside;
use super::callers;
use super::charges::Charges;
use super::hooks::{BROKEN, Exchange, RECORD};
use super::learned::Class;
use super::record::Record;
use super::reused;
use super::running::{At, DEPTH, Running};
use super::sampled::{LEFT, SMALL, Sampled};
use super::stacks::{FrameAt, Stacks};
use super::types::Types;
use super::write;
use crate::layout::Layout;
use crate::raw::Address;
use crate::symbols::{Symbols, minor, symbol};

/// What the recorder asks for. `deadweight_recorder_churn.py` has the same structure.
#[repr(C)]
pub struct Wanted {
    /// The frame object of the function that calls.
    frame: Address,
    /// The code object of the function that called that one, and the instruction at which it stands (`f_lasti`).
    code: Address,
    instruction: i32,
    /// 1 when small blocks come from pymalloc's pools.
    has_pools: u32,
    /// Bytes from one sample to the next; 0 when every block is recorded.
    every: u64,
}

/// # Safety
/// The interpreter's lock is held, which makes this the only reference.
unsafe fn recording() -> Option<&'static mut Record> {
    // SAFETY: the pointer is null or came from a box that is never dropped.
    unsafe { RECORD.load(Ordering::Relaxed).as_mut() }
}

/// Puts the hooks before the allocators, which learn from now on; 0 when they are there, 1 where the interpreter lacks a
/// function that is needed, 2 where frames are not where they should be, 3 when the record has begun before.
///
/// # Safety
/// `deadweight_python_check` answered 0, and the interpreter's lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_begin(wanted: *const Wanted) -> c_int {
    // SAFETY: the caller's promise.
    let wanted = unsafe { &*wanted };
    let begun = catch_unwind(|| {
        // SAFETY: as above.
        if unsafe { recording() }.is_some() {
            return 3;
        }
        let (Some(exchange), Some(layout), Ok(symbols), Some(keep)) = (
            Exchange::find(),
            minor().and_then(Layout::of),
            Symbols::find(),
            symbol(c"Py_IncRef"),
        ) else {
            return 1;
        };
        let Some(types) = Types::new(layout) else {
            return 1;
        };
        let Some(running) = Running::find(layout, &symbols, wanted.frame) else {
            return 2;
        };
        let mut stack = [At::default(); DEPTH];
        // SAFETY: the interpreter's lock is held.
        let (depth, _) = unsafe { running.read(&mut stack) };
        let is_caller = |at: &At| at.code == wanted.code && running.offset(*at) == wanted.instruction;
        if depth < 2 || !is_caller(&stack[1]) {
            return 2;
        }
        // SAFETY: the function has this type.
        let keep = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Address)>(keep) };
        let charges = Charges {
            has_pools: wanted.has_pools != 0,
            usable: symbols.usable,
        };
        let is_sampled = wanted.every != 0;
        SMALL.store(if wanted.has_pools == 0 { 0 } else { 512 }, Ordering::Relaxed);
        let sampled = is_sampled.then(|| Sampled::new(wanted.every, seed()));
        let record = Record::new(Stacks::new(running, keep), types, charges, sampled);
        let record = Box::into_raw(Box::new(record));
        // Every call comes to the record while it learns.
        LEFT.store(-1, Ordering::Relaxed);
        // SAFETY: the box was made just now, and is never dropped; as above.
        unsafe {
            (*record).learned.is_learning = true;
            RECORD.store(record, Ordering::Relaxed);
            exchange.install(is_sampled);
            (*record).learned.is_told =
                callers::are_told(|| recording().map_or(0, |record| record.learned.last_call()));
        }
        0
    });
    begun.unwrap_or(1)
}

fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64) ^ u64::from(std::process::id()) << 40
}

/// Learns what made the block of an object: the items of a list (2), the table of a set (3) or of a dict (4), the bytes of
/// a bytearray (5), a block of a deque (6).
///
/// # Safety
/// The object is one of these, and was made after the record began; the interpreter's lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_learn(object: Address, class: u32) {
    // SAFETY: the caller's promise.
    if let (Some(record), Some(class)) = (unsafe { recording() }, Class::of(class)) {
        // SAFETY: as above.
        unsafe { record.learned.learn(object, class) };
    }
}

/// Ends the learning; 1 when calls of the allocators arrived, else 0. The record is paused still.
///
/// # Safety
/// The interpreter's lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_learned() -> c_int {
    // SAFETY: the caller's promise.
    let Some(record) = (unsafe { recording() }) else {
        return 0;
    };
    let arrived = record.learned.has_noted();
    record.learned.end();
    if let Some(sampled) = &mut record.sampled {
        sampled.draw();
    }
    c_int::from(arrived)
}

/// Leaves out (1) or takes in (0) what is made from now on. Deaths are seen all the same.
///
/// # Safety
/// The interpreter's lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_pause(pause: c_int) {
    // SAFETY: the caller's promise.
    if let Some(record) = unsafe { recording() } {
        record.paused = pause != 0 || BROKEN.load(Ordering::Relaxed);
    }
}

/// Forgets what was made until now: a forked child shows of itself alone.
///
/// # Safety
/// The interpreter's lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_forget() {
    // SAFETY: the caller's promise.
    if let Some(record) = unsafe { recording() } {
        record.forget();
    }
}

/// Whether the hooks still hear: 1 when a block that is made now arrives, 0 when the program put back other allocators,
/// -1 when a hook failed.
///
/// # Safety
/// The interpreter's lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_hears() -> c_int {
    type Make = unsafe extern "C" fn(usize) -> *mut c_void;
    type Free = unsafe extern "C" fn(*mut c_void);
    if BROKEN.load(Ordering::Relaxed) {
        return -1;
    }
    let (Some(make), Some(free)) = (symbol(c"PyObject_Malloc"), symbol(c"PyObject_Free")) else {
        return 0;
    };
    // SAFETY: the caller's promise; the functions have these types, and what is made is given back.
    unsafe {
        let make = std::mem::transmute::<*mut c_void, Make>(make);
        let free = std::mem::transmute::<*mut c_void, Free>(free);
        let Some(record) = recording() else { return 0 };
        let (paused, left) = (record.paused, LEFT.load(Ordering::Relaxed));
        record.paused = true;
        record.learned.is_learning = true;
        LEFT.store(-1, Ordering::Relaxed);
        free(make(16));
        let Some(record) = recording() else { return 0 };
        LEFT.store(left, Ordering::Relaxed);
        record.paused = paused;
        record.learned.is_learning = false;
        c_int::from(record.learned.forget_calls())
    }
}

/// Has the interpreter say, too, which objects come from its free lists, where it can; 1 when it does.
///
/// # Safety
/// The interpreter's lock is held, and every block is recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_hear_objects() -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(record) = recording() else { return 0 };
        record.reused = reused::listen().then(Beside::default);
        c_int::from(record.reused.is_some())
    }
}

/// Takes the hooks away: what is freed from now on is not seen.
///
/// # Safety
/// The interpreter's lock is held, and nothing is written after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_end() {
    // SAFETY: the caller's promise.
    unsafe {
        if let (Some(record), Some(exchange)) = (recording(), Exchange::find()) {
            record.paused = true;
            reused::end();
            exchange.remove();
        }
    }
}

/// The frames of all stacks, and how many there are. The place is good until something is recorded.
///
/// # Safety
/// The interpreter's lock is held, and the record is paused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_frames(count: *mut u64) -> *const FrameAt {
    // SAFETY: the caller's promise.
    let Some(record) = (unsafe { recording() }) else {
        return std::ptr::null();
    };
    // What somebody else put in its place heard what this has not.
    if !reused::listens() {
        record.reused = None;
    }
    let frames = &record.stacks.frames;
    // SAFETY: as above.
    unsafe { count.write(frames.len() as u64) };
    frames.as_ptr()
}

/// Writes the record so far to an open file, and gives the number of blocks in it; -1 when not all of it was written.
/// `head` is the first line, `frames` a line for each frame: what is written of it, a tab, and the name of the call that
/// it makes, as JSON; a line that is empty leaves out all stacks with the frame.
///
/// # Safety
/// The interpreter's lock is held; the texts end with zeros, `descriptor` stays open, and the record is paused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_write(
    descriptor: c_int,
    head: *const c_char,
    frames: *const c_char,
    operations: u64,
) -> i64 {
    // SAFETY: the caller's promise; the file is the recorder's and is not closed here.
    unsafe {
        let Some(record) = recording() else { return -1 };
        let text = |pointer| CStr::from_ptr(pointer).to_bytes();
        let written = catch_unwind(AssertUnwindSafe(|| {
            write::text(record, text(head), text(frames), operations)
        }));
        let Ok((out, count)) = written else { return -1 };
        let mut file = ManuallyDrop::new(File::from_raw_fd(descriptor));
        if file.write_all(&out).is_err() {
            return -1;
        }
        i64::try_from(count).unwrap_or(i64::MAX)
    }
}
