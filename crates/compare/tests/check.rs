//! Budgets, baselines and suppressions.

mod support;

use deadweight_compare::check::{Baseline, Check, Config, What, check};
use deadweight_rules::rulebook;
use deadweight_weighing::{Churned, Weighing};
use support::{Program, WASTEFUL, as_version_1, weighed};

fn config(text: &str) -> Config {
    Config::parse(text, rulebook()).unwrap_or_else(|error| panic!("{error}"))
}

fn checked(weighing: Weighing, text: &str) -> Check {
    check(&[weighing], &config(text), None)
}

fn keys(check: &Check) -> Vec<&str> {
    check.broken.iter().map(|broken| broken.key.as_str()).collect()
}

const GOOD: Program = Program {
    interned: true,
    dates: false,
    ..WASTEFUL
};

#[test]
fn every_budget_holds_and_breaks() {
    for (budget, key) in [
        ("[budget]\ndead_share = \"20 %\"", "budget.dead_share"),
        ("[budget]\ndead_sure_share = \"1 %\"", "budget.dead_sure_share"),
        ("[budget]\nheld = \"180 kB\"", "budget.held"),
        ("[budget.rules]\nd01 = 1_000", "budget.rules.D01"),
        (
            "[[budget.records]]\nholder = \"Visit\"\nbytes = 170",
            "budget.records",
        ),
        (
            "[[budget.records]]\nholder = \"Store.visits[]\"\nbytes = 170",
            "budget.records",
        ),
    ] {
        let good = checked(weighed(GOOD), budget);
        assert_eq!(
            (good.broken.len(), good.held),
            (0, 1),
            "{budget}: {:?}",
            good.broken
        );
        let bad = checked(weighed(WASTEFUL), budget);
        assert_eq!(keys(&bad), [key], "{budget}");
        assert!(bad.broken[0].line.is_some_and(|line| line >= 2));
    }
}

#[test]
fn a_broken_budget_names_the_finding_to_mend() {
    let bad = checked(weighed(WASTEFUL), "[budget.rules]\nD01 = 0");
    let finding = bad.broken[0].finding.as_ref().unwrap();
    assert_eq!((&*finding.rule, &*finding.holder), ("D01", "Visit.city"));
}

#[test]
fn what_is_not_measurable_is_broken_and_says_why() {
    let churn = "[budget]\nbytes_per_operation = 160";
    for (text, why) in [
        (churn, "no record of allocations"),
        ("[budget.rules]\nT01 = 0", "no weighing says so"),
        (
            "[[budget.records]]\nholder = \"Nobody\"\nbytes = 1",
            "nothing stands there",
        ),
    ] {
        let check = checked(weighed(GOOD), text);
        let [broken] = &check.broken[..] else {
            panic!("{text}: {check:#?}")
        };
        let What::NotMeasurable { why: reason, .. } = &broken.what else {
            panic!("{broken:?}")
        };
        assert!(reason.contains(why), "{reason}");
    }
    let mut counted = weighed(GOOD);
    counted.churned = Some(Churned {
        bytes: 3_200,
        objects: Some(10),
        kept_bytes: None,
        operations: 0,
        dead: 0,
        sampled: None,
        findings: Vec::new(),
        options: Vec::new(),
        sites: Vec::new(),
        rewrites: Vec::new(),
        allocated: None,
    });
    assert_eq!(
        keys(&checked(counted.clone(), churn)),
        ["budget.bytes_per_operation"]
    );
    counted.churned.as_mut().unwrap().operations = 20;
    assert!(checked(counted.clone(), churn).broken.is_empty());
    // A second weighing says what the first does not.
    assert!(
        check(&[weighed(GOOD), counted], &config(churn), None)
            .broken
            .is_empty()
    );
}

/// What claims next to nothing of the bytes is not what to look at.
#[test]
fn a_finding_too_small_to_matter_is_not_named() {
    let named = |saves| {
        let mut weighing = weighed(WASTEFUL);
        let finding = deadweight_weighing::Finding {
            saves,
            ..weighing.findings[0].clone()
        };
        weighing.churned = Some(Churned {
            bytes: 10_000_000,
            objects: Some(10),
            kept_bytes: None,
            operations: 0,
            dead: saves,
            sampled: None,
            findings: vec![finding],
            options: Vec::new(),
            sites: Vec::new(),
            rewrites: Vec::new(),
            allocated: None,
        });
        let check = checked(weighing, "[budget]\nchurned = \"9 MB\"");
        check.broken[0].finding.is_some()
    };
    assert!(named(500_000) && !named(5_000));
}

#[test]
fn suppressions_take_findings_out_and_go_stale() {
    let text =
        "[budget.rules]\nD01 = 0\n[[suppress]]\nrule = \"D01\"\nholder = \"Visit.city\"\nreason = \"known\"";
    let bad = checked(weighed(WASTEFUL), text);
    assert!(bad.broken.is_empty() && bad.stale.is_empty());
    let good = checked(weighed(GOOD), text);
    assert!(good.broken.is_empty());
    assert_eq!((good.stale.len(), good.stale[0].line), (1, 3));
}

