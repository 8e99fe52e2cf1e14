//! Numbers that are spread over all bits, as those of a hash are.

/// The number after `state` of `SplitMix64` (Steele, Lea and Flood, 2014): neighbours come out unlike each other.
#[must_use]
pub const fn splitmix(state: u64) -> u64 {
    let z = state.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::splitmix;

    #[test]
    fn the_first_numbers_of_a_generator_that_starts_at_nothing() {
        // As the reference implementation gives them for the seed 0.
        let known = [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ];
        assert_eq!([1, 2, 3].map(splitmix), known);
    }
}
