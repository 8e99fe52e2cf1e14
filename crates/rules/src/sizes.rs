//! The best sizes for nodes whose slots are mostly empty.
//!
//! Given how many nodes use 0, 1, … n slots, [`curve`] finds for each number of sizes which ones make the nodes cost
//! least, and what each further size gains. A node takes the smallest size that holds its used slots; the largest
//! size is always n, so every node fits. Costs are what the allocator charges, so that a size it would round up
//! anyway is not sold as a saving. All figures are bytes and whole numbers, and saturate instead of overflowing.
//!
//! The sizes are found by dynamic programming. Let c(s) be the charge of a node with s slots, and N(a, b) the nodes
//! that use more than a and at most b. The least cost of all nodes that use at most s, with s the largest of j sizes,
//! is
//!
//! > best(j, s) = min over t < s of best(j − 1, t) + c(s) · N(t, s)
//!
//! Only counts that some node uses can be best, since any other size could shrink to the next of them. Where sizes
//! cost the same the smaller wins, the largest compared first. Because c never falls as s grows, each further size
//! gains at most what the one before it did: the first that gains nothing ends the curve.

use deadweight_heap::Allocator;
use deadweight_heap::nodes::Nodes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// At most so many sizes besides the largest: two or three bits in a pointer can distinguish no more.
pub const MOST_SIZES: usize = 6;

/// What each further size gains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Curve {
    /// Nodes in all.
    pub nodes: u64,
    /// Slots of each node as it is, which is also the largest size.
    pub slots: u64,
    /// Bytes of a slot.
    pub slot_bytes: u64,
    /// Bytes charged for the nodes as they are.
    pub bytes_now: u64,
    /// One size besides the largest, then two, and so on to [`MOST_SIZES`]; ends before the first that gains
    /// nothing.
    pub steps: Vec<Step>,
}

/// The best sizes of one number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// In slots, smallest first; the last is what every node has now.
    pub sizes: Vec<u64>,
    /// Bytes charged for the nodes with these sizes.
    pub bytes: u64,
    /// Bytes less than now; negative if the other form costs more than the sizes save.
    pub saves: i64,
    /// Bytes less than with one size fewer; for the first step, less than now.
    pub gain: i64,
}

/// The best sizes for 1, 2, … [`MOST_SIZES`] sizes besides the largest.
///
/// Takes time in the number of sizes times the square of the different counts of used slots.
///
/// # Panics
///
/// If `nodes.used` is empty.
pub fn curve(nodes: &Nodes<'_>, allocator: &dyn Allocator) -> Curve {
    let slots = nodes
        .used
        .len()
        .checked_sub(1)
        .expect("there is an entry for nodes that use no slot") as u64;
    let bytes_now = narrow(product(
        nodes.count(),
        nodes.now.charged(slots, nodes.slot_bytes, allocator),
    ));
    let table = Table::new(nodes, slots, allocator);
    let mut steps: Vec<Step> = Vec::new();
    let mut least = table.whole(0);
    for others in 1..=MOST_SIZES.min(table.counts.len() - 1) {
        let bytes = table.whole(others);
        if bytes >= least {
            break;
        }
        least = bytes;
        let bytes = narrow(bytes);
        let before = steps.last().map_or(bytes_now, |step| step.bytes);
        steps.push(Step {
            sizes: table.sizes(others),
            bytes,
            saves: difference(bytes_now, bytes),
            gain: difference(before, bytes),
        });
    }
    Curve {
        nodes: narrow(nodes.count()),
        slots,
        slot_bytes: nodes.slot_bytes,
        bytes_now,
        steps,
    }
}

/// Best costs for every number of sizes and every largest one among the counts that occur.
struct Table {
    /// Counts of used slots that some node has, ascending; the last is n.
    counts: Vec<u64>,
    /// `rows[j][s]`: the least cost of all nodes that use at most `counts[s]`, with that as the largest of j + 1
    /// sizes, and the row index of the next smaller size. `None` where there are too few counts for so many sizes.
    rows: Vec<Vec<Option<(u128, usize)>>>,
}

impl Table {
    fn new(nodes: &Nodes<'_>, slots: u64, allocator: &dyn Allocator) -> Self {
        let mut counts = Vec::new();
        let mut charges = Vec::new();
        let mut sums = Vec::new();
        let mut sum = 0_u128;
        for (used, &number) in (0_u64..).zip(nodes.used) {
            sum += u128::from(number);
            if number > 0 || used == slots {
                counts.push(used);
                charges.push(nodes.then.charged(used, nodes.slot_bytes, allocator));
                sums.push(sum);
            }
        }
        let first = sums
            .iter()
            .zip(&charges)
            .map(|(&sum, &charge)| Some((product(sum, charge), 0)))
            .collect();
        let mut rows: Vec<Vec<Option<(u128, usize)>>> = vec![first];
        for sizes in 1..=MOST_SIZES {
            let below = &rows[sizes - 1];
            let least = |size: usize| {
                (0..size)
                    .filter_map(|smaller| {
                        let cost = product(sums[size] - sums[smaller], charges[size]);
                        Some((below[smaller]?.0.saturating_add(cost), smaller))
                    })
                    .min()
            };
            let row = (0..counts.len()).map(least).collect();
            rows.push(row);
        }
        Self { counts, rows }
    }

    /// The least cost of all nodes with `others` sizes besides the largest.
    fn whole(&self, others: usize) -> u128 {
        let last = self.rows[others].last().copied().flatten();
        last.expect("not more sizes than counts").0
    }

    /// The sizes of that cost, ascending.
    fn sizes(&self, others: usize) -> Vec<u64> {
        let mut at = self.counts.len() - 1;
        let mut sizes = vec![self.counts[at]];
        for row in self.rows[1..=others].iter().rev() {
            at = row[at].expect("part of a best choice").1;
            sizes.push(self.counts[at]);
        }
        sizes.reverse();
        sizes
    }
}

fn product(nodes: u128, bytes: u64) -> u128 {
    nodes.saturating_mul(bytes.into())
}

fn narrow(bytes: u128) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

fn difference(from: u64, to: u64) -> i64 {
    let magnitude = i64::try_from(from.abs_diff(to)).unwrap_or(i64::MAX);
    if from < to { -magnitude } else { magnitude }
}
