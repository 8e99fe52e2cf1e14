//! The ELF objects that were mapped: whose code an address is, and their files as far as they are still the same.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};

use object::read::elf::{FileHeader as _, ProgramHeader};
use object::{Object, elf};

use super::{Dump, Mapping};
use crate::mapped::MappedFile;

/// Whose an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The program itself, or a library outside of the system's directories.
    Program,
    /// A library of the system.
    Library,
    /// The language's runtime, the allocator or the recorder: who calls them is who allocates.
    Runtime,
}

/// One mapped object.
#[derive(Debug)]
pub struct Module {
    /// The file as the process named it.
    pub path: PathBuf,
    /// First address of its mappings.
    pub start: u64,
    /// One past the last.
    pub end: u64,
    /// Whose it is.
    pub owner: Owner,
    /// What to take off an address to get the object's own.
    pub bias: u64,
    /// Its file, when it is there and has the build id that was mapped.
    pub file: Option<MappedFile>,
}

impl Module {
    fn open(mapping: &Mapping<'_>, owner: Owner) -> Self {
        let path = PathBuf::from(String::from_utf8_lossy(mapping.path).into_owned());
        let file = same_file(&path, mapping.build_id);
        let base = file.as_ref().and_then(|file| first_address(file)).unwrap_or(0);
        Self {
            path,
            start: mapping.start,
            end: mapping.end,
            owner,
            bias: mapping.start.wrapping_sub(base),
            file,
        }
    }

    /// The file's name without its directories.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The file with the debug information: the object itself or, as distributions keep it, one apart.
    pub fn debug_path(&self) -> Option<PathBuf> {
        let object = self.object()?;
        let apart = apart(&object).filter(|path| path.is_file());
        let has_own = object.section_by_name(".debug_info").is_some();
        apart.or_else(|| has_own.then(|| self.path.clone()))
    }

    /// The file, parsed.
    pub fn object(&self) -> Option<object::File<'_>> {
        object::File::parse(&self.file.as_ref()?[..]).ok()
    }
}

/// The mapped objects, in order of address.
#[derive(Debug)]
pub struct Modules(Vec<Module>);

impl Modules {
    /// Finds the objects of a dump and opens their files.
    pub fn of(dump: &Dump) -> Self {
        let executable = dump.facts().get("executable");
        let allocator = dump.facts().get("allocator_path");
        Self::mapped(dump.mappings(), executable, allocator)
    }

    /// The objects of these mappings, which are in order of address.
    pub fn mapped<'m>(
        mappings: impl Iterator<Item = Mapping<'m>>,
        executable: Option<&[u8]>,
        allocator: Option<&[u8]>,
    ) -> Self {
        let mut modules: Vec<Module> = Vec::new();
        let mut path: &[u8] = b"";
        for mapping in mappings.filter(|mapping| mapping.path.starts_with(b"/")) {
            match modules.last_mut() {
                Some(last) if path == mapping.path && mapping.offset > 0 => last.end = mapping.end,
                _ if mapping.offset == 0 => {
                    let owner = owner(mapping.path, executable, allocator);
                    modules.push(Module::open(&mapping, owner));
                    path = mapping.path;
                }
                _ => {}
            }
        }
        Self(modules)
    }

    /// The object at an address, by its index.
    pub fn at(&self, address: u64) -> Option<usize> {
        let after = self.0.partition_point(|module| module.start <= address);
        let index = after.checked_sub(1)?;
        (address < self.0[index].end).then_some(index)
    }

    /// Whether the library of C++ is among them.
    pub fn have_cpp(&self) -> bool {
        self.iter().any(|module| module.name().starts_with("libstdc++"))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Module> {
        self.0.iter()
    }

    /// An object by its index.
    pub fn get(&self, index: usize) -> &Module {
        &self.0[index]
    }
}

/// Where distributions put debug information that is not in the object.
fn apart(object: &object::File<'_>) -> Option<PathBuf> {
    let id = object.build_id().ok()??;
    let (first, rest) = id.split_first()?;
    let hex = rest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    Some(PathBuf::from(format!(
        "/usr/lib/debug/.build-id/{first:02x}/{hex}.debug"
    )))
}

fn owner(path: &[u8], executable: Option<&[u8]>, allocator: Option<&[u8]>) -> Owner {
    const RUNTIME: [&[u8]; 14] = [
        b"libc.so",
        b"libc-",
        b"ld-linux",
        b"ld-",
        b"libm.so",
        b"libpthread",
        b"libdl",
        b"librt",
        b"libstdc++",
        b"libgcc_s",
        b"libc++",
        b"libdeadweight_recorder",
        b"libjemalloc",
        b"libtcmalloc",
    ];
    if Some(path) == executable {
        return Owner::Program;
    }
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    if Some(path) == allocator || RUNTIME.iter().any(|start| name.starts_with(start)) {
        Owner::Runtime
    } else if [&b"/lib"[..], b"/usr/lib"]
        .iter()
        .any(|start| path.starts_with(start))
    {
        Owner::Library
    } else {
        Owner::Program
    }
}

/// The file at the path, when it is the one that was mapped. Only ordinary files are opened: a dump may name anything.
pub(super) fn same_file(path: &Path, build_id: &[u8]) -> Option<MappedFile> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let file = MappedFile::of(&File::open(path).ok()?).ok()?;
    let is_same = {
        let object = object::File::parse(&file[..]).ok()?;
        let own = object.build_id().ok().flatten();
        own.unwrap_or_default() == build_id
    };
    is_same.then_some(file)
}

/// The address for which the first loaded segment asks, at the beginning of its page.
fn first_address(file: &[u8]) -> Option<u64> {
    let header = elf::FileHeader64::<object::Endianness>::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let mut segments = header.program_headers(endian, file).ok()?.iter();
    let first = segments.find(|segment| segment.p_type(endian) == elf::PT_LOAD)?;
    let address = first.p_vaddr(endian).wrapping_sub(first.p_offset(endian));
    Some(address & !0xFFF)
}
