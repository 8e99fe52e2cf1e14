//! Native programs: whether the preload recorder can be loaded into one, and where it is.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use deadweight_recorders::{JAVA_LIBRARY, Library, NATIVE_LIBRARY, PYTHON_LIBRARY, RUBY_LIBRARY};
use deadweight_sidecar::{NATIVE_CHURN_EXTENSION, NATIVE_DUMP_EXTENSION};
use object::{
    Endianness, Object, ObjectSymbol, elf,
    read::elf::{FileHeader, ProgramHeader},
};

use crate::{error::CaptureError, recorder::install_library, runtime::find};

/// The function by which programs of Crystal allocate, and that in which they begin.
const COLLECTOR: [&[u8]; 2] = [b"GC_malloc", b"__crystal_main"];

/// Names another library than the one that this binary carries.
const OVERRIDE: &str = "DEADWEIGHT_RECORDER";

/// The same for what records the objects a Ruby process makes; to the recorder for Ruby, the library to load.
const RUBY_VARIABLE: &str = "DEADWEIGHT_RUBY_LIBRARY";

/// The same for what records the objects a Java virtual machine makes; to the recorder for Java, the library to load.
const JAVA_VARIABLE: &str = "DEADWEIGHT_JAVA_LIBRARY";

/// The same for what writes the heap of Python programs; to the recorder for Python, the library to load.
const PYTHON_VARIABLE: &str = "DEADWEIGHT_PYTHON_LIBRARY";

/// What the recorder writes: of blocks alive, and of what a program of Crystal made.
const EXTENSIONS: [&str; 2] = [NATIVE_DUMP_EXTENSION, NATIVE_CHURN_EXTENSION];

/// Programs that start others and hold nothing of interest themselves.
const WRAPPERS: [&str; 26] = [
    "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env", "time", "nice", "ionice", "timeout",
    "nohup", "setsid", "stdbuf", "strace", "ltrace", "gdb", "perf", "xargs", "make", "sudo", "chroot",
    "numactl", "taskset", "flock",
];

/// Which recorders are loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Choice {
    /// By the program: the native one for native programs other than shells and the like.
    #[default]
    Auto,
    /// Those of managed runtimes alone.
    Managed,
    /// The native one, whatever the program.
    Native,
}

/// What the file of a program says of preloading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Executable {
    /// Linked dynamically: the recorder can be loaded.
    Dynamic,
    /// Linked statically: nothing can be preloaded.
    Static,
    /// Made by the Go compiler, which manages memory itself.
    Go,
    /// A program of Crystal with the Boehm collector (`libgc.a`) linked into it: its calls never leave the program, so
    /// that nothing can stand before them.
    OwnCollector,
}

impl Executable {
    /// Of a program as it is started; `None` for a script or what is no file.
    pub fn detect(program: &OsStr) -> Option<Self> {
        classify(&fs::read(find(Path::new(program))?).ok()?)
    }
}

fn classify(file: &[u8]) -> Option<Executable> {
    let header = elf::FileHeader64::<Endianness>::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, file).ok()?;
    let is_go = segments.iter().any(|segment| {
        let mut notes = segment.notes(endian, file).ok().flatten();
        let notes = std::iter::from_fn(|| notes.as_mut()?.next().ok()?);
        notes.into_iter().any(|note| note.name() == b"Go")
    });
    let is_dynamic = segments
        .iter()
        .any(|segment| segment.p_type(endian) == elf::PT_INTERP);
    Some(match (is_go, is_dynamic) {
        (true, _) => Executable::Go,
        (false, _) if COLLECTOR.iter().all(|function| defines(file, function)) => Executable::OwnCollector,
        (false, true) => Executable::Dynamic,
        (false, false) => Executable::Static,
    })
}

/// Whether a program brings a function itself. Crystal's export all of theirs, so that it is seen in stripped ones, too.
fn defines(file: &[u8], function: &[u8]) -> bool {
    let Ok(file) = object::File::parse(file) else {
        return false;
    };
    let mut symbols = file.symbols().chain(file.dynamic_symbols());
    symbols.any(|symbol| symbol.is_definition() && symbol.name_bytes() == Ok(function))
}

/// Whether the native recorder is loaded into a program.
pub(crate) fn is_wanted(choice: Choice, program: &OsStr) -> bool {
    match choice {
        Choice::Native => true,
        Choice::Managed => false,
        Choice::Auto => {
            !is_wrapper(Path::new(program))
                && crate::Runtime::detect(program).is_none()
                && Executable::detect(program) == Some(Executable::Dynamic)
        }
    }
}

fn is_wrapper(program: &Path) -> bool {
    let name = program.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| WRAPPERS.contains(&name))
}

/// The variable that loads the recorder before what is preloaded already.
///
/// # Errors
///
/// Those of [`native_library`].
pub(crate) fn environment() -> Result<(OsString, OsString), CaptureError> {
    let library = native_library()?;
    let name = OsString::from("LD_PRELOAD");
    let mut value = library.into_os_string();
    if let Some(theirs) = env::var_os(&name).filter(|theirs| !theirs.is_empty()) {
        value.push(":");
        value.push(theirs);
    }
    Ok((name, value))
}

/// The library that records native programs, where `LD_PRELOAD` can name it.
///
/// # Errors
///
/// [`CaptureError::NoLibrary`] if this binary carries none or `DEADWEIGHT_RECORDER` names what is not there,
/// [`CaptureError::LibraryPath`] if the dynamic linker could not learn where it is, [`CaptureError::Recorder`] if it cannot
/// be written anywhere.
pub fn native_library() -> Result<PathBuf, CaptureError> {
    let refuse = |path: &Path| {
        if is_nameable(path) {
            return Ok(());
        }
        let why = "LD_PRELOAD cannot name a path with a space or a colon in it";
        Err(io::Error::new(io::ErrorKind::InvalidFilename, why))
    };
    let path = library(&NATIVE_LIBRARY, OVERRIDE, &refuse)?;
    if !is_nameable(&path) {
        return Err(CaptureError::LibraryPath { path });
    }
    Ok(path)
}

