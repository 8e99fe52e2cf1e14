//! # A01 · rounding and headers of small blocks
//!
//! ## What it is
//! Many blocks of one size, where the allocator sets aside more for each block than was asked for.
//!
//! ## Why it costs
//! glibc puts a header of 8 bytes before each block and rounds up to 16, with 32 at least; other allocators have size
//! classes. Of a node of 40 bytes that is a sixth of what it is charged.
//!
//! ## How it is found
//! At least 1,000 blocks of one type (or, without one, of one place of allocation) and one size, charged more than their
//! request rounded up to 8 bytes.
//!
//! ## How the saving is computed
//! For each block, what it is charged less its request rounded up to 8 bytes: as in a pool that cuts large pieces into
//! blocks of one size, without headers. It is an option: the saving is what all findings leave, and is not counted as
//! dead weight. Blocks that a finding cuts or moves are no longer of one size, and count only in what the option saves
//! alone.
//!
//! ## How to fix it
//! Take blocks of one size from a pool.
//!
//! - C++: `std::pmr::unsynchronized_pool_resource`, Boost.Pool, or `slab_allocator` in `remedies/cpp`; with
//!   `std::allocate_shared` for nodes behind a `shared_ptr`.
//! - Rust: an arena, or a `Vec` with indices for references.
//! - Or an allocator without headers for the whole program: jemalloc, mimalloc.
//!
//! ## When not to
//! When blocks are freed in another order than pages of the pool fall empty: a pool keeps what was once its own.

use deadweight_heap::{Heap, Presence};
use deadweight_infer::{BlockGroup, block_groups};

use crate::count::Count;
use crate::{Basis, Candidate, Code, Rule, Verdict};

/// Fewer blocks are not worth a pool.
const FEWEST: usize = 1000;

/// A pool's blocks begin at multiples of this.
const ALIGNMENT: u64 = 8;

/// The rule.
pub struct Overhead;

impl Rule for Overhead {
    fn code(&self) -> Code {
        Code("A01")
    }

    fn source(&self) -> &'static str {
        include_str!("a01_allocator.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("the pool is filled")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if heap.blocks.any() && heap.coverage.requests == Presence::Absent {
            return Verdict::blind(
                "the dump shows how much each block can hold, not how much the program asked for",
                heap.runtime.recapture.clone(),
            );
        }
        let groups = block_groups(heap, FEWEST);
        let candidates = groups.iter().filter_map(|group| candidate(heap, group));
        candidates.collect::<Vec<_>>().into()
    }
}

fn candidate(heap: &Heap, group: &BlockGroup) -> Option<Candidate> {
    let pooled = group
        .requested
        .checked_next_multiple_of(ALIGNMENT)?
        .max(ALIGNMENT);
    let mut candidate = Candidate::at(group.holder.clone())
        .assuming("the pool is filled, and blocks need no stricter alignment than 8 bytes");
    candidate.option = true;
    candidate.as_they_are = true;
    candidate.site.clone_from(&group.site);
    for &row in &group.rows {
        let now = heap.bytes(row);
        candidate.bytes_now += now;
        if now > pooled {
            candidate.claim(row, now - pooled);
            candidate.count += 1;
        } else {
            candidate.unaffected += 1;
        }
    }
    if candidate.count == 0 {
        return None;
    }
    let count = group.rows.len() as u64;
    candidate.title = format!(
        "{} of {} bytes are charged {} each",
        Count(count).of("block", "blocks"),
        Count(group.requested),
        Count(candidate.bytes_now / count)
    );
    candidate.fix = "take them from a pool of blocks of exactly this size".into();
    candidate.show("requested_bytes", group.requested);
    candidate.show("charged_bytes", candidate.bytes_now);
    candidate.show("pooled_bytes", pooled);
    candidate.show("allocator", heap.allocator.name());
    Some(candidate)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Rounded};

    use super::*;

    fn heap_of(count: usize, bytes: usize) -> Heap {
        let mut heap = HeapBuilder::new();
        heap.allocator(Rounded {
            name: "sixteen",
            to: 16,
        });
        for _ in 0..count {
            heap.block("node", &vec![1; bytes]);
        }
        heap.build()
    }

    #[test]
    fn rounding_is_an_option() {
        let found = Overhead.look(&heap_of(FEWEST, 33)).candidates;
        assert_eq!(found.len(), 1);
        assert!(found[0].option);
        assert_eq!(found[0].net(), 1000 * (48 - 40));
    }

    #[test]
    fn blocks_that_a_finding_cuts_are_no_longer_of_one_size() {
        let offers = |used: usize| {
            let mut heap = HeapBuilder::new();
            heap.allocator(Rounded {
                name: "sixteen",
                to: 16,
            });
            for at in 0..FEWEST {
                let mut content = vec![0; 520];
                content[..used].fill(at as u8 | 1);
                content[..8]
                    .copy_from_slice(&(at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
                heap.block("Table::grow", &content);
            }
            let source = deadweight_weighing::Source {
                path: "blocks".into(),
                bytes: 1,
                format: "builder".into(),
            };
            let weighing = crate::weigh(&heap.build(), source, &crate::Options::all());
            let rules = |found: &[deadweight_weighing::Finding]| {
                found.iter().map(|f| f.rule.clone()).collect::<Vec<_>>()
            };
            (rules(&weighing.findings), rules(&weighing.options))
        };
        assert_eq!(offers(520), (vec![], vec!["A01".to_owned()]));
        assert_eq!(offers(24), (vec!["C03".to_owned()], vec![]));
    }

    #[test]
    fn without_requests_it_says_so() {
        let mut heap = HeapBuilder::new();
        heap.hide_requests();
        heap.block("node", &[1; 33]);
        let verdict = Overhead.look(&heap.build());
        assert!(verdict.candidates.is_empty());
        assert_eq!(verdict.not_measured.len(), 1);
    }

    #[test]
    fn few_blocks_and_exact_ones_are_left_alone() {
        assert!(Overhead.look(&heap_of(FEWEST - 1, 33)).candidates.is_empty());
        assert!(Overhead.look(&heap_of(FEWEST, 32)).candidates.is_empty());
        assert!(Overhead.look(&heap_of(FEWEST, 41)).candidates.is_empty());
    }
}
