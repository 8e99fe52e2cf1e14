//! The program that left a core file, and whether its memory can be walked.

use std::path::Path;

use memchr::memmem;
use object::{Object, ObjectSymbol};

use super::image::Image;
use super::mapped::Mapped;
use super::notes::Notes;
use crate::native::modules::same_file;

/// `AT_PHDR`, which stands in the program itself, and `AT_EXECFN`, which stands above its stack.
const PROGRAM_HEADERS: u64 = 3;
const PROGRAM_NAME: u64 = 31;

/// The program that ran.
pub(super) struct Program {
    /// Its path in the process.
    pub(super) path: Vec<u8>,
    /// Where its file is.
    pub(super) at: Vec<u8>,
}

impl Program {
    pub(super) fn find(notes: &Notes, objects: &[Mapped<'_>], given: Option<&Path>) -> Result<Self, String> {
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
    pub(super) fn why_not_visible(
        &self,
        image: &Image,
        notes: &Notes,
        objects: &[Mapped<'_>],
    ) -> Option<String> {
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
