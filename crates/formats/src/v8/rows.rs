//! Rows of numbers, read fast where they are written as all known writers do, and carefully everywhere else.
//!
//! The fast way compares all bytes of some rows at once: the commas show where its numbers stand, so that each is read
//! without waiting for the one before it. It takes only digits with single commas between them, and a line break at the
//! end of a row; at anything else the careful reader goes on, which knows all of JSON's white space and names what is
//! wrong.

#![allow(
    clippy::inline_always,
    reason = "a call for each number costs about as much as reading it"
)]

use memchr::memchr;
use wide::u8x16;

use super::digits::{digits, number, two_numbers};
use super::meta::MAX_FIELDS;
use super::numbers::{Numbers, PIECE, Piece};
use crate::error::Malformed;
use crate::progress;

/// One row of numbers.
pub(super) trait Row {
    /// The number of a field.
    fn number(&self, field: usize) -> u64;

    /// The numbers of two fields that mostly have several digits: both are found at once.
    fn pair(&self, one: usize, other: usize) -> (u64, u64) {
        (self.number(one), self.number(other))
    }

    /// Where the row stands.
    fn offset(&self) -> usize;
}

/// What is made of rows.
pub(super) trait Sink {
    /// Takes a row of the piece.
    fn take(&mut self, row: usize, numbers: &impl Row) -> Result<(), Malformed>;
}

/// Shows every row of a piece to `sink`, in order. A row that the fast reader shows and `sink` refuses is shown once
/// more as the careful reader has it.
pub(super) fn read(bytes: &[u8], piece: &Piece, width: usize, sink: &mut impl Sink) -> Result<(), Malformed> {
    progress::add(PIECE.min(piece.end - piece.start));
    let read = fast(bytes, piece, width, sink);
    if read == piece.rows.len() {
        return Ok(());
    }
    let mut numbers = Numbers::of(bytes, piece)?;
    let mut fields = [0; MAX_FIELDS];
    for row in 0..piece.rows.len() {
        let offset = numbers.position();
        for field in &mut fields[..width] {
            *field = numbers.next()?;
        }
        if row >= read {
            sink.take(row, &Careful { fields, offset })?;
        }
    }
    Ok(())
}

struct Careful {
    fields: [u64; MAX_FIELDS],
    offset: usize,
}

impl Row for Careful {
    fn number(&self, field: usize) -> u64 {
        self.fields[field]
    }

    fn offset(&self) -> usize {
        self.offset
    }
}

/// Reads rows for as long as they are written plainly; says how many. Widths that no known writer has are left to the
/// careful reader.
fn fast(bytes: &[u8], piece: &Piece, width: usize, sink: &mut impl Sink) -> usize {
    match width {
        3 => windows::<3, { 4 * LANES + SPARE }>(bytes, piece, sink),
        4 => windows::<4, { 4 * LANES + SPARE }>(bytes, piece, sink),
        6 => windows::<6, { 4 * LANES + SPARE }>(bytes, piece, sink),
        7 => windows::<7, { 4 * LANES + SPARE }>(bytes, piece, sink),
        _ => 0,
    }
}

/// Bytes that are compared at once.
const LANES: usize = 16;

/// Bytes of a window behind those that are compared, so that eight can be taken from each place before.
const SPARE: usize = LANES;

/// Reads rows of `WIDTH` numbers that each stand within the compared bytes of a window of `BYTES`. A window shows as many
/// rows as fit into it: where the next one starts is then known without waiting for its bytes.
fn windows<const WIDTH: usize, const BYTES: usize>(
    bytes: &[u8],
    piece: &Piece,
    sink: &mut impl Sink,
) -> usize {
    let mut at = piece.start;
    for _ in 0..piece.skip {
        match memchr(b',', &bytes[at..piece.end]) {
            Some(comma) => at += comma + 1,
            None => return 0,
        }
    }
    let rows = piece.rows.len();
    let mut row = 0;
    while row < rows {
        let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BYTES>) else {
            return row;
        };
        let window = Window::of(at, window);
        let (mut next, mut rest) = (0, window.others);
        while row < rows {
            let Some(numbers) = Plain::<WIDTH, BYTES>::find(&window, next, &mut rest) else {
                break;
            };
            let end = numbers.end();
            next = if window.pair(end) == *b"\n," {
                rest &= rest.wrapping_sub(1);
                end + 2
            } else if let Some(next) = window.after(end, piece.end) {
                rest = window.others & u64::MAX.checked_shl(next).unwrap_or(0);
                next
            } else {
                return row;
            };
            if sink.take(row, &numbers).is_err() {
                return row;
            }
            row += 1;
        }
        if next == 0 {
            return row;
        }
        at += next as usize;
    }
    rows
}

