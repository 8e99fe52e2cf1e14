//! Fields that refer to objects which go: the record has what these say itself. The fields of one type are one finding
//! where the record changes by another number of bytes for all of them than for each.

use deadweight_heap::{
    EdgeKind, Fields, Heap, Kind, ObjectId, Parts, Representation, Reshaped, RowSet, TextId, TypeId,
    in_pieces,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde_json::json;

use crate::Candidate;
use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::relaid::{GONE, Relaid};
use crate::slots::{Slot, slots};

/// How many fields a finding names where several are one.
const SHOWN: usize = 4;

/// What becomes of a field.
#[derive(Clone, Copy)]
pub(crate) struct Replacement {
    /// What the field is then; `None` where it goes.
    pub(crate) becomes: Option<Representation>,
    /// What its objects are, in the plural.
    pub(crate) name: &'static str,
}

/// A field, record by record.
pub(crate) struct Place {
    pub(crate) ty: TypeId,
    pub(crate) name: TextId,
    pub(crate) slots: Vec<Slot>,
    pub(crate) replacement: Replacement,
}

impl Place {
    /// What becomes of the field.
    fn change(&self) -> (TextId, Fields) {
        let becomes = self.replacement.becomes;
        (self.name, becomes.map_or(GONE, |becomes| becomes.times(1)))
    }
}

/// Whether the program declares a field, as a reference.
pub(crate) fn is_own_reference(heap: &Heap, ty: TypeId, name: TextId) -> bool {
    let declared = heap.types.declared(ty).iter().find(|field| field.name == name);
    declared.is_some_and(|field| field.representation == Representation::Reference)
        && heap.types.is_own_field(ty, name)
}

/// Those of some fields whose objects are all of one type. `replacement` gives what becomes of such a field by one of its
/// objects.
pub(crate) fn places(
    heap: &Heap,
    fields: Vec<(TypeId, TextId)>,
    replacement: impl Fn(ObjectId) -> Option<Replacement>,
) -> Vec<Place> {
    let slots = slots(heap, fields.iter().copied());
    let label = |slot: &Slot| heap.objects.label[slot.value as usize];
    let place = |((ty, name), slots): ((TypeId, TextId), Vec<Slot>)| {
        let first = slots.first()?;
        let is_same = |slot: &Slot| label(slot) == label(first);
        let replacement = slots
            .iter()
            .all(is_same)
            .then(|| replacement(first.value))
            .flatten()?;
        Some(Place {
            ty,
            name,
            slots,
            replacement,
        })
    };
    fields.into_iter().zip(slots).filter_map(place).collect()
}

/// What a rule says of such fields.
pub(crate) struct Words {
    pub(crate) variant: &'static str,
    /// What the objects of several fields are, where they are not of one sort.
    pub(crate) mixed: &'static str,
    /// What to do with some fields of a type.
    pub(crate) fix: fn(&[&Place]) -> String,
    /// What the saving of some fields of a type rests on.
    pub(crate) assumes: fn(&[&Place]) -> &'static str,
}

/// Which objects go.
pub(crate) struct Going<'g> {
    pub(crate) heap: &'g Heap,
    /// Objects that something else needs.
    pub(crate) stays: RowSet,
    /// Whether an object is of a sort that goes with its field.
    pub(crate) is_free: &'g (dyn Fn(ObjectId) -> bool + Sync),
    /// What goes with an object.
    pub(crate) with: &'g (dyn Fn(ObjectId) -> Option<ObjectId> + Sync),
}

impl Going<'_> {
    /// Whether an object goes with a field of a record, and is counted there.
    fn frees(&self, slot: Slot, name: TextId) -> bool {
        let heap = self.heap;
        heap.bytes(slot.value) > 0
            && (self.is_free)(slot.value)
            && !self.stays.has(slot.value)
            && slot.is_naming(heap, name)
    }

    /// How many objects go with a field.
    pub(crate) fn count(&self, place: &Place) -> u64 {
        let slots = place.slots.par_iter().with_min_len(4096);
        slots.filter(|slot| self.frees(**slot, place.name)).count() as u64
    }

    /// Claims the objects of a field.
    fn claim(&self, place: &Place, candidate: &mut Candidate) {
        let heap = self.heap;
        let pieces = in_pieces(&place.slots, |slots| {
            let (mut found, mut parts) = (Candidate::at(""), Parts::default());
            for slot in slots {
                if self.frees(*slot, place.name) {
                    found.bytes_now += parts.claim_whole(heap, &mut found, slot.value);
                    if let Some(more) = (self.with)(slot.value) {
                        found.bytes_now += parts.claim_whole(heap, &mut found, more);
                    }
                    found.count += 1;
                } else {
                    found.unaffected += 1;
                }
            }
            found
        });
        for found in pieces {
            candidate.absorb(found);
        }
    }
}

