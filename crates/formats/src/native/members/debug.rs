//! The debug information of one object: finding types by their names.

use std::borrow::Cow;
use std::cell::OnceCell;

use gimli::{
    AttributeValue, Dwarf, DwarfSections, EndianSlice, EntriesTreeNode, LittleEndian, SectionId, Unit,
    UnitOffset,
};
use object::{Object, ObjectSection};
use rustc_hash::FxHashMap;

use super::{Members, flatten, spelling};

pub(super) type Slice<'f> = EndianSlice<'f, LittleEndian>;
pub(super) type Entry<'f> = gimli::DebuggingInformationEntry<Slice<'f>>;

/// One object's debug information.
pub(super) struct Debug<'f> {
    dwarf: Dwarf<Slice<'f>>,
    /// In the order in which they stand.
    units: Vec<Unit<Slice<'f>>>,
    /// For each unit, once asked for, what stands right in it.
    scopes: Vec<OnceCell<Vec<(UnitOffset, bool)>>>,
}

/// A place in the debug information: a unit, and an entry of it.
pub(super) type At = (usize, UnitOffset);

/// Reads an object's debug information and hands it on.
pub(super) fn with<T>(object: &object::File<'_>, act: impl FnOnce(&Debug<'_>) -> T) -> gimli::Result<T> {
    let section = |id: SectionId| -> gimli::Result<Cow<'_, [u8]>> {
        let section = object.section_by_name(id.name());
        let data = section.map(|section| section.uncompressed_data());
        data.unwrap_or(Ok(Cow::Borrowed(&[])))
            .map_err(|_| gimli::Error::Io)
    };
    let sections = DwarfSections::load(section)?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let mut units = Vec::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        units.push(dwarf.unit(header)?);
    }
    let scopes = units.iter().map(|_| OnceCell::new()).collect();
    Ok(act(&Debug { dwarf, units, scopes }))
}

impl<'f> Debug<'f> {
    /// Moves from `missing` (by their plain spelling) to `found` what is described here.
    pub fn look(&self, missing: &mut FxHashMap<String, String>, found: &mut FxHashMap<String, Members>) {
        for at in 0..self.units.len() {
            if missing.is_empty() {
                return;
            }
            let mut places = Vec::new();
            // A unit that breaks off names what came before.
            let _ = self.places(at, missing, &mut places);
            for (plain, place) in places {
                // Types that cannot be laid out flat have no named fields.
                let Some(members) = flatten::members(self, place) else {
                    continue;
                };
                if let Some(name) = missing.remove(&plain) {
                    found.insert(name, members);
                }
            }
        }
    }

    fn places(
        &self,
        unit: usize,
        missing: &FxHashMap<String, String>,
        places: &mut Vec<(String, At)>,
    ) -> gimli::Result<()> {
        let mut tree = self.units[unit].entries_tree(None)?;
        self.walk(unit, tree.root()?, "", missing, places)
    }

    /// Looks at the types of one scope, and of those in it.
    fn walk(
        &self,
        unit: usize,
        scope: EntriesTreeNode<'_, '_, Slice<'f>>,
        prefix: &str,
        missing: &FxHashMap<String, String>,
        places: &mut Vec<(String, At)>,
    ) -> gimli::Result<()> {
        let mut children = scope.children();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            let is_type = matches!(
                entry.tag(),
                gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type
            );
            if !is_type && entry.tag() != gimli::DW_TAG_namespace {
                continue;
            }
            let name = match self.name(unit, entry) {
                Some(name) => name,
                None if is_type => continue,
                None => Cow::Borrowed("(anonymous namespace)"),
            };
            let full = format!("{prefix}{name}");
            if is_type && entry.attr(gimli::DW_AT_declaration).is_none() {
                let plain = spelling::plain(&full);
                if missing.contains_key(&plain) {
                    places.push((plain, (unit, entry.offset())));
                }
            }
            self.walk(unit, child, &format!("{full}::"), missing, places)?;
        }
        Ok(())
    }

    /// The name of an entry.
    pub fn name(&self, unit: usize, entry: &Entry<'f>) -> Option<Cow<'f, str>> {
        let value = entry.attr_value(gimli::DW_AT_name)?;
        let name = self.dwarf.attr_string(&self.units[unit], value).ok()?;
        Some(name.to_string_lossy())
    }

    /// The entry at a place.
    pub fn entry(&self, (unit, offset): At) -> Option<Entry<'f>> {
        self.units[unit].entry(offset).ok()
    }

    /// The entries in that at a place.
    pub fn children(&self, (unit, offset): At) -> Option<Vec<Entry<'f>>> {
        let mut tree = self.units[unit].entries_tree(Some(offset)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut found = Vec::new();
        while let Some(child) = children.next().ok()? {
            found.push(child.entry().clone());
        }
        Some(found)
    }

    /// Where the type of an entry is described.
    pub fn type_of(&self, unit: usize, entry: &Entry<'f>) -> Option<At> {
        match entry.attr_value(gimli::DW_AT_type)? {
            AttributeValue::UnitRef(offset) => Some((unit, offset)),
            AttributeValue::DebugInfoRef(offset) => {
                let start = |unit: &Unit<Slice<'f>>| unit.header.debug_info_offset();
                let after = self
                    .units
                    .partition_point(|unit| start(unit).is_some_and(|start| start <= offset));
                let unit = after.checked_sub(1)?;
                let offset = offset.to_unit_offset(&self.units[unit].header)?;
                Some((unit, offset))
            }
            _ => None,
        }
    }

    /// Whether a type stands in the namespace of a standard library.
    pub fn is_library(&self, (unit, offset): At) -> bool {
        let scopes = self.scopes[unit].get_or_init(|| self.scopes_of(unit).unwrap_or_default());
        let after = scopes.partition_point(|&(start, _)| start <= offset);
        after.checked_sub(1).is_some_and(|at| scopes[at].1)
    }

    /// Where each entry right in a unit begins, and whether it is the namespace of a library.
    fn scopes_of(&self, unit: usize) -> gimli::Result<Vec<(UnitOffset, bool)>> {
        const LIBRARIES: [&str; 6] = ["std", "__gnu_cxx", "alloc", "core", "hashbrown", "boost"];
        let mut tree = self.units[unit].entries_tree(None)?;
        let mut children = tree.root()?.children();
        let mut scopes = Vec::new();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            let name = self.name(unit, entry);
            let is_library = entry.tag() == gimli::DW_TAG_namespace
                && name.is_some_and(|name| LIBRARIES.contains(&&*name));
            scopes.push((entry.offset(), is_library));
        }
        Ok(scopes)
    }
}
