//! A type with all that it consists of, as one list of fields.

use super::debug::{At, Debug, Entry};
use super::{Field, Members};

/// Types with more fields, or of a deeper nesting, are given up.
const MOST_FIELDS: usize = 1 << 14;
const DEEPEST: u32 = 32;

/// The fields of the type at a place; `None` when its description lacks something.
pub(super) fn members(debug: &Debug<'_>, place: At) -> Option<Members> {
    let bytes = bytes(&debug.entry(place)?)?;
    let mut flat = Flat {
        debug,
        fields: Vec::new(),
    };
    flat.add(place, 0, &Path::default(), 0)?;
    Some(Members::new(bytes, flat.fields))
}

/// The way from the object to a field, as far as the program's source names it.
#[derive(Clone, Default)]
struct Path {
    name: String,
    /// Whether it leads into a library's type, whose own fields nobody knows by name.
    is_closed: bool,
}

impl Path {
    fn field(&self, name: &str) -> Self {
        let name = match (self.is_closed, self.name.is_empty()) {
            (true, _) => self.name.clone(),
            (false, true) => name.to_owned(),
            (false, false) => format!("{}.{name}", self.name),
        };
        Self { name, ..self.clone() }
    }

    /// What a library's type has: only the two of a pair are known by name.
    fn part_of_library(&self, name: &str) -> Self {
        if self.name.is_empty() {
            let known = if matches!(name, "first" | "second") {
                name
            } else {
                ""
            };
            Self {
                name: known.to_owned(),
                is_closed: false,
            }
        } else {
            Self {
                is_closed: true,
                ..self.clone()
            }
        }
    }

    fn element(&self) -> Self {
        let mut path = self.clone();
        if !path.name.is_empty() && !path.name.ends_with("[]") {
            path.name.push_str("[]");
        }
        path
    }
}

struct Flat<'a, 'f> {
    debug: &'a Debug<'f>,
    fields: Vec<Field>,
}

