//! Lists gone over by all threads.

use rayon::prelude::*;

/// Shows a list piece by piece to `see`, on all threads. What is seen comes in the order of the list.
pub fn in_pieces<T: Sync, R: Send>(list: &[T], see: impl Fn(&[T]) -> R + Sync + Send) -> Vec<R> {
    let piece = (list.len() / (8 * rayon::current_num_threads())).max(4096);
    list.par_chunks(piece).map(&see).collect()
}
