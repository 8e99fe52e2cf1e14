//! After all fixes, every text that somebody still refers to by a field is still there.

use deadweight_heap::{Heap, HeapBuilder, Kind, ObjectId, StringForm};
use deadweight_rules::{Ledger, find};
use proptest::prelude::*;
use rustc_hash::FxHashSet;

/// Records of a few classes, some in lists, with texts of a few values: their own, or one that was there before.
fn heap_of(steps: &[(u8, u8, u8, bool)]) -> Heap {
    let mut heap = HeapBuilder::new();
    let mut texts: Vec<ObjectId> = Vec::new();
    let mut inner: Vec<ObjectId> = Vec::new();
    for &(class, times, value, shared) in steps {
        for turn in 0..times {
            let known = texts.get(usize::from(value.wrapping_mul(turn | 1)) % texts.len().max(1));
            let text = match known {
                Some(&text) if shared => text,
                _ => heap.string(&format!("text {}", value % 5)),
            };
            texts.push(text);
            let mut fields = vec![("text", text)];
            if let Some(&record) = inner
                .get(usize::from(value) % inner.len().max(1))
                .filter(|_| class % 2 == 0)
            {
                fields.push(("inner", record));
            }
            let record = heap.record(["A", "B", "C"][usize::from(class) % 3], &fields);
            if class % 5 == 0 {
                inner.push(record);
            } else {
                let list = heap.array(1, &[record]);
                heap.variable(["x", "y"][usize::from(value) % 2], list);
            }
        }
    }
    heap.build()
}

/// The texts that records refer to, and those of which a string is left.
fn texts(heap: &Heap, ledger: &Ledger<'_>) -> [FxHashSet<u32>; 2] {
    let is_flat = |row: &ObjectId| heap.string_form(*row) == Some(StringForm::Flat);
    let text = |row: ObjectId| heap.objects.label[row as usize];
    let left = || heap.rows().filter(|&row| ledger.left(row) > 0);
    let records = left().filter(|&row| heap.kind(row) == Kind::Record);
    let referred = records.flat_map(|record| heap.edges.of(record).map(|edge| edge.to));
    [
        referred.filter(is_flat).map(text).collect(),
        left().filter(is_flat).map(text).collect(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_copy_of_each_text_stays(steps in prop::collection::vec((any::<u8>(), 1..40_u8, any::<u8>(), any::<bool>()), 1..12)) {
        let heap = heap_of(&steps);
        let mut ledger = Ledger::new(&heap);
        for code in ["D03", "D01"] {
            let rule = find(code).expect("a rule");
            let mut candidates = rule.look(&heap).candidates;
            candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.net()));
            for candidate in candidates {
                let offered = ledger.offer(&candidate);
                prop_assert_eq!(ledger.book(&candidate).saves, offered);
            }
        }
        let [referred, left] = texts(&heap, &ledger);
        for text in referred {
            prop_assert!(left.contains(&text), "no copy of text {} is left", text);
        }
    }
}
