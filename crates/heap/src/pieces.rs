//! Lists gone over by all threads.

use rayon::prelude::*;

/// Shows a list piece by piece to `see`, on all threads. What is seen comes in the order of the list.
pub fn in_pieces<T: Sync, R: Send>(list: &[T], see: impl Fn(&[T]) -> R + Sync + Send) -> Vec<R> {
    let piece = (list.len() / (8 * rayon::current_num_threads())).max(4096);
    list.par_chunks(piece).map(&see).collect()
}

/// Values of a column that are looked at together.
const TOGETHER: usize = 64;

/// The rows at which a column has a `wanted` value, in order, on all threads. Where there are few, many are passed over at a
/// time.
pub fn rows_with<'c, T: Copy + Sync>(
    column: &'c [T],
    wanted: impl Fn(T) -> bool + Copy + Send + Sync + 'c,
) -> impl ParallelIterator<Item = u32> + 'c {
    let parts = column.par_chunks(TOGETHER).enumerate().with_min_len(256);
    parts.flat_map_iter(move |(part, values)| {
        // Without a stop at the first one, so that the processor compares several at once.
        let any = values.iter().fold(false, |any, &value| any | wanted(value));
        let values = if any { values } else { &[] };
        let rows = (part * TOGETHER..).zip(values);
        rows.filter(move |(_, value)| wanted(**value))
            .map(|(row, _)| row as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_a_value_come_in_order_wherever_they_stand() {
        let rows = [0, 1, 63, 64, 200, 40_000, 99_999];
        let mut column = vec![0_u8; 100_000];
        for row in rows {
            column[row as usize] = 7;
        }
        assert_eq!(rows_with(&column, |value| value == 7).collect::<Vec<u32>>(), rows);
        assert_eq!(rows_with(&column, |value| value == 8).count(), 0);
        assert_eq!(rows_with(&column[..1], |value| value == 0).count(), 0);
        assert_eq!(rows_with(&column[1..66], |value| value == 7).count(), 3);
    }
}
