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
        && let Some(capacity) = open_capacity(beside, layout)
    {
        return slot + layout.charge(&layout.open_requests(capacity));
    }
    // Shapes lie in a table of the interpreter's own.
    if all.tag[row] == Tag::Shape {
        return beside;
    }
    slot + layout.malloc.charged(beside)
}

/// Entries an open table has room for, by what was asked for it; `None` for what is no open table.
pub(super) fn open_capacity(beside: u64, layout: RubyLayout) -> Option<u64> {
    // The larger the table, the more it asks for: what is larger than this one need not be looked at.
    (1..=40)
        .map(|power| 1_u64 << power)
        .map(|capacity| (capacity, layout.open_requests(capacity).iter().sum::<u64>()))
        .find(|&(_, asked)| asked >= beside)
        .filter(|&(_, asked)| asked == beside)
        .map(|(capacity, _)| capacity)
}
