//! Core files among the formats.

use std::io::Write;

use super::{is_core, read};
use crate::format::{Contents, Format, Known, Likeness};
use crate::native::heap;
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Source};

/// Core files, whoever wrote them.
pub(crate) struct Core;

impl Format for Core {
    fn name(&self) -> &'static str {
        "elf-core"
    }

    fn described(&self) -> &'static str {
        "a core file (ELF)"
    }

    fn detect(&self, bytes: &[u8]) -> Likeness {
        Likeness::sure_if(is_core(bytes))
    }

    fn read(&self, source: &Source, known: Known<'_>) -> Result<Contents, ReadError> {
        let dump = read(source, known.sidecar.program.as_deref())?;
        heap(dump, &source.path, &known.sidecar.root).map(Contents::Held)
    }

    fn strip(&self, _: &Source, _: &mut Placeholders, _: &mut dyn Write) -> Result<(), Failure> {
        Err(Failure::NoText(
            "a core file, which is the process's memory as it was; strip what `deadweight run` records of the program",
        ))
    }
}
