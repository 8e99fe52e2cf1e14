//! Weighings of version 1 compare with those of today.

mod support;

use deadweight_compare::Proof;
use deadweight_compare::check::{Config, check};
use deadweight_compare::diff::diff;
use deadweight_compare::prove::{Options, prove};
use deadweight_rules::rulebook;
use deadweight_weighing::Weighing;
use support::{Program, WASTEFUL, as_version_1, weighed};

fn sides() -> [Weighing; 2] {
    let after = Program {
        interned: true,
        ..WASTEFUL
    };
    [weighed(WASTEFUL), weighed(after)]
}

#[test]
fn a_proof_is_the_same_whichever_version_a_side_has() {
    let [before, after] = sides();
    let today = prove(&before, &after, &Options::default());
    assert!(today.measured.held > 70_000);
    for (before, after) in [
        (as_version_1(&before), after.clone()),
        (before.clone(), as_version_1(&after)),
        (as_version_1(&before), as_version_1(&after)),
    ] {
        let mixed = prove(&before, &after, &Options::default());
        // What each side says of itself is its own.
        let sides = Proof {
            before: today.before.clone(),
            after: today.after.clone(),
            ..mixed
        };
        assert_eq!(sides, today);
    }
}

#[test]
fn a_difference_is_the_same_whichever_version_a_side_has() {
    let [before, after] = sides();
    let moment = |weighing: &Weighing| weighing.clone();
    let today = diff(&[moment(&before), moment(&after)]).expect("two moments");
    let mixed = diff(&[as_version_1(&before), moment(&after)]).expect("two moments");
    assert_eq!(mixed, today);
}

#[test]
fn a_check_is_the_same_whichever_version_a_side_has() {
    let budget = "[budget]\ndead_share = \"20 %\"\nheld = \"180 kB\"\n[budget.rules]\nD01 = 0";
    let config = Config::parse(budget, rulebook()).expect("a configuration");
    for side in sides() {
        let today = check(std::slice::from_ref(&side), &config, None);
        let old = check(&[as_version_1(&side)], &config, None);
        let keys = |check: &deadweight_compare::check::Check| {
            let keys = check
                .broken
                .iter()
                .map(|broken| (broken.key.clone(), broken.what.clone()));
            keys.collect::<Vec<_>>()
        };
        assert_eq!(keys(&old), keys(&today));
        assert_eq!(old.figures.dead, today.figures.dead);
        assert_eq!(old.figures.dead_sure, None);
    }
}
