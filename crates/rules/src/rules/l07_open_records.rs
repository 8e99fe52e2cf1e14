//! # L07 · room for fields that nobody adds
//!
//! ## What it is
//! Records of a class to which any code may add fields at any time, and that all have the same fields.
//!
//! ## Why it costs
//! A record that may get more fields has references to where these would stand, room for some of them, and the order in
//! which its fields came. In some runtimes each has a table of its own. A record of a fixed shape has its fields alone.
//!
//! ## How it is found
//! Types with at least 100 records of the program, none of them with fields in a hash table of its own (those are L02's),
//! that the runtime keeps in such a form. All of them together have at most twice as many names as one has. What the
//! runtime's own library defines is passed over, and so are types whose records it gives fields, as
//! `functools.cached_property` does.
//!
//! ## How the saving is computed
//! Each record is laid out with a fixed place for every field that any of them has, and the pieces beside it go, such as a
//! dictionary that was made because something asked for it. What the description of a fixed shape takes more than that of
//! an open one is added once. Where something refers to one of the records weakly, or the type inherits a place for that, each
//! keeps such a place.
//!
//! ## How to fix it
//! Say in the class which fields its records have.
//!
//! - Python: `__slots__ = ("x", "y")` in the class, with the names that its methods assign; or `@dataclass(slots=True)`,
//!   since 3.10; or `attrs.define`. Every class that it is based on needs slots, too, if only `__slots__ = ()`: one without
//!   gives its instances all of the room back. A `typing.NamedTuple` has no such room either.
//!
//! Names in the slots of a base take room in the records of all classes based on it, and a class without slots then keeps its
//! attributes in a costlier way (3.13: 320 bytes more for each record). The finding says what to do: where the bases have no records of
//! their own and no class based on them has slots, all names go into the class and `__slots__ = ()` into its bases, which leaves
//! the other classes as they are. Else all classes of the family get their slots in one change.
//!
//! In Python, weak references to the instances need `__weakref__` among the names: 8 bytes each, and 16 since 3.12. It belongs
//! into the classes whose instances are referred to weakly: in a class that these are based on, all others based on it get it, too. A value
//! in the class itself cannot have the name of a slot; a dataclass with slots takes care of its own. Where the class must
//! stay as it is, leave out what makes dictionaries: `vars`, `__dict__`, `copy.copy` and `pickle` leave one behind in each
//! instance that they look at, 64 bytes for good since 3.11. More than 29 names are shared by no class since 3.11: each
//! instance then has a table of its own, of 1,600 bytes and more.
//!
//! ## When not to
//! When other code adds fields to the records, such as a library that notes something on them,
//! or a test that replaces a method; when a class has two bases that both have fields of their own.

use std::fmt::Write as _;

