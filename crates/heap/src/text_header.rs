//! Texts in blocks behind a header that says how long they are, as the strings of Qt and of many interpreters.

use std::ops::Range;

/// Bytes of a header.
const SIZES: [u8; 6] = [8, 12, 16, 20, 24, 32];

/// A header before a text: what all headers of one type have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextHeader {
    /// Bytes of the header: the text begins behind them.
    pub bytes: u8,
    /// Where in it the length stands, in four bytes.
    pub length_at: u8,
    /// How many lowest bits of the length are flags.
    pub flags: u8,
    /// Bytes of a character: 1, or 2 for the Latin letters of UTF-16.
    pub unit: u8,
}

impl TextHeader {
    /// All headers that a block may have by its contents, each with the place of the text in it. The text is not empty,
    /// and nothing or a zero stands behind it.
    pub fn all(content: &[u8]) -> impl Iterator<Item = (Self, Range<usize>)> {
        let begins = |&bytes: &u8| {
            content
                .get(usize::from(bytes))
                .is_some_and(|&first| first >= b' ')
        };
        SIZES.into_iter().filter(begins).flat_map(move |bytes| {
            let fields = (0..bytes).step_by(4);
            fields.flat_map(move |length_at| {
                [(0, 1), (1, 1), (0, 2), (1, 2)]
                    .into_iter()
                    .filter_map(move |(flags, unit)| {
                        let header = Self {
                            bytes,
                            length_at,
                            flags,
                            unit,
                        };
                        Some((header, header.text(content)?))
                    })
            })
        })
    }

    /// Where the text of a block stands, if this is its header.
    #[must_use]
    pub fn text(self, content: &[u8]) -> Option<Range<usize>> {
        let (start, unit) = (usize::from(self.bytes), usize::from(self.unit));
        let field = content.get(usize::from(self.length_at)..)?.first_chunk()?;
        let length = (u32::from_le_bytes(*field) >> self.flags) as usize;
        let end = length.checked_mul(unit)?.checked_add(start)?;
        let text = content.get(start..end).filter(|text| !text.is_empty())?;
        let closes = &content[end..content.len().min(end + unit)];
        let is_closed = closes.iter().all(|&byte| byte == 0);
        let is_text = || if unit == 1 { is_narrow(text) } else { is_wide(text) };
        (is_closed && is_text()).then_some(start..end)
    }
}

/// UTF-8 without controls.
fn is_narrow(text: &[u8]) -> bool {
    let is_control = |byte: u8| byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r'));
    !text.iter().any(|&byte| is_control(byte)) && str::from_utf8(text).is_ok()
}

/// UTF-16 of Latin letters.
fn is_wide(text: &[u8]) -> bool {
    let is_letter = |unit: &[u8; 2]| unit[1] == 0 && matches!(unit[0], b' '..=b'~' | 0xA0..);
    text.as_chunks().0.iter().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(header: &[u32], text: &[u8]) -> Vec<u8> {
        let header: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
        [&header, text].concat()
    }

    #[test]
    fn a_text_is_as_long_as_its_header_says() {
        let wide: Vec<u8> = "Köln\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let all = |content: &[u8]| TextHeader::all(content).collect::<Vec<_>>();
        let header = |bytes, length_at, flags, unit| TextHeader {
            bytes,
            length_at,
            flags,
            unit,
        };
        // One block may be read in several ways: a reference count of 1 is the length of its first letter, and 9 is twice
        // 4 and a flag. Many blocks of one place tell which of them it is.
        assert_eq!(
            all(&block(&[1, 4, 9, 0, 24, 0], &wide)),
            [
                (header(24, 0, 0, 1), 24..25),
                (header(24, 4, 0, 2), 24..32),
                (header(24, 8, 1, 2), 24..32)
            ]
        );
        assert_eq!(
            all(&block(&[1, 77, 15, 9], b"letters\0")),
            [(header(16, 8, 1, 1), 16..23)]
        );
        // The end of the block closes it, too; what stands behind an end does not matter.
        for text in [&b"letters"[..], b"letters\0old"] {
            let found = all(&block(&[7, 1], text));
            assert!(found.contains(&(header(8, 0, 0, 1), 8..15)), "{found:?}");
        }
        let found = all(&block(&[7, 1], b"letters2"));
        assert!(found.iter().all(|(header, _)| header.bytes != 8), "{found:?}");
        assert_eq!(all(&block(&[0, 0], b"\0\0\0\0")), []);
        assert_eq!(all(b""), []);
        assert_eq!(all(&block(&[u32::MAX, u32::MAX], b"letters")), []);
    }
}