/// Objects that something else needs than the fields of these places.
pub(crate) fn needed_elsewhere(heap: &Heap, places: &[Place]) -> RowSet {
    let mended: FxHashSet<(TypeId, TextId)> = places.iter().map(|place| (place.ty, place.name)).collect();
    let values = places
        .par_iter()
        .flat_map(|place| place.slots.par_iter().with_min_len(4096))
        .map(|slot| slot.value);
    let asked = heap.held_elsewhere(values);
    heap.held_otherwise(&asked, |reference| {
        let is_field = reference.via.kind() == EdgeKind::Field && heap.kind(reference.from) == Kind::Record;
        let label = heap.objects.label[reference.from as usize];
        let is_mended = is_field && mended.contains(&(label, reference.via.name()));
        reference.is_of_program(heap) && !is_mended
    })
}

/// The findings at some places, type by type.
pub(crate) fn findings(going: &Going<'_>, mut places: Vec<Place>, words: &Words) -> Vec<Candidate> {
    places.sort_by_key(|place| place.ty);
    let of_types = places.chunk_by(|a, b| a.ty == b.ty);
    of_types
        .flat_map(|places| of_type(going, places, words))
        .collect()
}

/// The findings of one type: one for each field, or one for all where the records change by another number of bytes when
/// all fields do than by what each does: they are laid out once.
fn of_type(going: &Going<'_>, places: &[Place], words: &Words) -> Vec<Candidate> {
    let heap = going.heap;
    let ty = places[0].ty;
    let fields: Vec<(TextId, Fields)> = places.iter().map(Place::change).collect();
    let shrinks = |of: Reshaped| of.now.cast_signed() - of.after.cast_signed();
    let alone: Option<Vec<Reshaped>> = fields.iter().map(|field| heap.relaid(ty, &[*field])).collect();
    let (Some(alone), Some(all)) = (alone, heap.relaid(ty, &fields)) else {
        return Vec::new();
    };
    let one_by_one: i64 = alone.iter().map(|&of| shrinks(of)).sum();
    if places.len() > 1 && one_by_one != shrinks(all) {
        return vec![together(going, places, &alone, all, words)];
    }
    let of_place = |(place, of): (&Place, Reshaped)| single(going, place, of, words);
    places.iter().zip(alone).map(of_place).collect()
}

fn single(going: &Going<'_>, place: &Place, reshaped: Reshaped, words: &Words) -> Candidate {
    let holder = going.heap.field_name(place.ty, place.name);
    let mut candidate = Candidate::at(holder).at_all_places();
    candidate.of = Some(place.ty);
    candidate.variant = words.variant;
    going.claim(place, &mut candidate);
    reshape(std::slice::from_ref(place), reshaped, &mut candidate);
    candidate.title = format!("{} {}", Count(candidate.count), place.replacement.name);
    candidate.fix = (words.fix)(&[place]);
    let assumed = (words.assumes)(&[place]);
    if let Some(number) = place.replacement.becomes.filter(|number| !number.refers()) {
        candidate.show("bytes_of_the_number", number.bytes(0));
    }
    candidate.show("record_grows_by", reshaped.added());
    candidate.assuming(assumed)
}

/// One finding for several fields of a type.
fn together(
    going: &Going<'_>,
    places: &[Place],
    alone: &[Reshaped],
    all: Reshaped,
    words: &Words,
) -> Candidate {
    let heap = going.heap;
    let mut candidate = Candidate::at(heap.types.name(places[0].ty)).at_all_places();
    candidate.of = Some(places[0].ty);
    candidate.variant = words.variant;
    let mut fields = Vec::with_capacity(places.len());
    for (place, &reshaped) in places.iter().zip(alone) {
        let mut of_place = Candidate::at("");
        going.claim(place, &mut of_place);
        let objects = of_place.claims.bytes().cast_signed();
        candidate.absorb(of_place);
        let records = (place.slots.len() as u64).cast_signed();
        let frees = objects + records * (reshaped.freed().cast_signed() - reshaped.added().cast_signed());
        fields.push(json!({
            "field": heap.texts.shown(place.name, 48),
            "alone_frees": frees.max(0),
        }));
    }
    reshape(places, all, &mut candidate);
    let names: Vec<String> = places
        .iter()
        .map(|place| heap.texts.shown(place.name, 48))
        .collect();
    let mut shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        shown = format!("{shown}, +{}", names.len() - SHOWN);
    }
    let name = |place: &Place| place.replacement.name;
    let is_of_one_sort = places.iter().all(|place| name(place) == name(&places[0]));
    let what = if is_of_one_sort {
        name(&places[0])
    } else {
        words.mixed
    };
    candidate.title = format!("{} {what}: {shown}", Count(candidate.count));
    let all_places: Vec<&Place> = places.iter().collect();
    candidate.fix = (words.fix)(&all_places);
    let assumed = (words.assumes)(&all_places);
    candidate.show("fields", fields);
    candidate.show("record_grows_by", all.added());
    candidate.assuming(assumed)
}

/// Books what becomes of the records that some fields of a type are in.
fn reshape(places: &[Place], reshaped: Reshaped, candidate: &mut Candidate) {
    let relaid = Relaid {
        ty: places[0].ty,
        changes: places.iter().map(Place::change).collect(),
    };
    let records = places[0].slots.iter().map(|slot| slot.record);
    candidate.relay(relaid, records, reshaped);
}
