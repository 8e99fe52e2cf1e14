//! What a row is charged: its slot, and what the allocator sets aside for the blocks beside it.

use super::layout::RubyLayout;
use super::rows::Piece;
use super::tag::Tag;
use deadweight_heap::Allocator;

/// The slot of every object before Ruby 3.2.
const SLOT: u64 = 40;

/// Bytes of a row's slot.
pub(super) fn slot(all: &Piece, row: usize) -> u64 {
    match (all.tag[row], all.slot[row]) {
        (Tag::Root | Tag::Shape, _) => 0,
        (_, 0) => SLOT,
        (_, bytes) => u64::from(bytes),
    }
}

/// What the interpreter asked for beside the slot.
pub(super) fn beside_slot(all: &Piece, row: usize) -> u64 {
    all.memsize[row].saturating_sub(slot(all, row))
}

/// The charge of a row.
pub(super) fn of(all: &Piece, row: usize, layout: RubyLayout) -> u64 {
    let (slot, beside) = (slot(all, row), beside_slot(all, row));
    if beside == 0 {
        return slot;
    }
    if all.tag[row] == Tag::Hash
        && let Some((_, requests)) = open_table(beside, layout)
    {
        return slot + layout.charge(&requests);
    }
    // Shapes lie in a table of the interpreter's own.
    if all.tag[row] == Tag::Shape {
        return beside;
    }
    slot + layout.malloc.charged(beside)
}

/// Entries an open table has room for, by what was asked for it; `None` for what is no open table.
pub(super) fn open_capacity(beside: u64, layout: RubyLayout) -> Option<u64> {
    open_table(beside, layout).map(|(capacity, _)| capacity)
}

/// An open table by what was asked for it: entries it has room for, and the requests.
fn open_table(beside: u64, layout: RubyLayout) -> Option<(u64, [u64; 3])> {
    let requests = |power: u32| {
        let capacity = 1_u64 << power;
        layout
            .open_requests(capacity)
            .into_iter()
            .map(move |requests| (capacity, requests))
    };
    // The larger the table, the more it asks for: what is larger than this one need not be looked at.
    (1..=40)
        .flat_map(requests)
        .find(|(_, requests)| requests.iter().sum::<u64>() >= beside)
        .filter(|(_, requests)| requests.iter().sum::<u64>() == beside)
}
