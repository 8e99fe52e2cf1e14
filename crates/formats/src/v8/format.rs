//! Snapshots among the formats.

use std::io::Write;

use super::{read, strip};
use crate::format::{Contents, Format, Known, Likeness, begins_with};
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Source, progress};

/// V8's heap snapshots.
pub(crate) struct Snapshot;

impl Format for Snapshot {
    fn name(&self) -> &'static str {
        "v8-heapsnapshot"
    }

    fn described(&self) -> &'static str {
        "a heap snapshot (a JSON object that starts with \"snapshot\")"
    }

    /// Writers may put sections in another order, so any object may be one.
    fn detect(&self, bytes: &[u8]) -> Likeness {
        if begins_with(bytes, &[b"{", b"\"snapshot\""]) {
            Likeness::Sure
        } else if begins_with(bytes, &[b"{"]) {
            Likeness::Possible
        } else {
            Likeness::None
        }
    }

    fn read(&self, source: &Source, known: Known<'_>) -> Result<Contents, ReadError> {
        progress::twice();
        let heap = read(source.bytes.clone(), known.sidecar).map_err(|error| error.in_file(&source.path))?;
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
