//! The interposed functions of C.
//!
//! Each is a few instructions that hand the program's stack pointer, frame pointer and return address to the function
//! that does the work: compiled code could not find them without frame pointers.

use std::ffi::{c_int, c_void};
use std::ptr;

use crate::record::{Inside, zero_fill};
use crate::stack::Caller;
use crate::{bootstrap, real};

/// Defines an entry for a function with so many arguments: three more are passed behind them.
macro_rules! entry {
    ($symbol:literal, $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?, $count:tt, $inner:path) => {
        #[cfg_attr(not(test), unsafe(export_name = $symbol))]
        #[unsafe(naked)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            std::arch::naked_asm!(
                concat!("mov ", $crate::entry::register!($count), ", rsp"),
                concat!("mov ", $crate::entry::register!($count, 1), ", rbp"),
                concat!("mov ", $crate::entry::register!($count, 2), ", qword ptr [rsp]"),
                "jmp {inner}",
                inner = sym $inner,
            );
            #[cfg(target_arch = "aarch64")]
            std::arch::naked_asm!(
                concat!("mov ", $crate::entry::register!($count), ", sp"),
                concat!("mov ", $crate::entry::register!($count, 1), ", x29"),
                concat!("mov ", $crate::entry::register!($count, 2), ", x30"),
                "b {inner}",
                inner = sym $inner,
            );
        }
    };
}

