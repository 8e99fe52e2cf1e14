//! What stands for a text: as many characters of the same sorts, and another one for each other text.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rustc_hash::FxHashSet;

/// Shorter texts are left as they are: there are too few placeholders to distinguish them.
const SHORTEST: usize = 4;
/// Texts with more characters than this to choose never get the same placeholder by chance: even with seven letters
/// to choose from these are 2^67 placeholders.
const NEVER_TWICE: usize = 24;
/// Tries with few letters, then with more, then with all; texts of one form may be many.
const TRIES: [(u32, &[u8]); 3] = [
    (24, b"qxzjkvw"),
    (400, b"qxzjkvwghlmnprst"),
    (40_000, b"ghijklmnopqrstuvwxyz"),
];

/// Gives placeholders, a different one for each text.
///
/// Letters stay letters, small or capital; digits stay digits; a hexadecimal number, a UUID and a time stay one, as
/// rules ask for these. Letters are taken from those that are no hexadecimal digits and stand together in few words,
/// so that no placeholder holds by chance what another text said.
pub(crate) struct Placeholders {
    key: RandomState,
    taken: FxHashSet<Box<[u8]>>,
    /// Placeholders of texts that may come again and would get another one.
    given: HashMap<Box<[u8]>, Option<Box<[u8]>>>,
}

/// One character of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// As it is: punctuation, white space, control characters.
    Same(u8),
    Small,
    Capital,
    Digit,
    /// A hexadecimal digit above 9.
    Hex(u8),
    /// U+0080 to U+00FF.
    Latin(Writing),
    /// Up to U+07FF, in two bytes of UTF-8; or beyond, in one UTF-16 unit, escaped.
    Wide(Writing),
    /// Beyond, in three bytes of UTF-8 and one UTF-16 unit.
    Wider,
    /// Beyond, in two UTF-16 units.
    Pair(Writing),
}

/// How a character beyond ASCII is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writing {
    /// `\uXXXX`.
    Escaped,
    Utf8,
}

impl Placeholders {
    pub(crate) fn new() -> Self {
        Self {
            key: RandomState::new(),
            taken: FxHashSet::default(),
            given: HashMap::new(),
        }
    }

    /// The same as [`Self::of`] for texts that come more than once.
    pub(crate) fn again(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        // Longer ones get the same without being noted: nothing depends on what is taken.
        if text.len() > 12 * NEVER_TWICE {
            return self.of(text);
        }
        if let Some(given) = self.given.get(text) {
            return given.as_ref().map(|given| given.to_vec());
        }
        let made = self.of(text);
        let noted = made.as_ref().map(|made| made.clone().into());
        self.given.insert(text.into(), noted);
        made
    }

    /// The placeholder of the inside of a JSON string, escapes as they are, when it comes for the first time; nothing
    /// when the text may stay.
    pub(crate) fn of(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        if is_number(text) {
            return None;
        }
        let units = units(text);
        let free = units.iter().filter(|unit| !matches!(unit, Unit::Same(_))).count();
        if units.len() < SHORTEST || free == 0 {
            return None;
        }
        let form = Form::of(text);
        let units = form.units(text, units);
        let mut attempt = 0;
        for (until, letters) in TRIES {
            while attempt < until {
                let mut digits = Digits::new(self.key.hash_one((text, attempt)), &self.key);
                let made = write(&units, letters, &mut digits);
                attempt += 1;
                if free > NEVER_TWICE || (made != text && self.taken.insert(made.clone().into())) {
                    return Some(made);
                }
            }
        }
        // Every text of this form is taken: then it reveals nothing that its form does not.
        None
    }
}

/// A number as JSON or JavaScript writes it; `Infinity` and the like are names of the language.
fn is_number(text: &[u8]) -> bool {
    text.iter()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
        && std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok())
}

/// A sort of text that a program could keep in fewer bytes, and that must stay one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    Hexadecimal,
    Time,
}

impl Form {
    fn of(text: &[u8]) -> Self {
        let is_hex = |text: &[u8]| text.iter().all(u8::is_ascii_hexdigit);
        let uuid = || {
            let dashes = [8, 13, 18, 23];
            text.len() == 36
                && text.iter().enumerate().all(|(at, byte)| {
                    if dashes.contains(&at) {
                        *byte == b'-'
                    } else {
                        byte.is_ascii_hexdigit()
                    }
                })
        };
        if (text.len() >= 16 && is_hex(text)) || uuid() {
            return Self::Hexadecimal;
        }
        let pattern = b"0000-00-00T00:00:00";
        let time = text.len() > pattern.len()
            && pattern.iter().zip(text).all(|(wanted, byte)| match wanted {
                b'0' => byte.is_ascii_digit(),
                wanted => byte == wanted,
            });
        if time { Self::Time } else { Self::Plain }
    }

