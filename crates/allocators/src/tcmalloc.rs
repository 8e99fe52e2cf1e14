//! tcmalloc, as gperftools has it.

use std::sync::LazyLock;

use deadweight_heap::{Allocator, Request};

use crate::Model;
use crate::rounding::up;

/// The unit of tcmalloc's runs, whatever the machine's pages are.
const PAGE: u64 = 8192;
/// Larger blocks have a run of pages each.
const LARGEST_CLASS: u64 = 256 * 1024;
/// Blocks that move between a thread's cache and the shared one at a time, at most.
const BATCH: u64 = 32;

static CLASSES: LazyLock<Vec<u64>> = LazyLock::new(classes);

/// tcmalloc of gperftools 2.10 with its pages of 8 KiB, as Linux distributions build it (`tcmalloc_minimal` has the
/// same classes).
///
/// Up to 256 KiB a block has the smallest class that holds it, beyond that whole pages of 8 KiB. Blocks carry no
/// header, so all that is charged is usable.
///
/// A class's blocks lie in runs of pages whose end may be too short for another block. That end, at most an eighth
/// of a run, is nobody's and not charged.
///
/// Google's newer tcmalloc, a project of its own, has other classes. So has this one where
/// `TCMALLOC_TRANSFER_NUM_OBJ` is set.
///
/// Sources: gperftools 2.10's `src/common.cc` and `src/common.h` for how classes are chosen, page and largest class;
/// tests compare with `malloc_usable_size` and with the change of `generic.current_allocated_bytes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tcmalloc;

impl Allocator for Tcmalloc {
    fn name(&self) -> &'static str {
        "tcmalloc"
    }
    fn charge(&self, request: Request) -> u64 {
        self.usable(request.bytes)
    }
}

impl Model for Tcmalloc {
    fn usable(&self, bytes: u64) -> u64 {
        let class = CLASSES.partition_point(|&class| class < bytes);
        CLASSES.get(class).copied().unwrap_or_else(|| up(bytes, PAGE))
    }
    fn charged_for_usable(&self, usable: u64) -> u64 {
        usable
    }
}

/// The classes, smallest first: all sizes on a grid that widens with the size, but of neighbours whose runs have
/// equally many pages and blocks only the largest, since it costs no more than they do.
fn classes() -> Vec<u64> {
    let grid = std::iter::successors(Some(8), |&size| Some(size + spacing(size)));
    let mut classes: Vec<(u64, (u64, u64))> = Vec::new();
    for size in grid.take_while(|&size| size <= LARGEST_CLASS) {
        let run = run(size);
        match classes.last_mut() {
            Some(last) if last.1 == run => last.0 = size,
            _ => classes.push((size, run)),
        }
    }
    classes.into_iter().map(|(size, _)| size).collect()
}

/// How far the next size on the grid is: eight to a doubling from 128 bytes on, at least 16 bytes, at most a page.
fn spacing(size: u64) -> u64 {
    if size < 16 {
        8
    } else {
        ((1 << size.ilog2()) / 8).clamp(16, PAGE)
    }
}

/// Pages and blocks of a class's runs: as few pages as waste at most an eighth and hold a quarter of a batch.
fn run(size: u64) -> (u64, u64) {
    let batch = (64 * 1024 / size).clamp(2, BATCH);
    let suits = |bytes: u64| bytes % size <= bytes / 8 && bytes / size >= batch / 4;
    let pages = (1..=LARGEST_CLASS / PAGE)
        .find(|pages| suits(pages * PAGE))
        .expect("the largest class fills one");
    (pages, pages * PAGE / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_whose_runs_cost_the_same_share_a_class() {
        let at = |bytes| CLASSES[CLASSES.partition_point(|&class| class < bytes)];
        assert_eq!(
            [at(0), at(9), at(129), at(257), at(3329), at(13_313)],
            [8, 16, 144, 288, 4096, 16_384]
        );
        assert_eq!(CLASSES.last(), Some(&LARGEST_CLASS));
    }

    #[test]
    fn beyond_the_classes_are_whole_pages() {
        assert_eq!(Tcmalloc.usable(LARGEST_CLASS + 1), LARGEST_CLASS + PAGE);
    }
}
