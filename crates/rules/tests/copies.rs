//! After all fixes, every text that somebody still refers to by a field is still there.

use deadweight_heap::{Heap, HeapBuilder, Holders, Kind, ObjectId, StringForm};
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

fn texts_at_holders<'h>(
    heap: &'h Heap,
    holders: &Holders<'h>,
    ledger: &Ledger<'_>,
) -> [Vec<(String, u32)>; 2] {
    let mut wanted = Vec::new();
    let mut there = Vec::new();
    for from in heap
        .rows()
        .filter(|&id| heap.kind(id) == Kind::Record && ledger.left(id) > 0)
    {
        for edge in heap
            .edges
            .of(from)
            .filter(|edge| heap.string_form(edge.to) == Some(StringForm::Flat))
        {
            wanted.push((holders.of(edge.to), heap.objects.label[edge.to as usize]));
        }
    }
    for id in heap
        .rows()
        .filter(|&id| heap.string_form(id) == Some(StringForm::Flat) && ledger.left(id) > 0)
    {
        there.push((holders.of(id), heap.objects.label[id as usize]));
    }
    [wanted, there].map(|pairs| {
        pairs
            .into_iter()
            .map(|(holder, text)| (holders.name(holder), text))
            .collect()
    })
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
        let holders = Holders::new(&heap);
        let [wanted, there] = texts_at_holders(&heap, &holders, &ledger);
        let there: FxHashSet<_> = there.into_iter().collect();
        for pair in wanted {
            prop_assert!(there.contains(&pair), "no copy of text {} is left at {}", pair.1, pair.0);
        }
    }
}
