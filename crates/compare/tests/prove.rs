//! What fixes promise and do, on tiny heaps.

mod support;

use deadweight_compare::Proof;
use deadweight_compare::proof::{Fix, Outcome};
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::HeapBuilder;
use deadweight_weighing::{Freed, Weighing};
use support::{Program, WASTEFUL, weighed, weighed_heap};

fn compared(before: Program, after: Program) -> Proof {
    prove(&weighed(before), &weighed(after), &Options::default())
}

fn fix<'p>(proof: &'p Proof, rule: &str, holder: &str) -> &'p Fix {
    let found = proof
        .fixes
        .iter()
        .find(|fix| fix.rule == rule && fix.holder == holder);
    found.unwrap_or_else(|| panic!("no {rule} at {holder} in {:#?}", proof.fixes))
}

#[test]
fn one_fix_does_what_it_promised_and_the_others_stay_open() {
    let proof = compared(
        WASTEFUL,
        Program {
            interned: true,
            ..WASTEFUL
        },
    );
    let strings = fix(&proof, "D01", "Visit.city");
    assert_eq!(strings.outcome, Outcome::Mended);
    assert_eq!(strings.measured.unwrap().sum(), proof.measured.sum());
    assert!(proof.measured.held > 70_000, "{}", proof.measured.held);
    assert!(proof.error.unwrap() < 0.02, "{proof:#?}");
    assert_eq!(fix(&proof, "L03", "Visit.at").outcome, Outcome::Open);
    assert_eq!(proof.unexplained.sum(), 0);
    assert_eq!(proof.counted, proof.measured);
}

#[test]
fn two_fixes_at_once_split_the_change() {
    let after = Program {
        interned: true,
        dates: false,
        ..WASTEFUL
    };
    let both = compared(WASTEFUL, after);
    let strings = compared(
        WASTEFUL,
        Program {
            interned: true,
            ..WASTEFUL
        },
    );
    let dates = compared(
        WASTEFUL,
        Program {
            dates: false,
            ..WASTEFUL
        },
    );
    let part = |proof: &Proof, rule, holder| fix(proof, rule, holder).measured.unwrap().sum();
    let of_strings = part(&both, "D01", "Visit.city");
    assert_eq!(of_strings, part(&strings, "D01", "Visit.city"));
    assert_eq!(both.measured.sum() - of_strings, dates.measured.sum());
    let of_dates: i64 = both
        .fixes
        .iter()
        .filter(|fix| fix.rule == "L03")
        .filter_map(|fix| fix.measured)
        .map(deadweight_compare::proof::Saving::sum)
        .sum();
    assert_eq!(of_dates, dates.measured.sum());
    assert_eq!(both.unexplained.sum(), 0);
    assert!(both.error.unwrap() < 0.02);
}

#[test]
fn a_class_by_another_name_is_the_same_place() {
    let after = Program {
        class: "Entry",
        interned: true,
        ..WASTEFUL
    };
    let proof = compared(WASTEFUL, after);
    assert_eq!(proof.renamed.len(), 1, "{:?}", proof.renamed);
    assert_eq!(
        (&*proof.renamed[0].before, &*proof.renamed[0].after),
        ("Visit", "Entry")
    );
    assert_eq!(fix(&proof, "D01", "Visit.city").outcome, Outcome::Mended);
    assert_eq!(fix(&proof, "L03", "Visit.at").outcome, Outcome::Open);
    assert!(proof.new.is_empty() && proof.grew.is_empty(), "{proof:#?}");
}

#[test]
fn other_counts_are_brought_to_those_of_before() {
    for records in [500, 750, 2_000] {
        let proof = compared(
            WASTEFUL,
            Program {
                interned: true,
                records,
                ..WASTEFUL
            },
        );
        let counts = proof.records.as_ref().expect("records are counted");
        assert_eq!((counts.before, counts.after), (1_000, records as u64));
        assert_ne!(proof.counted, proof.measured);
        assert!(proof.error.unwrap() < 0.05, "{records}: {proof:#?}");
        assert_eq!(fix(&proof, "L03", "Visit.at").outcome, Outcome::Open);
    }
}

#[test]
fn nothing_changed_is_no_fix_and_no_error() {
    let proof = compared(WASTEFUL, WASTEFUL);
    assert!(
        proof.fixes.iter().all(|fix| fix.outcome == Outcome::Open),
        "{proof:#?}"
    );
    assert_eq!((proof.error, proof.measured.sum()), (None, 0));
    assert!(proof.grew.is_empty() && proof.shrank.is_empty() && proof.new.is_empty());
}

