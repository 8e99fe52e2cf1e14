//! What a row says between its values: words that rows of one sort repeat, byte for byte.
//!
//! A phrase goes from behind one value to before the next, as in `, "type":"STRING", "class":`. It is read with care
//! once, and from then on known by its bytes, whatever the order of the keys.

use super::cursor::Cursor;
use super::row::{Bits, Row};
use super::tag::Tag;
use crate::error::Malformed;

/// A value that rows of one sort do not have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// None: before a row's first value and behind its last.
    None,
    Address,
    Class,
    References,
    Memsize,
    Slot,
    /// A length, a size or a number of variables.
    Count,
    Text,
    /// The name of a class, a module or a list of roots.
    Name,
    Superclass,
    Struct,
    ShapeOf,
    ShapeId,
    Parent,
    EdgeName,
    File,
    Line,
    /// One that is passed over.
    Other,
}

/// What a phrase says.
#[derive(Clone, Copy, Debug)]
struct Said {
    tag: Option<Tag>,
    bits: Bits,
    typed: bool,
    class: Option<u64>,
    memsize: Option<u64>,
    /// Where its last key begins, from its own start.
    key: usize,
    /// The value it leads to.
    next: Value,
}

/// Longer phrases are hardly ever said twice.
const LONGEST: usize = 192;

/// So many phrases are known for one place of a row.
const KNOWN: usize = 8;

/// Most phrases differ in their first bytes, if at all: these are compared at once.
const HEAD: usize = 16;

#[derive(Clone, Debug)]
struct Phrase {
    text: [u8; LONGEST],
    len: usize,
    said: Said,
    /// How often it was said.
    times: u32,
}

/// What is said at one place of a row.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The one said most often comes first.
    phrases: Vec<Phrase>,
    /// How often a phrase was known.
    known: u32,
    /// How often one was not.
    unknown: u32,
}

/// The phrases of a piece of a file, by what stands before them: the sort of the row, as far as it is known, and the
/// value.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    places: Vec<Place>,
}

impl Phrases {
    /// Reads what stands between the value `last` and the next one, which it returns.
    #[inline]
    pub(super) fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        row: &mut Row,
        last: Value,
    ) -> Result<Value, Malformed> {
        let place = row.tag as usize * (Value::Other as usize + 1) + last as usize;
        let begin = cursor.at;
        let known = self
            .places
            .get_mut(place)
            .and_then(|place| place.known(cursor.rest()));
        let said = match known {
            Some((said, len)) => {
                cursor.at += len;
                cursor.blank();
                said
            }
            None => self.learn(place, cursor, row.key_at, last)?,
        };
        row.tag = said.tag.unwrap_or(row.tag);
        row.bits.set(said.bits.0);
        row.typed |= said.typed;
        row.class = said.class.unwrap_or(row.class);
        row.memsize = said.memsize.unwrap_or(row.memsize);
        row.key_at = begin + said.key;
        Ok(said.next)
    }

    /// Reads a phrase with care, and keeps it.
    #[cold]
    fn learn(
        &mut self,
        place: usize,
        cursor: &mut Cursor<'_>,
        key_at: usize,
        last: Value,
    ) -> Result<Said, Malformed> {
        if self.places.len() <= place {
            self.places.resize(place + 1, Place::default());
        }
        let place = &mut self.places[place];
        let begin = cursor.at;
        let said = read(cursor, key_at, last == Value::None, place.has_in_common())?;
        place.keep(&cursor.bytes[begin..cursor.at], said);
        Ok(said)
    }
}

impl Place {
    /// The known phrase that `rest` of a row begins with, and its length.
    #[inline]
    fn known(&mut self, rest: &[u8]) -> Option<(Said, usize)> {
        let at = self.phrases.iter().position(|phrase| phrase.begins(rest))?;
        let phrase = &mut self.phrases[at];
        self.known = self.known.saturating_add(1);
        phrase.times = phrase.times.saturating_add(1);
        let found = (phrase.said, phrase.len);
        if at > 0 && self.phrases[at - 1].times < self.phrases[at].times {
            self.phrases.swap(at - 1, at);
        }
        Some(found)
    }

    /// Whether classes and sizes are words of a phrase here: most rows of one sort have the same. Where too many differ,
    /// they are values like any other.
    fn has_in_common(&self) -> bool {
        /// One unknown phrase in 16 is few.
        const FEW: u32 = 16;
        /// The first phrases are too few to judge by.
        const AT_FIRST: u32 = 16;
        self.unknown < AT_FIRST + self.known / FEW
    }

    fn keep(&mut self, text: &[u8], said: Said) {
        self.unknown = self.unknown.saturating_add(1);
        if text.len() <= LONGEST {
            let mut phrase = Phrase {
                text: [0; LONGEST],
                len: text.len(),
                said,
                times: 1,
            };
            phrase.text[..text.len()].copy_from_slice(text);
            // The one said least makes room.
            self.phrases.truncate(KNOWN - 1);
            self.phrases.push(phrase);
        }
    }
}

