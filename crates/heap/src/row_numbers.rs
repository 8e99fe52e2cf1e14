//! A number for each row, in two bytes.

use rayon::prelude::*;

use crate::ObjectId;

/// A number for each row of a heap: its holder, for instance. Rows that stand side by side have few different numbers, so
/// each row says in two bytes which of those of its piece it has.
#[derive(Debug)]
pub struct RowNumbers {
    local: Vec<u16>,
    /// The numbers of each piece.
    pieces: Vec<Vec<u32>>,
}

/// Rows of a piece, one fewer than two bytes can number.
pub(crate) const PIECE: usize = u16::MAX as usize;

impl RowNumbers {
    /// Looks at all rows, piece by piece, on all threads. `start` begins a piece, `meet` gives a row's place among the
    /// numbers of its piece, and `finish` gives these numbers, for one piece after the other.
    pub fn of<P: Send>(
        rows: usize,
        start: impl Fn() -> P + Sync,
        meet: impl Fn(&mut P, ObjectId) -> u16 + Sync,
        finish: impl FnMut(P) -> Vec<u32>,
    ) -> Self {
        let mut local = vec![0_u16; rows];
        let pieces: Vec<P> = local
            .par_chunks_mut(PIECE)
            .enumerate()
            .map(|(piece, places)| {
                let mut met = start();
                for (row, place) in (piece * PIECE..).zip(places) {
                    *place = meet(&mut met, row as ObjectId);
                }
                met
            })
            .collect();
        Self {
            local,
            pieces: pieces.into_iter().map(finish).collect(),
        }
    }

    /// The number of a row; `None` for a row that is not there.
    #[must_use]
    #[inline]
    pub fn get(&self, row: ObjectId) -> Option<u32> {
        let local = *self.local.get(row as usize)?;
        Some(self.pieces[row as usize / PIECE][usize::from(local)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_its_number_in_whatever_piece_it_stands() {
        let rows = 3 * PIECE + 7;
        let number = |row: u32| row % 5 * 1000;
        let numbers = RowNumbers::of(
            rows,
            Vec::new,
            |met: &mut Vec<u32>, row| {
                let at = met.iter().position(|&known| known == number(row));
                let at = at.unwrap_or_else(|| {
                    met.push(number(row));
                    met.len() - 1
                });
                at as u16
            },
            |met| met,
        );
        for row in [0, 1, PIECE - 1, PIECE, 2 * PIECE + 3, rows - 1] {
            assert_eq!(numbers.get(row as u32), Some(number(row as u32)), "{row}");
        }
        assert_eq!(numbers.get(rows as u32), None);
    }

    #[test]
    fn every_row_of_a_piece_may_have_a_number_of_its_own() {
        let numbers = RowNumbers::of(
            PIECE,
            Vec::new,
            |met: &mut Vec<u32>, row| {
                met.push(row + 1);
                (met.len() - 1) as u16
            },
            |met| met,
        );
        assert_eq!(numbers.get(PIECE as u32 - 1), Some(PIECE as u32));
    }
}