impl<'f> Flat<'_, 'f> {
    /// Adds the type at a place, which stands so many bytes behind the object's beginning.
    fn add(&mut self, place: At, offset: u64, path: &Path, depth: u32) -> Option<()> {
        if depth > DEEPEST || self.fields.len() > MOST_FIELDS {
            return None;
        }
        let entry = self.debug.entry(place)?;
        let inner = |flat: &mut Self| {
            let place = flat.debug.type_of(place.0, &entry)?;
            flat.add(place, offset, path, depth + 1)
        };
        match entry.tag() {
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type => inner(self),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                self.structure(place, &entry, offset, path, depth)
            }
            gimli::DW_TAG_array_type => self.array(place, &entry, offset, path, depth),
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => {
                self.leaf(offset, 8, path, true);
                Some(())
            }
            _ => {
                self.leaf(offset, bytes(&entry)?, path, false);
                Some(())
            }
        }
    }

    fn leaf(&mut self, start: u64, bytes: u64, path: &Path, is_reference: bool) {
        self.fields.push(Field {
            start,
            end: start.saturating_add(bytes),
            name: path.name.clone(),
            is_reference,
        });
    }

    fn structure(
        &mut self,
        place: At,
        entry: &Entry<'f>,
        offset: u64,
        path: &Path,
        depth: u32,
    ) -> Option<()> {
        let unit = place.0;
        let children = self.debug.children(place)?;
        if let Some(stored) = self.stored_in_bytes(unit, entry, &children) {
            return self.add(stored, offset, path, depth + 1);
        }
        let is_library = self.debug.is_library(place);
        for child in &children {
            match child.tag() {
                gimli::DW_TAG_inheritance => {
                    // A virtual base stands where each object says.
                    if let (Some(at), Some(base)) = (location(child), self.debug.type_of(unit, child)) {
                        self.add(base, offset.checked_add(at)?, path, depth + 1)?;
                    }
                }
                gimli::DW_TAG_member => {
                    self.member(unit, child, offset, path, is_library, depth)?;
                }
                gimli::DW_TAG_variant_part => {
                    self.variants((unit, child.offset()), offset, path, depth)?;
                }
                _ => {}
            }
        }
        Some(())
    }

    fn member(
        &mut self,
        unit: usize,
        member: &Entry<'f>,
        offset: u64,
        path: &Path,
        is_library: bool,
        depth: u32,
    ) -> Option<()> {
        let is_bits = member.attr(gimli::DW_AT_bit_size).is_some();
        // What has no place belongs to the class and to no object.
        let (Some(at), Some(ty), false) = (location(member), self.debug.type_of(unit, member), is_bits)
        else {
            return Some(());
        };
        let name = self.debug.name(unit, member).unwrap_or_default();
        let path = if is_library {
            path.part_of_library(&name)
        } else if name.is_empty() || name.starts_with("_vptr") {
            path.clone()
        } else {
            path.field(&name)
        };
        self.add(ty, offset.checked_add(at)?, &path, depth + 1)
    }

    /// What one of several may stand there: whichever it is, it is known by the field's name.
    fn variants(&mut self, place: At, offset: u64, path: &Path, depth: u32) -> Option<()> {
        let closed = Path {
            is_closed: !path.name.is_empty(),
            ..path.clone()
        };
        for variant in self.debug.children(place)? {
            if variant.tag() != gimli::DW_TAG_variant {
                continue;
            }
            for member in self.debug.children((place.0, variant.offset()))? {
                if member.tag() == gimli::DW_TAG_member {
                    self.member(place.0, &member, offset, &closed, true, depth)?;
                }
            }
        }
        Some(())
    }

    /// The type of what libstdc++ keeps in bytes of the right size and place, which is an argument of the template.
    fn stored_in_bytes(&self, unit: usize, entry: &Entry<'f>, children: &[Entry<'f>]) -> Option<At> {
        let name = self.debug.name(unit, entry)?;
        if !name.starts_with("__aligned_membuf<") && !name.starts_with("__aligned_buffer<") {
            return None;
        }
        let argument = children
            .iter()
            .find(|child| child.tag() == gimli::DW_TAG_template_type_parameter)?;
        self.debug.type_of(unit, argument)
    }

    fn array(&mut self, place: At, entry: &Entry<'f>, offset: u64, path: &Path, depth: u32) -> Option<()> {
        let element = self.debug.type_of(place.0, entry)?;
        let mut elements = 1_u64;
        for child in self.debug.children(place)? {
            if child.tag() == gimli::DW_TAG_subrange_type {
                let count = number(&child, gimli::DW_AT_count);
                let bound = number(&child, gimli::DW_AT_upper_bound).map(|bound| bound.wrapping_add(1));
                // A flexible array has no bound: its object is larger than its type.
                elements = elements.checked_mul(count.or(bound)?)?;
            }
        }
        let path = path.element();
        let before = self.fields.len();
        if elements == 0 {
            return Some(());
        }
        self.add(element, offset, &path, depth + 1)?;
        let step = self.bytes_of(element, 0)?;
        let first: Vec<Field> = self.fields[before..].to_vec();
        if first.len().checked_mul(usize::try_from(elements).ok()?)? > MOST_FIELDS {
            // Large buffers of small things are one field.
            self.fields.truncate(before);
            self.leaf(offset, step.checked_mul(elements)?, &path, false);
            return Some(());
        }
        for index in 1..elements {
            let by = index.checked_mul(step)?;
            self.fields.extend(first.iter().map(|field| Field {
                start: field.start + by,
                end: field.end + by,
                ..field.clone()
            }));
        }
        Some(())
    }

    /// Bytes of one object of the type at a place.
    fn bytes_of(&self, place: At, depth: u32) -> Option<u64> {
        let entry = self.debug.entry(place)?;
        let is_address = matches!(
            entry.tag(),
            gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type
        );
        match bytes(&entry) {
            Some(bytes) => Some(bytes),
            None if is_address => Some(8),
            None if depth > DEEPEST => None,
            None => self.bytes_of(self.debug.type_of(place.0, &entry)?, depth + 1),
        }
    }
}

fn bytes(entry: &Entry<'_>) -> Option<u64> {
    number(entry, gimli::DW_AT_byte_size)
}

/// Where a member stands in its structure, in bytes; `None` when it must be computed from the object.
fn location(member: &Entry<'_>) -> Option<u64> {
    match member.attr(gimli::DW_AT_data_member_location) {
        Some(_) => number(member, gimli::DW_AT_data_member_location),
        // A union's members, and a variant's, stand at its beginning; statics are marked.
        None => member
            .attr(gimli::DW_AT_external)
            .is_none()
            .then_some(0)
            .filter(|_| member.tag() == gimli::DW_TAG_member),
    }
}

fn number(entry: &Entry<'_>, name: gimli::DwAt) -> Option<u64> {
    entry.attr(name)?.udata_value()
}
