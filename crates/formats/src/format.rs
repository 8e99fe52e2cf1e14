//! What a dump format is, and which there are.
//!
//! Opening, stripping and what is said of a file of no known format all go by one list, [`FORMATS`]: a format is its own
//! folder and a line there.

use std::io::Write;

use deadweight_heap::{Churn, Heap};

use crate::heapprofile::ProfileFacts;
use crate::strip::{Failure, Placeholders};
use crate::{ReadError, Sidecar, Source, churn, heapprofile, jvm, native, python, ruby, v8};

/// The formats that are read, in the order in which an error message lists them.
pub(crate) const FORMATS: [&dyn Format; 8] = [
    &v8::Snapshot,
    &heapprofile::Profile,
    &churn::Allocations,
    &ruby::ObjectDump,
    &jvm::Hprof,
    &python::PythonDump,
    &native::Recorded,
    &native::Core,
];

/// One format: how to recognise, read and strip a file of it. Errors carry the byte offset.
pub(crate) trait Format: Sync {
    /// Its name in a weighing.
    fn name(&self) -> &'static str;

    /// What a person would call a file of it and, in parentheses, how it begins.
    fn described(&self) -> &'static str;

    /// Whether a file is of this format, by how it begins.
    fn detect(&self, bytes: &[u8]) -> Likeness;

    /// What the file holds.
    fn read(&self, source: &Source, known: Known<'_>) -> Result<Contents, ReadError>;

    /// Writes it with the texts of its program replaced. What can be wrong with it is found before a byte is written.
    fn strip(
        &self,
        source: &Source,
        placeholders: &mut Placeholders,
        out: &mut dyn Write,
    ) -> Result<(), Failure>;
}

/// How sure the first bytes of a file are to be of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// It is of another.
    None,
    /// It is of this one if no other is surer; what it lacks, the reader says best.
    Possible,
    /// It is of this one: no other begins so.
    Sure,
}

impl Likeness {
    /// Sure or none.
    pub(crate) fn sure_if(is_so: bool) -> Self {
        if is_so { Self::Sure } else { Self::None }
    }
}

/// What was recorded beside a file.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub sidecar: &'a Sidecar,
    pub profile: &'a ProfileFacts,
}

/// What a file of some format says.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one, and it is taken apart at once"
)]
pub(crate) enum Contents {
    /// What a process held.
    Held(Heap),
    /// What a process made.
    Churned(Churn),
}

/// The format of a file; `None` when no format begins so.
pub(crate) fn of(bytes: &[u8]) -> Option<&'static dyn Format> {
    let alike = |least| {
        let mut formats = FORMATS.iter().copied();
        formats.find(|format| format.detect(bytes) == least)
    };
    alike(Likeness::Sure).or_else(|| alike(Likeness::Possible))
}

/// Whether a file that begins so is surely a dump or a record of allocations, of whatever format.
#[must_use]
pub fn is_known(head: &[u8]) -> bool {
    FORMATS.iter().any(|format| format.detect(head) == Likeness::Sure)
}

/// What could have been there in place of a file of no known format.
pub(crate) fn all_described() -> String {
    let described: Vec<&str> = FORMATS.iter().map(|format| format.described()).collect();
    let (last, others) = described.split_last().expect("there are formats");
    format!("{} or {last}", others.join(", "))
}

/// Whether a JSON object begins with these tokens, whatever white space is between them.
pub(crate) fn begins_with(bytes: &[u8], tokens: &[&[u8]]) -> bool {
    let mut rest = bytes;
    tokens.iter().all(|token| {
        let after = rest.trim_ascii_start().strip_prefix(*token);
        rest = after.unwrap_or_default();
        after.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a file of each format begins.
    const BEGINNINGS: [(&[u8], &str); 10] = [
        (b" {\n\"snapshot\":{\"meta\":{", "v8-heapsnapshot"),
        (b"{\"head\":{\"callFrame\":{", "v8-heapprofile"),
        (b"\n{ \"head\" : {", "v8-heapprofile"),
        (b"{\"deadweight\":\"churn\",\"version\":1", "deadweight-churn"),
        (b"{\"type\":\"ROOT\", \"root\":\"vm\"", "ruby-objspace"),
        (b" {\"address\":\"0x7f00\", ", "ruby-objspace"),
        (b"JAVA PROFILE 1.0.2\0\0\0\0\x08", "jvm-hprof"),
        (b"DWPYHEAP\x01\0\0\0\0\0\0\0", "cpython-heap"),
        (b"DWNATIVE\x01\0\0\0", "deadweight-native"),
        (b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0", "elf-core"),
    ];

    fn name(bytes: &[u8]) -> Option<&'static str> {
        of(bytes).map(Format::name)
    }

    #[test]
    fn each_beginning_is_of_one_format_alone() {
        for (bytes, expected) in BEGINNINGS {
            let sure: Vec<&str> = FORMATS
                .iter()
                .filter(|format| format.detect(bytes) == Likeness::Sure)
                .map(|format| format.name())
                .collect();
            assert_eq!(sure, [expected]);
            assert_eq!(name(bytes), Some(expected));
            assert!(is_known(bytes));
        }
        for format in FORMATS {
            assert!(
                BEGINNINGS.iter().any(|(_, name)| *name == format.name()),
                "{}",
                format.name()
            );
        }
    }

    #[test]
    fn another_object_is_read_as_a_snapshot_and_all_else_as_nothing() {
        for bytes in [&b"{"[..], b" {\"nodes\":[", b"{\"type\":\"STRING\""] {
            assert_eq!(name(bytes), Some("v8-heapsnapshot"));
            assert!(!is_known(bytes));
        }
        // A program is no core file.
        let program = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0";
        for bytes in [
            &b""[..],
            b" \n",
            b"[{\"snapshot\":",
            b"DWNATIV",
            b"DWPYHEA",
            b"\x7FELF",
            program,
        ] {
            assert_eq!(name(bytes), None, "{bytes:?}");
        }
    }

    /// The index page describes each format as the code does.
    #[test]
    fn the_index_of_the_pages_has_every_format() {
        let index = include_str!("../../../docs/formats/README.md");
        for format in FORMATS {
            let row = index
                .lines()
                .find(|line| line.starts_with(&format!("| `{}` |", format.name())));
            let row = row.unwrap_or_else(|| panic!("no row for {}", format.name()));
            let plain = row.replace('`', "");
            assert!(plain.contains(format.described()), "{plain}");
        }
        assert_eq!(
            index.lines().filter(|line| line.starts_with("| `")).count(),
            FORMATS.len()
        );
    }
}
