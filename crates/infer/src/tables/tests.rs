//! Where slots begin, and what stands at one distance.

use super::*;

#[test]
fn slots_begin_where_references_tell() {
    let slots = Slots { words: 3, begin: 2 };
    let of: Vec<u64> = (0..8).map(|word| slots.of(word)).collect();
    assert_eq!(of, [0, 0, 1, 1, 1, 2, 2, 2]);
}

#[test]
fn what_has_an_order_repeats() {
    let even: Vec<u64> = (0..100)
        .flat_map(|object| [object * 50, object * 50 + 7])
        .collect();
    assert!(repeats(&even));
    let odd: Vec<u64> = (0..100_u64).map(|at| at * at * 5).collect();
    assert!(!repeats(&odd));
}
