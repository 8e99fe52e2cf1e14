//! The rows of the heap: where each stands, found on all threads, a segment each.

use std::ops::Range;

use rayon::prelude::*;

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
    /// Id and place of each row.
    pub(super) found: Vec<(u64, u64)>,
    pub(super) roots: Vec<Root>,
    pub(super) classes: Vec<ClassDump>,
    /// Where the file ends within a sub-record.
    pub(super) cut: Option<usize>,
}

/// Finds the rows of all segments.
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
    let count = |piece: &Result<Rows, Malformed>| piece.as_ref().map_or(0, |piece| piece.found.len());
    all.found.reserve_exact(pieces.iter().map(count).sum());
    for piece in pieces {
        let piece = piece?;
        all.found.extend(piece.found);
        all.roots.extend(piece.roots);
        all.classes.extend(piece.classes);
        all.cut = all.cut.or(piece.cut);
    }
    Ok(all)
}

fn segment_rows(bytes: &[u8], segment: Range<usize>, id_bytes: usize) -> Result<Rows, Malformed> {
    let mut rows = Rows::default();
    let is_last = segment.end == bytes.len();
    let mut cursor = Cursor::new(&bytes[..segment.end], segment.start, id_bytes);
    while cursor.at < segment.end {
        let start = cursor.at;
        match sub_record(&mut cursor, start, id_bytes, &mut rows) {
            Some(true) => {}
            // What follows a segment without a length is no part of it.
            Some(false) if is_last && bytes[start] == 0x2C && start + 9 == bytes.len() => break,
            Some(false) => return Err(Malformed::at(bytes, start, "the tag of a row of the heap")),
            None if is_last => {
                rows.cut = Some(start);
                break;
            }
            None => return Err(Malformed::at(bytes, start, "a row that ends within its segment")),
        }
    }
    Ok(rows)
}

/// Reads one; `None` where it is cut, false for an unknown one.
fn sub_record(cursor: &mut Cursor<'_>, start: usize, id_bytes: usize, rows: &mut Rows) -> Option<bool> {
    let tag = cursor.u1()?;
    let mut held = |cursor: &mut Cursor<'_>, more: usize| {
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
        rows.roots.push(root);
        Some(())
    };
    match tag {
        sub::INSTANCE => {
            let id = cursor.id()?;
            cursor.u4()?;
            cursor.id()?;
            let length = cursor.u4()? as usize;
            cursor.skip(length)?;
            rows.found.push((id, start as u64));
        }
        sub::OBJECTS => {
            let id = cursor.id()?;
            cursor.u4()?;
            let count = cursor.u4()? as usize;
            cursor.id()?;
            cursor.skip(count.checked_mul(id_bytes)?)?;
            rows.found.push((id, start as u64));
        }
        sub::NUMBERS | sub::NUMBERS_WITHOUT => {
            let id = cursor.id()?;
            cursor.u4()?;
            let count = cursor.u4()? as usize;
            let of = cursor.u1()?;
            let Some(each) = type_bytes(of, id_bytes).filter(|_| of != OBJECT) else {
                return Some(false);
            };
            if tag == sub::NUMBERS {
                cursor.skip(count.checked_mul(each)?)?;
            }
            rows.found.push((id, start as u64));
        }
        sub::CLASS => {
            let mut class = ClassDump::default();
            if !class_dump(cursor, id_bytes, &mut class)? {
                return Some(false);
            }
            rows.found.push((class.id, start as u64));
            rows.classes.push(class);
        }
        // Numbers are Android's: interned, finalizing, held by the debugger, cleaned up, internal, unreachable; a thread's monitor.
        root::UNKNOWN | root::STICKY | root::MONITOR | 0x89..=0x8D | 0x90 => held(cursor, 0)?,
        root::JNI_GLOBAL => {
            held(cursor, 0)?;
            cursor.id()?;
        }
        root::JNI_LOCAL | root::FRAME | root::THREAD | 0x8E => held(cursor, 2)?,
        root::NATIVE | root::BLOCK => held(cursor, 1)?,
        // The heap that the next rows are in.
        0xFE => {
            cursor.u4()?;
            cursor.id()?;
        }
        _ => return Some(false),
    }
    Some(true)
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