    /// What may be chosen: of a hexadecimal number its letters are digits, of a time all but the year stays within
    /// its bounds.
    fn units(self, text: &[u8], units: Vec<Unit>) -> Vec<Unit> {
        match self {
            Self::Plain => units,
            Self::Hexadecimal => text
                .iter()
                .map(|byte| match byte {
                    b'a'..=b'f' => Unit::Hex(b'a'),
                    b'A'..=b'F' => Unit::Hex(b'A'),
                    b'0'..=b'9' => Unit::Digit,
                    other => Unit::Same(*other),
                })
                .collect(),
            Self::Time => text
                .iter()
                .zip(units)
                .enumerate()
                .map(|(at, (byte, unit))| match at {
                    // Tens stay: what is a day, an hour or a minute stays one, and what is none stays none.
                    5 | 6 | 8 | 11 | 14 | 17 => Unit::Same(*byte),
                    // The last digit of days below 10 and over 29, and of hours over 19, is bound too.
                    9 if matches!(text[8], b'0' | b'3') => Unit::Same(*byte),
                    12 if text[11] == b'2' => Unit::Same(*byte),
                    18 if text[17] == b'6' => Unit::Same(*byte),
                    // Letters and the zone.
                    _ if unit == Unit::Digit && (at < 19 || before_zone(text, at)) => unit,
                    _ => Unit::Same(*byte),
                })
                .collect(),
        }
    }
}

fn before_zone(text: &[u8], at: usize) -> bool {
    !text[19..at].iter().any(|byte| matches!(byte, b'+' | b'-'))
}

fn units(text: &[u8]) -> Vec<Unit> {
    let mut units = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if text.get(at + 1) == Some(&b'u') => {
                let number = text
                    .get(at + 2..at + 6)
                    .and_then(|digits| std::str::from_utf8(digits).ok())
                    .and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let low = text
                    .get(at + 6..at + 9)
                    .is_some_and(|next| next.starts_with(b"\\u") && next[2].eq_ignore_ascii_case(&b'd'));
                match number {
                    Some(0xD800..0xDC00) if low => {
                        units.push(Unit::Pair(Writing::Escaped));
                        at += 6;
                    }
                    Some(0x80..0x100) => units.push(Unit::Latin(Writing::Escaped)),
                    // Half of a pair stays: it says nothing.
                    Some(0xD800..0xE000) | None => {
                        units.extend(
                            text[at..text.len().min(at + 6)]
                                .iter()
                                .map(|&byte| Unit::Same(byte)),
                        );
                    }
                    Some(0x100..) => units.push(Unit::Wide(Writing::Escaped)),
                    Some(_) => units.extend(text[at..at + 6].iter().map(|&byte| Unit::Same(byte))),
                }
                at += 6;
            }
            b'\\' => {
                units.extend(
                    text[at..text.len().min(at + 2)]
                        .iter()
                        .map(|&byte| Unit::Same(byte)),
                );
                at += 2;
            }
            b'a'..=b'z' => {
                units.push(Unit::Small);
                at += 1;
            }
            b'A'..=b'Z' => {
                units.push(Unit::Capital);
                at += 1;
            }
            b'0'..=b'9' => {
                units.push(Unit::Digit);
                at += 1;
            }
            0..0x80 => {
                units.push(Unit::Same(byte));
                at += 1;
            }
            _ => {
                let (unit, len) = match byte {
                    0xC2..=0xC3 => (Unit::Latin(Writing::Utf8), 2),
                    0xC4..=0xDF => (Unit::Wide(Writing::Utf8), 2),
                    0xE0..=0xEF => (Unit::Wider, 3),
                    0xF0..=0xF7 => (Unit::Pair(Writing::Utf8), 4),
                    _ => (Unit::Same(byte), 1),
                };
                units.push(unit);
                at += len;
            }
        }
    }
    units
}

/// Numbers without end, from a hash.
struct Digits<'a> {
    key: &'a RandomState,
    state: u64,
    left: u32,
}

