//! How a typical object of each finding is reached from a root.

use deadweight_heap::{EdgeKind, Heap, Kind, ObjectId, PathStep, RootPaths};

use crate::Candidate;
use deadweight_weighing::{Finding, OTHERS, Step};

/// In heaps with at most so many references finding all paths takes no more than a fraction of a second.
const CHEAP: usize = 10_000_000;

/// Steps that are shown of a longer path: those next to the root, and those next to the object.
const FIRST: usize = 5;
const LAST: usize = 6;

/// Claims that are looked at for one that is an object of the program.
const LOOKED_AT: usize = 64;

/// Whether paths are found without being asked for.
pub(crate) fn are_cheap(heap: &Heap) -> bool {
    heap.edges.len() <= CHEAP
}

/// An object that the candidate's fix changes or removes, if it is one that a person would know.
pub(crate) fn typical(heap: &Heap, candidate: &Candidate) -> Option<ObjectId> {
    let claims = candidate.claims.iter().take(LOOKED_AT);
    claims
        .map(|claim| heap.owner(claim.object))
        .find(|&object| !heap.is_runtime(object) && !matches!(heap.kind(object), Kind::Runtime | Kind::Shape))
}

/// Adds to each finding the path to the object that stands for it.
pub(crate) fn describe<'f>(
    heap: &Heap,
    paths: &RootPaths,
    findings: impl Iterator<Item = (&'f mut Finding, ObjectId)>,
) {
    for (finding, object) in findings.filter(|(finding, _)| finding.rule != OTHERS) {
        finding.path = steps(heap, &heap.root_path(paths, object));
    }
}

/// The steps of a path; none of one that has only its end, which no object of the heap refers to.
fn steps(heap: &Heap, path: &[PathStep]) -> Vec<Step> {
    if path.len() < 2 {
        return Vec::new();
    }
    let left_out = path.len().saturating_sub(FIRST + LAST);
    let is_kept = |at: usize| left_out < 2 || at < FIRST || at >= FIRST + left_out;
    let steps = path.iter().enumerate().filter(|&(at, _)| is_kept(at));
    steps
        .map(|(at, step)| Step {
            via: via(heap, step),
            object: named(heap, step.object),
            skipped: if left_out >= 2 && at == FIRST + left_out {
                left_out as u64
            } else {
                0
            },
        })
        .collect()
}

fn via(heap: &Heap, step: &PathStep) -> String {
    let Some(via) = step.via else {
        return String::new();
    };
    match via.kind() {
        EdgeKind::Field | EdgeKind::Variable => heap.texts.shown(via.name(), 48),
        EdgeKind::Element => "[]".to_owned(),
        EdgeKind::Key => "{keys}".to_owned(),
        EdgeKind::Value => "{}".to_owned(),
        EdgeKind::Internal | EdgeKind::Weak => String::new(),
    }
}

fn named(heap: &Heap, object: ObjectId) -> String {
    let kind = heap.kind(object);
    if kind == Kind::String {
        return "string".to_owned();
    }
    let name = heap.type_name(object);
    if !name.is_empty() {
        return name.to_owned();
    }
    let site = heap.sites.of(object).map(deadweight_heap::Site::name);
    match site {
        Some(site) => format!("block from {site}"),
        None => format!("({})", format!("{kind:?}").to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Kind};

    use super::*;

    #[test]
    fn long_ways_are_known_by_their_ends() {
        let mut heap = HeapBuilder::new();
        let next = heap.text("next");
        let links: Vec<ObjectId> = (0..40).map(|_| heap.object(Kind::Record, "Link", 16)).collect();
        for pair in links.windows(2) {
            heap.edge(pair[0], EdgeKind::Field, next, pair[1]);
        }
        let heap = heap.build();
        let paths = heap.root_paths();
        let steps = steps(&heap, &heap.root_path(&paths, links[39]));
        assert_eq!(steps.len(), FIRST + LAST);
        let skipped: Vec<u64> = steps.iter().map(|step| step.skipped).collect();
        assert_eq!(skipped, [0, 0, 0, 0, 0, 29, 0, 0, 0, 0, 0]);
        assert_eq!((steps[0].via.as_str(), steps[1].via.as_str()), ("", "next"));
        assert!(super::steps(&heap, &heap.root_path(&paths, links[0])).is_empty());
    }
}
