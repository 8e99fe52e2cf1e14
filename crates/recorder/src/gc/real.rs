//! The collector's own functions.

use std::ffi::{CStr, c_int, c_void};
use std::mem::transmute;
use std::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Release},
};

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $symbol:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        $(
            $(#[$doc])*
            pub mod $name {
                use super::*;
                pub static PLACE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
                pub type Function = unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?;

                /// The function, if the collector is loaded and has it.
                #[inline(always)]
                pub fn get() -> Option<Function> {
                    let mut place = PLACE.load(Acquire);
                    if place.is_null() {
                        place = look($symbol);
                        PLACE.store(place, Release);
                    }
                    // SAFETY: what is stored there is this function.
                    (!place.is_null()).then(|| unsafe { transmute::<*mut c_void, Function>(place) })
                }
            }
        )*
    };
}

functions! {
    malloc = c"GC_malloc": fn(usize) -> *mut c_void;
    malloc_atomic = c"GC_malloc_atomic": fn(usize) -> *mut c_void;
    malloc_uncollectable = c"GC_malloc_uncollectable": fn(usize) -> *mut c_void;
    malloc_atomic_uncollectable = c"GC_malloc_atomic_uncollectable": fn(usize) -> *mut c_void;
    malloc_ignore_off_page = c"GC_malloc_ignore_off_page": fn(usize) -> *mut c_void;
    malloc_atomic_ignore_off_page = c"GC_malloc_atomic_ignore_off_page": fn(usize) -> *mut c_void;
    realloc = c"GC_realloc": fn(*mut c_void, usize) -> *mut c_void;
    free = c"GC_free": fn(*mut c_void);
    gcollect = c"GC_gcollect": fn();
    /// Bytes the collector set aside for a block.
    size = c"GC_size": fn(*const c_void) -> usize;
    /// The beginning of the block that an address lies in; null where there is none.
    base = c"GC_base": fn(*mut c_void) -> *mut c_void;
    is_marked = c"GC_is_marked": fn(*const c_void) -> c_int;
    get_on_collection_event = c"GC_get_on_collection_event": fn() -> Option<OnEvent>;
    set_on_collection_event = c"GC_set_on_collection_event": fn(Option<OnEvent>);
    get_heap_usage = c"GC_get_heap_usage_safe": fn(*mut usize, *mut usize, *mut usize, *mut usize, *mut usize);
    get_version = c"GC_get_version": fn() -> u32;
}

/// What the collector calls at each step of a collection.
pub type OnEvent = unsafe extern "C-unwind" fn(c_int);

#[cold]
fn look(name: &CStr) -> *mut c_void {
    crate::real::next(name)
}

/// Whether the collector is loaded with all that is needed.
pub fn resolve() -> bool {
    malloc::get().is_some()
        && size::get().is_some()
        && is_marked::get().is_some()
        && get_on_collection_event::get().is_some()
        && set_on_collection_event::get().is_some()
}
