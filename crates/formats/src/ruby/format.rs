//! Ruby's dumps among the formats.

use std::io::Write;

use super::{read, strip};
use crate::format::{Contents, Format, Known, Likeness};
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Source};

/// What the first row begins with.
const BEGINNINGS: [&[u8]; 2] = [b"{\"type\":\"ROOT\"", b"{\"address\":\"0x"];

/// The object dumps of Ruby.
pub(crate) struct ObjectDump;

impl Format for ObjectDump {
    fn name(&self) -> &'static str {
        "ruby-objspace"
    }

    fn described(&self) -> &'static str {
        "an object dump of Ruby (rows of JSON that start with \"type\":\"ROOT\" or \"address\")"
    }

    fn detect(&self, bytes: &[u8]) -> Likeness {
        let bytes = bytes.trim_ascii_start();
        Likeness::sure_if(BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning)))
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
