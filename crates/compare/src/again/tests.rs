use deadweight_heap::{EdgeKind, Heap, HeapBuilder, Kind, ObjectId, Presence};
use deadweight_weighing::HeldAgain;

use super::{Beside, Contents, held_again};

/// Fifty thousand rows with texts of their own, the first of which is number `first`.
fn cache(first: u32, before: u32) -> Heap {
    let mut heap = HeapBuilder::new();
    // The same things have other rows and ids.
    for other in 0..before {
        let text = heap.string(&format!("of this process alone, {first} {other}"));
        heap.variable("own", text);
    }
    let mut rows = Vec::new();
    for number in first..first + 50_000 {
        let text = heap.string(&format!("the text of row {number}"));
        rows.push(heap.record("Row", &[("text", text)]));
    }
    let all = heap.array(50_000, &rows);
    heap.variable("rows", all);
    heap.build()
}

fn beside(heap: &Heap) -> Beside {
    Beside {
        contents: Contents::of(heap, &[]),
        parent: None,
        forked: None,
    }
}

fn again(heaps: &[Heap]) -> Option<HeldAgain> {
    held_again(&heaps.iter().map(beside).collect::<Vec<_>>())
}

#[test]
fn what_each_of_three_heaps_holds_is_held_twice_again() {
    let heaps = [cache(0, 3), cache(0, 0), cache(0, 7)];
    let again = again(&heaps).unwrap();
    let one = heaps[1].held_bytes();
    assert_eq!(again.heaps, 3);
    // The object of the variables is nobody's content.
    assert!((0..100).contains(&(2 * one - again.bytes)), "{}", again.bytes);
    let places: Vec<(&str, &str, u64)> = again
        .places
        .iter()
        .map(|place| (place.holder.as_str(), place.holds.as_str(), place.heaps))
        .collect();
    assert!(places.contains(&("Row.text", "string", 3)), "{places:?}");
    assert!(places.contains(&("rows[]", "Row", 3)), "{places:?}");
    // What is little is not listed.
    assert!(again.places.iter().all(|place| place.bytes >= again.bytes / 100));
    let listed: u64 = again.places.iter().map(|place| place.bytes).sum();
    assert_eq!(listed + again.elsewhere, again.bytes);
}

#[test]
fn half_of_a_cache_is_half_of_it_and_other_contents_are_none() {
    let half = again(&[cache(0, 0), cache(25_000, 0)]).unwrap();
    let one = cache(0, 0).held_bytes();
    let off = half.bytes as f64 / (one as f64 / 2.0);
    // The array with all of them, a ninth of it, is not the same.
    assert!((0.88..0.9).contains(&off), "{off}");
    assert_eq!(again(&[cache(0, 0), cache(50_000, 0)]), None);
    assert_eq!(again(&[cache(0, 0)]), None);
}

#[test]
fn a_sample_comes_near_the_whole() {
    let large = |own: u32| {
        let mut heap = HeapBuilder::new();
        let text = heap.string(&format!("of process {own}"));
        heap.variable("own", text);
        for number in 0..400_000 {
            let text = heap.string(&format!("the text of row {number}"));
            let row = heap.record("Row", &[("text", text)]);
            heap.variable("row", row);
        }
        heap.build()
    };
    let heaps = [large(1), large(2)];
    let bytes = again(&heaps).unwrap().bytes;
    let off = bytes as f64 / heaps[0].held_bytes() as f64;
    assert!((0.98..1.02).contains(&off), "{off}");
}

#[test]
fn what_one_heap_holds_twice_counts_once_and_memory_in_common_not_at_all() {
    let twice = || {
        let mut heap = HeapBuilder::new();
        for at in ["a", "b"] {
            let bytes = heap.buffer(400_000, 0, 77);
            heap.variable(at, bytes);
        }
        heap.build()
    };
    let heaps = [twice(), twice()];
    let bytes = again(&heaps).unwrap().bytes;
    assert!((400_000..500_000).contains(&bytes), "{bytes}");
    let without = heaps.each_ref().map(|heap| Beside {
        contents: Contents::of(heap, &[77]),
        ..beside(heap)
    });
    assert_eq!(held_again(&without), None);
}

#[test]
fn raw_blocks_are_the_same_in_every_byte_or_not_at_all() {
    let process = |behind: u8| {
        let mut heap = HeapBuilder::new();
        for number in 0..5000 {
            // What stands behind a text may be more of the content.
            let mut content = format!("the text of block {number:05}").into_bytes();
            content.push(0);
            content.resize(40, behind);
            let block = heap.block("read_line", &content);
            heap.variable("line", block);
        }
        heap.build()
    };
    let heaps = [process(1), process(1)];
    let bytes = again(&heaps).unwrap().bytes;
    assert!((heaps[0].held_bytes() - bytes) < 100, "{bytes}");
    assert_eq!(again(&[process(1), process(2)]), None);
    // Another dump would show no more.
    let said = Contents::of(&process(1), &[]);
    assert!(
        said.recapture().starts_with("not possible"),
        "{}",
        said.recapture()
    );
}

