//! Half-empty nodes, mended with other sizes than the best: what their evidence says of it.

use deadweight_heap::Allocator;
use deadweight_heap::nodes::{Form, Nodes};
use deadweight_weighing::Finding;
use serde_json::Value;

/// From a node to its slots, in bytes.
const REFERENCE: u64 = 8;

/// What a finding of half-empty nodes promises for slots of other sizes than the best, in bytes: from its evidence
/// alone, as the allocator charges. None when the evidence does not say, or the sizes are not for such nodes.
#[must_use]
pub fn saves_with(finding: &Finding, sizes: &[u64], allocator: &dyn Allocator) -> Option<i64> {
    let of = Slots::of(finding)?;
    let then = of.nodes().bytes_with(sizes, allocator)?;
    Some(of.now(allocator).cast_signed() - then.cast_signed())
}

/// Sizes as a caller writes them, such as `6,16`, smallest first; none where it is something else.
pub(crate) fn sizes(way: &str) -> Option<Vec<u64>> {
    let sizes: Result<Vec<u64>, _> = way.split(',').map(|size| size.trim().parse()).collect();
    sizes.ok().filter(|sizes| sizes.is_sorted())
}

/// The same the other way round.
pub(crate) fn way(sizes: &[u64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    sizes.join(",")
}

/// What becomes of nodes whose slots get blocks of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    /// Bytes that go from where the nodes are, whatever the sizes.
    pub(crate) bytes: i64,
    /// How many nodes have slots in use, and so a second block.
    pub(crate) blocks: u64,
}

/// That, when the finding is of such nodes.
pub(crate) fn moved(finding: &Finding, allocator: &dyn Allocator) -> Option<Moved> {
    let of = Slots::of(finding)?;
    let nodes: u64 = of.used.iter().sum();
    let headers = nodes * of.nodes().then.charged(0, of.slot_bytes, allocator);
    Some(Moved {
        bytes: of.now(allocator).cast_signed() - headers.cast_signed(),
        blocks: nodes - of.used.first().copied().unwrap_or(0),
    })
}

/// The evidence.
struct Slots {
    used: Vec<u64>,
    /// Slots of each node as it is.
    each: u64,
    slot_bytes: u64,
    header_bytes: u64,
}

impl Slots {
    fn of(finding: &Finding) -> Option<Self> {
        let number = |name: &str| finding.evidence.get(name).and_then(Value::as_u64);
        Some(Self {
            used: serde_json::from_value(finding.evidence.get("used_slots")?.clone()).ok()?,
            each: number("slots")?,
            slot_bytes: number("slot_bytes")?,
            header_bytes: number("header_bytes")?,
        })
    }

    fn nodes(&self) -> Nodes<'_> {
        Nodes {
            used: &self.used,
            slot_bytes: self.slot_bytes,
            now: Form::inline(self.header_bytes),
            then: Form::apart(self.header_bytes + REFERENCE),
        }
    }

    /// Bytes charged as they are.
    fn now(&self, allocator: &dyn Allocator) -> u64 {
        let each = self.nodes().now.charged(self.each, self.slot_bytes, allocator);
        each * self.used.iter().sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use deadweight_weighing::{Confidence, Tier};
    use serde_json::json;

    use super::*;

    fn nodes() -> Finding {
        Finding {
            rule: "C02".into(),
            holder: "Inner".into(),
            site: None,
            count: 3,
            unaffected: 0,
            bytes_now: 1,
            bytes_after: 0,
            saves: 1,
            saves_alone: 1,
            external: false,
            confidence: Confidence::Exact,
            tier: Tier::Sure,
            assumes: None,
            fingerprint: String::new(),
            title: String::new(),
            fix: String::new(),
            evidence: serde_json::Map::new(),
            frees: Vec::new(),
            shared: Vec::new(),
            path: Vec::new(),
            line: None,
        }
    }

    #[test]
    fn other_sizes_are_priced_from_the_evidence() {
        let mut nodes = nodes();
        // Two nodes with one slot of 48 bytes in use, one with all four; 64 bytes beside the slots.
        for (name, value) in [
            ("used_slots", json!([0, 2, 0, 0, 1])),
            ("slots", json!(4)),
            ("slot_bytes", json!(48)),
            ("header_bytes", json!(64)),
        ] {
            nodes.evidence.insert(name.into(), value);
        }
        let glibc = deadweight_allocators::by_name("glibc").expect("a model");
        let saved = |nodes: &Finding, sizes: &[u64]| saves_with(nodes, sizes, &*glibc);
        // Now 3 × 272. Then each has 80, and a block of 112 for two slots or 208 for four.
        assert_eq!(saved(&nodes, &[2, 4]), Some(3 * 272 - 3 * 80 - 2 * 112 - 208));
        assert_eq!(saved(&nodes, &[2]), None, "four slots do not go into two");
        let moved = moved(&nodes, &*glibc).expect("half-empty nodes");
        assert_eq!((moved.bytes, moved.blocks), (3 * 272 - 3 * 80, 3));
        nodes.evidence.remove("header_bytes");
        assert_eq!(saved(&nodes, &[2, 4]), None);
    }

    #[test]
    fn sizes_are_read_as_they_are_written() {
        assert_eq!(sizes("6, 16"), Some(vec![6, 16]));
        assert_eq!(sizes(&way(&[2, 4, 16])), Some(vec![2, 4, 16]));
        for other in ["packed", "16,6", "", "6,"] {
            assert_eq!(sizes(other), None, "{other}");
        }
    }
}
