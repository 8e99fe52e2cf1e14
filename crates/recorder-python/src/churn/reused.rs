//! Objects that come from the interpreter's free lists: no allocator hears of them. Since 3.13 the interpreter says of each object
//! that it begins (`PyRefTracer_SetTracer`).

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::Ordering;

use super::hooks::{RECORD, guarded, record};
use crate::raw::Address;
use crate::symbols::symbol;

/// `PyRefTracer`: an object, what happens to it, and what was given to the interpreter with the function.
type Tracer = unsafe extern "C" fn(Address, c_int, *mut c_void) -> c_int;

/// `PyRefTracer_CREATE`.
const BEGINS: c_int = 0;

/// `PyRefTracer_SetTracer` and `PyRefTracer_GetTracer`.
#[derive(Clone, Copy)]
struct Tracers {
    set: unsafe extern "C" fn(Option<Tracer>, *mut c_void) -> c_int,
    get: unsafe extern "C" fn(*mut *mut c_void) -> Option<Tracer>,
}

impl Tracers {
    fn find() -> Option<Self> {
        let (set, get) = (
            symbol(c"PyRefTracer_SetTracer")?,
            symbol(c"PyRefTracer_GetTracer")?,
        );
        // SAFETY: the functions have these types.
        unsafe {
            Some(Self {
                set: std::mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(Option<Tracer>, *mut c_void) -> c_int,
                >(set),
                get: std::mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(*mut *mut c_void) -> Option<Tracer>,
                >(get),
            })
        }
    }

    fn is_ours(self) -> bool {
        let mut data = ptr::null_mut();
        // SAFETY: the place is there.
        let now = unsafe { (self.get)(&raw mut data) };
        now.is_some_and(|now| ptr::fn_addr_eq(now, begins as Tracer))
    }
}

/// Has the interpreter say of each object that it begins, unless somebody else listens; whether it does.
///
/// # Safety
/// The interpreter's lock is held, and there is a record.
pub unsafe fn listen() -> bool {
    let Some(tracers) = Tracers::find() else {
        return false;
    };
    let mut data = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe { (tracers.get)(&raw mut data).is_none() && (tracers.set)(Some(begins), ptr::null_mut()) == 0 }
}

/// Whether the interpreter has said so until now.
pub fn listens() -> bool {
    Tracers::find().is_some_and(Tracers::is_ours)
}

/// Ends it, but where somebody else has put a function in this one's place.
///
/// # Safety
/// The interpreter's lock is held.
pub unsafe fn end() {
    if let Some(tracers) = Tracers::find().filter(|tracers| tracers.is_ours()) {
        // SAFETY: the caller's promise.
        unsafe { (tracers.set)(None, ptr::null_mut()) };
    }
}

unsafe extern "C" fn begins(object: Address, event: c_int, _: *mut c_void) -> c_int {
    if event == BEGINS && !RECORD.load(Ordering::Relaxed).is_null() {
        // SAFETY: the interpreter calls this with its lock held, for an object that it has just begun.
        guarded(|| unsafe { record().begins(object) });
    }
    0
}
