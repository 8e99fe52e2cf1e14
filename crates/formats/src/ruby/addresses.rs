//! From addresses to rows.

use rustc_hash::FxHashMap;

/// Bytes of the address space that one leaf covers: small enough that a dump whose addresses lie far apart, as only a
/// made-up one's do, costs at most a kilobyte for a row.
const LEAF: u64 = 2048;

/// Objects stand at multiples of this.
const STEP: u64 = 8;

const SLOTS: usize = (LEAF / STEP) as usize;

/// The row of each address: leaves of the address space, so that neighbours are found in one place.
#[derive(Debug)]
pub(super) struct Addresses {
    leaves: FxHashMap<u64, u32>,
    rows: Vec<u32>,
}

impl Addresses {
    pub(super) fn new(addresses: &[u64]) -> Self {
        let mut found = Self {
            leaves: FxHashMap::default(),
            rows: Vec::new(),
        };
        let mut last = (u64::MAX, 0);
        for (row, &address) in addresses.iter().enumerate() {
            if address == 0 || !address.is_multiple_of(STEP) {
                continue;
            }
            let leaf = address / LEAF;
            if leaf != last.0 {
                let rows = &mut found.rows;
                let at = *found.leaves.entry(leaf).or_insert_with(|| {
                    rows.resize(rows.len() + SLOTS, u32::MAX);
                    (rows.len() / SLOTS - 1) as u32
                });
                last = (leaf, at);
            }
            let slot = &mut found.rows[last.1 as usize * SLOTS + (address % LEAF / STEP) as usize];
            // An address that comes twice is the first row's.
            if *slot == u32::MAX {
                *slot = row as u32;
            }
        }
        found
    }

    /// The row at an address.
    pub(super) fn row(&self, address: u64) -> Option<u32> {
        let leaf = *self.leaves.get(&(address / LEAF))?;
        if !address.is_multiple_of(STEP) {
            return None;
        }
        let row = self.rows[leaf as usize * SLOTS + (address % LEAF / STEP) as usize];
        (row != u32::MAX).then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_of_an_address_is_found() {
        let addresses = Addresses::new(&[0x7000, 0, 0x7028, 0x7028, 0xffff_ffff_ffff_fff8, 0x7001]);
        assert_eq!(addresses.row(0x7000), Some(0));
        assert_eq!(addresses.row(0x7028), Some(2));
        assert_eq!(addresses.row(0xffff_ffff_ffff_fff8), Some(4));
        for unknown in [0, 0x7001, 0x7008, 0x9000] {
            assert_eq!(addresses.row(unknown), None, "{unknown:x}");
        }
    }
}
