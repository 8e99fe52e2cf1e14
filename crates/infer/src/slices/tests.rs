//! Slices of known length that stand for others.

use super::*;

fn slices(count: usize, share: u64, copy: u64) -> impl Iterator<Item = Known> {
    let more = copy;
    std::iter::repeat_with(move || Known { share, copy, more }).take(count)
}

#[test]
fn a_few_stand_for_no_others() {
    assert_eq!(mean(&slices(29, 1000, 40).collect::<Vec<_>>(), 2064), None);
    let enough = mean(&slices(30, 1000, 40).collect::<Vec<_>>(), 2064).unwrap();
    assert_eq!((enough.bytes, enough.threshold, enough.slices), (40, 40, 30));
}

#[test]
fn slices_of_small_texts_do_not_speak_for_those_of_large_ones() {
    // All slices are a third of their text.
    let known: Vec<_> = slices(100, 90, 30).chain(slices(100, 9000, 3000)).collect();
    let mean = mean(&known, 2064).unwrap();
    assert_eq!((mean.bytes, mean.slices), (3000, 100));
}

#[test]
fn slices_that_are_most_of_their_texts_make_all_healthy() {
    let known: Vec<_> = slices(100, 100, 90).chain(slices(100, 10_000, 9000)).collect();
    let mean = mean(&known, 2064).unwrap();
    assert!(mean.threshold >= 9000, "{mean:?}");
}

#[test]
fn short_slices_of_large_texts_are_not_made_longer_by_the_others() {
    let known: Vec<_> = slices(100, 100, 90).chain(slices(100, 10_000, 30)).collect();
    let mean = mean(&known, 2064).unwrap();
    assert_eq!((mean.bytes, mean.threshold, mean.slices), (30, 60, 100));
}
