//! Which references each object has.

use std::ops::Range;

use crate::ObjectId;

/// An adjacency list that objects have: its edge shape, and where its targets start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AdjacencyList {
    pub to: u32,
    pub shape: u32,
}

/// The references of each object, as ranges of the columns of names and of targets.
#[derive(Debug)]
pub(crate) enum Adjacency {
    /// Each object has its own, which stand one after another in both columns.
    Own(Vec<u32>),
    /// Objects share them.
    Shared {
        /// The adjacency list of each object.
        of: Vec<u32>,
        adjacency: Vec<AdjacencyList>,
        /// Where each edge shape starts; one entry more than there are shapes.
        shapes: Vec<u32>,
    },
}

impl Default for Adjacency {
    fn default() -> Self {
        Self::Own(Vec::new())
    }
}

fn between(starts: &[u32], at: u32) -> Range<usize> {
    let at = at as usize;
    match starts.get(at..at + 2) {
        Some(ends) => ends[0] as usize..ends[1] as usize,
        None => 0..0,
    }
}

impl Adjacency {
    /// Names and targets of an object, both of one length; none for an object that is not there.
    #[inline]
    pub(crate) fn ranges(&self, from: ObjectId) -> (Range<usize>, Range<usize>) {
        match self {
            Self::Own(starts) => {
                let range = between(starts, from);
                (range.clone(), range)
            }
            Self::Shared {
                of,
                adjacency,
                shapes,
            } => {
                let Some(list) = of
                    .get(from as usize)
                    .and_then(|&list| adjacency.get(list as usize))
                else {
                    return (0..0, 0..0);
                };
                let names = between(shapes, list.shape);
                let to = list.to as usize;
                (names.clone(), to..to + names.len())
            }
        }
    }

    /// Objects that have references, or an empty list of them.
    pub(crate) fn objects(&self) -> usize {
        match self {
            Self::Own(starts) => starts.len().saturating_sub(1),
            Self::Shared { of, .. } => of.len(),
        }
    }

    #[inline]
    pub(crate) fn adjacency(&self, from: ObjectId) -> u32 {
        match self {
            Self::Own(_) => from,
            Self::Shared { of, .. } => of[from as usize],
        }
    }

    #[inline]
    pub(crate) fn edge_shape(&self, from: ObjectId) -> u32 {
        match self {
            Self::Own(_) => from,
            Self::Shared { of, adjacency, .. } => adjacency[of[from as usize] as usize].shape,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Own(starts) => starts.len().saturating_sub(1),
            Self::Shared { adjacency, .. } => adjacency.len(),
        }
    }

    /// The targets of a list of references.
    #[inline]
    pub(crate) fn targets_range(&self, list: u32) -> Range<usize> {
        match self {
            Self::Own(starts) => between(starts, list),
            Self::Shared {
                adjacency, shapes, ..
            } => {
                let AdjacencyList { to, shape } = adjacency[list as usize];
                let to = to as usize;
                to..to + between(shapes, shape).len()
            }
        }
    }

    pub(crate) fn edge_shapes(&self) -> usize {
        match self {
            Self::Own(starts) => starts.len().saturating_sub(1),
            Self::Shared { shapes, .. } => shapes.len().saturating_sub(1),
        }
    }

    pub(crate) fn shape_range(&self, shape: u32) -> Range<usize> {
        match self {
            Self::Own(starts) | Self::Shared { shapes: starts, .. } => between(starts, shape),
        }
    }
}