/// The register of an argument: the one behind `count` arguments, or one or two further.
#[cfg(target_arch = "x86_64")]
macro_rules! register {
    (1) => {
        "rsi"
    };
    (1, 1) => {
        "rdx"
    };
    (1, 2) => {
        "rcx"
    };
    (2) => {
        "rdx"
    };
    (2, 1) => {
        "rcx"
    };
    (2, 2) => {
        "r8"
    };
    (3) => {
        "rcx"
    };
    (3, 1) => {
        "r8"
    };
    (3, 2) => {
        "r9"
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! register {
    (1) => {
        "x1"
    };
    (1, 1) => {
        "x2"
    };
    (1, 2) => {
        "x3"
    };
    (2) => {
        "x2"
    };
    (2, 1) => {
        "x3"
    };
    (2, 2) => {
        "x4"
    };
    (3) => {
        "x3"
    };
    (3, 1) => {
        "x4"
    };
    (3, 2) => {
        "x5"
    };
}

pub(crate) use {entry, register};

entry!("malloc", malloc(_size: usize) -> *mut c_void, 1, malloc_from);
entry!("calloc", calloc(_count: usize, _size: usize) -> *mut c_void, 2, calloc_from);
entry!("realloc", realloc(_block: *mut c_void, _size: usize) -> *mut c_void, 2, realloc_from);
entry!("reallocarray", reallocarray(_block: *mut c_void, _count: usize, _size: usize) -> *mut c_void, 3, reallocarray_from);
entry!("posix_memalign", posix_memalign(_place: *mut *mut c_void, _alignment: usize, _size: usize) -> c_int, 3, posix_memalign_from);
entry!("aligned_alloc", aligned_alloc(_alignment: usize, _size: usize) -> *mut c_void, 2, aligned_alloc_from);
entry!("memalign", memalign(_alignment: usize, _size: usize) -> *mut c_void, 2, memalign_from);
entry!("valloc", valloc(_size: usize) -> *mut c_void, 1, valloc_from);
entry!("pvalloc", pvalloc(_size: usize) -> *mut c_void, 1, pvalloc_from);

pub(crate) fn caller(stack_pointer: usize, frame_pointer: usize, return_address: usize) -> Caller {
    Caller {
        stack_pointer,
        frame_pointer,
        return_address,
    }
}

/// Allocates and records. `allocate` calls the real function.
#[inline(always)]
pub(crate) fn recorded(
    requested: usize,
    caller: Caller,
    allocate: impl FnOnce() -> *mut c_void,
) -> *mut c_void {
    let Some(inside) = Inside::enter() else {
        return allocate();
    };
    let block = allocate();
    if block.is_null() {
        inside.failed();
    } else {
        inside.add(block, requested, caller);
    }
    block
}

#[inline(always)]
pub(crate) fn plain(size: usize) -> *mut c_void {
    let (Some(malloc), Some(calloc)) = (real::malloc::get(), real::calloc::get()) else {
        return early(size, 16);
    };
    // SAFETY: the real functions with the program's own arguments. `calloc` knows which memory is zero already.
    unsafe {
        if zero_fill() {
            calloc(1, size)
        } else {
            malloc(size)
        }
    }
}

/// Before the real functions are known.
#[cold]
fn early(size: usize, alignment: usize) -> *mut c_void {
    match (real::resolve(), real::malloc::get(), real::memalign::get()) {
        // SAFETY: the real functions with the program's own arguments.
        (true, Some(malloc), _) if alignment <= 16 => unsafe { malloc(size) },
        // SAFETY: as above.
        (true, _, Some(memalign)) => unsafe { memalign(alignment, size) },
        _ => bootstrap::allocate(size, alignment),
    }
}

/// Fills memory that the program may use with zeros, when that was asked for.
#[inline(always)]
fn cleared(block: *mut c_void, size: usize) -> *mut c_void {
    if zero_fill() && !block.is_null() {
        // SAFETY: the block has at least `size` bytes and the program does not have it yet.
        unsafe { ptr::write_bytes(block.cast::<u8>(), 0, size) };
    }
    block
}

unsafe extern "C-unwind" fn malloc_from(size: usize, sp: usize, fp: usize, ra: usize) -> *mut c_void {
    recorded(size, caller(sp, fp, ra), || plain(size))
}

unsafe extern "C-unwind" fn calloc_from(
    count: usize,
    size: usize,
    sp: usize,
    fp: usize,
    ra: usize,
) -> *mut c_void {
    let bytes = count.saturating_mul(size);
    recorded(bytes, caller(sp, fp, ra), || {
        if let Some(calloc) = real::calloc::get() {
            // SAFETY: the real function with the program's own arguments.
            return unsafe { calloc(count, size) };
        }
        let block = early(bytes, 16);
        if !block.is_null() && !bootstrap::owns(block) {
            // SAFETY: fresh memory of that size.
            unsafe { ptr::write_bytes(block.cast::<u8>(), 0, bytes) };
        }
        block
    })
}

/// Frees and forgets. The block is forgotten first: once freed, another thread may be given its address.
#[inline(always)]
pub(crate) fn release(block: *mut c_void) {
    if block.is_null() || bootstrap::owns(block) {
        return;
    }
    let Some(free) = real::free::get() else { return };
    let inside = Inside::enter();
    if let Some(inside) = &inside {
        inside.remove(block, 0);
    }
    // SAFETY: the real function with the program's own argument.
    unsafe { free(block) };
}

#[cfg_attr(not(test), unsafe(export_name = "free"))]
unsafe extern "C-unwind" fn free(block: *mut c_void) {
    release(block);
}

unsafe extern "C-unwind" fn realloc_from(
    block: *mut c_void,
    size: usize,
    sp: usize,
    fp: usize,
    ra: usize,
) -> *mut c_void {
    let caller = caller(sp, fp, ra);
    if block.is_null() {
        return recorded(size, caller, || plain(size));
    }
    if bootstrap::owns(block) {
        let moved = recorded(size, caller, || plain(size));
        if !moved.is_null() {
            // SAFETY: both blocks have that many bytes.
            unsafe {
                ptr::copy_nonoverlapping(block.cast::<u8>(), moved.cast(), bootstrap::size(block).min(size));
            };
        }
        return moved;
    }
    let Some(realloc) = real::realloc::get() else {
        return ptr::null_mut();
    };
    let Some(inside) = Inside::enter() else {
        // SAFETY: the real function with the program's own arguments.
        return unsafe { realloc(block, size) };
    };
    // Forgotten first: once it has moved, another thread may be given its address.
    let before = inside.remove(block, size);
    // SAFETY: the real function with the program's own arguments.
    let moved = unsafe { realloc(block, size) };
    if moved.is_null() {
        // With size 0 the real function frees; otherwise it has failed and the block is as it was.
        if let Some(before) = before.filter(|_| size != 0) {
            inside.put_back(before);
            inside.failed();
        }
        return moved;
    }
    inside.add(moved, size, caller);
    if let Some(before) = before.map(|before| before.requested as usize)
        && zero_fill()
        && size > before
    {
        // SAFETY: the bytes the block has grown by, which the program has not had yet.
        unsafe { ptr::write_bytes(moved.cast::<u8>().add(before), 0, size - before) };
    }
    moved
}

unsafe extern "C-unwind" fn reallocarray_from(
    block: *mut c_void,
    count: usize,
    size: usize,
    sp: usize,
    fp: usize,
    ra: usize,
) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else {
        // SAFETY: the calling thread's errno.
        unsafe { *libc::__errno_location() = libc::ENOMEM };
        return ptr::null_mut();
    };
    // SAFETY: the program's own arguments.
    unsafe { realloc_from(block, bytes, sp, fp, ra) }
}

unsafe extern "C-unwind" fn posix_memalign_from(
    place: *mut *mut c_void,
    alignment: usize,
    size: usize,
    sp: usize,
    fp: usize,
    ra: usize,
) -> c_int {
    let mut result = 0;
    let block = recorded(size, caller(sp, fp, ra), || {
        if real::posix_memalign::get().is_none() {
            real::resolve();
        }
        let Some(posix_memalign) = real::posix_memalign::get() else {
            return bootstrap::allocate(size, alignment);
        };
        let mut block = ptr::null_mut();
        // SAFETY: the real function with the program's own arguments.
        result = unsafe { posix_memalign(&raw mut block, alignment, size) };
        if result == 0 {
            cleared(block, size)
        } else {
            ptr::null_mut()
        }
    });
    if result == 0 {
        // SAFETY: the program's own place.
        unsafe { *place = block };
    }
    result
}

/// Allocates with an alignment, by `function` when it is there.
#[inline(always)]
pub(crate) fn aligned(
    function: Option<unsafe extern "C-unwind" fn(usize, usize) -> *mut c_void>,
    alignment: usize,
    size: usize,
) -> *mut c_void {
    match function {
        // SAFETY: the real function with the program's own arguments.
        Some(function) => cleared(unsafe { function(alignment, size) }, size),
        None => early(size, alignment),
    }
}

unsafe extern "C-unwind" fn aligned_alloc_from(
    alignment: usize,
    size: usize,
    sp: usize,
    fp: usize,
    ra: usize,
) -> *mut c_void {
    recorded(size, caller(sp, fp, ra), || {
        aligned(real::aligned_alloc::get(), alignment, size)
    })
}

unsafe extern "C-unwind" fn memalign_from(
    alignment: usize,
    size: usize,
    sp: usize,
    fp: usize,
    ra: usize,
) -> *mut c_void {
    recorded(size, caller(sp, fp, ra), || {
        aligned(real::memalign::get(), alignment, size)
    })
}

unsafe extern "C-unwind" fn valloc_from(size: usize, sp: usize, fp: usize, ra: usize) -> *mut c_void {
    recorded(size, caller(sp, fp, ra), || match real::valloc::get() {
        // SAFETY: the real function with the program's own argument.
        Some(valloc) => cleared(unsafe { valloc(size) }, size),
        None => early(size, 4096),
    })
}

unsafe extern "C-unwind" fn pvalloc_from(size: usize, sp: usize, fp: usize, ra: usize) -> *mut c_void {
    // By way of `memalign`, because not every allocator has a `pvalloc`, and the C library's would not fit with it.
    // SAFETY: no memory is touched.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let Some(whole) = size.checked_next_multiple_of(page) else {
        // SAFETY: the calling thread's errno.
        unsafe { *libc::__errno_location() = libc::ENOMEM };
        return ptr::null_mut();
    };
    recorded(size, caller(sp, fp, ra), || {
        aligned(real::memalign::get(), page, whole)
    })
}
