//! What the fields of one type free one by one, and all together: a runtime that charges by steps gives nothing back for
//! one field and much for two, or the other way round.

use deadweight_heap::{Heap, Record, Representation, TextId, TypeId, in_pieces};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::Candidate;
use crate::count::Count;
use crate::relaid::{GONE, Relaid};
use crate::rules::l07_open_records::closed;

/// How many fields are named where several are told in one line.
const SHOWN: usize = 4;

/// A field with its finding.
pub(super) struct Field {
    pub(super) name: TextId,
    pub(super) candidate: Candidate,
}

/// The fields of one type: those that say nothing, and those with one value.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) nothing: Vec<Field>,
    pub(super) one_value: Vec<Field>,
}

/// What fields of one sort free, one by one and together.
struct Freed {
    singles: Vec<Candidate>,
    all: Candidate,
}

impl Freed {
    fn of(fields: usize) -> Self {
        Self {
            singles: vec![Candidate::at(""); fields],
            all: Candidate::at(""),
        }
    }

    fn absorb(&mut self, more: Self) {
        for (single, more) in self.singles.iter_mut().zip(more.singles) {
            single.absorb(more);
        }
        self.all.absorb(more.all);
    }

    /// Notes what a record frees that has lost the fields `before` already: how much it is together.
    fn add(&mut self, heap: &Heap, record: &Record, before: &[TextId], fields: &[TextId]) -> u64 {
        let forms = Forms {
            now: *record,
            // An earlier fix gives all of its type fixed places.
            closed: closed(heap, record),
        };
        let mut together = 0;
        for (single, &field) in self.singles.iter_mut().zip(fields) {
            together = forms.note(heap, single, before, &[field]);
        }
        if fields.len() > 1 {
            together = forms.note(heap, &mut self.all, before, fields);
        }
        together
    }
}

/// A record as it is, and as an earlier fix leaves it.
struct Forms {
    now: Record,
    closed: Record,
}

impl Forms {
    /// Notes what the record frees without `fields` that has lost the fields `before` already: how much it is.
    fn note(&self, heap: &Heap, candidate: &mut Candidate, before: &[TextId], fields: &[TextId]) -> u64 {
        let gone = [before, fields].concat();
        let freed = |record: &Record| {
            let with_before = heap.reshaped(record, before, &[]).freed();
            let freed = heap
                .reshaped(record, &gone, &[])
                .freed()
                .saturating_sub(with_before);
            freed.min(heap.bytes(record.object))
        };
        let now = freed(&self.now);
        note(candidate, &self.now, now);
        if self.now.implementation != self.closed.implementation && now > 0 {
            let closed = u32::try_from(freed(&self.closed)).unwrap_or(u32::MAX);
            candidate.reshaped.insert(self.now.object, closed);
        }
        now
    }
}

fn note(candidate: &mut Candidate, record: &Record, freed: u64) {
    if freed > 0 {
        candidate.bytes_now += freed;
        candidate.claim(record.object, freed);
    }
}

/// The findings of all types, with what they free: one for each field, or one for all of a type where what these free
/// one by one is not what they free together. What frees nothing is no finding.
pub(super) fn weighed(heap: &Heap, mut by_type: FxHashMap<TypeId, Fields>) -> Vec<Candidate> {
    if by_type.is_empty() {
        return Vec::new();
    }
    let names = |fields: &[Field]| fields.iter().map(|field| field.name).collect::<Vec<_>>();
    let asked: FxHashMap<TypeId, [Vec<TextId>; 2]> = by_type
        .iter()
        .map(|(ty, fields)| (*ty, [names(&fields.nothing), names(&fields.one_value)]))
        .collect();
    let pieces = in_pieces(&heap.records, |records| {
        let mut of_piece: FxHashMap<TypeId, [Freed; 2]> = FxHashMap::default();
        for record in records {
            let Some((ty, [nothing, one_value])) =
                heap.record_type(record).and_then(|ty| asked.get_key_value(&ty))
            else {
                continue;
            };
            let freed = of_piece
                .entry(*ty)
                .or_insert_with(|| [Freed::of(nothing.len()), Freed::of(one_value.len())]);
            let dead = freed[0].add(heap, record, &[], nothing);
            // Advice is weighed on what findings leave.
            let before = if dead > 0 { &nothing[..] } else { &[] };
            freed[1].add(heap, record, before, one_value);
        }
        of_piece
    });
    let mut freed: FxHashMap<TypeId, [Freed; 2]> = FxHashMap::default();
    for (ty, more) in pieces.into_iter().flatten() {
        let of_type = freed
            .entry(ty)
            .or_insert_with(|| [Freed::of(more[0].singles.len()), Freed::of(more[1].singles.len())]);
        for (of_type, more) in of_type.iter_mut().zip(more) {
            of_type.absorb(more);
        }
    }
    let mut freed: Vec<_> = freed.into_iter().collect();
    freed.sort_unstable_by_key(|(ty, _)| *ty);
    let mut found = Vec::new();
    for (ty, [of_nothing, of_one_value]) in freed {
        let fields = by_type.remove(&ty).unwrap_or_default();
        found.extend(settled(heap, ty, fields.nothing, of_nothing));
        found.extend(settled(heap, ty, fields.one_value, of_one_value));
    }
    found
}

