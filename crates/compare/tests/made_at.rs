//! Fixes that are made at another place than their finding says, or inside of it alone.

mod support;

use deadweight_compare::Proof;
use deadweight_compare::proof::{Fix, Outcome, Saving};
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::{HeapBuilder, ObjectId};
use deadweight_weighing::Weighing;
use support::weighed_heap;

fn text(at: usize) -> String {
    format!("a text of some length, which is number {at} of many")
}

/// Which of two equal strings a table keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Keeps {
    Both,
    Names,
    Titles,
    /// The titles are dropped, and no table is.
    NoTitle,
}

/// 1,000 tracks, each second one with a name that equals its title.
fn tracks(keeps: Keeps) -> Weighing {
    let mut heap = HeapBuilder::new();
    let none = heap.string("none");
    let mut rows = Vec::new();
    for at in 0..1_000 {
        let has_name = at % 2 == 1;
        let title = heap.string(&text(at));
        let name = match keeps {
            _ if !has_name => none,
            Keeps::Titles => title,
            _ => heap.string(&text(at)),
        };
        let title = match keeps {
            Keeps::Names if has_name => name,
            Keeps::NoTitle => none,
            _ => title,
        };
        rows.push(heap.record("Track", &[("name", name), ("title", title)]));
    }
    let rows = heap.array(1_000, &rows);
    heap.variable("tracks", rows);
    weighed_heap(&heap.build(), "")
}

fn across(proof: &Proof) -> &Fix {
    let mut fixes = proof.fixes.iter();
    fixes
        .find(|fix| fix.holder == "Track.name")
        .expect("equal strings")
}

#[test]
fn a_table_may_keep_the_strings_of_either_place() {
    let before = tracks(Keeps::Both);
    for keeps in [Keeps::Names, Keeps::Titles] {
        let proof = prove(&before, &tracks(keeps), &Options::default());
        let fix = across(&proof);
        assert_eq!(fix.outcome, Outcome::Mended, "{keeps:?}: {proof:#?}");
        assert_eq!((fix.error, proof.error), (Some(0.0), Some(0.0)), "{proof:#?}");
        assert_eq!(proof.unexplained.sum(), 0);
    }
}

#[test]
fn strings_that_are_dropped_were_not_made_one() {
    let proof = prove(&tracks(Keeps::Both), &tracks(Keeps::NoTitle), &Options::default());
    assert!(!across(&proof).outcome.is_made(), "{proof:#?}");
    assert_eq!(proof.predicted.sum(), 0);
}

/// 500 documents, each with its text and a list of one that equals it, or is it, or of none.
fn documents(in_list: fn(&mut HeapBuilder, usize, ObjectId) -> Vec<ObjectId>) -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut rows = Vec::new();
    for at in 0..500 {
        let code = heap.string(&text(at));
        let parts = in_list(&mut heap, at, code);
        let parts = heap.array(parts.len() as u32, &parts);
        rows.push(heap.record("Doc", &[("text", code), ("parts", parts)]));
    }
    let rows = heap.array(500, &rows);
    heap.variable("documents", rows);
    weighed_heap(&heap.build(), "")
}

#[test]
fn strings_of_lists_that_are_all_there_were_made_one_with_those_of_fields() {
    let before = documents(|heap, at, _| vec![heap.string(&text(at))]);
    let proof = prove(&before, &documents(|_, _, code| vec![code]), &Options::default());
    let fix = proof.fixes.iter().find(|fix| fix.holder == "Doc.text");
    assert_eq!(fix.map(|fix| fix.outcome), Some(Outcome::Mended), "{proof:#?}");
    assert_eq!(
        (proof.error, proof.unexplained.sum()),
        (Some(0.0), 0),
        "{proof:#?}"
    );
}

/// Which values the records share: the lists, and the texts of the first few records.
#[derive(Clone, Copy, Debug)]
struct Once {
    lists: bool,
    texts: usize,
}

