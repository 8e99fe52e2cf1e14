//! Whether hooks can tell who called the allocator.

use std::ffi::c_void;

use crate::raw::Address;
use crate::symbols::symbol;

/// Whether the interpreter's functions jump to the allocators, so that the address to which a call returns is that of
/// their caller: here it is this library. `last` is where the last call returned to.
///
/// # Safety
/// The interpreter's lock is held, and the hooks learn.
pub unsafe fn are_told(last: impl Fn() -> Address) -> bool {
    type Make = unsafe extern "C" fn(usize) -> *mut c_void;
    type Resize = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
    type Free = unsafe extern "C" fn(*mut c_void);
    let family = |make, resize, free| {
        let all = (symbol(make)?, symbol(resize)?, symbol(free)?);
        // SAFETY: the functions have these types.
        Some(unsafe {
            (
                std::mem::transmute::<*mut c_void, Make>(all.0),
                std::mem::transmute::<*mut c_void, Resize>(all.1),
                std::mem::transmute::<*mut c_void, Free>(all.2),
            )
        })
    };
    let families = [
        family(c"PyMem_Malloc", c"PyMem_Realloc", c"PyMem_Free"),
        family(c"PyObject_Malloc", c"PyObject_Realloc", c"PyObject_Free"),
    ];
    families.into_iter().all(|family| {
        let Some((make, resize, free)) = family else {
            return false;
        };
        // SAFETY: a block that is made, moved and given back.
        unsafe {
            let block = make(24);
            let made = last();
            let block = resize(block, 2000);
            let resized = last();
            free(block);
            [made, resized].into_iter().all(is_within_library)
        }
    })
}

fn is_within_library(at: Address) -> bool {
    let base = |at: Address| {
        // SAFETY: all zeros are a valid value; the place is there.
        unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            (libc::dladdr(at as *const c_void, &raw mut info) != 0).then_some(info.dli_fbase)
        }
    };
    base(at).is_some_and(|of| Some(of) == base(is_within_library as *const () as Address))
}