/// Ten thousand records, each with a text that all processes have and whatever else `more` adds.
fn records(more: impl Fn(&mut HeapBuilder, u32) -> Vec<(&'static str, ObjectId)>) -> Heap {
    let mut heap = HeapBuilder::new();
    for number in 0..10_000 {
        let text = heap.string(&format!("the text of row {number}"));
        let mut fields = vec![("text", text)];
        fields.extend(more(&mut heap, number));
        let row = heap.record("Row", &fields);
        heap.variable("row", row);
    }
    heap.build()
}

/// The bytes of records that both heaps hold.
fn of_records(heaps: &[Heap; 2]) -> u64 {
    let again = again(heaps).unwrap();
    let records = again.places.iter().filter(|place| place.holds == "Row");
    records.map(|place| place.bytes).sum()
}

#[test]
fn records_are_the_same_only_if_all_they_hold_is() {
    let one_number = |value: f64| records(move |heap, _| vec![("price", heap.number(value))]);
    assert_eq!(of_records(&[one_number(1.5), one_number(1.5)]), 10_000 * 32);
    assert_eq!(of_records(&[one_number(1.5), one_number(2.5)]), 0);
    // Too short to be a finding, and a difference all the same.
    let short = |text: &'static str| records(move |heap, _| vec![("code", heap.string(text))]);
    assert_eq!(of_records(&[short("a"), short("a")]), 10_000 * 32);
    assert_eq!(of_records(&[short("a"), short("b")]), 0);
}

#[test]
fn what_holds_a_value_that_no_dump_shows_is_not_compared() {
    let a_closure = || records(|heap, _| vec![("call", heap.object(Kind::Closure, "call", 64))]);
    assert_eq!(of_records(&[a_closure(), a_closure()]), 0);
    let hidden_number = || {
        let mut heap = HeapBuilder::new();
        for number in 0..10_000 {
            let text = heap.string(&format!("the text of row {number}"));
            let row = heap.record("Row", &[("text", text)]);
            // A second field has a value that is in no dump.
            heap.used(row, 2);
            heap.variable("row", row);
        }
        heap.build()
    };
    let heaps = [hidden_number(), hidden_number()];
    assert_eq!(of_records(&heaps), 0);
    let contents = Contents::of(&heaps[0], &[]);
    assert!(contents.held() - contents.known() >= 10_000 * 24);
}

#[test]
fn what_all_objects_of_a_type_share_is_no_part_of_a_value_and_a_state_of_the_runtime_is() {
    let process = |more: u64| {
        let mut heap = HeapBuilder::new();
        // A prototype, which has functions.
        let shared = heap.object(Kind::Closure, "prototype", 64);
        heap.variable("prototype", shared);
        for number in 0..10_000 {
            let text = heap.string(&format!("the text of row {number}"));
            let row = heap.record("Row", &[("text", text)]);
            heap.edge(row, EdgeKind::Internal, 0, shared);
            heap.resize(row, 24 + more);
            heap.variable("row", row);
        }
        heap.build()
    };
    assert_eq!(of_records(&[process(0), process(0)]), 10_000 * 24);
    assert_eq!(of_records(&[process(8), process(8)]), 0);
}

#[test]
fn dates_of_two_types_are_two_values() {
    let of = |ty: &'static str| records(move |heap, at| vec![("made", heap.date_of(ty, f64::from(at)))]);
    assert_eq!(of_records(&[of("Timestamp"), of("Timestamp")]), 10_000 * 32);
    assert_eq!(of_records(&[of("Timestamp"), of("Date")]), 0);
}

#[test]
fn texts_that_a_recorder_only_found_equal_are_not_those_of_another_process() {
    let process = |what: &str| {
        let mut heap = HeapBuilder::new();
        let of = heap.string(&format!("a long text of which others are windows, {what}"));
        for _ in 0..20_000 {
            let window = heap.slice(of, "");
            heap.shown(window);
            heap.variable("window", window);
        }
        heap.build()
    };
    assert_eq!(again(&[process("one"), process("two")]), None);
}

#[test]
fn without_texts_nothing_is_the_same() {
    let process = || {
        let mut heap = HeapBuilder::new();
        heap.coverage(|coverage| coverage.texts = Presence::Absent);
        for number in 0..20_000 {
            let text = heap.string(&format!("a text of row {number}"));
            heap.variable("text", text);
        }
        heap.build()
    };
    assert_eq!(again(&[process(), process()]), None);
    assert_eq!(Contents::of(&process(), &[]).known(), 0);
}

#[test]
fn a_view_is_the_same_only_where_it_spans_all_of_the_same_buffer() {
    let process = |span: u64| {
        let mut heap = HeapBuilder::new();
        for number in 1..2001 {
            let buffer = heap.buffer(1000, 0, number);
            let view = heap.view(buffer, span);
            let row = heap.record("Row", &[("bytes", view)]);
            heap.variable("row", row);
        }
        heap.build()
    };
    assert_eq!(of_records(&[process(1000), process(1000)]), 2000 * 24);
    // Where it begins is not known.
    assert_eq!(of_records(&[process(10), process(10)]), 0);
}

#[test]
fn only_what_the_parent_holds_can_be_in_pages_that_are_shared() {
    let shared = |parent: Option<usize>, forked: Option<u64>| {
        let children = [cache(0, 0), cache(0, 0)].map(|heap| Beside {
            parent,
            forked,
            ..beside(&heap)
        });
        let all: Vec<Beside> = [beside(&cache(50_000, 0)), beside(&cache(0, 0))]
            .into_iter()
            .chain(children)
            .collect();
        let again = held_again(&all).unwrap();
        (again.bytes, again.shared)
    };
    assert_eq!(shared(None, None).1, None);
    // The first heap holds other things.
    assert_eq!(shared(Some(0), Some(u64::MAX)).1, Some(0));
    let (bytes, all) = shared(Some(1), Some(u64::MAX));
    assert_eq!(all, Some(bytes));
    assert_eq!(shared(Some(1), Some(1000)).1, Some(2000));
}
