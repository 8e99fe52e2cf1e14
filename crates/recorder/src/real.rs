//! The functions behind the interposed ones: the next ones in the program's search order.

use std::ffi::{CStr, c_int, c_void};
use std::mem::transmute;
use std::sync::atomic::{
    AtomicPtr, AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $symbol:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        $(
            $(#[$doc])*
            #[allow(non_snake_case)]
            pub mod $name {
                use super::*;
                pub static PLACE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
                pub type Function = unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?;

                /// The function, once [`resolve`](super::resolve) has found it.
                #[inline(always)]
                pub fn get() -> Option<Function> {
                    let place = PLACE.load(Relaxed);
                    // SAFETY: only `resolve` stores here, and what it stores is this function.
                    (!place.is_null()).then(|| unsafe { transmute::<*mut c_void, Function>(place) })
                }
            }
        )*
        const ALL: &[(&AtomicPtr<c_void>, &CStr)] = &[$((&$name::PLACE, $symbol)),*];
    };
}

functions! {
    calloc = c"calloc": fn(usize, usize) -> *mut c_void;
    free = c"free": fn(*mut c_void);
    realloc = c"realloc": fn(*mut c_void, usize) -> *mut c_void;
    posix_memalign = c"posix_memalign": fn(*mut *mut c_void, usize, usize) -> c_int;
    aligned_alloc = c"aligned_alloc": fn(usize, usize) -> *mut c_void;
    memalign = c"memalign": fn(usize, usize) -> *mut c_void;
    valloc = c"valloc": fn(usize) -> *mut c_void;
    malloc_usable_size = c"malloc_usable_size": fn(*mut c_void) -> usize;
    dlclose = c"dlclose": fn(*mut c_void) -> c_int;
    exit = c"exit": fn(c_int);
    _exit = c"_exit": fn(c_int);
    _Exit = c"_Exit": fn(c_int);
    quick_exit = c"quick_exit": fn(c_int);
    /// Last, because its presence says that all others were looked up.
    malloc = c"malloc": fn(usize) -> *mut c_void;
}

static STATE: AtomicU32 = AtomicU32::new(0);

/// The next function of this name after this library.
///
/// Not to be inlined, and never in tail position: the dynamic linker finds "next" from the return address of the
/// call, and a tail call would give it that of somebody else.
#[inline(never)]
pub fn next(name: &CStr) -> *mut c_void {
    // SAFETY: a lookup by name.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    std::hint::black_box(found)
}

/// Looks everything up. False while a lookup is under way, in this thread or another.
#[cold]
pub fn resolve() -> bool {
    if STATE.compare_exchange(0, 1, AcqRel, Acquire).is_err() {
        return STATE.load(Acquire) == 2;
    }
    for (place, name) in ALL {
        place.store(next(name), Release);
    }
    crate::operators::resolve();
    STATE.store(2, Release);
    true
}