/// Some bytes of the file, and what stands in them.
struct Window<'b, const BYTES: usize> {
    at: usize,
    bytes: &'b [u8; BYTES],
    /// A bit for each of the compared bytes that is no digit.
    others: u64,
    /// A bit for each of them that does not stand within a row: what is neither a digit nor a comma, and the first of two
    /// that have no number between them.
    strange: u64,
}

impl<'b, const BYTES: usize> Window<'b, BYTES> {
    /// The last of the compared bytes, as a mask: places within them need no check.
    const LAST: usize = {
        let compared = BYTES - SPARE;
        assert!(compared.is_power_of_two() && compared <= u64::BITS as usize);
        compared - 1
    };

    #[inline(always)]
    fn of(at: usize, bytes: &'b [u8; BYTES]) -> Self {
        let (mut digits, mut commas) = (0_u64, 0_u64);
        let parts = bytes.as_chunks::<LANES>().0;
        for (i, part) in parts[..parts.len() - 1].iter().enumerate() {
            let part = u8x16::new(*part);
            let value = part - u8x16::splat(b'0');
            let is_digit = value.min(u8x16::splat(9)).simd_eq(value);
            digits |= u64::from(is_digit.to_bitmask()) << (LANES * i);
            commas |= u64::from(part.simd_eq(u8x16::splat(b',')).to_bitmask()) << (LANES * i);
        }
        let others = !digits;
        Self {
            at,
            bytes,
            others,
            strange: others & (!commas | others >> 1),
        }
    }

    /// The byte at a place of the compared ones and the one after it.
    #[inline(always)]
    fn pair(&self, place: u32) -> [u8; 2] {
        let place = place as usize & Self::LAST;
        [self.bytes[place], self.bytes[place + 1]]
    }

    /// Eight bytes from a place on.
    #[inline(always)]
    fn word(&self, place: u32) -> u64 {
        let eight = self.bytes[place as usize & Self::LAST..].first_chunk();
        eight.map_or(0, |eight| u64::from_le_bytes(*eight))
    }

    /// Where the next row starts when one ends here, and not as known writers end it; `None` when none can end so.
    #[cold]
    fn after(&self, end: u32, array_end: usize) -> Option<u32> {
        let comma = end + u32::from(self.pair(end)[0] == b'\n');
        let ends = self.pair(comma)[0] == b',' || self.at + comma as usize == array_end;
        ends.then_some(comma + 1)
    }
}

/// A row of which all places are known before any of its numbers is read.
struct Plain<'w, 'b, const WIDTH: usize, const BYTES: usize> {
    window: &'w Window<'b, BYTES>,
    /// Where the row starts in the window, and where each of its numbers ends.
    start: u32,
    ends: [u32; WIDTH],
}

