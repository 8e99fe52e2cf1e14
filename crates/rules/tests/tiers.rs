//! What savings rest on, and which of them one edit makes.

use deadweight_heap::{
    Heap, HeapBuilder, Implementation, Layout, RecordShape, Representation, TableKind, Width,
};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::{Finding, Group, Source, Tier, Weighing};

/// Strings that may change, as Ruby has them.
#[derive(Debug)]
struct Mutable;

impl Layout for Mutable {
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        16 + 8 * shape.count()
    }
    fn elements(&self, _: Representation, count: u64) -> u64 {
        8 * count
    }
    fn shape(&self, _: u64) -> u64 {
        0
    }
    fn string(&self, units: u64, _: Width) -> u64 {
        (16 + units).next_multiple_of(8)
    }
    fn array(&self, _: Implementation, _: Representation, slots: u64) -> u64 {
        16 + 8 * slots
    }
    fn table(&self, _: Implementation, _: TableKind, _: u64) -> Option<u64> {
        None
    }
    fn boxed(&self, _: Representation) -> u64 {
        16
    }
    fn date(&self) -> u64 {
        32
    }
    fn small_integers(&self) -> Option<(i64, i64)> {
        None
    }
    fn small_integer_bytes(&self) -> u64 {
        0
    }
    fn view(&self) -> u64 {
        40
    }
}

fn weighed(heap: &Heap, options: &Options) -> Weighing {
    let source = Source {
        path: "made".into(),
        bytes: 1,
        format: "builder".into(),
    };
    weigh(heap, source, options)
}

/// Records of which two fields hold equal texts, each of another type than the same field of other records.
fn cities(heap: &mut HeapBuilder, types: &[&str]) {
    for ty in types {
        for at in 0..100 {
            let city = heap.string(&format!("a city whose name is long, {}", at % 7));
            let trade = heap.string(&format!("a trade whose name is long, {}", at % 3));
            let id = heap.string(&format!("{ty} number {at}, like no other"));
            let record = heap.record(ty, &[("city", city), ("trade", trade), ("id", id)]);
            heap.variable("all", record);
        }
    }
}

fn of_rule<'w>(weighing: &'w Weighing, rule: &str) -> Vec<&'w Finding> {
    let findings = weighing.findings.iter();
    findings.filter(|finding| finding.rule == rule).collect()
}

#[test]
fn equal_texts_are_sure_where_nobody_can_change_them() {
    let mut fixed = HeapBuilder::new();
    cities(&mut fixed, &["Person"]);
    let fixed = weighed(&fixed.build(), &Options::all());
    let found = of_rule(&fixed, "D01");
    assert_eq!(found.len(), 2);
    assert!(
        found
            .iter()
            .all(|one| one.tier == Tier::Sure && one.assumes.is_none())
    );
    let saved: u64 = found.iter().map(|one| one.saves).sum();
    assert!(saved > 0 && fixed.held.dead_sure >= Some(saved));

    let mut mutable = HeapBuilder::new();
    mutable.layout(Mutable);
    cities(&mut mutable, &["Person"]);
    let mutable = weighed(&mutable.build(), &Options::all());
    let found = of_rule(&mutable, "D01");
    assert_eq!(found.len(), 2);
    for one in found {
        assert_eq!(one.tier, Tier::Likely);
        assert_eq!(
            one.assumes.as_deref(),
            Some("nobody changes one of the equal texts")
        );
    }
    assert!(mutable.held.dead_sure < Some(mutable.held.dead));
}

#[test]
fn what_rests_on_behaviour_names_it() {
    let mut heap = HeapBuilder::new();
    for at in 0..100 {
        let date = heap.date(1.7e12 + f64::from(at) * 1000.0);
        let record = heap.record("Visit", &[("at", date)]);
        heap.variable("all", record);
    }
    let weighing = weighed(&heap.build(), &Options::all());
    let dates = of_rule(&weighing, "L03");
    assert_eq!(dates[0].tier, Tier::Likely);
    assert_eq!(
        dates[0].assumes.as_deref(),
        Some("every value stays of the kind seen")
    );
}

