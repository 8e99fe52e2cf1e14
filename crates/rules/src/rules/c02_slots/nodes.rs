//! Nodes with slots: how they lie in memory, which sizes are worth their while, and what these save.

#[cfg(test)]
mod tests;

use deadweight_heap::nodes::{Form, Nodes};

use deadweight_heap::{Allocator, Heap, ObjectId, Presence, Rounded};
use deadweight_infer::{self as infer, Part};

use super::REFERENCE;
use super::evidence::{list, show};
use crate::Candidate;
use crate::count::Count;
use crate::sizes::{Curve, Step, curve};

/// A finding saves one in so many bytes…
const SHARE: u64 = 10;
/// … and at least this.
const LEAST: u64 = 4096;

/// A further size gains one in so many bytes of what the nodes take now.
const GAIN_SHARE: u64 = 50;

/// With the largest that is what two bits of a reference distinguish.
const MOST_SIZES: usize = 3;

/// Pools have no headers, and keep addresses even.
const POOL: Rounded = Rounded { name: "pool", to: 8 };

/// What nodes of one kind save with blocks of a few sizes for their slots.
pub(super) fn candidate(heap: &Heap, found: &infer::Nodes) -> Option<Candidate> {
    let allocator: &dyn Allocator = if found.stride.is_some() {
        &POOL
    } else {
        &*heap.allocator
    };
    let array = &found.slots.array;
    let (slots, slot_bytes) = (array.slots, array.slot_bytes());
    let mut histogram = vec![0_u64; slots + 1];
    for &used in &found.slots.used {
        histogram[used as usize] += 1;
    }
    let nodes = Nodes {
        used: &histogram,
        slot_bytes,
        now: Form::inline(found.header),
        then: Form::apart(found.header_in_use + REFERENCE),
    };
    let curve = curve(&nodes, allocator);
    let chosen = chosen(&curve)?;
    let mut candidate = Candidate::at(&*found.holder).assuming(assumption(heap, found));
    candidate.site.clone_from(&found.site);
    for (&row, &used) in found.rows.iter().zip(&found.slots.used) {
        let now = found.stride.unwrap_or_else(|| heap.bytes(row));
        book(allocator, &nodes, chosen, &mut candidate, (row, now), used);
    }
    let net = u64::try_from(candidate.net()).ok()?;
    if net < LEAST || net < candidate.bytes_now / SHARE {
        return None;
    }
    let count = found.rows.len() as u64;
    let mean = found.slots.used.iter().map(|&used| f64::from(used)).sum::<f64>() / count as f64;
    candidate.title = format!(
        "{} have {slots} slots of {slot_bytes} bytes and use {mean:.1} of them",
        Count(count).of("node", "nodes")
    );
    candidate.fix = format!(
        "store a mask and only the used slots, in arrays with room for {}",
        list(&chosen.sizes)
    );
    // Nodes of a pool are no blocks, of which fields are known.
    let parts = array.parts();
    let field = |part: &Part| match found.stride {
        None => heap.blocks.field(found.rows[0], part.offset),
        Some(_) => None,
    };
    let fields: Vec<Option<&str>> = parts.iter().map(field).collect();
    let named: Vec<&str> = fields.iter().flatten().copied().collect();
    if !named.is_empty() {
        candidate.fix.push_str(", for ");
        candidate.fix.push_str(&named.join(" and "));
    }
    show(&mut candidate, array, &fields, &nodes, &curve, chosen, allocator);
    if let Some(stride) = found.stride {
        candidate.show("pool_stride_bytes", stride);
    }
    Some(candidate)
}

fn assumption(heap: &Heap, found: &infer::Nodes) -> &'static str {
    if found.stride.is_some() {
        "nodes do not fill up later, no code keeps the address of a slot, and the pool takes what is asked for and gives \
         unused pieces back"
    } else if heap.coverage.requests == Presence::Absent {
        "nodes do not fill up later, no code keeps the address of a slot, and nodes asked for all that they may use"
    } else {
        "nodes do not fill up later, and no code keeps the address of a slot"
    }
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
        candidate.unaffected += 1;
        if after > now {
            candidate.add_to(row, after - now);
        }
    }
}
