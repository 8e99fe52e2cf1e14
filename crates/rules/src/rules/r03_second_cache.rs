//! # R03 · the same content held by two caches
//!
//! ## What it is
//! Blocks whose contents other blocks of the program hold, too: nodes in serialised form beside the nodes themselves,
//! texts beside what was read out of them.
//!
//! ## Why it costs
//! Each content is paid for twice, and the second time with the table that finds it: entries, keys, counts of
//! references. It happens where two layers of a program each bring a cache of their own.
//!
//! ## How it is found
//! From the contents of raw blocks alone. Blocks of 64 bytes or more without references are grouped by the place that
//! allocates them and by what refers to them; a group counts from 64 blocks on. In up to 128 blocks of a group every
//! window of 16 bytes that only one of them has, with no pattern and few zeros, is looked for in all other blocks, at
//! any distance, and what is common is followed in both directions. A block is contained when at least 80 % of its
//! bytes that are not zero are, in stretches of 24 bytes or more, and no more than 24 bytes stand before the first: what
//! is left in memory of something freed stands behind what was written since. At least 90 % of the blocks looked at
//! must be contained.
//!
//! A block without references counts as a place where contents are held only if at least 80 % of it are in the copy:
//! what was read out of a larger text stays silent beside it, and what is left in memory of something freed is no
//! place. Of two groups that contain each other the one with
//! more content is named: what was put together of others has all of their contents, each of them only its own. Windows
//! that more than 32 places have are boilerplate.
//!
//! **In several processes or worker threads** of one run the same is looked for when they are weighed together: texts of
//! eight bytes or more, buffers and raw blocks with 24 bytes that are not zero, each in all of its bytes, and records, arrays
//! and tables that hold such contents and whose every value the dump shows, numbers included, 32 levels deep. What holds a
//! value that is not in the dump, such as a function, is not compared, nor is a raw block that refers to others. Of a heap
//! with more than 262,144 such things a sample is compared, the same in every heap, and the figure is an estimate. The
//! report has a part of its own for it, `again` in JSON, which no finding counts: *R03 3 heaps of this run hold the same
//! contents*. Where a tenth of the bytes could not be compared it says so under what was not measured.
//!
//! ## How the saving is computed
//! The bytes of the group, and of the blocks that do nothing but hold it: whose references lead to it, to each other,
//! and nowhere else, up to the table (one reference in ten may lead elsewhere), and whose own contents, if they
//! have any that are distinctive, are held elsewhere, too.
//!
//! Across heaps: what all hold of each content, without the one that holds most; what one heap holds twice counts once.
//! Processes that were forked share pages until somebody writes there. What a process has of its parent's contents may
//! stand in such pages: at most as many bytes as it shares with others, as its system says, are named apart.
//!
//! ## How to fix it
//! Keep one of the two. The other form can be made when it is asked for, or read from where it is stored: a cache in
//! front of a cache seldom hits.
//!
//! - C++, Rust: let the second cache hold the objects of the first, by shared or weak pointers.
//! - Write serialised forms out, and free them.
//! - Across processes: one that the others ask, or a cache beside them. What never changes is loaded before the fork
//!   (puma, unicorn: `preload_app!`), or lies in a file that all map. Worker threads of Node.js share a `SharedArrayBuffer`.
//!
//! ## When not to
//! When the second form is dear to make and is asked for often.

mod finding;
#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, Presence};
use deadweight_infer::{copies, copy_groups};

use crate::{Basis, Candidate, Code, Rule, Verdict};

use finding::candidate;

/// Fewer bytes are no finding, nor is less than one in so many held bytes.
const LEAST: u64 = 4096;
const SHARE: u64 = 1000;

/// The rule.
pub struct SecondCache;

impl Rule for SecondCache {
    fn code(&self) -> Code {
        Code("R03")
    }

    fn source(&self) -> &'static str {
        include_str!("r03_second_cache.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("one of the two copies can serve both")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let groups = copy_groups(heap, LEAST.max(heap.held_bytes() / SHARE));
        if !groups.is_empty() && heap.coverage.contents == Presence::Absent {
            return Verdict::blind(
                "the contents of blocks are not in the dump, so what two caches hold is not seen",
                heap.runtime.recapture.clone(),
            );
        }
        let found = copies(heap, groups);
        let candidates = found.iter().map(|copies| candidate(heap, copies));
        let candidates: Vec<Candidate> = candidates
            .filter(|candidate| candidate.bytes_now >= LEAST)
            .collect();
        candidates.into()
    }
}
