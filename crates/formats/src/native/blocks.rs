//! The live blocks.

/// One live block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it begins.
    pub address: u64,
    /// Bytes the program asked for.
    pub requested: u64,
    /// One more than the bytes beyond those that the allocator lets it use; 0 when it was not asked. There are millions
    /// of blocks, and an option would take another word for each.
    pub(super) spare: u64,
    /// Its stack, for [`Dump::frames`](super::Dump::frames); 0 when unknown.
    pub stack: u32,
    /// Its contents are not in the dump: freed behind the recorder's back, or protected.
    pub unreadable: bool,
    /// Where its contents (or its zero map) begin in their section.
    pub(super) stored_at: u64,
    /// Whether stretches of it were never touched, and are not stored.
    pub(super) has_holes: bool,
}

impl Block {
    /// Bytes the allocator lets it use (`malloc_usable_size`), when it was asked. What it is charged for beyond that
    /// is the allocator's own header.
    #[must_use]
    pub fn usable(&self) -> Option<u64> {
        Some(self.requested + self.spare.checked_sub(1)?)
    }
}

/// A cursor over numbers of seven bits a byte.
pub(super) struct Numbers<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    /// The place of the block read last in the order of allocations.
    sequence: u64,
}

impl<'a> Numbers<'a> {
    /// Of a table of blocks, from its beginning on.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            sequence: 0,
        }
    }

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
        let address = before
            .map_or(0, |block| block.address)
            .checked_add(self.next()?)?;
        let requested = self.next()?;
        let spare = self.next()?;
        requested.checked_add(spare.saturating_sub(1))?;
        let difference = self.next()?;
        let block = Block {
            address,
            requested,
            spare,
            stack: u32::try_from(self.next()?).ok()?,
            unreadable: self.next()? & 1 != 0,
            stored_at: 0,
            has_holes: false,
        };
        let difference = difference >> 1 ^ (difference & 1).wrapping_neg();
        self.sequence = self.sequence.wrapping_add(difference);
        let ordered = before.is_none_or(|before| before.address < block.address);
        (ordered && block.address.checked_add(block.requested).is_some()).then_some(block)
    }

    /// Where the block read last stands in the order of allocations.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }
}
