//! Roundings that several allocators share. All saturate.

/// The next multiple of `to`, or the largest number when there is none.
pub fn up(bytes: u64, to: u64) -> u64 {
    bytes.checked_next_multiple_of(to).unwrap_or(u64::MAX)
}

/// Classes 8, 16, then every 16 up to 128, then four to each doubling: 160, 192, 224, 256, 320, …
///
/// jemalloc and mimalloc both use this series, which wastes at most a fifth of a block above 128 bytes.
pub fn four_per_doubling(bytes: u64) -> u64 {
    match bytes {
        0..=8 => 8,
        9..=128 => up(bytes, 16),
        _ => up(bytes, 1 << ((bytes - 1).ilog2() - 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_classes_to_each_doubling() {
        let mut classes: Vec<u64> = (0..=1024).map(four_per_doubling).collect();
        classes.dedup();
        let expected = [
            8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024,
        ];
        assert_eq!(classes, expected);
    }

    #[test]
    fn the_end_of_the_numbers_saturates() {
        assert_eq!(up(u64::MAX - 3, 16), u64::MAX);
        assert_eq!(four_per_doubling(u64::MAX), u64::MAX);
        assert_eq!(four_per_doubling(1 << 63), 1 << 63);
    }
}
