//! Which field of a type stands where in a block, from debug information (DWARF 4 and 5).

mod debug;
mod flatten;
mod spelling;

use std::fs::File;

use rustc_hash::{FxHashMap, FxHashSet};

use debug::Debug;

use super::modules::{Modules, Owner};
use crate::mapped::MappedFile;

/// Bytes that an allocator may add to what was asked for.
const ROUNDING: u64 = 24;

/// The fields of one type, with those of its parts: `header.next`, `children[]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Members {
    /// Bytes of an object.
    pub bytes: u64,
    /// In order of their places.
    fields: Vec<Field>,
}

/// A field that has no fields of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Where it begins, in bytes from the beginning of the object.
    pub start: u64,
    /// Where it ends.
    pub end: u64,
    /// As the source names it; empty inside of a library's own types.
    pub name: String,
    /// Whether it is an address.
    pub is_reference: bool,
}

impl Members {
    pub fn new(bytes: u64, mut fields: Vec<Field>) -> Self {
        // Variants of one place: the reference is the one to be asked for.
        fields.sort_by_key(|field| (field.start, !field.is_reference));
        fields.dedup_by_key(|field| field.start);
        Self { bytes, fields }
    }

    /// All of them, in order of their places.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The same fields under other names.
    pub fn renamed(&self, mut name: impl FnMut(&str) -> String) -> Self {
        let mut renamed = self.clone();
        for field in &mut renamed.fields {
            field.name = name(&field.name);
        }
        renamed
    }

    /// The named field at a place.
    pub fn at(&self, offset: u64) -> Option<&Field> {
        Some(&self.fields[self.index_at(offset)?])
    }

    /// Which of the fields that is.
    pub fn index_at(&self, offset: u64) -> Option<usize> {
        let after = self.fields.partition_point(|field| field.start <= offset);
        let index = after.checked_sub(1)?;
        let field = &self.fields[index];
        (offset < field.end && !field.name.is_empty()).then_some(index)
    }

    /// Whether a block is one such object: of just its size or, where only usable bytes are known, hardly larger.
    pub fn fill(&self, requested: u64, is_exact: bool) -> bool {
        let more = requested.checked_sub(self.bytes);
        more.is_some_and(|more| more == 0 || !is_exact && more <= ROUNDING)
    }
}

/// The fields of those of the wanted types that the program's debug information describes, by their names.
pub(super) fn find(modules: &Modules, wanted: &FxHashSet<String>) -> FxHashMap<String, Members> {
    let mut found = FxHashMap::default();
    let mut missing: FxHashMap<String, String> = wanted
        .iter()
        .map(|name| (spelling::plain(name), name.clone()))
        .collect();
    for module in modules.iter().filter(|module| module.owner == Owner::Program) {
        if missing.is_empty() {
            break;
        }
        // What cannot be read names nothing, as if it were not there.
        let Some(file) = module
            .debug_path()
            .and_then(|path| MappedFile::of(&File::open(path).ok()?).ok())
        else {
            continue;
        };
        if let Ok(object) = object::File::parse(&file[..]) {
            let _ = debug::with(&object, |debug: &Debug<'_>| debug.look(&mut missing, &mut found));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(start: u64, end: u64, name: &str, is_reference: bool) -> Field {
        Field {
            start,
            end,
            name: name.to_owned(),
            is_reference,
        }
    }

    #[test]
    fn fields_are_found_by_place() {
        let members = Members::new(
            32,
            vec![
                field(16, 24, "value.Some", true),
                field(0, 8, "", true),
                field(8, 12, "count", false),
                field(16, 20, "value.Number", false),
            ],
        );
        let name = |offset| members.at(offset).map(|field| field.name.as_str());
        assert_eq!(name(0), None, "a library's own field has no name");
        assert_eq!(
            (name(8), name(11), name(12)),
            (Some("count"), Some("count"), None)
        );
        assert_eq!(name(16), Some("value.Some"), "of two variants the reference");
        assert_eq!(name(24), None);
    }

    #[test]
    fn a_block_is_an_object_of_its_very_size() {
        let members = Members::new(32, Vec::new());
        assert!(members.fill(32, true) && !members.fill(40, true) && !members.fill(31, true));
        assert!(members.fill(40, false) && !members.fill(64, false));
    }
}
