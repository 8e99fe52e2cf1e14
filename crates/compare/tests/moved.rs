//! Records that another place names after a change.

mod support;

use deadweight_compare::prove::{Options, prove};
use deadweight_heap::HeapBuilder;
use deadweight_weighing::Weighing;
use support::weighed_heap;

/// Rows in lists, as many in each as said.
fn rows(lists: &[(&str, usize)]) -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut number = 0;
    for (list, length) in lists {
        let mut all = Vec::new();
        for _ in 0..*length {
            let name = heap.string(&format!("row {number}"));
            number += 1;
            all.push(heap.record("Row", &[("name", name)]));
        }
        let all = heap.array(1_200, &all);
        heap.variable(list, all);
    }
    weighed_heap(&heap.build(), "")
}

#[test]
fn as_many_records_at_other_places_neither_grew_nor_shrank() {
    let before = rows(&[("all", 0), ("open", 700), ("closed", 500)]);
    let changed = |after: &[(&str, usize)]| {
        let proof = prove(&before, &rows(after), &Options::default());
        let rows = |places: &[deadweight_compare::proof::Place]| {
            places.iter().filter(|place| place.holds == "Row").count()
        };
        (rows(&proof.grew), rows(&proof.shrank))
    };
    for moved in [
        [("all", 1_200), ("open", 0), ("closed", 0)],
        [("all", 600), ("open", 350), ("closed", 250)],
    ] {
        assert_eq!(changed(&moved), (0, 0), "{moved:?}");
    }
    // More of them are no move.
    assert_eq!(changed(&[("all", 1_250), ("open", 0), ("closed", 0)]), (1, 2));
}
