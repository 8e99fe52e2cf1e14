//! Columns out of what several threads made.

use rayon::prelude::*;

/// Puts parts one after another, on all threads; `none` is what stands there before.
pub(crate) fn joined<T: Copy + Send + Sync>(parts: Vec<Vec<T>>, none: T) -> Vec<T> {
    let len = parts.iter().map(Vec::len).sum();
    // Filled on all threads, too: it is then that the system has to find pages for it.
    let mut all: Vec<T> = rayon::iter::repeat_n(none, len).collect();
    let mut rest = all.as_mut_slice();
    let mut places = Vec::with_capacity(parts.len());
    for part in parts {
        let (place, after) = rest.split_at_mut(part.len());
        places.push((place, part));
        rest = after;
    }
    places
        .into_par_iter()
        .for_each(|(place, part)| place.copy_from_slice(&part));
    all
}
