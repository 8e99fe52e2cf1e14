//! The best sizes for half-empty nodes: against published figures, a simulated tree, and every other choice.

use deadweight_allocators::{NAMES, by_name};
use deadweight_heap::nodes::{Form, Nodes};
use deadweight_heap::{Allocator, Exact, Rounded};
use deadweight_rules::sizes::{MOST_SIZES, Step, curve};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// How many of 1,381,819 inner nodes of an XRP Ledger server's `SHAMap` have 0, 1, … 16 children. Source:
/// <https://github.com/seelabs/shamap_compress>, the public measurement behind pull request 3661 of XRPLF/rippled.
const PUBLISHED: [u64; 17] = [
    1, 100_420, 550_490, 280_953, 195_927, 108_574, 45_531, 15_052, 4035, 897, 189, 207, 189, 1256, 6383,
    23_127, 48_588,
];

/// A child's hash of 32 bytes and its `shared_ptr` of 16.
const CHILD: u64 = 48;

const fn bare(used: &[u64]) -> Nodes<'_> {
    Nodes {
        used,
        slot_bytes: CHILD,
        now: Form::inline(0),
        then: Form::inline(0),
    }
}

#[test]
fn the_published_optima_and_shares() {
    let curve = curve(&bare(&PUBLISHED), &Exact);
    assert_eq!(curve.nodes, 1_381_819);
    assert_eq!(curve.bytes_now, 1_381_819 * 16 * CHILD);
    // Shares of the dense size are published cut, not rounded, to three digits.
    let found: Vec<(&[u64], u64)> = curve
        .steps
        .iter()
        .map(|step| (&step.sizes[..], step.bytes * 1000 / curve.bytes_now))
        .collect();
    let published: [(&[u64], u64); 5] = [
        (&[5, 16], 384),
        (&[3, 6, 16], 293),
        (&[2, 4, 6, 16], 259),
        (&[2, 3, 5, 7, 16], 246),
        (&[2, 3, 4, 5, 7, 16], 237),
    ];
    assert_eq!(found[..5], published);
    assert_eq!(curve.steps[2].saves / 1_000_000, 786);
}

#[test]
fn each_further_size_gains_less() {
    let curve = curve(&bare(&PUBLISHED), &Exact);
    assert_eq!(curve.steps.len(), MOST_SIZES);
    assert!(
        curve
            .steps
            .windows(2)
            .all(|pair| pair[1].gain <= pair[0].gain && pair[1].gain > 0)
    );
    assert_eq!(
        curve.steps.iter().map(|step| step.gain).sum::<i64>(),
        curve.steps[MOST_SIZES - 1].saves
    );
}

/// Used slots of the inner nodes of a 16-ary radix tree over random keys. An inner node stands wherever two keys
/// agree in all digits so far; its slots lead to inner nodes and leaves.
fn radix_tree(keys: usize, seed: u8) -> Vec<u64> {
    // Of each 256-bit key the first 64 bits: that two keys agree in all of them happens once in 10^8 such trees.
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut keys: Vec<u64> = (0..keys).map(|_| random.next_u64()).collect();
    keys.sort_unstable();
    let mut used = vec![0; 17];
    let mut nodes = vec![(&keys[..], 60)];
    while let Some((keys, shift)) = nodes.pop() {
        let mut children = 0;
        for child in keys.chunk_by(|a, b| (a >> shift) & 15 == (b >> shift) & 15) {
            children += 1;
            if child.len() > 1 {
                nodes.push((child, shift - 4));
            }
        }
        used[children] += 1;
    }
    used
}

