//! Timestamps, whole numbers and ids that are kept as text.

use deadweight_heap::{
    FieldProfile, FieldProfiles, Flags, Heap, Kind, NONE, Numeric, Representation, RowSet, TextForms, TextId,
    TypeId,
};
use rayon::prelude::*;
use serde_json::json;

use super::dates::MOMENTS;
use super::{LEAST, fit_slot};
use crate::Candidate;
use crate::count::Count;
use crate::relaid::Relaid;
use crate::rules::l07_open_records::closed;
use crate::slots::{Slot, slots};

pub(super) fn texts(heap: &Heap, fields: &FieldProfiles) -> Vec<Candidate> {
    let chosen: Vec<_> = fields
        .iter()
        .filter_map(|(key, seen)| Some((*key, seen, form_of(seen)?)))
        .collect();
    if chosen.is_empty() {
        return Vec::new();
    }
    let slots = slots(heap, chosen.iter().map(|(key, ..)| *key));
    let values = slots
        .par_iter()
        .flat_map(|slots| slots.par_iter().with_min_len(4096))
        .map(|slot| slot.value);
    let elsewhere = heap.held_elsewhere(values.filter(|&value| heap.kind(value) == Kind::String));
    slots
        .into_par_iter()
        .zip(&chosen)
        .filter_map(|(slots, &((ty, name), seen, form))| {
            let place = Place { ty, name, seen, form };
            let candidate = text_candidate(heap, heap.field_name(ty, name), &place, slots, &elsewhere)?;
            (candidate.net() > 0).then_some(candidate)
        })
        .collect()
}

/// The form that enough texts of a field have, all others being absent values.
fn form_of(seen: &FieldProfile) -> Option<TextForms> {
    let enough = seen.strings >= LEAST
        && u64::from(seen.nothing) * 100 <= u64::from(seen.strings) + u64::from(seen.nothing);
    let known = [TextForms::TIME, TextForms::WHOLE, TextForms::HEX, TextForms::UUID];
    known.into_iter().find(|&form| enough && seen.forms.has(form))
}

struct Place<'s> {
    ty: TypeId,
    name: TextId,
    seen: &'s FieldProfile,
    form: TextForms,
}

impl Place<'_> {
    /// Whether the field is declared to refer to an object, so that it can be declared as a number instead.
    fn is_typed(&self, heap: &Heap) -> bool {
        let mut declared = heap.types.declared(self.ty).iter();
        declared.any(|field| field.name == self.name && field.representation == Representation::Reference)
    }

    /// Lays the records out again with so many numbers in place of the reference: one number has room for any moment, and for
    /// all digits that count as a whole number.
    fn retype(&self, heap: &Heap, slots: &[Slot], numbers: u64, candidate: &mut Candidate) {
        let unit = if numbers == 1 {
            8
        } else {
            heap.layout.small_integer_bytes() as u8
        };
        let changes = vec![(self.name, Representation::Integer(unit).times(numbers))];
        if let Some(reshaped) = heap.relaid(self.ty, &changes) {
            let relaid = Relaid { ty: self.ty, changes };
            candidate.relay(relaid, slots.iter().map(|slot| slot.record), reshaped);
        }
    }
}

