//! What the recorder for Ruby calls, and what the interpreter calls back.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::File;
use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::time::Duration;

use crate::interpreter::{Interpreter, Value};
use crate::record::Record;
use crate::sample::{Next, Sample};
use crate::{interpreter, ticks, write};

/// The one record of this process. Events come with the interpreter's lock held, one at a time.
static RECORD: AtomicPtr<Record> = AtomicPtr::new(std::ptr::null_mut());

/// The symbol under which the collector counts all objects.
static OBJECTS: AtomicUsize = AtomicUsize::new(0);

/// # Safety
/// The interpreter's lock is held, which makes this the only reference.
unsafe fn recording() -> Option<&'static mut Record> {
    // SAFETY: the pointer is null or came from a box that is never dropped.
    unsafe { RECORD.load(Ordering::Relaxed).as_mut() }
}

/// Begins to record; 1 when it does, 0 when the interpreter lacks a function that is needed, or the record has begun.
///
/// `nil` is the interpreter's nil, `directory` where the recorder's own files lie (what they make is left out), and
/// `is_3_1` 1 in Ruby 3.1, whose slots are all of one size and whose containers show that they never held anything.
/// Of a thousand stretches of time `share` are recorded; all where it is 0. `objects` is the symbol
/// `:total_allocated_objects`.
///
/// # Safety
/// Called from Ruby with its lock held; `directory` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_start(
    nil: Value,
    directory: *const c_char,
    is_3_1: c_int,
    share: c_int,
    objects: Value,
) -> c_int {
    // SAFETY: the caller's promise; the hooks take the record from the static that is set before them.
    unsafe {
        if !RECORD.load(Ordering::Relaxed).is_null() {
            return 0;
        }
        let Some(interpreter) = Interpreter::find(nil, is_3_1 != 0) else {
            return 0;
        };
        let directory = CStr::from_ptr(directory).to_string_lossy().into_owned();
        OBJECTS.store(objects, Ordering::Relaxed);
        let sample = (share > 0).then(|| {
            let seed = u64::from(libc::getpid().unsigned_abs()) << 32 ^ own_time().as_nanos() as u64;
            let mut sample = Sample::new(f64::from(share) / 1000.0, seed);
            sample.before = (interpreter.count)(objects) as u64;
            sample
        });
        let is_sampled = sample.is_some();
        let jobs = interpreter::jobs(on_tick);
        let record = Box::new(Record::new(interpreter, directory, is_3_1 != 0, sample));
        let record = &mut *Box::into_raw(record);
        RECORD.store(record, Ordering::Relaxed);
        libc::pthread_atfork(None, None, Some(in_child));
        if is_sampled {
            let begins = jobs.is_some_and(|jobs| ticks::begin(jobs));
            if begins {
                let (add, nil) = (record.interpreter().add_hook, record.interpreter().nil);
                add(
                    on_thread,
                    interpreter::THREAD_BEGIN,
                    nil,
                    interpreter::SAFE_AND_RAW,
                );
            }
            return c_int::from(begins);
        }
        hear(record);
        1
    }
}

/// Hears of objects that are made and freed.
unsafe fn hear(record: &Record) {
    let (add, nil) = (record.interpreter().add_hook, record.interpreter().nil);
    // SAFETY: the hooks take the record from the static that was set before.
    unsafe {
        add(on_new, interpreter::NEWOBJ, nil, interpreter::SAFE_AND_RAW);
        add(on_free, interpreter::FREEOBJ, nil, interpreter::SAFE_AND_RAW);
    }
}

/// Hears of nothing.
unsafe fn listen_no_more(record: &Record) {
    let remove = record.interpreter().remove_hook;
    // SAFETY: the interpreter's lock is held.
    unsafe {
        remove(on_new);
        remove(on_free);
    }
}

/// The processor's time this process has used.
fn own_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the structure is there.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

unsafe extern "C" fn on_tick(_: *mut c_void) {
    // SAFETY: the interpreter calls this with its lock, where objects may be made.
    unsafe {
        let Some(record) = recording().filter(|record| !record.paused) else {
            return;
        };
        let objects = (record.interpreter().count)(OBJECTS.load(Ordering::Relaxed)) as u64;
        let Some(sample) = &mut record.sample else { return };
        let (was, next) = (sample.on, sample.toss(own_time(), objects));
        if next == Next::Same {
            return;
        }
        if was {
            record.close();
        }
        let Some(sample) = &mut record.sample else { return };
        sample.on = next != Next::Off;
        if let Next::On(window) = next {
            sample.window = window;
        }
        match (was, sample.on) {
            (false, true) => hear(record),
            (true, false) => listen_no_more(record),
            _ => {}
        }
    }
}

/// Leaves out (1) or takes in (0) what is made from now on. Deaths are seen all the same.
///
/// # Safety
/// Called from Ruby with its lock held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_pause(pause: c_int) {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(record) = recording() else { return };
        let pauses = pause != 0;
        let objects = (record.interpreter().count)(OBJECTS.load(Ordering::Relaxed)) as u64;
        if pauses && record.sample.as_ref().is_some_and(|sample| sample.on) {
            record.close();
            listen_no_more(record);
        }
        if let Some(sample) = record.sample.as_mut().filter(|_| pauses != record.paused) {
            sample.on = false;
            sample.interrupt();
            if pauses {
                sample.made += objects.saturating_sub(sample.before);
            } else {
                sample.before = objects;
            }
        }
        record.paused = pauses;
    }
}

/// Samples no more: the program is over.
#[unsafe(no_mangle)]
pub extern "C" fn deadweight_churn_end() {
    ticks::end();
}

/// Forgets what was made until now.
///
/// # Safety
/// Called from Ruby with its lock held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_churn_forget() {
    // SAFETY: the caller's promise.
    if let Some(record) = unsafe { recording() } {
        forget(record);
    }
}

/// Begins anew.
fn forget(record: &mut Record) {
    record.forget();
    // SAFETY: the interpreter's lock is held.
    let objects = unsafe { (record.interpreter().count)(OBJECTS.load(Ordering::Relaxed)) };
    if let Some(sample) = &mut record.sample {
        sample.before = objects as u64;
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

/// Writes the record so far to an open file; 0 when all of it was written. What is alive now is reported as kept, so the
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

/// What a thread does without a timer is seen only as far as others end its stretches.
unsafe extern "C" fn on_thread(_: Value, _: *mut c_void) {
    ticks::arm();
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

/// A forked child reports itself alone.
unsafe extern "C" fn in_child() {
    // SAFETY: the child has one thread, the one that forked, and that held the lock.
    if let Some(record) = unsafe { recording() } {
        forget(record);
        if record.sample.is_some() {
            ticks::arm_in_child();
        }
    }
}
