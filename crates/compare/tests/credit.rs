//! Which fix what went is credited to, where several could have freed it, and what is still there under another name.

mod support;

use deadweight_compare::Proof;
use deadweight_compare::proof::{Fix, Outcome, Saving};
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::{HeapBuilder, Kind, ObjectId};
use deadweight_weighing::{Finding, Weighing};
use support::weighed_heap;

/// Records with fields of which `a` and `b` hold something.
fn records() -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut rows = Vec::new();
    for at in 0..1_000 {
        let mut fields = Vec::new();
        for name in ["a", "b", "text", "more", "rest"] {
            let text = heap.string(&format!("the {name} of record number {at}, unlike all others"));
            fields.push((name, text));
        }
        rows.push(heap.record("Element", &fields));
    }
    let rows = heap.array(1_000, &rows);
    heap.variable("rows", rows);
    weighed_heap(&heap.build(), "")
}

/// Four fields at one type, each with a finding of its own that frees 8 bytes in every record.
fn four_fields(went: u64) -> (Weighing, Weighing) {
    let (mut before, mut after) = (records(), records());
    let model: Finding = owners(false).findings[0].clone();
    before.findings.clear();
    before.options.clear();
    after.findings.clear();
    after.options.clear();
    let place = |weighing: &Weighing| {
        let places = &weighing.holdings.as_ref().unwrap().places;
        places.iter().position(|place| place.holds == "Element").unwrap()
    };
    let at = place(&before);
    let holder = before.holdings.as_ref().unwrap().places[at].holder.clone();
    for field in ["a", "b", "c", "d"] {
        let mut finding = model.clone();
        finding.rule = "L05".into();
        finding.holder = format!("Element.{field}");
        finding.fingerprint = field.into();
        finding.external = false;
        finding.evidence.clear();
        finding.shared.clear();
        (finding.saves, finding.saves_alone) = (8_000, 8_000);
        finding.frees = vec![deadweight_weighing::Freed {
            holder: holder.clone(),
            holds: "Element".into(),
            site: None,
            bytes: 8_000,
        }];
        before.findings.push(finding);
    }
    let at = place(&after);
    after.holdings.as_mut().unwrap().places[at].bytes -= went;
    after.held.bytes -= went;
    (before, after)
}

fn made(proof: &Proof) -> Vec<&str> {
    let made = proof.fixes.iter().filter(|fix| fix.outcome.is_made());
    made.map(|fix| &*fix.fingerprint).collect()
}

fn is_headline(proof: &Proof) {
    let sum = |of: fn(&Fix) -> i64| proof.fixes.iter().map(of).sum::<i64>();
    assert_eq!(sum(|fix| fix.predicted.sum()), proof.predicted.sum());
    let measured = sum(|fix| fix.measured.map_or(0, Saving::sum));
    let all = measured + proof.unexplained.sum() + proof.runtime.sum();
    assert_eq!(all, proof.measured.sum());
}

#[test]
fn all_findings_at_one_type_are_credited_where_all_their_bytes_went() {
    let (before, after) = four_fields(32_000);
    let proof = prove(&before, &after, &Options::default());
    assert_eq!(made(&proof).len(), 4, "{proof:#?}");
    assert_eq!(proof.unexplained.sum(), 0);
}

#[test]
fn fields_that_still_hold_something_were_not_dropped() {
    // The rule finds none of them any more, and `a` and `b` still hold their numbers.
    let (before, after) = four_fields(16_000);
    let proof = prove(&before, &after, &Options::default());
    let mut of = made(&proof);
    of.sort_unstable();
    assert_eq!(of, ["c", "d"], "{proof:#?}");
    assert_eq!((proof.predicted.sum(), proof.error), (16_000, Some(0.0)));
    is_headline(&proof);
}

