//! The types of blocks whose fields are known.

use deadweight_heap::{ObjectId, TextId, Texts};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::members::{self, Members};
use super::modules::Modules;
use super::{Dump, noted, scalars};

/// No type.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// What each block is, while they are gone through.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    names: Vec<String>,
    ids: FxHashMap<String, u32>,
    of: Vec<u32>,
}

impl Wanted {
    /// The number of a type.
    pub fn id(&mut self, whole: &str) -> u32 {
        self.ids.get(whole).copied().unwrap_or_else(|| {
            self.names.push(whole.to_owned());
            let id = (self.names.len() - 1) as u32;
            self.ids.insert(whole.to_owned(), id);
            id
        })
    }

    /// Says of which type a block is, by its number.
    pub fn set(&mut self, object: ObjectId, id: u32) {
        let row = object as usize;
        if self.of.len() <= row {
            self.of.resize(row + 1, UNKNOWN);
        }
        self.of[row] = id;
    }

    /// Says of which type each block is, by its number, or [`UNKNOWN`].
    pub fn set_all(&mut self, of: Vec<u32>) {
        if !self.names.is_empty() {
            self.of = of;
        }
    }

    /// The fields of all types that were named, as far as the dump or debug information lists them.
    pub fn members(&self, dump: &Dump, modules: &Modules) -> FxHashMap<String, Members> {
        let mut found = noted::members(dump.facts());
        for name in &self.names {
            if let Some(bytes) = scalars::bytes(name) {
                found.insert(name.clone(), Members::new(bytes, Vec::new()));
            }
        }
        let missing = self.names.iter().filter(|name| !found.contains_key(*name));
        let missing: FxHashSet<String> = missing.cloned().collect();
        found.extend(members::find(modules, &missing));
        found
    }

    /// Looks for the fields of all types that were named.
    pub fn find(self, dump: &Dump, modules: &Modules) -> Fields {
        let mut found = self.members(dump, modules);
        let members: Vec<Option<Members>> = self.names.iter().map(|name| found.remove(name)).collect();
        let is_exact = dump.has_requests();
        let mut of = self.of;
        of.par_iter_mut().zip(dump.blocks()).for_each(|(ty, block)| {
            let members = members.get(*ty as usize).and_then(Option::as_ref);
            if !members.is_some_and(|members| members.fill(block.requested, is_exact)) {
                *ty = UNKNOWN;
            }
        });
        if of.par_iter().all(|&ty| ty == UNKNOWN) {
            of.clear();
        }
        Fields { members, of }
    }
}

/// Which fields the blocks have.
#[derive(Debug, Default)]
pub(super) struct Fields {
    members: Vec<Option<Members>>,
    of: Vec<u32>,
}

impl Fields {
    /// The fields of one block.
    pub fn of(&self, object: ObjectId) -> Option<&Members> {
        let ty = *self.of.get(object as usize)?;
        self.members.get(ty as usize)?.as_ref()
    }

    /// Bytes of one object of a type.
    pub fn bytes(&self, ty: u32) -> Option<u64> {
        let members = self.members.get(ty as usize)?.as_ref()?;
        (members.bytes > 0).then_some(members.bytes)
    }

    /// The names of all fields that refer to others.
    pub fn names(&self, texts: &mut Texts) -> Names<'_> {
        let mut known: FxHashMap<&str, TextId> = FxHashMap::default();
        let mut name = |name| *known.entry(name).or_insert_with(|| texts.add(name));
        let types = self.members.iter().map(|members| {
            let fields = members.iter().flat_map(Members::fields);
            // A number that looks like an address is no reference.
            let names = fields.map(|field| field.is_reference.then(|| name(&field.name)));
            names.collect()
        });
        Names {
            types: types.collect(),
            fields: self,
        }
    }

    /// Whether nothing is known of any block.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}

/// The names of fields, as texts of a heap.
#[derive(Debug)]
pub(super) struct Names<'f> {
    /// For each type those of its fields; none for one that does not refer to anything.
    types: Vec<Vec<Option<TextId>>>,
    fields: &'f Fields,
}

impl Names<'_> {
    /// What the fields of a block are called, by their places in bytes; nothing when its type is not known.
    pub fn of(&self, object: ObjectId) -> Option<impl Fn(u64) -> Option<TextId>> {
        let members = self.fields.of(object)?;
        let names = &self.types[self.fields.of[object as usize] as usize];
        Some(|offset| names[members.index_at(offset)?])
    }
}
