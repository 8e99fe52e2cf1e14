//! The glibc that a binary needs, by the versions of the symbols it imports.

use std::fmt;

use anyhow::Context;
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, elf};

/// A version of glibc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub u32, pub u32);

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.0, self.1)
    }
}

impl Version {
    /// Of `GLIBC_2.34` or `GLIBC_2.2.5`, as symbols are marked.
    fn parse(mark: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(mark).ok()?.strip_prefix("GLIBC_")?;
        let mut parts = text.split('.').map(str::parse);
        Some(Self(parts.next()?.ok()?, parts.next()?.ok()?))
    }
}

/// The newest of the marks on what a file imports.
///
/// # Errors
/// When it is no ELF file of 64 bits, or imports nothing of glibc: nothing is known of what it needs then.
pub(super) fn needed(file: &[u8]) -> anyhow::Result<Version> {
    let header = elf::FileHeader64::<Endianness>::parse(file)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, file)?;
    let mut newest = None;
    for section in sections.iter() {
        let Some((mut needs, link)) = section.gnu_verneed(endian, file)? else {
            continue;
        };
        let strings = sections.strings(endian, file, link)?;
        while let Some((_, mut marks)) = needs.next()? {
            while let Some(mark) = marks.next()? {
                newest = newest.max(Version::parse(mark.name(endian, strings)?));
            }
        }
    }
    newest.context("it imports nothing of glibc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_versions_and_compare_as_such() {
        assert_eq!(Version::parse(b"GLIBC_2.2.5"), Some(Version(2, 2)));
        assert!(Version::parse(b"GLIBC_2.34") > Version::parse(b"GLIBC_2.4"));
        assert_eq!(Version::parse(b"GLIBC_PRIVATE"), None);
        assert_eq!(Version::parse(b"GCC_3.0"), None);
    }

    #[test]
    fn this_test_needs_a_glibc_and_a_text_is_refused() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(needed(&own).unwrap() >= Version(2, 2));
        assert!(needed(b"text").is_err());
    }
}
