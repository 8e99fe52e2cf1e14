//! Settles digests from the inside out: first of what holds no other record, then of what holds only those, and so on.

use deadweight_heap::{Kind, ObjectId};
use rayon::prelude::*;

use super::digests::{Digest, Digests, itself};

/// How many levels are settled from the inside out.
const LEVELS: u8 = 60;

/// How deep values are compared that are part of a circle, or hold one. What is deeper than all levels gets as many more.
const ROUNDS: u8 = 4;

/// Digests that are tried before what they settle is written down.
const PIECE: usize = 1 << 18;

/// Digests that one thread takes at a time.
const FEWEST: usize = 1 << 10;

pub(super) fn settle(digests: &mut Digests<'_>) {
    // Most records hold arrays that hold no records: with these known first, fewer records have to wait.
    let is_record = |row: &ObjectId| digests.heap.kind(*row) == Kind::Record;
    let (records, mut ready): (Vec<ObjectId>, Vec<ObjectId>) = digests.compared.rows().partition(is_record);
    ready.extend(records);
    while !ready.is_empty() {
        let (mut waiting, mut next) = (Vec::new(), Vec::new());
        for piece in ready.chunks(PIECE) {
            let tried = piece.par_iter().with_min_len(FEWEST);
            let tried: Vec<Result<Digest, ObjectId>> = tried
                .map(|&row| digests.digest(row, || digests.fields(row)))
                .collect();
            for (&row, tried) in piece.iter().zip(tried) {
                match tried {
                    Ok(digest) if digest.height <= LEVELS => waiting.push(digests.write(row, digest)),
                    Ok(_) => {}
                    Err(other) if digests.is_known(other) => next.push(row),
                    Err(other) => digests.wait(row, other),
                }
            }
        }
        for first in waiting {
            digests.waiting(first, |row| next.push(row));
        }
        ready = next;
    }
    in_circles(digests);
}

/// Digests of what is part of a circle or holds one, and of what is deeper than all levels.
fn in_circles(digests: &mut Digests<'_>) {
    let open: Vec<ObjectId> = digests
        .compared
        .rows()
        .filter(|&row| !digests.is_known(row))
        .collect();
    let write = |digests: &mut Digests<'_>, each: &[Digest]| {
        for (&row, &digest) in open.iter().zip(each) {
            digests.write(row, digest);
        }
    };
    let alone = |&row: &ObjectId| Digest {
        value: itself(row),
        height: 0,
    };
    write(digests, &open.iter().map(alone).collect::<Vec<_>>());
    let each = || open.par_iter().with_min_len(FEWEST);
    let fields: Vec<u64> = each().map(|&row| digests.fields(row)).collect();
    for _ in 0..ROUNDS {
        let next = each().zip(&fields).map(|(&row, &fields)| {
            let digest = digests.digest(row, || fields).unwrap_or_default();
            let height = digest.height.min(LEVELS + ROUNDS + 1);
            Digest { height, ..digest }
        });
        let next: Vec<Digest> = next.collect();
        write(digests, &next);
    }
}

/// The first row that waits for another one, or none; they count from 1.
#[derive(Clone, Copy)]
struct First(u32);

impl Digests<'_> {
    fn is_known(&self, row: ObjectId) -> bool {
        self.heights[row as usize] > 0
    }

    /// Notes the digest of a row; gives the first that waited for it.
    fn write(&mut self, row: ObjectId, digest: Digest) -> First {
        let row = row as usize;
        let first = if self.heights[row] == 0 {
            (self.values[row] >> 32) as u32
        } else {
            0
        };
        self.values[row] = digest.value;
        self.heights[row] = digest.height + 1;
        First(first)
    }

    /// Lets a row wait for another one. Neither is known: in place of a digest each has the first row that waits for it,
    /// and the next one that waits for the same as it does.
    fn wait(&mut self, row: ObjectId, other: ObjectId) {
        let (row_at, other) = (row as usize, other as usize);
        let first = self.values[other] >> 32;
        self.values[other] = u64::from(row + 1) << 32 | self.values[other] & u64::from(u32::MAX);
        self.values[row_at] = self.values[row_at] >> 32 << 32 | first;
    }

    /// Shows all that waited, from the first one on.
    fn waiting(&self, First(mut first): First, mut ready: impl FnMut(ObjectId)) {
        while let Some(row) = first.checked_sub(1) {
            ready(row);
            first = self.values[row as usize] as u32;
        }
    }
}
