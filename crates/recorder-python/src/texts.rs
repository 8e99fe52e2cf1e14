//! Objects of type `str`.

use crate::layout::{Layout, class};
use crate::raw::{Address, bytes, class_of, half, word};

/// How `str` objects are read.
#[derive(Clone, Copy)]
pub struct Texts {
    layout: Layout,
}

/// A `str` object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// Characters.
    pub count: usize,
    /// Bytes a character: 1, 2, 4.
    pub width: usize,
    pub is_ascii: bool,
    pub is_interned: bool,
    /// Its characters.
    pub data: Address,
    /// The bytes of the object itself.
    pub size: usize,
    /// Other blocks: characters that stand apart, the form in UTF-8, that of wide characters.
    pub apart: [(Address, usize); 3],
}

impl Texts {
    pub fn new(layout: Layout) -> Self {
        Self { layout }
    }

    /// Reads an object; `None` for what is no `str`, or one without characters yet (possible up to 3.11).
    pub fn read(&self, object: Address) -> Option<Text> {
        let layout = &self.layout;
        // SAFETY: the address is that of an object.
        let state = unsafe {
            if word(class_of(object) + class::FLAGS) & class::STR == 0 {
                return None;
            }
            half(object + 32)
        };
        let (kind, is_compact, is_ascii) = (
            (state >> 2 & 7) as usize,
            state >> 5 & 1 != 0,
            state >> 6 & 1 != 0,
        );
        if !matches!(kind, 1 | 2 | 4) {
            return None;
        }
        // SAFETY: the object is a `str`, whose fields these are.
        let count = unsafe { word(object + 16) };
        let mut apart = [(0, 0); 3];
        let (data, size) = if is_compact {
            let start = if is_ascii { layout.ascii } else { layout.compact };
            (object + start, start + (count + 1) * kind)
        } else {
            // SAFETY: as above.
            let data = unsafe { word(object + layout.compact) };
            apart[0] = (data, (count + 1) * kind);
            (data, layout.compact + 8)
        };
        if !(is_compact && is_ascii) {
            // SAFETY: as above.
            let (utf8, length) = unsafe { (word(object + layout.utf8), word(object + layout.utf8_length)) };
            if utf8 != 0 && utf8 != data {
                apart[1] = (utf8, length + 1);
            }
        }
        if layout.minor <= 11 {
            // SAFETY: as above.
            let wide = unsafe { word(object + 40) };
            if wide != 0 && wide != data {
                let length = if is_compact && is_ascii {
                    count
                } else {
                    self.wide_length(object)
                };
                apart[2] = (wide, (length + 1) * 4);
            }
        }
        Some(Text {
            count,
            width: kind,
            is_ascii,
            is_interned: state & 3 != 0,
            data,
            size,
            apart,
        })
    }

    /// The count of wide characters, behind the form in UTF-8.
    fn wide_length(&self, object: Address) -> usize {
        // SAFETY: a `str` of these versions has it there.
        unsafe { word(object + self.layout.utf8 + 8) }
    }

    /// The characters in UTF-8, lone surrogates as three bytes each.
    pub fn utf8(&self, object: Address) -> Option<Vec<u8>> {
        let text = self.read(object)?;
        let mut all = Vec::new();
        encode(&text, &mut all);
        Some(all)
    }
}

/// Appends the characters in UTF-8.
pub fn encode(text: &Text, to: &mut Vec<u8>) {
    // SAFETY: the characters of a `str` are there.
    let data = unsafe { bytes(text.data, text.count * text.width) };
    if text.is_ascii {
        to.extend_from_slice(data);
        return;
    }
    match text.width {
        1 => data.iter().for_each(|&one| push(to, u32::from(one))),
        2 => data
            .chunks_exact(2)
            .for_each(|two| push(to, u32::from(u16::from_le_bytes([two[0], two[1]])))),
        _ => data
            .chunks_exact(4)
            .for_each(|four| push(to, u32::from_le_bytes([four[0], four[1], four[2], four[3]]))),
    }
}

fn push(to: &mut Vec<u8>, character: u32) {
    let tail = |shift: u32| 0x80 | (character >> shift & 0x3f) as u8;
    match character {
        0..0x80 => to.push(character as u8),
        0x80..0x800 => to.extend([0xc0 | (character >> 6) as u8, tail(0)]),
        0x800..0x1_0000 => to.extend([0xe0 | (character >> 12) as u8, tail(6), tail(0)]),
        _ => to.extend([0xf0 | (character >> 18 & 7) as u8, tail(12), tail(6), tail(0)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_each_width_become_utf8() {
        let of = |width: usize, data: &[u8]| {
            let text = Text {
                count: data.len() / width,
                width,
                is_ascii: false,
                is_interned: false,
                data: data.as_ptr() as usize,
                size: 0,
                apart: [(0, 0); 3],
            };
            let mut all = Vec::new();
            encode(&text, &mut all);
            all
        };
        assert_eq!(of(1, &[0x41, 0xe9]), "Aé".as_bytes());
        assert_eq!(of(2, &[0x16, 0x04]), "Ж".as_bytes());
        assert_eq!(of(4, &[0x00, 0xf6, 0x01, 0x00]), "😀".as_bytes());
        // A lone surrogate.
        assert_eq!(of(2, &[0x00, 0xd8]), [0xed, 0xa0, 0x80]);
    }
}
