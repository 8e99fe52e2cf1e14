//! Numbers from their digits, eight bytes at a time.

#![allow(
    clippy::inline_always,
    reason = "a call for each number costs about as much as reading it"
)]

use wide::bytemuck::cast;
use wide::i16x8;

/// The number that the first bytes of a word spell: so many digits, from one to eight.
#[inline(always)]
pub(super) const fn number(word: u64, len: u32) -> u64 {
    // Neighbours are joined three times.
    let digits = digits(word, len);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & 0x0000_00FF_0000_00FF).wrapping_mul(1 + (10_000 << 32));
    high.wrapping_add(low) >> 32
}

/// The values of the first bytes of a word, so many digits from one to eight: the last in the highest byte, zeros before the
/// first one.
#[inline(always)]
pub(super) const fn digits(word: u64, len: u32) -> u64 {
    (word ^ 0x3030_3030_3030_3030) << (64_u32.wrapping_sub(8 * len) % 64)
}

/// The numbers that two words of [`digits`] spell: as [`number`] does it, for both at once.
#[inline(always)]
pub(super) fn two_numbers(digits: [u64; 2]) -> (u64, u64) {
    let digits: i16x8 = cast(digits);
    let pairs: i16x8 = (digits & i16x8::splat(0xFF)) * i16x8::splat(10) + (digits >> 8);
    let fours = pairs.dot(i16x8::new([100, 1, 100, 1, 100, 1, 100, 1]));
    let fours = i16x8::from_i32x8_saturate(cast([fours, fours]));
    let eights = fours.dot(i16x8::new([10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1]));
    let [both, _]: [u64; 2] = cast(eights);
    (both & 0xFFFF_FFFF, both >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_at_once_are_what_each_is_by_itself() {
        let of = [0, 7, 10, 408, 9_999, 10_000, 1_234_567, 99_999_999_u64];
        for (one, other) in of.iter().flat_map(|one| of.map(|other| (*one, other))) {
            let words = [one, other].map(|value| {
                // More of the file stands behind the number.
                let text = format!("{value},4567890");
                let word = text
                    .as_bytes()
                    .first_chunk()
                    .map_or(0, |word| u64::from_le_bytes(*word));
                let len = value.to_string().len() as u32;
                assert_eq!(number(word, len), value);
                digits(word, len)
            });
            assert_eq!(two_numbers(words), (one, other));
        }
    }
}
