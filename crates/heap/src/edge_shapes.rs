//! Edge shapes: the names of an object's references in their order, equal ones once.

use std::hash::{BuildHasher, RandomState};

use rustc_hash::FxHashMap;

use crate::Via;

/// A column of names, cut into edge shapes.
pub(crate) struct EdgeShapes {
    /// Where each shape starts; one entry more than there are shapes.
    starts: Vec<u32>,
    via: Vec<Via>,
    /// By the hash of its names, the shape that was first to have it.
    known: FxHashMap<u64, u32>,
    hashes: RandomState,
}

impl EdgeShapes {
    /// Longer ones are hardly ever equal.
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

    /// The names of a shape.
    pub(crate) fn names(&self, shape: u32) -> &[Via] {
        let at = shape as usize;
        &self.via[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The number of the shape with these names.
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
