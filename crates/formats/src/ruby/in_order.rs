//! Pieces of a file that are scanned on all threads and put together in their order, each as soon as those before it are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use siphasher::sip128::SipHasher13;

use super::rows::{self, Piece};
use crate::error::Malformed;
use crate::progress;

/// What was scanned.
#[derive(Default)]
struct Scanned {
    all: Piece,
    /// How many pieces that is.
    pieces: usize,
    /// Pieces that wait for one before them.
    waiting: BTreeMap<usize, Result<Piece, Malformed>>,
    /// Pieces that were put behind the others: the next ones are scanned into their memory.
    empty: Vec<Piece>,
}

/// The rows between the first and the last of `cuts`, each of which begins a row. An error is that of the first row that
/// has one.
pub(super) fn scanned(bytes: &[u8], cuts: &[usize], key: SipHasher13) -> Result<Piece, Malformed> {
    let next = AtomicUsize::new(0);
    let scanned = Mutex::new(Scanned::default());
    let lock = || scanned.lock().unwrap_or_else(PoisonError::into_inner);
    // Pieces are taken in their order, whichever part of the range a thread has: few ever wait.
    (1..cuts.len()).into_par_iter().try_for_each(|_| {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let (start, end) = (cuts[at], cuts[at + 1]);
        progress::add(end - start);
        let empty = lock().empty.pop();
        let mut piece = empty.unwrap_or_else(|| Piece::new(key));
        let result = rows::piece(bytes, start, end, &mut piece).map(|()| piece);
        lock().put(at, result, cuts)
    })?;
    let all = std::mem::take(&mut lock().all);
    Ok(all)
}

impl Scanned {
    /// Takes a piece, and puts together what is there of the next ones.
    fn put(&mut self, at: usize, piece: Result<Piece, Malformed>, cuts: &[usize]) -> Result<(), Malformed> {
        self.waiting.insert(at, piece);
        while let Some(piece) = self.waiting.remove(&self.pieces) {
            let mut piece = piece?;
            self.pieces += 1;
            let (first, last) = (cuts[0], cuts[cuts.len() - 1]);
            let share = (cuts[self.pieces] - first) as f64 / (last - first) as f64;
            self.all.append(&mut piece, share);
            self.empty.push(piece);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::super::phrases::Phrases;
    use super::*;

    fn rows_of(bytes: &[u8], cuts: &[usize]) -> String {
        match scanned(bytes, cuts, SipHasher13::default()) {
            Ok(mut rows) => {
                rows.phrases = Phrases::default();
                format!("{rows:?}")
            }
            Err(error) => format!("{error:?}"),
        }
    }

    proptest! {
        #[test]
        fn many_pieces_say_what_one_says(
            rows in prop::collection::vec((0..4_usize, prop::bool::weighted(0.99)), 1..200),
            step in 1..20_usize,
        ) {
            let mut text = String::new();
            let mut starts = Vec::new();
            for (row, (references, right)) in rows.into_iter().enumerate() {
                starts.push(text.len());
                let references = vec!["\"0x20\""; references].join(", ");
                let class = if right { "0x10" } else { "ox10" };
                writeln!(
                    text,
                    "{{\"address\":\"{:#x}\", \"type\":\"STRING\", \"class\":\"{class}\", \"references\":[{references}], \
                     \"name\":\"n{row}\", \"value\":\"v{row}\", \"file\":\"f\", \"line\":{row}, \"memsize\":{row}}}",
                    row * 8 + 8,
                ).unwrap();
            }
            let mut cuts: Vec<usize> = starts.iter().copied().step_by(step).collect();
            cuts.push(text.len());
            prop_assert_eq!(rows_of(text.as_bytes(), &cuts), rows_of(text.as_bytes(), &[0, text.len()]));
        }
    }
}