/// Measured with glibc 2.36 as the change of `uordblks`: how much less the inner nodes of a tree of 500,000 random keys
/// cost with the sizes given. Dense nodes are one block of 80 bytes and 16 children; sparse ones have a tagged pointer
/// to an array of their own. Beside it, what bytes of children alone would promise.
///
/// The keys of that tree are not known, and trees of as many random keys differ by ±0.5 % in their number of inner
/// nodes. It differs by what an array of its own costs a node under glibc, 16 bytes: 2,630,160 bytes in all. So savings
/// are compared node by node.
#[test]
fn savings_measured_on_half_a_million_random_keys() {
    const NODES: u64 = 2_630_160 / 16;
    let measured: [(&[u64], u64); 3] = [
        (&[6, 16], 61_398_768),
        (&[2, 8, 16], 80_555_184),
        (&[2, 6, 9, 16], 85_715_728),
    ];
    let glibc = by_name("glibc").expect("known");
    for seed in 1..=5 {
        let used = radix_tree(500_000, seed);
        let nodes = Nodes {
            used: &used,
            slot_bytes: CHILD,
            now: Form::inline(80),
            then: Form::apart(88).with_size_field(0),
        };
        let curve = curve(&nodes, &*glibc);
        let agrees = |saved: u64, measured: u64| {
            let here = u128::from(saved) * u128::from(NODES);
            let there = u128::from(measured) * u128::from(curve.nodes);
            assert!(
                here.abs_diff(there) * 200 <= there,
                "seed {seed}: {saved} saved of {} nodes",
                curve.nodes
            );
        };
        for (step, (sizes, saved)) in curve.steps.iter().zip(measured) {
            assert_eq!(step.sizes, sizes);
            agrees(step.saves.unsigned_abs(), saved);
        }
        let saved = |nodes: &Nodes<'_>, now: u64, allocator: &dyn Allocator| {
            now - nodes.bytes_with(&[2, 4, 6, 16], allocator).expect("16 holds all")
        };
        let (charged, payload) = (
            saved(&nodes, curve.bytes_now, &*glibc),
            saved(&bare(&used), curve.nodes * 16 * CHILD, &Exact),
        );
        agrees(charged, 79_920_480);
        agrees(payload, 82_572_672);
        assert_eq!(payload - charged, 16 * curve.nodes, "the array's own chunk");
    }
}

#[test]
fn a_size_field_costs_what_the_allocator_makes_of_it() {
    let glibc = by_name("glibc").expect("known");
    let with = |bytes| Nodes {
        then: Form::inline(0).with_size_field(bytes),
        ..bare(&PUBLISHED)
    };
    let sizes = [2, 4, 6, 16];
    // Chunks of 48 s + 8 bytes, rounded to 16, have 8 bytes left over: a field of 8 is free, one of 9 is not.
    assert_eq!(
        with(8).bytes_with(&sizes, &*glibc),
        with(0).bytes_with(&sizes, &*glibc)
    );
    let more = with(9).bytes_with(&sizes, &*glibc).unwrap() - with(0).bytes_with(&sizes, &*glibc).unwrap();
    assert_eq!(more, 16 * 1_381_819);
    assert_eq!(
        curve(&with(1), &Exact).steps[0].saves,
        curve(&with(0), &Exact).steps[0].saves - 1_381_819
    );
}

#[test]
fn full_nodes_need_no_other_size() {
    assert!(curve(&bare(&[0, 0, 0, 7]), &Exact).steps.is_empty());
    assert!(curve(&bare(&[0, 0, 0, 0]), &Exact).steps.is_empty());
    assert!(curve(&bare(&[5]), &Exact).steps.is_empty());
}

#[test]
fn the_curve_ends_with_the_last_gain() {
    let curve = curve(&bare(&[0, 0, 3, 0, 1]), &Exact);
    assert_eq!(
        curve.steps,
        [Step {
            sizes: vec![2, 4],
            bytes: 10 * CHILD,
            saves: 6 * CHILD.cast_signed(),
            gain: 6 * CHILD.cast_signed()
        }]
    );
}

#[test]
fn sizes_that_the_allocator_rounds_alike_are_one() {
    let rounded = Rounded {
        name: "rounded",
        to: 4 * CHILD,
    };
    let curve = curve(&bare(&[0, 9, 9, 9, 9, 9, 9, 9, 9]), &rounded);
    let sizes: Vec<&[u64]> = curve.steps.iter().map(|step| &step.sizes[..]).collect();
    assert_eq!(sizes, [&[4, 8]]);
}

#[test]
fn empty_nodes_need_no_array() {
    let nodes = Nodes {
        then: Form::apart(8),
        ..bare(&[10, 0, 0, 0, 1])
    };
    let curve = curve(&nodes, &Exact);
    assert_eq!(curve.steps[0].sizes, [0, 4]);
    assert_eq!(curve.steps[0].bytes, 11 * 8 + 4 * CHILD);
}

