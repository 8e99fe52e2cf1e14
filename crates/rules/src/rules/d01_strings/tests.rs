//! What the rule finds and claims.

use deadweight_heap::{HeapBuilder, Width};

use super::*;

#[test]
fn copies_beyond_the_first_are_claimed_at_their_holder() {
    let mut heap = HeapBuilder::new();
    for text in ["abc", "abc", "abc", "other"] {
        let cid = heap.string(text);
        let own = heap.string(&format!("unique {cid}"));
        let record = heap.record("Measurement", &[("cid", cid), ("id", own)]);
        heap.variable("all", record);
    }
    let found = EqualStrings.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].holder, "Measurement.cid");
    assert_eq!(found[0].count, 2);
    assert_eq!(found[0].net(), 2 * 24);
    assert_eq!(found[0].evidence["strings"], 4);
    assert_eq!(found[0].evidence["values"], 2);
}

#[test]
fn a_copy_counts_once_however_large_it_is() {
    let mut heap = HeapBuilder::new();
    for _ in 0..3 {
        let text = heap.string("abc");
        heap.bytes(text, 20 << 30);
        let record = heap.record("R", &[("text", text)]);
        heap.variable("all", record);
    }
    let found = EqualStrings.look(&heap.build()).candidates;
    assert_eq!((found[0].count, found[0].unaffected), (2, 1));
    assert_eq!(found[0].net(), 2 * (20 << 30));
}

#[test]
fn one_copy_of_a_text_stays_in_each_size() {
    let mut heap = HeapBuilder::new();
    for bytes in [24, 40, 24, 40, 40, 56] {
        let text = heap.string("abc");
        heap.bytes(text, bytes);
        let record = heap.record("R", &[("text", text)]);
        heap.variable("all", record);
    }
    let found = EqualStrings.look(&heap.build()).candidates;
    assert_eq!((found[0].count, found[0].unaffected), (3, 3));
    assert_eq!(found[0].net(), 24 + 2 * 40);
    assert_eq!(found[0].bytes_now, 2 * 24 + 3 * 40);
    assert_eq!(found[0].title, "6 strings hold 1 value");
    assert_eq!(
        found[0].fix,
        "keep one copy of the value that repeats (intern it)"
    );
}

#[test]
fn one_object_with_many_referrers_is_no_copy() {
    let mut heap = HeapBuilder::new();
    let shared = heap.string("shared");
    for _ in 0..10 {
        let record = heap.record("R", &[("name", shared)]);
        heap.variable("all", record);
    }
    assert!(EqualStrings.look(&heap.build()).candidates.is_empty());
}

/// Lines of which records have the same word cut out, each by a window on its own line.
fn cut_out(heap: &mut HeapBuilder, fields: &[(&str, &str)]) {
    for line in 0..10 {
        let line = heap.string(&format!("{line}: name value"));
        let windows = fields.iter().map(|(_, text)| heap.slice(line, text));
        let windows: Vec<ObjectId> = windows.collect();
        for ((ty, text), window) in fields.iter().zip(windows) {
            let record = heap.record(ty, &[(text, window)]);
            heap.variable("all", record);
        }
    }
}

#[test]
fn equal_windows_go_with_the_strings_that_only_they_show() {
    let mut heap = HeapBuilder::new();
    cut_out(&mut heap, &[("R", "name")]);
    let heap = heap.build();
    let line = heap.bytes(0);
    let found = EqualStrings.look(&heap).candidates;
    assert_eq!(
        found.len(),
        1,
        "the lines differ, and are no strings of the program's"
    );
    assert_eq!((found[0].count, found[0].unaffected), (9, 1));
    assert_eq!(found[0].claims.bytes(), 9 * (32 + line));
    assert_eq!(found[0].bytes_now, 10 * 32 + 9 * line);
    assert_eq!(found[0].title, "10 strings hold 1 value");
}

#[test]
fn what_windows_at_two_places_show_is_claimed_once() {
    let mut heap = HeapBuilder::new();
    cut_out(&mut heap, &[("R", "name"), ("S", "value")]);
    let heap = heap.build();
    let line = heap.bytes(0);
    let found = EqualStrings.look(&heap).candidates;
    let net: Vec<u64> = found.iter().map(|found| found.claims.bytes()).collect();
    assert_eq!(net, [9 * (32 + line), 9 * 32]);
}

