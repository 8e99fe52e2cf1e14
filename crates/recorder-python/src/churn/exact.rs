//! Hooks where every block is recorded.

use std::ffi::c_void;

use super::hooks::{Block, before, guarded, record, usual};
use crate::raw::Address;

pub unsafe extern "C" fn make<const DOMAIN: usize>(
    context: *mut c_void,
    bytes: usize,
    from: Address,
) -> Block {
    // SAFETY: the interpreter calls this with its lock, and what it would call the allocator with.
    unsafe {
        let block = (before::<DOMAIN>().make)(context, bytes);
        made::<DOMAIN>(block, bytes, from);
        block
    }
}

pub unsafe extern "C" fn make_zeros<const DOMAIN: usize>(
    context: *mut c_void,
    count: usize,
    each: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        let block = (before::<DOMAIN>().make_zeros)(context, count, each);
        made::<DOMAIN>(block, count.wrapping_mul(each), from);
        block
    }
}

#[inline]
unsafe fn made<const DOMAIN: usize>(block: Block, bytes: usize, from: Address) {
    if !block.is_null() {
        guarded(|| {
            // SAFETY: as above.
            unsafe {
                let record = record();
                let is_large = record.charges.is_large(bytes);
                record.made(block as Address, is_large, bytes, from, usual(DOMAIN));
            }
        });
    }
}

pub unsafe extern "C" fn resize<const DOMAIN: usize>(
    context: *mut c_void,
    block: Block,
    bytes: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        if block.is_null() {
            return make::<DOMAIN>(context, bytes, from);
        }
        let mut weighed = None;
        guarded(|| weighed = record().may_move(block as Address));
        let moved = (before::<DOMAIN>().resize)(context, block, bytes);
        // One that stays where it is has the size it grew to when it dies.
        if moved != block && !moved.is_null() {
            guarded(|| {
                let record = record();
                // A block of the C library's stays one, however small it becomes.
                let is_large =
                    record.charges.is_large(bytes) || weighed.is_some_and(|weighed| weighed.is_large);
                if let Some(weighed) = weighed {
                    record.moves(block as Address, weighed);
                }
                record.made(moved as Address, is_large, bytes, from, usual(DOMAIN));
            });
        }
        moved
    }
}

pub unsafe extern "C" fn free<const DOMAIN: usize>(context: *mut c_void, block: Block) {
    // SAFETY: as above.
    unsafe {
        if !block.is_null() {
            guarded(|| record().dies(block as Address));
        }
        (before::<DOMAIN>().free)(context, block);
    }
}
