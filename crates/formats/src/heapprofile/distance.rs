//! The average distance between samples, where a file does not say it.
//!
//! V8 writes of a sample s · c: the size of its object, and how many of them it stands for,
//! c = ⌊1 / (1 − e^(−s/R)) + ½⌋ with R the distance. That is never much below R, and several s give the same figure, so
//! R can be guessed from the smallest one, and objects cannot be counted.

/// Distances that are in use: those of `node --heap-prof`, of `DevTools`, and halves between.
const USUAL: [u64; 6] = [524_288, 262_144, 131_072, 65_536, 32_768, 16_384];

/// The largest usual distance that no sample is below.
pub(super) fn guess(smallest: u64) -> Option<u64> {
    USUAL.into_iter().find(|&every| every <= smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_in_use_are_guessed_from_the_smallest_figure() {
        assert_eq!(guess(32_784), Some(32_768));
        assert_eq!(guess(524_304), Some(524_288));
        assert_eq!(guess(24), None);
    }
}