#[test]
fn which_of_two_like_findings_was_mended_is_not_guessed() {
    let (before, after) = four_fields(8_000);
    let proof = prove(&before, &after, &Options::default());
    assert!(made(&proof).is_empty(), "{proof:#?}");
    let unknown = proof.fixes.iter().filter(|fix| fix.outcome == Outcome::Unknown);
    assert_eq!(unknown.count(), 2);
    assert_eq!((proof.predicted.sum(), proof.error), (0, None));
    assert!(
        proof.notes.iter().any(|note| note.contains("--mended")),
        "{:?}",
        proof.notes
    );
    assert_eq!(proof.unexplained.sum(), 8_000);
    let named = Options {
        mended: Some(vec!["d".into()]),
        ..Options::default()
    };
    let proof = prove(&before, &after, &named);
    assert_eq!((made(&proof), proof.error), (vec!["d"], Some(0.0)));
    is_headline(&proof);
}

#[test]
fn options_that_nobody_took_are_told_in_the_same_way() {
    let (mut before, after) = four_fields(8_000);
    before.options = std::mem::take(&mut before.findings);
    let proof = prove(&before, &after, &Options::default());
    assert!(made(&proof).is_empty(), "{proof:#?}");
    assert_eq!(proof.predicted.sum(), 0);
}

#[test]
fn a_little_more_than_a_fix_promises_is_no_option_that_was_taken() {
    let (mut before, after) = four_fields(16_600);
    let mut option = before.findings.remove(0);
    before.findings.remove(0);
    (option.saves, option.saves_alone) = (800, 800);
    option.frees[0].bytes = 800;
    before.options.push(option);
    let proof = prove(&before, &after, &Options::default());
    let mut of = made(&proof);
    of.sort_unstable();
    assert_eq!(of, ["c", "d"], "{proof:#?}");
    is_headline(&proof);
}

/// Orders whose owners are equal in hundreds: each has its own, or a table of all owners has one of each.
/// The table comes with another fix: a field that says nothing is gone.
fn owners(in_table: bool) -> Weighing {
    let mut heap = HeapBuilder::new();
    let none = heap.array(0, &[]);
    let owner = |heap: &mut HeapBuilder, of: usize| {
        let name = heap.string(&format!("the owner who is called number {of}"));
        let city = heap.string(&format!("the city of this owner, number {of}"));
        let fields = [("name", name), ("city", city), ("spare", none)];
        heap.record("Owner", &fields[..if in_table { 2 } else { 3 }])
    };
    let shared: Vec<ObjectId> = if in_table {
        (0..200).map(|of| owner(&mut heap, of)).collect()
    } else {
        Vec::new()
    };
    let mut orders = Vec::new();
    for at in 0..2_000 {
        let of = if in_table {
            shared[at % 200]
        } else {
            owner(&mut heap, at % 200)
        };
        let id = heap.string(&format!("order number {at}, unlike all others"));
        orders.push(heap.record("Order", &[("id", id), ("owner", of)]));
    }
    let orders = heap.array(2_000, &orders);
    heap.variable("orders", orders);
    let table = heap.array(shared.len() as u32, &shared);
    if in_table {
        heap.variable("table", table);
    }
    weighed_heap(&heap.build(), "")
}

/// The table names what it shares from then on.
fn named_by_table(mut after: Weighing) -> Weighing {
    for place in &mut after.holdings.as_mut().unwrap().places {
        if place.holder == "Order.owner" {
            (place.holder, place.of) = ("table[]".into(), None);
        }
    }
    after
}

#[test]
fn objects_that_a_table_shares_are_still_there() {
    let before = owners(false);
    let plain = prove(&before, &owners(true), &Options::default());
    let moved = prove(&before, &named_by_table(owners(true)), &Options::default());
    let of = |proof: &Proof| {
        let made = proof.fixes.iter().filter(|fix| fix.rule == "D03");
        made.map(|fix| (fix.outcome, fix.predicted)).collect::<Vec<_>>()
    };
    assert!(
        of(&plain).iter().any(|(outcome, _)| *outcome == Outcome::Mended),
        "{plain:#?}"
    );
    assert_eq!(of(&moved), of(&plain), "{moved:#?}");
    assert!(
        moved.grew.iter().all(|place| place.holder != "table[]"),
        "{:#?}",
        moved.grew
    );
    let row = moved.fixes.iter().find(|fix| fix.rule == "D03").unwrap();
    // The table takes 8 bytes for each of what it holds; that is the fix's own cost.
    assert!(row.error.unwrap() < 0.03, "{moved:#?}");
    let made = moved.fixes.iter().filter(|fix| fix.outcome.is_made());
    assert_eq!(made.count(), 2, "{moved:#?}");
    assert!(
        moved.unexplained.sum().abs() * 100 <= moved.measured.sum(),
        "{moved:#?}"
    );
    is_headline(&moved);
}

