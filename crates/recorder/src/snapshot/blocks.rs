//! The live blocks as they are written, with what the allocator charges for them.

use std::io;

use super::maps::{Mapping, readable};
use super::write::Writer;
use crate::{TABLE, real};

/// A block's flag: its bytes are not there, freed behind the recorder's back or protected.
const UNREADABLE: u32 = 1;

/// Where the contents of a block stand.
pub struct Place {
    address: u64,
    /// 0 when its bytes are not there.
    readable: u64,
}

impl Place {
    /// The bytes the program asked for, as far as they can be read.
    pub fn contents(&self) -> &[u8] {
        if self.readable == 0 {
            return &[];
        }
        // SAFETY: all of it was found mapped and readable, and this clone's only thread changes no mapping.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.readable as usize) }
    }
}

/// What [`write`] leaves for the sections after it.
pub struct Blocks {
    /// Every live block, in order of address.
    pub places: Vec<Place>,
    /// How many have bytes that are not there.
    pub unreadable: u64,
}

/// Writes every live block in order of address as numbers of seven bits a byte, each as the difference to the block
/// before where that is small.
///
/// `ask`: whether the allocator may be asked what it charges.
pub fn write(writer: &mut Writer, mappings: &[Mapping], ask: bool) -> io::Result<Blocks> {
    let usable_size = real::malloc_usable_size::get().filter(|_| ask);
    let mut written = Blocks {
        places: Vec::with_capacity(TABLE.size().0),
        unreadable: 0,
    };
    let (mut address, mut sequence) = (0_u64, 0_u64);
    TABLE.for_each_region(|blocks| {
        for (index, block) in blocks.iter().enumerate() {
            if let Some(later) = blocks.get(index + AHEAD) {
                prefetch(later.address);
            }
            let readable = readable(mappings, block.address, block.requested.max(1));
            let mut record = Record {
                bytes: [0; 60],
                len: 0,
            };
            record.number(block.address - address);
            record.number(block.requested);
            // 0: not known; else how much more than asked for, plus one.
            record.number(match usable_size {
                Some(usable_size) if readable => {
                    // SAFETY: a live block of this allocator, whose memory is mapped.
                    let usable = unsafe { usable_size(block.address as *mut _) } as u64;
                    usable.saturating_sub(block.requested) + 1
                }
                _ => 0,
            });
            record.number(zigzag(block.sequence.wrapping_sub(sequence)));
            record.number(u64::from(block.stack));
            record.number(u64::from(if readable { 0 } else { UNREADABLE }));
            writer.put(&record.bytes[..record.len])?;
            (address, sequence) = (block.address, block.sequence);
            written.unreadable += u64::from(!readable);
            written.places.push(Place {
                address,
                readable: if readable { block.requested } else { 0 },
            });
        }
        Ok::<_, io::Error>(())
    })?;
    Ok(written)
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