use deadweight_heap::{
    Heap, Implementation, Parts, Record, RecordShape, Relatives, TextId, TypeId, UNKNOWN, Wording,
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::{Basis, Candidate, Code, Rule, Verdict};

mod closed;
#[cfg(test)]
mod tests;

pub(super) use closed::closed;

/// Fewer records of a class are not worth a change.
const LEAST: usize = 100;

const ASSUMES: &str = "no code gives the records other fields, or refers to them weakly";

/// The same where they keep a place for weak references.
const ASSUMES_WEAK: &str = "no code gives the records other fields";

/// The rule.
pub struct OpenRecords;

impl Rule for OpenRecords {
    fn code(&self) -> Code {
        Code("L07")
    }

    fn source(&self) -> &'static str {
        include_str!("l07_open_records.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour(ASSUMES)
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let found = open_types(heap).into_iter();
        let found = found.map(|(ty, records, names)| candidate(heap, ty, &records, &names));
        found.collect::<Vec<_>>().into()
    }
}

/// Types whose records would do with fixed places, with their records and all of their fields, those that most have first.
fn open_types(heap: &Heap) -> Vec<(TypeId, Vec<Record>, Vec<TextId>)> {
    let mut by_type: FxHashMap<TypeId, Vec<Record>> = FxHashMap::default();
    for record in &heap.records {
        let is_open = record.dictionary == 0
            && record.used != UNKNOWN
            && heap.layout.takes_fields(record.implementation);
        if let Some(ty) = is_open.then(|| heap.record_type(record)).flatten() {
            by_type.entry(ty).or_default().push(*record);
        }
    }
    let population = heap.population();
    let is_wanted = |ty: TypeId, records: &[Record]| {
        // Where the library fills a field, its code says what fields there are.
        let is_own = heap.types.of_library(ty).is_none();
        is_own && records.len() >= LEAST && population.count(ty) as usize == records.len()
    };
    by_type.retain(|ty, records| is_wanted(*ty, records));
    let alike = by_type.into_iter().filter_map(|(ty, records)| {
        let names = names(heap, &records)?;
        Some((ty, records, names))
    });
    let mut alike: Vec<_> = alike.collect();
    alike.sort_unstable_by_key(|(ty, _, _)| *ty);
    alike
}

/// All fields of the records; `None` where they differ as those of maps do, or where some are not shown.
fn names(heap: &Heap, records: &[Record]) -> Option<Vec<TextId>> {
    let mut counts: FxHashMap<TextId, u64> = FxHashMap::default();
    let mut own: FxHashSet<TextId> = FxHashSet::default();
    let mut shown = 0_u64;
    for record in records {
        own.clear();
        let fields = heap.edges.of(record.object);
        own.extend(fields.filter_map(deadweight_heap::Edge::field));
        if own.len() < record.used as usize {
            return None;
        }
        shown += own.len() as u64;
        for &name in &own {
            *counts.entry(name).or_default() += 1;
        }
    }
    let are_maps = counts.len() as u64 * records.len() as u64 > 2 * shown;
    let mut names: Vec<TextId> = counts.keys().copied().collect();
    names.sort_unstable_by_key(|name| (std::cmp::Reverse(counts[name]), *name));
    (!are_maps).then_some(names)
}

fn candidate(heap: &Heap, ty: TypeId, records: &[Record], names: &[TextId]) -> Candidate {
    let mut candidate = Candidate::at(heap.types.name(ty));
    candidate.of = Some(ty);
    let fields = names.len() as u64;
    let of = heap.types.closed(ty);
    let after = heap.layout.record_as(of, &RecordShape::own(&[]), fields);
    let mut parts = Parts::default();
    let (mut least, mut most) = (u64::MAX, 0);
    for record in records {
        let now = parts.lay_out(heap, &mut candidate, record.object, after);
        candidate.bytes_now += now;
        candidate.count += 1;
        (least, most) = (least.min(now), most.max(now));
    }
    let implementation = records
        .first()
        .map_or_else(Default::default, |record| record.implementation);
    let described = heap.layout.shape_as(implementation, fields);
    candidate.overhead = heap.layout.shape(fields).saturating_sub(described);
    candidate.title = format!(
        "{} of one class have room for fields that nobody adds",
        Count(candidate.count).of("record", "records")
    );
    let wording = heap.layout.wording();
    let relatives = heap.types.relatives(ty);
    candidate.fix = said(&wording, relatives);
    let shown = names.iter().take(8).map(|&name| heap.texts.shown(name, 32));
    candidate.show("fields", json!(shown.collect::<Vec<_>>()));
    candidate.show("fields_at_most", fields);
    candidate.show("bytes_each_at_least", least);
    candidate.show("bytes_each_at_most", most);
    candidate.show("bytes_each_after", after);
    if of != Implementation::USUAL {
        // In a class that others are based on it would stand in the records of all of them.
        let place = wording
            .weak_place
            .map(|said| format!(" ({said})"))
            .unwrap_or_default();
        let _ = write!(
            candidate.fix,
            "; keep a place for weak references{place} in this class alone, unless those have one"
        );
        candidate.assumes = Some(ASSUMES_WEAK.to_owned());
    }
    if relatives == Some(Relatives::Together) {
        let assumes = candidate.assumes.as_deref().unwrap_or(ASSUMES);
        candidate.assumes = Some(format!(
            "{assumes}; all classes that share a base with it change together"
        ));
    }
    candidate
}

/// Where the fields are said, so that records of other classes get no room for them.
fn said(wording: &Wording, relatives: Option<Relatives>) -> String {
    let place = wording
        .fields
        .map_or("the class".to_owned(), |said| format!("{said} of the class"));
    match relatives {
        None => format!(
            "say in {place} which fields its records have, and in those of the classes it is based on"
        ),
        Some(Relatives::Siblings) => {
            let none = wording.no_fields.unwrap_or("no fields");
            format!(
                "say in {place} all fields that its records have, and {none} in the classes it is based on: others are \
                 based on them, too"
            )
        }
        Some(Relatives::Together) => format!(
            "say in {place} which fields its records have, and in those of the classes it is based on, in one change with \
             all other classes of this family: one that is left out gets larger"
        ),
    }
}
