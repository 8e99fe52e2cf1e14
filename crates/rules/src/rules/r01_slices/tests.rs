//! What the whole rule finds and says.

use deadweight_heap::{EdgeKind, HeapBuilder, Implementation, Kind, ObjectId, Representation, Width};

use super::*;

fn keep(heap: &mut HeapBuilder, value: ObjectId) {
    let user = heap.record("User", &[("id", value)]);
    heap.variable("users", user);
}

#[test]
fn the_place_with_most_slices_is_named_and_the_others_are_reported() {
    let mut heap = HeapBuilder::new();
    for line in 0..20 {
        let page = heap.string(&"x".repeat(10_000));
        let mut fields: Vec<_> = ["at", "ref", "ref", "at", "name"]
            .iter()
            .map(|&field| (field, heap.slice(page, "twenty characters ..")))
            .collect();
        fields.rotate_left(line % 5);
        for (field, slice) in fields {
            let row = heap.record("Row", &[(field, slice)]);
            heap.variable("rows", row);
        }
    }
    let found = Slices.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holder.as_str(), found[0].count), ("Row.at", 20));
    assert_eq!(
        found[0].fix,
        "copy what is kept, so that the rest can go; at Row.ref and Row.name, too"
    );
    assert_eq!(found[0].evidence["also_pinned_from"][0]["slices"], 40);
}

#[test]
fn texts_that_only_slices_keep_are_claimed_less_the_copies() {
    let mut heap = HeapBuilder::new();
    let page = heap.string(&"x".repeat(100_000));
    for id in ["an id of twenty char", "another, also twenty", "short"] {
        let slice = heap.slice(page, id);
        keep(&mut heap, slice);
    }
    let found = Slices.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "User.id");
    // 20 characters take 40 bytes, 8 more than the slice; five take 24, 8 fewer.
    assert_eq!(found[0].net(), 100_016 - 2 * 8 + 8);
    assert_eq!(found[0].assumes, None);
}

#[test]
fn copies_of_wide_slices_of_known_length_are_an_estimate() {
    for (width, is_exact) in [(Width::One, true), (Width::Two, false)] {
        let mut heap = HeapBuilder::new();
        let page = heap.string(&"x".repeat(100_000));
        for _ in 0..3 {
            let slice = heap.slice_of_length(page, 20, width);
            keep(&mut heap, slice);
        }
        let found = Slices.look(&heap.build()).candidates;
        assert_eq!(found[0].assumes.is_none(), is_exact, "{:?}", found[0].assumes);
    }
}

#[test]
fn a_text_that_somebody_else_holds_is_not_pinned() {
    let mut heap = HeapBuilder::new();
    let page = heap.string(&"x".repeat(100_000));
    let slice = heap.slice(page, "an id of twenty char");
    keep(&mut heap, slice);
    heap.variable("page", page);
    assert!(Slices.look(&heap.build()).candidates.is_empty());
}

#[test]
fn unknown_lengths_are_assumed_or_said_to_be_unknown() {
    let mut heap = HeapBuilder::new();
    let large = heap.string(&"x".repeat(100_000));
    let slice = heap.slice(large, "");
    keep(&mut heap, slice);
    let cut_up = heap.string(&"y".repeat(70_000));
    for _ in 0..100 {
        let slice = heap.slice(cut_up, "");
        keep(&mut heap, slice);
    }
    let verdict = Slices.look(&heap.build());
    assert_eq!(verdict.candidates.len(), 1);
    assert_eq!(verdict.candidates[0].count, 1);
    assert_eq!(verdict.candidates[0].net(), 100_016 + 32 - (16 + 2 * 1024));
    assert!(verdict.candidates[0].assumes.is_some());
    assert_eq!(verdict.not_measured.len(), 1);
}

