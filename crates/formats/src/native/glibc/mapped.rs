//! Blocks mapped on their own. No list has them: they are known by the heads at the beginnings of pages.

use rustc_hash::FxHashSet;

use super::{HEAD, Live};
use crate::native::core_file::{FileMapping, Image};

const PAGE: u64 = 4096;
/// The size's word of a mapped chunk has this bit and no other.
const MAPPED: u64 = 2;
const FLAGS: u64 = 7;
/// Of addresses of a process.
const ADDRESS_BITS: u32 = 47;

/// What was found.
#[derive(Debug, Default)]
pub struct Mapped {
    pub live: Vec<Live>,
    /// As `hblkhd` counts.
    pub bytes: u64,
}

/// Looks at the pages of memory that belongs to no file and no arena. `expected` is what glibc says there is.
pub fn find(image: &Image, files: &[FileMapping], heaps: &FxHashSet<u64>, expected: Option<u64>) -> Mapped {
    let mut found = Mapped::default();
    if expected == Some(0) {
        return found;
    }
    // The memory behind a chunk's head may be in further segments: stretches without a gap count.
    let mut next = 0;
    for segment in image.segments() {
        let is_heap = heaps
            .iter()
            .any(|&start| segment.start <= start && start < segment.end);
        let of_file = files
            .iter()
            .any(|file| file.start < segment.end && segment.start < file.end);
        if !segment.writable || is_heap || of_file {
            continue;
        }
        next = next.max(segment.start);
        while next < segment.start + segment.stored {
            match chunk_in(image, next) {
                Some((chunk, size, end)) => {
                    found.live.push(Live {
                        address: chunk + HEAD,
                        usable: size - HEAD,
                    });
                    found.bytes += end - next;
                    next = end;
                }
                None => next = next.saturating_add(PAGE),
            }
        }
    }
    found
}

/// A mapped chunk whose mapping begins with this page: the chunk, its size, and the end of the mapping. An aligned block
/// stands further behind, its chunk's first word says how far, and the head at the beginning of the page is left over.
fn chunk_in(image: &Image, page: u64) -> Option<(u64, u64, u64)> {
    let head = |lead: u64| {
        let chunk = page.checked_add(lead)?;
        let (before, word) = (image.word(chunk)?, image.word(chunk.checked_add(8)?)?);
        let size = word & !FLAGS;
        let end = chunk.checked_add(size)?;
        let is_chunk = before == lead && word & FLAGS == MAPPED && size > HEAD && end.is_multiple_of(PAGE);
        is_chunk.then_some((chunk, size, end))
    };
    let (chunk, size, end) = head(0).filter(|&(.., end)| image.is_writable(page, end))?;
    let leads = (6..ADDRESS_BITS).map(|bits| (1_u64 << bits) - HEAD);
    let aligned = leads
        .take_while(|lead| *lead < size)
        .filter_map(head)
        .find(|&(.., aligned_end)| aligned_end == end);
    Some(aligned.unwrap_or((chunk, size, end)))
}
