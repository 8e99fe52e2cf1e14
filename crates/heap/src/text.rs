//! Text as spans of the dump: nothing is copied until someone looks.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::Endian;

/// A row of [`Texts`].
pub type TextId = u32;

/// How text stands in the bytes of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 as it is; broken sequences are shown as U+FFFD.
    Utf8,
    /// The inside of a JSON string literal, with its escapes.
    Json,
    /// One byte a character, U+0000 to U+00FF; the texts from `wide` on in UTF-16 of that order of bytes.
    Units {
        /// The first text with two bytes a unit.
        wide: TextId,
        /// The order of the bytes in those.
        endian: Endian,
    },
}

/// Where texts stand in the bytes of a dump: one word each, as a large dump has tens of millions.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    /// Offset above length; [`u64::MAX`] sends to `wide`.
    packed: Vec<u64>,
    /// Spans that a word is too narrow for.
    wide: FxHashMap<u32, (u64, u32)>,
}

impl Spans {
    const LENGTH_BITS: u32 = 24;

    /// Adds a text's offset and length in bytes.
    pub fn push(&mut self, offset: u64, length: u32) {
        let narrow = offset < 1 << (64 - Self::LENGTH_BITS) && length < (1 << Self::LENGTH_BITS) - 1;
        if narrow {
            self.packed.push(offset << Self::LENGTH_BITS | u64::from(length));
        } else {
            self.wide.insert(self.packed.len() as u32, (offset, length));
            self.packed.push(u64::MAX);
        }
    }

    /// Offset and length in bytes.
    #[inline]
    #[must_use]
    pub fn get(&self, id: TextId) -> Option<(u64, u32)> {
        match *self.packed.get(id as usize)? {
            u64::MAX => self.wide.get(&id).copied(),
            word => Some((
                word >> Self::LENGTH_BITS,
                (word & ((1 << Self::LENGTH_BITS) - 1)) as u32,
            )),
        }
    }

    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Every span, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        (0..self.len() as TextId).map_while(|id| self.get(id))
    }

    /// Joins what several threads found, in order.
    #[must_use]
    pub fn join(pieces: Vec<Self>) -> Self {
        let mut all = Self::default();
        all.packed
            .reserve_exact(pieces.iter().map(|piece| piece.packed.len()).sum());
        for piece in pieces {
            let before = all.packed.len() as u32;
            all.wide
                .extend(piece.wide.into_iter().map(|(id, span)| (before + id, span)));
            all.packed.extend(piece.packed);
        }
        all
    }
}

impl FromIterator<(u64, u32)> for Spans {
    fn from_iter<I: IntoIterator<Item = (u64, u32)>>(spans: I) -> Self {
        let mut all = Self::default();
        for (offset, length) in spans {
            all.push(offset, length);
        }
        all
    }
}

/// A table of texts.
#[derive(Clone)]
pub struct Texts {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    spans: Spans,
    encoding: Encoding,
    extra: Vec<String>,
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts")
            .field("count", &self.len())
            .finish_non_exhaustive()
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::new(Arc::new(Vec::new()), Spans::default(), Encoding::Utf8)
    }
}

impl Texts {
    /// Makes a table of `spans` (offset and length in bytes) into `bytes`. Spans outside of it read as empty.
    #[must_use]
    pub fn new(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>, spans: Spans, encoding: Encoding) -> Self {
        Self {
            bytes,
            spans,
            encoding,
            extra: Vec::new(),
        }
    }

    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len() + self.extra.len()
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a text that does not stand in the dump.
    pub fn add(&mut self, text: impl Into<String>) -> TextId {
        self.extra.push(text.into());
        (self.len() - 1) as TextId
    }

    /// The bytes of a text as the dump has them, escapes included.
    #[must_use]
    #[inline]
    pub fn raw(&self, id: TextId) -> &[u8] {
        let Some((start, len)) = self.spans.get(id) else {
            return self
                .extra
                .get((id as usize).wrapping_sub(self.spans.len()))
                .map_or(&[], |text| text.as_bytes());
        };
        let all = (*self.bytes).as_ref();
        all.get(start as usize..start as usize + len as usize)
            .unwrap_or(&[])
    }

    /// The text itself.
    #[must_use]
    pub fn get(&self, id: TextId) -> Cow<'_, str> {
        let raw = self.raw(id);
        if self.encoding == Encoding::Json && (id as usize) < self.spans.len() && raw.contains(&b'\\') {
            return Cow::Owned(unescape(raw));
        }
        if let Encoding::Units { wide, endian } = self.encoding
            && (id as usize) < self.spans.len()
        {
            return of_units(raw, (id >= wide).then_some(endian));
        }
        String::from_utf8_lossy(raw)
    }

    /// The text's first `limit` characters, for showing: control characters as spaces, an ellipsis where it is cut.
    #[must_use]
    pub fn shown(&self, id: TextId, limit: usize) -> String {
        beginning(&self.get(id), limit)
    }

    /// Length in UTF-16 code units, the unit in which several runtimes count.
    #[must_use]
    pub fn units(&self, id: TextId) -> u64 {
        self.get(id).chars().map(|c| c.len_utf16() as u64).sum()
    }
}

/// Characters of one byte each, or of two where their order is given; lone surrogates become U+FFFD.
fn of_units(raw: &[u8], wide: Option<Endian>) -> Cow<'_, str> {
    let Some(endian) = wide else {
        return match str::from_utf8(raw) {
            Ok(text) if raw.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(raw.iter().copied().map(char::from).collect()),
        };
    };
    let units = raw.as_chunks::<2>().0.iter().map(|&unit| match endian {
        Endian::Little => u16::from_le_bytes(unit),
        Endian::Big => u16::from_be_bytes(unit),
    });
    let characters = char::decode_utf16(units).map(|character| character.unwrap_or('\u{FFFD}'));
    Cow::Owned(characters.collect())
}

/// Resolves the escapes of a JSON string literal; lone surrogates and broken escapes become U+FFFD.
fn unescape(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    let mut high: Option<u32> = None;
    while let Some(c) = chars.next() {
        let unit = if c == '\\' {
            match chars.next() {
                Some('n') => 0x0A,
                Some('t') => 0x09,
                Some('r') => 0x0D,
                Some('b') => 0x08,
                Some('f') => 0x0C,
                Some('u') => {
                    let hex: String = chars.by_ref().take(4).collect();
                    u32::from_str_radix(&hex, 16).unwrap_or(0xFFFD)
                }
                Some(other) => other as u32,
                None => 0xFFFD,
            }
        } else {
            c as u32
        };
        match (high.take(), unit) {
            (None, 0xD800..=0xDBFF) => high = Some(unit),
            (None, _) => out.push(char::from_u32(unit).unwrap_or('\u{FFFD}')),
            (Some(first), 0xDC00..=0xDFFF) => {
                let code = 0x1_0000 + ((first - 0xD800) << 10) + (unit - 0xDC00);
                out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
            }
            (Some(_), 0xD800..=0xDBFF) => {
                out.push('\u{FFFD}');
                high = Some(unit);
            }
            (Some(_), _) => {
                out.push('\u{FFFD}');
                out.push(char::from_u32(unit).unwrap_or('\u{FFFD}'));
            }
        }
    }
    if high.is_some() {
        out.push('\u{FFFD}');
    }
    out
}

/// A text's first `limit` characters on one line: control characters as spaces, an ellipsis where it is cut.
#[must_use]
pub fn beginning(text: &str, limit: usize) -> String {
    let mut shown: String = text
        .chars()
        .take(limit)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(limit).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