/// One slice in `Import.names[]` of each of 900 lines of `line` characters. Of every third slice
/// the length is recorded.
fn cells(line: usize, units: impl Fn(u32) -> u32) -> Heap {
    let mut heap = HeapBuilder::new();
    let slices: Vec<_> = (0..900)
        .map(|i| {
            let parent = heap.string(&format!("{i:0line$}"));
            if i % 3 == 0 {
                heap.slice_of_length(parent, units(i), Width::One)
            } else {
                heap.slice(parent, "")
            }
        })
        .collect();
    let names = heap.array(900, &slices);
    let import = heap.record("Import", &[("names", names)]);
    heap.variable("table", import);
    heap.build()
}

#[test]
fn recorded_lengths_stand_for_the_others_at_their_holder() {
    let verdict = Slices.look(&cells(304, |i| 16 + 32 * (i % 2)));
    let [found] = &verdict.candidates[..] else {
        panic!("{verdict:?}")
    };
    assert_eq!(found.holder, "Import.names[]");
    assert_eq!((found.count, found.unaffected), (900, 0));
    // Half of the copies take 32 bytes, half 64: 48 in the mean, in place of slices of 32.
    assert_eq!(found.net(), 900 * (320 + 32 - 48));
    assert_eq!(
        found.assumes.as_deref(),
        Some("the 300 slices whose length was recorded stand for 600 more")
    );
    assert!(verdict.not_measured.is_empty());
}

#[test]
fn a_slice_pays_for_a_part_of_its_copy_whether_its_length_is_recorded_or_not() {
    // Texts of 136 bytes; copies of 88 in place of slices of 32 take less than half of that.
    let verdict = Slices.look(&cells(114, |_| 72));
    let [found] = &verdict.candidates[..] else {
        panic!("{verdict:?}")
    };
    assert_eq!((found.count, found.unaffected), (900, 0));
    assert_eq!(found.net(), 900 * (136 + 32 - 88));
}

#[test]
fn where_recorded_slices_are_most_of_their_texts_all_are_healthy() {
    let verdict = Slices.look(&cells(304, |_| 200));
    assert!(verdict.candidates.is_empty(), "{verdict:?}");
    assert!(verdict.not_measured.is_empty(), "{verdict:?}");
}

#[test]
fn a_few_recorded_lengths_do_not_stand_for_others() {
    let mut heap = HeapBuilder::new();
    for i in 0..300 {
        let parent = heap.string(&format!("{i:0304}"));
        let slice = if i < 20 {
            heap.slice_of_length(parent, 16, Width::Two)
        } else {
            heap.slice(parent, "")
        };
        keep(&mut heap, slice);
    }
    let verdict = Slices.look(&heap.build());
    assert!(verdict.candidates.is_empty(), "the known ones waste too little");
    let [blind] = &verdict.not_measured[..] else {
        panic!("{verdict:?}")
    };
    assert!(blind.why.contains("280 texts"), "{}", blind.why);
    assert!(blind.how.contains("in the program"), "{}", blind.how);
}

#[test]
fn a_weak_reference_holds_nothing() {
    let mut heap = HeapBuilder::new();
    let page = heap.string(&"x".repeat(100_000));
    let slice = heap.slice_of_length(page, 20, Width::Two);
    keep(&mut heap, slice);
    let list = heap.array(0, &[]);
    heap.edge(list, EdgeKind::Weak, 0, page);
    let found = Slices.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].net(), 100_016 + 32 - (16 + 40));
}

#[test]
fn views_that_pin_backings_are_claimed_outside() {
    let mut heap = HeapBuilder::new();
    for _ in 0..10 {
        let pool = heap.buffer(65_536, 0, 1);
        let view = heap.view(pool, 100);
        keep(&mut heap, view);
    }
    let full = heap.buffer(65_536, 0, 1);
    let view = heap.view(full, 60_000);
    keep(&mut heap, view);
    let found = Slices.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert!(found[0].external);
    assert_eq!((found[0].count, found[0].unaffected), (10, 1));
    assert_eq!(found[0].net(), 10 * (65_536 - 100));
}

