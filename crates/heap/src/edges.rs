//! References between objects, in compressed sparse rows.

mod builder;
mod via;

pub use builder::EdgesBuilder;
pub use via::{Edge, EdgeKind, Via};

use rayon::prelude::*;

use crate::adjacency::{Adjacency, AdjacencyList};
use crate::edge_shapes::EdgeShapes;
use crate::{ObjectId, RowSet};

/// The references of every object.
///
/// The names of an object's references in their order are its *edge shape*, and with their targets its *adjacency list*.
/// Many objects have an edge shape in common, and some a whole adjacency list: a reader may hand over each
/// [once](crate::Gathered) for all that have it.
#[derive(Debug, Default)]
pub struct Edges {
    adjacency: Adjacency,
    via: Vec<Via>,
    to: Vec<ObjectId>,
    len: usize,
}

impl Edges {
    /// Takes columns a reader filled: `starts` has one entry more than there are objects.
    ///
    /// # Panics
    /// When the columns do not fit together: a reader's mistake, never an input's.
    #[must_use]
    pub fn from_columns(starts: Vec<u32>, via: Vec<Via>, to: Vec<ObjectId>) -> Self {
        assert_eq!(via.len(), to.len(), "an edge has a name and a target");
        assert_eq!(
            starts.last().copied().unwrap_or(0) as usize,
            to.len(),
            "the last row ends at the last edge"
        );
        let len = to.len();
        Self {
            adjacency: Adjacency::Own(starts),
            via,
            to,
            len,
        }
    }

    /// Takes lists that a reader gathered; `len` is the number of references of all objects.
    pub(crate) fn from_adjacency(adjacency: Adjacency, via: Vec<Via>, to: Vec<ObjectId>, len: usize) -> Self {
        Self {
            adjacency,
            via,
            to,
            len,
        }
    }

