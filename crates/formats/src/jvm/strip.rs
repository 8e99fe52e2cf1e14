//! A dump without the texts of its program.
//!
//! Strings get placeholders, and so do names that no class of the library has. Bytes and characters in other arrays may be
//! text as well: each that is not zero becomes what a hash with a key makes of the whole array, so that equal arrays stay
//! equal and zeros zeros. Numbers of other widths stay.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::Addresses;
use super::classes::{Class, Classes, FieldAt};
use super::decode::{Dump, Row};
use super::engine::THREADS;
use super::known::Role;
use super::others::Containers;
use super::outline::{Outline, outline};
use super::segments::scan;
use super::sorts::Sorts;
use super::strings::characters;
use crate::strip::{Failure, Placeholders};

/// Text that stays: the runtime's, by which the reader knows threads and versions.
fn is_runtimes(text: &str) -> bool {
    THREADS.contains(&text)
}

/// Writes the dump with its texts replaced; everything else as it is. A row that was cut off is left out.
pub(super) fn strip(
    bytes: &[u8],
    placeholders: &mut Placeholders,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // All that can be wrong is found before a byte is written.
    let outline = outline(bytes)?;
    let rows = scan(bytes, &outline)?;
    let end = rows.cut.unwrap_or(bytes.len());
    let addresses = Addresses::new(&rows.in_file(bytes, outline.id_bytes), &rows.ids);
    let containers = Containers::shipped();
    let classes = Classes::new(rows.classes, &outline, bytes, &addresses, &containers);
    let sorts = Sorts::new(bytes, outline.id_bytes, &addresses, &classes);
    let dump = Dump {
        bytes,
        id_bytes: outline.id_bytes,
        addresses: &addresses,
        classes: &classes,
        sorts: &sorts,
    };
    let mut replaced = contents(&dump, placeholders);
    replaced.extend(names(&dump, &outline, &containers, placeholders));
    replaced.sort_unstable_by_key(|(span, _)| span.start);
    let mut written = 0;
    for (span, made) in replaced {
        if span.start >= written && span.end <= end && made.len() == span.len() {
            out.write_all(&bytes[written..span.start])?;
            out.write_all(&made)?;
            written = span.end;
        }
    }
    out.write_all(&bytes[written..end])?;
    Ok(())
}

/// What stands in place of the contents of arrays of bytes and of characters.
fn contents(dump: &Dump<'_>, placeholders: &mut Placeholders) -> Vec<(Range<usize>, Vec<u8>)> {
    let version = ["java.lang.VersionProps", "sun.misc.Version"]
        .into_iter()
        .find_map(|class| {
            let at = dump
                .classes
                .static_at(dump.classes.named(class)?, "java_version")?;
            dump.target(at)
        });
    let mut replaced = Vec::new();
    let mut of_strings: FxHashSet<usize> = FxHashSet::default();
    for row in 0..dump.rows() {
        let Some(of) = dump.instance_of(row, Role::String) else {
            continue;
        };
        let Some((span, is_wide)) = characters(dump, of) else {
            continue;
        };
        if !of_strings.insert(span.start) || span.is_empty() {
            continue;
        }
        let Some(raw) = dump.bytes.get(span.clone()) else {
            continue;
        };
        let is_big = dump.bytes.get(span.start.wrapping_sub(1)) == Some(&5);
        let text = decoded(raw, is_wide, is_big);
        if version == Some(row) || is_runtimes(&text) {
            continue;
        }
        let made = placeholders.text(&text);
        let made = encoded(&made, is_wide, is_big).filter(|made| made.len() == raw.len());
        replaced.push((span, made.unwrap_or_else(|| vec![b'x'; raw.len()])));
    }
    let key = RandomState::new();
    for row in 0..dump.rows() {
        let Row::Numbers {
            ty: ty @ (5 | 8),
            at: Some(at),
            count,
        } = dump.row(row)
        else {
            continue;
        };
        let span = at..at + count as usize * if ty == 5 { 2 } else { 1 };
        let Some(raw) = dump.bytes.get(span.clone()).filter(|_| !of_strings.contains(&at)) else {
            continue;
        };
        replaced.push((span, hidden(raw, &key)));
    }
    replaced
}

