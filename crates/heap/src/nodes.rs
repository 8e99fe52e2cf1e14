//! Nodes with slots, such as those of trees and tables, and what other forms of them would cost.
//!
//! Figures are bytes as the allocator charges them, and saturate instead of overflowing.

use crate::{Allocator, Request};

/// How a node lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    header_bytes: u64,
    apart: bool,
}

impl Form {
    /// Header and slots in one block.
    pub const fn inline(header_bytes: u64) -> Self {
        Self {
            header_bytes,
            apart: false,
        }
    }

    /// A block with the header, the reference to the slots included, and a second block with the slots. A node
    /// without slots has no second block.
    pub const fn apart(header_bytes: u64) -> Self {
        Self {
            header_bytes,
            apart: true,
        }
    }

    /// The same with `bytes` more in the header, for a field that stores the size: 0 if a tag in the unused bits of a
    /// pointer does.
    #[must_use]
    pub const fn with_size_field(self, bytes: u64) -> Self {
        Self {
            header_bytes: self.header_bytes.saturating_add(bytes),
            ..self
        }
    }

    /// Bytes charged for a node with `slots` slots of `slot_bytes`.
    pub fn charged(self, slots: u64, slot_bytes: u64, allocator: &dyn Allocator) -> u64 {
        let array = slots.saturating_mul(slot_bytes);
        // Slots, and the header before slots that stand apart, refer to other blocks.
        let charge = |bytes| allocator.charge(Request::with(bytes, true));
        if !self.apart {
            return charge(self.header_bytes.saturating_add(array));
        }
        let array = if array == 0 { 0 } else { charge(array) };
        charge(self.header_bytes).saturating_add(array)
    }
}

/// Nodes of one kind, as they are and as they would be.
#[derive(Clone, Copy, Debug)]
pub struct Nodes<'a> {
    /// `used[i]` nodes use i slots; the last entry is for those that use all. Not empty.
    pub used: &'a [u64],
    /// Bytes of a slot.
    pub slot_bytes: u64,
    /// How they lie now, each with all its slots.
    pub now: Form,
    /// How they would lie with several sizes.
    pub then: Form,
}

impl Nodes<'_> {
    /// Bytes charged for the nodes with the given sizes, in slots and ascending; `None` if the largest is too small
    /// for some node.
    pub fn bytes_with(&self, sizes: &[u64], allocator: &dyn Allocator) -> Option<u64> {
        let mut sum = 0_u128;
        for (used, &nodes) in self.used.iter().enumerate().filter(|&(_, &nodes)| nodes > 0) {
            let size = *sizes.iter().find(|&&size| size >= used as u64)?;
            let charged = u128::from(self.then.charged(size, self.slot_bytes, allocator));
            sum = sum.saturating_add(u128::from(nodes).saturating_mul(charged));
        }
        Some(u64::try_from(sum).unwrap_or(u64::MAX))
    }

    /// Nodes in all.
    pub fn count(&self) -> u128 {
        self.used.iter().map(|&nodes| u128::from(nodes)).sum()
    }
}
