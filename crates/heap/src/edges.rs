//! References between objects, in compressed sparse rows.

mod builder;
mod via;

pub use builder::EdgesBuilder;
pub use via::{Edge, EdgeKind, Via};

use rayon::prelude::*;

use crate::lists::Lists;
use crate::runs::{Run, Runs};
use crate::{ObjectId, RowSet};

/// The references of every object.
///
/// Objects of one shape list their references alike, and many refer to the very same objects: a reader may hand over
/// each list of names and each list of targets [once](crate::Gathered) for all that have it.
#[derive(Debug, Default)]
pub struct Edges {
    runs: Runs,
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
            runs: Runs::Own(starts),
            via,
            to,
            len,
        }
    }

    /// Takes lists that a reader gathered; `len` is the number of references of all objects.
    pub(crate) fn from_runs(runs: Runs, via: Vec<Via>, to: Vec<ObjectId>, len: usize) -> Self {
        Self { runs, via, to, len }
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
        let (names, targets) = self.runs.ranges(from);
        self.via[names]
            .iter()
            .zip(&self.to[targets])
            .map(|(&via, &to)| Edge { via, to })
    }

    /// Number of references of one object.
    #[must_use]
    #[inline]
    pub fn count(&self, from: ObjectId) -> usize {
        self.runs.ranges(from).0.len()
    }

    /// The reference at a place of [`Self::of`].
    ///
    /// # Panics
    /// When the object has no such place.
    #[must_use]
    #[inline]
    pub fn at(&self, from: ObjectId, place: usize) -> Edge {
        let (names, targets) = self.runs.ranges(from);
        Edge {
            via: self.via[names][place],
            to: self.to[targets][place],
        }
    }

    /// Kinds and names of one object's references, in dump order.
    #[must_use]
    #[inline]
    pub fn names(&self, from: ObjectId) -> &[Via] {
        &self.via[self.runs.ranges(from).0]
    }

    /// What one object refers to, in the order of [`Self::names`].
    #[must_use]
    #[inline]
    pub fn targets(&self, from: ObjectId) -> &[ObjectId] {
        &self.to[self.runs.ranges(from).1]
    }

    /// Number of objects that have references, or an empty list of them.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.runs.objects()
    }

    /// Whether objects may have one list of names or of targets in common.
    #[must_use]
    pub fn are_shared(&self) -> bool {
        matches!(self.runs, Runs::Shared { .. })
    }

    /// The number of an object's list of names, below [`Self::lists`]. Objects with one list have the same names.
    #[must_use]
    #[inline]
    pub fn list(&self, from: ObjectId) -> u32 {
        self.runs.list(from)
    }

    /// Number of lists of names.
    #[must_use]
    pub fn lists(&self) -> usize {
        self.runs.lists()
    }

    /// The names of a list.
    #[must_use]
    pub fn list_names(&self, list: u32) -> &[Via] {
        &self.via[self.runs.list_range(list)]
    }

    /// What each list of names tells, on all threads.
    pub fn by_list<T: Send>(&self, told: impl Fn(&[Via]) -> T + Sync) -> Vec<T> {
        let lists = (0..self.lists() as u32).into_par_iter().with_min_len(256);
        lists.map(|list| told(self.list_names(list))).collect()
    }

    /// The number of an object's list of references, below [`Self::runs`]. Objects with one run refer to the same
    /// objects by the same names.
    #[must_use]
    #[inline]
    pub fn run(&self, from: ObjectId) -> u32 {
        self.runs.run(from)
    }

    /// Number of lists of references.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Shows `found` each reference to a row that is `wanted`: the object that has it, and its place among the references
    /// of that object. Runs on all threads of the current pool, in no order.
    pub fn each_to(
        &self,
        wanted: impl Fn(ObjectId) -> bool + Sync,
        found: impl Fn(ObjectId, usize, ObjectId) + Sync,
    ) {
        // Few lists lead to a row that is wanted: lists are looked at first, and only then the objects that have them.
        let lead_there = RowSet::of(self.runs(), |run| {
            self.run_targets(run).iter().any(|&to| wanted(to))
        });
        let objects = (0..self.objects() as ObjectId).into_par_iter();
        objects.with_min_len(16_384).for_each(|from| {
            if !lead_there.has(self.run(from)) {
                return;
            }
            for (place, &to) in self.targets(from).iter().enumerate() {
                if wanted(to) {
                    found(from, place, to);
                }
            }
        });
    }

    fn run_targets(&self, run: u32) -> &[ObjectId] {
        &self.to[self.runs.run_range(run)]
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
        match &mut self.runs {
            Runs::Own(_) => {
                for from in objects {
                    let own = self.runs.ranges(from).0;
                    name(from, &mut self.via[own]);
                }
            }
            Runs::Shared { of, runs, lists } => {
                let mut all = Lists::new(std::mem::take(lists), std::mem::take(&mut self.via));
                let mut names = Vec::new();
                for from in objects {
                    let old = runs[of[from as usize] as usize];
                    names.clear();
                    names.extend(all.names(old.list));
                    name(from, &mut names);
                    of[from as usize] = runs.len() as u32;
                    runs.push(Run {
                        list: all.number(&names),
                        ..old
                    });
                }
                (*lists, self.via) = all.finish();
            }
        }
    }
}