#[test]
fn another_form_can_cost_more_than_sizes_save() {
    let nodes = Nodes {
        then: Form::apart(1000),
        ..bare(&[0, 1, 9])
    };
    assert_eq!(curve(&nodes, &Exact).steps[0].saves, CHILD.cast_signed() - 10_000);
}

#[test]
fn sizes_too_small_for_a_node_have_no_cost() {
    assert_eq!(bare(&PUBLISHED).bytes_with(&[2, 15], &Exact), None);
    assert_eq!(bare(&[1, 1, 0]).bytes_with(&[1], &Exact), Some(2 * CHILD));
}

#[test]
fn huge_counts_saturate() {
    let nodes = Nodes {
        slot_bytes: u64::MAX,
        ..bare(&[u64::MAX, u64::MAX, u64::MAX])
    };
    let curve = curve(&nodes, &Exact);
    assert_eq!(curve.bytes_now, u64::MAX);
}

#[test]
fn a_curve_is_evidence_in_json() {
    let curve = curve(&bare(&[0, 1, 0, 1]), &Exact);
    let json = serde_json::to_value(&curve).unwrap();
    assert_eq!(json["steps"][0]["sizes"], serde_json::json!([1, 3]));
    assert_eq!(
        serde_json::from_value::<deadweight_rules::sizes::Curve>(json).unwrap(),
        curve
    );
}

/// All choices of `others` sizes below n, tried one by one: the cheapest, of equals the one whose largest sizes are
/// smaller.
fn by_trying_all(nodes: &Nodes<'_>, others: usize, allocator: &dyn Allocator) -> Option<(u64, Vec<u64>)> {
    let slots = nodes.used.len() as u64 - 1;
    (0_u32..1 << slots)
        .filter(|choice| choice.count_ones() as usize == others)
        .map(|choice| {
            let mut sizes: Vec<u64> = (0..slots).filter(|size| choice >> size & 1 == 1).collect();
            sizes.push(slots);
            let bytes = nodes
                .bytes_with(&sizes, allocator)
                .expect("the largest holds all");
            sizes.reverse();
            (bytes, sizes)
        })
        .min()
        .map(|(bytes, mut sizes)| {
            sizes.reverse();
            (bytes, sizes)
        })
}

fn allocators() -> Vec<Box<dyn Allocator>> {
    let mut all: Vec<Box<dyn Allocator>> = vec![Box::new(Exact), Box::new(Rounded { name: "r", to: 64 })];
    all.extend(
        NAMES
            .iter()
            .map(|name| -> Box<dyn Allocator> { by_name(name).expect(name) }),
    );
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_other_choice_is_better(
        used in prop::collection::vec(prop_oneof![Just(0_u64), 1..6_u64, 0..1_000_000_u64], 1..10),
        slot_bytes in prop_oneof![1..100_u64, 1..5000_u64],
        header in 0..100_u64,
        field in 0..9_u64,
        apart in any::<bool>(),
    ) {
        let then = if apart { Form::apart(header + 8) } else { Form::inline(header) }.with_size_field(field);
        let nodes = Nodes { used: &used, slot_bytes, now: Form::inline(header), then };
        for allocator in allocators() {
            let curve = curve(&nodes, &*allocator);
            let mut before = nodes.bytes_with(&[used.len() as u64 - 1], &*allocator).expect("holds all");
            let mut gain = u64::MAX;
            for others in 1..=MOST_SIZES {
                let tried = by_trying_all(&nodes, others, &*allocator);
                if let Some(step) = curve.steps.get(others - 1) {
                    prop_assert_eq!(tried, Some((step.bytes, step.sizes.clone())));
                    prop_assert!(step.bytes < before && before - step.bytes <= gain);
                    prop_assert_eq!(step.saves, curve.bytes_now.cast_signed() - step.bytes.cast_signed());
                    gain = before - step.bytes;
                    before = step.bytes;
                } else {
                    prop_assert!(tried.is_none_or(|(bytes, _)| bytes >= before), "the curve ends too early");
                }
            }
        }
    }
}
