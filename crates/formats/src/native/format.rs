//! Dumps of native programs among the formats: what the recorder writes.

use std::io::Write;

use super::{Dump, MAGIC, heap, strip};
use crate::format::{Contents, Format, Known, Likeness};
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Source};

/// The dumps of the preload recorder.
pub(crate) struct Recorded;

impl Format for Recorded {
    fn name(&self) -> &'static str {
        "deadweight-native"
    }

    fn described(&self) -> &'static str {
        "a native dump (DWNATIVE)"
    }

    fn detect(&self, bytes: &[u8]) -> Likeness {
        Likeness::sure_if(bytes.starts_with(MAGIC))
    }

    fn read(&self, source: &Source, known: Known<'_>) -> Result<Contents, ReadError> {
        heap(Dump::of(source)?, &source.path, &known.sidecar.root).map(Contents::Held)
    }

    fn strip(
        &self,
        source: &Source,
        placeholders: &mut Placeholders,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        strip::strip(source, placeholders, out)
    }
}