/// Three fields of orders that hold equal texts; `shared` of them take theirs from a new table.
fn texts(shared: usize) -> Weighing {
    let mut heap = HeapBuilder::new();
    let text =
        |heap: &mut HeapBuilder, of: usize| heap.string(&format!("the text that many have, number {of}"));
    let of_table: Vec<ObjectId> = (0..if shared > 0 { 200 } else { 0 })
        .map(|of| text(&mut heap, of))
        .collect();
    let mut orders = Vec::new();
    for at in 0..2_000 {
        let mut fields = Vec::new();
        for (field, name) in ["first", "second", "third"].into_iter().enumerate() {
            let value = if field < shared {
                of_table[at % 200]
            } else {
                text(&mut heap, at % 200)
            };
            fields.push((name, value));
        }
        let id = heap.string(&format!("order number {at}, unlike all others"));
        fields.push(("id", id));
        orders.push(heap.record("Order", &fields));
    }
    let orders = heap.array(2_000, &orders);
    heap.variable("orders", orders);
    if shared > 0 {
        let table = heap.array(200, &of_table);
        heap.variable("table", table);
    }
    let mut weighing = weighed_heap(&heap.build(), "");
    for place in &mut weighing.holdings.as_mut().unwrap().places {
        if shared > 0 && place.holder == "Order.first" {
            (place.holder, place.of) = ("table[]".into(), None);
        }
    }
    weighing
}

#[test]
fn of_three_places_with_equal_texts_those_that_were_mended_are_credited() {
    let before = texts(0);
    // One table for two places mends what they have in common, too, which is a finding at the second.
    for (shared, holders) in [
        (1, &["Order.first"][..]),
        (2, &["Order.first", "Order.second", "Order.second"]),
    ] {
        let proof = prove(&before, &texts(shared), &Options::default());
        let mended = proof
            .fixes
            .iter()
            .filter(|fix| fix.rule == "D01" && fix.outcome.is_made());
        let mut mended: Vec<&str> = mended.map(|fix| &*fix.holder).collect();
        mended.sort_unstable();
        assert_eq!(mended, holders, "{proof:#?}");
        assert!(proof.error.unwrap() < 0.05, "{proof:#?}");
        assert!(proof.grew.is_empty(), "{:#?}", proof.grew);
        is_headline(&proof);
    }
}

#[test]
fn records_that_only_went_to_another_holder_are_no_saving() {
    let (mut before, mut after) = (owners(false), owners(false));
    for finding in &mut before.findings {
        finding.frees.retain(|freed| freed.holder == "Order.owner");
    }
    let places = &mut after.holdings.as_mut().unwrap().places;
    let owner = places
        .iter_mut()
        .find(|place| place.holder == "Order.owner")
        .unwrap();
    // Half of them stand at each of two new places: nothing went.
    (owner.holder, owner.of) = ("first[]".into(), None);
    (owner.count, owner.bytes) = (owner.count / 2, owner.bytes / 2);
    let mut second = owner.clone();
    second.holder = "second[]".into();
    places.push(second);
    after.findings.retain(|finding| finding.rule != "D03");
    let proof = prove(&before, &after, &Options::default());
    let row = proof.fixes.iter().find(|fix| fix.rule == "D03").unwrap();
    assert_eq!(row.outcome, Outcome::Hidden, "{proof:#?}");
}

/// Records whose fields a runtime charges by steps: one finding at the type, which names the fields.
fn charged_together(fields: &[&str], saves: u64) -> Weighing {
    let (mut weighing, _) = four_fields(0);
    weighing.findings.truncate(1);
    let finding = &mut weighing.findings[0];
    (finding.saves, finding.saves_alone, finding.bytes_now) = (saves, saves, saves);
    finding.frees[0].bytes = saves.cast_signed();
    finding.count = 1_000;
    if let [field] = fields {
        finding.holder = format!("Element.{field}");
    } else {
        let listed = fields.iter().map(|field| serde_json::json!({"field": field}));
        finding.holder = "Element".into();
        finding
            .evidence
            .insert("fields".into(), listed.collect::<Vec<_>>().into());
    }
    finding.fingerprint.clone_from(&finding.holder);
    weighing
}

