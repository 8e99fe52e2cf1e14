//! What is left of rows of which a part was claimed.

use deadweight_heap::ObjectId;

/// Rows that are kept together.
const BLOCK: usize = 128;

/// Bits of a word for the bytes; the others say which row of the block it is.
const BYTES: u32 = 57;

/// Bytes by row, in short sorted lists: rows are claimed in runs, and neighbours are asked for together.
#[derive(Debug)]
pub(crate) struct Remains(Vec<Vec<u64>>);

impl Remains {
    pub(crate) fn none(rows: usize) -> Self {
        Self(vec![Vec::new(); rows.div_ceil(BLOCK)])
    }

    /// What is left of a row; 0 when nothing was noted.
    pub(crate) fn get(&self, row: ObjectId) -> u64 {
        let (block, place) = place(row);
        let Some(block) = self.0.get(block) else { return 0 };
        find(block, place).map_or(0, |at| block[at] & ((1 << BYTES) - 1))
    }

    /// Notes what is left of a row: less than 2^57 bytes, which no address space has.
    pub(crate) fn put(&mut self, row: ObjectId, left: u64) {
        let (block, place) = place(row);
        let Some(block) = self.0.get_mut(block) else {
            return;
        };
        let word = place << BYTES | left.min((1 << BYTES) - 1);
        if block.last().is_none_or(|last| last >> BYTES < place) {
            block.push(word);
            return;
        }
        match find(block, place) {
            Ok(at) => block[at] = word,
            Err(at) => block.insert(at, word),
        }
    }

    pub(crate) fn remove(&mut self, row: ObjectId) {
        let (block, place) = place(row);
        let Some(block) = self.0.get_mut(block) else {
            return;
        };
        if let Ok(at) = find(block, place) {
            block.remove(at);
        }
    }
}

fn find(block: &[u64], place: u64) -> Result<usize, usize> {
    block.binary_search_by_key(&place, |word| word >> BYTES)
}

fn place(row: ObjectId) -> (usize, u64) {
    (row as usize / BLOCK, (row as usize % BLOCK) as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(steps in proptest::collection::vec((0_u32..5000, 0_u64..9), 0..300)) {
            let mut remains = Remains::none(4000);
            let mut naive: BTreeMap<ObjectId, u64> = BTreeMap::new();
            for (row, left) in steps {
                if left == 0 {
                    remains.remove(row);
                    naive.remove(&row);
                } else if row < 4000 {
                    remains.put(row, left);
                    naive.insert(row, left);
                }
            }
            for row in 0..5000 {
                prop_assert_eq!(remains.get(row), naive.get(&row).copied().unwrap_or(0));
            }
        }
    }
}
