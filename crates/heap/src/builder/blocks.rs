//! Contents of rows that were built by hand.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::typed::REFERENCE;
use crate::{Blocks, Edge, EdgeKind, Endian, Inside, ObjectId, Stored};

/// Blocks are a page or less, at addresses made of their rows.
#[derive(Debug, Default)]
pub(super) struct RawBlocks {
    pub(super) hidden: bool,
    pub(super) contents: FxHashMap<ObjectId, Vec<u8>>,
    /// What stands in typed rows.
    pub(super) stored: FxHashMap<ObjectId, (Vec<u8>, Endian)>,
    /// Rows to which they refer.
    pub(super) named: FxHashSet<ObjectId>,
}

pub(super) const FIRST_ADDRESS: u64 = 1 << 40;

impl RawBlocks {
    /// References that lead behind the beginning of blocks, as the words at their indices say.
    pub(super) fn inside(&self, edges: &[Vec<Edge>]) -> Vec<Inside> {
        let of_row = |from: ObjectId| {
            let content = self.contents.get(&from).filter(|_| !self.hidden);
            let words = content.map_or(&[][..], |content| content.as_chunks::<8>().0);
            let edges = (0..).zip(&edges[from as usize]);
            edges.filter_map(move |(place, edge)| {
                let word = words.get(edge.via.name() as usize)?;
                let (to, offset) = self.locate(u64::from_le_bytes(*word))?;
                let is_inside = edge.via.kind() == EdgeKind::Internal && to == edge.to && offset > 0;
                is_inside.then_some(Inside { from, place, offset })
            })
        };
        (0..edges.len() as ObjectId).flat_map(of_row).collect()
    }
}

impl Blocks for RawBlocks {
    fn any(&self) -> bool {
        !self.contents.is_empty()
    }
    fn requested(&self, object: ObjectId) -> Option<u64> {
        self.contents.get(&object).map(|content| content.len() as u64)
    }
    fn content(&self, object: ObjectId) -> Option<Cow<'_, [u8]>> {
        let content = self.contents.get(&object).filter(|_| !self.hidden)?;
        Some(Cow::Borrowed(content))
    }
    fn stored(&self, object: ObjectId) -> Option<Stored<'_>> {
        let (bytes, endian) = self.stored.get(&object)?;
        Some(Stored {
            bytes: Cow::Borrowed(bytes),
            endian: *endian,
            reference: REFERENCE,
        })
    }
    fn address(&self, object: ObjectId) -> Option<u64> {
        self.contents
            .contains_key(&object)
            .then(|| FIRST_ADDRESS + (u64::from(object) << 12))
    }
    fn locate(&self, address: u64) -> Option<(ObjectId, u64)> {
        let from_first = address.checked_sub(FIRST_ADDRESS)?;
        let row = ObjectId::try_from(from_first >> 12).ok()?;
        let is_there = self.contents.contains_key(&row) || self.named.contains(&row);
        is_there.then_some((row, from_first & 0xFFF))
    }
    fn is_address(&self, word: u64) -> bool {
        self.locate(word).is_some()
    }
}