#[test]
fn a_string_that_a_window_of_another_text_shows_stays() {
    let mut heap = HeapBuilder::new();
    for line in 0..10 {
        let of = heap.string("name value");
        let (name, own) = (heap.slice(of, "name"), heap.slice(of, &line.to_string()));
        let record = heap.record("R", &[("name", name), ("own", own)]);
        heap.variable("all", record);
    }
    let found = EqualStrings.look(&heap.build()).candidates;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holder.as_str(), found[0].net()), ("R.name", 9 * 32));
}

#[test]
fn slices_whose_text_is_hidden_are_said_not_to_be_measured() {
    let look = |hidden: u32| {
        let mut heap = HeapBuilder::new();
        for at in 0..4_000 {
            let line = heap.string(&format!("{at}: name value"));
            let window = match at {
                at if at < hidden => heap.slice_of_length(line, 4, Width::One),
                _ => heap.slice(line, "name"),
            };
            let record = heap.record("R", &[("name", window)]);
            heap.variable("all", record);
        }
        EqualStrings.look(&heap.build()).not_measured
    };
    assert!(look(10).is_empty() && look(400).is_empty());
    let not_measured = look(3_000);
    assert_eq!(not_measured.len(), 1);
    assert!(not_measured[0].why.starts_with("3,000 of "), "{not_measured:?}");
}

#[test]
fn without_text_it_says_so() {
    let mut heap = HeapBuilder::new();
    heap.coverage(|coverage| coverage.texts = Presence::Absent);
    let verdict = EqualStrings.look(&heap.build());
    assert_eq!(verdict.not_measured.len(), 1);
}

fn pairs(path: impl Fn(usize) -> String, name: impl Fn(usize) -> String) -> Heap {
    let mut heap = HeapBuilder::new();
    for at in 0..60 {
        let (path, name) = (heap.string(&path(at)), heap.string(&name(at)));
        let record = heap.record("File", &[("path", path), ("name", name)]);
        heap.variable("all", record);
    }
    heap.build()
}

#[test]
fn strings_equal_to_those_of_another_place_are_found_at_the_place_with_fewer_values() {
    let heap = pairs(|at| format!("value {at}"), |at| format!("value {}", at % 40));
    let found = EqualStrings.look(&heap).candidates;
    let at: Vec<_> = found
        .iter()
        .map(|found| (&*found.holder, found.variant))
        .collect();
    assert_eq!(at, [("File.name", ""), ("File.name", "across")]);
    let bytes = heap
        .bytes(found[0].claims.iter().next().unwrap().object)
        .cast_signed();
    assert_eq!((found[0].count, found[0].net()), (20, 20 * bytes));
    assert_eq!(
        (found[1].count, found[1].unaffected, found[1].net()),
        (60, 0, 60 * bytes)
    );
    assert_eq!(found[1].title, "60 strings equal to one at File.path");
    let mut ledger = crate::Ledger::new(&heap);
    assert_eq!(ledger.book(&found[0]).saves, 20 * bytes as u64);
    assert_eq!(ledger.book(&found[1]).saves, 40 * bytes as u64);
}

#[test]
fn of_places_with_as_many_values_the_same_one_is_home_wherever_their_strings_stand() {
    let found = |names_come_first: bool| {
        let mut heap = HeapBuilder::new();
        for at in 0..20 {
            let text = format!("value {at}");
            let (first, second) = (heap.string(&text), heap.string(&text));
            let (name, path) = if names_come_first {
                (first, second)
            } else {
                (second, first)
            };
            let record = heap.record("File", &[("name", name), ("path", path)]);
            heap.variable("all", record);
        }
        let found = EqualStrings.look(&heap.build()).candidates;
        found.into_iter().map(|found| found.holder).collect::<Vec<_>>()
    };
    assert_eq!(found(true), ["File.path"]);
    assert_eq!(found(false), ["File.path"]);
}

#[test]
fn a_few_strings_that_are_equal_to_those_of_another_place_are_a_coincidence() {
    for (common, is_found) in [(15, false), (16, true)] {
        let name = |at| format!("{} {at}", if at < common { "value" } else { "named" });
        let heap = pairs(|at| format!("value {at}"), name);
        let found = EqualStrings.look(&heap).candidates;
        assert_eq!(found.len(), usize::from(is_found), "{common} in common");
    }
}

