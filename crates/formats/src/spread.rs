//! Walks over references, on all threads where there is much to walk.

use rayon::prelude::*;

/// Rows that are met at once before all threads look at them.
const MANY: usize = 1 << 12;

/// Goes on from rows to all that `next` gives of those that are `new`.
pub(crate) fn spread(
    starts: Vec<u32>,
    new: &(dyn Fn(u32) -> bool + Sync),
    next: &(dyn Fn(u32, &mut Vec<u32>) + Sync),
) {
    let mut frontier: Vec<u32> = starts.into_iter().filter(|&row| new(row)).collect();
    let mut to = Vec::new();
    while let Some(row) = frontier.pop() {
        if frontier.len() >= MANY {
            frontier.push(row);
            frontier = frontier
                .par_chunks(MANY / 8)
                .flat_map_iter(|rows| {
                    let (mut found, mut to) = (Vec::new(), Vec::new());
                    for &row in rows {
                        next(row, &mut to);
                        found.extend(to.drain(..).filter(|&row| new(row)));
                    }
                    found
                })
                .collect();
            continue;
        }
        next(row, &mut to);
        frontier.extend(to.drain(..).filter(|&row| new(row)));
    }
}
