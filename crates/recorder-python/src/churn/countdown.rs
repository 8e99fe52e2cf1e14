//! Hooks where a countdown says which blocks are recorded.

use std::ffi::c_void;

use super::charges::chunk;
use super::filter::may_be_sampled;
use super::hooks::{Block, before, guarded, record, usual};

use super::sampled::{charged, is_due};
use crate::raw::Address;

pub unsafe extern "C" fn make<const DOMAIN: usize>(
    context: *mut c_void,
    bytes: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        if is_due(charged(bytes)) {
            let block = (before::<DOMAIN>().make)(context, bytes);
            return made::<DOMAIN>(block, bytes, from);
        }
        (before::<DOMAIN>().make)(context, bytes)
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
        let bytes = count.wrapping_mul(each);
        if is_due(charged(bytes)) {
            let block = (before::<DOMAIN>().make_zeros)(context, count, each);
            return made::<DOMAIN>(block, bytes, from);
        }
        (before::<DOMAIN>().make_zeros)(context, count, each)
    }
}

#[cold]
unsafe fn made<const DOMAIN: usize>(block: Block, bytes: usize, from: Address) -> Block {
    if !block.is_null() {
        guarded(|| {
            // SAFETY: as above.
            unsafe { record().sample(block as Address, charged(bytes), from, usual(DOMAIN)) };
        });
    }
    block
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
        // Other allocators do not tell how much a block grew in place.
        let tells = record().charges.usable.is_none() && record().charges.is_large(bytes);
        let had = if tells { chunk(block as Address) } else { 0 };
        let mut weighed = None;
        if may_be_sampled(block as Address) {
            guarded(|| weighed = record().sampled_may_move(block as Address));
        }
        let moved = (before::<DOMAIN>().resize)(context, block, bytes);
        if moved.is_null() {
            return moved;
        }
        if moved != block {
            if let Some(weighed) = weighed {
                guarded(|| record().sampled_moves(block as Address, weighed));
            }
            return if is_due(charged(bytes)) {
                made::<DOMAIN>(moved, bytes, from)
            } else {
                moved
            };
        }
        // A block of a pool does not grow to such a size in place: what was there before it was a size.
        let grown = if tells {
            chunk(moved as Address).saturating_sub(had)
        } else {
            0
        };
        if grown > 0 && is_due(grown) {
            guarded(|| record().sample(moved as Address, grown, from, usual(DOMAIN)));
        }
        moved
    }
}

pub unsafe extern "C" fn free<const DOMAIN: usize>(context: *mut c_void, block: Block) {
    // SAFETY: as above.
    unsafe {
        if may_be_sampled(block as Address) {
            guarded(|| {
                if let Some(weighed) = record().sampled_may_move(block as Address) {
                    record().sampled_moves(block as Address, weighed);
                }
            });
        }
        (before::<DOMAIN>().free)(context, block);
    }
}