#[test]
fn texts_of_several_sizes_are_equal_to_those_of_another_place_unless_the_dump_cuts_them_off() {
    for (is_cut, found) in [(false, 1), (true, 0)] {
        let mut heap = HeapBuilder::new();
        for at in 0..40 {
            let (path, name) = (
                heap.string(&format!("value {at}")),
                heap.string(&format!("value {at}")),
            );
            heap.bytes(name, 100);
            if is_cut {
                heap.flag(path, Flags::INCOMPLETE);
            }
            let record = heap.record("File", &[("path", path), ("name", name)]);
            heap.variable("all", record);
        }
        assert_eq!(EqualStrings.look(&heap.build()).candidates.len(), found);
    }
}

#[test]
fn a_flattened_text_goes_with_its_joint_and_its_flat_text() {
    let mut heap = HeapBuilder::new();
    let empty = heap.string("");
    heap.variable("empty", empty);
    for value in 0..100 {
        let name = match value % 4 {
            0 => heap.string("package-name"),
            _ => heap.flattened("package-name", empty),
        };
        let record = heap.record("R", &[("name", name)]);
        heap.variable("all", record);
    }
    let heap = heap.build();
    let found = EqualStrings.look(&heap).candidates;
    let flat = heap.layout.string(12, Width::One);
    assert_eq!((found.len(), found[0].count), (1, 99));
    assert_eq!(found[0].holder, "R.name");
    assert_eq!(found[0].net() as u64, 75 * (32 + flat) + 24 * flat);
}

#[test]
fn texts_in_pieces_are_not_taken_for_equal() {
    let mut heap = HeapBuilder::new();
    for value in 0..100 {
        let (first, second) = (heap.string("name "), heap.string(&value.to_string()));
        let name = heap.rope(first, second);
        let record = heap.record("R", &[("name", name)]);
        heap.variable("all", record);
    }
    let found = EqualStrings.look(&heap.build()).candidates;
    assert!(
        found.iter().all(|found| found.evidence["values"] != 1),
        "{found:?}"
    );
}

#[test]
fn strings_whose_text_is_hidden_make_the_finding_of_their_place_an_estimate() {
    let assumes = |hidden: u32| {
        let mut heap = HeapBuilder::new();
        let line = heap.string("a line of which windows are kept");
        heap.variable("line", line);
        for _ in 0..200 {
            let name = heap.string("name");
            let record = heap.record("R", &[("name", name)]);
            heap.variable("all", record);
        }
        for _ in 0..hidden {
            let window = heap.slice_of_length(line, 13, Width::One);
            let record = heap.record("R", &[("name", window)]);
            heap.variable("all", record);
        }
        let found = EqualStrings.look(&heap.build()).candidates;
        assert_eq!((found.len(), found[0].count), (1, 199));
        found[0].assumes.clone()
    };
    assert_eq!(assumes(0), None);
    assert_eq!(assumes(2), None);
    assert_eq!(
        assumes(30).unwrap(),
        "30 strings here, whose text the dump does not show, are all different"
    );
}

#[test]
fn equal_texts_in_pieces_go_with_the_pieces_that_only_they_have() {
    let mut heap = HeapBuilder::new();
    let start = heap.string("a start that all have");
    let mut known: Option<ObjectId> = None;
    for value in 0..50 {
        let end = heap.string(&value.to_string());
        let name = heap.rope(start, end);
        match known {
            Some(known) => _ = heap.shown_as(name, known),
            None => _ = heap.shown(name),
        }
        known = Some(name);
        let record = heap.record("R", &[("name", name)]);
        heap.variable("all", record);
    }
    let heap = heap.build();
    let found = EqualStrings.look(&heap).candidates;
    assert_eq!((found.len(), found[0].count), (1, 49));
    // The start is in the copy that stays, too.
    assert_eq!(found[0].net(), 49 * (32 + 24));
    assert_eq!(found[0].evidence["examples"].as_array().map(Vec::len), Some(0));
}