fn text_candidate(
    heap: &Heap,
    holder: String,
    place: &Place<'_>,
    mut slots: Vec<Slot>,
    elsewhere: &RowSet,
) -> Option<Candidate> {
    let mut candidate = Candidate::at(holder);
    candidate.variant = "text";
    let packed = match place.form {
        TextForms::HEX => Some(place.seen.id_length as u64 / 2),
        TextForms::UUID => Some(16),
        _ => None,
    };
    let unit = heap.layout.small_integer_bytes();
    let is_typed = place.is_typed(heap) && unit > 0;
    let new_slots = match packed {
        Some(bytes) => bytes.div_ceil(Some(unit).filter(|&bytes| bytes > 0)?),
        None => 1,
    };
    if packed.is_some() && !is_typed && heap.layout.small_integers().is_none() {
        return None;
    }
    let boxed = match place.form {
        _ if is_typed => 0,
        TextForms::WHOLE if fit_slot(heap, place.seen.least_text, place.seen.most_text) => 0,
        TextForms::WHOLE => {
            let ends = [place.seen.least_text, place.seen.most_text];
            ends.map(|end| heap.layout.number(end))
                .into_iter()
                .max()
                .unwrap_or(0)
        }
        TextForms::TIME => heap.layout.number(Numeric::Integer(MOMENTS)),
        _ => 0,
    };
    if is_typed {
        place.retype(heap, &slots, new_slots, &mut candidate);
    } else if new_slots > 1 {
        for slot in &slots {
            if let Some(record) = heap.record(slot.record).map(|record| closed(heap, record)) {
                let packed = Representation::Integer(unit as u8).times(new_slots);
                candidate.add_to(
                    slot.record,
                    heap.reshaped(&record, &[place.name], &[packed]).added(),
                );
            }
        }
    }
    slots.retain(|slot| heap.kind(slot.value) == Kind::String);
    slots.par_sort_unstable_by_key(|slot| (slot.value, slot.record));
    let mut example = NONE;
    for same in slots.chunk_by(|a, b| a.value == b.value) {
        let id = same[0].value;
        let goes = heap.naming_field(id) == Some((place.ty, place.name))
            && !elsewhere.has(id)
            && heap.in_program(id)
            && heap.bytes(id) > 0
            && !heap.objects.has(id, Flags::EXTERNAL);
        if goes {
            candidate.claim(id, heap.bytes(id));
            candidate.bytes_now += heap.bytes(id);
            candidate.count += 1;
            example = example.min(id);
        } else {
            candidate.unaffected += 1;
        }
        if boxed > 0 {
            candidate.add_to(id, boxed * same.len() as u64);
        }
    }
    if example == NONE {
        return None;
    }
    let (what, fix) = match place.form {
        TextForms::TIME => (
            "timestamps",
            "store the milliseconds as a number, and format it only to show it",
        ),
        TextForms::WHOLE => ("whole numbers", "parse them once and keep the number"),
        _ => (
            "ids",
            "keep the bytes in whole-number fields; format it only to show it",
        ),
    };
    candidate.title = format!("{} {what} kept as text", Count(candidate.count));
    candidate.fix = fix.into();
    let evidence = &mut candidate.evidence;
    evidence.insert("holds".into(), json!(what));
    evidence.insert("fields".into(), json!(slots.len()));
    evidence.insert("slots_each_after".into(), json!(new_slots));
    evidence.insert("box_each_after".into(), json!(boxed));
    let shown = heap.texts.shown(heap.objects.label[example as usize], 60);
    evidence.insert(
        "examples".into(),
        json!([{"value": shown, "bytes": heap.bytes(example)}]),
    );
    let assumption = match place.form {
        TextForms::TIME => "the zone in which a time was written is not needed",
        TextForms::WHOLE => "the texts are only ever read as numbers",
        _ => "the ids keep their length and case",
    };
    Some(candidate.assuming(assumption))
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Value};

    use super::super::tests::look;
    use super::*;

    fn with_texts(texts: impl Iterator<Item = String>) -> HeapBuilder {
        let mut heap = HeapBuilder::new();
        for text in texts {
            let string = heap.string(&text);
            heap.record("M", &[("s", string)]);
        }
        heap
    }

    #[test]
    fn timestamps_become_numbers() {
        let texts = (0..20).map(|i| format!("2024-01-31T10:00:{i:02}.123Z"));
        let found = look(&with_texts(texts).build(), "text");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].net(), 20 * (40 - 16));
        assert_eq!(found[0].evidence["holds"], "timestamps");
    }

    #[test]
    fn ids_become_fields() {
        let texts = (0..20).map(|i| format!("65b2c3d4e5f60718293a{i:04x}"));
        let found = look(&with_texts(texts).build(), "text");
        // Three numbers of four bytes in place of a reference.
        assert_eq!(found[0].net(), 20 * (40 - 8));
        assert_eq!(found[0].evidence["slots_each_after"], 3);
        let texts = (0..20).map(|i| format!("65b2c3d4-e5f6-0718-293a-0000000000{i:02x}"));
        let found = look(&with_texts(texts).build(), "text");
        assert_eq!(found[0].net(), 20 * (56 - 8));
    }

    #[test]
    fn a_field_that_refers_to_text_is_declared_as_the_number() {
        for (text, numbers) in [
            ("2024-01-31T10:00:00.123Z", 1),
            ("100000000000", 1),
            ("65b2c3d4-e5f6-0718-293a-000000000000", 4),
        ] {
            let mut heap = HeapBuilder::new();
            let fields = [
                ("value", Representation::Reference),
                ("count", Representation::Integer(4)),
            ];
            let item = heap.class("Item", None, &fields);
            let mut string = NONE;
            for i in 0..20 {
                let text = format!("{}{i:02}{}", &text[..text.len() - 7], &text[text.len() - 5..]);
                string = heap.string(&text);
                let count = Value::Number(Numeric::Integer(1));
                let row = heap.instance(item, &[Value::Reference(string, 0), count]);
                heap.variable("items", row);
            }
            let heap = heap.build();
            let found = look(&heap, "text");
            assert_eq!(found.len(), 1, "{text}");
            let unit = if numbers > 1 { 4 } else { 8 };
            let record = |fields: &[deadweight_heap::Fields]| {
                heap.layout
                    .record(&deadweight_heap::RecordShape::own(fields))
                    .cast_signed()
            };
            let count = Representation::Integer(4).times(1);
            let grows = record(&[Representation::Integer(unit).times(numbers), count])
                - record(&[Representation::Reference.times(1), count]);
            assert_eq!(
                found[0].net(),
                20 * (heap.bytes(string).cast_signed() - grows),
                "{text}"
            );
            assert_eq!(found[0].evidence["box_each_after"], 0);
        }
    }

    #[test]
    fn whole_numbers_in_text_fit_a_slot_or_a_box() {
        let found = look(&with_texts((100..120).map(|i| i.to_string())).build(), "text");
        assert_eq!(found[0].net(), 20 * 24);
        let found = look(
            &with_texts((100..120).map(|i| format!("{i}0000000000"))).build(),
            "text",
        );
        assert_eq!(found[0].net(), 20 * (32 - 16));
    }

    #[test]
    fn mixed_text_is_text() {
        let good = || (0..200).map(|i| format!("65b2c3d4e5f60718293a{i:04x}"));
        for odd in [
            "x",
            "",
            "65b2c3d4e5f60718293a00",
            "65B2C3D4E5F60718293A0000",
            "007",
        ] {
            let heap = with_texts(good().chain([odd.to_owned()])).build();
            assert!(look(&heap, "text").is_empty(), "{odd}");
        }
    }

    #[test]
    fn one_in_a_hundred_may_be_nothing() {
        for (nothing, found) in [(2, 1), (30, 0)] {
            let mut heap = with_texts((0..200).map(|i| format!("65b2c3d4e5f60718293a{i:04x}")));
            let null = heap.object(Kind::Runtime, "null", 0);
            for _ in 0..nothing {
                heap.record("M", &[("s", null)]);
            }
            assert_eq!(look(&heap.build(), "text").len(), found);
        }
    }

    #[test]
    fn shared_text_is_cheaper_than_boxes() {
        let mut heap = HeapBuilder::new();
        let text = heap.string("2024-01-31T10:00:00.000Z");
        for _ in 0..100 {
            heap.record("M", &[("s", text)]);
        }
        assert!(look(&heap.build(), "text").is_empty());
    }

    #[test]
    fn text_that_another_field_holds_stays() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let text = heap.string(&format!("2024-01-31T10:00:{i:02}.123Z"));
            heap.record("M", &[("s", text)]);
            heap.record("Other", &[("name", text)]);
        }
        assert!(look(&heap.build(), "text").is_empty());
    }
}
