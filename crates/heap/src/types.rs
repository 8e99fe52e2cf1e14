//! Types of objects, by name and, for records without a class, by their fields.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::{TextId, Texts};

/// A row of [`Types`].
pub type TypeId = u32;

/// Interned types.
#[derive(Debug, Default)]
pub struct Types {
    names: Vec<String>,
    fields: Vec<Box<[TextId]>>,
    by_name: FxHashMap<String, TypeId>,
    by_fields: FxHashMap<Box<[TextId]>, TypeId>,
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
