//! A number beside each block, by its address.

use std::ptr;

use crate::raw::Address;

/// Blocks are at least so large and begin at multiples of it.
const UNIT: usize = 4;
/// Bits of an address within a leaf of the tree, within a branch, and within its root.
const LEAF: usize = 20;
const BRANCH: usize = 14;
const ROOT: usize = 13;

const NUMBERS: usize = 1 << (LEAF - UNIT);

type Branch = [*mut u32; 1 << BRANCH];

/// Numbers by address; 0 where there is none. Leaves are pages of the kernel, which come to be when they are written to.
pub struct Beside {
    root: Box<[*mut Branch]>,
    leaves: Vec<(Address, *mut u32)>,
}

impl Default for Beside {
    fn default() -> Self {
        Self {
            root: vec![ptr::null_mut(); 1 << ROOT].into_boxed_slice(),
            leaves: Vec::new(),
        }
    }
}

fn pages<T>() -> Option<*mut T> {
    let (protection, flags) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
    );
    // SAFETY: a new mapping touches no other.
    let mapped = unsafe { libc::mmap(ptr::null_mut(), size_of::<T>(), protection, flags, -1, 0) };
    (mapped != libc::MAP_FAILED).then(|| mapped.cast())
}

impl Beside {
    /// The place of a block's number, where any block near it has one.
    #[inline]
    pub fn known(&self, block: Address) -> Option<*mut u32> {
        let branch = *self.root.get(block >> (LEAF + BRANCH))?;
        if branch.is_null() {
            return None;
        }
        // SAFETY: a branch is pages of this tree's own, with a leaf or null for each value of these bits.
        let leaf = unsafe { (*branch)[(block >> LEAF) % (1 << BRANCH)] };
        // SAFETY: a leaf has so many numbers.
        (!leaf.is_null()).then(|| unsafe { leaf.add((block >> UNIT) % NUMBERS) })
    }

    /// The place of a block's number; `None` where there is no memory for it.
    #[inline]
    pub fn of(&mut self, block: Address) -> Option<*mut u32> {
        self.known(block).or_else(|| self.grow(block))
    }

    #[cold]
    fn grow(&mut self, block: Address) -> Option<*mut u32> {
        let branch = self.root.get_mut(block >> (LEAF + BRANCH))?;
        if branch.is_null() {
            *branch = pages::<Branch>()?;
        }
        let leaf = pages::<[u32; NUMBERS]>()?.cast::<u32>();
        // SAFETY: as above; there was none yet.
        unsafe { (**branch)[(block >> LEAF) % (1 << BRANCH)] = leaf };
        self.leaves.push((block >> LEAF << LEAF, leaf));
        self.known(block)
    }

    /// All blocks with a number.
    pub fn each(&self, mut take: impl FnMut(Address, u32)) {
        for &(start, leaf) in &self.leaves {
            for at in 0..NUMBERS {
                // SAFETY: a leaf has so many numbers.
                let number = unsafe { leaf.add(at).read() };
                if number != 0 {
                    take(start + (at << UNIT), number);
                }
            }
        }
    }

    /// Forgets all numbers.
    pub fn clear(&mut self) {
        for &(_, leaf) in &self.leaves {
            // SAFETY: a private mapping without a file reads as zeros again.
            unsafe { libc::madvise(leaf.cast(), size_of::<[u32; NUMBERS]>(), libc::MADV_DONTNEED) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_numbers_apart() {
        let mut beside = Beside::default();
        let blocks = [0x10_0000, 0x10_0010, 0x7fff_1234_5670, 0x7fff_1234_5680, 0xf_fff0];
        for (number, &block) in (1..).zip(&blocks) {
            // SAFETY: the place of a number.
            unsafe { beside.of(block).unwrap().write(number) };
        }
        let mut found = Vec::new();
        beside.each(|block, number| found.push((block, number)));
        found.sort_unstable();
        assert_eq!(
            found,
            [
                (0xf_fff0, 5),
                (0x10_0000, 1),
                (0x10_0010, 2),
                (0x7fff_1234_5670, 3),
                (0x7fff_1234_5680, 4)
            ]
        );
        assert!(beside.known(0x5555_0000_0000).is_none());
        beside.clear();
        beside.each(|_, _| panic!("a number is left"));
    }
}
