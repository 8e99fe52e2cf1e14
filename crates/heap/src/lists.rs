//! Lists of names, equal ones once.

use std::hash::{BuildHasher, RandomState};

use rustc_hash::FxHashMap;

use crate::Via;

/// A column of names, cut into lists.
pub(crate) struct Lists {
    /// Where each list starts; one entry more than there are lists.
    starts: Vec<u32>,
    via: Vec<Via>,
    /// By the hash of its names, the list that was first to have it.
    known: FxHashMap<u64, u32>,
    hashes: RandomState,
}

impl Lists {
    /// Longer lists are hardly ever equal.
    const LONG: usize = 4096;

    /// Goes on from columns; what stands in them is not looked for.
    pub(crate) fn new(starts: Vec<u32>, via: Vec<Via>) -> Self {
        Self {
            starts,
            via,
            known: FxHashMap::default(),
            hashes: RandomState::new(),
        }
    }

    /// The names of a list.
    pub(crate) fn names(&self, list: u32) -> &[Via] {
        let at = list as usize;
        &self.via[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The number of the list with these names.
    pub(crate) fn number(&mut self, names: &[Via]) -> u32 {
        let next = self.starts.len() as u32 - 1;
        if names.len() <= Self::LONG {
            let hash = self.hashes.hash_one(names);
            let known = *self.known.entry(hash).or_insert(next);
            if known != next && self.names(known) == names {
                return known;
            }
        }
        self.via.extend(names);
        self.starts.push(self.via.len() as u32);
        next
    }

    /// The columns.
    pub(crate) fn finish(self) -> (Vec<u32>, Vec<Via>) {
        (self.starts, self.via)
    }
}
