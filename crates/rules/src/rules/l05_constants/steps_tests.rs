//! Fields of records that a runtime charges by steps.

use deadweight_heap::{
    HeapBuilder, Implementation, Kind, Layout, RecordShape, Representation, TableKind, Width,
};

use super::*;

/// A heap of records charged by steps of two fields beyond three, as a malloc beside a slot charges them.
fn by_steps(fields: u32, room: u32, nothing: usize, same: usize) -> Heap {
    let mut heap = HeapBuilder::new();
    heap.layout(Steps);
    let null = heap.object(Kind::Runtime, "null", 0);
    let text = heap.string("same");
    for i in 0..300 {
        let named: Vec<_> = (0..fields as usize)
            .map(|field| {
                let value = match field {
                    _ if field < nothing => null,
                    _ if field < nothing + same => text,
                    _ => heap.string(&format!("{field} {i}")),
                };
                (format!("f{field}"), value)
            })
            .collect();
        let named: Vec<_> = named.iter().map(|(name, value)| (&**name, *value)).collect();
        let record = heap.record("M", &named);
        heap.change_record(record, |record| record.available = room);
        heap.resize(record, steps(u64::from(room)));
    }
    heap.build()
}

fn steps(fields: u64) -> u64 {
    if fields <= 3 {
        40
    } else {
        40 + (8 * fields + 8).next_multiple_of(16)
    }
}

#[derive(Clone, Copy, Debug)]
struct Steps;

impl Layout for Steps {
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        steps(shape.count())
    }
    fn shape(&self, _: u64) -> u64 {
        40
    }
    fn string(&self, _: u64, _: Width) -> u64 {
        40
    }
    fn elements(&self, _: Representation, count: u64) -> u64 {
        8 * count
    }
    fn array(&self, _: Implementation, _: Representation, count: u64) -> u64 {
        steps(count)
    }
    fn table(&self, _: Implementation, _: TableKind, _: u64) -> Option<u64> {
        None
    }
    fn boxed(&self, _: Representation) -> u64 {
        40
    }
    fn date(&self) -> u64 {
        40
    }
    fn small_integers(&self) -> Option<(i64, i64)> {
        None
    }
    fn small_integer_bytes(&self) -> u64 {
        7
    }
    fn view(&self) -> u64 {
        40
    }
}

/// Holders with what they free of each record.
fn freed_each(heap: &Heap) -> Vec<(String, i64)> {
    let found = ConstantFields.look(heap).candidates;
    found
        .into_iter()
        .map(|c| (c.holder.clone(), c.net() / 300))
        .collect()
}

#[test]
fn a_field_that_a_step_hides_frees_nothing_and_is_no_finding() {
    let one = |fields, room| freed_each(&by_steps(fields, room, 1, 0));
    assert_eq!(one(3, 3), []);
    assert_eq!(one(4, 4), [("M.f0".into(), 48)]);
    assert_eq!(one(5, 5), []);
    assert_eq!(one(6, 6), [("M.f0".into(), 16)]);
    // Room for a fifth field of the type, which these have not: it shrinks to four, and not to three.
    assert_eq!(one(4, 5), []);
}

#[test]
fn what_several_fields_free_is_priced_together() {
    let all = |fields, nothing| freed_each(&by_steps(fields, fields, nothing, 0));
    // The first frees a block, the second nothing more.
    assert_eq!(all(4, 2), [("M".into(), 48)]);
    // Each alone frees nothing.
    assert_eq!(all(5, 2), [("M".into(), 48)]);
    assert_eq!(all(6, 3), [("M".into(), 64)]);
    // As measured with a runtime that charges so.
    for fields in [6, 7, 8] {
        assert_eq!(all(fields, 2), [("M".into(), 16)]);
    }
    assert_eq!(all(3, 2), []);
}

#[test]
fn a_finding_of_several_fields_says_what_each_frees() {
    let found = ConstantFields.look(&by_steps(5, 5, 2, 0)).candidates;
    assert_eq!(
        found[0].title,
        "all 300 records hold nothing in each of 2 fields: f0, f1"
    );
    assert!(found[0].fix.ends_with("dropping only one of them frees nothing"));
    assert_eq!(found[0].evidence["fields"][1]["alone_frees"], 0);
    let found = ConstantFields.look(&by_steps(4, 4, 2, 0)).candidates;
    assert!(found[0].fix.ends_with("dropping only one of them frees as much"));
}

/// Advice is weighed on what the findings of the same records leave.
#[test]
fn fields_of_one_value_come_after_those_that_say_nothing() {
    let all = |fields| freed_each(&by_steps(fields, fields, 1, 1));
    assert_eq!(all(4), [("M.f0".into(), 48)]);
    assert_eq!(all(6), [("M.f0".into(), 16)]);
    // The first frees nothing, so nothing comes before the second.
    assert_eq!(all(5), []);
    assert_eq!(
        freed_each(&by_steps(6, 6, 1, 2)),
        [("M.f0".into(), 16), ("M".into(), 48)]
    );
}
