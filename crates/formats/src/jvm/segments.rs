//! The rows of the heap: where each stands, found on all threads, a segment each.

use std::ops::Range;

use rayon::prelude::*;

use super::addresses::{Ids, Pieces};
use super::cursor::{Cursor, OBJECT, type_bytes};
use super::outline::Outline;
use crate::error::Malformed;
use crate::progress;

/// Numbers of sub-records with contents.
pub(super) mod sub {
    pub(in crate::jvm) const CLASS: u8 = 0x20;
    pub(in crate::jvm) const INSTANCE: u8 = 0x21;
    pub(in crate::jvm) const OBJECTS: u8 = 0x22;
    pub(in crate::jvm) const NUMBERS: u8 = 0x23;
    /// An array whose numbers were left out, as Android does.
    pub(in crate::jvm) const NUMBERS_WITHOUT: u8 = 0xC3;
}

/// Numbers of roots.
pub(super) mod root {
    pub(in crate::jvm) const JNI_GLOBAL: u8 = 0x01;
    pub(in crate::jvm) const JNI_LOCAL: u8 = 0x02;
    pub(in crate::jvm) const FRAME: u8 = 0x03;
    pub(in crate::jvm) const NATIVE: u8 = 0x04;
    pub(in crate::jvm) const STICKY: u8 = 0x05;
    pub(in crate::jvm) const BLOCK: u8 = 0x06;
    pub(in crate::jvm) const MONITOR: u8 = 0x07;
    pub(in crate::jvm) const THREAD: u8 = 0x08;
    pub(in crate::jvm) const UNKNOWN: u8 = 0xFF;
}

/// Something that holds an object from outside of the heap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) sort: u8,
    pub(super) id: u64,
    /// Serial numbers of the thread and of its stack, or the number of the frame in that.
    pub(super) thread: u32,
    pub(super) frame: u32,
}

/// A field that a class declares, or a static one with where its value stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) name: u64,
    pub(super) ty: u8,
    pub(super) at: usize,
}

/// What a file says of a class.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassDump {
    pub(super) id: u64,
    pub(super) superclass: u64,
    pub(super) loader: u64,
    pub(super) statics: Vec<Declared>,
    pub(super) fields: Vec<Declared>,
}

/// What stands in the segments of a file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Where rows stand: each segment up to the end of its last whole row.
    segments: Vec<Range<usize>>,
    pub(super) ids: Ids,
    pub(super) roots: Vec<Root>,
    pub(super) classes: Vec<ClassDump>,
    /// Where the file ends within a sub-record.
    pub(super) cut: Option<usize>,
}

impl Rows {
    /// The rows of the file itself.
    pub(super) fn in_file<'r>(&'r self, bytes: &'r [u8], id_bytes: usize) -> RowsInFile<'r> {
        RowsInFile {
            segments: &self.segments,
            bytes,
            id_bytes,
        }
    }
}

/// Rows, found again whenever someone asks: passing over them costs less than keeping where they were.
pub(super) struct RowsInFile<'r> {
    segments: &'r [Range<usize>],
    bytes: &'r [u8],
    id_bytes: usize,
}

impl Pieces for RowsInFile<'_> {
    fn pieces(&self) -> usize {
        self.segments.len()
    }

    fn each(&self, piece: usize, mut found: impl FnMut(u64, u64)) {
        let segment = self.segments[piece].clone();
        let mut cursor = Cursor::new(&self.bytes[..segment.end], segment.start, self.id_bytes);
        while cursor.at < segment.end {
            let start = cursor.at;
            match sub_record(&mut cursor, self.id_bytes) {
                Some(Found::Row(id)) => found(id, start as u64),
                Some(Found::Class(class)) => found(class.id, start as u64),
                Some(Found::Root(_) | Found::Nothing) => {}
                Some(Found::Unknown) | None => return,
            }
        }
    }
}

/// Looks at all segments.
pub(super) fn scan(bytes: &[u8], outline: &Outline) -> Result<Rows, Malformed> {
    let segments = outline.segments.par_iter();
    let pieces: Vec<Result<Rows, Malformed>> = segments
        .map(|segment| {
            let piece = segment_rows(bytes, segment.clone(), outline.id_bytes);
            progress::add(segment.len());
            piece
        })
        .collect();
    let mut all = Rows::default();
    for piece in pieces {
        let piece = piece?;
        all.segments.extend(piece.segments);
        all.ids.join(piece.ids);
        all.roots.extend(piece.roots);
        all.classes.extend(piece.classes);
        all.cut = all.cut.or(piece.cut);
    }
    Ok(all)
}