/// The findings of one sort of fields at a type.
fn settled(heap: &Heap, ty: TypeId, fields: Vec<Field>, freed: Freed) -> Vec<Candidate> {
    let singles = freed.singles.iter().map(|single| single.claims.bytes());
    let adds_up = fields.len() < 2 || singles.clone().sum::<u64>() == freed.all.claims.bytes();
    if !adds_up {
        let most = singles.max().unwrap_or(0);
        let mut candidate = together(heap, ty, &fields, &freed);
        candidate.absorb(freed.all);
        candidate.of = Some(ty);
        candidate.relaid = without(heap, ty, fields.iter().map(|field| field.name));
        candidate.fix += match most {
            0 => "; dropping only one of them frees nothing",
            // The first record of a class may have other room than those after it.
            most if most < candidate.claims.bytes() / 100 * 99 => "; dropping only one of them frees less",
            _ => "; dropping only one of them frees as much",
        };
        return Vec::from_iter((!candidate.claims.is_empty()).then_some(candidate));
    }
    let with_claims = fields.into_iter().zip(freed.singles).map(|(field, single)| {
        let mut candidate = field.candidate;
        candidate.absorb(single);
        candidate.of = Some(ty);
        candidate.relaid = without(heap, ty, std::iter::once(field.name));
        candidate
    });
    with_claims
        .filter(|candidate| !candidate.claims.is_empty())
        .collect()
}

/// The records of a type that loses these fields, where it declares all that its records have.
fn without(heap: &Heap, ty: TypeId, fields: impl Iterator<Item = TextId>) -> Option<Relaid> {
    let mut declared = heap.types.declared(ty).iter();
    declared
        .all(|field| field.representation != Representation::Any)
        .then(|| Relaid {
            ty,
            changes: fields.map(|name| (name, GONE)).collect(),
        })
}

/// One finding for several fields of a type.
fn together(heap: &Heap, ty: TypeId, fields: &[Field], freed: &Freed) -> Candidate {
    let first = &fields[0].candidate;
    let names: Vec<String> = fields
        .iter()
        .map(|field| heap.texts.shown(field.name, 48))
        .collect();
    let mut shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        shown = format!("{shown}, +{}", names.len() - SHOWN);
    }
    let (what, fix) = if first.option {
        (
            "the same value",
            "store each value once, in the class or a constant, and drop the fields",
        )
    } else {
        (
            "nothing",
            "drop the fields; add each when there is something to keep",
        )
    };
    let mut candidate = Candidate::at(heap.types.name(ty));
    candidate.option = first.option;
    // A type may have one finding of each sort.
    candidate.variant = if first.option { "one value" } else { "nothing" };
    candidate.count = first.count;
    candidate.title = format!(
        "all {} records hold {what} in each of {} fields: {shown}",
        Count(first.count),
        names.len()
    );
    candidate.fix = fix.into();
    let alone = freed.singles.iter().map(|single| single.claims.bytes());
    let evidence = fields
        .iter()
        .zip(&names)
        .zip(alone)
        .map(|((field, name), alone)| {
            let value = field.candidate.evidence.get("value");
            json!({ "field": name, "value": value, "alone_frees": alone })
        });
    candidate.evidence.insert("records".into(), json!(first.count));
    candidate
        .evidence
        .insert("fields".into(), evidence.collect::<Vec<_>>().into());
    candidate.assumes.clone_from(&first.assumes);
    candidate
}
