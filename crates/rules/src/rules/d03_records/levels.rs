//! Settles digests from the inside out: first of what holds no other record, then of what holds only those, and so on.

use deadweight_heap::NONE;
use rayon::prelude::*;

use super::digests::{Digest, Digests};

/// How many levels are settled from the inside out.
const LEVELS: u8 = 60;

/// How deep values are compared that are part of a circle, or hold one. What is deeper than all levels gets as many more.
const ROUNDS: u8 = 4;

/// Digests that are tried before what they settle is written down.
const PIECE: usize = 1 << 18;

/// Digests that one thread takes at a time.
const FEWEST: usize = 1 << 10;

/// Which digests wait for which other one, as lists in two columns.
struct Waiting {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Waiting {
    fn add(&mut self, rank: u32, other: u32) {
        self.next[rank as usize] = std::mem::replace(&mut self.first[other as usize], rank);
    }

    /// Those that wait for one, which they then no longer do.
    fn take(&mut self, other: u32) -> impl Iterator<Item = u32> + '_ {
        let waits = |rank: u32| (rank != NONE).then_some(rank);
        let first = std::mem::replace(&mut self.first[other as usize], NONE);
        std::iter::successors(waits(first), move |&rank| waits(self.next[rank as usize]))
    }
}

pub(super) fn settle(digests: &mut Digests<'_>) {
    let count = digests.numbers.len();
    let mut waiting = Waiting {
        first: vec![NONE; count],
        next: vec![NONE; count],
    };
    // Most records hold arrays that hold no records: with these known first, fewer records have to wait.
    let records = digests.count_of_records() as u32;
    let mut ready: Vec<u32> = (records..count as u32).chain(0..records).collect();
    while !ready.is_empty() {
        let mut settled = Vec::new();
        for piece in ready.chunks(PIECE) {
            let tried = piece.par_iter().with_min_len(FEWEST);
            let tried: Vec<Result<Digest, u32>> = tried.map(|&rank| digests.digest(rank, true)).collect();
            for (&rank, tried) in piece.iter().zip(tried) {
                match tried {
                    Ok(digest) if digest.height <= LEVELS => {
                        digests.known[rank as usize] = digest;
                        settled.push(rank);
                    }
                    Ok(_) => {}
                    Err(other) => waiting.add(rank, other),
                }
            }
        }
        ready.clear();
        for rank in settled {
            ready.extend(waiting.take(rank));
        }
    }
    in_circles(digests);
}

/// Compares what is left: a value that is not known yet is equal to itself alone, and more are known after each round.
fn in_circles(digests: &mut Digests<'_>) {
    let ranks = 0..digests.known.len() as u32;
    let open: Vec<u32> = ranks
        .filter(|&rank| digests.known[rank as usize].value == 0)
        .collect();
    for _ in 0..ROUNDS {
        let each = open.par_iter().with_min_len(FEWEST);
        let next: Vec<Digest> = each
            .filter_map(|&rank| digests.digest(rank, false).ok())
            .collect();
        for (&rank, digest) in open.iter().zip(next) {
            let height = digest.height.min(LEVELS + ROUNDS + 1);
            digests.known[rank as usize] = Digest { height, ..digest };
        }
    }
}
