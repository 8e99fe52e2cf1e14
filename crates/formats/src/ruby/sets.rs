//! Sets of Ruby before 3.5: an object of the class `Set` around a hash, which is a piece of it.

use deadweight_heap::{EdgeKind, Edges, TypeId, Via};
use rustc_hash::FxHashMap;

use super::row::Bits;
use super::rows::Piece;
use super::tag::Tag;
use super::types::Classes;

/// The hash of each set, by the set's row. A hash that something else refers to as well is nobody's piece.
pub(super) fn find(
    all: &Piece,
    classes: &Classes,
    of_class: Option<TypeId>,
    edges: &Edges,
) -> FxHashMap<u32, u32> {
    let Some(set) = of_class else {
        return FxHashMap::default();
    };
    let is_set = |row: u32| {
        let row = row as usize;
        all.tag[row] == Tag::Object && all.bits[row].has(Bits::CLASSED) && classes.of(all, row) == set
    };
    let is_hash = |row: u32| all.tag.get(row as usize) == Some(&Tag::Hash);
    let mut sets: FxHashMap<u32, u32> = FxHashMap::default();
    for row in (0..all.len() as u32).filter(|&row| is_set(row)) {
        let mut hashes = edges.targets(row).iter().copied().filter(|&to| is_hash(to));
        if let (Some(hash), None) = (hashes.next(), hashes.next()) {
            sets.insert(row, hash);
        }
    }
    if sets.is_empty() {
        return sets;
    }
    let mut referrers: FxHashMap<u32, u32> = sets.values().map(|&hash| (hash, 0)).collect();
    for row in 0..all.len() as u32 {
        for to in edges.targets(row) {
            if let Some(count) = referrers.get_mut(to) {
                *count += 1;
            }
        }
    }
    sets.retain(|_, hash| referrers.get(hash) == Some(&1));
    sets
}

/// The reference to its hash is no field of a set.
pub(super) fn hide_hashes(sets: &FxHashMap<u32, u32>, edges: &mut Edges) {
    let mut rows: Vec<u32> = sets.keys().copied().collect();
    rows.sort_unstable();
    let hashes: Vec<Vec<bool>> = rows
        .iter()
        .map(|row| edges.targets(*row).iter().map(|to| sets[row] == *to).collect())
        .collect();
    let mut hashes = hashes.into_iter();
    edges.rename_each(rows, |_, names| {
        for (name, is_hash) in names.iter_mut().zip(hashes.next().into_iter().flatten()) {
            if is_hash {
                *name = Via::new(EdgeKind::Internal, name.name());
            }
        }
    });
}