impl Phrase {
    /// Whether `rest` of a row begins so.
    #[inline]
    fn begins(&self, rest: &[u8]) -> bool {
        let text = &self.text[..self.len];
        let differs = match (text.first_chunk::<HEAD>(), rest.first_chunk::<HEAD>()) {
            (Some(head), Some(other)) => head != other,
            _ => false,
        };
        !differs && self.leads_on_or_ends(rest) && rest.starts_with(text)
    }

    /// What ends a row stands at its end.
    #[inline]
    fn leads_on_or_ends(&self, rest: &[u8]) -> bool {
        self.said.next != Value::None || rest.len() == self.len
    }
}

/// Reads a phrase key by key. `key_at` is where the last key before it stands; classes and sizes are `common` words of it
/// or values.
fn read(cursor: &mut Cursor<'_>, mut key_at: usize, first: bool, common: bool) -> Result<Said, Malformed> {
    let begin = cursor.at;
    let mut said = Said {
        tag: None,
        bits: Bits::default(),
        typed: false,
        class: None,
        memsize: None,
        key: 0,
        next: Value::None,
    };
    if first {
        cursor.expect(b'{')?;
    } else if !cursor.another(key_at)? {
        return Ok(said);
    }
    loop {
        let key;
        (key, key_at) = cursor.key()?;
        said.key = key_at - begin;
        if let Some(value) = said.hear(key, cursor, common)? {
            said.next = value;
            return Ok(said);
        }
        if !cursor.another(key_at)? {
            return Ok(said);
        }
    }
}