#[test]
fn fields_that_are_charged_together_may_be_mended_in_part() {
    for (left, saves, remaining) in [(&["c", "d"][..], 16_000, 16_000), (&["d"], 8_000, 8_000)] {
        let before = charged_together(&["a", "b", "c", "d"], 32_000);
        let mut after = charged_together(left, saves);
        let went = 32_000 - saves;
        let places = &mut after.holdings.as_mut().unwrap().places;
        places
            .iter_mut()
            .find(|place| place.holds == "Element")
            .unwrap()
            .bytes -= went;
        after.held.bytes -= went;
        let proof = prove(&before, &after, &Options::default());
        let fix = &proof.fixes[0];
        assert_eq!(
            (fix.outcome, fix.remaining),
            (Outcome::Partly, remaining),
            "{left:?}"
        );
        assert_eq!(fix.predicted.held.unsigned_abs(), went, "{left:?}");
        assert!(proof.new.is_empty(), "{:?}", proof.new);
    }
}

/// One field, which stood by itself before another was charged with it.
#[test]
fn a_field_that_is_charged_with_others_now_is_open() {
    let before = charged_together(&["a"], 8_000);
    let after = charged_together(&["a", "b"], 16_000);
    let proof = prove(&before, &after, &Options::default());
    assert_eq!(proof.fixes[0].outcome, Outcome::Open);
    assert!(proof.new.is_empty(), "{:?}", proof.new);
}

/// Rows of four fields in hash tables: a list of them, and others that are the keys of a table.
fn rows(listed: usize, keys: usize) -> Weighing {
    let mut heap = HeapBuilder::new();
    let value = heap.object(Kind::Runtime, "null", 0);
    let made = (0..listed + keys).map(|at| {
        let id = heap.string(&format!("the row with the number {at}"));
        let fields = [("id", id), ("a", value), ("b", value), ("c", value)];
        heap.dictionary("Row", 32, &fields)
    });
    let made: Vec<ObjectId> = made.collect();
    let (listed, keys) = made.split_at(listed);
    let list = heap.array(listed.len() as u32, listed);
    heap.variable("rows", list);
    if !keys.is_empty() {
        let entries: Vec<_> = keys.iter().map(|&key| (key, value)).collect();
        let known = heap.map(entries.len() as u32, &entries);
        heap.variable("known", known);
    }
    weighed_heap(&heap.build(), "rows")
}

#[test]
fn records_that_stand_at_another_place_now_were_not_mended() {
    let (before, after) = (rows(1_000, 0), rows(500, 500));
    let proof = prove(&before, &after, &Options::default());
    let fix = proof.fixes.iter().find(|fix| fix.rule == "L02").unwrap();
    assert_eq!(fix.outcome, Outcome::Open, "{proof:#?}");
    assert!(proof.new.iter().all(|new| new.rule != "L02"), "{proof:#?}");
}

/// Findings of one rule at one holder, each of blocks that another call makes.
fn calls(lines: &[u64], of: &[&str]) -> Weighing {
    let mut weighing = owners(false);
    let model = weighing.findings[0].clone();
    weighing.options.clear();
    weighing.findings = lines
        .iter()
        .zip(of)
        .map(|(line, field)| {
            let mut finding = model.clone();
            finding.site = Some(format!("parse, log.cpp:{line}"));
            finding.fingerprint = line.to_string();
            finding.frees.truncate(1);
            (*field).clone_into(&mut finding.frees[0].holder);
            finding
        })
        .collect();
    weighing
}

#[test]
fn of_several_findings_in_one_function_each_is_looked_for_by_its_own_call() {
    let fields = ["Entry.agent", "Entry.page", "Entry.host"];
    let before = calls(&[10, 20, 30], &fields);
    // Neither line moved, or both did.
    for lines in [[10, 30], [9, 28]] {
        let after = calls(&lines, &[fields[0], fields[2]]);
        let proof = prove(&before, &after, &Options::default());
        let left: Vec<(&str, bool)> = proof
            .fixes
            .iter()
            .map(|fix| (fix.fingerprint.as_str(), fix.remaining > 0))
            .collect();
        assert_eq!(left, [("10", true), ("20", false), ("30", true)], "{proof:#?}");
    }
}

