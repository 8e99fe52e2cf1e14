//! Moments of one program.

mod support;

use deadweight_compare::diff::{Course, Diff, Unfit, diff};
use deadweight_weighing::Weighing;
use support::{Program, WASTEFUL, weighed};

fn moments(logs: &[usize]) -> Vec<Weighing> {
    let moment = |&log| {
        weighed(Program {
            log,
            records: 200,
            ..WASTEFUL
        })
    };
    logs.iter().map(moment).collect()
}

fn log(diff: &Diff) -> &Course {
    let log = diff.places.iter().find(|place| place.holder == "Store.log[]");
    log.unwrap_or_else(|| panic!("{:#?}", diff.places))
}

#[test]
fn two_moments_show_growth_and_suspect_nothing() {
    let diff = diff(&moments(&[100, 5_000])).unwrap();
    assert!(!diff.can_suspect && diff.places.iter().all(|place| !place.suspect));
    assert_eq!(log(&diff).count, [Some(100), Some(5_000)]);
    assert_eq!(diff.places[0].holder, "Store.log[]");
}

#[test]
fn what_grows_over_three_moments_is_suspected() {
    let diff = diff(&moments(&[100, 1_000, 2_000])).unwrap();
    assert!(log(&diff).suspect);
    let suspects: Vec<_> = diff
        .places
        .iter()
        .filter(|place| place.suspect)
        .map(|place| &place.holder)
        .collect();
    assert_eq!(suspects, ["Store.log[]"]);
}

#[test]
fn what_fills_up_or_goes_back_is_not_suspected() {
    for logs in [[100, 1_000, 1_100], [100, 2_000, 1_900], [100, 1_000, 1_000]] {
        let diff = diff(&moments(&logs)).unwrap();
        assert!(
            diff.places.iter().all(|place| !place.suspect),
            "{logs:?}: {diff:#?}"
        );
    }
}

#[test]
fn moments_that_are_alike_show_nothing() {
    let diff = diff(&moments(&[100, 100, 100])).unwrap();
    assert!(diff.places.is_empty() && diff.grown.sum() == 0);
}

#[test]
fn what_cannot_be_compared_is_said() {
    assert_eq!(diff(&moments(&[1])), Err(Unfit::TooFew));
    let mut two = moments(&[1, 2]);
    two[1].holdings = None;
    assert!(matches!(diff(&two), Err(Unfit::NoPlaces(_))));
}
