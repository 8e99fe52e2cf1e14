//! What a fix frees or adds, row by row, in the pieces in which threads found it.

use deadweight_heap::{NONE, ObjectId};
use rayon::prelude::*;

/// Bytes of one row that a fix frees or adds. Eight bytes, as a large heap has tens of millions of them: what is more
/// than fits comes as several claims on one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The row.
    pub object: ObjectId,
    /// Bytes; for a claim at most those of the row count. A claim of all bytes of a row says that the row vanishes.
    pub bytes: u32,
}

/// Claims in the order in which they were made. What several threads found is put together without being copied, and
/// the sum of all bytes is always at hand.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    pieces: Vec<Piece>,
    bytes: u64,
}

/// Claims that one thread found.
#[derive(Clone, Debug, Default)]
struct Piece {
    claims: Vec<Claim>,
    /// For claims on copies of one value of which one must stay, that one, by the claim's place; [`NONE`] for other
    /// claims, as for all that have no row here.
    kept: Vec<ObjectId>,
}

/// Fewer claims than this are copied behind those before them.
const FEW: usize = 1024;

/// Claims that one thread takes at a time.
const PART: usize = 1 << 16;

impl Claims {
    /// Claims bytes of a row.
    pub fn push(&mut self, object: ObjectId, bytes: u64) {
        self.last().push(object, bytes);
        self.bytes += bytes;
    }

    /// Claims all bytes of a row that is a copy of one that stays. When an earlier fix has removed that one, the ledger
    /// keeps a claimed copy in its place.
    pub fn push_copy(&mut self, kept: ObjectId, copy: ObjectId, bytes: u64) {
        self.bytes += bytes;
        let piece = self.last();
        if piece.kept.len() < piece.claims.len() {
            piece.kept.resize(piece.claims.len(), NONE);
        }
        piece.push(copy, bytes);
        piece.kept.push(kept);
        // What is more than fits into one claim.
        while piece.kept.len() < piece.claims.len() {
            piece.kept.push(kept);
        }
    }

    /// Makes room for so many copies.
    pub fn reserve_copies(&mut self, copies: usize) {
        let piece = self.last();
        piece.claims.reserve_exact(copies);
        piece.kept.reserve_exact(copies);
    }

    /// Puts other claims behind these.
    pub fn append(&mut self, more: Self) {
        self.bytes += more.bytes;
        for piece in more.pieces {
            match self.pieces.last_mut() {
                Some(last) if piece.claims.len() <= FEW => last.append(piece),
                _ => self.pieces.push(piece),
            }
        }
    }

    /// Leaves only those that are `wanted`.
    pub(crate) fn retain(&mut self, wanted: impl Fn(Claim) -> bool) {
        for piece in &mut self.pieces {
            let mut left = piece.claims.iter().map(|&claim| wanted(claim));
            // Claims behind the end of `kept` are copies of nothing.
            piece.kept.retain(|_| left.next().unwrap_or(false));
            piece.claims.retain(|&claim| wanted(claim));
        }
        self.bytes = self.iter().map(|claim| u64::from(claim.bytes)).sum();
    }

    /// Bytes of all claims.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of claims.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.claims.len()).sum()
    }

    /// Whether there is no claim.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| piece.claims.is_empty())
    }

    /// All claims in their order.
    pub fn iter(&self) -> impl Iterator<Item = Claim> + '_ {
        self.pieces.iter().flat_map(|piece| piece.claims.iter().copied())
    }

    /// All claims, some at a time, for several threads.
    pub(crate) fn par_parts(&self) -> impl ParallelIterator<Item = &[Claim]> {
        self.pieces
            .par_iter()
            .flat_map(|piece| piece.claims.par_chunks(PART))
    }

    /// The claims on copies in their order: the claim's place among all, the row that stays, and the claim.
    pub(crate) fn copies(&self) -> impl Iterator<Item = (usize, ObjectId, Claim)> + '_ {
        let starts = self.pieces.iter().scan(0, |next, piece| {
            let start = *next;
            *next += piece.claims.len();
            Some((start, piece))
        });
        starts.flat_map(|(start, piece)| {
            let copies = (start..).zip(piece.kept.iter().zip(&piece.claims));
            copies
                .filter(|(_, (kept, _))| **kept != NONE)
                .map(|(at, (&kept, &claim))| (at, kept, claim))
        })
    }

    fn last(&mut self) -> &mut Piece {
        if self.pieces.is_empty() {
            self.pieces.push(Piece::default());
        }
        self.pieces.last_mut().expect("there is one now")
    }
}

impl Piece {
    #[inline]
    fn push(&mut self, object: ObjectId, mut bytes: u64) {
        loop {
            let part = u32::try_from(bytes).unwrap_or(u32::MAX);
            self.claims.push(Claim { object, bytes: part });
            bytes -= u64::from(part);
            if bytes == 0 {
                break;
            }
        }
    }

    fn append(&mut self, more: Self) {
        if !more.kept.is_empty() {
            self.kept.resize(self.claims.len(), NONE);
            self.kept.extend(more.kept);
        }
        self.claims.extend(more.claims);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(rows: std::ops::Range<ObjectId>) -> Claims {
        let mut claims = Claims::default();
        for row in rows {
            claims.push(row, 10);
        }
        claims
    }

    #[test]
    fn claims_come_in_their_order_and_are_added_up() {
        let many = FEW as ObjectId + 1;
        let mut all = claims(0..3);
        all.append(claims(3..3 + many));
        all.append(claims(3 + many..5 + many));
        let rows: Vec<ObjectId> = all.iter().map(|claim| claim.object).collect();
        assert_eq!(rows, (0..5 + many).collect::<Vec<_>>());
        assert_eq!((all.len(), all.bytes()), (rows.len(), 10 * u64::from(5 + many)));
        let parts: usize = all.par_parts().map(<[Claim]>::len).sum();
        assert_eq!(parts, all.len());
    }

    #[test]
    fn copies_know_their_place_among_all_claims() {
        let mut all = claims(0..2);
        all.push_copy(7, 8, 16);
        all.push(9, 4);
        let mut large = claims(10..11 + FEW as ObjectId);
        large.push_copy(11, 12, 16);
        all.append(large);
        let mut small = Claims::default();
        small.push_copy(20, 21, 16);
        all.append(small);
        let copies: Vec<_> = all
            .copies()
            .map(|(at, kept, claim)| (at, kept, claim.object))
            .collect();
        let large = FEW + 1;
        assert_eq!(copies, [(2, 7, 8), (4 + large, 11, 12), (5 + large, 20, 21)]);
    }

    #[test]
    fn claims_that_are_not_wanted_go_with_what_is_kept_for_them() {
        let mut all = claims(0..4);
        all.push_copy(7, 8, 16);
        all.push_copy(7, 9, 16);
        all.push(10, 4);
        all.retain(|claim| claim.object % 2 == 1);
        let rows: Vec<ObjectId> = all.iter().map(|claim| claim.object).collect();
        assert_eq!((rows, all.bytes()), (vec![1, 3, 9], 10 + 10 + 16));
        let copies: Vec<_> = all
            .copies()
            .map(|(at, kept, claim)| (at, kept, claim.object))
            .collect();
        assert_eq!(copies, [(2, 7, 9)]);
    }

    #[test]
    fn a_row_of_many_bytes_is_claimed_in_several_steps() {
        let mut all = Claims::default();
        all.push_copy(0, 1, 10 << 30);
        assert_eq!((all.bytes(), all.len()), (10 << 30, 3));
        assert!(all.copies().all(|(_, kept, _)| kept == 0));
        assert_eq!(all.copies().count(), 3);
    }
}
