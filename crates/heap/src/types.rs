//! Types of objects, by name and, for records without a class, by their fields.

use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Field, Implementation, StandIn, TextId, Texts};

/// A row of [`Types`].
pub type TypeId = u32;

/// Interned types.
#[derive(Debug, Default)]
pub struct Types {
    names: Vec<String>,
    fields: Vec<Box<[TextId]>>,
    by_name: FxHashMap<String, TypeId>,
    by_fields: FxHashMap<Box<[TextId]>, TypeId>,
    nameless: FxHashSet<TypeId>,
    of_library: FxHashMap<TypeId, OfLibrary>,
    declared: FxHashMap<TypeId, Box<[Field]>>,
    around: FxHashMap<(TypeId, TextId), Around>,
    absent: FxHashSet<TypeId>,
    stand_ins: FxHashMap<TypeId, StandIn>,
    states: FxHashSet<TypeId>,
    closed: FxHashMap<TypeId, Implementation>,
    relatives: FxHashMap<TypeId, Relatives>,
    defaults: FxHashMap<TypeId, TextId>,
    contents: FxHashMap<TypeId, Contents>,
    spans: FxHashSet<TypeId>,
    bounded: FxHashSet<TypeId>,
}

/// Other types whose records a type's fields may come into, once it says which fields its records have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relatives {
    /// Others are based on the same types, which have no records and say nothing of fields: these may go on to.
    Siblings,
    /// Others are based on the type itself, or on types that it is based on and that have to say fields, too: what all of
    /// them have changes.
    Together,
}

/// As what a record has what it stands for: such a record has no name of its own, and what it has is at the place where it is
/// held itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// The record is another form of it, as a read-only view of a list is: both have one holder.
    Whole,
    /// It stands in the record as an element does in an array: a list of two.
    Element,
    /// As a key or a value does in a table: an entry.
    Key,
    /// The same.
    Value,
}

/// What of a type the runtime's own library defines, so that no change of the program reshapes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfLibrary {
    /// Whether the type is one of the library's.
    pub whole: bool,
    /// The fields that the library's code fills, of a type of the program's that extends one of the library's, too.
    pub fields: FxHashSet<TextId>,
    /// Whether no program gives the type other fields: the library declares it, or a compiler made it of a function.
    pub closed: bool,
    /// What in any of its fields is of the library's making, whatever the program hands over.
    pub makes: Makes,
}

/// Where the entries of a record stand that is a container of the library's: in what these fields have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The fields. What each has is empty where the record is.
    pub fields: Box<[TextId]>,
    /// Whether such records are only pieces of others that are containers: a list of who waits.
    pub is_piece: bool,
}

/// What a library's code makes for the fields of its types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Makes {
    /// Containers that are empty.
    pub empty: bool,
    /// Containers of any sort, into which it copies what it is handed: what stands in them is the program's.
    pub containers: bool,
    /// Buffers: the digits of a number, the bytes of a path.
    pub buffers: bool,
}

impl Types {
    /// The type of that name.
    pub fn named(&mut self, name: &str) -> TypeId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = self.push(name.to_owned(), Box::default());
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// One more type of a name that another one has, which [`Self::named`] goes on to give.
    pub fn namesake(&mut self, name: &str) -> TypeId {
        self.push(name.to_owned(), Box::default())
    }

    /// The nameless type with these fields, shown as `{id, name, +3}`: the first two fields and how many follow.
    /// Lists that are equal but for their order are one type.
    pub fn anonymous(&mut self, fields: &[TextId], texts: &Texts) -> TypeId {
        if let Some(&id) = self.by_fields.get(fields) {
            return id;
        }
        let mut sorted: Vec<TextId> = fields.to_vec();
        sorted.sort_unstable();
        let known = self.by_fields.get(sorted.as_slice()).copied();
        let id = known.unwrap_or_else(|| self.push(anonymous_name(fields, texts), fields.into()));
        self.nameless.insert(id);
        self.by_fields.insert(sorted.into(), id);
        self.by_fields.insert(fields.into(), id);
        id
    }

    fn push(&mut self, name: String, fields: Box<[TextId]>) -> TypeId {
        self.names.push(name);
        self.fields.push(fields);
        (self.names.len() - 1) as TypeId
    }

    /// The name to show.
    #[must_use]
    pub fn name(&self, id: TypeId) -> &str {
        self.names.get(id as usize).map_or("?", String::as_str)
    }

    /// The fields of a nameless type; empty for a named one.
    #[must_use]
    pub fn fields(&self, id: TypeId) -> &[TextId] {
        self.fields.get(id as usize).map_or(&[], AsRef::as_ref)
    }

    /// Notes the fields that all records of a type have at the same places: those that it inherits from the root of its
    /// types first, each type's in the order of their declaration.
    pub fn declare(&mut self, id: TypeId, fields: Vec<Field>) {
        self.declared.insert(id, fields.into());
    }

    /// These fields; none for a type whose dump does not tell them.
    #[must_use]
    pub fn declared(&self, id: TypeId) -> &[Field] {
        self.declared.get(&id).map_or(&[], AsRef::as_ref)
    }

    /// Whether it is known which fields all records of a type have, and that they get no others; a type may have none.
    #[must_use]
    pub fn is_declared(&self, id: TypeId) -> bool {
        self.declared.contains_key(&id)
    }

    /// Whether the type has no name, but is recognized by its fields.
    #[must_use]
    pub fn is_nameless(&self, id: TypeId) -> bool {
        self.nameless.contains(&id)
    }

