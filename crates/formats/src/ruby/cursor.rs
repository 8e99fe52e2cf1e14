//! Reading a row byte by byte: keys, and values of each form.

use memchr::{memchr, memmem};
use wide::u8x16;

use crate::error::Malformed;

/// A span of the file.
pub(super) type Span = (u64, u32);

/// Bytes that are looked at in one go.
const WINDOW: usize = 16;

/// No machine gives one object more.
const MOST_BYTES: u64 = 1 << 40;

/// The bytes of a span.
pub(super) fn of(bytes: &[u8], (start, len): Span) -> &[u8] {
    bytes
        .get(start as usize..start as usize + len as usize)
        .unwrap_or(&[])
}

/// A place in a row.
pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub end: usize,
}

impl Cursor<'_> {
    fn wrong(&self, expected: &str) -> Malformed {
        if self.at >= self.end {
            Malformed::new(self.at, expected, "the end of the row")
        } else {
            Malformed::at(self.bytes, self.at, expected)
        }
    }

    #[cold]
    fn other_than(&self, byte: u8) -> Malformed {
        self.wrong(&format!("'{}'", char::from(byte)))
    }

    #[inline]
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.at..self.end]
    }

    #[inline]
    pub(super) fn next(&mut self) -> Result<u8, Malformed> {
        let byte = *self.rest().first().ok_or_else(|| self.wrong("more of the row"))?;
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    pub(super) fn blank(&mut self) {
        while self.rest().first() == Some(&b' ') {
            self.at += 1;
        }
    }

    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.rest().first() != Some(&byte) {
            return Err(self.other_than(byte));
        }
        self.at += 1;
        Ok(())
    }

    /// Whether another field follows, before which the cursor then stands, or the end of the row. `key_at` is where
    /// the key of the last field stands.
    pub(super) fn another(&mut self, key_at: usize) -> Result<bool, Malformed> {
        match self.next()? {
            b',' => self.blank(),
            b'}' if self.at == self.end => return Ok(false),
            _ => {
                return Err(Malformed::at(
                    self.bytes,
                    self.at - 1,
                    "',' or the end of the row",
                ));
            }
        }
        if self.at >= self.end {
            return Err(Malformed::at(self.bytes, key_at, "a row that ends with '}'"));
        }
        Ok(true)
    }
}

impl<'a> Cursor<'a> {
    /// A key with its colon, and where it began.
    #[inline]
    pub(super) fn key(&mut self) -> Result<(&'a [u8], usize), Malformed> {
        let begin = self.at;
        let span = self.string()?;
        self.expect(b':')?;
        self.blank();
        Ok((of(self.bytes, span), begin))
    }

