//! A row of the record.

/// All blocks of one type that one stack made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub stack: u32,
    /// `None` where the type is not known.
    pub type_id: Option<u32>,
    pub count: u64,
    pub bytes: u64,
    pub largest: u64,
    pub kept: u64,
    pub kept_bytes: u64,
}

impl Row {
    /// Adds a block.
    #[inline]
    pub fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }
}
