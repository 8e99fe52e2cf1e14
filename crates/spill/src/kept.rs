//! Pages that were given back and are kept for the next who asks: a page of the system's costs more to get than to fill.
//!
//! Those kept and those in use are together fewer than were once in use at the same time, so that the most memory that a
//! process takes is about what it would be without. Fewer, as not all that is in use was written to and takes memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::pages::PAGE;

/// Pieces that are kept at most. More than that are met only where many are given back at once.
const PLACES: usize = 64;

/// One part in so many of what was in use is not counted on.
const UNWRITTEN: usize = 16;

/// Pages side by side.
#[derive(Clone, Copy)]
pub struct Piece {
    pub start: usize,
    pub bytes: usize,
}

const NONE: Piece = Piece { start: 0, bytes: 0 };

/// What is kept, and what is in use.
pub struct Kept {
    pieces: [Piece; PLACES],
    len: usize,
    /// Bytes of all pieces.
    bytes: usize,
    used: usize,
    /// The most that were in use at a time.
    most: usize,
}

static KEPT: Mutex<Kept> = Mutex::new(Kept::new());

/// What all threads keep.
pub fn all() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    const fn new() -> Self {
        Self {
            pieces: [NONE; PLACES],
            len: 0,
            bytes: 0,
            used: 0,
            most: 0,
        }
    }

    /// Counts bytes more as in use.
    pub fn begin(&mut self, bytes: usize) {
        self.used += bytes;
        self.most = self.most.max(self.used);
    }

    /// Counts bytes as no longer in use.
    pub fn end(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Keeps a piece; false when there is no place for it.
    pub fn put(&mut self, piece: Piece) -> bool {
        if self.len == PLACES {
            return false;
        }
        self.pieces[self.len] = piece;
        self.len += 1;
        self.bytes += piece.bytes;
        true
    }

    /// So many bytes of the smallest piece that has them, or else the largest piece, which has fewer.
    pub fn take(&mut self, bytes: usize) -> Option<Piece> {
        let pieces = &self.pieces[..self.len];
        let places = 0..pieces.len();
        let fitting = places.clone().filter(|&at| pieces[at].bytes >= bytes);
        let at = fitting
            .min_by_key(|&at| pieces[at].bytes)
            .or_else(|| places.max_by_key(|&at| pieces[at].bytes))?;
        Some(self.cut(at, bytes))
    }

    /// Something that is too much beside what is in use; whoever takes it gives it back to the system.
    pub fn too_much(&mut self) -> Option<Piece> {
        // Whole pages, as all other sizes are.
        let most = self.most - self.most / UNWRITTEN / PAGE * PAGE;
        let bytes = (self.used + self.bytes).saturating_sub(most);
        if bytes == 0 {
            return None;
        }
        let least = (0..self.len).min_by_key(|&at| self.pieces[at].bytes)?;
        Some(self.cut(least, bytes))
    }

    /// Any piece; whoever takes it gives it back to the system.
    pub fn any(&mut self) -> Option<Piece> {
        let last = self.len.checked_sub(1)?;
        Some(self.cut(last, usize::MAX))
    }

    /// So many bytes of a piece, or all that it has.
    fn cut(&mut self, at: usize, bytes: usize) -> Piece {
        let piece = self.pieces[at];
        let bytes = bytes.min(piece.bytes);
        let rest = Piece {
            start: piece.start + bytes,
            bytes: piece.bytes - bytes,
        };
        if rest.bytes > 0 {
            self.pieces[at] = rest;
        } else {
            self.len -= 1;
            self.pieces[at] = self.pieces[self.len];
        }
        self.bytes -= bytes;
        Piece {
            start: piece.start,
            bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(start: usize, bytes: usize) -> Piece {
        Piece { start, bytes }
    }

    #[test]
    fn the_smallest_piece_that_has_as_much_is_cut() {
        let mut kept = Kept::new();
        assert!(kept.put(piece(100, 50)) && kept.put(piece(200, 20)) && kept.put(piece(300, 30)));
        let cut = kept.take(15).unwrap();
        assert_eq!((cut.start, cut.bytes), (200, 15));
        let cut = kept.take(25).unwrap();
        assert_eq!((cut.start, cut.bytes), (300, 25));
        let largest = kept.take(60).unwrap();
        assert_eq!((largest.start, largest.bytes), (100, 50));
        assert_eq!(kept.bytes, 5 + 5);
    }

    #[test]
    fn no_more_is_kept_than_was_in_use() {
        let mut kept = Kept::new();
        kept.begin(170 * PAGE);
        kept.end(100 * PAGE);
        assert!(kept.put(piece(1000 * PAGE, 100 * PAGE)));
        let extra = kept.too_much().unwrap();
        assert_eq!((extra.start, extra.bytes), (1000 * PAGE, 10 * PAGE));
        assert!(kept.too_much().is_none());
        kept.begin(5 * PAGE);
        let extra = kept.too_much().unwrap();
        assert_eq!((extra.start, extra.bytes), (1010 * PAGE, 5 * PAGE));
        kept.begin(200 * PAGE);
        assert_eq!(kept.too_much().unwrap().bytes, 85 * PAGE);
        assert!(kept.too_much().is_none());
    }

    #[test]
    fn places_are_few() {
        let mut kept = Kept::new();
        let put = (0..2 * PLACES).filter(|&at| kept.put(piece(at, 1))).count();
        assert_eq!(put, PLACES);
        assert_eq!(std::iter::from_fn(|| kept.any()).count(), PLACES);
        assert_eq!(kept.bytes, 0);
    }
}
