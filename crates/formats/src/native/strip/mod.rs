//! A native dump without the texts of its program.
//!
//! Names of code and types are in the program's files, which nobody else has: the stripped dump lists the placeholders
//! of those that the blocks need, so that places stay places.

mod cipher;
mod headers;
mod lengths;
mod write;

use std::io::Write;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::allocated::{self, Allocated, Passing};
use super::fields::Wanted;
use super::modules::Modules;
use super::sites::{Origin, Origins};
use super::symbols::Function;
use super::vtables::Vtables;
use super::{Dump, Mapping, Piece, noted};
use crate::Source;
use crate::error::Malformed;
use crate::strip::{Failure, Placeholders};
use cipher::Cipher;
use write::Writer;

/// Facts with words of the recorder's, the system's or the allocator's.
const PUBLIC: [&str; 7] = [
    "recorder",
    "reason",
    "machine",
    "runtime",
    "allocator",
    "allocator_version",
    "libc_version",
];

/// Blocks whose contents are in memory at once, in bytes.
const BATCH: u64 = 32 << 20;

/// Writes the dump with the names of its program and the text in its blocks replaced.
pub(crate) fn strip(
    source: &Source,
    placeholders: &mut Placeholders,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let dump = Dump::of(source)?;
    if let Some(at) = dump.cut() {
        return Err(Malformed::new(
            at,
            "a whole dump: of one that was cut nothing whole can be written",
            "the end of the file",
        )
        .into());
    }
    let mut info = Vec::new();
    facts(&dump, 0, placeholders, &mut info);
    names(&dump, placeholders, &mut info);
    let mut writer = Writer::new(out)?;
    writer.section(*b"INFO", &info)?;
    writer.section(*b"MAPS", &mappings(&dump, placeholders))?;
    for tag in [*b"STAK", *b"BLOK", *b"HOLE"] {
        writer.section(tag, dump.section(tag))?;
    }
    if dump.has_contents() {
        writer.begin(*b"CONT");
        contents(&dump, &mut writer)?;
    }
    // Hashes are made with a key that is kept nowhere.
    for tag in [*b"ZERO", *b"HASH"] {
        writer.section(tag, dump.section(tag))?;
    }
    let mut tail = Vec::new();
    facts(&dump, 1, placeholders, &mut tail);
    writer.section(*b"TAIL", &tail)?;
    writer.finish()?;
    Ok(())
}

fn add_fact(name: &str, value: &[u8], to: &mut Vec<u8>) {
    to.extend((name.len() as u32).to_le_bytes());
    to.extend((value.len() as u32).to_le_bytes());
    to.extend(name.bytes());
    to.extend(value);
}

/// Figures, and what is said of the system; not how the program was called.
fn facts(dump: &Dump, section: usize, placeholders: &mut Placeholders, to: &mut Vec<u8>) {
    for (name, value) in dump.facts().of_section(section) {
        let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let is_noted = [noted::SITE, noted::TYPE, noted::FIELDS, noted::STRIPPED].contains(&name);
        if PUBLIC.contains(&name) || is_number && !is_noted {
            add_fact(name, value, to);
        } else if name == "executable" {
            let path = String::from_utf8_lossy(value);
            let program = path.rsplit('/').next().unwrap_or_default();
            // By its name an interpreter is distinguished from a program that embeds one.
            let shown = if program.starts_with("python") {
                "python".to_owned()
            } else {
                placeholders.text(&path)
            };
            add_fact(name, shown.as_bytes(), to);
        }
    }
}

