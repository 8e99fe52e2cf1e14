//! Which references each object has.

use std::ops::Range;

use crate::ObjectId;

/// A list of references that objects have: a list of names, and where its targets start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub to: u32,
    pub list: u32,
}

/// The references of each object, as ranges of the columns of names and of targets.
#[derive(Debug)]
pub(crate) enum Runs {
    /// Each object has its own, which stand one after another in both columns.
    Own(Vec<u32>),
    /// Objects share them.
    Shared {
        /// The run of each object.
        of: Vec<u32>,
        runs: Vec<Run>,
        /// Where each list of names starts; one entry more than there are lists.
        lists: Vec<u32>,
    },
}

impl Default for Runs {
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

impl Runs {
    /// Names and targets of an object, both of one length; none for an object that is not there.
    #[inline]
    pub(crate) fn ranges(&self, from: ObjectId) -> (Range<usize>, Range<usize>) {
        match self {
            Self::Own(starts) => {
                let range = between(starts, from);
                (range.clone(), range)
            }
            Self::Shared { of, runs, lists } => {
                let Some(run) = of.get(from as usize).and_then(|&run| runs.get(run as usize)) else {
                    return (0..0, 0..0);
                };
                let names = between(lists, run.list);
                let to = run.to as usize;
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
    pub(crate) fn run(&self, from: ObjectId) -> u32 {
        match self {
            Self::Own(_) => from,
            Self::Shared { of, .. } => of[from as usize],
        }
    }

    #[inline]
    pub(crate) fn list(&self, from: ObjectId) -> u32 {
        match self {
            Self::Own(_) => from,
            Self::Shared { of, runs, .. } => runs[of[from as usize] as usize].list,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Own(starts) => starts.len().saturating_sub(1),
            Self::Shared { runs, .. } => runs.len(),
        }
    }

    /// The targets of a list of references.
    #[inline]
    pub(crate) fn run_range(&self, run: u32) -> Range<usize> {
        match self {
            Self::Own(starts) => between(starts, run),
            Self::Shared { runs, lists, .. } => {
                let Run { to, list } = runs[run as usize];
                let to = to as usize;
                to..to + between(lists, list).len()
            }
        }
    }

    pub(crate) fn lists(&self) -> usize {
        match self {
            Self::Own(starts) => starts.len().saturating_sub(1),
            Self::Shared { lists, .. } => lists.len().saturating_sub(1),
        }
    }

    pub(crate) fn list_range(&self, list: u32) -> Range<usize> {
        match self {
            Self::Own(starts) | Self::Shared { lists: starts, .. } => between(starts, list),
        }
    }
}
