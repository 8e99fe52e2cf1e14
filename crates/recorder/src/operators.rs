//! C++'s `operator new` and `operator delete`, all forms.
//!
//! Without these, the caller that a block is booked to would be `operator new` itself, whose frame cannot be passed
//! over by everybody. They allocate with the real `malloc`, as those of the C++ libraries do; a program that brings
//! operators of its own in another library keeps them.

use std::ffi::{CStr, c_void};
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed};

use crate::entry::{aligned, caller, entry, plain, recorded, release};
use crate::real;

/// The operators behind these are neither the C++ library's nor the allocator's: they are called, not replaced.
static FOREIGN: AtomicBool = AtomicBool::new(false);

type New = unsafe extern "C-unwind" fn(usize) -> *mut c_void;
type NewNothrow = unsafe extern "C-unwind" fn(usize, usize) -> *mut c_void;
type NewAligned = unsafe extern "C-unwind" fn(usize, usize) -> *mut c_void;
type NewAlignedNothrow = unsafe extern "C-unwind" fn(usize, usize, usize) -> *mut c_void;
type Delete = unsafe extern "C-unwind" fn(*mut c_void, usize, usize);

/// Where a function lies: the object's path and its base address.
pub fn object_of(function: *const c_void) -> Option<(&'static CStr, usize)> {
    // SAFETY: `info` is filled when the call succeeds; the path belongs to the dynamic linker.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(function, &raw mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        Some((CStr::from_ptr(info.dli_fname), info.dli_fbase as usize))
    }
}

fn is_library(function: *const c_void) -> bool {
    let Some((path, base)) = object_of(function) else {
        return true;
    };
    let name = path
        .to_bytes()
        .rsplit(|byte| *byte == b'/')
        .next()
        .unwrap_or_default();
    name.starts_with(b"libstdc++.")
        || name.starts_with(b"libc++")
        || object_of(real::malloc::PLACE.load(Relaxed)).is_some_and(|(_, malloc)| malloc == base)
}

/// A name with its terminating zero.
macro_rules! terminated {
    ($symbol:literal) => {
        match CStr::from_bytes_with_nul(concat!($symbol, "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => c"",
        }
    };
}

macro_rules! news {
    ($($symbol:literal, $name:ident, $place:ident, ($size:ident $(, $argument:ident)*), $count:tt, $type:ty, $alignment:expr;)*) => {
        $(
            static $place: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
            mod $name {
                use super::*;
                entry!($symbol, entered($size: usize $(, $argument: usize)*) -> *mut c_void, $count, from);
                #[allow(unused_variables)]
                unsafe extern "C-unwind" fn from($size: usize, $($argument: usize,)* sp: usize, fp: usize, ra: usize) -> *mut c_void {
                    if !FOREIGN.load(Relaxed) {
                        let alignment: usize = $alignment;
                        let block = recorded($size, caller(sp, fp, ra), || allocate($size, alignment));
                        if !block.is_null() {
                            return block;
                        }
                    }
                    // It calls the program's new-handler and throws, or returns null, as the program expects.
                    let real = $place.load(Relaxed);
                    if real.is_null() {
                        out_of_memory();
                    }
                    // SAFETY: the real function with the program's own arguments.
                    unsafe { transmute::<*mut c_void, $type>(real)($size $(, $argument)*) }
                }
            }
        )*

        fn resolve_news() {
            $($place.store(real::next(terminated!($symbol)), Relaxed);)*
        }
    };
}

macro_rules! deletes {
    ($($symbol:literal, $name:ident, $place:ident;)*) => {
        $(
            static $place: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
            #[cfg_attr(not(test), unsafe(export_name = $symbol))]
            unsafe extern "C-unwind" fn $name(block: *mut c_void, second: usize, third: usize) {
                let real = $place.load(Relaxed);
                if FOREIGN.load(Relaxed) && !real.is_null() {
                    // SAFETY: the real function with the program's own arguments; those it has not are ignored.
                    return unsafe { transmute::<*mut c_void, Delete>(real)(block, second, third) };
                }
                release(block);
            }
        )*

        fn resolve_deletes() {
            $($place.store(real::next(terminated!($symbol)), Relaxed);)*
        }
    };
}

fn allocate(size: usize, alignment: usize) -> *mut c_void {
    if alignment <= 16 {
        return plain(size.max(1));
    }
    // The standard function wants whole multiples of the alignment.
    match size.max(1).checked_next_multiple_of(alignment) {
        Some(whole) => aligned(real::aligned_alloc::get(), alignment, whole),
        None => std::ptr::null_mut(),
    }
}

#[cold]
fn out_of_memory() -> ! {
    // No C++ library was found that could throw; an exception that nobody catches ends like this too.
    // SAFETY: no arguments.
    unsafe { libc::abort() }
}

news! {
    "_Znwm", new, NEW, (size), 1, New, 16;
    "_Znam", new_array, NEW_ARRAY, (size), 1, New, 16;
    "_ZnwmRKSt9nothrow_t", new_nothrow, NEW_NOTHROW, (size, tag), 2, NewNothrow, 16;
    "_ZnamRKSt9nothrow_t", new_array_nothrow, NEW_ARRAY_NOTHROW, (size, tag), 2, NewNothrow, 16;
    "_ZnwmSt11align_val_t", new_aligned, NEW_ALIGNED, (size, align), 2, NewAligned, align;
    "_ZnamSt11align_val_t", new_array_aligned, NEW_ARRAY_ALIGNED, (size, align), 2, NewAligned, align;
    "_ZnwmSt11align_val_tRKSt9nothrow_t", new_aligned_nothrow, NEW_ALIGNED_NOTHROW, (size, align, tag), 3, NewAlignedNothrow, align;
    "_ZnamSt11align_val_tRKSt9nothrow_t", new_array_aligned_nothrow, NEW_ARRAY_ALIGNED_NOTHROW, (size, align, tag), 3, NewAlignedNothrow, align;
}

deletes! {
    "_ZdlPv", delete, DELETE;
    "_ZdaPv", delete_array, DELETE_ARRAY;
    "_ZdlPvm", delete_sized, DELETE_SIZED;
    "_ZdaPvm", delete_array_sized, DELETE_ARRAY_SIZED;
    "_ZdlPvRKSt9nothrow_t", delete_nothrow, DELETE_NOTHROW;
    "_ZdaPvRKSt9nothrow_t", delete_array_nothrow, DELETE_ARRAY_NOTHROW;
    "_ZdlPvSt11align_val_t", delete_aligned, DELETE_ALIGNED;
    "_ZdaPvSt11align_val_t", delete_array_aligned, DELETE_ARRAY_ALIGNED;
    "_ZdlPvmSt11align_val_t", delete_sized_aligned, DELETE_SIZED_ALIGNED;
    "_ZdaPvmSt11align_val_t", delete_array_sized_aligned, DELETE_ARRAY_SIZED_ALIGNED;
    "_ZdlPvSt11align_val_tRKSt9nothrow_t", delete_aligned_nothrow, DELETE_ALIGNED_NOTHROW;
    "_ZdaPvSt11align_val_tRKSt9nothrow_t", delete_array_aligned_nothrow, DELETE_ARRAY_ALIGNED_NOTHROW;
}

/// Looks up the operators behind these.
pub fn resolve() {
    resolve_news();
    resolve_deletes();
    let new = NEW.load(Relaxed);
    FOREIGN.store(!new.is_null() && !is_library(new), Relaxed);
}