impl<'w, 'b, const WIDTH: usize, const BYTES: usize> Plain<'w, 'b, WIDTH, BYTES> {
    /// The row at a place of the window, when nothing but digits and single commas stands in it, and no more than 15
    /// digits in a row, and its end is among the compared bytes. `rest` has the bytes from there on that are no digits,
    /// and loses those of the row.
    #[inline(always)]
    fn find(window: &'w Window<'b, BYTES>, start: u32, rest: &mut u64) -> Option<Self> {
        let mut ends = [0; WIDTH];
        for end in &mut ends {
            // With the highest bit there is always one that is set.
            *end = (*rest | 1 << 63).trailing_zeros();
            *rest &= rest.wrapping_sub(1);
        }
        let end = ends[WIDTH - 1];
        if end >= Window::<BYTES>::LAST as u32 {
            return None;
        }
        let first = 1_u64 << start;
        let inside = (1_u64 << end) - first;
        // The first number, too, must have a digit.
        let is_strange = window.strange & inside | window.others & first;
        // A short row has no long number: the others take two bytes each at least.
        let is_short = (end - start) as usize <= MOST_DIGITS + 2 * (WIDTH - 1);
        if is_strange != 0 || !(is_short || has_short_numbers(!window.others & inside)) {
            return None;
        }
        Some(Self { window, start, ends })
    }

    /// Where the number of a field starts, and how many digits it has.
    #[inline(always)]
    fn place(&self, field: usize) -> (u32, u32) {
        let start = match field.checked_sub(1) {
            Some(before) => self.ends[before] + 1,
            None => self.start,
        };
        (start, self.ends[field] - start)
    }

    /// The place right behind the row's last number.
    #[inline(always)]
    fn end(&self) -> u32 {
        self.ends[WIDTH - 1]
    }
}

impl<const WIDTH: usize, const BYTES: usize> Row for Plain<'_, '_, WIDTH, BYTES> {
    #[inline(always)]
    fn number(&self, field: usize) -> u64 {
        let (start, len) = self.place(field);
        if len == 1 {
            return u64::from(self.window.pair(start)[0] - b'0');
        }
        if len <= 8 {
            return number(self.window.word(start), len);
        }
        let high = number(self.window.word(start), len - 8);
        high * 100_000_000 + number(self.window.word(start + len - 8), 8)
    }

    #[inline(always)]
    fn pair(&self, one: usize, other: usize) -> (u64, u64) {
        let ((one_at, one_len), (other_at, other_len)) = (self.place(one), self.place(other));
        // Equal bytes of a word and of a vector stand in the same order on these machines alone.
        if one_len > 8 || other_len > 8 || cfg!(target_endian = "big") {
            return (self.number(one), self.number(other));
        }
        two_numbers([
            digits(self.window.word(one_at), one_len),
            digits(self.window.word(other_at), other_len),
        ])
    }

    fn offset(&self) -> usize {
        self.window.at + self.start as usize
    }
}

/// More digits than this are left to the careful reader.
const MOST_DIGITS: usize = 15;

