//! What stands in one block, and where that ends.

use deadweight_heap::{Heap, ObjectId, Request};

use super::{End, Room};
use crate::texts::is_text;

/// What stands in a block.
pub(super) enum Look {
    /// Nothing, or something at its front.
    Open(Room),
    /// Something here and there.
    Gaps,
    /// Something all over it.
    Full,
}

/// Looks at the contents of a block.
pub(super) fn look(heap: &Heap, row: ObjectId, requested: u64, element: Option<u64>, content: &[u8]) -> Look {
    let Some(last) = last_in_use(content) else {
        return Look::Open(Room {
            row,
            requested,
            used: 0,
            end: End::Value,
            after: 0,
        });
    };
    let last_byte = last as u64 + 1;
    // Values end in zeros as they begin with them: the last one is there as a whole.
    let used = last_byte.next_multiple_of(element.unwrap_or(1)).min(requested);
    // A table has its entries anywhere: what is filled from its beginning on has few gaps.
    let (words, rest) = content[..=last].as_chunks::<8>();
    let rest = usize::from(!rest.is_empty());
    let in_use = words.iter().filter(|&&word| word != [0; 8]).count() + rest;
    if in_use * 2 < words.len() + rest {
        return Look::Gaps;
    }
    if used * 2 > requested {
        return Look::Full;
    }
    let is_text = element.is_none() && is_text(&content[..=last]);
    // Texts end in a zero, and values where words do.
    let end = used + u64::from(is_text);
    Look::Open(Room {
        row,
        requested,
        used,
        end: if is_text || element.is_some() {
            End::Value
        } else {
            End::InUse
        },
        after: charge(heap, row, end.next_multiple_of(8).min(requested)),
    })
}

/// What a block would be charged if it were made for so many bytes.
pub(super) fn charge(heap: &Heap, row: ObjectId, bytes: u64) -> u64 {
    let refers = heap.edges.of(row).next().is_some();
    heap.allocator.charge(Request::with(bytes, refers))
}

/// The last byte that is not zero. Long stretches of zeros are looked at many bytes at a time.
pub(super) fn last_in_use(content: &[u8]) -> Option<usize> {
    const STRETCH: usize = 128;
    let (head, stretches) = content.as_rchunks::<STRETCH>();
    let is_zero = |stretch: &[u8; STRETCH]| stretch.iter().fold(0, |any, byte| any | byte) == 0;
    let last = |bytes: &[u8]| bytes.iter().rposition(|&byte| byte != 0);
    match stretches.iter().rposition(|stretch| !is_zero(stretch)) {
        Some(at) => Some(head.len() + at * STRETCH + last(&stretches[at])?),
        None => last(head),
    }
}
