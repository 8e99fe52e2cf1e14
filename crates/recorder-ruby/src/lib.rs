//! Counts every object a Ruby process makes, by stack and type, and weighs it when it dies or at the end.
//!
//! The recorder for Ruby (`recorders/ruby`) loads this library through the standard library's Fiddle and calls the four
//! functions below, holding the interpreter's lock. The interpreter's own functions are found by name in the process,
//! so that neither headers nor a gem are needed. What comes of it is `docs/formats/churn.md`.
//!
//! **Invariant: nothing within an event allocates Ruby objects.** An object made while another is being made, or while
//! the collector sweeps, would come back here or find the heap half-done.

mod interpreter;
mod names;
mod object;
mod record;
mod slots;
mod write;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::File;
use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::sync::atomic::{AtomicPtr, Ordering};

use interpreter::{Interpreter, Value};
use record::Record;

/// The one record of this process. Events come with the interpreter's lock held, one at a time.
static RECORD: AtomicPtr<Record> = AtomicPtr::new(std::ptr::null_mut());

/// # Safety
/// The interpreter's lock is held, which makes this the only reference.
unsafe fn recording() -> Option<&'static mut Record> {
    // SAFETY: the pointer is null or came from a box that is never dropped.
    unsafe { RECORD.load(Ordering::Relaxed).as_mut() }
}

/// Begins to record; 1 when it does, 0 when the interpreter lacks a function that is needed, or the record has begun.
///
/// `nil` is the interpreter's nil, `directory` where the recorder's own files lie (what they make is left out), and
/// `is_3_1` 1 in Ruby 3.1, whose slots are all of one size and whose containers tell that they never held anything.
///
/// # Safety
/// Called from Ruby with its lock held; `directory` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_start(
    nil: Value,
    directory: *const c_char,
    is_3_1: c_int,
) -> c_int {
    // SAFETY: the caller's promise; the hooks take the record from the static that is set before them.
    unsafe {
        if !RECORD.load(Ordering::Relaxed).is_null() {
            return 0;
        }
        let Some(interpreter) = Interpreter::find(nil, is_3_1 != 0) else {
            return 0;
        };
        let add = interpreter.add_hook;
        let directory = CStr::from_ptr(directory).to_string_lossy().into_owned();
        let record = Record::new(interpreter, directory, is_3_1 != 0);
        RECORD.store(Box::into_raw(Box::new(record)), Ordering::Relaxed);
        libc::pthread_atfork(None, None, Some(in_child));
        add(on_new, interpreter::NEWOBJ, nil, interpreter::SAFE_AND_RAW);
        add(on_free, interpreter::FREEOBJ, nil, interpreter::SAFE_AND_RAW);
        1
    }
}

/// Leaves out (1) or takes in (0) what is made from now on. Deaths are seen all the same.
///
/// # Safety
/// Called from Ruby with its lock held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_pause(pause: c_int) {
    // SAFETY: the caller's promise.
    if let Some(record) = unsafe { recording() } {
        record.paused = pause != 0;
    }
}

/// Forgets what was made until now.
///
/// # Safety
/// Called from Ruby with its lock held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_forget() {
    // SAFETY: the caller's promise.
    if let Some(record) = unsafe { recording() } {
        record.forget();
    }
}

/// How many objects were recorded.
///
/// # Safety
/// Called from Ruby with its lock held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_objects() -> u64 {
    // SAFETY: the caller's promise.
    unsafe { recording() }.map_or(0, |record| record.objects())
}

/// Writes the record so far to an open file; 0 when all of it was written. What is alive now is told as kept, so the
/// caller collects garbage before, and the record is paused.
///
/// # Safety
/// Called from Ruby with its lock held; the texts are C strings, and `descriptor` stays open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_write(
    descriptor: c_int,
    version: *const c_char,
    root: *const c_char,
    operations: u64,
) -> c_int {
    // SAFETY: the caller's promise; the file is Ruby's and is not closed here.
    unsafe {
        let Some(record) = recording() else { return 1 };
        let text = |pointer| CStr::from_ptr(pointer).to_string_lossy();
        let out = write::text(record, &text(version), &text(root), operations);
        let mut file = ManuallyDrop::new(File::from_raw_fd(descriptor));
        c_int::from(file.write_all(out.as_bytes()).is_err())
    }
}

unsafe extern "C" fn on_new(_: Value, event: *mut c_void) {
    // SAFETY: the interpreter calls this with its lock and an event that names a new object.
    unsafe {
        if let Some(record) = recording() {
            record.born(event);
        }
    }
}

unsafe extern "C" fn on_free(_: Value, event: *mut c_void) {
    // SAFETY: as above, with an object that is still whole.
    unsafe {
        if let Some(record) = recording() {
            record.dies(event);
        }
    }
}

/// A forked child tells of itself alone.
unsafe extern "C" fn in_child() {
    // SAFETY: the child has one thread, the one that forked, and that held the lock.
    if let Some(record) = unsafe { recording() } {
        record.forget();
    }
}
