//! A file that was mapped into the process.

use std::path::Path;

use memchr::memmem;
use object::elf::{FileHeader64, PT_NOTE};
use object::read::elf::{FileHeader, ProgramHeader};

use super::image::{Image, Part};
use super::notes::FileMapping;
use crate::native::modules::same_file;

/// A mapped file with what its notes say.
pub(super) struct Mapped<'a> {
    pub(super) file: &'a FileMapping,
    pub(super) build_id: Vec<u8>,
    pub(super) is_go: bool,
}

impl<'a> Mapped<'a> {
    pub(super) fn of(image: &Image, file: &'a FileMapping) -> Self {
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

    pub(super) fn name(&self) -> &str {
        let name = self.file.path.rsplit(|&byte| byte == b'/').next();
        str::from_utf8(name.unwrap_or_default()).unwrap_or_default()
    }

    pub(super) fn is_libc(&self) -> bool {
        self.name().starts_with("libc.so") || self.name().starts_with("libc-2")
    }
}

/// `2.36`, from what the C library's file says of itself.
pub(super) fn version(libc: &Mapped<'_>) -> Option<String> {
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