/// What the stacks, virtual tables and fields of the blocks are called.
fn names(dump: &Dump, placeholders: &mut Placeholders, to: &mut Vec<u8>) {
    let modules = Modules::of(dump);
    let mut origins = Origins::new(dump, &modules, "");
    let mut vtables = Vtables::new(dump, &modules);
    let mut wanted = Wanted::default();
    let mut seen = FxHashSet::default();
    let mut stacks: Vec<(u32, Origin)> = Vec::new();
    let mut types: Vec<(u64, Allocated)> = Vec::new();
    for (index, block) in dump.blocks().iter().enumerate() {
        if seen.insert((true, u64::from(block.stack))) {
            stacks.push((block.stack, origins.of(block.stack)));
        }
        let first = dump.content(index).and_then(|mut pieces| pieces.next());
        if let Some(Piece::Bytes(bytes)) = first
            && let Some(word) = bytes.first_chunk::<8>().map(|word| u64::from_le_bytes(*word))
            && seen.insert((false, word))
            && let Some(ty) = vtables.type_of(word)
        {
            types.push((word, ty.clone()));
        }
    }
    let all = types.iter().map(|(_, ty)| ty).chain(&origins.allocated);
    for (index, whole) in all.filter_map(|ty| ty.whole.as_deref()).enumerate() {
        let id = wanted.id(whole);
        wanted.set(index as u32, id);
    }
    for element in origins.elements.values() {
        wanted.id(element);
    }
    for (name, members) in wanted.members(dump, &modules) {
        let renamed = members.renamed(|field| placeholders.name(field));
        let value = noted::of_fields(&of_type(placeholders, &name), &renamed);
        add_fact(noted::FIELDS, value.as_bytes(), to);
    }
    let mut renamed = |ty: &Allocated| Allocated {
        name: placeholders.name(&ty.name),
        whole: ty.whole.as_ref().map(|whole| of_type(placeholders, whole)),
        elements: ty.elements.as_ref().map(|element| of_type(placeholders, element)),
    };
    for (address, ty) in &types {
        let value = noted::of_type(*address, &renamed(ty));
        add_fact(noted::TYPE, value.as_bytes(), to);
    }
    let allocated: Vec<Allocated> = origins.allocated.iter().map(&mut renamed).collect();
    for (stack, origin) in stacks {
        let stack_note = match origin {
            Origin::Unknown => noted::Stack::Unknown,
            Origin::Runtime => noted::Stack::Runtime,
            Origin::Site(id, one) => {
                let Some(site) = origins.sites.get(id) else {
                    continue;
                };
                let function = Function::at(
                    placeholders.name(&site.function),
                    placeholders.place(&site.location),
                );
                let one = one.and_then(|one| allocated.get(one as usize)).cloned();
                let elements = origins.elements.get(&id);
                let several = || {
                    Some(Allocated {
                        name: placeholders.name(site.allocates.as_ref()?),
                        whole: None,
                        elements: elements.map(|element| of_type(placeholders, element)),
                    })
                };
                let allocated = one.or_else(several);
                let passing = match allocated {
                    Some(node) if site.of_library => Passing::Node(node),
                    _ => allocated.map_or(Passing::Nothing, Passing::Type),
                };
                noted::Stack::Program(function, passing)
            }
        };
        add_fact(noted::SITE, noted::of_stack(stack, &stack_note).as_bytes(), to);
    }
    if modules.have_cpp() {
        add_fact(noted::CPP, b"1", to);
    }
    add_fact(noted::STRIPPED, b"1", to);
}

/// The placeholder of a type, within the library's container that it is.
fn of_type(placeholders: &mut Placeholders, name: &str) -> String {
    let shown = placeholders.name(name);
    match allocated::container(name) {
        Some(container) => format!("{container}{shown}>"),
        None => shown,
    }
}

/// Mappings with placeholders for their paths. Their build ids would reveal which programs they are.
fn mappings(dump: &Dump, placeholders: &mut Placeholders) -> Vec<u8> {
    let mut to = Vec::new();
    for mapping in dump.mappings() {
        let Mapping {
            start, end, offset, ..
        } = mapping;
        let path = String::from_utf8_lossy(mapping.path);
        let path = if path.starts_with('[') {
            path.into_owned()
        } else {
            placeholders.text(&path)
        };
        for number in [start, end, offset] {
            to.extend(number.to_le_bytes());
        }
        let flags =
            u32::from(mapping.readable) | u32::from(mapping.executable) << 1 | u32::from(mapping.go) << 2;
        to.extend(flags.to_le_bytes());
        let len = path.len().min(usize::from(u16::MAX)) as u16;
        to.extend(len.to_le_bytes());
        to.extend(0_u16.to_le_bytes());
        to.extend(&path.as_bytes()[..usize::from(len)]);
    }
    to
}

fn contents(dump: &Dump, writer: &mut Writer<'_>) -> Result<(), Failure> {
    let addresses = dump.addresses();
    let cipher = Cipher::new(|word| addresses.may_have(word));
    let blocks = dump.blocks();
    let mut at = 0;
    while at < blocks.len() {
        let mut bytes = 0;
        let batch = blocks[at..]
            .iter()
            .take_while(|block| {
                let before = bytes;
                bytes += block.requested;
                before < BATCH
            })
            .count();
        let made: Vec<Vec<u8>> = (at..at + batch)
            .into_par_iter()
            .map(|block| {
                let mut made = Vec::new();
                let mut address = blocks[block].address;
                for piece in dump.content(block).into_iter().flatten() {
                    if let Piece::Bytes(bytes) = piece {
                        let mut stretch = cipher.of(bytes);
                        lengths::keep(dump, address, bytes, &mut stretch);
                        // Headers stand at the beginning of their blocks.
                        if made.is_empty() {
                            headers::keep(bytes, &mut stretch);
                        }
                        made.extend(stretch);
                    }
                    address = address.saturating_add(piece.len());
                }
                made
            })
            .collect();
        for made in made {
            writer.put(&made)?;
        }
        at += batch;
    }
    Ok(())
}
