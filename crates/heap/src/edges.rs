//! References between objects, in compressed sparse rows.

use crate::{ObjectId, TextId};

/// How one object refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum EdgeKind {
    /// A named field; the name is a [`TextId`].
    Field = 0,
    /// A slot of an array; the name is its index.
    Element = 1,
    /// The key of a table's entry; the name is the entry's index.
    Key = 2,
    /// The value of a table's entry; the name is the entry's index.
    Value = 3,
    /// A captured variable; the name is a [`TextId`].
    Variable = 4,
    /// A strong reference inside the runtime that a program does not write.
    Internal = 5,
    /// A reference that keeps nothing alive.
    Weak = 6,
}

impl EdgeKind {
    /// Values of three bits.
    pub(crate) const COUNT: usize = 8;

    /// The kind of each value of three bits.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Field,
        Self::Element,
        Self::Key,
        Self::Value,
        Self::Variable,
        Self::Internal,
        Self::Weak,
        Self::Weak,
    ];
}

/// A kind and a name or index, packed in 32 bits: 3 for the kind, 29 for the name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Via(pub u32);

impl Via {
    /// The largest name or index that fits; larger indices are cut to it.
    pub const MAX_NAME: u32 = (1 << 29) - 1;

    /// Packs a kind with a name or index.
    #[must_use]
    pub const fn new(kind: EdgeKind, name: u32) -> Self {
        let name = if name > Self::MAX_NAME {
            Self::MAX_NAME
        } else {
            name
        };
        Self(((kind as u32) << 29) | name)
    }

    /// The kind.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> EdgeKind {
        EdgeKind::ALL[(self.0 >> 29) as usize]
    }

    /// The text id of a field or variable, the index of an element or entry.
    #[must_use]
    #[inline]
    pub const fn name(self) -> u32 {
        self.0 & Self::MAX_NAME
    }
}

/// One reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Kind and name.
    pub via: Via,
    /// The object referred to.
    pub to: ObjectId,
}

impl Edge {
    /// The field's name, when it is a field.
    #[must_use]
    #[inline]
    pub fn field(self) -> Option<TextId> {
        (self.via.kind() == EdgeKind::Field).then_some(self.via.name())
    }
}

/// The references of every object, in the order of their sources.
#[derive(Debug, Default)]
pub struct Edges {
    starts: Vec<u32>,
    via: Vec<Via>,
    to: Vec<ObjectId>,
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
        Self { starts, via, to }
    }

    /// Number of references.
    #[must_use]
    pub fn len(&self) -> usize {
        self.to.len()
    }

    /// Whether there is no reference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// The references of one object, in dump order.
    #[inline]
    pub fn of(&self, from: ObjectId) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + '_ {
        let range = self.range(from);
        self.via[range.clone()]
            .iter()
            .zip(&self.to[range])
            .map(|(&via, &to)| Edge { via, to })
    }

    /// The reference at a position of [`Self::range`].
    #[must_use]
    #[inline]
    pub fn at(&self, position: usize) -> Edge {
        Edge {
            via: self.via[position],
            to: self.to[position],
        }
    }

    /// The positions of one object's references.
    #[must_use]
    #[inline]
    pub fn range(&self, from: ObjectId) -> std::ops::Range<usize> {
        let from = from as usize;
        match self.starts.get(from..from + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }
}

/// Collects references in the order of their sources.
#[derive(Debug, Default)]
pub struct EdgesBuilder {
    edges: Edges,
}

impl EdgesBuilder {
    /// Ends the row of the next object: every edge pushed since the last call belongs to it.
    pub fn end_row(&mut self) {
        if self.edges.starts.is_empty() {
            self.edges.starts.push(0);
        }
        self.edges.starts.push(self.edges.to.len() as u32);
    }

    /// Adds a reference to the current row.
    pub fn push(&mut self, via: Via, to: ObjectId) {
        self.edges.via.push(via);
        self.edges.to.push(to);
    }

    /// The finished table.
    #[must_use]
    pub fn finish(self) -> Edges {
        self.edges
    }
}
