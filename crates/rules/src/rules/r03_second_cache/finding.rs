//! The finding: what is booked, how it is named, and where the contents of copies stand as well.

use deadweight_heap::{Heap, ObjectId};
use deadweight_infer::{Copies, commonest_site};
use serde_json::json;

use crate::Candidate;
use crate::count::Count;

pub(super) fn candidate(heap: &Heap, copies: &Copies) -> Candidate {
    let Copies {
        rows,
        holders,
        sources,
        share,
        ..
    } = copies;
    // A function may allocate for both: then what holds the copies distinguishes them.
    let is_shared = sources.iter().any(|(name, _)| *name == copies.place.name(heap));
    let held_by = holders.iter().map(|group| group.key.0);
    let typed = held_by.clone().find(|place| place.is_type());
    let nearest = held_by.clone().next().filter(|_| is_shared);
    let place = typed.or(nearest).unwrap_or(copies.place);
    let mut candidate = Candidate::at(place.name(heap)).assuming(
        "the second form only serves to find what the other blocks hold, all copies are like those sampled, and what holds only copies can go as well",
    );
    candidate.site = commonest_site(heap, rows.iter().copied());
    let held = holders.iter().flat_map(|group| &group.rows);
    for &row in rows.iter().chain(held) {
        candidate.claim(row, heap.bytes(row));
        candidate.count += 1;
    }
    candidate.bytes_now = candidate.net().cast_unsigned();
    let named: Vec<&str> = sources.iter().take(2).map(|(name, _)| name.as_str()).collect();
    candidate.title = format!(
        "{} repeat what {} hold{}",
        Count(rows.len() as u64).of("block", "blocks"),
        named.join(" and "),
        if named.len() == 1 { "s" } else { "" },
    );
    candidate.fix = "keep one of the two; make or read the other form when it is asked for".into();
    let percent = share.covered as f64 * 100.0 / share.content.max(1) as f64;
    candidate.show("copies", rows.len());
    candidate.show("copies_bytes", bytes(heap, rows));
    candidate.show("contained_percent", (percent * 10.0).round() / 10.0);
    candidate.show("blocks_looked_at", share.blocks);
    candidate.show("blocks_contained", share.contained);
    let list: Vec<_> = sources
        .iter()
        .map(|(name, percent)| json!({"holder": name, "percent": percent}))
        .collect();
    candidate.show("contained_in", list);
    let list: Vec<_> = holders
        .iter()
        .map(|group| {
            json!({
                "holder": group.key.0.name(heap),
                "blocks": group.rows.len(),
                "requested_bytes": group.key.1,
                "bytes": bytes(heap, &group.rows),
            })
        })
        .collect();
    candidate.show("vanishes_too", list);
    candidate
}

fn bytes(heap: &Heap, rows: &[ObjectId]) -> u64 {
    rows.iter().map(|&row| heap.bytes(row)).sum()
}
