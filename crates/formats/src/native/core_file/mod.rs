//! Core files: all of a process's memory, as the kernel, a debugger or `deadweight weigh --pid` writes it. What is live
//! in it is found by walking the C library's arenas.

mod elf;
mod format;
mod image;
mod mapped;
mod notes;
mod program;

use std::ops::Range;
use std::path::Path;

pub use elf::is_core;
pub(crate) use format::Core;
pub use image::{Image, Part};
use mapped::{Mapped, version};
pub use notes::FileMapping;
use notes::Notes;
use program::Program;

use super::glibc::{self, Walk};
use super::{Block, Dump, Facts};
use crate::{ReadError, Source};

/// What a core file's walk leaves for [`Dump`].
#[derive(Debug)]
pub struct Walked {
    pub image: Image,
    /// As the sections of a native dump have them.
    pub info: Vec<u8>,
    pub maps: Vec<u8>,
}

/// Reads a core file: its live blocks, with all that they may use, and no stacks. `program` is the file that ran, where
/// it is not at the path that the core file names.
pub fn read(source: &Source, program: Option<&Path>) -> Result<Dump, ReadError> {
    let (image, notes) = elf::read(&source.bytes).map_err(|malformed| malformed.in_file(&source.path))?;
    let not_visible = |why: String| ReadError::NotVisible {
        path: source.path.clone(),
        why,
    };
    let objects: Vec<Mapped> = notes.files.iter().map(|file| Mapped::of(&image, file)).collect();
    let program = Program::find(&notes, &objects, program).map_err(&not_visible)?;
    if let Some(why) = program.why_not_visible(&image, &notes, &objects) {
        return Err(not_visible(why));
    }
    let walk = glibc::walk(&image, &notes.files).ok_or_else(|| {
        not_visible(
            "glibc's malloc is not in this program's memory, or was never used: it may have a malloc of its own, or \
             another C library"
                .to_owned(),
        )
    })?;
    let facts = facts(&notes, &objects, &program, &walk);
    let blocks = blocks(&image, &walk);
    Ok(Dump::walked(
        source.stored_bytes,
        Walked {
            image,
            info: facts,
            maps: mappings(&objects, &program),
        },
        blocks,
    ))
}

fn blocks(image: &Image, walk: &Walk) -> Vec<Block> {
    let block = |live: &glibc::Live| Block {
        address: live.address,
        requested: live.usable,
        spare: 1,
        stack: 0,
        unreadable: !image.has(live.address, live.usable),
        stored_at: 0,
        has_holes: false,
    };
    walk.live.iter().map(block).collect()
}

fn fact(facts: &mut Vec<u8>, name: &str, value: &[u8]) {
    facts.extend((name.len() as u32).to_le_bytes());
    facts.extend((value.len() as u32).to_le_bytes());
    facts.extend(name.bytes());
    facts.extend(value);
}

fn facts(notes: &Notes, objects: &[Mapped<'_>], program: &Program, walk: &Walk) -> Vec<u8> {
    // What a picture of our own says is kept as far as it is well formed.
    let own = notes.facts.as_deref().unwrap_or_default();
    let mut facts = own[..super::facts::whole(own)].to_vec();
    let known = Facts { sections: [own, &[]] };
    if known.get("executable").is_none() {
        fact(&mut facts, "executable", &program.path);
    }
    fact(&mut facts, "allocator", b"glibc");
    let libc = objects
        .iter()
        .find(|object| object.is_libc() && object.file.offset == 0);
    if let Some(version) = libc.and_then(version) {
        fact(&mut facts, "allocator_version", version.as_bytes());
    }
    let runs_python = objects
        .iter()
        .any(|object| object.name().starts_with("libpython"));
    if runs_python {
        fact(&mut facts, "runtime", b"cpython");
    }
    let used = walk.system_bytes.saturating_sub(walk.free_bytes);
    for (name, value) in [
        ("glibc_arenas", walk.arenas),
        ("glibc_arena_bytes", walk.system_bytes),
        ("glibc_mapped_bytes", walk.mapped_bytes),
        ("glibc_used_bytes", used),
        ("glibc_free_bytes", walk.free_bytes),
        ("glibc_cached_bytes", walk.cached_bytes),
        ("glibc_own_bytes", walk.own_bytes),
    ] {
        fact(&mut facts, name, value.to_string().as_bytes());
    }
    if !walk.incomplete.is_empty() {
        fact(&mut facts, "incomplete", walk.incomplete.join("; ").as_bytes());
    }
    facts
}

/// The section `MAPS` of a native dump.
fn mappings(objects: &[Mapped<'_>], program: &Program) -> Vec<u8> {
    let mut section = Vec::new();
    for object in objects {
        let file = object.file;
        let path = if file.path == program.path {
            &program.at
        } else {
            &file.path
        };
        let Range { start, end } = file.start..file.end;
        for number in [start, end, file.offset] {
            section.extend(number.to_le_bytes());
        }
        let flags = 1 | u32::from(object.is_go) << 2;
        section.extend(flags.to_le_bytes());
        let build_id = if object.build_id.len() > 64 {
            &[]
        } else {
            &object.build_id[..]
        };
        let path = &path[..path.len().min(usize::from(u16::MAX))];
        section.extend((path.len() as u16).to_le_bytes());
        section.extend((build_id.len() as u16).to_le_bytes());
        section.extend(path);
        section.extend(build_id);
    }
    section
}
