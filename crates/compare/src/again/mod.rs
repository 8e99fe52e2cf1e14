//! Contents that several heaps of one run hold, each for itself: a cache in each of eight workers.

mod contents;
mod digests;
#[cfg(test)]
mod tests;
mod values;

use std::cmp::Reverse;

use deadweight_weighing::{AgainAt, HeldAgain};
use rustc_hash::FxHashMap;

pub use contents::Contents;
use contents::Item;

/// Places that are listed, each with one in [`SHARE`] of the bytes or more.
const LISTED: usize = 8;

/// Fewer bytes are not worth saying, nor is less than one in so many of what all heaps hold.
const LEAST: u64 = 100_000;
const SHARE: u64 = 100;

/// A heap beside others.
#[derive(Clone, Debug)]
pub struct Beside {
    /// What it holds.
    pub contents: Contents,
    /// Which of the heaps is that of the process that started its own.
    pub parent: Option<usize>,
    /// Bytes of its process's pages that it shares with what it was forked from; `None` where the system does not say.
    pub forked: Option<u64>,
}

/// What heaps hold again; `None` where that is little.
#[must_use]
pub fn held_again(heaps: &[Beside]) -> Option<HeldAgain> {
    let held: u64 = heaps.iter().map(|heap| heap.contents.held()).sum();
    let coarsest = heaps.iter().map(|heap| heap.contents.coarseness()).max()?;
    let mut items: Vec<(Item, u32)> = (0..)
        .zip(heaps)
        .flat_map(|(at, heap)| heap.contents.at(coarsest).map(move |item| (item, at)))
        .collect();
    // Of equal contents the largest first: it stays.
    items.sort_unstable_by_key(|(item, heap)| (item.digest, Reverse(item.bytes), *heap));
    let mut places: FxHashMap<(&str, &str), AgainAt> = FxHashMap::default();
    // Only what the parent holds, too, can stand in pages from before the fork.
    let mut inherited = vec![0_u64; heaps.len()];
    for equal in items.chunk_by(|(a, _), (b, _)| a.digest == b.digest) {
        let &(first, heap) = &equal[0];
        if equal.len() < 2 {
            continue;
        }
        let (holder, holds) = heaps[heap as usize].contents.place(first.place);
        let bytes: u64 = equal[1..].iter().map(|(item, _)| item.bytes).sum();
        let place = places.entry((holder, holds)).or_insert_with(|| AgainAt {
            holder: holder.to_owned(),
            holds: holds.to_owned(),
            heaps: 0,
            bytes: 0,
        });
        place.heaps = place.heaps.max(equal.len() as u64);
        place.bytes += bytes * first.stands_for(coarsest);
        for (item, heap) in equal {
            let parent = heaps[*heap as usize].parent;
            if equal.iter().any(|(_, other)| Some(*other as usize) == parent) {
                inherited[*heap as usize] += item.bytes * item.stands_for(coarsest);
            }
        }
    }
    let mut places: Vec<AgainAt> = places.into_values().collect();
    places.sort_by(|a, b| (b.bytes, &a.holder, &a.holds).cmp(&(a.bytes, &b.holder, &b.holds)));
    let bytes: u64 = places.iter().map(|place| place.bytes).sum();
    let large = places.iter().filter(|place| place.bytes >= bytes / SHARE);
    let listed = large.count().min(LISTED);
    let elsewhere = places.drain(listed..).map(|place| place.bytes).sum();
    (bytes >= LEAST.max(held / SHARE)).then_some(HeldAgain {
        heaps: heaps.len() as u64,
        bytes,
        estimated: coarsest > 0,
        held,
        known: heaps.iter().map(|heap| heap.contents.known()).sum(),
        shared: shared(heaps, &inherited).map(|shared| shared.min(bytes)),
        places,
        elsewhere,
    })
}

/// What each process has of its parent in pages that both have; `None` where no system said.
fn shared(heaps: &[Beside], inherited: &[u64]) -> Option<u64> {
    let known = heaps.iter().zip(inherited);
    let known = known.filter_map(|(heap, inherited)| Some(heap.forked?.min(*inherited)));
    heaps
        .iter()
        .any(|heap| heap.forked.is_some())
        .then(|| known.sum())
}