#[test]
fn one_edit_is_a_group_and_another_type_is_another_edit() {
    let mut heap = HeapBuilder::new();
    cities(&mut heap, &["Person", "Firm"]);
    let weighing = weighed(&heap.build(), &Options::all());
    let strings: Vec<&Group> = weighing
        .groups
        .iter()
        .filter(|group| group.rule == "D01")
        .collect();
    let mut types: Vec<&str> = strings.iter().map(|group| group.of.as_str()).collect();
    types.sort_unstable();
    assert_eq!(types, ["Firm", "Person"]);
    for group in strings {
        assert_eq!(group.fix, "keep one copy of each value (intern them)");
        let members = of_rule(&weighing, "D01");
        let members: Vec<_> = members
            .into_iter()
            .filter(|one| group.findings.contains(&one.fingerprint))
            .collect();
        assert_eq!(members.len(), 2);
        assert!(members.iter().all(|one| one.holder.starts_with(&group.of)));
        assert_eq!(group.saves, members.iter().map(|one| one.saves).sum::<u64>());
    }
}

#[test]
fn what_is_too_small_to_list_is_one_row_of_each_tier() {
    let mut heap = HeapBuilder::new();
    cities(&mut heap, &["Person"]);
    for at in 0..100 {
        let date = heap.date(1.7e12 + f64::from(at) * 1000.0);
        let record = heap.record("Visit", &[("at", date)]);
        heap.variable("all", record);
    }
    let all = Options {
        fold_below: 1.0,
        ..Options::all()
    };
    let weighing = weighed(&heap.build(), &all);
    let rows: Vec<_> = weighing
        .findings
        .iter()
        .map(|one| (one.rule.as_str(), one.tier))
        .collect();
    assert_eq!(rows, [("others", Tier::Sure), ("others", Tier::Likely)]);
    assert_ne!(weighing.findings[0].fingerprint, weighing.findings[1].fingerprint);
    assert_eq!(Some(weighing.findings[0].saves), weighing.held.dead_sure);
    assert!(weighing.groups.is_empty());
}

#[test]
fn other_places_that_hold_the_same_do_not_split_a_group() {
    let mut heap = HeapBuilder::new();
    for at in 0..100 {
        let city = heap.string(&format!("a city whose name is long, {}", at % 7));
        let trade = heap.string(&format!("a trade whose name is long, {}", at % 3));
        let id = heap.string(&format!("number {at}, like no other"));
        let person = heap.record("Person", &[("city", city), ("trade", trade), ("id", id)]);
        heap.variable("all", person);
        for (name, key) in [("by_city", city), ("by_trade", trade)] {
            let map = heap.map(1, &[(key, person)]);
            heap.variable(name, map);
        }
    }
    let weighing = weighed(&heap.build(), &Options::all());
    for finding in of_rule(&weighing, "D01") {
        let other = finding.holder.replace("Person.", "; at by_") + "{keys}, too";
        assert!(finding.fix.contains(&other), "{}", finding.fix);
    }
    let group = weighing.groups.iter().find(|group| group.rule == "D01");
    let group = group.expect("a group");
    assert_eq!(group.findings.len(), 2);
    assert_eq!(group.fix, "keep one copy of each value (intern them)");
}

/// An empty text that can be changed is made to be written to.
#[test]
fn empty_texts_are_shared_where_nobody_can_write_to_them() {
    let found = |is_mutable: bool| {
        let mut heap = HeapBuilder::new();
        if is_mutable {
            heap.layout(Mutable);
        }
        for at in 0..100 {
            let (notes, id) = (
                heap.string(""),
                heap.string(&format!("number {at}, like no other")),
            );
            let record = heap.record("Truck", &[("notes", notes), ("id", id)]);
            heap.variable("trucks", record);
        }
        let weighing = weighed(&heap.build(), &Options::all());
        let mut rules = weighing.findings.iter().chain(&weighing.options);
        rules.any(|finding| finding.rule == "D01")
    };
    assert!(found(false));
    assert!(!found(true));
}
