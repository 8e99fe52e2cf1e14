//! Which blocks are recorded where not all are: one each so many bytes on average, at distances that are random (a Poisson
//! process), so that a large block is seen more often than a small one.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use rustc_hash::FxHashMap;

use super::filter::Filter;
use super::learned::Class;
use super::record::Record;
use crate::raw::Address;

/// Bytes until the next sample. Programs whose interpreters have locks of their own share it: one that is lost to a race
/// moves a sample, no more.
pub static LEFT: AtomicI64 = AtomicI64::new(i64::MAX);

/// Requests up to this size come from pools: none where there are no pools.
pub static SMALL: AtomicUsize = AtomicUsize::new(0);

/// What a request is charged, as far as its size tells: pools have steps of 16 bytes, and the C library a word before
/// each block and the same steps.
#[inline]
pub fn charged(bytes: usize) -> u64 {
    let header = if bytes > SMALL.load(Ordering::Relaxed) {
        8
    } else {
        0
    };
    (bytes.saturating_add(header + 15) & !15) as u64
}

/// Counts so many bytes down, and says whether it is the end.
#[inline]
pub fn is_due(bytes: u64) -> bool {
    let left = LEFT.load(Ordering::Relaxed).saturating_sub_unsigned(bytes);
    LEFT.store(left, Ordering::Relaxed);
    left < 0
}

/// A block that was sampled, and lives.
#[derive(Clone, Copy)]
struct Alive {
    stack: u32,
    class: Class,
    bytes: u64,
}

pub struct Sampled {
    pub every: u64,
    alive: FxHashMap<Address, Alive>,
    filter: Filter,
    state: u64,
}

impl Sampled {
    pub fn new(every: u64, seed: u64) -> Self {
        Self {
            every,
            alive: FxHashMap::default(),
            filter: Filter::new(),
            state: seed | 1,
        }
    }

    /// Draws the distance to the next sample.
    pub fn draw(&mut self) {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        // From above 0 up to 1.
        let chance = ((self.state >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        LEFT.store((-chance.ln() * self.every as f64) as i64, Ordering::Relaxed);
    }

    pub fn forget(&mut self) {
        self.alive.clear();
        self.filter.renew(0, std::iter::empty());
        self.draw();
    }
}

impl Record {
    /// Records a block: the countdown came to its end with it. What is charged is all of it, or what it grew by.
    ///
    /// # Safety
    /// The interpreter's lock is held; the block is alive.
    pub unsafe fn sample(&mut self, block: Address, bytes: u64, from: Address, usual: Class) {
        if self.paused {
            if self.learned.is_learning {
                self.learned.note(block, from);
            } else if let Some(sampled) = &mut self.sampled {
                sampled.draw();
            }
            return;
        }
        // SAFETY: the caller's promise.
        let stack = unsafe { self.stacks.now() };
        let class = self.learned.class(from).unwrap_or(usual);
        let Some(sampled) = &mut self.sampled else { return };
        sampled.draw();
        // What it was sampled for before is of that line all the same.
        let before = sampled.alive.insert(block, Alive { stack, class, bytes });
        if !sampled.filter.add(block) {
            let Sampled { alive, filter, .. } = sampled;
            filter.renew(alive.len(), alive.keys().copied());
        }
        if let Some(before) = before {
            // SAFETY: as above.
            let row = unsafe { self.row_of_alive(block, before) };
            self.rows[row as usize].add(before.bytes);
        }
    }

    /// The row and the bytes of a sampled block that may be about to go, while it is whole.
    ///
    /// # Safety
    /// As for [`Self::sample`].
    #[cold]
    pub unsafe fn sampled_may_move(&mut self, block: Address) -> Option<(u32, u64)> {
        let alive = *self.sampled.as_ref()?.alive.get(&block)?;
        // SAFETY: the caller's promise.
        Some((unsafe { self.row_of_alive(block, alive) }, alive.bytes))
    }

    /// A sampled block is gone from its address.
    pub fn sampled_moves(&mut self, block: Address, (row, bytes): (u32, u64)) {
        if let Some(sampled) = &mut self.sampled {
            sampled.alive.remove(&block);
        }
        self.rows[row as usize].add(bytes);
    }

    unsafe fn row_of_alive(&mut self, block: Address, alive: Alive) -> u32 {
        // SAFETY: the caller's promise.
        let (type_id, ..) = unsafe { self.type_of(alive.class, block, alive.bytes) };
        self.row_of(alive.stack, type_id, alive.bytes)
    }

    /// Rows and bytes of the sampled blocks that live.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    pub unsafe fn sampled_alive(&mut self) -> Vec<(u32, u64)> {
        let Some(sampled) = &self.sampled else {
            return Vec::new();
        };
        let alive: Vec<(Address, Alive)> = sampled.alive.iter().map(|(at, alive)| (*at, *alive)).collect();
        let mut found = Vec::with_capacity(alive.len());
        for (block, alive) in alive {
            // SAFETY: the caller's promise: they are alive.
            found.push((unsafe { self.row_of_alive(block, alive) }, alive.bytes));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_of_a_poisson_process() {
        let mut sampled = Sampled::new(1000, 99);
        let (mut sum, mut beyond) = (0.0, 0);
        for _ in 0..100_000 {
            sampled.draw();
            let left = LEFT.load(Ordering::Relaxed);
            sum += left as f64;
            beyond += u32::from(left > 2000);
        }
        assert!((sum / 100_000.0 - 1000.0).abs() < 15.0, "{sum}");
        // e^-2 of all.
        assert!((f64::from(beyond) / 100_000.0 - 0.1353).abs() < 0.005, "{beyond}");
    }
}