impl<'a> Digits<'a> {
    fn new(state: u64, key: &'a RandomState) -> Self {
        Self { key, state, left: 8 }
    }

    /// A number below `bound`, which is at most 256.
    fn below(&mut self, bound: usize) -> usize {
        if self.left == 0 {
            self.state = self.key.hash_one(self.state);
            self.left = 8;
        }
        self.left -= 1;
        let byte = (self.state >> (8 * self.left)) & 0xFF;
        byte as usize * bound / 256
    }
}

fn write(units: &[Unit], letters: &[u8], digits: &mut Digits) -> Vec<u8> {
    let mut made = Vec::with_capacity(units.len());
    for unit in units {
        match *unit {
            Unit::Same(byte) => made.push(byte),
            Unit::Small => made.push(letters[digits.below(letters.len())]),
            Unit::Capital => made.push(letters[digits.below(letters.len())].to_ascii_uppercase()),
            Unit::Digit => made.push(b'0' + digits.below(10) as u8),
            Unit::Hex(first) => made.push(first + digits.below(6) as u8),
            Unit::Latin(writing) => character(&mut made, writing, 'à', digits.below(23)),
            Unit::Wide(writing) => character(&mut made, writing, 'а', digits.below(32)),
            Unit::Wider => character(&mut made, Writing::Utf8, 'ァ', digits.below(80)),
            Unit::Pair(writing) => character(&mut made, writing, '😀', digits.below(64)),
        }
    }
    made
}

/// Adds the character that comes `after` a first one.
fn character(made: &mut Vec<u8>, writing: Writing, first: char, after: usize) {
    let character = char::from_u32(first as u32 + after as u32).unwrap_or(first);
    match writing {
        Writing::Utf8 => made.extend(character.encode_utf8(&mut [0; 4]).bytes()),
        Writing::Escaped => {
            for unit in character.encode_utf16(&mut [0; 2]) {
                made.extend(format!("\\u{unit:04X}").bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> String {
        let made = Placeholders::new().of(text.as_bytes());
        made.map_or_else(|| text.to_owned(), |made| String::from_utf8(made).unwrap())
    }

    #[test]
    fn sorts_of_text_stay_what_they_are() {
        assert_eq!(Form::of(of("0123456789abcdefAB").as_bytes()), Form::Hexadecimal);
        assert_eq!(
            Form::of(of("01234567-89ab-cdef-0123-456789abcdef").as_bytes()),
            Form::Hexadecimal
        );
        // The year is drawn among ten thousand: that each of eight draws is the one it was is no chance.
        let times: [String; 8] = std::array::from_fn(|_| of("2024-02-29T23:59:60.125+02:00"));
        for time in &times {
            assert_eq!(Form::of(time.as_bytes()), Form::Time);
            assert!(time.ends_with("+02:00"), "{time}");
        }
        assert!(times.iter().any(|time| !time.starts_with("2024")), "{times:?}");
    }

    #[test]
    fn numbers_and_short_texts_stay() {
        for text in ["1732112345678", "-0.25", "1e+21", "abc", "", "----", "\\n\\t\\\""] {
            assert_eq!(of(text), text);
        }
    }

    #[test]
    fn the_width_of_characters_stays() {
        let made = of("na\\u00EFve \\u4E2D\\u6587 \\uD83D\\uDE42");
        let parsed: String = serde_json::from_str(&format!("\"{made}\"")).unwrap();
        let units: Vec<u16> = parsed.encode_utf16().collect();
        assert_eq!(units.len(), 11);
        assert!((0x80..0x100).contains(&units[2]) && units[6] >= 0x100, "{parsed}");
        assert_eq!(of("naïve 中文").encode_utf16().count(), 8);
    }

    proptest! {
        #[test]
        fn other_texts_get_other_placeholders(texts in prop::collection::hash_set("[a-d]{4}|[0-9a-f]{4,6}|[a-zA-Z0-9 _.:/-]{4,40}", 1..400)) {
            let mut placeholders = Placeholders::new();
            let mut seen = FxHashSet::default();
            for text in &texts {
                let made = placeholders.of(text.as_bytes()).unwrap_or_else(|| text.clone().into_bytes());
                prop_assert_eq!(made.len(), text.len());
                prop_assert!(seen.insert(made));
            }
        }
    }
}
