//! Dumps of Python among the formats.

use std::io::Write;

use super::{read, strip};
use crate::format::{Contents, Format, Known, Likeness};
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Source};

/// What every file begins with; the version follows.
pub(super) const MAGIC: &[u8] = b"DWPYHEAP";

/// The dumps of the recorder for Python.
pub(crate) struct PythonDump;

impl Format for PythonDump {
    fn name(&self) -> &'static str {
        "cpython-heap"
    }

    fn described(&self) -> &'static str {
        "a dump of a Python process (DWPYHEAP)"
    }

    fn detect(&self, bytes: &[u8]) -> Likeness {
        Likeness::sure_if(bytes.starts_with(MAGIC))
    }

    fn read(&self, source: &Source, known: Known<'_>) -> Result<Contents, ReadError> {
        let heap = read(&source.bytes, known.sidecar).map_err(|error| error.in_file(&source.path))?;
        Ok(Contents::Held(heap))
    }

    fn strip(
        &self,
        source: &Source,
        placeholders: &mut Placeholders,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        strip::strip(&source.bytes, placeholders, out)
    }
}
