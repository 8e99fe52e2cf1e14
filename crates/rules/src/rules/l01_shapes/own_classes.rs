//! Objects that have a class each, with methods that are the same for all.

use deadweight_heap::{Heap, Kind, OwnClass};
use rustc_hash::FxHashMap;
use serde_json::json;

use super::LEAST;
use crate::count::Count;
use crate::parts::claim_each;
use crate::{Basis, Candidate};

/// What one class for all rests on.
const SAME: &str = "the methods need nothing of each object but its fields";

pub(super) fn candidates(heap: &Heap) -> Vec<Candidate> {
    // By type, and of these by what the methods run: objects whose methods differ are not of one sort.
    let mut types: FxHashMap<u32, FxHashMap<u32, Vec<OwnClass>>> = FxHashMap::default();
    for own in heap.own_classes.iter().filter(|own| heap.in_program(own.object)) {
        // A string's label is its text.
        let text = heap.kind(own.object) == Kind::String;
        let ty = if text {
            u32::MAX
        } else {
            heap.objects.label[own.object as usize]
        };
        let of_type = types.entry(ty).or_default();
        of_type.entry(own.code).or_default().push(*own);
    }
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_unstable_by_key(|(ty, _)| *ty);
    types
        .into_iter()
        .filter_map(|(_, codes)| candidate(heap, codes))
        .collect()
}

fn candidate(heap: &Heap, codes: FxHashMap<u32, Vec<OwnClass>>) -> Option<Candidate> {
    let all: usize = codes.values().map(Vec::len).sum();
    let mut alike: Vec<Vec<OwnClass>> = codes.into_values().filter(|alike| alike.len() >= LEAST).collect();
    alike.sort_unstable_by_key(|alike| alike[0].object);
    let first = alike.first()?[0];
    let mut candidate = Candidate::at(heap.type_name(first.object));
    candidate.variant = "own class";
    candidate.basis = Some(Basis::Behaviour(SAME));
    for alike in &alike {
        // The first stands for the class that serves all.
        candidate.bytes_now += heap.whole_bytes(alike[0].class);
        claim_each(heap, &mut candidate, &alike[1..], |own| Some(own.class));
    }
    candidate.count = alike.iter().map(|alike| alike.len() as u64).sum();
    candidate.unaffected = all as u64 - candidate.count;
    candidate.title = format!(
        "{} have a class each, with methods of its own",
        Count(candidate.count).of("object", "objects"),
    );
    candidate.fix = match alike.len() {
        1 => "one class for all of them, with these methods".to_owned(),
        many => format!(
            "{} classes for all of them, with these methods",
            Count(many as u64)
        ),
    };
    let evidence = &mut candidate.evidence;
    evidence.insert("classes".into(), json!(candidate.count));
    evidence.insert("classes_after".into(), json!(alike.len()));
    evidence.insert("class_bytes".into(), json!(heap.whole_bytes(first.class)));
    Some(candidate)
}
