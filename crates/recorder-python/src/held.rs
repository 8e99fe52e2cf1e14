//! What the allocators hold now, in the process itself.

use std::ffi::{c_int, c_void};

use crate::blocks::pools_of;
use crate::layout::Layout;
use crate::maps::Maps;
use crate::symbols::{minor, symbol};

/// Bytes in use and taken. The recorder has the same structure in `deadweight_recorder_library.py`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Held {
    pool_used: u64,
    pool_taken: u64,
    malloc_used: u64,
    malloc_taken: u64,
}

/// Bytes of a node of pymalloc's map of arenas: 2^14 words, and the header of glibc's chunk.
const MAP_NODE: u64 = (8 << 14) + 16;

/// What `mallinfo2` gives: taken from the system at 0, in mappings of their own at 4, in use at 7.
type Mallinfo = unsafe extern "C" fn() -> [usize; 10];

/// Counts what pools hold, and asks the C library for the rest.
///
/// # Safety
/// The place is there; the interpreter's lock is held, so that no pool changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_python_held(held: *mut Held, has_pools: c_int) {
    let mut found = Held::default();
    let mut map_nodes = 0;
    if has_pools != 0
        && let Some(layout) = minor().and_then(Layout::of)
    {
        let pools = pools_of(&Maps::read(Vec::new()), layout.pool);
        found.pool_used = pools.bytes;
        found.pool_taken = pools.bytes + pools.unused;
        map_nodes = if layout.minor < 10 { 0 } else { pools.map_nodes };
    }
    if let Some(mallinfo) = symbol(c"mallinfo2") {
        // SAFETY: the C library's function; ten sizes in a structure are returned as an array of them is.
        let sizes = unsafe { std::mem::transmute::<*mut c_void, Mallinfo>(mallinfo)() };
        // Where the system places the heap decides whether it needs a second node, not what the program holds.
        let more_nodes = map_nodes.saturating_sub(1) * MAP_NODE;
        found.malloc_used = ((sizes[7] + sizes[4]) as u64).saturating_sub(more_nodes);
        found.malloc_taken = (sizes[0] + sizes[4]) as u64;
    }
    // SAFETY: the caller's promise.
    unsafe { held.write(found) };
}