/// 2,000 records. Each has a list that holds one of 50 texts, and a name of its own.
fn records(once: Once) -> Weighing {
    let mut heap = HeapBuilder::new();
    let texts: Vec<ObjectId> = (0..50).map(|at| heap.string(&text(at))).collect();
    let lists: Vec<ObjectId> = texts.iter().map(|&text| heap.array(1, &[text])).collect();
    let mut rows = Vec::new();
    for at in 0..2_000 {
        let name = heap.string(&format!("the name of record number {at}, unlike all others"));
        let list = if once.lists {
            lists[at % 50]
        } else {
            let of_list = if at < once.texts || at < 50 {
                texts[at % 50]
            } else {
                heap.string(&text(at % 50))
            };
            heap.array(1, &[of_list])
        };
        rows.push(heap.record("Record", &[("name", name), ("texts", list)]));
    }
    let rows = heap.array(2_000, &rows);
    heap.variable("records", rows);
    weighed_heap(&heap.build(), "")
}

#[test]
fn what_is_shared_inside_equal_objects_is_a_part_of_their_fix() {
    let before = records(Once {
        lists: false,
        texts: 0,
    });
    let lists = |proof: &Proof| {
        let mut fixes = proof.fixes.iter();
        fixes.find(|fix| fix.rule == "D03").cloned().expect("equal lists")
    };
    // All texts, or half of them.
    for texts in [2_000, 1_000] {
        let after = records(Once { lists: false, texts });
        let proof = prove(&before, &after, &Options::default());
        let fix = lists(&proof);
        assert_eq!(fix.outcome, Outcome::Partly, "{texts}: {proof:#?}");
        let is_near = |error: Option<f64>| error.is_some_and(|error| error < 0.01);
        assert!(is_near(proof.error) && is_near(fix.error), "{texts}: {proof:#?}");
        assert!(proof.unexplained.sum().unsigned_abs() * 100 < proof.measured.sum().unsigned_abs());
        let measured = fix.measured.map_or(0, Saving::sum);
        assert!(
            fix.remaining.cast_signed() + measured >= fix.promised * 99 / 100,
            "{proof:#?}"
        );
    }
    let all = records(Once {
        lists: true,
        texts: 0,
    });
    let proof = prove(&before, &all, &Options::default());
    assert_eq!(lists(&proof).outcome, Outcome::Mended, "{proof:#?}");
}

/// 3,000 tracks, three to a title, with names that equal it. Of two places that one is home which has more values.
fn names_and_titles(more_names: bool, each_has_its_name: bool) -> Weighing {
    let mut heap = HeapBuilder::new();
    let mut rows = Vec::new();
    let mut known = (0, 0);
    for at in 0..1_000 {
        let (name, title) = (heap.string(&text(at)), heap.string(&text(at)));
        known = (name, title);
        for copy in 0..3 {
            let name = if copy > 0 && each_has_its_name {
                heap.string(&text(at))
            } else {
                name
            };
            rows.push(heap.record("Track", &[("name", name), ("title", title)]));
        }
    }
    let one_more = heap.string("Untitled, of nobody");
    let (name, title) = if more_names {
        (one_more, known.1)
    } else {
        (known.0, one_more)
    };
    rows.push(heap.record("Track", &[("name", name), ("title", title)]));
    let rows = heap.array(3_001, &rows);
    heap.variable("tracks", rows);
    weighed_heap(&heap.build(), "")
}

#[test]
fn equal_strings_of_two_places_stay_one_finding_whichever_of_them_is_named() {
    let (before, after) = (names_and_titles(false, true), names_and_titles(true, false));
    let named = |weighing: &Weighing| {
        let mut found = weighing.findings.iter();
        let across = found.find(|finding| finding.evidence.get("variant") == Some(&"across".into()));
        across.expect("equal strings").holder.clone()
    };
    assert_ne!(named(&before), named(&after));

    let proof = prove(&before, &after, &Options::default());
    assert!(proof.new.is_empty(), "{:?}", proof.new);
    let across = proof.fixes.iter().find(|fix| fix.holder == named(&before));
    assert_ne!(across.unwrap().outcome, Outcome::Hidden, "{proof:#?}");
}