#[test]
fn what_grew_instead_is_reported() {
    let proof = compared(
        WASTEFUL,
        Program {
            interned: true,
            log: 700,
            ..WASTEFUL
        },
    );
    let log = proof.grew.iter().find(|place| place.holder == "Store.log[]");
    let log = log.unwrap_or_else(|| panic!("{:#?}", proof.grew));
    assert_eq!((log.count_before, log.count_after), (0, 700));
    // What a fix did at its own place does not suffer from what happened elsewhere; the whole does.
    assert!(fix(&proof, "D01", "Visit.city").error.unwrap() < 0.02);
    assert!(proof.error.unwrap() > 0.5);
    assert!(proof.unexplained.sum() < -30_000);
}

#[test]
fn a_weighing_without_places_still_gives_the_whole() {
    let (mut before, mut after) = (
        weighed(WASTEFUL),
        weighed(Program {
            interned: true,
            ..WASTEFUL
        }),
    );
    before.holdings = None;
    after.holdings = None;
    let proof = prove(&before, &after, &Options::default());
    assert!(proof.error.unwrap() < 0.02);
    assert!(proof.fixes.iter().all(|fix| fix.measured.is_none()));
    assert!(proof.notes.iter().any(|note| note.contains("not measurable")));
}

#[test]
fn a_finding_that_hides_is_not_mended() {
    let before = weighed(WASTEFUL);
    let mut after = weighed(WASTEFUL);
    after.findings.retain(|finding| finding.rule != "D01");
    let proof = prove(&before, &after, &Options::default());
    assert_eq!(fix(&proof, "D01", "Visit.city").outcome, Outcome::Hidden);
    assert_eq!(proof.predicted.sum(), 0);
}

#[test]
fn objects_that_another_of_their_places_names_did_not_stay() {
    let (mut before, mut after) = (weighed(WASTEFUL), weighed(WASTEFUL));
    let (holder, other) = ("Store.visits[]", "Store.last[]");
    // A hundred of the records stand in two lists: before the change the other one named them.
    let places = &mut before.holdings.as_mut().unwrap().places;
    let visits = places.iter_mut().find(|place| place.holder == holder).unwrap();
    let mut last = visits.clone();
    (last.holder, last.count, last.bytes) = (other.into(), 100, visits.bytes / 10);
    visits.count -= last.count;
    visits.bytes -= last.bytes;
    places.push(last);
    let freed = |holder: &str, bytes: i64| Freed {
        holder: holder.into(),
        holds: "Visit".into(),
        site: None,
        bytes,
    };
    let mut field = before.findings[0].clone();
    (field.rule, field.holder, field.fingerprint) = ("L05".into(), "Visit.kind".into(), "kind".into());
    (field.saves, field.saves_alone) = (4_000, 4_000);
    field.frees = vec![freed(holder, 3_600), freed(other, 400)];
    before.findings.push(field);
    let places = &mut after.holdings.as_mut().unwrap().places;
    let visits = places.iter_mut().find(|place| place.holder == holder).unwrap();
    visits.bytes -= 4_000;
    let proof = prove(&before, &after, &Options::default());
    let field = fix(&proof, "L05", "Visit.kind");
    assert_eq!(field.outcome, Outcome::Mended, "{proof:#?}");
    assert_eq!(field.measured.unwrap().sum(), 4_000);
}

#[test]
fn predictions_of_all_fixes_add_up_as_the_ledger_does() {
    let before = weighed(WASTEFUL);
    let all = before
        .findings
        .iter()
        .map(|finding| finding.fingerprint.clone())
        .collect();
    let options = Options {
        mended: Some(all),
        ..Options::default()
    };
    let proof = prove(&before, &before, &options);
    assert_eq!(proof.predicted.held, before.held.dead.cast_signed());
}

#[test]
fn a_proof_reads_back_as_written() {
    let proof = compared(
        WASTEFUL,
        Program {
            interned: true,
            log: 9,
            ..WASTEFUL
        },
    );
    let text = serde_json::to_string(&proof).unwrap();
    assert_eq!(serde_json::from_str::<Proof>(&text).unwrap(), proof);
}

