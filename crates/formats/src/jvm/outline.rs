//! The records of a file: names, classes, stacks, and where the pieces of the heap stand.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::cursor::Cursor;
use super::format::MAGIC;
use crate::error::Malformed;

/// Bytes before a record's body.
const RECORD: usize = 9;

/// Numbers of records.
mod tag {
    pub(super) const STRING: u8 = 0x01;
    pub(super) const LOAD_CLASS: u8 = 0x02;
    pub(super) const FRAME: u8 = 0x04;
    pub(super) const TRACE: u8 = 0x05;
    pub(super) const HEAP: u8 = 0x0C;
    pub(super) const SEGMENT: u8 = 0x1C;
    pub(super) const END: u8 = 0x2C;
    pub(super) const OTHERS: [u8; 8] = [0x03, 0x06, 0x07, 0x08, 0x0A, 0x0B, 0x0D, 0x0E];
}

/// A place in a method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) method: u64,
    pub(super) class_serial: u32,
}

/// What a file says outside of its heap.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) id_bytes: usize,
    /// Where each name stands.
    pub(super) names: FxHashMap<u64, Range<usize>>,
    /// The name of each class, by its id and by its serial number.
    pub(super) class_names: FxHashMap<u64, u64>,
    pub(super) by_serial: FxHashMap<u32, u64>,
    pub(super) frames: FxHashMap<u64, Frame>,
    /// The frames of each stack, by its serial number and by its thread's.
    pub(super) traces: FxHashMap<u32, Vec<u64>>,
    pub(super) segments: Vec<Range<usize>>,
    /// Why the file is not whole.
    pub(super) partial: Option<String>,
}

pub(super) fn outline(bytes: &[u8]) -> Result<Outline, Malformed> {
    let mut outline = Outline {
        id_bytes: header(bytes)?,
        ..Outline::default()
    };
    let mut at = MAGIC.len() + 2 + 4 + 8;
    let (mut in_segments, mut ended) = (false, false);
    while at < bytes.len() {
        let Some((tag, body)) = record(bytes, at, outline.id_bytes) else {
            outline.cut_at(at);
            break;
        };
        let end = body.end.min(bytes.len());
        match tag {
            tag::HEAP | tag::SEGMENT => {
                in_segments |= tag == tag::SEGMENT;
                // A writer that could not go back left no length, and a long one overflowed in old writers.
                let is_open = body.is_empty() || (tag == tag::HEAP && bytes.len() - at > u32::MAX as usize);
                let end = if is_open { bytes.len() } else { end };
                outline.segments.push(body.start..end);
                if body.end > bytes.len() {
                    outline.cut_at(at);
                }
                at = end;
                continue;
            }
            tag::END => ended = true,
            _ if body.end > bytes.len() => {
                outline.cut_at(at);
                break;
            }
            tag::STRING | tag::LOAD_CLASS | tag::FRAME | tag::TRACE => {
                if outline.note(tag, bytes, body.clone()).is_none() {
                    return Err(Malformed::at(bytes, body.start, "a record as long as it says"));
                }
            }
            other if tag::OTHERS.contains(&other) => {}
            _ => return Err(Malformed::at(bytes, at, "the tag of a record")),
        }
        at = end;
    }
    if in_segments && !ended && outline.partial.is_none() {
        outline.cut_at(bytes.len());
    }
    Ok(outline)
}

/// The bytes of an id.
fn header(bytes: &[u8]) -> Result<usize, Malformed> {
    let version = MAGIC.len();
    let is_known = matches!(bytes.get(version), Some(b'1'..=b'3')) && bytes.get(version + 1) == Some(&0);
    if !is_known {
        return Err(Malformed::at(bytes, version, "version 1, 2 or 3, and a zero"));
    }
    let at = version + 2;
    match Cursor::new(bytes, at, 4).u4() {
        Some(size @ (4 | 8)) if bytes.len() >= at + 12 => Ok(size as usize),
        Some(4 | 8) => Err(Malformed::at(bytes, bytes.len(), "the moment of the dump")),
        _ => Err(Malformed::at(bytes, at, "ids of 4 or 8 bytes")),
    }
}

/// The tag of a record and where its body stands, which may be beyond the end; `None` where its head is cut.
fn record(bytes: &[u8], at: usize, id_bytes: usize) -> Option<(u8, Range<usize>)> {
    let mut cursor = Cursor::new(bytes, at, id_bytes);
    let tag = cursor.u1()?;
    cursor.u4()?;
    let length = cursor.u4()? as usize;
    let start = at + RECORD;
    Some((tag, start..start.checked_add(length)?))
}

impl Outline {
    pub(super) fn cut_at(&mut self, at: usize) {
        let why = || format!("the dump ends within a record that begins at byte {at}");
        self.partial.get_or_insert_with(why);
    }

    fn note(&mut self, tag: u8, bytes: &[u8], body: Range<usize>) -> Option<()> {
        let mut cursor = Cursor::new(bytes.get(..body.end)?, body.start, self.id_bytes);
        match tag {
            tag::STRING => {
                let id = cursor.id()?;
                self.names.insert(id, cursor.at..body.end);
            }
            tag::LOAD_CLASS => {
                let serial = cursor.u4()?;
                let class = cursor.id()?;
                cursor.u4()?;
                let name = cursor.id()?;
                self.class_names.insert(class, name);
                self.by_serial.insert(serial, name);
            }
            tag::FRAME => {
                let id = cursor.id()?;
                let method = cursor.id()?;
                cursor.id()?;
                cursor.id()?;
                let class_serial = cursor.u4()?;
                self.frames.insert(id, Frame { method, class_serial });
            }
            _ => {
                let serial = cursor.u4()?;
                cursor.u4()?;
                let count = cursor.u4()? as usize;
                // No room is made for more frames than the record has bytes.
                let most = body.len() / self.id_bytes;
                let frames: Option<Vec<u64>> = (0..count.min(most)).map(|_| cursor.id()).collect();
                self.traces.insert(serial, frames?);
            }
        }
        Some(())
    }

    /// A name as the file has it.
    pub(super) fn name(&self, bytes: &[u8], id: u64) -> String {
        let span = self.names.get(&id).and_then(|span| bytes.get(span.clone()));
        span.map_or_else(String::new, |name| String::from_utf8_lossy(name).into_owned())
    }
}
