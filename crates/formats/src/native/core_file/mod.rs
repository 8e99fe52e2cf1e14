//! Core files: all of a process's memory, as the kernel, a debugger or `deadweight weigh --pid` writes it. What is live
//! in it is found by walking the C library's arenas.

mod elf;
mod format;
mod image;
mod notes;

use std::ops::Range;
use std::path::Path;

use memchr::memmem;
use object::elf::{FileHeader64, PT_NOTE};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Object, ObjectSymbol};

pub use elf::is_core;
pub(crate) use format::Core;
pub use image::{Image, Part};
pub use notes::FileMapping;
use notes::Notes;

use super::glibc::{self, Walk};
use super::modules::same_file;
use super::{Block, Dump, Facts};
use crate::{ReadError, Source};

/// `AT_PHDR`, which stands in the program itself, and `AT_EXECFN`, which stands above its stack.
const PROGRAM_HEADERS: u64 = 3;
const PROGRAM_NAME: u64 = 31;

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

/// A mapped file with what its notes say.
struct Mapped<'a> {
    file: &'a FileMapping,
    build_id: Vec<u8>,
    is_go: bool,
}

impl<'a> Mapped<'a> {
    fn of(image: &Image, file: &'a FileMapping) -> Self {
        let mut mapped = Self {
            file,
            build_id: Vec::new(),
            is_go: false,
        };
        let Some(Part::Bytes(bytes)) = image.part(file.start, file.end - file.start) else {
            return mapped;
        };
        // The mapping begins with the file, so that offsets in the one are offsets in the other.
        let headers = FileHeader64::<object::Endianness>::parse(bytes)
            .ok()
            .filter(|_| file.offset == 0)
            .and_then(|header| Some((header.endian().ok()?, header)))
            .and_then(|(endian, header)| Some((endian, header.program_headers(endian, bytes).ok()?)));
        let Some((endian, headers)) = headers else {
            return mapped;
        };
        for header in headers.iter().filter(|header| header.p_type(endian) == PT_NOTE) {
            let mut notes = header.notes(endian, bytes).ok().flatten();
            while let Some(Ok(Some(note))) = notes.as_mut().map(object::read::elf::NoteIterator::next) {
                if note.name() == b"GNU" && note.n_type(endian) == object::elf::NT_GNU_BUILD_ID {
                    mapped.build_id = note.desc().to_vec();
                }
                mapped.is_go |= note.name() == b"Go";
            }
        }
        mapped
    }

    fn name(&self) -> &str {
        let name = self.file.path.rsplit(|&byte| byte == b'/').next();
        str::from_utf8(name.unwrap_or_default()).unwrap_or_default()
    }

    fn is_libc(&self) -> bool {
        self.name().starts_with("libc.so") || self.name().starts_with("libc-2")
    }
}

/// The program that ran.
struct Program {
    /// Its path in the process.
    path: Vec<u8>,
    /// Where its file is.
    at: Vec<u8>,
}

impl Program {
    fn find(notes: &Notes, objects: &[Mapped<'_>], given: Option<&Path>) -> Result<Self, String> {
        let headers = notes.auxiliary(PROGRAM_HEADERS);
        let found = headers.and_then(|at| {
            let mut objects = objects.iter();
            objects.find(|object| object.file.start <= at && at < object.file.end)
        });
        let path = found.map(|object| object.file.path.clone()).unwrap_or_default();
        let Some(given) = given else {
            return Ok(Self {
                at: path.clone(),
                path,
            });
        };
        let build_id = found.map(|object| &object.build_id[..]).unwrap_or_default();
        if same_file(given, build_id).is_none() {
            return Err(format!(
                "{} is not the program that ran: its build id is another",
                given.display()
            ));
        }
        Ok(Self {
            path,
            at: given.as_os_str().as_encoded_bytes().to_vec(),
        })
    }

    /// Why the C library's arenas would show next to nothing of it.
    fn why_not_visible(&self, image: &Image, notes: &Notes, objects: &[Mapped<'_>]) -> Option<String> {
        let own: Vec<&Mapped<'_>> = objects
            .iter()
            .filter(|object| object.file.path == self.path)
            .collect();
        if own.iter().any(|object| object.is_go) {
            return Some("Go manages its memory itself, outside of what can be walked here".to_owned());
        }
        let name = own.first().map(|object| object.name()).unwrap_or_default();
        if name.starts_with("python") && !has_setting(image, notes, b"\0PYTHONMALLOC=malloc\0") {
            return Some(
                "CPython keeps its objects in pools of its own, outside of what can be walked here; with \
                 PYTHONMALLOC=malloc in its environment it asks the allocator for each of them"
                    .to_owned(),
            );
        }
        for allocator in ["jemalloc", "tcmalloc", "mimalloc"] {
            if objects.iter().any(|object| object.name().contains(allocator)) {
                return Some(format!(
                    "the program allocates with {allocator}, and only glibc's heap can be walked from outside; \
                     `deadweight run -- PROGRAM` records its blocks"
                ));
            }
        }
        let file = own.iter().find(|object| object.file.offset == 0)?;
        let mapped = same_file(&self.file(), &file.build_id)?;
        let object = object::File::parse(&mapped[..]).ok()?;
        let defines =
            |symbol: object::Symbol<'_, '_>| symbol.is_definition() && symbol.name() == Ok("malloc");
        object.dynamic_symbols().any(defines).then(|| {
            "the program brings its own malloc, and only glibc's heap can be walked from outside".to_owned()
        })
    }

    fn file(&self) -> std::path::PathBuf {
        String::from_utf8_lossy(&self.at).into_owned().into()
    }
}

/// Whether the environment, which stands above the stack, has a setting.
fn has_setting(image: &Image, notes: &Notes, setting: &[u8]) -> bool {
    /// No environment is larger.
    const MOST: usize = 8 << 20;
    let place = notes.auxiliary(PROGRAM_NAME).and_then(|at| image.segment(at));
    place.is_some_and(|segment| {
        let bytes = image.stored(segment);
        memmem::find(&bytes[bytes.len().saturating_sub(MOST)..], setting).is_some()
    })
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

/// `2.36`, from what the C library's file says of itself.
fn version(libc: &Mapped<'_>) -> Option<String> {
    let path = String::from_utf8_lossy(&libc.file.path).into_owned();
    let file = same_file(Path::new(&path), &libc.build_id)?;
    let before = b"stable release version ";
    let at = memmem::find(&file, before)? + before.len();
    let text = file.get(at..at + 8)?;
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
    let version = str::from_utf8(&text[..end]).ok()?;
    Some(version.trim_end_matches('.').to_owned())
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