#[test]
fn which_copy_stays_is_an_assumption_where_they_are_of_unlike_size() {
    let assumes = |slices: u32| {
        let mut heap = HeapBuilder::new();
        for value in 0..10 {
            let text = format!("a longer text of a name, the {value}.");
            let whole = heap.string(&format!("{text} and more"));
            heap.variable("whole", whole);
            for copy in 0..20 {
                let name = if copy < slices {
                    heap.slice(whole, &text)
                } else {
                    heap.string(&text)
                };
                let record = heap.record("R", &[("name", name)]);
                heap.variable("all", record);
            }
        }
        let found = EqualStrings.look(&heap.build()).candidates;
        assert_eq!((found.len(), found[0].count), (1, 190));
        found[0].assumes.clone()
    };
    assert_eq!([assumes(0), assumes(20)], [None, None]);
    assert_eq!(
        assumes(5).unwrap(),
        "where equal texts come in several forms, the first in memory is kept"
    );
}

#[test]
fn of_two_places_that_one_is_home_whose_strings_are_no_slices() {
    let mut heap = HeapBuilder::new();
    for value in 0..20 {
        let text = format!("city number {value}");
        let whole = heap.string(&format!("the {text}"));
        let part = heap.slice(whole, &text);
        let city = heap.string(&text);
        let record = heap.record("Record", &[("part", part), ("city", city)]);
        heap.variable("all", record);
    }
    let heap = heap.build();
    let found = EqualStrings.look(&heap).candidates;
    assert_eq!((found.len(), found[0].count), (1, 20));
    assert_eq!((&*found[0].holder, found[0].variant), ("Record.part", "across"));
    assert_eq!(found[0].evidence["equal_at"], "Record.city");
    let whole = |value: u64| heap.layout.string(17 + u64::from(value > 9), Width::One);
    assert_eq!(
        found[0].net() as u64,
        (0..20).map(|value| 32 + whole(value)).sum::<u64>()
    );
}

/// Records with slices of lines of their own: `compared` of so many values, and `hidden` more.
fn sampled(compared: usize, values: usize, hidden: usize, length: Option<u32>) -> Heap {
    let mut heap = HeapBuilder::new();
    let mut firsts = Vec::new();
    for at in 0..compared + hidden {
        let line = heap.string(&format!("line {at}"));
        let slice = match length.filter(|_| at >= compared) {
            Some(units) => heap.slice_of_length(line, units, Width::One),
            None => heap.slice(line, ""),
        };
        if at < values {
            heap.shown(slice);
            firsts.push(slice);
        } else if at < compared {
            heap.shown_as(slice, firsts[at % values]);
        } else {
            heap.flag(slice, Flags::INCOMPLETE);
        }
        let record = heap.record("R", &[("city", slice)]);
        heap.variable("all", record);
    }
    heap.build()
}

#[test]
fn slices_that_were_compared_stand_for_the_others_of_their_place() {
    let heap = sampled(150, 3, 450, None);
    let found = EqualStrings.look(&heap).candidates;
    assert_eq!(found.len(), 1);
    let found = &found[0];
    assert_eq!(found.holder, "R.city");
    assert_eq!(found.title, "600 strings hold about 3 values");
    assert_eq!((found.count, found.unaffected), (597, 3));
    // The lines go with them: each is there for one slice.
    let lines: u64 = heap.bytes(0) + heap.bytes(3);
    assert!(found.claims.bytes() > 597 * lines, "{}", found.claims.bytes());
    assert_eq!(
        found.assumes.as_deref(),
        Some("the 150 slices that were compared stand for 450 more")
    );
    assert_eq!(found.evidence["strings_not_compared"], 450);
}

#[test]
fn few_slices_stand_for_no_others() {
    let heap = sampled(99, 3, 450, None);
    let found = EqualStrings.look(&heap).candidates;
    assert_eq!(found[0].title, "99 strings hold 3 values");
    assert_eq!(
        found[0].assumes.as_deref(),
        Some("450 strings here, whose text the dump does not show, are all different")
    );
}

/// The recorder asked how long they are, and compared only short ones.
#[test]
fn short_slices_do_not_stand_for_long_ones() {
    let found = EqualStrings.look(&sampled(150, 3, 450, Some(300))).candidates;
    assert_eq!(found[0].count, 147);
    // Without any that repeats, there is nothing to expect of the others.
    assert!(
        EqualStrings
            .look(&sampled(150, 150, 450, None))
            .candidates
            .is_empty()
    );
}