/// The library that records what Ruby programs make.
///
/// # Errors
///
/// [`CaptureError::NoLibrary`] if this binary carries none or `DEADWEIGHT_RUBY_LIBRARY` names what is not there,
/// [`CaptureError::Recorder`] if it cannot be written anywhere.
pub fn ruby_library() -> Result<PathBuf, CaptureError> {
    library(&RUBY_LIBRARY, RUBY_VARIABLE, &|_| Ok(()))
}

/// The variable by which the recorder for Ruby finds its library; `None` if there is none, which only those programs
/// need to hear of that load it.
pub(crate) fn ruby_environment() -> Option<(OsString, OsString)> {
    Some((RUBY_VARIABLE.into(), ruby_library().ok()?.into()))
}

/// The library that records what programs on a Java virtual machine make.
///
/// # Errors
///
/// [`CaptureError::NoLibrary`] if this binary carries none or `DEADWEIGHT_JAVA_LIBRARY` names what is not there,
/// [`CaptureError::Recorder`] if it cannot be written anywhere.
pub fn java_library() -> Result<PathBuf, CaptureError> {
    library(&JAVA_LIBRARY, JAVA_VARIABLE, &|_| Ok(()))
}

/// The same for the recorder for Java.
pub(crate) fn java_environment() -> Option<(OsString, OsString)> {
    Some((JAVA_VARIABLE.into(), java_library().ok()?.into()))
}

/// The library that writes the heap of Python programs.
///
/// # Errors
///
/// [`CaptureError::NoLibrary`] if this binary carries none or `DEADWEIGHT_PYTHON_LIBRARY` names what is not there,
/// [`CaptureError::Recorder`] if it cannot be written anywhere.
pub fn python_library() -> Result<PathBuf, CaptureError> {
    library(&PYTHON_LIBRARY, PYTHON_VARIABLE, &|_| Ok(()))
}

/// The same for the recorder for Python.
pub(crate) fn python_environment() -> Option<(OsString, OsString)> {
    Some((PYTHON_VARIABLE.into(), python_library().ok()?.into()))
}

/// The dynamic linker splits the variable at both, and knows no escape.
fn is_nameable(path: &Path) -> bool {
    let mut bytes = path.as_os_str().as_bytes().iter();
    !bytes.any(|byte| matches!(byte, b' ' | b':'))
}

/// The file that the variable names, or else the one that this binary carries, unpacked.
fn library(
    carried: &Library,
    variable: &'static str,
    fits: &dyn Fn(&Path) -> io::Result<()>,
) -> Result<PathBuf, CaptureError> {
    let missing = |why: String| CaptureError::NoLibrary {
        name: carried.name,
        why,
        variable,
    };
    let named = env::var_os(variable).filter(|path| !path.is_empty());
    if let Some(path) = named.map(PathBuf::from) {
        return path
            .canonicalize()
            .map_err(|error| missing(format!("{}: {error}", path.display())));
    }
    install_library(carried, fits)?
        .ok_or_else(|| missing("this binary was built for a system that it cannot record on".to_owned()))
}

/// A dump that a native program wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeDump {
    /// The file, named `<program>-<pid>-<n>.dwheap`, or `.dwchurn` when it says what was made.
    pub path: PathBuf,
    /// Its size as stored.
    pub bytes: u64,
}

impl NativeDump {
    /// The process that wrote it, as its name says.
    pub fn process(&self) -> Option<u32> {
        let mut parts = self.path.file_stem()?.to_str()?.rsplit('-').skip(1);
        parts.next()?.parse().ok()
    }
}

/// The dumps in a directory, by name.
pub(crate) fn list(directory: &Path) -> Result<Vec<NativeDump>, CaptureError> {
    let failed = |source: io::Error| CaptureError::Directory {
        path: directory.to_owned(),
        source,
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        // One under a hidden name is still being written.
        let is_hidden = path
            .file_name()
            .is_some_and(|name| name.as_bytes().starts_with(b"."));
        let is_dump = path
            .extension()
            .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
            && !is_hidden;
        let facts = path.metadata().ok();
        if let Some(facts) = facts.filter(|facts| is_dump && facts.is_file()) {
            found.push(NativeDump {
                bytes: facts.len(),
                path,
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Files under a hidden name, which are still being written.
pub(crate) fn partial(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let is_partial = |path: &PathBuf| {
        let name = path.file_name().map(OsStr::as_bytes).unwrap_or_default();
        name.starts_with(b".") && name.ends_with(b".partial")
    };
    paths.filter(is_partial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_is_a_dynamic_program_and_a_script_is_none() {
        let own = env::current_exe().unwrap();
        assert_eq!(Executable::detect(own.as_os_str()), Some(Executable::Dynamic));
        assert_eq!(classify(b"#!/bin/sh\n"), None);
        assert_eq!(classify(b"\x7fELF"), None);
    }

    #[test]
    fn shells_managed_runtimes_and_scripts_are_left_to_others() {
        for program in ["/bin/sh", "env", "node", "no such program"] {
            assert!(!is_wanted(Choice::Auto, OsStr::new(program)), "{program}");
        }
        assert!(is_wanted(Choice::Auto, OsStr::new("/bin/cat")));
        assert!(is_wanted(Choice::Native, OsStr::new("/bin/sh")));
        assert!(!is_wanted(Choice::Managed, OsStr::new("/bin/cat")));
    }
}
