//! Whole numbers in boxes that slots could hold.

use deadweight_heap::{
    EdgeKind, FieldProfile, FieldProfiles, Heap, Kind, Parts, RowSet, TextId, TypeId, in_pieces,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde_json::json;

use super::{LEAST, fit_slot};
use crate::Candidate;
use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::slots::{Slot, slots};

pub(super) fn boxes(heap: &Heap, fields: &FieldProfiles) -> Vec<Candidate> {
    let Some((_, high)) = heap.layout.small_integers() else {
        return Vec::new();
    };
    let wanted = |seen: &FieldProfile| {
        let enough = seen.boxes + seen.dates >= LEAST;
        // Dates whose milliseconds fit a slot are settled when they become numbers.
        let needed = seen.boxes > 0 || !fit_slot(heap, seen.least, seen.most);
        enough
            && needed
            && seen.whole
            && seen.strings == 0
            && seen.most.nearest() - seen.least.nearest() <= high as f64
    };
    let chosen: Vec<_> = fields.iter().filter(|(_, seen)| wanted(seen)).collect();
    let slots = slots(heap, chosen.iter().map(|(key, _)| *key));
    let keys: FxHashSet<(TypeId, TextId)> = chosen.iter().map(|(key, _)| *key).collect();
    let stays = Stays::of(heap, &slots, &keys);
    slots
        .into_iter()
        .zip(&chosen)
        .map(|(slots, ((ty, name), seen))| {
            let mut candidate = Candidate::at(heap.field_name(*ty, *name)).at_all_places();
            candidate.of = Some(*ty);
            candidate.variant = "box";
            candidate.step = 1;
            let pieces = in_pieces(&slots, |slots| {
                let (mut found, mut parts) = (Candidate::at(""), Parts::default());
                for slot in slots {
                    let boxed = matches!(heap.kind(slot.value), Kind::Number | Kind::Date)
                        && heap.bytes(slot.value) > 0
                        && heap.in_program(slot.value)
                        && !stays.0.has(slot.value);
                    if boxed && slot.is_naming(heap, *name) {
                        found.bytes_now += parts.claim_whole(heap, &mut found, slot.value);
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
            let as_they_are = fit_slot(heap, seen.least, seen.most);
            candidate.title = format!(
                "{} in boxes of their own",
                Count(candidate.count).of("whole number", "whole numbers")
            );
            candidate.fix = if as_they_are {
                "convert them to small integers before they are stored".into()
            } else {
                format!(
                    "store the difference to a base (the smallest value is {:.0}): a small integer needs no box",
                    seen.least.nearest()
                )
            };
            if let Some(how) = heap.layout.wording().small_integer {
                candidate.fix = format!("{}; write {how}, as the number alone may keep its box", candidate.fix);
            }
            let evidence = &mut candidate.evidence;
            evidence.insert("smallest".into(), json!(seen.least.nearest()));
            evidence.insert("largest".into(), json!(seen.most.nearest()));
            evidence.insert("base_needed".into(), json!(!as_they_are));
            candidate.assuming("values stay within the range seen")
        })
        .collect()
}

/// Boxes that something else needs than a field whose numbers stand in slots then.
struct Stays(RowSet);

impl Stays {
    fn of(heap: &Heap, slots: &[Vec<Slot>], keys: &FxHashSet<(TypeId, TextId)>) -> Self {
        let values = slots
            .par_iter()
            .flat_map(|slots| slots.par_iter().with_min_len(4096))
            .map(|slot| slot.value);
        let asked = heap.held_elsewhere(values.filter(|&value| heap.kind(value) == Kind::Number));
        Self(heap.held_otherwise(&asked, |reference| {
            let is_field =
                reference.via.kind() == EdgeKind::Field && heap.kind(reference.from) == Kind::Record;
            let label = heap.objects.label[reference.from as usize];
            let is_mended = is_field && keys.contains(&(label, reference.via.name()));
            reference.is_of_program(heap) && !is_mended
        }))
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::super::tests::{T, look};
    use super::*;

    fn with_numbers(values: impl Iterator<Item = f64>) -> Heap {
        let mut heap = HeapBuilder::new();
        for value in values {
            let number = heap.number(value);
            heap.record("M", &[("n", number)]);
        }
        heap.build()
    }

    #[test]
    fn whole_numbers_near_each_other_need_no_box() {
        let found = look(&with_numbers((0..20).map(|i| T + f64::from(i))), "box");
        assert_eq!(found[0].net(), 20 * 16);
        assert_eq!(found[0].evidence["base_needed"], true);
        let small = look(&with_numbers((0..20).map(f64::from)), "box");
        assert_eq!(small[0].evidence["base_needed"], false);
    }

    #[test]
    fn fractions_infinities_and_unknown_values_keep_their_boxes() {
        for odd in [0.5, f64::INFINITY, f64::NAN, 1e15] {
            let values = (0..20).map(f64::from).chain([odd]);
            assert!(look(&with_numbers(values), "box").is_empty(), "{odd}");
        }
    }

    #[test]
    fn a_box_that_a_field_of_fractions_holds_too_stays() {
        for (fraction, found) in [(0.5, 0), (7.0, 20 * 16)] {
            let mut heap = HeapBuilder::new();
            for i in 0..20 {
                let number = heap.number(T + f64::from(i));
                let odd = heap.number(T + fraction);
                heap.record("M", &[("n", number)]);
                heap.record("Other", &[("m", number)]);
                heap.record("Other", &[("m", odd)]);
            }
            let candidates = look(&heap.build(), "box");
            let at_n = candidates.iter().filter(|candidate| candidate.holder == "M.n");
            assert_eq!(at_n.map(Candidate::net).sum::<i64>(), found, "{fraction}");
        }
    }

    #[test]
    fn a_shared_box_counts_once() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let number = heap.number(T + f64::from(i));
            heap.record("M", &[("n", number)]);
            heap.record("M", &[("n", number)]);
        }
        assert_eq!(look(&heap.build(), "box")[0].net(), 20 * 16);
    }
}
