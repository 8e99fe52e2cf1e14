//! Root paths: how an object is reached from a root.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::{EdgeKind, Flags, Heap, NONE, ObjectId, Via};

/// One step of a path: an object, and the reference that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The object, never a part of one.
    pub object: ObjectId,
    /// How the object before refers to it, itself or through its parts; `None` for the root.
    pub via: Option<Via>,
}

/// The shortest paths from the roots of a heap to all that they lead to: 4 bytes for each row.
#[derive(Debug)]
pub struct RootPaths {
    /// For each row the one before it, itself for a root; [`NONE`] for all that no root leads to.
    from: Vec<ObjectId>,
}

impl Heap {
    /// Walks from the roots, the rows that no other refers to, through everything. Weak references lead nowhere, and
    /// neither do those of a recorder, which looked at everything. It takes time linear in the number of references.
    #[must_use]
    pub fn root_paths(&self) -> RootPaths {
        let rows = self.objects.len();
        let mut from = vec![NONE; rows];
        let referred: Vec<AtomicBool> = (0..rows).map(|_| AtomicBool::new(false)).collect();
        self.rows().into_par_iter().with_min_len(16_384).for_each(|row| {
            for edge in self.leading(row) {
                if edge.to != row {
                    referred[edge.to as usize].store(true, Ordering::Relaxed);
                }
            }
        });
        let roots = self
            .rows()
            .filter(|&row| !referred[row as usize].load(Ordering::Relaxed));
        let mut met: Vec<ObjectId> = roots
            .filter(|&row| !self.objects.has(row, Flags::RECORDER))
            .collect();
        drop(referred);
        for &root in &met {
            from[root as usize] = root;
        }
        let mut next = Vec::new();
        while !met.is_empty() {
            for row in met.drain(..) {
                for edge in self.leading(row) {
                    let place = &mut from[edge.to as usize];
                    if *place == NONE {
                        *place = row;
                        next.push(edge.to);
                    }
                }
            }
            std::mem::swap(&mut met, &mut next);
        }
        RootPaths { from }
    }

    /// The path to an object, root first; empty where no root leads to it. Of several shortest paths it is the one whose
    /// references stand first.
    #[must_use]
    pub fn root_path(&self, paths: &RootPaths, to: ObjectId) -> Vec<PathStep> {
        let mut path = Vec::new();
        let mut at = self.owner(to);
        while let Some(&before) = paths.from.get(at as usize).filter(|&&before| before != NONE) {
            let object = self.owner(at);
            let via = (before != at).then(|| self.naming(before, at));
            // Pieces of an object are the object: it is reached where the first of them is.
            match path.last_mut() {
                Some(PathStep {
                    object: last,
                    via: known,
                }) if *last == object => *known = via,
                _ => path.push(PathStep { object, via }),
            }
            if before == at {
                break;
            }
            at = before;
        }
        path.reverse();
        path
    }

    /// References that keep something alive for the program.
    fn leading(&self, row: ObjectId) -> impl Iterator<Item = crate::Edge> + '_ {
        let is_open = !self.objects.has(row, Flags::RECORDER);
        let rows = self.objects.len();
        self.edges
            .of(row)
            .filter(move |edge| is_open && edge.via.kind() != EdgeKind::Weak && (edge.to as usize) < rows)
    }

    /// Of the references from one row to another the one that says most.
    fn naming(&self, from: ObjectId, to: ObjectId) -> Via {
        let all = self
            .leading(from)
            .filter(|edge| edge.to == to)
            .map(|edge| edge.via);
        all.min_by_key(|via| via.kind() == EdgeKind::Internal)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{HeapBuilder, Kind};

    #[test]
    fn the_shortest_way_leads_through_whole_objects() {
        let mut heap = HeapBuilder::new();
        let root = heap.object(Kind::Scope, "(root)", 0);
        let global = heap.object(Kind::Record, "Global", 16);
        let far = heap.object(Kind::Record, "Far", 16);
        let value = heap.object(Kind::Record, "Value", 16);
        let table = heap.object(Kind::Table, "Map", 32);
        let store = heap.object(Kind::Runtime, "", 152);
        heap.part(table, store);
        let registry = heap.text("registry");
        heap.edge(root, EdgeKind::Internal, 0, global);
        heap.edge(root, EdgeKind::Internal, 0, far);
        heap.edge(far, EdgeKind::Internal, 0, global);
        heap.edge(global, EdgeKind::Internal, 0, table);
        heap.edge(global, EdgeKind::Field, registry, table);
        heap.edge(table, EdgeKind::Internal, 0, store);
        heap.edge(store, EdgeKind::Value, 0, value);
        heap.edge(far, EdgeKind::Weak, 0, value);
        let heap = heap.build();
        let paths = heap.root_paths();
        let found = [value, store, root].map(|object| heap.root_path(&paths, object));
        let path: Vec<(ObjectId, Option<EdgeKind>)> = found[0]
            .iter()
            .map(|path| (path.object, path.via.map(Via::kind)))
            .collect();
        assert_eq!(
            path,
            [
                (root, None),
                (global, Some(EdgeKind::Internal)),
                (table, Some(EdgeKind::Field)),
                (value, Some(EdgeKind::Value)),
            ]
        );
        assert_eq!(found[1], found[0][..3]);
        assert_eq!(found[2], found[0][..1]);
    }

    #[test]
    fn what_only_a_cycle_or_a_recorder_leads_to_has_none() {
        let mut heap = HeapBuilder::new();
        let a = heap.object(Kind::Record, "A", 16);
        let b = heap.object(Kind::Record, "B", 16);
        let recorder = heap.object(Kind::Record, "Recorder", 16);
        heap.edge(a, EdgeKind::Internal, 0, b)
            .edge(b, EdgeKind::Internal, 0, a);
        heap.edge(recorder, EdgeKind::Internal, 0, a);
        heap.flag(recorder, Flags::RECORDER);
        let heap = heap.build();
        let paths = heap.root_paths();
        assert_eq!(
            [a, b, u32::MAX].map(|object| heap.root_path(&paths, object)),
            [vec![], vec![], vec![]]
        );
    }

    proptest! {
        #[test]
        fn every_way_is_one_and_none_is_shorter(edges in prop::collection::vec((0..12_u32, 0..12_u32), 0..40)) {
            let mut heap = HeapBuilder::new();
            for _ in 0..12 {
                heap.object(Kind::Record, "A", 16);
            }
            for &(from, to) in &edges {
                heap.edge(from, EdgeKind::Internal, 0, to);
            }
            let heap = heap.build();
            let all: Vec<ObjectId> = (0..12).collect();
            let paths = heap.root_paths();
            let found = all.iter().map(|&row| heap.root_path(&paths, row));
            // As far as each row is by repeated relaxation.
            let is_root = |row: u32| !edges.iter().any(|&(from, to)| to == row && from != row);
            let mut far: Vec<Option<usize>> = all.iter().map(|&row| is_root(row).then_some(1)).collect();
            for _ in 0..12 {
                for &(from, to) in &edges {
                    if let Some(further) = far[from as usize].map(|far| far + 1) {
                        let place = &mut far[to as usize];
                        *place = Some(place.map_or(further, |far| far.min(further)));
                    }
                }
            }
            for (row, path) in found.enumerate() {
                prop_assert_eq!(path.len(), far[row].unwrap_or(0));
                for pair in path.windows(2) {
                    prop_assert!(edges.contains(&(pair[0].object, pair[1].object)));
                }
            }
        }
    }
}
