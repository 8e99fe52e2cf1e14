//! Profiles among the formats.

use std::io::Write;

use super::{read, strip};
use crate::format::{Contents, Format, Known, Likeness, begins_with};
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Source};

/// V8's sampling heap profiles.
pub(crate) struct Profile;

impl Format for Profile {
    fn name(&self) -> &'static str {
        "v8-heapprofile"
    }

    fn described(&self) -> &'static str {
        "a heap profile (\"head\")"
    }

    fn detect(&self, bytes: &[u8]) -> Likeness {
        Likeness::sure_if(begins_with(bytes, &[b"{", b"\"head\"", b":"]))
    }

    fn read(&self, source: &Source, known: Known<'_>) -> Result<Contents, ReadError> {
        read(&source.bytes, known.profile, &source.path).map(Contents::Churned)
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