#[test]
fn what_only_moved_was_not_saved() {
    let before = weighed(WASTEFUL);
    let mut after = weighed(Program {
        columns: true,
        ..WASTEFUL
    });
    after.findings.retain(|finding| finding.rule != "D01");
    let proof = prove(&before, &after, &Options::default());
    assert_eq!(
        fix(&proof, "D01", "Visit.city").outcome,
        Outcome::Hidden,
        "{proof:#?}"
    );
    assert!(
        proof.grew.iter().all(|place| place.holder != "Store.city[]"),
        "{:#?}",
        proof.grew
    );
}

#[test]
fn a_finding_at_another_place_is_neither_mended_nor_new() {
    let moved = Program {
        columns: true,
        ..WASTEFUL
    };
    let proof = compared(WASTEFUL, moved);
    let city = fix(&proof, "D01", "Visit.city");
    assert_eq!((city.outcome, city.measured), (Outcome::Open, None));
    assert!(city.remaining.cast_signed().abs_diff(city.promised) * 100 <= city.remaining);
    assert!(proof.new.iter().all(|new| new.rule != "D01"), "{:#?}", proof.new);
    // Half of it somewhere else is another finding.
    let mut half = weighed(moved);
    for finding in half.findings.iter_mut().filter(|finding| finding.rule == "D01") {
        (finding.count, finding.saves_alone) = (finding.count / 2, finding.saves_alone / 2);
    }
    let proof = prove(&weighed(WASTEFUL), &half, &Options::default());
    assert_ne!(fix(&proof, "D01", "Visit.city").outcome, Outcome::Open);
    assert!(proof.new.iter().any(|new| new.rule == "D01"));
}

#[test]
fn strings_that_a_fix_merges_do_not_count_the_records() {
    // 1,000 cities become 10 while the records stay: nothing may be taken for another input.
    let proof = compared(
        WASTEFUL,
        Program {
            interned: true,
            dates: false,
            ..WASTEFUL
        },
    );
    let records = proof.records.as_ref().unwrap();
    assert_eq!((records.before, records.after), (1_000, 1_000));
}

/// Orders whose owners, equal ones among them, are hash tables or records.
fn owners(in_tables: bool) -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut orders = Vec::new();
    for at in 0..1000 {
        let name = heap.string(&format!("the owner who is called number {}", at % 10));
        let city = heap.string(&format!("the city of this owner, number {}", at % 10));
        let fields = [("name", name), ("city", city)];
        let owner = if in_tables {
            heap.dictionary("", 8, &fields)
        } else {
            heap.record("", &fields)
        };
        orders.push(heap.record("Order", &[("owner", owner)]));
    }
    let orders = heap.array(1000, &orders);
    heap.variable("orders", orders);
    weighed_heap(&heap.build(), "")
}

#[test]
fn copies_that_another_fix_makes_smaller_are_still_there() {
    let proof = prove(&owners(true), &owners(false), &Options::default());
    assert_eq!(fix(&proof, "D03", "orders[]").outcome, Outcome::Open);
    let tables = fix(&proof, "L02", "Order.owner");
    assert_eq!(tables.outcome, Outcome::Mended);
    assert!(tables.error.unwrap() < 0.01, "{tables:#?}");
    assert_eq!(
        tables.measured.unwrap().sum(),
        (proof.measured - proof.runtime).sum()
    );
}

/// Rows in tables or not, whose texts stand in other fields, too: so many are named by the rows.
fn rows_with_texts(in_tables: bool, named: usize) -> Weighing {
    let mut heap = HeapBuilder::new();
    let common = heap.string("a text that the table of texts holds");
    let held = heap.record("Texts", &[("first", common)]);
    heap.variable("texts", held);
    let mut rows = Vec::new();
    for at in 0..300 {
        let text = if at < named {
            heap.string(&format!("the text of row {at} of three hundred rows"))
        } else {
            common
        };
        let fields = [("text", text), ("more", common)];
        rows.push(if in_tables {
            heap.dictionary("", 64, &fields)
        } else {
            heap.record("", &fields)
        });
    }
    let rows = heap.array(300, &rows);
    heap.variable("rows", rows);
    weighed_heap(&heap.build(), "")
}

#[test]
fn rows_that_a_fix_reshapes_count_the_records_and_not_the_texts_that_they_name() {
    let (before, after) = (rows_with_texts(true, 249), rows_with_texts(false, 255));
    let proof = prove(&before, &after, &Options::default());
    let records = proof.records.as_ref().unwrap();
    assert_eq!(
        (records.of.as_str(), records.before, records.after),
        ("rows[]", 300, 300)
    );
    assert_eq!(proof.counted, proof.measured);
}
