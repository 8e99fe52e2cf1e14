//! Fields that say nothing: in every record stands an absent value, an empty container or a buffer of zeros.

use deadweight_heap::{
    FieldProfile, FieldProfiles, FieldTally, Heap, Kind, ObjectId, OneValue, TextId, TypeId,
};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::Candidate;
use crate::count::Count;

/// The fields that say nothing.
pub(super) struct Nothing(FxHashMap<(TypeId, TextId), Said>);

/// What stands in a field that says nothing.
#[derive(Clone, Copy)]
pub(super) struct Said {
    /// One of the containers, if there are any: the lowest row.
    container: Option<ObjectId>,
}

/// What one pass over the records finds in a field.
struct Seen {
    /// Whether all containers so far are empty, and how many these are.
    empty: bool,
    containers: u32,
    container: Option<ObjectId>,
}

impl FieldTally for Seen {
    fn merge(&mut self, other: Self) {
        self.empty &= other.empty;
        self.containers += other.containers;
        self.container = self.container.into_iter().chain(other.container).min();
    }
}

/// Whether a buffer has nothing but zeros, as far as it is known.
fn is_of_zeros(heap: &Heap, id: ObjectId) -> bool {
    heap.buffer(id)
        .is_some_and(|buffer| buffer.zeros != u64::MAX && buffer.words_used == 0)
}

impl Nothing {
    pub(super) fn of(
        heap: &Heap,
        fields: &FieldProfiles,
        is_in_all: impl Fn(TypeId, TextId, &FieldProfile) -> bool,
    ) -> Self {
        let mut said = FxHashMap::default();
        let mut asked: FxHashMap<TypeId, Vec<TextId>> = FxHashMap::default();
        for ((ty, name), field) in fields
            .iter()
            .filter(|((ty, name), field)| is_in_all(*ty, *name, field))
        {
            if field.nothing == field.records {
                said.insert((*ty, *name), Said { container: None });
            } else if field.nothing + field.others == field.records {
                asked.entry(*ty).or_default().push(*name);
            }
        }
        if asked.is_empty() {
            return Self(said);
        }
        let new = |ty: TypeId, name: TextId| {
            let is_asked = asked.get(&ty).is_some_and(|names| names.contains(&name));
            is_asked.then_some(Seen {
                empty: true,
                containers: 0,
                container: None,
            })
        };
        let seen = heap.tally_fields(
            new,
            |ty| asked.contains_key(&ty),
            |seen, _, edge| {
                let holds = matches!(
                    heap.kind(edge.to),
                    Kind::Record | Kind::Array | Kind::Table | Kind::Buffer
                );
                if seen.empty && holds {
                    seen.empty = heap.is_empty_container(edge.to) || is_of_zeros(heap, edge.to);
                    seen.containers += 1;
                    seen.container = seen.container.into_iter().chain([edge.to]).min();
                }
            },
        );
        for ((ty, name), seen) in seen {
            let field = fields.of_type(ty).iter().find(|((_, of), _)| *of == name);
            let is_all = field.is_some_and(|(_, field)| field.nothing + seen.containers == field.records);
            if seen.empty && is_all {
                let Seen { container, .. } = seen;
                said.insert((ty, name), Said { container });
            }
        }
        Self(said)
    }

    pub(super) fn at(&self, ty: TypeId, name: TextId) -> Option<Said> {
        self.0.get(&(ty, name)).copied()
    }
}

impl Said {
    pub(super) fn candidate(self, heap: &Heap, holder: String, field: &FieldProfile) -> Candidate {
        let mut candidate = Candidate::at(holder);
        let absent = match field.value {
            OneValue::Same(_, row) => heap.type_name(row),
            _ => "null",
        };
        let empty = self.container.map(|row| match heap.kind(row) {
            Kind::Buffer => format!("{} of zeros", heap.type_name(row)),
            _ => format!("an empty {}", heap.type_name(row)),
        });
        let shown = match empty {
            None => absent.to_owned(),
            Some(empty) if field.nothing > 0 => format!("null or {empty}"),
            Some(empty) => empty,
        };
        candidate.count = u64::from(field.records);
        candidate.title = format!(
            "all {} records hold nothing: {shown}",
            Count(field.records.into())
        );
        candidate.fix = "drop the field; add it when there is something to keep".into();
        candidate.evidence.insert("records".into(), json!(field.records));
        candidate.evidence.insert("value".into(), json!(shown));
        candidate.assuming("nothing is ever stored there")
    }
}
