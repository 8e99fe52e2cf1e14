//! Records of allocations among the formats.

use std::io::Write;

use super::strip;
use crate::format::{Contents, Format, Known, Likeness};
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Source};

/// What every file begins with.
const MAGIC: &[u8] = br#"{"deadweight":"churn""#;

/// The neutral record of allocations.
pub(crate) struct Allocations;

impl Format for Allocations {
    fn name(&self) -> &'static str {
        "deadweight-churn"
    }

    fn described(&self) -> &'static str {
        "a record of allocations"
    }

    fn detect(&self, bytes: &[u8]) -> Likeness {
        Likeness::sure_if(bytes.starts_with(MAGIC))
    }

    fn read(&self, source: &Source, _: Known<'_>) -> Result<Contents, ReadError> {
        super::read(&source.bytes, &source.path).map(Contents::Churned)
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