#[test]
fn arrays_that_views_pin_become_arrays_of_what_these_show() {
    let mut heap = HeapBuilder::new();
    let elements = Representation::Integer(4);
    let mut view = |count: u64, shown: u64| {
        let numbers = heap.numbers(elements, &vec![1; count as usize]);
        let view = heap.view(numbers, 4 * shown);
        keep(&mut heap, view);
        numbers
    };
    let pinned: Vec<_> = (0..10).map(|_| view(20_000, 100)).collect();
    view(20_000, 19_000);
    view(100, 100);
    let second = heap.view(pinned[0], 400);
    keep(&mut heap, second);
    let heap = heap.build();
    let found = Slices.look(&heap).candidates;
    assert_eq!(found.len(), 1);
    assert!(!found[0].external);
    assert_eq!((found[0].count, found[0].unaffected), (10, 2));
    // The views stay, each with an array of its own.
    let copy = heap.layout.array(Implementation::USUAL, elements, 100);
    let expected = 10 * heap.bytes(pinned[0]) - 11 * copy;
    assert_eq!(found[0].net(), expected.cast_signed());
    assert!(!found[0].evidence.contains_key("objects_of_copies_bytes"));
}

#[test]
fn the_pool_being_filled_and_buffers_in_use_are_no_waste() {
    let mut heap = HeapBuilder::new();
    let pool = heap.buffer(65_536 * 2, 0, 1);
    let view = heap.view(pool, 12);
    keep(&mut heap, view);
    for _ in 0..10 {
        let in_use = heap.buffer(65_536, 0, 1);
        heap.variable("all", in_use);
        let view = heap.view(in_use, 12);
        keep(&mut heap, view);
    }
    assert!(Slices.look(&heap.build()).candidates.is_empty());
}

/// A place where texts are worth copying has others that are mostly in use: the copies are made at one line.
#[test]
fn where_slices_are_copied_what_is_left_of_other_texts_goes_too() {
    let program = |large: usize, small_users: usize| {
        let mut heap = HeapBuilder::new();
        for _ in 0..large {
            let page = heap.string(&"x".repeat(10_000));
            let slice = heap.slice(page, "twenty characters ..");
            keep(&mut heap, slice);
        }
        for _ in 0..50 {
            let line = heap.string(&"y".repeat(100));
            for _ in 0..small_users {
                let slice = heap.slice(line, &"y".repeat(96));
                keep(&mut heap, slice);
            }
        }
        heap.build()
    };
    // Of a line 120 bytes go, and a copy of 112 bytes comes in the place of a slice of 32.
    let found = Slices.look(&program(10, 1)).candidates;
    assert_eq!(found[0].net(), 10 * (10_016 - 8) + 50 * (120 - 80));
    assert_eq!((found[0].count, found[0].unaffected), (60, 0));
    // Copies for two take more than there is to gain.
    let found = Slices.look(&program(10, 2)).candidates;
    assert_eq!(found[0].net(), 10 * (10_016 - 8));
    assert_eq!((found[0].count, found[0].unaffected), (10, 50));
    assert!(Slices.look(&program(0, 1)).candidates.is_empty());
}

#[test]
fn a_view_that_gives_way_to_its_copy_goes_with_what_the_runtime_keeps_for_it() {
    let mut heap = HeapBuilder::new();
    for _ in 0..100 {
        let frame = heap.buffer(10_000, 0, 1);
        let view = heap.view(frame, 20);
        heap.gives_way(view);
        let shared = heap.object(Kind::Runtime, "managedbuffer", 112);
        heap.edge(view, EdgeKind::Internal, 0, shared);
        keep(&mut heap, view);
    }
    let heap = heap.build();
    let found = Slices.look(&heap).candidates;
    // The backing, the buffer, the view and what stands between, less an object with a copy.
    let copy = heap.layout.copy_of_view(20);
    assert_eq!(
        found[0].net(),
        100 * (10_000 + 96 + 96 + 112 - copy.cast_signed())
    );
}