/// Whether no more than 15 digits stand in a row.
fn has_short_numbers(digits: u64) -> bool {
    let twice = digits & digits >> 1;
    let four = twice & twice >> 2;
    let eight = four & four >> 4;
    eight & eight >> 8 == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::numbers::cut_at;
    use super::*;

    struct All(Vec<u64>);

    impl Sink for All {
        fn take(&mut self, row: usize, numbers: &impl Row) -> Result<(), Malformed> {
            assert_eq!(row * 3, self.0.len() % 3 + self.0.len());
            let (second, third) = numbers.pair(1, 2);
            assert_eq!((second, third), (numbers.number(1), numbers.number(2)));
            self.0.extend([numbers.number(0), second, third]);
            Ok(())
        }
    }

    /// All rows of three, read in pieces of so many bytes; and the rows that the fast way gave.
    fn rows(text: &str, piece: usize) -> (Result<Vec<u64>, usize>, usize) {
        // As in a file, more comes after the array.
        let file = format!(
            "{text}],\"trace_function_infos\":[],\"trace_tree\":[],\"samples\":[],\"locations\":[],\"strings\":[]}}"
        );
        let bytes = file.as_bytes();
        let Ok(cut) = cut_at(bytes, 0..text.len(), 3, "test", piece) else {
            return (Err(0), 0);
        };
        let mut found = Vec::new();
        let mut quick = 0;
        for piece in &cut.pieces {
            quick += fast(bytes, piece, 3, &mut All(Vec::new()));
            let mut sink = All(Vec::new());
            if let Err(error) = read(bytes, piece, 3, &mut sink) {
                return (Err(error.offset), quick);
            }
            found.extend(sink.0);
        }
        (Ok(found), quick)
    }

    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        let number = (0_u32..16, any::<u64>()).prop_map(|(digits, n)| n % 10_u64.pow(digits));
        proptest::collection::vec(number, 0..120).prop_map(|mut all| {
            all.truncate(all.len() / 3 * 3);
            all
        })
    }

    #[test]
    fn every_number_of_digits_is_read() {
        for digits in 1..16 {
            let least = 10_u64.pow(digits - 1);
            for value in [least, least * 9 + 7 * (least - 1) / 9, 10 * least - 1] {
                for after in ["", "\n", "]abc", "]                                            "] {
                    let row = format!("{},{value},{}", value % 10, 10 * least - value);
                    let list = format!("{row}{after}");
                    let numbers: Vec<u64> = row.split(',').map(|number| number.parse().unwrap()).collect();
                    let cut = cut_at(list.as_bytes(), 0..row.len(), 3, "test", 1 << 20).unwrap();
                    let mut sink = All(Vec::new());
                    read(list.as_bytes(), &cut.pieces[0], 3, &mut sink).unwrap();
                    assert_eq!(sink.0, numbers, "{list}");
                }
            }
        }
    }

    #[test]
    fn what_writers_write_is_read_the_fast_way_to_the_end() {
        let row = |i: u64| format!("{},{},{}", i % 16, i * i, i * 7);
        let plain = (0..5000).map(row).collect::<Vec<_>>().join("\n,");
        assert_eq!(rows(&plain, 1000).1, 5000);
        let one_line = (0..5000).map(row).collect::<Vec<_>>().join(",");
        assert_eq!(rows(&one_line, 1 << 20).1, 5000);
        let spaced = (0..50).map(row).collect::<Vec<_>>().join(", ");
        assert!(rows(&spaced, 1 << 20).1 < 50);
    }

    proptest! {
        #[test]
        fn rows_do_not_depend_on_where_pieces_are_cut(
            all in numbers(),
            between in proptest::collection::vec(0_usize..40, 1..8),
            piece in 1_usize..200,
        ) {
            // Mostly as writers have it; now and then with other white space.
            let between = |i: usize| match between[i % between.len()] {
                0 => " ,",
                1 => ",\r\n ",
                n if n % 3 == 0 => ",",
                _ => "\n,",
            };
            let mut text = String::new();
            for (i, number) in all.iter().enumerate() {
                if i > 0 {
                    text.push_str(if i % 3 == 0 { between(i) } else { "," });
                }
                text.push_str(&number.to_string());
            }
            let list = format!("[{text}]");
            let naive: Vec<u64> = serde_json::from_str(&list).unwrap();
            prop_assert_eq!(&naive, &all);
            prop_assert_eq!(rows(&text, piece).0, Ok(all));
        }

        #[test]
        fn broken_text_is_refused_at_the_same_place_wherever_it_is_cut(
            all in numbers(),
            at in any::<proptest::sample::Index>(),
            byte in prop_oneof![Just(b'-'), Just(b'x'), Just(b'.'), Just(b' '), Just(b','), Just(b'\n'), Just(b'"')],
            piece in 1_usize..100,
        ) {
            let text: Vec<String> = all.chunks(3).map(|row| format!("{},{},{}", row[0], row[1], row[2])).collect();
            let mut text = text.join("\n,").into_bytes();
            prop_assume!(!text.is_empty());
            let at = at.index(text.len());
            text[at] = byte;
            let text = String::from_utf8(text).unwrap();
            let naive: Option<Vec<u64>> = serde_json::from_str(&format!("[{text}]")).ok();
            let (found, _) = rows(&text, piece);
            let whole = rows(&text, 1 << 20).0;
            prop_assert_eq!(found.is_ok(), whole.is_ok());
            if let Some(naive) = naive.filter(|naive| naive.len() % 3 == 0) {
                prop_assert_eq!(found, Ok(naive));
            }
        }
    }
}
