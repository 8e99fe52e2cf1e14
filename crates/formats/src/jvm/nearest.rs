//! Who owns a row that both the library and the program reach: whoever reaches it in fewer steps.
//!
//! A user interface, a timer or a cache of the library refers to what the program gave it. The program's own fields refer to it
//! too, in fewer steps. The library's locales, loggers and loaders are a few steps away from its own classes.

use deadweight_heap::RowSet;
use rayon::prelude::*;

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 12;

/// Where a row leads.
type Next<'n> = &'n (dyn Fn(u32, &mut Vec<u32>) + Sync);

/// The rows of `of` that the program reaches in fewer steps than the library. `rows` is the number of all rows. The library starts
/// at its roots, `starts`; the program starts at the rows that it refers to, `referred`. Each side has its own `next`.
pub(super) fn nearer_to_program(
    rows: usize,
    of: &RowSet,
    (starts, next): (Vec<u32>, Next<'_>),
    (referred, next_of_program): (Vec<u32>, Next<'_>),
) -> RowSet {
    let (met, nearer) = (RowSet::none(rows), RowSet::none(rows));
    let fresh = |to: Vec<u32>| -> Vec<u32> {
        let new = to.into_par_iter().with_min_len(PIECE);
        new.filter(|&row| of.has(row) && met.insert(row)).collect()
    };
    let at_roots = fresh(starts);
    let mut of_library = fresh(steps(&at_roots, next));
    let mut of_program = fresh(referred);
    // Where both come at once, a row is the library's.
    while !of_program.is_empty() {
        of_program.par_iter().for_each(|&row| {
            nearer.insert(row);
        });
        of_library = fresh(steps(&of_library, next));
        of_program = fresh(steps(&of_program, next_of_program));
    }
    nearer
}

/// All rows one step further.
fn steps(from: &[u32], next: Next<'_>) -> Vec<u32> {
    from.par_chunks(PIECE)
        .flat_map_iter(|rows| {
            let mut to = Vec::new();
            for &row in rows {
                next(row, &mut to);
            }
            to
        })
        .collect()
}
