//! The live blocks as they are written: in order of address, with what the allocator charges for them.

use super::maps::{Mapping, readable};
use crate::table::Block;
use crate::{TABLE, real};

/// Its bytes are not there: freed behind the recorder's back, or protected.
pub const UNREADABLE: u32 = 1;
/// The allocator was not asked.
pub const UNKNOWN: u64 = u64::MAX;

/// A block as it is written.
pub struct Written {
    pub block: Block,
    /// Bytes the program may use, or [`UNKNOWN`].
    pub usable: u64,
    /// [`UNREADABLE`].
    pub flags: u32,
}

impl Written {
    /// 40 bytes, least significant first.
    pub fn bytes(&self) -> [u8; 40] {
        let mut bytes = [0; 40];
        bytes[0..8].copy_from_slice(&self.block.address.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.block.requested.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.usable.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.block.sequence.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.block.stack.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.flags.to_le_bytes());
        bytes
    }

    /// The bytes the program asked for.
    pub fn contents(&self) -> &[u8] {
        if self.flags & UNREADABLE != 0 {
            return &[];
        }
        // SAFETY: all of it was found mapped and readable, and this clone's only thread changes no mapping.
        unsafe { std::slice::from_raw_parts(self.block.address as *const u8, self.block.requested as usize) }
    }
}

/// Every live block.
pub fn collect(mappings: &[Mapping], ask: bool) -> Vec<Written> {
    let mut blocks = Vec::with_capacity(TABLE.size().0);
    TABLE.for_each(|block| {
        blocks.push(Written {
            block,
            usable: UNKNOWN,
            flags: 0,
        });
    });
    blocks.sort_unstable_by_key(|written| written.block.address);
    let usable_size = real::malloc_usable_size::get().filter(|_| ask);
    for written in &mut blocks {
        let block = written.block;
        if !readable(mappings, block.address, block.requested.max(1)) {
            written.flags |= UNREADABLE;
        } else if let Some(usable_size) = usable_size {
            // SAFETY: a live block of this allocator, whose memory is mapped.
            written.usable = unsafe { usable_size(block.address as *mut _) } as u64;
        }
    }
    blocks
}
