//! Nodes with slots: how they lie in memory, which sizes are worth their while, and what these save.

use deadweight_heap::nodes::{Form, Nodes};
use deadweight_heap::{Allocator, Heap, ObjectId};

use super::evidence::{list, show};
use crate::Candidate;
use crate::count::Count;
use crate::sizes::{Curve, Step, curve};
use crate::slots::{Found, Part};

/// A finding saves one in so many bytes…
const SHARE: u64 = 10;
/// … and at least this.
const LEAST: u64 = 4096;

/// A further size gains one in so many bytes of what the nodes take now.
const GAIN_SHARE: u64 = 50;

/// With the largest that is what two bits of a reference tell apart.
const MOST_SIZES: usize = 3;

/// What a node has beside its slots.
pub(super) fn header(found: &Found, node: u64) -> Option<u64> {
    node.checked_sub(found.array.slots as u64 * found.array.slot_bytes())
}

/// Nodes, and how they lie in memory.
pub(super) struct Places<'a> {
    pub(super) holder: &'a str,
    pub(super) site: Option<String>,
    /// The row of each node.
    pub(super) rows: &'a [ObjectId],
    /// Bytes of a node that has no row of its own.
    pub(super) node_bytes: Option<u64>,
    pub(super) now: Form,
    pub(super) then: Form,
    pub(super) allocator: &'a dyn Allocator,
    pub(super) assumes: &'a str,
}

pub(super) fn candidate(heap: &Heap, places: &Places<'_>, found: &Found) -> Option<Candidate> {
    let slots = found.array.slots;
    let slot_bytes = found.array.slot_bytes();
    let mut histogram = vec![0_u64; slots + 1];
    for &used in &found.used {
        histogram[used as usize] += 1;
    }
    let nodes = Nodes {
        used: &histogram,
        slot_bytes,
        now: places.now,
        then: places.then,
    };
    let curve = curve(&nodes, places.allocator);
    let chosen = chosen(&curve)?;
    let mut candidate = Candidate::at(places.holder).assuming(places.assumes);
    candidate.site.clone_from(&places.site);
    for (&row, &used) in places.rows.iter().zip(&found.used) {
        let now = places.node_bytes.unwrap_or_else(|| heap.bytes(row));
        book(places.allocator, &nodes, chosen, &mut candidate, (row, now), used);
    }
    let net = u64::try_from(candidate.net()).ok()?;
    if net < LEAST || net < candidate.bytes_now / SHARE {
        return None;
    }
    let count = places.rows.len() as u64;
    let mean = found.used.iter().map(|&used| f64::from(used)).sum::<f64>() / count as f64;
    candidate.title = format!(
        "{} have {slots} slots of {slot_bytes} bytes and use {mean:.1} of them",
        Count(count).of("node", "nodes")
    );
    candidate.fix = format!(
        "a mask and an array of the used slots alone, with room for {}",
        list(&chosen.sizes)
    );
    // Nodes of a pool are no blocks, of which fields are known.
    let fields: Vec<Option<&str>> = if places.node_bytes.is_some() {
        Vec::new()
    } else {
        let parts = found.array.parts();
        let field = |part: &Part| heap.blocks.field(places.rows[0], part.offset);
        parts.iter().map(field).collect()
    };
    let named: Vec<&str> = fields.iter().flatten().copied().collect();
    if !named.is_empty() {
        candidate.fix.push_str(", for ");
        candidate.fix.push_str(&named.join(" and "));
    }
    show(
        &mut candidate,
        found,
        &fields,
        &nodes,
        &curve,
        chosen,
        places.allocator,
    );
    Some(candidate)
}

/// The last step that is worth its while.
fn chosen(curve: &Curve) -> Option<&Step> {
    let is_worth = |step: &&Step| step.gain > 0 && step.gain.cast_unsigned() >= curve.bytes_now / GAIN_SHARE;
    curve.steps.iter().take(MOST_SIZES).take_while(is_worth).last()
}

/// Books one node: its row shrinks or, when all slots are in use, grows by the second block.
fn book(
    allocator: &dyn Allocator,
    nodes: &Nodes<'_>,
    step: &Step,
    candidate: &mut Candidate,
    (row, now): (ObjectId, u64),
    used: u32,
) {
    let size = step.sizes.iter().find(|&&size| size >= u64::from(used));
    let after = size.map_or(now, |&size| nodes.then.charged(size, nodes.slot_bytes, allocator));
    candidate.bytes_now += now;
    if after < now {
        candidate.claim(row, now - after);
        candidate.count += 1;
    } else {
        candidate.good += 1;
        if after > now {
            candidate.give(row, after - now);
        }
    }
}