    /// Notes what of a named type is the library's. Of several classes of one name the type is the library's if all are.
    pub fn note_library(&mut self, id: TypeId, of: OfLibrary) {
        match self.of_library.entry(id) {
            Entry::Vacant(place) => {
                place.insert(of);
            }
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.whole &= of.whole;
                known.closed &= of.closed;
                known.makes.empty &= of.makes.empty;
                known.makes.containers &= of.makes.containers;
                known.makes.buffers &= of.makes.buffers;
                known.fields.extend(of.fields);
            }
        }
    }

    /// What of a type is the library's; `None` for a type of the program's alone.
    #[must_use]
    pub fn of_library(&self, id: TypeId) -> Option<&OfLibrary> {
        self.of_library.get(&id)
    }

    /// Whether anything of any type is the library's.
    #[must_use]
    pub fn know_library(&self) -> bool {
        !self.of_library.is_empty()
    }

    /// Whether the runtime's own library fills the field.
    #[must_use]
    pub fn is_library_field(&self, id: TypeId, field: TextId) -> bool {
        self.of_library(id).is_some_and(|of| of.fields.contains(&field))
    }

    /// Whether a change of the program can drop the field, or give it another type.
    #[must_use]
    pub fn is_own_field(&self, id: TypeId, field: TextId) -> bool {
        self.of_library(id)
            .is_none_or(|of| !of.closed && !of.fields.contains(&field))
    }

    /// Notes that objects of a type stand for the absence of a value.
    pub fn note_absent(&mut self, id: TypeId) {
        self.absent.insert(id);
    }

    /// Whether objects of a type stand for the absence of a value.
    #[must_use]
    pub fn is_absent(&self, id: TypeId) -> bool {
        self.absent.contains(&id)
    }

    /// Notes that records of a type stand for what this field refers to.
    pub fn note_around(&mut self, id: TypeId, field: TextId, around: Around) {
        self.around.insert((id, field), around);
    }

    /// As what records of a type have what this field refers to, where they stand for it.
    #[must_use]
    pub fn around(&self, id: TypeId, field: TextId) -> Option<Around> {
        if self.around.is_empty() {
            return None;
        }
        self.around.get(&(id, field)).copied()
    }

    /// Notes what a record can have itself in place of an object of a type.
    pub fn note_stand_in(&mut self, id: TypeId, stand_in: StandIn) {
        self.stand_ins.insert(id, stand_in);
    }

    /// What a record can have itself in place of an object of a type.
    #[must_use]
    pub fn stand_in(&self, id: TypeId) -> Option<StandIn> {
        self.stand_ins.get(&id).copied()
    }

    /// Whether any type has such a stand-in.
    #[must_use]
    pub fn have_stand_ins(&self) -> bool {
        !self.stand_ins.is_empty()
    }

    /// Notes that objects of a type are made to be changed by several threads.
    pub fn note_state(&mut self, id: TypeId) {
        self.states.insert(id);
    }

    /// Whether objects of a type are made to be changed by several threads: each is itself, whatever it holds now.
    #[must_use]
    pub fn is_state(&self, id: TypeId) -> bool {
        self.states.contains(&id)
    }

    /// Notes how records of a type are kept once it says which fields they have, where that is not the usual way.
    pub fn note_closed(&mut self, id: TypeId, implementation: Implementation) {
        self.closed.insert(id, implementation);
    }

    /// How records of a type are kept once it says which fields they have.
    #[must_use]
    pub fn closed(&self, id: TypeId) -> Implementation {
        self.closed.get(&id).copied().unwrap_or(Implementation::USUAL)
    }

    /// Notes which other types a type changes with.
    pub fn note_relatives(&mut self, id: TypeId, relatives: Relatives) {
        self.relatives.insert(id, relatives);
    }

    /// Which other types a type changes with, once it says which fields its records have; `None` where there are none.
    #[must_use]
    pub fn relatives(&self, id: TypeId) -> Option<Relatives> {
        self.relatives.get(&id).copied()
    }

    /// Notes that dates of a type are spans of time, no moments.
    pub fn note_span(&mut self, id: TypeId) {
        self.spans.insert(id);
    }

    /// Whether dates of a type are spans of time.
    #[must_use]
    pub fn is_span(&self, id: TypeId) -> bool {
        self.spans.contains(&id)
    }

    /// Notes that arrays of a type drop their first element when they get longer than they may.
    pub fn note_bounded(&mut self, id: TypeId) {
        self.bounded.insert(id);
    }

    /// Whether arrays of a type do so.
    #[must_use]
    pub fn is_bounded(&self, id: TypeId) -> bool {
        self.bounded.contains(&id)
    }

    /// Notes that records of a library's type are containers, and where their entries stand.
    pub fn note_contents(&mut self, id: TypeId, contents: Contents) {
        self.contents.insert(id, contents);
    }

    /// Where the entries of records of a type stand, where these are containers of a library's.
    #[must_use]
    pub fn contents(&self, id: TypeId) -> Option<&Contents> {
        self.contents.get(&id)
    }

    /// Notes which field of tables of a type has what makes the values of absent keys.
    pub fn note_default(&mut self, id: TypeId, field: TextId) {
        self.defaults.insert(id, field);
    }

    /// Whether a field of tables of a type has what makes the values of absent keys: it is no content.
    #[must_use]
    pub fn is_default(&self, id: TypeId, field: TextId) -> bool {
        self.defaults.get(&id) == Some(&field)
    }

    /// Number of types.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no type.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

fn anonymous_name(fields: &[TextId], texts: &Texts) -> String {
    const SHOWN: usize = 2;
    let mut name = String::from("{");
    for (i, &field) in fields.iter().take(SHOWN).enumerate() {
        if i > 0 {
            name.push_str(", ");
        }
        name.push_str(&texts.shown(field, 24));
    }
    if fields.len() > SHOWN {
        let _ = write!(name, ", +{}", fields.len() - SHOWN);
    }
    name.push('}');
    name
}
