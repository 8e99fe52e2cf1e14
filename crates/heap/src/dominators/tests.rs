use proptest::prelude::*;

use super::*;
use crate::{EdgesBuilder, Via};

/// A heap of so many rows with these references; the third says whether one is weak.
fn edges(rows: u32, of: &[(u32, u32, bool)]) -> Edges {
    let mut builder = EdgesBuilder::default();
    for row in 0..rows {
        for &(_, to, weak) in of.iter().filter(|(from, ..)| *from == row) {
            let kind = if weak { EdgeKind::Weak } else { EdgeKind::Internal };
            builder.push(Via::new(kind, 0), to);
        }
        builder.end_row();
    }
    builder.finish()
}

/// The rows that can be reached from these without any row of `gone`, by the definition.
fn reached(rows: u32, of: &[(u32, u32, bool)], roots: &[u32], gone: &[u32]) -> Vec<bool> {
    let mut met = vec![false; rows as usize];
    let mut open: Vec<u32> = roots.to_vec();
    while let Some(row) = open.pop() {
        if gone.contains(&row) || std::mem::replace(&mut met[row as usize], true) {
            continue;
        }
        open.extend(
            of.iter()
                .filter(|(from, _, weak)| *from == row && !weak)
                .map(|(_, to, _)| *to),
        );
    }
    met
}

/// The rows from which every row that reaches them can be reached: those nobody refers to, and whole cycles.
fn roots(rows: u32, of: &[(u32, u32, bool)]) -> Vec<u32> {
    let from: Vec<Vec<bool>> = (0..rows).map(|row| reached(rows, of, &[row], &[])).collect();
    let is_root = |row: u32| {
        (0..rows).all(|other| !from[other as usize][row as usize] || from[row as usize][other as usize])
    };
    (0..rows).filter(|&row| is_root(row)).collect()
}

fn bytes(row: ObjectId) -> u64 {
    1 + u64::from(row) * 7
}

/// What goes when these rows go, by the definition.
fn lost(rows: u32, of: &[(u32, u32, bool)], gone: &[u32]) -> u64 {
    let met = reached(rows, of, &roots(rows, of), gone);
    (0..rows).filter(|&row| !met[row as usize]).map(bytes).sum()
}

#[test]
fn an_object_retains_what_hangs_on_it_alone() {
    // 0 → 1 → 3, 0 → 2 → 3, 3 → 4; 5 → 4 weakly.
    let of = [
        (0, 1, false),
        (1, 3, false),
        (0, 2, false),
        (2, 3, false),
        (3, 4, false),
        (5, 4, true),
    ];
    let tree = Dominators::new(6, &edges(6, &of));
    let above: Vec<_> = (0..6).map(|row| tree.immediate(row)).collect();
    assert_eq!(above, [None, Some(0), Some(0), Some(0), Some(3), None]);
    assert_eq!(tree.retained(|_| 10), [50, 10, 10, 20, 10, 10]);
    assert_eq!(tree.immediate(6), None);
}

#[test]
fn nothing_counts_twice_within_a_group() {
    // A list of three links with a text each.
    let of = [
        (0, 1, false),
        (1, 2, false),
        (0, 3, false),
        (1, 4, false),
        (2, 5, false),
    ];
    let tree = Dominators::new(6, &edges(6, &of));
    let sums = tree.retained_by_group(2, |row| u32::from(row > 2), |_| 10);
    assert_eq!(sums, [60, 30]);
    assert_eq!(tree.retained_by_group(1, |_| NONE, |_| 10), [0]);
}

#[test]
fn a_cycle_that_nothing_refers_to_is_held_at_each_of_its_rows() {
    let of = [(1, 0, false), (0, 1, false), (0, 2, false), (1, 3, false)];
    let tree = Dominators::new(4, &edges(4, &of));
    assert_eq!(tree.retained(|_| 1), [2, 2, 1, 1]);
}

#[test]
fn a_long_list_needs_no_deep_stack() {
    let rows = 300_000;
    let mut builder = EdgesBuilder::default();
    for row in 0..rows {
        if row + 1 < rows {
            builder.push(Via::default(), row + 1);
        }
        builder.end_row();
    }
    let tree = Dominators::new(rows as usize, &builder.finish());
    assert_eq!(tree.retained(|_| 1)[0], u64::from(rows));
    assert_eq!(tree.retained_by_group(1, |_| 0, |_| 1), [u64::from(rows)]);
}

#[test]
fn an_empty_heap_has_an_empty_tree() {
    let tree = Dominators::new(0, &Edges::default());
    assert!(tree.retained(|_| 1).is_empty());
    assert_eq!(tree.retained_by_group(1, |_| 0, |_| 1), [0]);
}

fn heaps() -> impl Strategy<Value = (u32, Vec<(u32, u32, bool)>)> {
    (1..24_u32).prop_flat_map(|rows| {
        let edge = (0..rows, 0..rows, prop::bool::weighted(0.1));
        // Few references make trees and roots, many make cycles.
        (
            Just(rows),
            prop::collection::vec(edge, 0..(rows as usize * 5 / 2)),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn retained_is_what_would_go((rows, of) in heaps()) {
        let tree = Dominators::new(rows as usize, &edges(rows, &of));
        for (row, retained) in tree.retained(bytes).into_iter().enumerate() {
            prop_assert_eq!(retained, lost(rows, &of, &[row as u32]), "row {}", row);
        }
    }

    #[test]
    fn a_group_holds_no_more_than_what_would_go_with_it(
        (rows, of) in heaps(),
        colours in prop::collection::vec(0..3_u32, 24),
    ) {
        let tree = Dominators::new(rows as usize, &edges(rows, &of));
        let group = |row: ObjectId| colours[row as usize];
        let sums = tree.retained_by_group(3, group, bytes);
        for (colour, &sum) in sums.iter().enumerate() {
            let members: Vec<u32> = (0..rows).filter(|&row| group(row) == colour as u32).collect();
            let all = lost(rows, &of, &members);
            let own: u64 = members.iter().map(|&row| bytes(row)).sum();
            prop_assert!(own <= sum && sum <= all, "{} ≤ {} ≤ {}", own, sum, all);
        }
    }
}