    /// Number of references.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no reference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The references of one object, in dump order.
    #[inline]
    pub fn of(&self, from: ObjectId) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + '_ {
        let (names, targets) = self.adjacency.ranges(from);
        self.via[names]
            .iter()
            .zip(&self.to[targets])
            .map(|(&via, &to)| Edge { via, to })
    }

    /// Number of references of one object.
    #[must_use]
    #[inline]
    pub fn count(&self, from: ObjectId) -> usize {
        self.adjacency.ranges(from).0.len()
    }

    /// The reference at a place of [`Self::of`].
    ///
    /// # Panics
    /// When the object has no such place.
    #[must_use]
    #[inline]
    pub fn at(&self, from: ObjectId, place: usize) -> Edge {
        let (names, targets) = self.adjacency.ranges(from);
        Edge {
            via: self.via[names][place],
            to: self.to[targets][place],
        }
    }

    /// Kinds and names of one object's references, in dump order.
    #[must_use]
    #[inline]
    pub fn names(&self, from: ObjectId) -> &[Via] {
        &self.via[self.adjacency.ranges(from).0]
    }

    /// What one object refers to, in the order of [`Self::names`].
    #[must_use]
    #[inline]
    pub fn targets(&self, from: ObjectId) -> &[ObjectId] {
        &self.to[self.adjacency.ranges(from).1]
    }

    /// Number of objects that have references, or an empty list of them.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.adjacency.objects()
    }

    /// Whether objects may have one edge shape or of targets in common.
    #[must_use]
    pub fn are_shared(&self) -> bool {
        matches!(self.adjacency, Adjacency::Shared { .. })
    }

    /// The number of an object's edge shape, below [`Self::edge_shapes`]. Objects with one shape have the same names.
    #[must_use]
    #[inline]
    pub fn edge_shape(&self, from: ObjectId) -> u32 {
        self.adjacency.edge_shape(from)
    }

    /// Number of edge shapes.
    #[must_use]
    pub fn edge_shapes(&self) -> usize {
        self.adjacency.edge_shapes()
    }

    /// The names of an edge shape.
    #[must_use]
    pub fn edge_shape_names(&self, shape: u32) -> &[Via] {
        &self.via[self.adjacency.shape_range(shape)]
    }

    /// What each edge shape tells, on all threads.
    pub fn by_edge_shape<T: Send>(&self, describe: impl Fn(&[Via]) -> T + Sync) -> Vec<T> {
        let shapes = (0..self.edge_shapes() as u32).into_par_iter().with_min_len(256);
        shapes
            .map(|shape| describe(self.edge_shape_names(shape)))
            .collect()
    }

    /// The number of an object's adjacency list, below [`Self::adjacency_lists`]. Objects with one list refer to the same
    /// objects by the same names.
    #[must_use]
    #[inline]
    pub fn adjacency(&self, from: ObjectId) -> u32 {
        self.adjacency.adjacency(from)
    }

    /// Number of adjacency lists.
    #[must_use]
    pub fn adjacency_lists(&self) -> usize {
        self.adjacency.len()
    }

    /// Shows `found` each reference to a row that is `wanted`: the object that has it, and its place among the references
    /// of that object. Runs on all threads of the current pool, in no order.
    pub fn each_to(
        &self,
        wanted: impl Fn(ObjectId) -> bool + Sync,
        found: impl Fn(ObjectId, usize, ObjectId) + Sync,
    ) {
        self.objects_to(&wanted).for_each(|from| {
            for (place, &to) in self.targets(from).iter().enumerate() {
                if wanted(to) {
                    found(from, place, to);
                }
            }
        });
    }

    /// Objects that refer to a row that is `wanted`, in order.
    pub(crate) fn objects_to(
        &self,
        wanted: impl Fn(ObjectId) -> bool + Sync,
    ) -> impl ParallelIterator<Item = ObjectId> {
        // Few lists lead to a row that is wanted: lists are looked at first, and only then the objects that have them.
        let lead_there = RowSet::of(self.adjacency_lists(), |list| {
            self.adjacency_targets(list).iter().any(|&to| wanted(to))
        });
        let objects = (0..self.objects() as ObjectId).into_par_iter();
        objects
            .with_min_len(16_384)
            .filter(move |&from| lead_there.has(self.adjacency(from)))
    }

    fn adjacency_targets(&self, list: u32) -> &[ObjectId] {
        &self.to[self.adjacency.targets_range(list)]
    }

    /// Takes away all references of these objects.
    pub fn remove_of(&mut self, objects: &RowSet) {
        let gone: Vec<ObjectId> = objects.rows().filter(|&object| self.count(object) > 0).collect();
        if gone.is_empty() {
            return;
        }
        self.len -= gone.iter().map(|&object| self.count(object)).sum::<usize>();
        match &mut self.adjacency {
            Adjacency::Own(starts) => {
                let (mut next, mut kept) = (0, 0);
                let last = starts.len() - 1;
                for end in gone.iter().map(|&object| object as usize).chain([last]) {
                    // What lies between two of them moves forward in one piece.
                    let between = starts[next] as usize..starts[end] as usize;
                    self.via.copy_within(between.clone(), kept);
                    self.to.copy_within(between.clone(), kept);
                    let moved = (between.start - kept) as u32;
                    starts[next..=end].iter_mut().for_each(|start| *start -= moved);
                    kept += between.len();
                    next = end + 1;
                }
                self.via.truncate(kept);
                self.to.truncate(kept);
            }
            Adjacency::Shared {
                of,
                adjacency,
                shapes,
            } => {
                let shape = shapes.len() as u32 - 1;
                shapes.push(self.via.len() as u32);
                for &object in &gone {
                    of[object as usize] = adjacency.len() as u32;
                }
                adjacency.push(AdjacencyList { to: 0, shape });
            }
        }
    }

    /// Makes another name of each. Runs on all threads of the current pool.
    pub fn rename(&mut self, name: impl Fn(Via) -> Via + Sync) {
        let all = self.via.par_iter_mut().with_min_len(65_536);
        all.for_each(|via| *via = name(*via));
    }

    /// Lets `name` change the names of each of these objects, and of no other.
    pub fn rename_each(
        &mut self,
        objects: impl IntoIterator<Item = ObjectId>,
        mut name: impl FnMut(ObjectId, &mut [Via]),
    ) {
        match &mut self.adjacency {
            Adjacency::Own(_) => {
                for from in objects {
                    let own = self.adjacency.ranges(from).0;
                    name(from, &mut self.via[own]);
                }
            }
            Adjacency::Shared {
                of,
                adjacency,
                shapes,
            } => {
                let mut all = EdgeShapes::new(std::mem::take(shapes), std::mem::take(&mut self.via));
                let mut names = Vec::new();
                for from in objects {
                    let old = adjacency[of[from as usize] as usize];
                    names.clear();
                    names.extend(all.names(old.shape));
                    name(from, &mut names);
                    of[from as usize] = adjacency.len() as u32;
                    adjacency.push(AdjacencyList {
                        shape: all.number(&names),
                        ..old
                    });
                }
                (*shapes, self.via) = all.finish();
            }
        }
    }
}
