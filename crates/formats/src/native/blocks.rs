//! The live blocks.

/// One live block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it begins.
    pub address: u64,
    /// Bytes the program asked for.
    pub requested: u64,
    /// Bytes the allocator lets it use (`malloc_usable_size`), when it was asked. What it is charged for beyond that
    /// is the allocator's own header.
    pub usable: Option<u64>,
    /// Its place in the order of allocations: exact within a thread, to 64 between threads.
    pub sequence: u64,
    /// Its stack, for [`Dump::frames`](super::Dump::frames); 0 when unknown.
    pub stack: u32,
    /// Its contents are not in the dump: freed behind the recorder's back, or protected.
    pub unreadable: bool,
    /// Where its contents (or its zero map) begin in their section.
    pub(super) stored_at: u64,
}

/// A cursor over numbers of seven bits a byte.
pub(super) struct Numbers<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Numbers<'_> {
    /// The next number; nothing when it is cut off or larger than 64 bits.
    fn next(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                return None;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// The block after `before`.
    pub fn block(&mut self, before: Option<&Block>) -> Option<Block> {
        let (address, sequence) = before.map_or((0, 0), |block| (block.address, block.sequence));
        let address = address.checked_add(self.next()?)?;
        let requested = self.next()?;
        let usable = self.next()?;
        let difference = self.next()?;
        let block = Block {
            address,
            requested,
            usable: match usable {
                0 => None,
                more => Some(requested.checked_add(more - 1)?),
            },
            sequence: sequence.wrapping_add(difference >> 1 ^ (difference & 1).wrapping_neg()),
            stack: u32::try_from(self.next()?).ok()?,
            unreadable: self.next()? & 1 != 0,
            stored_at: 0,
        };
        let ordered = before.is_none_or(|before| before.address < block.address);
        (ordered && block.address.checked_add(block.requested).is_some()).then_some(block)
    }
}