    /// The inside of a string, escapes as they stand.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Span, Malformed> {
        /// So many windows are looked at one by one: a search over more of the file takes longer to begin.
        const WINDOWS: usize = 4;
        self.expect(b'"')?;
        let start = self.at;
        let windows = self.rest().as_chunks::<WINDOW>().0.iter().take(WINDOWS);
        for (before, &window) in windows.enumerate() {
            let window = u8x16::new(window);
            let ends = window.simd_eq(u8x16::splat(b'"')) | window.simd_eq(u8x16::splat(b'\\'));
            let ends = ends.to_bitmask();
            if ends != 0 {
                let len = before * WINDOW + ends.trailing_zeros() as usize;
                if self.bytes[start + len] != b'"' {
                    break;
                }
                self.at = start + len + 1;
                return Ok((start as u64, len as u32));
            }
        }
        self.any_string()
    }

    /// The inside of a string of any length, with any escapes, that starts here.
    fn any_string(&mut self) -> Result<Span, Malformed> {
        let start = self.at;
        loop {
            let Some(quote) = memchr(b'"', self.rest()) else {
                return Err(Malformed::at(
                    self.bytes,
                    start - 1,
                    "a string that ends in its row",
                ));
            };
            let quote = self.at + quote;
            self.at = quote + 1;
            // Behind an odd number of backslashes the quote is one of the text.
            let backslashes = self.bytes[start..quote]
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'\\')
                .count();
            if backslashes % 2 == 0 {
                return Ok((start as u64, (quote - start).min(u32::MAX as usize) as u32));
            }
        }
    }

    pub(super) fn plain(&mut self) -> Result<&'a [u8], Malformed> {
        let span = self.string()?;
        Ok(of(self.bytes, span))
    }

    /// `"0x7f…"`.
    #[inline]
    pub(super) fn address(&mut self) -> Result<u64, Malformed> {
        if let Some((head, rest)) = self.rest().split_first_chunk::<3>()
            && head == b"\"0x"
            && let Some((address, digits)) = rest.first_chunk().and_then(hexadecimal)
        {
            self.at += 3 + digits + 1;
            return Ok(address);
        }
        self.any_address()
    }

    /// An address of any length, digit by digit.
    fn any_address(&mut self) -> Result<u64, Malformed> {
        let begin = self.at;
        if !self.rest().starts_with(b"\"0x") {
            return Err(self.wrong("an address (\"0x…\")"));
        }
        self.at += 3;
        let mut address = 0_u64;
        let mut digits = 0;
        loop {
            let byte = self.next()?;
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'f' => byte - b'a' + 10,
                b'A'..=b'F' => byte - b'A' + 10,
                b'"' if digits > 0 && digits <= 16 => return Ok(address),
                _ => {
                    return Err(Malformed::at(
                        self.bytes,
                        begin,
                        "an address of at most 16 hexadecimal digits",
                    ));
                }
            };
            address = address << 4 | u64::from(digit);
            digits += 1;
        }
    }

    pub(super) fn references(&mut self, into: &mut Vec<u64>) -> Result<(), Malformed> {
        self.expect(b'[')?;
        if self.rest().first() == Some(&b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            into.push(self.address()?);
            match self.next()? {
                b',' => self.blank(),
                b']' => return Ok(()),
                _ => return Err(Malformed::at(self.bytes, self.at - 1, "',' or ']'")),
            }
        }
    }

    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, Malformed> {
        if let Some((number, digits)) = self.rest().first_chunk().copied().and_then(decimal) {
            self.at += digits;
            return Ok(number);
        }
        self.any_number()
    }

    /// A number of any length, digit by digit.
    fn any_number(&mut self) -> Result<u64, Malformed> {
        let digits = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if digits == 0 {
            return Err(self.wrong("a whole number"));
        }
        let number = self.rest()[..digits].iter().fold(0_u64, |sum, byte| {
            sum.saturating_mul(10).saturating_add(u64::from(byte - b'0'))
        });
        self.at += digits;
        Ok(number)
    }

    /// Bytes of one object, so few that what all have together can be summed up.
    pub(super) fn bytes_of_one(&mut self) -> Result<u64, Malformed> {
        let start = self.at;
        let bytes = self.number()?;
        if bytes > MOST_BYTES {
            return Err(Malformed::at(
                self.bytes,
                start,
                "at most 2^40 bytes for one object",
            ));
        }
        Ok(bytes)
    }

    pub(super) fn boolean(&mut self) -> Result<bool, Malformed> {
        for (text, value) in [(&b"true"[..], true), (b"false", false)] {
            if self.rest().starts_with(text) {
                self.at += text.len();
                return Ok(value);
            }
        }
        Err(self.wrong("true or false"))
    }

    /// A string's inside, or a bare number or word.
    pub(super) fn scalar(&mut self) -> Result<Span, Malformed> {
        if self.rest().first() == Some(&b'"') {
            return self.string();
        }
        let start = self.at;
        let len = self
            .rest()
            .iter()
            .take_while(|byte| !matches!(byte, b',' | b'}' | b' '))
            .count();
        if len == 0 {
            return Err(self.wrong("a value"));
        }
        self.at += len;
        Ok((start as u64, len as u32))
    }

    /// A path, which Ruby writes as it is: a quote in it does not end it, the next field does.
    pub(super) fn raw_path(&mut self) -> Result<Span, Malformed> {
        const NEXT: [&[u8]; 5] = [
            b"\"line\":",
            b"\"method\":",
            b"\"generation\":",
            b"\"memsize\":",
            b"\"flags\":",
        ];
        self.expect(b'"')?;
        let start = self.at;
        for comma in memmem::find_iter(&self.bytes[start..self.end], b"\", ") {
            let next = &self.bytes[start + comma + 3..self.end];
            if NEXT.iter().any(|field| next.starts_with(field)) {
                self.at = start + comma + 1;
                return Ok((start as u64, comma as u32));
            }
        }
        Err(Malformed::at(
            self.bytes,
            start - 1,
            "a path followed by another field",
        ))
    }

    /// Passes over a value of any form.
    pub(super) fn skip(&mut self) -> Result<(), Malformed> {
        let mut depth = 0_usize;
        loop {
            match self.rest().first() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':' | b' ') if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                _ => {
                    self.scalar_in_any()?;
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn scalar_in_any(&mut self) -> Result<(), Malformed> {
        let len = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'))
            .count();
        if len == 0 {
            return Err(self.wrong("a value"));
        }
        self.at += len;
        Ok(())
    }
}

/// A number of 1 to 15 hexadecimal digits that ends at a quote, and how many digits it has.
#[inline]
fn hexadecimal(window: &[u8; WINDOW]) -> Option<(u64, usize)> {
    let bytes = u8x16::new(*window);
    let len = bytes.simd_eq(u8x16::splat(b'"')).to_bitmask().trailing_zeros();
    let is_among = |bytes: u8x16, from: u8, to: u8| {
        let within = bytes.max(u8x16::splat(from)).min(u8x16::splat(to));
        within.simd_eq(bytes)
    };
    let is_digit = is_among(bytes, b'0', b'9') | is_among(bytes | u8x16::splat(0x20), b'a', b'f');
    let inside = (1_u32 << len.min(31)) - 1;
    if !(1..WINDOW as u32).contains(&len) || !is_digit.to_bitmask() & inside != 0 {
        return None;
    }
    // The last digit becomes the lowest byte, and what is not of the number falls out.
    let digits = u128::from_be_bytes(*window) >> (8 * (WINDOW as u32 - len));
    let high = nibbles((digits >> 64) as u64);
    let low = nibbles(digits as u64);
    Some((high << 32 | low, len as usize))
}

/// The number of eight hexadecimal digits, of which the last is the lowest byte; bytes of zero are digits of zero.
fn nibbles(digits: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The low bits of a letter count from 1.
    let letters = digits >> 6 & EACH;
    let values = (digits & (0x0F * EACH)) + 9 * letters;
    let values = (values | values >> 4) & 0x00FF_00FF_00FF_00FF;
    let values = (values | values >> 8) & 0x0000_FFFF_0000_FFFF;
    (values | values >> 16) & 0xFFFF_FFFF
}

/// A number of 1 to 7 decimal digits with something behind it, and how many digits it has.
#[inline]
fn decimal(window: [u8; 8]) -> Option<(u64, usize)> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let values = u64::from_le_bytes(window) ^ (EACH * u64::from(b'0'));
    // A carry out of a byte that is no digit reaches only those behind it.
    let others = (values.wrapping_add(EACH * (0x80 - 10)) | values) & (EACH * 0x80);
    let len = others.trailing_zeros() / 8;
    if !(1..8).contains(&len) {
        return None;
    }
    // The last digit becomes the highest byte, zeros stand before the first; then pairs, fours and all are summed up.
    let digits = values << (64 - 8 * len);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    let all = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF;
    Some((all, len as usize))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor {
            bytes,
            at: 0,
            end: bytes.len(),
        }
    }

    /// What was read and where the cursor is then, or the error.
    fn outcome<T>(read: Result<T, Malformed>, cursor: &Cursor<'_>) -> Result<(T, usize), String> {
        read.map(|value| (value, cursor.at))
            .map_err(|error| format!("{error:?}"))
    }

    proptest! {
        #[test]
        fn addresses_are_read_at_once_as_digit_by_digit(text in "\"0x[0-9a-fA-F]{0,18}[g`@/:\"][0-9a-f\", ]{0,20}") {
            let (mut fast, mut slow) = (cursor(text.as_bytes()), cursor(text.as_bytes()));
            let both = (fast.address(), slow.any_address());
            prop_assert_eq!(outcome(both.0, &fast), outcome(both.1, &slow));
        }

        #[test]
        fn numbers_are_read_at_once_as_digit_by_digit(text in "[0-9]{0,22}[ -~\u{80}-\u{ff}]{0,9}") {
            let (mut fast, mut slow) = (cursor(text.as_bytes()), cursor(text.as_bytes()));
            let both = (fast.number(), slow.any_number());
            prop_assert_eq!(outcome(both.0, &fast), outcome(both.1, &slow));
        }

        #[test]
        fn strings_end_where_a_search_finds_their_end(text in "\"[a\\\\]{0,3}[ -~]{0,80}\"[ -~]{0,20}") {
            let (mut fast, mut slow) = (cursor(text.as_bytes()), cursor(text.as_bytes()));
            slow.at = 1;
            let both = (fast.string(), slow.any_string());
            prop_assert_eq!(outcome(both.0, &fast), outcome(both.1, &slow));
        }
    }
}
