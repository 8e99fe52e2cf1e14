//! The middle of several runs.

/// The middle of some figures; of an even number the lower one.
pub fn median<T: Copy + PartialOrd>(figures: &[T]) -> Option<T> {
    let mut sorted = figures.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median(&[4, 1, 2, 3]), Some(2));
        assert_eq!(median::<u64>(&[]), None);
    }
}