#[test]
fn the_baseline_only_goes_down() {
    let file = "[baseline]\nfile = \"b.json\"";
    let of = |program, baseline: Option<&Baseline>| check(&[weighed(program)], &config(file), baseline);
    let interned = Program {
        interned: true,
        ..WASTEFUL
    };
    let first = of(interned, None);
    assert!(first.broken.is_empty() && first.better);
    let best = first.baseline.unwrap();

    let same = of(interned, Some(&best));
    assert!(same.broken.is_empty() && !same.better);

    let undone = of(WASTEFUL, Some(&best));
    let holders: Vec<_> = undone
        .broken
        .iter()
        .filter_map(|broken| broken.finding.as_ref())
        .map(|f| &*f.holder)
        .collect();
    assert_eq!(holders, ["Visit.city"]);
    assert!(
        !undone.better,
        "what is worse does not get in: {:#?}",
        undone.baseline
    );

    let improved = of(GOOD, Some(&best));
    assert!(improved.broken.is_empty() && improved.better);
    let better = improved.baseline.unwrap();
    assert!(better.held < best.held && better.findings.len() < best.findings.len());
    // What was good enough before is not any more.
    assert!(!of(interned, Some(&better)).broken.is_empty());
}

#[test]
fn a_class_by_another_name_is_no_new_finding() {
    let file = "[baseline]\nfile = \"b.json\"";
    let best = checked(weighed(WASTEFUL), file).baseline.unwrap();
    let renamed = check(
        &[weighed(Program {
            class: "Entry",
            ..WASTEFUL
        })],
        &config(file),
        Some(&best),
    );
    assert!(renamed.broken.is_empty(), "{:#?}", renamed.broken);
    let kept = renamed.baseline.unwrap();
    assert!(
        kept.findings
            .values()
            .all(|known| known.holder.starts_with("Entry"))
    );
}

#[test]
fn a_baseline_reads_back_and_others_are_refused() {
    let best = checked(weighed(WASTEFUL), "[baseline]\nfile = \"b.json\"")
        .baseline
        .unwrap();
    assert_eq!(Baseline::parse(best.text().as_bytes()).unwrap(), best);
    assert!(Baseline::parse(b"{}").is_err());
    let other = best.text().replace("baseline/1", "baseline/9");
    assert!(
        Baseline::parse(other.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("baseline/9")
    );
}

#[test]
fn configurations_that_mean_nothing_are_refused_at_their_line() {
    for (text, line, message) in [
        ("[budget]\nhelt = 3", 2, "helt"),
        ("[budget]\nheld = \"much\"", 2, "size"),
        ("[budget]\ndead_share = 3", 2, "share"),
        ("\n[budget.rules]\nZ99 = 1", 3, "Z99"),
        ("[[suppress]]\nrule = \"D01\"\nreason = \" \"", 1, "reason"),
        ("[[suppress]]\nrule = \"D01\"", 1, "reason"),
        ("[budget", 1, ""),
    ] {
        let error = Config::parse(text, rulebook()).expect_err(text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.problem.contains(message), "{text}: {error}");
    }
}

/// A weighing of version 1 does not say what savings rest on: nothing is measured then, and the other budgets hold.
#[test]
fn sure_dead_weight_needs_a_weighing_that_says_it() {
    let old = as_version_1(&weighed(WASTEFUL));
    let check = checked(
        old.clone(),
        "[budget]\ndead_sure_share = \"100 %\"\ndead_share = \"100 %\"",
    );
    assert_eq!((keys(&check), check.held), (vec!["budget.dead_sure_share"], 1));
    let What::NotMeasurable { why, .. } = &check.broken[0].what else {
        panic!("{:?}", check.broken[0]);
    };
    assert!(why.contains("version 1"), "{why}");
    // Neither one beside it that says it nor a loss of all texts makes up for that.
    let mut redacted = old.clone();
    for finding in redacted.findings.iter_mut().chain(&mut redacted.options) {
        finding.assumes = None;
    }
    for weighings in [vec![old, weighed(WASTEFUL)], vec![redacted]] {
        let config = config("[budget]\ndead_sure_share = \"100 %\"");
        let check = deadweight_compare::check::check(&weighings, &config, None);
        assert_eq!(keys(&check), ["budget.dead_sure_share"]);
    }
    let said = checked(weighed(WASTEFUL), "[budget]\ndead_sure_share = \"100 %\"");
    assert!(said.broken.is_empty());
}

#[test]
fn accepted_findings_are_no_sure_dead_weight() {
    let accepted = "[budget]\ndead_sure_share = 0\n[[suppress]]\nrule = \"D01\"\nreason = \"r\"\n";
    let check = checked(weighed(WASTEFUL), accepted);
    let found = check.broken.first().and_then(|broken| broken.finding.as_ref());
    assert!(found.is_none_or(|finding| finding.rule != "D01"), "{found:?}");
    assert!(check.figures.dead_sure < checked(weighed(WASTEFUL), "").figures.dead_sure);
}