/// Bytes that say of others only which are zero, and whether all are equal.
fn hidden(raw: &[u8], key: &RandomState) -> Vec<u8> {
    let seed = key.hash_one(raw);
    let words = (0..).map(|word: u64| key.hash_one((seed, word)).to_le_bytes());
    let made = words.flatten().zip(raw);
    made.map(|(hash, &byte)| if byte == 0 { 0 } else { hash.max(1) })
        .collect()
}

fn decoded(raw: &[u8], is_wide: bool, is_big: bool) -> String {
    if !is_wide {
        return raw.iter().copied().map(char::from).collect();
    }
    let units = raw.as_chunks::<2>().0.iter().map(|&unit| {
        if is_big {
            u16::from_be_bytes(unit)
        } else {
            u16::from_le_bytes(unit)
        }
    });
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or('\u{FFFD}'))
        .collect()
}

/// `None` where a character needs more room.
fn encoded(text: &str, is_wide: bool, is_big: bool) -> Option<Vec<u8>> {
    if !is_wide {
        return text
            .chars()
            .map(|unit| u8::try_from(u32::from(unit)).ok())
            .collect();
    }
    let units = text.encode_utf16();
    Some(
        units
            .flat_map(|unit| {
                if is_big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect(),
    )
}

/// What stands in place of names that are the program's alone. Those of containers say what they are.
fn names(
    dump: &Dump<'_>,
    outline: &Outline,
    containers: &Containers,
    placeholders: &mut Placeholders,
) -> Vec<(Range<usize>, Vec<u8>)> {
    let mut public: FxHashSet<u64> = FxHashSet::default();
    let mut library_serials: FxHashSet<u64> = FxHashSet::default();
    let is_public = |class: &&Class| {
        let stands_for = |field: &FieldAt| {
            let around = containers.around(&class.name, dump.classes.name(field.name));
            around.is_some()
        };
        class.is_library
            || dump.classes.known.find(&class.name).is_some()
            || class.fields.iter().any(stands_for)
    };
    for class in dump.classes.all.iter().filter(is_public) {
        let own = outline.class_names.get(&class.id);
        library_serials.extend(own);
        public.extend(own);
        public.extend(class.fields.iter().map(|field| field.name));
        public.extend(class.statics.iter().map(|of| of.name));
    }
    for frame in outline.frames.values() {
        let class = outline.by_serial.get(&frame.class_serial);
        if class.is_some_and(|class| library_serials.contains(class)) {
            public.insert(frame.method);
        }
    }
    let kept: FxHashSet<&[u8]> = public
        .iter()
        .filter_map(|id| dump.bytes.get(outline.names.get(id)?.clone()))
        .collect();
    let mut made: FxHashMap<&[u8], Vec<u8>> = FxHashMap::default();
    let mut replaced = Vec::new();
    let mut all: Vec<&Range<usize>> = outline.names.values().collect();
    all.sort_unstable_by_key(|span| span.start);
    for span in all {
        let Some(raw) = dump.bytes.get(span.clone()) else {
            continue;
        };
        if kept.contains(raw) || raw.starts_with(b"<") {
            continue;
        }
        let new = made.entry(raw).or_insert_with(|| name(raw, placeholders));
        replaced.push((span.clone(), new.clone()));
    }
    replaced
}

/// A name whose words are replaced; what a JVM adds to names stays.
fn name(raw: &[u8], placeholders: &mut Placeholders) -> Vec<u8> {
    const MADE: [&str; 2] = ["$$Lambda", "$Proxy"];
    let text = String::from_utf8_lossy(raw);
    let start = text.len() - text.trim_start_matches('[').len();
    let start = start + usize::from(start > 0 && text[start..].starts_with('L'));
    let end = MADE.iter().filter_map(|made| text.find(made)).min();
    let end = end.or_else(|| text.find("+0x")).unwrap_or(text.len()).max(start);
    let middle = placeholders.name(&text[start..end]);
    let whole = format!("{}{middle}{}", &text[..start], &text[end..]);
    if whole.len() == raw.len() {
        whole.into_bytes()
    } else {
        vec![b'x'; raw.len()]
    }
}
