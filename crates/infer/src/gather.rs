//! Rows gathered by what they have in common, on all threads.

#[cfg(test)]
mod tests;

use std::hash::Hash;

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 14;

/// What is known of some rows, and grows with those behind them.
pub(crate) trait Gathered: Default + Send {
    /// Adds the values of rows that come after these.
    fn append(&mut self, later: Self);
}

impl Gathered for Vec<ObjectId> {
    fn append(&mut self, mut later: Self) {
        Vec::append(self, &mut later);
    }
}

/// Rows by key: `see` is given each row that has a key, in their order, with the value beside the key.
pub(crate) fn gather<K: Eq + Hash + Send, T, V: Gathered>(
    heap: &Heap,
    classify: impl Fn(ObjectId) -> Option<(K, T)> + Sync,
    see: impl Fn(&mut V, ObjectId, T) + Sync,
) -> FxHashMap<K, V> {
    let rows = heap.objects.len();
    let pieces: Vec<FxHashMap<K, V>> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut found: FxHashMap<K, V> = FxHashMap::default();
            for row in (piece * PIECE..((piece + 1) * PIECE).min(rows)).map(|row| row as ObjectId) {
                if let Some((key, value)) = classify(row) {
                    see(found.entry(key).or_default(), row, value);
                }
            }
            found
        })
        .collect();
    let mut found: FxHashMap<K, V> = FxHashMap::default();
    for (key, later) in pieces.into_iter().flatten() {
        found.entry(key).or_default().append(later);
    }
    found
}

/// The rows of each key, in their order.
pub(crate) fn rows_by<K: Eq + Hash + Send>(
    heap: &Heap,
    key: impl Fn(ObjectId) -> Option<K> + Sync,
) -> FxHashMap<K, Vec<ObjectId>> {
    gather(
        heap,
        |row| Some((key(row)?, ())),
        |rows: &mut Vec<ObjectId>, row, ()| rows.push(row),
    )
}
