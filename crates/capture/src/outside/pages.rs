//! Which memory of a process is its own, and which of that it has touched.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::maps::Mapping;

pub const PAGE: u64 = 4096;

/// Untouched stretches that are shorter are copied with what stands around them.
const SHORTEST_GAP: u64 = 64 << 10;

/// No heap is larger; what is, is reserved and not used, as the shadow memory of sanitizers is.
const LARGEST: u64 = 1 << 38;

/// In `/proc/PID/pagemap`: the page is in memory, or swapped out.
const TOUCHED: u64 = 0b11 << 62;

/// Memory for the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub start: u64,
    pub end: u64,
    /// It holds something; else it was never touched.
    pub touched: bool,
    pub writable: bool,
}

/// The heads of mapped files, for their build ids, and all private memory that can be written.
pub fn segments(mappings: &[Mapping], memory: &File, pagemap: &File) -> Vec<Segment> {
    let mut found = Vec::new();
    for mapping in mappings {
        if mapping.writable && mapping.readable && mapping.private {
            let whole = Segment {
                start: mapping.start,
                end: mapping.end,
                touched: true,
                writable: true,
            };
            if mapping.is_file() {
                push(&mut found, memory, whole);
            } else if mapping.end - mapping.start <= LARGEST {
                for run in runs(mapping, pagemap) {
                    push(&mut found, memory, run);
                }
            }
        } else if mapping.readable && mapping.is_file() && mapping.offset == 0 {
            let head = Segment {
                start: mapping.start,
                end: mapping.end.min(mapping.start + PAGE),
                touched: true,
                writable: false,
            };
            push(&mut found, memory, head);
        }
    }
    found
}

/// Adds a segment that can be read: a device's memory, or what lies behind the end of a mapped file, cannot.
fn push(found: &mut Vec<Segment>, memory: &File, segment: Segment) {
    let mut byte = [0];
    let can_be_read = |at: u64| memory.read_exact_at(&mut byte, at).is_ok();
    if !segment.touched || [segment.start, segment.end - 1].into_iter().all(can_be_read) {
        found.push(segment);
    }
}

/// The touched and untouched stretches of a mapping.
fn runs(mapping: &Mapping, pagemap: &File) -> Vec<Segment> {
    let mut found: Vec<Segment> = Vec::new();
    let mut entries = vec![0_u8; 1 << 16];
    let mut page = mapping.start;
    while page < mapping.end {
        let left = ((mapping.end - page) / PAGE * 8) as usize;
        let len = left.min(entries.len());
        let entries = &mut entries[..len];
        if pagemap.read_exact_at(entries, page / PAGE * 8).is_err() {
            // The system does not say: then all of it may be.
            entries.fill(0xFF);
        }
        for entry in entries.as_chunks::<8>().0 {
            let touched = u64::from_le_bytes(*entry) & TOUCHED != 0;
            match found.last_mut() {
                Some(last) if last.touched == touched => last.end += PAGE,
                _ => found.push(Segment {
                    start: page,
                    end: page + PAGE,
                    touched,
                    writable: true,
                }),
            }
            page += PAGE;
        }
    }
    merged(found, SHORTEST_GAP)
}

/// Short untouched stretches count as touched.
pub fn merged(segments: Vec<Segment>, shortest_gap: u64) -> Vec<Segment> {
    let mut merged: Vec<Segment> = Vec::new();
    for mut segment in segments {
        segment.touched |= segment.end - segment.start < shortest_gap;
        match merged.last_mut() {
            Some(last)
                if (last.end, last.touched, last.writable)
                    == (segment.start, segment.touched, segment.writable) =>
            {
                last.end = segment.end;
            }
            _ => merged.push(segment),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_gaps_are_copied_and_long_ones_left_out() {
        let run = |start: u64, end: u64, touched| Segment {
            start: start * PAGE,
            end: end * PAGE,
            touched,
            writable: true,
        };
        let runs = vec![
            run(0, 1, true),
            run(1, 3, false),
            run(3, 4, true),
            run(4, 40, false),
        ];
        assert_eq!(merged(runs, SHORTEST_GAP), [run(0, 4, true), run(4, 40, false)]);
    }
}