impl Said {
    /// Takes in the value of a key, if rows of one sort have it in common; else it says which value it is.
    fn hear(
        &mut self,
        key: &[u8],
        cursor: &mut Cursor<'_>,
        common: bool,
    ) -> Result<Option<Value>, Malformed> {
        let bit = match key {
            b"embedded" => Bits::EMBEDDED,
            b"shared" => Bits::SHARED,
            b"fstring" => Bits::UNIQUE,
            b"singleton" => Bits::SINGLETON,
            b"too_complex_shape" => Bits::COMPLEX,
            _ => 0,
        };
        if bit != 0 {
            if cursor.boolean()? {
                self.bits.set(bit);
            }
            return Ok(None);
        }
        Ok(Some(match key {
            b"type" => {
                self.tag = Some(Tag::of_type(cursor.plain()?));
                self.typed = true;
                return Ok(None);
            }
            b"imemo_type" => {
                self.tag = Some(Tag::of_imemo(cursor.plain()?));
                return Ok(None);
            }
            b"class" if common => {
                self.class = Some(cursor.address()?);
                self.bits.set(Bits::CLASSED);
                return Ok(None);
            }
            b"memsize" if common => {
                self.memsize = Some(cursor.bytes_of_one()?);
                return Ok(None);
            }
            b"address" => Value::Address,
            b"class" => Value::Class,
            b"references" => Value::References,
            b"memsize" => Value::Memsize,
            b"slot_size" => Value::Slot,
            b"length" | b"size" | b"ivars" | b"bytesize" => Value::Count,
            b"default" => {
                self.bits.set(Bits::DEFAULT);
                Value::Other
            }
            b"value" => Value::Text,
            b"name" | b"root" => Value::Name,
            b"superclass" => Value::Superclass,
            b"struct" => Value::Struct,
            b"shape_id" => Value::ShapeOf,
            b"id" => Value::ShapeId,
            b"parent_id" => Value::Parent,
            b"edge_name" => Value::EdgeName,
            b"file" => Value::File,
            b"line" => Value::Line,
            // Words of the interpreter's own, and what is true or false.
            _ if matches!(key, b"encoding" | b"coderange")
                || matches!(cursor.rest().first(), Some(b'{' | b't' | b'f')) =>
            {
                cursor.skip()?;
                return Ok(None);
            }
            _ => Value::Other,
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::row;
    use super::super::rows::Piece;
    use super::*;

    /// What the rows of a text say when a piece reads one after the other, up to the first that is wrong.
    fn read_on(text: &str) -> String {
        let mut piece = Piece::default();
        let error =
            lines(text).find_map(|(start, end)| row::scan(text.as_bytes(), start, end, &mut piece).err());
        piece.phrases = Phrases::default();
        format!("{piece:?} {error:?}")
    }

    /// The same when nothing is known of the rows before.
    fn read_anew(text: &str) -> String {
        let mut piece = Piece::default();
        let error = lines(text).find_map(|(start, end)| {
            piece.phrases = Phrases::default();
            row::scan(text.as_bytes(), start, end, &mut piece).err()
        });
        piece.phrases = Phrases::default();
        format!("{piece:?} {error:?}")
    }

    fn lines(text: &str) -> impl Iterator<Item = (usize, usize)> {
        let mut start = 0;
        text.lines().map(move |line| {
            let at = start;
            start += line.len() + 1;
            (at, at + line.len())
        })
    }

    #[test]
    fn a_row_like_others_is_read_with_care_where_it_differs() {
        let like =
            |rest: &str| format!("{{\"address\":\"0x10\", \"type\":\"STRING\", \"class\":\"0x20\"{rest}\n");
        let usual = like(", \"embedded\":true, \"bytesize\":2, \"value\":\"ab\", \"memsize\":40}").repeat(3);
        for rest in [
            ", \"embedded\":true, \"bytesize\":2, \"value\":\"ab\", \"memsize\":400}",
            ", \"embedded\":true, \"bytesize\":  2, \"value\":\"\\\"\", \"memsize\":40}",
            ", \"embedded\":truer, \"bytesize\":2}",
            ", \"embedded\":true, \"bytesize\":2, \"value\":\"ab\", \"memsize\":40}}",
            ", \"embedded\":true, \"bytesize\":2, \"value\":\"ab\", \"memsize\":40",
            ", \"embedded\":true, \"bytesize\":2, \"value\":\"ab\", ",
            ", \"embedded\":true, \"bytesize\":2, \"value\":\"\u{fffd}",
            ", \"memsize\":99999999999999}",
            ",\"value\":\"ab\",\"memsize\":48,\"class\":\"0x28\",\"type\":\"SYMBOL\"}",
            "}",
            "",
        ] {
            let text = usual.clone() + &like(rest) + &usual;
            assert_eq!(read_on(&text), read_anew(&text), "{rest}");
        }
        assert!(read_on(&usual).ends_with("None"));
    }

    #[test]
    fn a_known_phrase_says_what_it_said_with_care() {
        let text = "{\"address\":\"0x10\", \"type\":\"HASH\", \"class\":\"0x20\", \"shared\":true, \"size\":2, \"memsize\":168}\n";
        let text = text.repeat(3)
            + "{\"address\":\"0x10\", \"type\":\"HASH\", \"class\":\"0x20\", \"shared\":true, \"size\":2,";
        let mut piece = Piece::default();
        let mut rows = lines(&text).map(|(start, end)| row::scan(text.as_bytes(), start, end, &mut piece));
        for _ in 0..3 {
            rows.next().expect("a row").expect("a right row");
        }
        let cut_off = rows.next().expect("a row").expect_err("a row that ends early");
        drop(rows);
        let key = text.rfind("\"size\"").expect("the last key");
        assert_eq!(
            (cut_off.offset, cut_off.expected.as_str()),
            (key, "a row that ends with '}'")
        );
        assert_eq!(piece.tag, [Tag::Hash; 3]);
        assert_eq!(piece.class, [0x20; 3]);
        assert_eq!(piece.memsize, [168; 3]);
        assert_eq!(piece.bits, [Bits(Bits::CLASSED | Bits::SHARED); 3]);
        assert_eq!(piece.count, [2; 3]);
    }

    fn field() -> impl Strategy<Value = String> {
        let right = [
            "\"type\":\"(STRING|HASH|DATA|OBJECT)\"",
            "\"class\":\"0x[1-3]0\"",
            "\"memsize\":(40|48|[0-9]{1,9})",
            "\"(length|slot_size|line|shape_id)\": {0,2}[0-9]{1,3}",
            "\"(embedded|fstring|frozen|shared)\":(true|false)",
            "\"(value|name|method|struct|encoding|imemo_type)\":\"([a-b]{0,2}|\\\\\"|\\\\\\\\)\"",
            "\"flags\":[{]\"old\":(true|false)[}]",
            "\"references\":\\[(\"0x10\"(, \"0x20\"){0,2})?\\]",
            "\"default\":\"0x10\"",
        ];
        let wrong = [
            "\"memsize\":[0-9]{14}",
            "\"embedded\":(tru|trues| true)",
            "\"flags\":[{]\"old\":true([}]{2})?",
            "\"class\":\"0x\"?",
        ];
        let fields = right.map(|field| (200, field)).into_iter();
        let fields = fields.chain(wrong.map(|field| (1, field)));
        let fields = fields.map(|(weight, field)| (weight, field.prop_map(|field| field)));
        proptest::strategy::Union::new_weighted(fields.collect())
    }

    proptest! {
            #[test]
            fn rows_say_the_same_whatever_was_said_before(
                rows in prop::collection::vec(
                    (prop::collection::vec((field(), "(, |,|,  )"), 0..5), prop::bool::weighted(0.99)),
                    1..6,
                ),
                order in prop::collection::vec(any::<prop::sample::Index>(), 1..80),
            ) {
                let rows: Vec<String> = rows
                    .iter()
                    .map(|(fields, whole)| {
    let fields: Vec<String> = fields.iter().map(|(field, comma)| format!("{field}{comma}")).collect();
                        let fields = fields.concat();
                        let end = if *whole { "\"type\":\"STRING\"}" } else { "" };
                        format!("{{\"address\":\"0x10\", {fields}{end}\n")
                    })
                    .collect();
                let text: String = order.iter().map(|row| row.get(&rows).as_str()).collect();
                prop_assert_eq!(read_on(&text), read_anew(&text));
            }
        }
}