fn segment_rows(bytes: &[u8], segment: Range<usize>, id_bytes: usize) -> Result<Rows, Malformed> {
    let mut rows = Rows::default();
    let is_last = segment.end == bytes.len();
    let mut end = segment.end;
    let mut cursor = Cursor::new(&bytes[..segment.end], segment.start, id_bytes);
    while cursor.at < segment.end {
        let start = cursor.at;
        match sub_record(&mut cursor, id_bytes) {
            Some(Found::Row(id)) => rows.ids.add(id),
            Some(Found::Root(root)) => rows.roots.push(root),
            Some(Found::Class(class)) => {
                rows.ids.add(class.id);
                rows.classes.push(*class);
            }
            Some(Found::Nothing) => {}
            // What follows a segment without a length is no part of it.
            Some(Found::Unknown) if is_last && bytes[start] == 0x2C && start + 9 == bytes.len() => {
                end = start;
                break;
            }
            Some(Found::Unknown) => return Err(Malformed::at(bytes, start, "the tag of a row of the heap")),
            None if is_last => {
                rows.cut = Some(start);
                end = start;
                break;
            }
            None => return Err(Malformed::at(bytes, start, "a row that ends within its segment")),
        }
    }
    rows.segments.push(segment.start..end);
    Ok(rows)
}

/// Where the id of its class stands in the sub-record of an instance that begins at a place.
pub(super) const fn class_of_instance(at: usize, id_bytes: usize) -> usize {
    at + 5 + id_bytes
}

/// A sub-record.
enum Found {
    /// An object that is no class, by its id.
    Row(u64),
    Class(Box<ClassDump>),
    Root(Root),
    Nothing,
    /// None that is known.
    Unknown,
}

/// Reads one; `None` where it is cut.
#[inline]
fn sub_record(cursor: &mut Cursor<'_>, id_bytes: usize) -> Option<Found> {
    let tag = cursor.u1()?;
    let held = |cursor: &mut Cursor<'_>, more: usize| {
        let mut root = Root {
            sort: tag,
            id: cursor.id()?,
            thread: 0,
            frame: 0,
        };
        match more {
            1 => root.thread = cursor.u4()?,
            2 => (root.thread, root.frame) = (cursor.u4()?, cursor.u4()?),
            _ => {}
        }
        Some(root)
    };
    Some(match tag {
        sub::INSTANCE => {
            let id = cursor.id()?;
            cursor.skip(4 + id_bytes)?;
            let length = cursor.u4()? as usize;
            cursor.skip(length)?;
            Found::Row(id)
        }
        sub::OBJECTS => {
            let id = cursor.id()?;
            cursor.u4()?;
            let count = cursor.u4()? as usize;
            cursor.id()?;
            cursor.skip(count.checked_mul(id_bytes)?)?;
            Found::Row(id)
        }
        sub::NUMBERS | sub::NUMBERS_WITHOUT => {
            let id = cursor.id()?;
            cursor.u4()?;
            let count = cursor.u4()? as usize;
            let of = cursor.u1()?;
            let Some(each) = type_bytes(of, id_bytes).filter(|_| of != OBJECT) else {
                return Some(Found::Unknown);
            };
            if tag == sub::NUMBERS {
                cursor.skip(count.checked_mul(each)?)?;
            }
            Found::Row(id)
        }
        sub::CLASS => {
            let mut class = ClassDump::default();
            if !class_dump(cursor, id_bytes, &mut class)? {
                return Some(Found::Unknown);
            }
            Found::Class(Box::new(class))
        }
        // Numbers are Android's: interned, finalizing, held by the debugger, cleaned up, internal, unreachable; a thread's monitor.
        root::UNKNOWN | root::STICKY | root::MONITOR | 0x89..=0x8D | 0x90 => Found::Root(held(cursor, 0)?),
        root::JNI_GLOBAL => {
            let root = held(cursor, 0)?;
            cursor.id()?;
            Found::Root(root)
        }
        root::JNI_LOCAL | root::FRAME | root::THREAD | 0x8E => Found::Root(held(cursor, 2)?),
        root::NATIVE | root::BLOCK => Found::Root(held(cursor, 1)?),
        // The heap that the next rows are in.
        0xFE => {
            cursor.u4()?;
            cursor.id()?;
            Found::Nothing
        }
        _ => Found::Unknown,
    })
}

/// `Some(false)` for a value of no type, `None` where the file ends.
fn class_dump(cursor: &mut Cursor<'_>, id_bytes: usize, class: &mut ClassDump) -> Option<bool> {
    class.id = cursor.id()?;
    cursor.u4()?;
    class.superclass = cursor.id()?;
    class.loader = cursor.id()?;
    cursor.skip(4 * id_bytes + 4)?;
    for _ in 0..cursor.u2()? {
        cursor.u2()?;
        let of = cursor.u1()?;
        let Some(bytes) = type_bytes(of, id_bytes) else {
            return Some(false);
        };
        cursor.skip(bytes)?;
    }
    for _ in 0..cursor.u2()? {
        let name = cursor.id()?;
        let ty = cursor.u1()?;
        let Some(bytes) = type_bytes(ty, id_bytes) else {
            return Some(false);
        };
        let at = cursor.skip(bytes)?.start;
        class.statics.push(Declared { name, ty, at });
    }
    for _ in 0..cursor.u2()? {
        let name = cursor.id()?;
        let at = cursor.at;
        let ty = cursor.u1()?;
        if type_bytes(ty, id_bytes).is_none() {
            return Some(false);
        }
        class.fields.push(Declared { name, ty, at });
    }
    Some(true)
}