/// Findings of one function that all free most at one place, each with as many objects as `counts` says.
fn lines_of_a_function(lines: &[u64], counts: &[u64]) -> Weighing {
    let fields = vec!["Entry.text"; lines.len()];
    let mut weighing = calls(lines, &fields);
    for (finding, &count) in weighing.findings.iter_mut().zip(counts) {
        finding.count = count;
        (finding.saves, finding.saves_alone) = (count * 32, count * 32);
        finding.evidence.insert("texts".into(), (count + 7).into());
    }
    weighing
}

#[test]
fn of_several_findings_at_one_place_each_is_the_one_whose_figures_it_has() {
    let before = lines_of_a_function(&[10, 20, 30], &[500, 7_000, 900]);
    // All lines moved, and then the last went to where the second was.
    for lines in [[12, 32], [10, 20]] {
        let after = lines_of_a_function(&lines, &[500, 900]);
        let proof = prove(&before, &after, &Options::default());
        let left = proof.fixes.iter().map(|fix| (&*fix.fingerprint, fix.remaining));
        let mut left: Vec<(&str, u64)> = left.collect();
        left.sort_unstable();
        assert_eq!(left, [("10", 16_000), ("20", 0), ("30", 28_800)], "{proof:#?}");
    }
}

#[test]
fn a_line_of_a_function_that_is_mended_in_part_is_not_taken_for_another() {
    let before = lines_of_a_function(&[10, 20, 30], &[500, 7_000, 900]);
    let after = lines_of_a_function(&[12, 22, 32], &[500, 3_000, 900]);
    let proof = prove(&before, &after, &Options::default());
    let left = proof.fixes.iter().map(|fix| (&*fix.fingerprint, fix.remaining));
    let mut left: Vec<(&str, u64)> = left.collect();
    left.sort_unstable();
    assert_eq!(
        left,
        [("10", 16_000), ("20", 96_000), ("30", 28_800)],
        "{proof:#?}"
    );
}

/// The same before and after a fix that keeps one copy of each of 90 texts, in a table that `function` fills.
#[test]
fn what_a_new_function_makes_for_each_value_is_the_fixs_own_table() {
    let sides = |blocks: u64| {
        let (mut before, mut after) = (records(), records());
        let mut finding = owners(false).findings[0].clone();
        finding.site = Some("parse, log.cpp:10".into());
        finding.holder = "parse".into();
        finding.external = false;
        finding.evidence.clear();
        finding.evidence.insert("values".into(), 90.into());
        finding.shared.clear();
        (finding.count, finding.unaffected) = (900, 100);
        (finding.saves, finding.saves_alone) = (20_000, 20_000);
        for weighing in [&mut before, &mut after] {
            weighing.findings.clear();
            weighing.options.clear();
        }
        let places = &mut after.holdings.as_mut().expect("places").places;
        let at = places
            .iter()
            .position(|place| place.holds == "Element")
            .expect("records");
        finding.frees = vec![deadweight_weighing::Freed {
            holder: places[at].holder.clone(),
            holds: "Element".into(),
            site: None,
            bytes: 20_000,
        }];
        places[at].bytes -= 20_000;
        for (holder, count) in [("node in shared", blocks), ("shared", 1)] {
            let mut place = places[at].clone();
            (place.holder, place.of, place.holds) = (holder.into(), None, String::new());
            (place.count, place.bytes) = (count, count * 20);
            places.push(place);
        }
        after.held.bytes -= 20_000 - (blocks + 1) * 20;
        before.findings.push(finding);
        prove(&before, &after, &Options::default())
    };
    let proof = sides(94);
    assert_eq!(proof.fixes[0].error, proof.error, "{proof:#?}");
    assert_eq!((proof.measured.sum(), proof.unexplained.sum()), (18_100, 0));
    assert!(proof.grew.is_empty(), "{proof:#?}");
    // Fewer than there are values hold something else.
    let proof = sides(60);
    assert_eq!(proof.unexplained.sum(), -1_220, "{proof:#?}");
}
