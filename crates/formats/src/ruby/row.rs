//! One row: a JSON object on one line, scanned field by field into the columns of its piece.

use memchr::{memchr, memmem};

use super::rows::Piece;
use super::tag::Tag;
use crate::error::Malformed;

/// What a row says of itself beside numbers, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(pub u8);

impl Bits {
    /// The characters or slots are in the slot.
    pub(super) const EMBEDDED: u8 = 1;
    /// The characters or slots are another row's.
    pub(super) const SHARED: u8 = 2;
    /// In the interpreter's table of unique strings.
    pub(super) const UNIQUE: u8 = 4;
    /// The row has a text of its own.
    pub(super) const TEXT: u8 = 8;
    /// A class of a single object.
    pub(super) const SINGLETON: u8 = 16;
    /// The row has a class.
    pub(super) const CLASSED: u8 = 32;
    /// Instance variables are in a hash table.
    pub(super) const COMPLEX: u8 = 64;
    /// A hash has a default value or procedure.
    pub(super) const DEFAULT: u8 = 128;

    pub(super) fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

/// A span of the file.
pub(super) type Span = (u64, u32);

/// A place in a row.
pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub end: usize,
}

/// Scans the row at `start..end`, which leaves the line break out.
pub(super) fn scan(bytes: &[u8], start: usize, end: usize, piece: &mut Piece) -> Result<(), Malformed> {
    let mut cursor = Cursor {
        bytes,
        at: start,
        end,
    };
    cursor.expect(b'{')?;
    let mut address = None;
    let mut typed = false;
    piece.begin();
    loop {
        let (key, key_at) = cursor.key()?;
        match key {
            b"address" => address = Some(cursor.address()?),
            b"type" => {
                piece.tag(Tag::of_type(cursor.plain()?));
                typed = true;
            }
            b"class" => piece.class(cursor.address()?),
            b"references" => cursor.references(&mut piece.references)?,
            b"memsize" => piece.set_memsize(cursor.bytes_of_one()?),
            b"slot_size" => piece.set_slot(cursor.number()?),
            b"length" | b"size" | b"ivars" | b"bytesize" => piece.set_count(cursor.number()?),
            b"embedded" => piece.set(Bits::EMBEDDED, cursor.boolean()?),
            b"shared" => piece.set(Bits::SHARED, cursor.boolean()?),
            b"fstring" => piece.set(Bits::UNIQUE, cursor.boolean()?),
            b"singleton" => piece.set(Bits::SINGLETON, cursor.boolean()?),
            b"too_complex_shape" => piece.set(Bits::COMPLEX, cursor.boolean()?),
            b"default" => {
                piece.set(Bits::DEFAULT, true);
                cursor.skip()?;
            }
            b"value" => {
                let span = cursor.scalar()?;
                piece.text(span);
            }
            b"name" | b"root" => piece.names.push((piece.row(), cursor.string()?)),
            b"superclass" => piece.superclasses.push((piece.row(), cursor.address()?)),
            b"struct" => {
                let span = cursor.string()?;
                piece.tag(Tag::of_struct(of(bytes, span)));
                piece.structs.push((piece.row(), span));
            }
            b"imemo_type" => piece.tag(Tag::of_imemo(cursor.plain()?)),
            b"shape_id" => piece.shape_of.push((piece.row(), cursor.number()? as u32)),
            b"id" => piece.shape_ids.push((piece.row(), cursor.number()? as u32)),
            b"parent_id" => piece.parents.push((piece.row(), cursor.number()? as u32)),
            b"edge_name" => piece.edge_names.push((piece.row(), cursor.string()?)),
            b"file" => {
                let file = cursor.raw_path()?;
                piece.files.push((piece.row(), file));
            }
            b"line" => piece.lines.push((piece.row(), cursor.number()? as u32)),
            _ => cursor.skip()?,
        }
        match cursor.next()? {
            b',' => cursor.blank(),
            b'}' if cursor.at == cursor.end => break,
            _ => return Err(Malformed::at(bytes, cursor.at - 1, "',' or the end of the row")),
        }
        if cursor.at >= end {
            return Err(Malformed::at(bytes, key_at, "a row that ends with '}'"));
        }
    }
    if !typed {
        return Err(Malformed::new(start, "a row with a \"type\"", "one without"));
    }
    piece.end(address.unwrap_or(0));
    Ok(())
}

/// No machine gives one object more.
const MOST_BYTES: u64 = 1 << 40;

/// The bytes of a span.
pub(super) fn of(bytes: &[u8], (start, len): Span) -> &[u8] {
    bytes
        .get(start as usize..start as usize + len as usize)
        .unwrap_or(&[])
}

impl Cursor<'_> {
    fn wrong(&self, expected: &str) -> Malformed {
        if self.at >= self.end {
            Malformed::new(self.at, expected, "the end of the row")
        } else {
            Malformed::at(self.bytes, self.at, expected)
        }
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..self.end]
    }

    pub(super) fn next(&mut self) -> Result<u8, Malformed> {
        let byte = *self.rest().first().ok_or_else(|| self.wrong("more of the row"))?;
        self.at += 1;
        Ok(byte)
    }

    pub(super) fn blank(&mut self) {
        while self.rest().first() == Some(&b' ') {
            self.at += 1;
        }
    }

    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.rest().first() != Some(&byte) {
            return Err(self.wrong(&format!("'{}'", char::from(byte))));
        }
        self.at += 1;
        Ok(())
    }
}

impl<'a> Cursor<'a> {
    /// A key with its colon, and where it began.
    pub(super) fn key(&mut self) -> Result<(&'a [u8], usize), Malformed> {
        let begin = self.at;
        let span = self.string()?;
        self.expect(b':')?;
        self.blank();
        Ok((of(self.bytes, span), begin))
    }

    /// The inside of a string, escapes as they stand.
    fn string(&mut self) -> Result<Span, Malformed> {
        self.expect(b'"')?;
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

    fn plain(&mut self) -> Result<&'a [u8], Malformed> {
        let span = self.string()?;
        Ok(of(self.bytes, span))
    }

    /// `"0x7f…"`.
    fn address(&mut self) -> Result<u64, Malformed> {
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

    fn references(&mut self, into: &mut Vec<u64>) -> Result<(), Malformed> {
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

    fn number(&mut self) -> Result<u64, Malformed> {
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
    fn bytes_of_one(&mut self) -> Result<u64, Malformed> {
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

    fn boolean(&mut self) -> Result<bool, Malformed> {
        for (text, value) in [(&b"true"[..], true), (b"false", false)] {
            if self.rest().starts_with(text) {
                self.at += text.len();
                return Ok(value);
            }
        }
        Err(self.wrong("true or false"))
    }

    /// A string's inside, or a bare number or word.
    fn scalar(&mut self) -> Result<Span, Malformed> {
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
