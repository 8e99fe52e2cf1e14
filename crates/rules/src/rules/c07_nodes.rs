//! # C07 · lists that keep each element in a node
//!
//! ## What it is
//! A linked list: each element stands in an object of its own, which refers to the next one and the one before.
//!
//! ## Why it costs
//! A node has a header and two references beside the one to its element: 24 bytes on the JVM, where a slot of an array takes 4.
//! It is also slower to walk, as each step waits for memory.
//!
//! ## How it is found
//! Lists that have as many pieces as elements, in a runtime that has the same list with one array, grouped by their holder; from 64 nodes at
//! one holder on. Empty lists are C01's.
//!
//! ## How the saving is computed
//! The list with its nodes, less a list with an array of just as many slots as there are elements. Lists that would cost as much
//! or more stay.
//!
//! ## How to fix it
//! Use a list with an array, and make it as large as it becomes, or trim it when it is complete: a growing one has up to half of
//! its slots free.
//!
//! - Java: `new ArrayList<>(linked)` has just enough slots; `list.trimToSize()` after the last `add`; an `ArrayDeque` for
//!   queues.
//! - Kotlin: `ArrayList(linked)`.
//!
//! ## When not to
//! When elements are put in or taken out in the middle of long lists while an iterator stands there. At both ends an `ArrayDeque`
//! is as fast.

use deadweight_heap::{Array, Heap, Holders, Implementation, Parts, Representation, UNKNOWN};

use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::{Basis, Candidate, Code, Rule, Verdict};

#[cfg(test)]
mod tests;

/// Fewer nodes at one holder are no habit.
const FEWEST: u64 = 64;

/// The rule.
pub struct Nodes;

impl Rule for Nodes {
    fn code(&self) -> Code {
        Code("C07")
    }

    fn source(&self) -> &'static str {
        include_str!("c07_nodes.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Data
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let holders = Holders::new(heap);
        let lists = holders.group_all(heap.arrays.len(), |at| {
            let list = heap.arrays[at];
            Some((list.object, (list, of_nodes(heap, &list)?)))
        });
        lists
            .into_iter()
            .map(|(holder, lists)| (holder, candidate(heap, &lists)))
            .filter(|(_, candidate)| candidate.count > 0)
            .map(|(holder, mut candidate)| {
                candidate.holder = holders.name(holder);
                candidate
            })
            .collect::<Vec<_>>()
            .into()
    }
}

/// What would keep the elements of a list in one array, where the list has a node for each.
fn of_nodes(heap: &Heap, list: &Array) -> Option<Implementation> {
    let is_known = list.used != UNKNOWN && list.used > 0 && heap.in_program(list.object);
    let array = heap
        .layout
        .array_for_nodes(list.implementation)
        .filter(|_| is_known)?;
    let nodes = Parts::default().held(heap, list.object).count() as u64;
    (nodes == u64::from(list.used)).then_some(array)
}

fn candidate(heap: &Heap, lists: &[(Array, Implementation)]) -> Candidate {
    let mut candidate = Candidate::at("");
    let mut parts = Parts::default();
    let mut elements = 0;
    for (list, array) in lists {
        let used = u64::from(list.used);
        let after = heap.layout.array(*array, Representation::Any, used);
        if after >= heap.whole_bytes(list.object) {
            candidate.unaffected += 1;
            continue;
        }
        candidate.bytes_now += parts.claim_whole(heap, &mut candidate, list.object);
        candidate.add_to(list.object, after);
        candidate.count += 1;
        elements += used;
    }
    if elements < FEWEST {
        return Candidate::at("");
    }
    candidate.title = format!(
        "{} {} a node for each of {}",
        Count(candidate.count).of("list", "lists"),
        if candidate.count == 1 { "has" } else { "have" },
        Count(elements).of("element", "elements")
    );
    candidate.fix =
        "use lists with an array, made at their final size or trimmed when they are complete".into();
    candidate.show("lists", candidate.count);
    candidate.show("elements", elements);
    candidate
}
