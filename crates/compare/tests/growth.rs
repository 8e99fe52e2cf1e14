//! What one moment holds beyond another, and budgets on it.

mod support;

use deadweight_compare::check::{Config, What, check};
use deadweight_compare::growth;
use deadweight_rules::rulebook;
use support::{Program, WASTEFUL, weighed};

const HEALTHY: Program = Program {
    interned: true,
    dates: false,
    ..WASTEFUL
};

fn keys(before: Program, after: Program, config: &str) -> Vec<(String, Option<String>)> {
    let grown = growth(&weighed(before), &weighed(after));
    let made = check(&[grown], &Config::parse(config, rulebook()).unwrap(), None);
    let rule = |finding: &deadweight_weighing::Finding| finding.rule.clone();
    let broken = made.broken.iter();
    broken
        .map(|broken| (broken.key.clone(), broken.finding.as_ref().map(rule)))
        .collect()
}

#[test]
fn nothing_has_grown_between_equal_moments() {
    let grown = growth(&weighed(WASTEFUL), &weighed(WASTEFUL));
    assert_eq!(
        (grown.held.bytes, grown.held.dead, grown.external.bytes),
        (0, 0, 0)
    );
    assert!(grown.findings.is_empty());
    assert!(grown.holdings.unwrap().places.is_empty());
}

#[test]
fn the_ledger_of_a_growth_adds_up() {
    let half = Program {
        records: 500,
        ..WASTEFUL
    };
    let (before, after) = (weighed(half), weighed(WASTEFUL));
    let grown = growth(&before, &after);
    assert_eq!(grown.held.bytes, after.held.bytes - before.held.bytes);
    assert_eq!(
        grown.held.content + grown.held.runtime + grown.held.dead,
        grown.held.bytes
    );
    let claimed: u64 = grown.findings.iter().map(|finding| finding.saves).sum();
    assert_eq!(claimed, grown.held.dead + grown.external.dead);
    let dates = grown
        .findings
        .iter()
        .find(|finding| finding.rule == "L03")
        .unwrap();
    assert_eq!(dates.count, 500, "those that came");
}

#[test]
fn what_was_let_go_hides_no_dead_weight() {
    let before = Program {
        log: 100_000,
        ..HEALTHY
    };
    let grown = growth(&weighed(before), &weighed(WASTEFUL));
    assert!(grown.held.dead > 0);
    assert_eq!(grown.held.bytes, grown.held.dead);
}

#[test]
fn what_is_listed_at_another_place_has_not_come() {
    let (before, mut after) = (weighed(WASTEFUL), weighed(WASTEFUL));
    let at = |weighing: &mut deadweight_weighing::Weighing| {
        let found = weighing.findings.iter().position(|finding| finding.rule == "D01");
        found.expect("the names are duplicates")
    };
    let first = at(&mut after);
    let mut elsewhere = after.findings[first].clone();
    elsewhere.holder = "Cache.names[]".into();
    elsewhere.fingerprint = "elsewhere".into();
    elsewhere.saves /= 2;
    after.findings[first].saves -= elsewhere.saves;
    after.findings.push(elsewhere);
    assert_eq!(growth(&before, &after).findings, []);

    // What is more than moved has come, and is reported where most of it is.
    after.findings.last_mut().unwrap().saves += 1_000;
    let grown = growth(&before, &after);
    let listed: Vec<_> = grown
        .findings
        .iter()
        .map(|finding| (finding.holder.as_str(), finding.saves))
        .collect();
    assert_eq!(listed, [("Cache.names[]", 1_000)]);
}

#[test]
fn budgets_limit_what_came_and_name_the_finding() {
    let few = Program {
        records: 10,
        ..HEALTHY
    };
    let none = "[budget]\nfindings = []";
    assert_eq!(
        keys(few, HEALTHY, "[budget]\nfindings = [\"L03\"]"),
        [],
        "but for its boxed numbers"
    );
    let found = keys(few, WASTEFUL, none);
    for rule in ["D01", "L03"] {
        assert!(
            found.contains(&("budget.findings".into(), Some(rule.into()))),
            "{found:?}"
        );
    }
    let allowed = keys(few, WASTEFUL, "[budget]\nfindings = [\"d01\", \"L03\", \"L05\"]");
    assert_eq!(allowed, []);
    let held = keys(few, WASTEFUL, "[budget]\nheld = \"1 kB\"");
    assert_eq!(held.len(), 1);
    assert!(held[0].1.is_some(), "{held:?}");
    assert_eq!(keys(WASTEFUL, WASTEFUL, "[budget]\nheld = 0\ndead_share = 0"), []);
}

#[test]
fn an_unknown_rule_in_the_list_is_reported_with_its_line() {
    let error = Config::parse("[budget]\nfindings = [\"Z99\"]", rulebook()).unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.problem.contains("Z99"), "{error}");
}

#[test]
fn a_record_of_allocations_is_not_compared_between_moments() {
    let grown = growth(&weighed(HEALTHY), &weighed(HEALTHY));
    let config = Config::parse("[budget]\nchurned = \"1 MB\"", rulebook()).unwrap();
    let made = check(&[grown], &config, None);
    assert!(matches!(made.broken[0].what, What::NotMeasurable { .. }));
}
