//! The memory of a process as a core file shows it.

use std::sync::Arc;

use crate::mapped::MappedFile;

/// A stretch of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First address.
    pub start: u64,
    /// One past the last.
    pub end: u64,
    /// Where its bytes begin in the file.
    pub offset: usize,
    /// Bytes of it in the file; the rest is not there.
    pub stored: u64,
    /// It could be written.
    pub writable: bool,
    /// What the file does not store was never touched: zeros.
    pub rest_is_zero: bool,
}

/// Segments in order of address, not overlapping, with their bytes.
#[derive(Clone, Debug)]
pub struct Image {
    pub(super) bytes: Arc<MappedFile>,
    pub(super) segments: Vec<Segment>,
}

/// A part of a range of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// As it was.
    Bytes(&'a [u8]),
    /// So many bytes that were never touched.
    Zeros(u64),
}

impl Image {
    /// Every segment.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segment at an address.
    pub fn segment(&self, address: u64) -> Option<&Segment> {
        let after = self.segments.partition_point(|segment| segment.start <= address);
        let found = self.segments.get(after.checked_sub(1)?)?;
        (address < found.end).then_some(found)
    }

    /// What the file stores of a segment.
    pub fn stored(&self, segment: &Segment) -> &[u8] {
        let end = segment.offset + segment.stored as usize;
        self.bytes.get(segment.offset..end).unwrap_or_default()
    }

    /// The part that begins at an address and ends with `limit` or the segment.
    pub fn part(&self, address: u64, limit: u64) -> Option<Part<'_>> {
        let segment = self.segment(address)?;
        let at = address - segment.start;
        if at < segment.stored {
            let len = (segment.stored - at).min(limit) as usize;
            return Some(Part::Bytes(&self.stored(segment)[at as usize..][..len]));
        }
        segment
            .rest_is_zero
            .then(|| Part::Zeros((segment.end - address).min(limit)))
    }

    /// Whether all of a range is known.
    pub fn has(&self, address: u64, len: u64) -> bool {
        let mut at = address;
        let Some(end) = address.checked_add(len) else {
            return false;
        };
        while at < end {
            match self.part(at, end - at) {
                Some(Part::Bytes(bytes)) => at += bytes.len() as u64,
                Some(Part::Zeros(len)) => at += len,
                None => return false,
            }
        }
        true
    }

    /// The word of eight bytes at an address, which may cross segments.
    pub fn word(&self, address: u64) -> Option<u64> {
        match self.part(address, 8)? {
            Part::Bytes(bytes) if bytes.len() == 8 => Some(u64::from_le_bytes(bytes.try_into().ok()?)),
            Part::Zeros(8) => Some(0),
            _ => None,
        }
    }

    /// The half word of four bytes at an address.
    pub fn half(&self, address: u64) -> Option<u32> {
        match self.part(address, 4)? {
            Part::Bytes(bytes) => Some(u32::from_le_bytes(bytes.try_into().ok()?)),
            Part::Zeros(4) => Some(0),
            Part::Zeros(_) => None,
        }
    }

    /// Whether a range lies in writable memory without a gap, stored or not.
    pub fn is_writable(&self, address: u64, until: u64) -> bool {
        let mut at = address;
        let first = self.segments.partition_point(|segment| segment.end <= address);
        for segment in &self.segments[first..] {
            if at >= until || !segment.writable || segment.start > at {
                break;
            }
            at = segment.end;
        }
        at >= until
    }
}
