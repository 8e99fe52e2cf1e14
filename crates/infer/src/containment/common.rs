//! Looks through all blocks for what samples hold.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;

use super::samples::Samples;
use super::{SHORTEST, WINDOW};

/// Windows that more places have are not distinctive: boilerplate.
const MOST_PLACES: u32 = 32;

/// A stretch of a piece that another block holds, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Common {
    /// Which piece of the samples.
    pub piece: u32,
    /// Where in the piece.
    pub at: Range<usize>,
    /// The other block.
    pub row: ObjectId,
}

struct Hit {
    window: u32,
    row: ObjectId,
    offset: usize,
}

/// What blocks of the program have in common with the samples, in the order of pieces. A block is not compared with
/// itself.
pub(super) fn common(heap: &Heap, samples: &Samples) -> Vec<Common> {
    let places: Vec<AtomicU32> = samples.windows.iter().map(|_| AtomicU32::new(0)).collect();
    let rows = heap.rows().into_par_iter().with_min_len(1024);
    let mut hits: Vec<Hit> = rows
        .filter(|&row| heap.in_program(row))
        .flat_map_iter(|row| look(heap, samples, row, &places))
        .collect();
    // Of a window that is everywhere not all places were noted: which ones is left to chance.
    hits.retain(|hit| places[hit.window as usize].load(Ordering::Relaxed) <= MOST_PLACES);
    let diagonal = |hit: &Hit| {
        let window = samples.windows[hit.window as usize];
        let shift = hit.offset.wrapping_sub(window.offset as usize);
        (window.piece, hit.row, shift, window.offset)
    };
    hits.par_sort_unstable_by_key(diagonal);
    let pieces = hits.par_chunk_by(|a, b| {
        let (a, b) = (diagonal(a), diagonal(b));
        (a.0, a.1, a.2) == (b.0, b.1, b.2)
    });
    pieces
        .flat_map_iter(|hits| stretches(heap, samples, hits))
        .collect()
}

fn look(heap: &Heap, samples: &Samples, row: ObjectId, places: &[AtomicU32]) -> Vec<Hit> {
    let mut hits = Vec::new();
    let Some(content) = heap.blocks.content(row) else {
        return hits;
    };
    let mut before = 0;
    for (at, &word) in content.as_chunks::<8>().0.iter().enumerate() {
        let window = (before, u64::from_le_bytes(word));
        before = window.1;
        // A window with a word of zeros is not distinctive, so none is looked for.
        if at == 0 || window.0 == 0 || window.1 == 0 {
            continue;
        }
        let offset = at * 8 + 8 - WINDOW;
        for found in samples.find(window) {
            let is_itself = samples.pieces[samples.windows[found as usize].piece as usize].row == row;
            if !is_itself && places[found as usize].fetch_add(1, Ordering::Relaxed) < MOST_PLACES {
                hits.push(Hit {
                    window: found,
                    row,
                    offset,
                });
            }
        }
    }
    hits
}

/// Hits of one piece in one block at one distance, made as long as the contents agree.
fn stretches(heap: &Heap, samples: &Samples, hits: &[Hit]) -> Vec<Common> {
    let mut found: Vec<Common> = Vec::new();
    let Some(content) = hits.first().and_then(|hit| heap.blocks.content(hit.row)) else {
        return found;
    };
    for hit in hits {
        let window = samples.windows[hit.window as usize];
        let piece = &samples.pieces[window.piece as usize].bytes;
        let at = window.offset as usize;
        let is_known = found.last().is_some_and(|last| at < last.at.end);
        // Two windows of one hash may differ.
        let is_there = content.get(hit.offset..hit.offset + WINDOW) == piece.get(at..at + WINDOW);
        if is_known || !is_there {
            continue;
        }
        let before = piece[..at].iter().rev().zip(content[..hit.offset].iter().rev());
        let before = before.take_while(|(a, b)| a == b).count();
        let after = piece[at..].iter().zip(&content[hit.offset..]);
        let after = after.take_while(|(a, b)| a == b).count();
        if before + after >= SHORTEST {
            found.push(Common {
                piece: window.piece,
                at: at - before..at + after,
                row: hit.row,
            });
        }
    }
    found
}
