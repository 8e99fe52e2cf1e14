//! The live blocks as they are written: in order of address, with what the allocator charges for them.

use std::io;

use super::maps::{Mapping, readable};
use super::write::Writer;
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
    /// The bytes the program asked for.
    pub fn contents(&self) -> &[u8] {
        if self.flags & UNREADABLE != 0 {
            return &[];
        }
        // SAFETY: all of it was found mapped and readable, and this clone's only thread changes no mapping.
        unsafe { std::slice::from_raw_parts(self.block.address as *const u8, self.block.requested as usize) }
    }
}

/// Every live block, in order of address.
pub fn collect(mappings: &[Mapping], ask: bool) -> Vec<Written> {
    let mut blocks = Vec::with_capacity(TABLE.size().0);
    TABLE.for_each(|block| {
        blocks.push(Written {
            block,
            usable: UNKNOWN,
            flags: 0,
        });
    });
    let usable_size = real::malloc_usable_size::get().filter(|_| ask);
    for index in 0..blocks.len() {
        if let Some(later) = blocks.get(index + AHEAD) {
            prefetch(later.block.address);
        }
        let written = &mut blocks[index];
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

/// Blocks whose headers are on their way from memory while one is asked about.
const AHEAD: usize = 12;

/// Asks for the line before a block, where allocators keep its size.
fn prefetch(address: u64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, that never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.wrapping_sub(8) as *const i8);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Writes blocks as numbers of seven bits a byte, each as the difference to the block before where that is small.
pub fn write(writer: &mut Writer, blocks: &[Written]) -> io::Result<()> {
    let (mut address, mut sequence) = (0_u64, 0_u64);
    for written in blocks {
        let block = written.block;
        let mut record = Record {
            bytes: [0; 60],
            len: 0,
        };
        record.number(block.address - address);
        record.number(block.requested);
        // 0: not known; else how much more than asked for, plus one.
        record.number(if written.usable == UNKNOWN {
            0
        } else {
            written.usable.saturating_sub(block.requested) + 1
        });
        record.number(zigzag(block.sequence.wrapping_sub(sequence)));
        record.number(u64::from(block.stack));
        record.number(u64::from(written.flags));
        writer.put(&record.bytes[..record.len])?;
        (address, sequence) = (block.address, block.sequence);
    }
    Ok(())
}

/// Signed differences near zero become small numbers.
fn zigzag(difference: u64) -> u64 {
    difference << 1 ^ ((difference as i64) >> 63) as u64
}

struct Record {
    bytes: [u8; 60],
    len: usize,
}

impl Record {
    #[inline]
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes[self.len] = value as u8 | 0x80;
            self.len += 1;
            value >>= 7;
        }
        self.bytes[self.len] = value as u8;
        self.len += 1;
    }
}
