//! Numbers for addresses, in the order in which they come.

use crate::raw::Address;

/// Objects are at least so large, so that no two begin in the same unit.
const UNIT: u32 = 4;
/// Units of a page, whose numbers lie side by side: objects that were made together are met together.
const UNITS: usize = 256;
const PAGE: u32 = UNIT + 8;

/// A set of addresses, each with its number.
pub struct Index {
    keys: Vec<Address>,
    /// Of each page met, a number and one more for each unit; 0 where nothing begins.
    cells: Vec<u32>,
    /// Where a page's units begin, by the page's address: open addressing.
    pages: Vec<(usize, usize)>,
    met: usize,
    last: (usize, usize),
}

impl Index {
    pub fn new() -> Self {
        Self {
            keys: Vec::new(),
            // Of no page: what the last page is before there is one.
            cells: vec![0; UNITS],
            pages: vec![(0, 0); 1 << 10],
            met: 0,
            last: (0, 0),
        }
    }

    /// The number of an address, and whether it is new.
    #[inline]
    pub fn number(&mut self, key: Address) -> (u32, bool) {
        let page = key >> PAGE;
        if page != self.last.0 {
            self.last = (page, self.page(page));
        }
        let cell = &mut self.cells[self.last.1 + (key >> UNIT) % UNITS];
        if *cell != 0 {
            return (*cell - 1, false);
        }
        self.keys.push(key);
        *cell = self.keys.len() as u32;
        (*cell - 1, true)
    }

    pub fn key(&self, number: usize) -> Option<Address> {
        self.keys.get(number).copied()
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Where the units of a page begin.
    fn page(&mut self, page: usize) -> usize {
        let place = self.place(page);
        if self.pages[place].1 != 0 {
            return self.pages[place].1;
        }
        let cells = self.cells.len();
        self.cells.resize(cells + UNITS, 0);
        self.pages[place] = (page, cells);
        self.met += 1;
        if self.met * 2 > self.pages.len() {
            let double = vec![(0, 0); self.pages.len() * 2];
            let before = std::mem::replace(&mut self.pages, double);
            for (page, cells) in before.into_iter().filter(|page| page.1 != 0) {
                let place = self.place(page);
                self.pages[place] = (page, cells);
            }
        }
        cells
    }

    fn place(&self, page: usize) -> usize {
        let bits = self.pages.len().trailing_zeros();
        let hash = (page as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut place = (hash >> (64 - bits)) as usize;
        while self.pages[place].1 != 0 && self.pages[place].0 != page {
            place = (place + 1) % self.pages.len();
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn addresses_keep_their_numbers() {
        let mut index = Index::new();
        // Some in each page, pages far apart.
        let address = |at: usize| (at / 3) * 0x1_2340_0000 + 0x1000 + (at % 3) * 16;
        for round in 0..2 {
            for at in 0..5000_usize {
                assert_eq!(index.number(address(at)), (at as u32, round == 0));
            }
        }
        assert_eq!(
            (index.len(), index.key(7), index.key(5000)),
            (5000, Some(address(7)), None)
        );
    }
}
