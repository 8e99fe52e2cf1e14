//! Whether a block that is freed may be one that was sampled: asked for every block, and nearly always answered no.

use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use crate::raw::Address;

/// Bits, and how far a hash is shifted to be the number of one. Read without a lock: what is replaced is never given back.
static BITS: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());
static SHIFT: AtomicU32 = AtomicU32::new(0);

/// Bits a sampled block.
const SPARSE: usize = 32;
const FEWEST: usize = 1 << 15;

/// Whether a block may be among those of the last filter.
#[inline]
pub fn may_be_sampled(block: Address) -> bool {
    let bit = hash(block) >> SHIFT.load(Ordering::Relaxed);
    let bits = BITS.load(Ordering::Relaxed);
    // SAFETY: there are as many bits as the shift leaves numbers, before any block is asked for; those that replace them
    // are stored before their shift, and are no fewer.
    unsafe { (*bits.add((bit / 64) as usize)).load(Ordering::Relaxed) >> (bit % 64) & 1 != 0 }
}

fn hash(block: Address) -> u64 {
    ((block >> 4) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The filter of the sampled blocks that are alive.
pub struct Filter {
    bits: &'static [AtomicU64],
    /// Blocks that were added since it was made, dead ones included.
    added: usize,
}

impl Filter {
    /// An empty one, asked from now on.
    pub fn new() -> Self {
        let mut filter = Self { bits: &[], added: 0 };
        filter.renew(0, std::iter::empty());
        filter
    }

    /// Adds a block; false when the filter is full, and is to be renewed.
    pub fn add(&mut self, block: Address) -> bool {
        let bit = hash(block) >> SHIFT.load(Ordering::Relaxed);
        self.bits[(bit / 64) as usize].fetch_or(1 << (bit % 64), Ordering::Relaxed);
        self.added += 1;
        self.added * SPARSE / 2 < self.bits.len() * 64
    }

    /// Makes one of the blocks that are alive.
    pub fn renew(&mut self, count: usize, alive: impl Iterator<Item = Address>) {
        let wanted = (count * SPARSE * 2).next_power_of_two().max(FEWEST);
        if wanted > self.bits.len() * 64 {
            self.bits = (0..wanted / 64)
                .map(|_| AtomicU64::new(0))
                .collect::<Vec<_>>()
                .leak();
            BITS.store(self.bits.as_ptr().cast_mut(), Ordering::Release);
            SHIFT.store(64 - wanted.trailing_zeros(), Ordering::Release);
        } else {
            self.bits.iter().for_each(|bits| bits.store(0, Ordering::Relaxed));
        }
        self.added = 0;
        for block in alive {
            self.add(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sampled_block_is_never_missed() {
        let mut filter = Filter::new();
        let mut alive = Vec::new();
        for block in (0x7f00_0000_0000..).step_by(272).take(20_000) {
            alive.push(block);
            if !filter.add(block) {
                filter.renew(alive.len(), alive.iter().copied());
            }
        }
        assert!(alive.iter().all(|&block| may_be_sampled(block)));
        let others = (0x5500_0000_0000_usize..).step_by(48).take(20_000);
        let taken = others.filter(|&block| may_be_sampled(block)).count();
        assert!(taken < 20_000 / 8, "{taken}");
    }
}
