use deadweight_heap::HeapBuilder;

use super::*;

#[test]
fn a_copy_stays_when_the_kept_one_is_gone() {
    let mut heap = HeapBuilder::new();
    let rows: Vec<ObjectId> = (0..4).map(|_| heap.string("the same")).collect();
    let heap = heap.build();
    let mut ledger = Ledger::new(&heap);
    let mut earlier = Candidate::at("earlier");
    earlier.claim(rows[0], heap.bytes(rows[0]));
    earlier.claim(rows[1], heap.bytes(rows[1]));
    assert_eq!(ledger.book(&earlier).saves, 2 * 24);
    let mut copies = Candidate::at("copies");
    copies.claim_copies(&heap, rows[0], rows[1..].iter().copied());
    assert_eq!(ledger.offer(&copies), 24);
    assert_eq!(ledger.book(&copies).saves, 24);
    assert_eq!((ledger.left(rows[2]), ledger.left(rows[3])), (24, 0));
}

#[test]
fn what_is_gone_does_not_grow() {
    let mut heap = HeapBuilder::new();
    let rows: Vec<ObjectId> = (0..3).map(|_| heap.record("Row", &[])).collect();
    let stores: Vec<ObjectId> = (0..3)
        .map(|_| heap.object(deadweight_heap::Kind::Opaque, "store", 40))
        .collect();
    let heap = heap.build();
    let mut ledger = Ledger::new(&heap);
    let mut earlier = Candidate::at("earlier");
    for &gone in rows[..2].iter().chain(&stores[..2]) {
        earlier.claim(gone, heap.bytes(gone));
    }
    ledger.book(&earlier);
    let mut moved = Candidate::at("moved");
    for (&row, &store) in rows.iter().zip(&stores) {
        moved.claim(store, 40);
        moved.add_to(row, 24);
    }
    assert_eq!((ledger.offer(&moved), ledger.book(&moved).saves), (16, 16));
    assert_eq!(ledger.left(rows[0]), 0);
    // A row that it claims is replaced by another, which is needed though an equal one is gone.
    let mut replaced = Candidate::at("replaced");
    for &row in &rows {
        replaced.claim(row, heap.bytes(row));
        replaced.add_to(row, 12);
    }
    assert_eq!(ledger.offer(&replaced), 16 + 24 - 3 * 12);
}

#[test]
fn rows_beyond_four_gigabytes_are_claimed_whole() {
    let mut heap = HeapBuilder::new();
    let huge = heap.object(deadweight_heap::Kind::Opaque, "huge", 10 << 30);
    let heap = heap.build();
    let mut ledger = Ledger::new(&heap);
    let mut candidate = Candidate::at("x");
    candidate.claim(huge, 10 << 30);
    assert_eq!(candidate.net(), 10 << 30);
    assert_eq!(ledger.book(&candidate).saves, 10 << 30);
    assert_eq!(ledger.left(huge), 0);
}

#[test]
fn what_several_fixes_make_shorter_is_charged_by_what_is_left_of_it() {
    let mut heap = HeapBuilder::new();
    heap.allocator(deadweight_heap::Rounded {
        name: "sixteen",
        to: 16,
    });
    let row = heap.block("record", &[1; 64]);
    let heap = heap.build();
    let shortens = |less: u32| {
        let mut candidate = Candidate::at("x");
        candidate.shorten(&heap, row, less);
        candidate
    };
    let mut ledger = Ledger::new(&heap);
    // From 64 to 56, 48 and 32: each step of eight falls into the size before it or not.
    assert_eq!(
        (shortens(8).net(), shortens(16).net(), shortens(24).net()),
        (0, 16, 16)
    );
    assert_eq!(ledger.book(&shortens(16)).saves, 16);
    assert_eq!(ledger.offer(&shortens(8)), 0);
    assert_eq!(ledger.offer(&shortens(24)), 16);
    assert_eq!(ledger.book(&shortens(24)).saves, 16);
    assert_eq!(ledger.left(row), 32);
    // What alone frees nothing may free the rest of a step.
    let less: Vec<i64> = shortens(8)
        .claims
        .iter()
        .map(|claim| i64::from(claim.bytes))
        .collect();
    assert_eq!((less, ledger.offer(&shortens(8))), (vec![0], 16));
}
