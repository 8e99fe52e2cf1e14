//! Nodes among the places that references lead to.

use super::*;

#[test]
fn the_distance_is_that_of_the_nodes_though_some_are_free() {
    let offsets: Vec<u64> = (0..40_u64)
        .filter(|node| node % 5 != 2)
        .flat_map(|node| [node * 784, node * 784 + 16])
        .collect();
    let (stride, starts) = nodes(&offsets).unwrap();
    assert_eq!((stride, starts.len(), starts[1]), (784, 32, 784));
}

#[test]
fn places_without_a_distance_are_no_nodes() {
    let mut offsets: Vec<u64> = (0..200_u64).map(|at| at * at * at % 100_003 * 8).collect();
    offsets.sort_unstable();
    offsets.dedup();
    assert_eq!(nodes(&offsets), None);
    assert_eq!(nodes(&[]), None);
    assert_eq!(nodes(&[8]), None);
}

#[test]
fn what_a_pool_notes_behind_few_nodes_moves_none_of_them() {
    assert_eq!(nodes(&[0, 656, 1312, 2352]), Some((656, vec![0, 656, 1312])));
}

#[test]
fn nodes_begin_behind_the_widest_gap() {
    assert_eq!(first(&[0, 16], 784), 0);
    assert_eq!(first(&[8, 776], 784), 776);
    assert_eq!(first(&[40], 784), 40);
}
